#!/usr/bin/env bash
# sphinxwin.sh [FOLDER]: builds pocketsphinx for Windows with mingw, from Debian's sources (35 MB), and prints the folder
# for PKG_CONFIG_LIBDIR last. The folder is .tools/sphinx-windows in the checkout; nothing outside it changes, and no
# right of root is needed. Where it cannot, it says why, prints no folder, and still exits 0.
set -euo pipefail
cd "$(dirname "$0")/.."
into=${1:-$PWD/.tools/sphinx-windows}
mkdir -p "$into"
into=$(cd "$into" && pwd)
cc=x86_64-w64-mingw32-gcc ar=x86_64-w64-mingw32-ar

sorry() { echo "sphinxwin.sh: no pocketsphinx for Windows: $*"; exit 0; }

exec 9>"$into/.lock" && flock 9 2>/dev/null || true # two at once would tread on each other
if [ -f "$into/lib/pkgconfig/pocketsphinx.pc" ]; then
  echo "sphinxwin.sh: it is here already"
  echo "$into/lib/pkgconfig"; exit 0
fi
for tool in apt-get dpkg-source $cc $ar; do
  command -v $tool >/dev/null || sorry "$tool is missing (Debian: apt-get install dpkg-dev gcc-mingw-w64-x86-64)"
done
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keys ] || sorry "the package debian-archive-keyring is missing"
# The mirror is the one that this machine uses for Debian already.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -1 || true)
[ -n "$mirror" ] || sorry "apt has no source of Debian, or its lists were never fetched (apt-get update)"

echo "sphinxwin.sh: building pocketsphinx for Windows, into $into"
work=$(mktemp -d "$into/.get-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/lists/partial "$work"/cache/archives/partial "$work"/src "$work"/obj
: >"$work/status"
echo "deb-src [signed-by=$keys] $mirror bookworm main" >"$work/sources.list"
apt() { # with lists, cache and sources of its own
  apt-get -qq -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null \
    -o Dir::Etc::preferencesparts=/dev/null -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none \
    -o Acquire::Retries=2 -o Acquire::http::Timeout=20 "$@"
}
apt update >&2 || sorry "Debian's package lists could not be fetched"
(cd "$work/src" && apt source --download-only sphinxbase pocketsphinx >&2) || sorry "Debian's sources could not be fetched"
# apt has checked the sources against Debian's signed lists.
for dsc in "$work"/src/*.dsc; do (cd "$work/src" && dpkg-source --no-check -x "$dsc" >/dev/null) || sorry "$dsc could not be unpacked"; done
base=$(echo "$work"/src/sphinxbase-*/) sphinx=$(echo "$work"/src/pocketsphinx-*/)

# The settings that the sources bring for Windows are for Microsoft's compiler, which has 64-bit integers of its own.
cat "${base}include/win32/sphinx_config.h" - >"$work/sphinx_config.h" <<'C'
#define HAVE_LONG_LONG 1
#define SIZEOF_LONG_LONG 8
C
cat "${base}include/win32/config.h" - >"$work/config.h" <<'C'
#define HAVE_LONG_LONG 1
#define SIZEOF_LONG_LONG 8
C
compile() {
  $cc -O2 -w -DHAVE_CONFIG_H -DWIN32 -I"$work" -I"${base}include" -I"${base}src/libsphinxbase/fe" \
    -I"${sphinx}include" -I"${sphinx}src/libpocketsphinx" -c "$1" -o "$work/obj/$(basename "$(dirname "$1")")-$(basename "${1%.c}").o"
}
export -f compile; export cc work base sphinx
printf '%s\0' "${base}"src/libsphinxbase/*/*.c "${sphinx}"src/libpocketsphinx/*.c |
  xargs -0 -n 1 -P "$(nproc)" bash -c 'compile "$0"' || sorry "it does not compile"
rm -rf "$into/lib" "$into/include" "$into/doc"
mkdir -p "$into/lib/pkgconfig" "$into/include" "$into/doc"
$ar rcs "$into/lib/libpocketsphinx.a" "$work"/obj/*.o
cp -r "${base}include/sphinxbase" "$work/sphinx_config.h" "${sphinx}"include/*.h "$into/include/"
cp "${sphinx}LICENSE" "$into/doc/pocketsphinx" && cp "${base}LICENSE" "$into/doc/sphinxbase"
cat >"$work/pc" <<PC
Name: pocketsphinx
Description: pocketsphinx and sphinxbase for Windows
Version: 0.8
Cflags: -I$into/include -I$into/include/sphinxbase
Libs: -L$into/lib -lpocketsphinx -lm
PC
mv "$work/pc" "$into/lib/pkgconfig/pocketsphinx.pc"
echo "$into/lib/pkgconfig"
