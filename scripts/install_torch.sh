#!/usr/bin/env bash
# Installs the version of PyTorch that constraints.txt names, in the build that fits this machine: the build for
# its GPU where there is one, and otherwise the CPU build, because the default build for Linux brings several GB
# of CUDA along. TORCH_BACKEND=auto|cpu|cu130|... overrules that, and is remembered.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=${VENV:-.venv}
record=$venv/stamps/torch # what is installed: "VERSION BACKEND"
log=$venv/torch-install.log
python=$venv/bin/python
version=$(sed -n 's/^torch==//p' constraints.txt)

had_version='' had_backend=''
[ ! -e "$record" ] || read -r had_version had_backend <"$record"
backend=${TORCH_BACKEND:-$had_backend}
if [ -z "$backend" ]; then
    if nvidia-smi -L >/dev/null 2>&1; then backend=auto; else backend=cpu; fi
fi
[ "$version $backend" != "$had_version $had_backend" ] || exit 0

pip_install() { "$python" -m pip -qq --disable-pip-version-check install -c constraints.txt "$@"; }
# uv knows by itself where PyTorch keeps the build for each backend.
uv_install() {
    "$python" -m pip -qq --disable-pip-version-check install uv &&
        "$venv/bin/uv" --quiet pip install --python "$python" -c constraints.txt \
            --torch-backend="$backend" --reinstall-package torch "torch==$version"
}

: >"$log"
if [ "$backend" = cpu ]; then
    echo "Installing PyTorch $version, CPU build (about 200 MB) …"
else
    echo "Installing PyTorch $version for the GPU, backend $backend (up to several GB) …"
fi
# Some machines are set up with a source of CPU builds: pip finds it there, and says at once where there is none.
if [ "$backend" = cpu ] && pip_install "torch==$version+cpu" >>"$log" 2>&1; then
    :
elif uv_install >>"$log" 2>&1; then
    :
else
    tail -n 5 "$log" >&2
    cat >&2 <<MESSAGE
PyTorch's own builds could not be had (all of it: $log). Installing the default build instead:
on Linux that is several GB. Ctrl-C stops it.
MESSAGE
    pip_install "torch==$version"
fi
echo "$version $backend" >"$record"
