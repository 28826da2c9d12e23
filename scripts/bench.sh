#!/usr/bin/env bash
# Measures Solo and writes docs/benchmarks.md. PARTS="turns wake" chooses parts; the report keeps the others' last figures.
set -euo pipefail
cd "$(dirname "$0")/.."
SOLO_GO=$(scripts/go.sh)
export SOLO_GO
mkdir -p docs
exec "$SOLO_GO" run ./tests/bench -solo bin/solo -out docs/benchmarks.md -parts "${PARTS:-}"
