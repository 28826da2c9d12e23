#!/usr/bin/env bash
# whisper.sh [FOLDER]: gets a whisper-server for this user alone, from packages of Debian sid, and prints its path last.
# The folder is .tools/whisper in the checkout. Nothing outside it changes, and no right of root is needed. Debian builds
# it with ffmpeg, so 200 packages (135 MB) are fetched; what the server does not need is dropped, and 170 MB stay.
# Where it cannot, it says why, prints no path, and still exits 0.
set -euo pipefail
cd "$(dirname "$0")/.."
program=whisper-server into=${1:-$PWD/.tools/whisper} elsewhere="solo models pull gets one of whisper.cpp's releases"
works() { [[ $("$server" --help 2>&1) == *--port* ]]; }
. scripts/sid.sh

echo "whisper.sh: getting whisper-server, packages of Debian sid (135 MB), into $into"
apt update >&2 || sorry "Debian's package lists could not be fetched"
packages=$(apt -o Debug::NoLocking=1 -s install --no-install-recommends whisper.cpp-tools | awk '/^Inst/{print $2}') || sorry "whisper.cpp-tools has no way in"
[ -n "$packages" ] || sorry "Debian sid has no whisper.cpp-tools"
unpack $packages

# What the server needs: its own loader, the libraries that it lists, and the CPU backends.
mkdir -p "$into/bin" "$into/lib/backends" "$into/doc"
cp -L "$loader" "$into/lib/$ld"
paths=$lib:$lib/pulseaudio:$lib/blas:$lib/lapack
for program in "$work/root/usr/bin/whisper-server" "$lib"/ggml/backends0/libggml-cpu-*.so; do
  "$loader" --library-path "$paths" --list "$program" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $3}'
done | sort -u | while read -r f; do cp -L "$f" "$into/lib/"; done
mv "$work/root/usr/bin/whisper-server" "$into/bin/whisper-server.elf"
mv "$lib"/ggml/backends0/libggml-cpu-*.so "$into/lib/backends/"
for name in whisper.cpp-tools libwhisper1 libggml0 libavcodec63 libc6; do
  [ -r "$work/root/usr/share/doc/$name/copyright" ] && cp "$work/root/usr/share/doc/$name/copyright" "$into/doc/$name"
done || true
finish lib/backends '$here/lib'
