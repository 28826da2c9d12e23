# sid.sh: what llama.sh and whisper.sh share, to be sourced: getting programs from packages of Debian sid for this user
# alone. Before it, $program is the program's name, $into its folder, works a function that tries it, $elsewhere a hint.
mkdir -p "$into"
into=$(cd "$into" && pwd)
server=$into/$program
me=${program%-server}.sh

sorry() { echo "$me: no $program: $*"; exit 0; }

exec 9>"$into/.lock" && flock 9 2>/dev/null || true # two at once would tread on each other
if [ -x "$server" ] && works; then
  echo "$me: $program is here already"
  echo "$server"; exit 0
fi
for tool in apt-get dpkg dpkg-deb awk; do
  command -v $tool >/dev/null || sorry "this is no Debian; $elsewhere"
done
case $(dpkg --print-architecture) in # arm64 by what its packages hold; it was not tried
amd64) triplet=x86_64-linux-gnu ld=ld-linux-x86-64.so.2 ;;
arm64) triplet=aarch64-linux-gnu ld=ld-linux-aarch64.so.1 ;;
*) sorry "only for amd64 and arm64; $elsewhere" ;;
esac
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keys ] || sorry "the package debian-archive-keyring is missing"
# The mirror is the one that this machine uses for Debian already.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -1 || true)
[ -n "$mirror" ] || sorry "apt has no source of Debian, or its lists were never fetched (apt-get update)"

work=$(mktemp -d "$into/.get-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/lists/partial "$work"/cache/archives/partial "$work"/debs "$work"/root
: >"$work/status"
echo "deb [signed-by=$keys] $mirror sid main" >"$work/sources.list"

apt() { # with lists, cache and sources of its own, as if nothing were installed
  apt-get -qq -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null \
    -o Dir::Etc::preferencesparts=/dev/null -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none \
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Retries=2 -o Acquire::http::Timeout=20 "$@"
}

unpack() { # unpack PACKAGE...: into $work/root; $lib and $loader are then the folder of libraries and their loader
  (cd "$work/debs" && apt download "$@" >&2) || sorry "Debian's packages could not be fetched"
  for deb in "$work"/debs/*.deb; do
    dpkg-deb -x "$deb" "$work/root" || sorry "$(basename "$deb") could not be unpacked"
    rm "$deb"
  done
  lib=$work/root/usr/lib/$triplet
  loader=$(find "$work/root" -name $ld | head -1)
  [ -x "$work/root/usr/bin/$program" ] && [ -n "$loader" ] && [ -d "$lib/ggml/backends0" ] || sorry "Debian's packages are laid out in a new way"
  rm -rf "$into/bin" "$into/lib" "$into/doc"
}

finish() { # finish BACKENDS LIBRARIES: writes the wrapper for folders relative to the program's, and tries the program
  ln -s "../lib/$ld" "$into/bin/$program" # so that ps calls the server by its name
  # The wrapper becomes the server (exec all the way), so that a signal to it is a signal to the server.
  sed -e "s|@program@|$program|; s|@backends@|$1|; s|@libraries@|$2|" >"$work/wrapper" <<'WRAPPER'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
flags=" $(grep -m1 -E '^(flags|Features)' /proc/cpuinfo) "
has() { for f; do case $flags in *" $f "*) ;; *) return 1 ;; esac; done; }
kind=x64
[ -e "$here/lib/ld-linux-aarch64.so.1" ] && kind=armv8.0_1
has sse4_2 && kind=sse42
has avx2 fma f16c bmi2 && kind=haswell
has avx512f avx512vl avx512bw avx512dq avx512cd && kind=skylakex
has asimddp && kind=armv8.2_1
has asimddp asimdhp && kind=armv8.2_2
program=@program@ backends=$here/@backends@
backend=$backends/libggml-cpu-$kind.so
[ -e "$backend" ] || backend=$(ls "$backends"/libggml-cpu-x64.so "$backends"/libggml-cpu-armv8.0_1.so 2>/dev/null | head -1)
export GGML_BACKEND_PATH="${GGML_BACKEND_PATH:-$backend}"
exec "$here/bin/$program" --library-path "@libraries@" "$here/bin/$program.elf" "$@"
WRAPPER
  chmod +x "$work/wrapper"
  mv "$work/wrapper" "$server"
  works || { said=$("$server" --version 2>&1 | tail -1); rm -f "$server"; sorry "what was fetched does not run here: $said"; }
  echo "$server"
}
