#!/usr/bin/env bash
# Installs the version of PyTorch that constraints.txt names, in the build that fits this machine: the build for
# its GPU where there is one, and otherwise the CPU build, because the default build for Linux brings several GB
# of CUDA along. TORCH_BACKEND=auto|cpu|cu130|... overrules that, and is remembered.
#
# A build that pip finds is checked by its hash. PyTorch's own builds have no hashes in the index that the lock is
# made from: where they come by uv, they are those of the locked version, and the hashes of all else are checked.
# So are those of the default build; what it needs of CUDA is in no lock, and comes by the versions that it names.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=${VENV:-.venv}
record=$venv/stamps/torch # what is installed: "VERSION BACKEND"
log=$venv/torch-install.log
python=$venv/bin/python
version=$(sed -n 's/^torch==\([^ ]*\).*/\1/p' constraints.txt)
without_torch=$venv/stamps/without-torch.txt

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
    sed '/^torch==/,/[^\\]$/d' constraints.txt >"$without_torch"
    pip_install --require-hashes uv &&
        "$venv/bin/uv" --quiet pip install --python "$python" -c "$without_torch" \
            --torch-backend="$backend" --reinstall-package torch "torch==$version"
}

: >"$log"
if [ "$backend" = cpu ]; then
    echo "Installing PyTorch $version, CPU build (about 200 MB) …"
else
    echo "Installing PyTorch $version for the GPU, backend $backend (up to several GB) …"
fi
# Some machines are set up with a source of CPU builds: pip finds it there, and says at once where there is none.
if [ "$backend" = cpu ] && pip_install --require-hashes "torch==$version+cpu" >>"$log" 2>&1; then
    :
elif uv_install >>"$log" 2>&1; then
    echo "It is PyTorch's own build for this machine: its version was checked, its hash is in no lock."
else
    tail -n 5 "$log" >&2
    cat >&2 <<MESSAGE
PyTorch's own builds could not be had (all of it: $log). Installing the default build instead:
on Linux that is several GB. Ctrl-C stops it.
MESSAGE
    pip_install --no-require-hashes "torch==$version"
fi
echo "$version $backend" >"$record"
