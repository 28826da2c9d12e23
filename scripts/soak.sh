#!/usr/bin/env bash
# The long proofs: every test with SOLO_SOAK=1, among them a Windows build that is run. Writes docs/soak.md.
# A proof prints its figures in lines that begin with "soak: ".
set -uo pipefail
cd "$(dirname "$0")/.."
go=$(scripts/go.sh)
tags="$(pkg-config --exists pocketsphinx 2>/dev/null && echo sphinx || true) $(pkg-config --exists speexdsp 2>/dev/null && echo speex || true)"
log=$(mktemp); trap 'rm -f "$log"' EXIT
began=$(date +%s)
failed=0

# Whole sessions, a language model that dies, and the packages whose own tests are longer here than in make test.
SOLO_SOAK=1 "$go" test -v -tags "$tags" -count=1 -timeout 4h -run Soak ./cmd/solo 2>&1 | tee "$log" | grep -E '^(ok|FAIL|---|panic)|soak: |skipped:' || true
SOLO_SOAK=1 "$go" test -v -tags "$tags" -count=1 -timeout 4h -p 1 -run 'TurnsEnd|BadRecog|RealChain|OneBreath|RealWords|Hours|Chaos$' ./audio/listen ./audio/codec ./tests 2>&1 |
  sed -E 's/^( *[a-zA-Z0-9_]+_test\.go:[0-9]+: )/\1soak: /' | tee -a "$log" | grep -E '^(ok|FAIL|---|panic)|soak: ' || true
SOLO_SOAK=1 "$go" test -v -tags "$tags" -count=1 -timeout 1h -run 'ManyDeaths|Hangs|SleepsAndWakes' ./models/llama 2>&1 |
  sed -E 's/^( *[a-zA-Z0-9_]+_test\.go:[0-9]+: )/\1soak: /' | tee -a "$log" | grep -E '^(ok|FAIL|---|panic)|soak: |skipped:' || true
SOLO_SOAK=1 "$go" test -v -count=1 -timeout 1h -run 'ManyReaders|JSONTorture' ./core/channel/web 2>&1 |
  sed -E 's/^( *[a-zA-Z0-9_]+_test\.go:[0-9]+: )/\1soak: /' | tee -a "$log" | grep -E '^(ok|FAIL|---|panic)|soak: |skipped:' || true
# Promises under kill -9, clock jumps and both switches of daylight saving: 3 minutes.
SOLO_SOAK=1 "$go" test -v -count=1 -timeout 1h -run 'ThousandPromises|SurviveKills' ./core/store 2>&1 |
  sed -E 's/^( *[a-zA-Z0-9_]+_test\.go:[0-9]+: )/\1soak: /' | tee -a "$log" | grep -E '^(ok|FAIL|---|panic)|soak: |skipped:' || true
# Solo's own voice in simulated rooms, and people who speak over it.
SOLO_SOAK=1 "$go" test -v -tags "$tags" -count=1 -timeout 1h -run 'Soak|Weakened' ./audio/echo 2>&1 |
  sed -E 's/^( *room_test\.go:[0-9]+: )/\1soak: /' | tee -a "$log" | grep -E '^(ok|FAIL|---|panic)|soak: |skipped:' || true
# A wake word of one's own, learnt and judged in five folds over people's recordings: 2 minutes for each of two words.
SOLO_SOAK=1 "$go" test -v -count=1 -timeout 1h -run '^TestPeople$' ./audio/wake/own/train 2>&1 |
  sed -E 's/^( *[a-zA-Z0-9_]+_test\.go:[0-9]+: )/\1soak: /' | tee -a "$log" | grep -E '^(ok|FAIL|---|panic)|soak: |skipped:' || true
SOLO_SOAK=1 "$go" test -v -count=1 -timeout 1h -run 'Soak|Hardened' ./tests/packages 2>&1 | tee -a "$log" | grep -E '^(ok|FAIL|---|panic)|soak: |skipped:' || true
grep -qE '^(FAIL|panic)' "$log" && failed=1
[ -d ../shared/data ] || { echo "skipped: no ../shared/data"; failed=1; }

{
  echo "# Soak: the long proofs"
  echo
  echo "Written by \`make soak\` on $(date -u +%Y-%m-%d), commit $(git rev-parse --short HEAD), $("$go" env GOVERSION), $(nproc) cores ($(sed -nE 's/^model name\s*: //p' /proc/cpuinfo | head -1)), in $(( ($(date +%s) - began + 59) / 60 )) minutes."
  echo
  [ "$failed" = 0 ] && echo "All passed." || echo "**Some failed.**"
  echo
  echo '```'
  grep -hE '^--- (PASS|FAIL|SKIP): Test|soak: ' "$log" | grep -vE 'was heard as|did not wake|word ends' | sed -E 's/^ *[a-zA-Z0-9_]+\.go:[0-9]+: //; s/^ +//'
  echo '```'
} >docs/soak.md
exit "$failed"
