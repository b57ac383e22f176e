"""Another process that holds a lock."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HOLD = "import sys, filelock\nwith filelock.FileLock(sys.argv[1]):\n print(flush=True)\n sys.stdin.read()"


@contextmanager
def held(lock: Path) -> Iterator[None]:
    """While another process holds a lock file."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        process.stdout.readline()
        yield
        process.communicate()
