#!/usr/bin/env bash
# Prints the Go that builds Solo. One from 1.21 on fetches the toolchain named in go.mod by itself;
# for an older one the toolchain module is fetched here, through the module proxy that it is set to.
set -euo pipefail
cd "$(dirname "$0")/.."
want=$(awk '$1=="go"{print $2}' go.mod)
kept="$PWD/.tools/go/bin/go"
minor() { "$1" version 2>/dev/null | sed -nE 's/^go version go1\.([0-9]+).*/\1/p'; }

usable() { # GO: new enough, or able to fetch what is
  local have; have=$(minor "$1")
  [ -n "$have" ] || return 1
  [ "$have" -ge "$(cut -d. -f2 <<<"$want")" ] && return 0
  [ "$have" -ge 21 ] && [ "$("$1" env GOTOOLCHAIN)" != local ]
}

for go in "$(command -v go || true)" /usr/local/go/bin/go "$kept"; do
  if [ -n "$go" ] && [ -x "$go" ] && usable "$go"; then echo "$go"; exit 0; fi
done

old=$(command -v go || true)
if [ -z "$old" ]; then
  echo "Solo needs Go $want: install any Go (Debian: apt-get install golang-go) and run make again." >&2
  echo go; exit 0
fi
echo "Go $("$old" env GOVERSION 2>/dev/null || echo old) is too old for Solo; fetching Go $want through the module proxy." >&2
arch=$("$old" env GOARCH); os=$("$old" env GOOS)
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
(cd "$dir" && printf 'module fetch\n' >go.mod && GOFLAGS=-mod=mod "$old" mod download -json "golang.org/toolchain@v0.0.1-go$want.$os-$arch") >"$dir/json" || {
  echo "Go $want could not be fetched; install it from your system's packages or go.dev/dl." >&2; echo go; exit 0; }
src=$(sed -nE 's/.*"Dir": "(.*)".*/\1/p' "$dir/json")
mkdir -p .tools && rm -rf .tools/go && cp -r "$src" .tools/go && chmod -R u+w .tools/go
chmod +x .tools/go/bin/* && find .tools/go/pkg/tool -type f -exec chmod +x {} +
echo "$kept"
