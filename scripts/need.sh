#!/usr/bin/env bash
# need.sh CHECK PACKAGE [CHECK PACKAGE ...]
# Makes sure that every CHECK (a shell command) succeeds. Where one fails, the Debian package that mends it is
# installed by root, and named to anyone else. Where all succeed, no package manager is called.
set -euo pipefail

missing=()
while [ $# -gt 0 ]; do
    bash -c "$1" >/dev/null 2>&1 || missing+=("$2")
    shift 2
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "Installing with apt-get: ${missing[*]} …"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
    echo "Missing: ${missing[*]}. On Debian or Ubuntu: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
