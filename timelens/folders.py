"""Where everything of a user lives, how small files there are written, and how a folder is held."""

import os
import tempfile
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import platformdirs


def home() -> Path:
    """The folder that everything lives under: ``$TIMELENS_HOME``, or the platform's data folder."""
    named = os.environ.get("TIMELENS_HOME")
    return Path(named).expanduser() if named else platformdirs.user_data_path("timelens", appauthor=False)


def hold(lock: Path, taken: Exception) -> AbstractContextManager[object]:
    """Hold a lock file for as long as the context is open that is given back.

    Raises:
        OSError: it cannot be made.
        taken: another process holds it.
    """
    from filelock import FileLock, Timeout

    try:
        return FileLock(lock).acquire(timeout=0)
    except Timeout as error:
        raise taken from error


def write_whole(path: Path, text: str) -> None:
    """Write a small file whole or not at all, also where several processes write it: the last one stays.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.", suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()
        raise
