"""Files and folders dropped into the terminal, which pastes their paths; and a corpus name for them."""

import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from timelens import MissingError
from timelens.folders import LONGEST_CORPUS_NAME, user_path

_LONGEST = 16_384
"""Maximum number of characters of a pasted text that may be paths."""
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def paths_in(text: str) -> tuple[Path, ...]:
    """The files and folders that a pasted text names; empty unless the whole text consists of paths.

    Paths must be absolute (``/…``, ``~/…``, ``file:///…``) and exist. They may be quoted, have escaped
    blanks, or be written as they are.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > _LONGEST:
        return ()
    whole = _path(stripped)
    if whole is not None:
        return (whole,)
    for names in (_split(stripped), stripped.splitlines()):
        paths = [_path(name.strip()) for name in names]
        if paths and None not in paths:
            return tuple(path for path in paths if path is not None)
    return ()


def typed_paths(text: str) -> tuple[Path, ...]:
    """The files and folders that the user typed, relative to the current folder, with or without quotes.

    Raises:
        MissingError: a path does not exist.
        BadInputError: a part cannot be a file name.
    """
    for names in ([text.strip()], _split(text)):
        paths = tuple(user_path(name) for name in names)
        if paths and all(path.exists() for path in paths):
            return paths
    missing = next((path for path in paths if not path.exists()), user_path(text))
    raise MissingError(f"there is no file or folder {missing}", "check the path, or choose one: /ingest")


def _split(text: str) -> list[str]:
    """Split text like a shell; empty if a quotation mark is unbalanced."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _path(name: str) -> Path | None:
    """The path of a name, if it is absolute and exists."""
    if name.startswith("file://"):
        try:
            name = unquote(urlsplit(name).path)
        except ValueError:
            return None
    if not name.startswith(("/", "~/")) or "\0" in name:
        return None
    try:
        path = Path(name).expanduser()
        return path if path.exists() else None
    except (OSError, RuntimeError):  # too long, or no home folder
        return None


def name_for(paths: Iterable[Path]) -> str:
    """A name for a corpus of some files and folders: that of the first path, without its suffix."""
    path = next(iter(paths), Path()).absolute()
    called = path.name if path.is_dir() else path.stem
    name = _NO_NAME.sub("-", called).strip("-._")[:LONGEST_CORPUS_NAME]
    return name or "documents"
