#!/usr/bin/env bash
# whisper.sh [FOLDER]: gets a whisper-server for this user alone, from packages of Debian sid, and prints its path last.
# The folder is .tools/whisper in the checkout. Nothing outside it changes, and no right of root is needed. Debian builds
# it with ffmpeg, so 200 packages (135 MB) are fetched; what the server does not need is dropped, and 170 MB stay.
# Where it cannot, it says why, prints no path, and still exits 0.
set -euo pipefail
cd "$(dirname "$0")/.."
into=${1:-$PWD/.tools/whisper}
mkdir -p "$into"
into=$(cd "$into" && pwd)
server=$into/whisper-server

sorry() { echo "whisper.sh: no whisper-server: $*"; exit 0; }
works() { [[ $("$server" --help 2>&1) == *--port* ]]; }

exec 9>"$into/.lock" && flock 9 2>/dev/null || true # two at once would tread on each other
if [ -x "$server" ] && works; then
  echo "whisper.sh: whisper-server is here already"
  echo "$server"; exit 0
fi
for tool in apt-get dpkg dpkg-deb awk; do
  command -v $tool >/dev/null || sorry "this is no Debian; solo models pull gets one of whisper.cpp's releases"
done
case $(dpkg --print-architecture) in # arm64 by what its packages hold; it was not tried
amd64) triplet=x86_64-linux-gnu ld=ld-linux-x86-64.so.2 ;;
arm64) triplet=aarch64-linux-gnu ld=ld-linux-aarch64.so.1 ;;
*) sorry "only for amd64 and arm64" ;;
esac
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keys ] || sorry "the package debian-archive-keyring is missing"
# The mirror is the one that this machine uses for Debian already.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -1 || true)
[ -n "$mirror" ] || sorry "apt has no source of Debian, or its lists were never fetched (apt-get update)"

echo "whisper.sh: getting whisper-server, packages of Debian sid (135 MB), into $into"
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
apt update >&2 || sorry "Debian's package lists could not be fetched"
packages=$(apt -o Debug::NoLocking=1 -s install --no-install-recommends whisper.cpp-tools | awk '/^Inst/{print $2}') || sorry "whisper.cpp-tools has no way in"
[ -n "$packages" ] || sorry "Debian sid has no whisper.cpp-tools"
(cd "$work/debs" && apt download $packages >&2) || sorry "Debian's packages could not be fetched"
for deb in "$work"/debs/*.deb; do
  dpkg-deb -x "$deb" "$work/root" || sorry "$(basename "$deb") could not be unpacked"
  rm "$deb"
done

# What the server needs: its own loader, the libraries that it lists, and the CPU backends.
lib=$work/root/usr/lib/$triplet
loader=$(find "$work/root" -name $ld | head -1)
[ -x "$work/root/usr/bin/whisper-server" ] && [ -n "$loader" ] && [ -d "$lib/ggml/backends0" ] || sorry "Debian's packages are laid out in a new way"
rm -rf "$into/bin" "$into/lib" "$into/doc"
mkdir -p "$into/bin" "$into/lib/backends" "$into/doc"
cp -L "$loader" "$into/lib/$ld"
paths=$lib:$lib/pulseaudio:$lib/blas:$lib/lapack
for program in "$work/root/usr/bin/whisper-server" "$lib"/ggml/backends0/libggml-cpu-*.so; do
  "$loader" --library-path "$paths" --list "$program" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $3}'
done | sort -u | while read -r f; do cp -L "$f" "$into/lib/"; done
mv "$work/root/usr/bin/whisper-server" "$into/bin/whisper-server.elf"
mv "$lib"/ggml/backends0/libggml-cpu-*.so "$into/lib/backends/"
ln -s "../lib/$ld" "$into/bin/whisper-server" # so that ps calls the server by its name
for name in whisper.cpp-tools libwhisper1 libggml0 libavcodec63 libc6; do
  [ -r "$work/root/usr/share/doc/$name/copyright" ] && cp "$work/root/usr/share/doc/$name/copyright" "$into/doc/$name"
done || true

# The wrapper becomes the server (exec all the way), so that a signal to it is a signal to the server.
cat >"$work/wrapper" <<'WRAPPER'
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
backend=$here/lib/backends/libggml-cpu-$kind.so
[ -e "$backend" ] || backend=$(ls "$here"/lib/backends/libggml-cpu-x64.so "$here"/lib/backends/libggml-cpu-armv8.0_1.so 2>/dev/null | head -1)
export GGML_BACKEND_PATH="${GGML_BACKEND_PATH:-$backend}"
exec "$here/bin/whisper-server" --library-path "$here/lib" "$here/bin/whisper-server.elf" "$@"
WRAPPER
chmod +x "$work/wrapper"
mv "$work/wrapper" "$server"
works || { said=$("$server" --help 2>&1 | tail -1); rm -f "$server"; sorry "what was fetched does not run here: $said"; }
echo "$server"
