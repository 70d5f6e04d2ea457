#!/bin/sh
# debian_packages.sh WHY PACKAGE...
# Installs packages when this is root on a Debian system; otherwise names what is missing, and why it is needed, in one line.
why="$1"
shift
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
echo "$why: apt-get install$missing"
exit 0
