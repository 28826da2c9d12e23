#!/usr/bin/env bash
# setup.sh run|test|soak: installs the system packages that are missing, and says which.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-run}

# One line a package: what it is for is in docs/dependencies.md.
run="gcc libc6-dev pkg-config libpocketsphinx-dev pocketsphinx-en-us libspeexdsp-dev flite espeak-ng libpulse0 libasound2 libasound2-plugins ca-certificates nodejs npm"
test="$run pulseaudio pulseaudio-utils ffmpeg pocketsphinx git xvfb xdotool x11-xkb-utils dbus-daemon chromium postgresql"
soak="$test g++ gcc-mingw-w64-x86-64 wine64 libfaketime dpkg-dev debootstrap curl systemd"
packages=${!what}

if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian-like system. Solo wants what these Debian packages hold, and goes on with what it finds:"
  echo "  $packages"
  exit 0
fi
# These are often there from elsewhere, under names of their own.
there() {
  case $1 in
    chromium) command -v chromium || command -v google-chrome || command -v chromium-browser ;;
    postgresql) command -v initdb || ls /usr/lib/postgresql/*/bin/initdb ;;
    nodejs) command -v node ;;
    npm) command -v npm ;;
    golang-go) command -v go || [ -x /usr/local/go/bin/go ] || [ -x .tools/go/bin/go ] ;;
    *) false ;;
  esac >/dev/null 2>&1
}
missing=()
for p in $packages golang-go; do
  there "$p" || dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0

sudo=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages, and no right to install them. As root: apt-get install ${missing[*]}"
    exit 0
  fi
  sudo=sudo
fi
echo "Installing with apt: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq || echo "The package lists could not be renewed; trying with those at hand."
known=()
for p in "${missing[@]}"; do # one that this system does not offer shall not keep the others away
  if apt-cache show "$p" >/dev/null 2>&1; then known+=("$p"); else echo "apt knows no $p; Solo goes on without it."; fi
done
[ ${#known[@]} -eq 0 ] && exit 0
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${known[@]}" >/dev/null || {
  echo "apt could not install all of them. Solo goes on with what it finds; 'solo doctor' tells what is missing."
}
