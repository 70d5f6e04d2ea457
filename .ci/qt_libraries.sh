#!/bin/sh
# Installs the system libraries that Qt needs when this is root on a Debian system; otherwise names what is missing, in one line.
# The program runs without them: headless.
missing=""
if command -v dpkg-query >/dev/null 2>&1; then
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q "install ok installed" || missing="$missing $name"
    done
fi
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    if { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1; then
        exit 0
    fi
fi
echo "The live window needs these system libraries (runs are headless until then): apt-get install$missing"
exit 0
