#!/usr/bin/env bash
# release.sh [check|snapshot|publish]: archives for Linux and Windows, a package for Debian, checksums and bills of
# materials, by goreleaser, into dist. snapshot, what it does without a word, sends nothing anywhere.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-snapshot}
go=$(scripts/go.sh)
goreleaser=$PWD/.tools/bin/goreleaser
version=v2.15.1 # later ones want a later Go

if [ ! -x "$goreleaser" ]; then
  echo "release.sh: getting goreleaser $version (a build of some minutes)"
  mkdir -p .tools/bin
  GOBIN=$PWD/.tools/bin GOFLAGS= "$go" install "github.com/goreleaser/goreleaser/v2@$version"
fi
PATH=$PWD/.tools/bin:$(dirname "$go"):$PATH
export PATH
"$goreleaser" check
[ "$what" = check ] && exit 0

# What the archives hold beside the programs is made ready first: goreleaser takes files, and makes none.
SOLO_SPHINX_WINDOWS=$(scripts/sphinxwin.sh | tail -1)
[ -d "$SOLO_SPHINX_WINDOWS" ] || { echo "release.sh: no pocketsphinx for Windows: $SOLO_SPHINX_WINDOWS" >&2; exit 1; }
export SOLO_SPHINX_WINDOWS
scripts/page.sh
scripts/beside.sh .tools/beside
"$go" build -o .tools/bin/bill ./scripts/bill
case $what in
snapshot) "$goreleaser" release --snapshot --clean --skip=publish ;;
publish) "$goreleaser" release --clean ;; # wants a tag and GITHUB_TOKEN
*) echo "release.sh: check, snapshot or publish, not $what" >&2; exit 2 ;;
esac
