#!/usr/bin/env bash
# llama.sh [FOLDER]: gets a llama-server for this user alone, from ten packages of Debian sid, and prints its path last.
# The folder is .tools/llama in the checkout. Nothing outside it changes, and no right of root is needed.
# Where it cannot, it says why, prints no path, and still exits 0.
set -euo pipefail
cd "$(dirname "$0")/.."
into=${1:-$PWD/.tools/llama}
mkdir -p "$into"
into=$(cd "$into" && pwd)
server=$into/llama-server
packages="llama.cpp-tools libllama0 libggml0 libc6 libstdc++6 libgcc-s1 libgomp1 libssl3t64 zlib1g libzstd1"

sorry() { echo "llama.sh: no llama-server: $*"; exit 0; }
works() { "$server" --version >/dev/null 2>&1; }

exec 9>"$into/.lock" && flock 9 2>/dev/null || true # two at once would tread on each other
if [ -x "$server" ] && works; then
  echo "llama.sh: llama-server is here already"
  echo "$server"; exit 0
fi
for tool in apt-get dpkg dpkg-deb; do
  command -v $tool >/dev/null || sorry "this is no Debian; docs/cublas.md tells where to get one"
done
case $(dpkg --print-architecture) in # arm64 by what its packages hold; it was not tried
amd64) triplet=x86_64-linux-gnu ld=ld-linux-x86-64.so.2 ;;
arm64) triplet=aarch64-linux-gnu ld=ld-linux-aarch64.so.1 ;;
*) sorry "only for amd64 and arm64; docs/cublas.md tells where to get one" ;;
esac
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keys ] || sorry "the package debian-archive-keyring is missing"
# The mirror is the one that this machine uses for Debian already.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -1 || true)
[ -n "$mirror" ] || sorry "apt has no source of Debian, or its lists were never fetched (apt-get update)"

echo "llama.sh: getting llama-server, ten packages of Debian sid (13 MB), into $into"
work=$(mktemp -d "$into/.get-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/lists/partial "$work"/cache/archives/partial "$work"/debs "$work"/root
: >"$work/status"
echo "deb [signed-by=$keys] $mirror sid main" >"$work/sources.list"
apt() { # with lists, cache and sources of its own
  apt-get -qq -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null \
    -o Dir::Etc::preferencesparts=/dev/null -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none \
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Retries=2 -o Acquire::http::Timeout=20 "$@"
}
apt update >&2 || sorry "Debian's package lists could not be fetched"
(cd "$work/debs" && apt download $packages >&2) || sorry "Debian's packages could not be fetched"
for deb in "$work"/debs/*.deb; do
  dpkg-deb -x "$deb" "$work/root" || sorry "$(basename "$deb") could not be unpacked"
done

# What a server needs: the programs' libraries, its own loader, and the CPU backends.
lib=$work/root/usr/lib/$triplet
loader=$(find "$work/root" -name $ld | head -1)
[ -x "$work/root/usr/bin/llama-server" ] && [ -n "$loader" ] && [ -d "$lib/ggml/backends0" ] || sorry "Debian's packages are laid out in a new way"
rm -rf "$into/bin" "$into/lib" "$into/doc"
mkdir "$into/bin" "$into/doc"
mv "$work/root/usr/bin/llama-server" "$into/bin/llama-server.elf"
mv "$lib" "$into/lib"
[ -e "$into/lib/$ld" ] || cp -L "$loader" "$into/lib/$ld"
ln -s "../lib/$ld" "$into/bin/llama-server" # so that ps calls the server by its name
find "$work/root/usr/share/doc" -name copyright | while read -r f; do cp "$f" "$into/doc/$(basename "$(dirname "$f")")"; done

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
backend=$here/lib/ggml/backends0/libggml-cpu-$kind.so
[ -e "$backend" ] || backend=$(ls "$here"/lib/ggml/backends0/libggml-cpu-x64.so "$here"/lib/ggml/backends0/libggml-cpu-armv8.0_1.so 2>/dev/null | head -1)
export GGML_BACKEND_PATH="${GGML_BACKEND_PATH:-$backend}"
exec "$here/bin/llama-server" --library-path "$here/lib:$here/lib/llama" "$here/bin/llama-server.elf" "$@"
WRAPPER
chmod +x "$work/wrapper"
mv "$work/wrapper" "$server"
works || { said=$("$server" --version 2>&1 | tail -1); rm -f "$server"; sorry "what was fetched does not run here: $said"; }
echo "$server"
