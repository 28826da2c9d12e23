#!/usr/bin/env bash
# llama.sh [FOLDER]: gets a llama-server for this user alone, from ten packages of Debian sid, and prints its path last.
# The folder is .tools/llama in the checkout. Nothing outside it changes, and no right of root is needed.
# Where it cannot, it says why, prints no path, and still exits 0.
set -euo pipefail
cd "$(dirname "$0")/.."
program=llama-server into=${1:-$PWD/.tools/llama} elsewhere="docs/cublas.md tells where to get one"
works() { "$server" --version >/dev/null 2>&1; }
. scripts/sid.sh

echo "llama.sh: getting llama-server, ten packages of Debian sid (13 MB), into $into"
apt update >&2 || sorry "Debian's package lists could not be fetched"
unpack llama.cpp-tools libllama0 libggml0 libc6 libstdc++6 libgcc-s1 libgomp1 libssl3t64 zlib1g libzstd1

# What a server needs: the programs' libraries, its own loader, and the CPU backends.
mkdir "$into/bin" "$into/doc"
mv "$work/root/usr/bin/llama-server" "$into/bin/llama-server.elf"
mv "$lib" "$into/lib"
[ -e "$into/lib/$ld" ] || cp -L "$loader" "$into/lib/$ld"
find "$work/root/usr/share/doc" -name copyright | while read -r f; do cp "$f" "$into/doc/$(basename "$(dirname "$f")")"; done
finish lib/ggml/backends0 '$here/lib:$here/lib/llama'
