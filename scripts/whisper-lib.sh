#!/usr/bin/env bash
# whisper-lib.sh [FOLDER]: what Solo needs to be built with whisper.cpp inside (build tag whisper), in .tools/whisper-lib.
# It prints the line that builds such a Solo last. Two ways:
#   * Debian's libwhisper-dev, where it is installed. Debian keeps the processor's backends as plugins, so that the binding's
#     -lggml-cpu finds nothing: an empty library stands in for it, and Solo loads the plugins itself.
#   * else whisper.cpp is built from its source, as static libraries: from the folder WHISPER_SOURCE, or fetched with git.
# Nothing outside the folder changes. Where it cannot, it says why and exits 1.
set -euo pipefail
cd "$(dirname "$0")/.."
into=${1:-$PWD/.tools/whisper-lib}
mkdir -p "$into"
into=$(cd "$into" && pwd)
tag=v1.9.3

sorry() { echo "whisper-lib.sh: $*" >&2; exit 1; }
line() { # prints how to build
  echo "CGO_ENABLED=1 CGO_CFLAGS=\"$1\" CGO_LDFLAGS=\"$2\" go build -tags \"sphinx whisper\" -o bin/solo ./cmd/solo"
}

if [ -r /usr/include/whisper.h ] && [ -z "${WHISPER_SOURCE:-}" ]; then
  [ -e "$into/libggml-cpu.a" ] || ar rc "$into/libggml-cpu.a"
  echo "whisper-lib.sh: with Debian's libwhisper-dev" >&2
  line "" "-L$into"
  exit 0
fi
for tool in cmake c++; do
  command -v $tool >/dev/null || sorry "$tool is missing; on Debian: apt-get install cmake g++ (or libwhisper-dev, where Debian has it)"
done
source=${WHISPER_SOURCE:-$into/source}
if [ ! -r "$source/include/whisper.h" ]; then
  [ -z "${WHISPER_SOURCE:-}" ] || sorry "$WHISPER_SOURCE is no source of whisper.cpp"
  command -v git >/dev/null || sorry "git is missing, and WHISPER_SOURCE names no source of whisper.cpp"
  rm -rf "$source"
  git clone -q --depth 1 --branch "$tag" https://github.com/ggml-org/whisper.cpp "$source" || sorry "whisper.cpp's source could not be fetched; give a folder with it in WHISPER_SOURCE"
fi
echo "whisper-lib.sh: building whisper.cpp, some minutes" >&2
cuda=OFF
command -v nvcc >/dev/null && cuda=ON
[ $cuda = OFF ] || sorry "a build with CUDA is not tried yet; whisper-server uses the graphics card"
cmake -S "$source" -B "$into/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DWHISPER_BUILD_TESTS=OFF -DWHISPER_BUILD_EXAMPLES=OFF \
  -DWHISPER_BUILD_SERVER=OFF -DGGML_NATIVE="${WHISPER_NATIVE:-OFF}" >"$into/build.log" 2>&1 || sorry "cmake failed: $(tail -1 "$into/build.log")"
cmake --build "$into/build" -j "$(nproc)" >>"$into/build.log" 2>&1 || sorry "the build failed: $(tail -1 "$into/build.log")"
mkdir -p "$into/include" "$into/lib"
cp "$source"/include/whisper.h "$source"/ggml/include/*.h "$into/include/"
find "$into/build" -name 'lib*.a' -exec cp {} "$into/lib/" \;
line "-I$into/include" "-L$into/lib"
