"""Starts further processes of this program, and returns freed memory of this one."""

import ctypes
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

_PACKAGE_ROOT = str(Path(__file__).parents[1])
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
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
