#!/usr/bin/env bash
# What a change must pass before it is pushed.
set -euo pipefail
cd "$(dirname "$0")/.."
go=$(scripts/go.sh)
tags="$(pkg-config --exists pocketsphinx 2>/dev/null && echo sphinx || true) $(pkg-config --exists speexdsp 2>/dev/null && echo speex || true)"
say() { printf '\n== %s\n' "$*"; }

say gofmt
unformatted=$("$(dirname "$("$go" env GOROOT)/bin/go")/gofmt" -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || { echo "gofmt would change:"; echo "$unformatted"; exit 1; }
say vet
"$go" vet -tags "$tags" ./...
CGO_ENABLED=0 "$go" vet ./...
if [ "${SHORT:-}" != 1 ]; then
  say lint
  "$go" run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2 run --build-tags "$tags" ./...
fi
say cross builds
scripts/cross.sh
if [ "${SHORT:-}" != 1 ]; then
  say tests
  scripts/test.sh
  say clean tree
  [ -z "$(git status --porcelain)" ] || { git status --short; echo "the tree is not clean"; exit 1; }
fi
