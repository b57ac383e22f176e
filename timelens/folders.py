"""The home folder of timelens, paths given by users, small files, and lock files."""

import hashlib
import os
import re
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from timelens.errors import BadInputError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_LARGEST_LOG = 1 << 20
LONGEST_CORPUS_NAME = 100
ALL_CORPORA = "*"
"""Name that means all corpora."""
_CORPUS_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_CORPUS_NAME - 1}}}")


def home() -> Path:
    """The folder of all data of timelens: ``$TIMELENS_HOME``, or the platform's data folder.

    Raises:
        BadInputError: the variable is not a valid path.
    """
    named = os.environ.get("TIMELENS_HOME")
    if not named:
        import platformdirs

        return platformdirs.user_data_path("timelens", appauthor=False)
    try:
        return user_path(named)
    except BadInputError as error:
        raise BadInputError(f"TIMELENS_HOME: {error.message}", "set it to a folder, or unset it") from error


def require_corpus_name(name: str) -> None:
    """Refuse an invalid name of a corpus.

    Raises:
        BadInputError: the name is invalid.
    """
    if not _CORPUS_NAME.fullmatch(name):
        raise BadInputError(
            f"{name!r} cannot be the name of a corpus", "use letters, digits, dots, dashes and underscores"
        )


def user_path(name: str | Path) -> Path:
    """The path that a user gives, whether or not it exists; ``~`` is a home folder.

    Raises:
        BadInputError: no file or folder can have this path.
    """
    if _ADDRESS.match(str(name)):
        raise BadInputError(f"{name} is an address", "name a file or folder by its whole path")
    try:
        path = Path(name).expanduser()
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return path
    except OSError as error:  # such as for a name that is too long
        raise BadInputError(f"{name}: {error.strerror}", "name another file or folder") from error
    except (ValueError, RuntimeError) as error:  # such as for a null character, or an unknown ~user
        raise BadInputError(f"{name} is not the name of a file or folder: {error}", "name another") from error
    return path


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_private(folder: Path) -> None:
    """Make a folder, and those above it in the home, for this user alone.

    Raises:
        OSError: one cannot be made.
    """
    inside = [home(), *(above for above in folder.parents if home() in above.parents)]
    for each in sorted(inside if folder.is_relative_to(home()) else []):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def open_log(path: Path) -> int:
    """A file descriptor that appends to a log, which is private to the user and emptied when large.

    Raises:
        OSError: the log cannot be written.
    """
    make_private(path.parent)
    fresh = os.O_TRUNC if path.exists() and path.stat().st_size > _LARGEST_LOG else 0
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | fresh, 0o600)


def hold(lock: Path, taken: Exception) -> AbstractContextManager[object]:
    """Take a lock file; it is held until the returned context ends.

    Raises:
        OSError: the file cannot be made.
        taken: another process holds it.
    """
    from filelock import FileLock, Timeout

    try:
        return FileLock(lock).acquire(timeout=0)
    except Timeout as error:
        raise taken from error


def put_on_disk(path: Path) -> None:
    """Sync a file, or the names in a folder, to disk, so that they survive a loss of power.

    Errors of file systems that do not support this are ignored.
    """
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_atomically(path: Path, text: str) -> None:
    """Write a small file atomically and sync it to disk; if several processes write it, the last one wins.

    Raises:
        OSError: the file cannot be written.
    """
    import tempfile

    make_private(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.", suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        put_on_disk(Path(name))
        Path(name).replace(path)
        put_on_disk(path.parent)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
