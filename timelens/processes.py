"""Processes of this program that run beside it."""

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
    """What one document may cost to be read and dated."""

    cpu_seconds: float = 120
    """Of the processor."""
    seconds: float = 600
    """Of the clock, which a slow disk takes as well."""
    memory_mib: int = 4096
    """Beside what the process itself takes. Held on Linux; macOS does not limit it, Windows nothing."""


def own_command(module: str, function: str) -> list[str]:
    """The command that calls a function of this package in a new interpreter.

    The program's own main module is not run there, as the start of a process by ``multiprocessing`` would.
    """
    # -P: nothing is imported from the folder the program happens to stand in.
    return [sys.executable, "-P", "-c", f"from {module} import {function}; {function}()"]


def own_environment() -> dict[str, str]:
    """The environment of a process that imports what this one can."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), _PACKAGE_ROOT])}


def ending_signal(code: int) -> str:
    """The name of the signal that ended a process, from its exit code; empty if it ended by itself."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return _CRASHES_OF_WINDOWS.get(code & 0xFFFFFFFF, "")
