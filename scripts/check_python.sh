#!/usr/bin/env bash
# check_python.sh PYTHON
# Says what to do where PYTHON is too old for timelens.
set -euo pipefail

"$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' && exit 0
cat >&2 <<MESSAGE
timelens needs Python 3.11 or newer; $1 is $("$1" --version 2>&1).
Debian 12, Ubuntu 24.04 and later have it. On Ubuntu 22.04: sudo apt-get install python3.11 python3.11-venv
Then run the same command again; another Python is named with PYTHON=/path/to/python.
MESSAGE
exit 1
