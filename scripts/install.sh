#!/bin/sh
# Installs Solo for this user, without rights of root: the program into ~/.local/lib/solo, a link into ~/.local/bin.
#   install.sh                from the archive that it lies in, or from a checkout, else the newest release
#   install.sh --yes          also downloads the models that fit this machine without asking (solo setup --yes)
#   install.sh --autostart    also starts Solo at every login
#   install.sh --remove       takes the program away; what Solo knows and its models stay
# SOLO_RELEASES is where releases lie, PREFIX another folder than ~/.local.
set -eu
releases=${SOLO_RELEASES:-https://github.com/solo-assistant/solo/releases/latest/download}
prefix=${PREFIX:-$HOME/.local}
lib=$prefix/lib/solo bin=$prefix/bin/solo
yes= autostart= remove=
for a; do
  case $a in
  --yes) yes=--yes ;;
  --autostart) autostart=1 ;;
  --remove) remove=1 ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
fail() { echo "install.sh: $*" >&2; exit 1; }

if [ -n "$remove" ]; then
  [ ! -x "$bin" ] || "$bin" autostart off || true
  rm -rf "$lib"
  [ ! -L "$bin" ] || rm -f "$bin"
  echo "Solo's program is gone. What it knows, and its models, lie where they were: ${XDG_DATA_HOME:-$HOME/.local/share}/solo"
  exit 0
fi

work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
here=
case $0 in */install.sh | install.sh) here=$(cd "$(dirname "$0")" && pwd) ;; esac # not where it comes through a pipe
if [ -n "$here" ] && [ -x "$here/solo" ] && [ -f "$here/THIRD_PARTY.md" ]; then # the archive
  from=$here
elif [ -n "$here" ] && [ -f "$here/../go.mod" ] && [ -f "$here/setup.sh" ]; then # a checkout
  (cd "$here/.." && scripts/setup.sh run && make --no-print-directory build) || fail "it could not be built"
  mkdir "$work/solo" && cp "$here/../bin/solo" "$here/../THIRD_PARTY.md" "$here/../LICENSE" "$work/solo/"
  from=$work/solo
else
  case $(uname -s)-$(uname -m) in
  Linux-x86_64) archive=solo_linux_amd64.tar.gz ;;
  *) fail "there is no release for $(uname -s) on $(uname -m); build it: git clone https://github.com/solo-assistant/solo && cd solo && make run" ;;
  esac
  command -v curl >/dev/null || fail "curl is missing"
  command -v sha256sum >/dev/null || fail "sha256sum is missing"
  echo "Fetching $releases/$archive"
  (cd "$work" && curl -fsSLO "$releases/$archive" && curl -fsSLO "$releases/checksums.txt") || fail "it could not be fetched"
  (cd "$work" && grep "  $archive\$" checksums.txt >sum && sha256sum -c sum >/dev/null 2>&1) || fail "$archive is not what checksums.txt says; nothing was installed"
  tar -xzf "$work/$archive" -C "$work"
  from=$(dirname "$(find "$work" -name solo -type f | head -1)")
fi

mkdir -p "$prefix/lib" "$prefix/bin"
rm -rf "$lib.new" && cp -R "$from" "$lib.new"
if ! "$lib.new/solo" version >/dev/null; then
  rm -rf "$lib.new"
  fail "the program does not run here; it wants glibc 2.36 or newer (Debian 12, Ubuntu 24.04), libasound2 and libpulse0"
fi
rm -rf "$lib" && mv "$lib.new" "$lib"
ln -sf "$lib/solo" "$bin"
echo "Installed $("$bin" version) in $lib"
case :$PATH: in *:$prefix/bin:*) ;; *) echo "Put $prefix/bin into PATH, or call it as $bin" ;; esac
command -v flite >/dev/null || echo "For a voice at once: apt-get install flite (or let solo setup fetch Piper)"
"$bin" setup $yes || true # a machine without a network keeps what it has
[ -z "$autostart" ] || "$bin" autostart on
echo "Start it with: solo run. solo doctor tells what is missing."
