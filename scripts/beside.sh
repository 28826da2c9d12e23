#!/usr/bin/env bash
# beside.sh FOLDER: puts together what lies beside the program in an archive: the libraries of pocketsphinx and
# speexdsp, which few systems have, the English model, and the licences of all that is compiled in.
set -euo pipefail
cd "$(dirname "$0")/.."
into=${1:?a folder}
go=$(scripts/go.sh)
model=/usr/share/pocketsphinx/model/en-us
[ -d "$model" ] || { echo "beside.sh: the English model is missing (Debian: apt-get install pocketsphinx-en-us)" >&2; exit 1; }
rm -rf "$into"
mkdir -p "$into/lib" "$into/model" "$into/licences"
cp -rL "$model" "$into/model/"
# The libraries, and those that they need, but for what every Linux has.
for lib in libpocketsphinx.so.3 libsphinxbase.so.3 libspeexdsp.so.1; do
  path=$(ldconfig -p | awk -v lib="$lib" '$1 == lib && /x86-64/ && !path {path = $NF} END {print path}')
  [ -n "$path" ] || { echo "beside.sh: $lib is missing (Debian: apt-get install libpocketsphinx-dev libspeexdsp-dev)" >&2; exit 1; }
  echo "$path"
  ldd "$path" | awk '$2 == "=>" {print $3}' | grep -vE '/(libc|libm|libdl|libpthread|librt)\.so'
done | sort -u >"$into/needed"
while read -r path; do
  cp -L "$path" "$into/lib/$(basename "$path")"
  package=$(dpkg-query -S "$(basename "$path")" 2>/dev/null | head -1 | cut -d: -f1 || true)
  [ -r "/usr/share/doc/$package/copyright" ] && cp "/usr/share/doc/$package/copyright" "$into/licences/$package.txt" || true
done <"$into/needed"
rm "$into/needed"
cp /usr/share/doc/pocketsphinx-en-us/copyright "$into/licences/pocketsphinx-en-us.txt"
"$go" run ./scripts/bill -licences "$into/licences" ./cmd/solo
