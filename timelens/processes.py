"""Starts further processes of this program, and returns freed memory of this one."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_PACKAGE_ROOT = str(Path(__file__).parents[1])
_MOST_FREE_AT_END, _LEAST_RETURNED = -1, -3
"""Parameters of ``mallopt``: M_TRIM_THRESHOLD and M_MMAP_THRESHOLD."""
_LARGE, _LARGEST_REUSED = 128 * 2**10, 32 * 2**20
"""Bytes of the least block that is returned: the first value and the greatest that GNU's library uses."""
_CRASHES_OF_WINDOWS = {
    0xC0000005: "SIGSEGV",
    0xC000001D: "SIGILL",
    0xC0000094: "SIGFPE",
    0xC00000FD: "SIGSEGV",
    0xC0000409: "SIGABRT",
}
"""Exit codes there, by the signal that other systems send in the same case."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for reading and dating one document."""

    cpu_seconds: float = 120
    """Processor time."""
    seconds: float = 600
    """Wall-clock time, which includes waiting for a slow disk."""
    memory_mib: int = 4096
    """Memory in addition to that of the process itself. Enforced on Linux; macOS has no such limit."""


def own_command(module: str, function: str) -> list[str]:
    """The command that calls a function of this package in a new interpreter.

    The main module of the calling program is not run there, unlike with ``multiprocessing``.
    """
    # -P: nothing is imported from the current folder.
    return [sys.executable, "-P", "-c", f"from {module} import {function}; {function}()"]


def own_environment() -> dict[str, str]:
    """The environment of a process with the same import path as this one."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), _PACKAGE_ROOT])}


def ending_signal(code: int) -> str:
    """The name of the signal that ended a process, from its exit code; empty if it ended by itself."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return _CRASHES_OF_WINDOWS.get(code & 0xFFFFFFFF, "")


def return_free_memory() -> None:
    """Return freed memory to the system, if the C library can (that of GNU).

    It keeps free memory between blocks in use, which after many large tables is most of the memory.
    """
    _call_allocator("malloc_trim", 0)


@contextmanager
def without_reuse_of_large_blocks() -> Iterator[None]:
    """Context in which each freed block of 128 KiB or more is returned to the system at once.

    The C library of GNU reuses larger blocks the longer a process runs, up to 32 MiB. That is faster, but
    where tables are merged, much of the memory then lies free between blocks of all sizes. Afterwards
    it reuses blocks up to 32 MiB.
    """
    _call_allocator("mallopt", _LEAST_RETURNED, _LARGE)
    try:
        yield
    finally:
        _call_allocator("mallopt", _LEAST_RETURNED, _LARGEST_REUSED)
        _call_allocator("mallopt", _MOST_FREE_AT_END, 2 * _LARGEST_REUSED)


def _call_allocator(function: str, *arguments: int) -> None:
    """Call a function of the allocator of the C library, if it has it."""
    if sys.platform == "linux":
        found = getattr(ctypes.CDLL(None), function, None)
        if found is not None:
            found(*arguments)
