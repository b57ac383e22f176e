"""A process that kills itself at a moment of its writing, whatever it writes with."""

import os
import signal
import sys
from pathlib import Path

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link"}


def kill_at(number: int, folder: Path) -> list[str]:
    """End this process just before the change of that number to what is in a folder.

    A change is a file opened to be written, renamed or removed, or a folder that is made. Returns the changes
    that were met; with number 0 it is all of them.
    """
    met: list[str] = []
    place, within = Path.cwd(), str(folder)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            flags = arguments[2]
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
        else:
            writes = event in _CHANGES
        if writes and isinstance(arguments[0], str | Path) and str(place / arguments[0]).startswith(within):
            met.append(f"{event} {arguments[0]}")
            if len(met) == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    return met
