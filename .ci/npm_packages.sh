#!/bin/sh
# npm_packages.sh WHY FOLDER PACKAGE@VERSION...
# Puts packages of npm into FOLDER, for tests, by npm or without it; where the registry is not reached, says in one line what they are for.
why="$1"
folder="$2"
shift 2
if command -v npm >/dev/null 2>&1 && npm install --silent --no-audit --no-fund --no-save --prefix "$folder" "$@" >/dev/null 2>&1; then
    exit 0
fi
if "${PYTHON:-python3}" "$(dirname "$0")/npm_unpack.py" "$folder" "$@"; then
    exit 0
fi
echo "$why: npm install --prefix $folder $*"
exit 0
