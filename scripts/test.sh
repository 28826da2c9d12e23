#!/usr/bin/env bash
# Runs every test, with the race detector, and the pure-Go build that has no C compiler to lean on.
set -euo pipefail
cd "$(dirname "$0")/.."
go=$(scripts/go.sh)
tags="$(pkg-config --exists pocketsphinx 2>/dev/null && echo sphinx || true) $(pkg-config --exists speexdsp 2>/dev/null && echo speex || true)"
[ -d ../shared/data ] || echo "skipped: no ../shared/data (tests on recordings say so one by one)"
scripts/llama.sh | sed '/^\//d' # the path that it prints is of no interest here
CGO_ENABLED=0 "$go" build ./cmd/... ./core/... ./audio/... ./voices/... ./models/...
# What is all arithmetic, as the rows of a database in Go are too, takes five times as long under the race detector, which
# has nothing to find in it.
sums='/audio/(vad/silero|wake/own/train)$|/core/(store|store/rows|backup)$'
# make check vets and lints; no debugger looks at these programs, so that linking them is quicker.
quick=(-vet=off -ldflags=-w)
# cmd/solo takes longest and mostly waits for sound, so it begins first.
"$go" test -race "${quick[@]}" -tags "$tags" -timeout 10m ./cmd/solo $("$go" list ./... | grep -vE "$sums|/cmd/solo\$")
"$go" test "${quick[@]}" -tags "$tags" -timeout 10m $("$go" list ./... | grep -E "$sums")
