"""Processes of this program that run beside it, and the memory of this one."""

import ctypes
import os
import sys
from dataclasses import dataclass
from pathlib import Path

_PACKAGE_ROOT = str(Path(__file__).parents[1])


@dataclass(frozen=True, slots=True)
class Budget:
    """What one document may cost to be read and dated."""

    cpu_seconds: float = 120
    """Of the processor."""
    seconds: float = 600
    """Of the clock, which a slow disk takes as well."""
    memory_mib: int = 4096
    """Beside what the process itself takes. Held on Linux; macOS does not limit it."""


def own_command(module: str, function: str) -> list[str]:
    """The command that calls a function of this package in a new interpreter.

    The program's own main module is not run there, as the start of a process by ``multiprocessing`` would.
    """
    # -P: nothing is imported from the folder the program happens to stand in.
    return [sys.executable, "-P", "-c", f"from {module} import {function}; {function}()"]


def own_environment() -> dict[str, str]:
    """The environment of a process that imports what this one can."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), _PACKAGE_ROOT])}


def return_free_memory() -> None:
    """Give the system the memory that has been freed, where the C library keeps it, as that of GNU does.

    It keeps what lies between pieces that are in use, which after many large tables is most of its memory.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
