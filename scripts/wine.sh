#!/usr/bin/env bash
# Builds solo.exe with everything that cross-builds, and runs it under wine.
set -euo pipefail
cd "$(dirname "$0")/.."
go=$(scripts/go.sh)
wine=/usr/lib/wine/wine64
if [ ! -x "$wine" ] || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
  echo "soak: wine: skipped, wine64 or mingw is not installed"; exit 1
fi
dir=$(mktemp -d)
trap 'WINEPREFIX="$dir/wine" wineserver -k 2>/dev/null || true; rm -rf "$dir"' EXIT
CGO_ENABLED=1 GOOS=windows GOARCH=amd64 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++ \
  "$go" build -ldflags "-s -w -extldflags=-static" -o "$dir/solo.exe" ./cmd/solo
echo "soak: wine: solo.exe is $(du -m "$dir/solo.exe" | cut -f1) MB"

export WINEPREFIX="$dir/wine" WINEARCH=win64 WINEDEBUG=-all
unset DISPLAY
"$wine" wineboot -i >/dev/null 2>&1
# wine 8 lacks the random source that every Go program loads; three lines of C stand in for it.
cat >"$dir/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return SystemFunction036(p, (ULONG)n); }
C
lib="$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll"
[ -f "$lib" ] || x86_64-w64-mingw32-gcc -O2 -shared -o "$lib" "$dir/random.c" -ladvapi32

solo() { timeout 120 "$wine" "$dir/solo.exe" --home "Z:$(tr / '\\' <<<"$dir")\\home" "$@" </dev/null; }
expect() { # NAME PATTERN ARGS...: the output of solo ARGS has PATTERN
  local name=$1 pattern=$2 out; shift 2
  out=$(solo "$@" 2>&1) || true
  if grep -qE "$pattern" <<<"$out"; then echo "soak: wine: $name works"; else echo "soak: wine: $name FAILED: $out"; return 1; fi
}
expect version 'windows/amd64' version
expect when '"kind":"point"' when --json tomorrow at nine --now 2026-11-21T12:00:00Z --tz Europe/Berlin
expect understand 'timers.set' understand --json --do set a timer for ten minutes
expect "the database kept it" '1 timer|minutes' understand --json how long is left on my timer
expect doctor 'porcupine' doctor --json
expect "settings" 'wake.words' config show
