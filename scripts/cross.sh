#!/usr/bin/env bash
# Builds what is pure Go for the systems that are not this one.
set -euo pipefail
cd "$(dirname "$0")/.."
go=$(scripts/go.sh)
for target in windows/amd64 darwin/arm64 darwin/amd64 linux/arm64; do
  echo "$target"
  CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} "$go" build ./...
done
