#!/usr/bin/env bash
# Builds the dashboard's page into dashboard/dist/page, where it is older than its sources. Without Node.js it says what
# to install and goes on: Solo then shows a page that tells how to build it.
set -euo pipefail
cd "$(dirname "$0")/.."
oldest=18 # of Node.js

major=$(node --version 2>/dev/null | sed -nE 's/^v([0-9]+).*/\1/p' || true)
if [ -z "$major" ] || [ "$major" -lt "$oldest" ] || ! command -v npm >/dev/null; then
  echo "The dashboard's page is not built: that needs Node.js $oldest or newer with npm (Debian: apt-get install nodejs npm)."
  exit 0
fi

mkdir -p .tools
if command -v flock >/dev/null; then
  exec 9>.tools/page.lock
  flock 9 # two makes at once shall not install over each other
fi

cd dashboard
page=dist/page/index.html
sources=(src index.html package.json package-lock.json tsconfig.json vite.config.ts)
[ -f "$page" ] && [ -z "$(find "${sources[@]}" -newer "$page" -print -quit)" ] && exit 0

if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "Fetching what builds the dashboard's page."
  if ! npm ci --no-fund --no-audit --loglevel=error >/dev/null; then
    echo "npm could not fetch it; the dashboard's page is not built. 'make page' tries again."
    exit 0
  fi
fi
echo "Building the dashboard's page."
npm run --silent build >.build.log 2>&1 || { cat .build.log >&2; exit 1; }
rm -f .build.log
touch "$page"
