"""What the rights of files are to a process that is root, too."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_OVERRIDING = (1 << 1) | (1 << 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of Linux."""
_VERSION_3 = 0x20080522


@contextmanager
def without_rights(path: Path, mode: int) -> Iterator[None]:
    """While a path has this mode, and this thread is bound by it even as root."""
    before = path.stat().st_mode
    path.chmod(mode)
    try:
        if os.access(path, os.R_OK | os.W_OK | os.X_OK):
            with _bound():
                yield
        else:
            yield
    finally:
        path.chmod(before)


@contextmanager
def _bound() -> Iterator[None]:
    """Without the capabilities that set rights aside; they are taken up again at the end."""
    if not sys.platform.startswith("linux"):
        pytest.skip("root cannot be bound by the rights of files on this system")
    libc = ctypes.CDLL(None)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)()
    if libc.capget(header, data):
        pytest.skip("this system tells no capabilities")
    effective = data[0]
    data[0] = effective & ~_OVERRIDING
    if libc.capset(header, data):
        pytest.skip("this system sets no capabilities")
    try:
        yield
    finally:
        data[0] = effective
        libc.capset(header, data)
