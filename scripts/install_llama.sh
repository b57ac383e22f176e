#!/usr/bin/env bash
# install_llama.sh [--background]
# Installs llama-cpp-python, which is compiled on the spot: about 5 minutes on two cores. With --background the
# build goes on at low priority while the caller continues: timelens answers without a language model too.
#   CMAKE_ARGS   other options for the build, such as -DGGML_CUDA=on; remembered
#   LLAMA_INDEX  an index of prebuilt wheels (the project's own README names them); remembered
# The source, and all that it is built with, is checked by the hashes in constraints.txt. A wheel of LLAMA_INDEX is not:
# its version is that index's choice.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:-}
venv=${VENV:-.venv}
record=$venv/stamps/llama        # what is installed: "REQUIREMENT|CMAKE_ARGS|LLAMA_INDEX"
failed=$venv/stamps/llama-failed # the same, of a build that failed
log=$venv/llama-build.log
python=$venv/bin/python
plain='-DLLAVA_BUILD=OFF -DLLAMA_OPENSSL=OFF' # neither pictures nor downloads are used

had='' had_args='' had_index=''
[ ! -e "$record" ] || had=$(<"$record")
IFS='|' read -r _ had_args had_index <<<"$had"
export CMAKE_ARGS=${CMAKE_ARGS-${had_args:-$plain}}
index=${LLAMA_INDEX-$had_index}
want="$(sed -n 's/^\(llama-cpp-python==[^ ]*\).*/\1/p' constraints.txt)|$CMAKE_ARGS|$index"
[ "$want" != "$had" ] || exit 0

lock() { # one build at a time; the lock falls when this script and all that it started have ended
    exec 9>"$venv/llama-build.lock"
    "$python" -c "import fcntl; fcntl.flock(9, fcntl.LOCK_EX | $1)" 2>/dev/null
}

build() {
    local options=(install --disable-pip-version-check)
    if [ -n "$index" ]; then # its newest wheel, whichever version that is: another version would be compiled
        sed '/^llama-cpp-python==/,/[^\\]$/d' constraints.txt >"$venv/llama-constraints.txt"
        options+=(-c "$venv/llama-constraints.txt" --no-require-hashes --prefer-binary --extra-index-url "$index")
    else
        options+=(--require-hashes -c constraints.txt --build-constraint constraints.txt)
    fi
    # pip keeps what it built under name and version alone, whatever the options were.
    [ "$CMAKE_ARGS" = "$plain" ] || options+=(--no-cache-dir)
    if [ -n "$had" ]; then # the same version may be there, built otherwise
        "$python" -m pip "${options[@]}" --force-reinstall --no-deps llama-cpp-python || return
    fi
    "$python" -m pip "${options[@]}" llama-cpp-python || return
    "$python" -c 'import llama_cpp' # a wheel made for other machines may not load on this one
}

build_and_record() {
    rm -f "$failed"
    if build >"$log" 2>&1; then
        echo "$want" >"$record"
    else
        echo "$want" >"$failed"
        return 1
    fi
}

case $mode in
--background)
    if [ -e "$failed" ] && [ "$(<"$failed")" = "$want" ]; then
        echo "llama-cpp-python could not be built (see $log): answers come without a language model." >&2
        echo "'make setup' tries again and shows why." >&2
    else
        echo "llama-cpp-python is being built in the background (about 5 minutes; log: $log)."
        nohup nice -n 19 "$0" --as-background </dev/null >/dev/null 2>&1 &
    fi
    ;;
--as-background)
    lock fcntl.LOCK_NB && build_and_record
    ;;
*)
    if ! lock fcntl.LOCK_NB; then
        echo "Waiting for the build of llama-cpp-python that is under way (log: $log) …"
        lock 0
        [ ! -e "$record" ] || [ "$(<"$record")" != "$want" ] || exit 0
    fi
    echo "Building llama-cpp-python (5 minutes on two cores; log: $log) …"
    if ! build_and_record; then
        tail -n 30 "$log" >&2
        echo "llama-cpp-python could not be built; all of it is in $log." >&2
        exit 1
    fi
    ;;
esac
