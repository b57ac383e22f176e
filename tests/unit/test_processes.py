"""The memory of this process."""

import subprocess
import sys
from pathlib import Path

import pytest

from timelens.processes import return_free_memory

_PIECES, _SIZE = 50_000, 2_000


def resident() -> int:
    """Bytes of this process that are in memory, and of no file."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:"))


@pytest.mark.skipif(sys.platform != "linux", reason="the C library is that of GNU")
def test_freed_memory_below_what_is_in_use_goes_back() -> None:
    pieces = [bytes(_SIZE) for _ in range(_PIECES)]
    kept = [bytes(_SIZE)]
    before = resident()
    del pieces
    return_free_memory()
    assert before - resident() > _PIECES * _SIZE // 2
    assert kept


_FREED = """
from pathlib import Path
from timelens.processes import without_reuse_of_large_blocks

def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:"))

largest = b"x" * 20_000_000
del largest  # from now on, the C library would reuse blocks of this size
with without_reuse_of_large_blocks():
    blocks = [(b"x" * 1_000_000, bytes(2_000)) for _ in range(100)]
    before = resident()
    kept = [small for _, small in blocks]
    del blocks
    print(before - resident())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the C library is that of GNU")
def test_freed_large_blocks_between_those_in_use_go_back_at_once() -> None:
    freed = subprocess.run([sys.executable, "-c", _FREED], capture_output=True, text=True, check=True)
    assert int(freed.stdout) > 90_000_000
