#!/usr/bin/env bash
# windows.sh [FOLDER]: builds Solo for Windows here, with mingw, into dist/windows: solo.exe with microphone, wake word,
# pocketsphinx and database, solow.exe that starts it without a window, and the English model. Prints the folder last.
set -euo pipefail
cd "$(dirname "$0")/.."
into=${1:-$PWD/dist/windows}
go=$(scripts/go.sh)
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo dev)}
model=/usr/share/pocketsphinx/model/en-us
command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "windows.sh: mingw is missing (Debian: apt-get install gcc-mingw-w64-x86-64)" >&2; exit 1; }
libs=$(scripts/sphinxwin.sh | tee /dev/stderr | tail -1)
tags=
if [ -d "$libs" ]; then
  tags=sphinx
  export PKG_CONFIG_LIBDIR=$libs PKG_CONFIG_PATH=
fi
export CGO_CFLAGS="-O2 -g -Wno-stringop-overflow" CGO_ENABLED=1 GOOS=windows GOARCH=amd64 CC=x86_64-w64-mingw32-gcc
mkdir -p "$into"
"$go" build -tags "$tags" -trimpath -ldflags "-s -w -X main.version=$version -extldflags=-static" -o "$into/solo.exe" ./cmd/solo
CGO_ENABLED=0 "$go" build -trimpath -ldflags "-s -w -H=windowsgui" -o "$into/solow.exe" ./cmd/solow
if [ -n "$tags" ]; then
  [ -d "$model" ] || { echo "windows.sh: the English model is missing (Debian: apt-get install pocketsphinx-en-us)" >&2; exit 1; }
  mkdir -p "$into/model"
  cp -rL "$model" "$into/model/"
fi
cp scripts/install.ps1 scripts/run_agent.ps1 scripts/quantize.bat LICENSE THIRD_PARTY.md "$into/"
echo "$into"
