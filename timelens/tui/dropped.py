"""Files and folders that are dropped into the terminal, which pastes their paths; and what to call them."""

import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from timelens import MissingError
from timelens.folders import LONGEST_CORPUS_NAME, user_path

_LONGEST = 16_384
"""Characters of a pasted text that may be paths."""
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def paths_in(text: str) -> tuple[Path, ...]:
    """The files and folders that a pasted text names, if all of it does; otherwise none.

    They are whole paths (``/…``, ``~/…``, ``file:///…``) of what is there: in quotation marks, with
    backslashes before blanks, or as they are.
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
    """The files and folders that somebody typed, from the present folder on, in quotation marks or not.

    Raises:
        MissingError: something of it is not there.
        BadInputError: something of it cannot be the name of a file.
    """
    for names in ([text.strip()], _split(text)):
        paths = tuple(user_path(name) for name in names)
        if paths and all(path.exists() for path in paths):
            return paths
    missing = next((path for path in paths if not path.exists()), user_path(text))
    raise MissingError(f"there is no file or folder {missing}", "check the path, or choose one: /ingest")


def _split(text: str) -> list[str]:
    """The words of a shell's command; none where a quotation mark has no other."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _path(name: str) -> Path | None:
    """What a name stands for, if it is a whole path and something is there."""
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
    except (OSError, RuntimeError):  # too long, or without a home
        return None


def name_for(paths: Iterable[Path]) -> str:
    """What to call a corpus of some files and folders: as the first one, without its suffix."""
    path = next(iter(paths), Path()).absolute()
    called = path.name if path.is_dir() else path.stem
    name = _NO_NAME.sub("-", called).strip("-._")[:LONGEST_CORPUS_NAME]
    return name or "documents"
