"""Write constraints.txt: the newest versions that fit together, of all that timelens and its tools need.

pip resolves them without installing anything. PyTorch stays at the version already named there, because it is
installed before the rest (see install_torch.sh): `scripts/lock.py VERSION` moves it to another.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
HEADER = "# Versions tested together, written by `make lock`; `pip install .` does without them.\n"
GPU_ONLY = ("cuda-", "nvidia-", "triton")


def torch_version() -> str:
    """Return the version of PyTorch to lock: the argument, or the one locked so far."""
    if len(sys.argv) > 1:
        return sys.argv[1]
    found = re.search(r"^torch==(.+)$", CONSTRAINTS.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise SystemExit("constraints.txt names no torch: scripts/lock.py VERSION")
    return found[1]


def resolve(torch: str) -> dict[str, str]:
    """Return name and version of every distribution that a full set-up with this PyTorch installs.

    Raises:
        subprocess.CalledProcessError: pip finds no versions that fit together.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "-qq", "--dry-run", "--ignore-installed"]
        command += ["--report", str(report), "--group", "dev", ".[llama]", f"torch=={torch}"]
        subprocess.run(command, cwd=ROOT, check=True)
        items = json.loads(report.read_text(encoding="utf-8"))["install"]
    metadata = [item["metadata"] for item in items]
    return {re.sub(r"[-_.]+", "-", entry["name"]).lower(): entry["version"] for entry in metadata}


def main() -> None:
    """Write the file, resolved with the CPU build of PyTorch where pip finds one, else with the default."""
    torch = torch_version()
    try:
        versions = resolve(f"{torch}+cpu")
    except subprocess.CalledProcessError:
        versions = resolve(torch)
    versions["torch"] = torch  # which build of it is decided where it is installed
    del versions["timelens"]
    names = sorted(name for name in versions if not name.startswith(GPU_ONLY))
    pins = [f"{name}=={versions[name]}\n" for name in names]
    CONSTRAINTS.write_text(HEADER + "".join(pins), encoding="utf-8")


main()
