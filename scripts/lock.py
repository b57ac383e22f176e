"""Write constraints.txt: one version of everything timelens and its tools need, with the hashes of all files.

`scripts/lock.py` locks what is new in pyproject.toml and keeps the other versions;
`scripts/lock.py --upgrade` takes the newest compatible versions. PyTorch stays at its locked version, because
it is installed before the rest (see install_torch.sh): `scripts/lock.py --torch VERSION` changes it.

uv resolves for every platform and every supported Python, and takes the hashes of all files of a release from
the index. PyTorch's CPU builds are not in the index: the one that pip finds for this machine is added.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
HEADER = "# Versions tested together, written by `make lock`; `pip install .` does without them.\n"
GPU_ONLY = ("cuda-", "nvidia-", "triton")
"""Which of these is needed depends on the build of PyTorch."""
ENTRY = re.compile(r"^([a-z0-9-]+)==([^\s;\\]+)((?:[^\\\n]|\\\n)*)$", re.MULTILINE)
HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")

Locked = dict[str, tuple[str, list[str]]]
"""Version and hashes of distributions by name."""


def read(text: str) -> Locked:
    """Return the entries of a requirements file, without their platform markers."""
    found: Locked = {}
    for name, version, rest in ENTRY.findall(text):
        if name in found:
            raise SystemExit(f"{name} would be locked at two versions, {found[name][0]} and {version}")
        found[name] = (version, HASH.findall(rest))
    return found


def resolve(torch: str, *, upgrade: bool) -> Locked:
    """Return everything a full set-up needs on any platform, with the hashes of the index.

    Raises:
        subprocess.CalledProcessError: uv finds no compatible versions.
    """
    with tempfile.TemporaryDirectory() as folder:
        lock, only = Path(folder) / "lock.txt", Path(folder) / "only.txt"
        shutil.copy(CONSTRAINTS, lock)
        only.write_text(f"torch=={torch}\n", encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "uv",
            "pip",
            "compile",
            "--quiet",
            "--universal",
            "--generate-hashes",
        ]
        command += ["--python-version", "3.11", "--fork-strategy", "fewest", "--strip-extras"]
        command += ["--no-annotate", "--no-header", "--constraint", str(only), "--output-file", str(lock)]
        command += ["--all-extras", "--group", "dev", "--group", "docs", "--group", "setup", "pyproject.toml"]
        subprocess.run(command + ["--upgrade"] * upgrade, cwd=ROOT, check=True)
        return read(lock.read_text(encoding="utf-8"))


def cpu_build(torch: str) -> list[str]:
    """Return the hash of the CPU build of PyTorch that pip finds for this machine, if any."""
    command = [sys.executable, "-m", "pip", "install", "-qq", "--dry-run", "--ignore-installed", "--no-deps"]
    done = subprocess.run(
        [*command, "--report", "-", f"torch=={torch}+cpu"], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        print(f"pip finds no CPU build of torch {torch} here; those locked before stay", file=sys.stderr)
        return []
    [item] = json.loads(done.stdout)["install"]
    return [f"sha256:{item['download_info']['archive_info']['hashes']['sha256']}"]


def lines(name: str, version: str, hashes: Iterable[str]) -> str:
    """Return an entry in pip's format."""
    return " \\\n    ".join([f"{name}=={version}", *(f"--hash={one}" for one in sorted(set(hashes)))]) + "\n"


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit together")
    parser.add_argument("--torch", metavar="VERSION", help="lock this version of PyTorch")
    options = parser.parse_args()
    before = read(CONSTRAINTS.read_text(encoding="utf-8"))
    had, known = before.get("torch", ("", []))
    if not (options.torch or had):
        raise SystemExit("constraints.txt names no torch: scripts/lock.py --torch VERSION")
    torch = options.torch or had
    locked = resolve(torch, upgrade=options.upgrade)
    locked["torch"][1].extend(cpu_build(torch) + known * (torch == had))
    entries = [lines(name, *locked[name]) for name in sorted(locked) if not name.startswith(GPU_ONLY)]
    CONSTRAINTS.write_text(HEADER + "".join(entries), encoding="utf-8")


main()
