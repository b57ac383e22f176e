"""The memory of this process."""

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
