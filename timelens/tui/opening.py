"""Opening a document's file in the user's own program, at a line. Builds the command, starts nothing."""

import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from shutil import which

from timelens import BadInputError, Chunk, MissingError
from timelens.printable import printable_line

_PLUS_LINE = frozenset(
    "vi vim nvim view vimdiff gvim nano pico emacs emacsclient kak micro joe jed mg ne less more most".split()
)
"""Programs that open at a line with ``+LINE FILE``."""
_GOTO = frozenset("code code-insiders codium cursor windsurf".split())
"""Programs that open at a line with ``-g FILE:LINE``."""
_COLON = frozenset("hx helix subl zed".split())
"""Programs that open at a line with ``FILE:LINE``."""
_PAGERS = ("less", "more")
_OPENERS = {"darwin": "open", "win32": "explorer"}
"""What opens a file in its own program, by system; elsewhere it is xdg-open, on a desktop."""
_LARGEST_SEARCHED = 64 * 2**20
_LOOKED_AT = 8192
_WORDS_SEARCHED = 12
_ROW = re.compile(r"row (\d+)")
_ROWS_OF_LINES = frozenset({".csv", ".tsv"})


@dataclass(frozen=True, slots=True)
class Opening:
    """A command to run: a program with its arguments, not interpreted by a shell."""

    command: tuple[str, ...]
    waits: bool
    """Whether it uses the terminal until it ends."""


def file_of(uri: str) -> Path:
    """The file that a document was read from.

    Raises:
        BadInputError: it is a member of an archive, or did not come from a file.
        MissingError: the file does not exist any more.
    """
    from timelens.ingest.archives import ARCHIVES

    path = Path(uri)
    if not path.is_absolute() or "\0" in uri:
        raise BadInputError(f"there is no file to open: it came from {printable_line(uri)}", "read it here")
    if path.suffix.lower() in ARCHIVES:
        raise BadInputError(
            f"the file is in an archive: {printable_line(uri)}", "unpack the archive to open the file"
        )
    try:
        is_file = path.is_file()
    except OSError as error:
        raise BadInputError(f"{printable_line(uri)}: {error.strerror}", "read it here") from error
    if not is_file:
        raise MissingError(
            f"the file is gone: {printable_line(uri)}", "read it here, as it was when it was ingested"
        )
    return path


def opening(path: Path, chunk: Chunk | None, offset: int, environment: Mapping[str, str]) -> Opening:
    """The command that opens a file at a citation.

    A text file opens in ``$VISUAL`` or ``$EDITOR``, else in ``$PAGER`` or less; any other file opens in the
    desktop's program for it.

    Args:
        path: the file.
        chunk: the stored chunk; ``None`` opens the file at its beginning.
        offset: start of the cited sentence in the text of the chunk.
        environment: the environment variables of the process.

    Raises:
        BadInputError: there is no program for it.
        OSError: the file cannot be read.
    """
    if not is_text(path):
        return _on_desktop(path, environment)
    line = line_of(path, chunk, offset) if chunk is not None else None
    for name in ("VISUAL", "EDITOR", "PAGER"):
        words = _words(environment.get(name, ""))
        if words:
            return Opening(at_line(words, path, line), waits=True)
    pager = next(filter(None, map(which, _PAGERS)), None)
    if pager is None:
        raise BadInputError(f"there is no program to open {path}", "set $EDITOR or $PAGER")
    return Opening(at_line([pager], path, line), waits=True)


def at_line(words: list[str], path: Path, line: int | None) -> tuple[str, ...]:
    """The command that opens a file with a program, at a line if the program's syntax for lines is known."""
    name, file = PurePath(words[0]).stem.lower(), str(path)
    if line is None:
        return (*words, file)
    if name in _PLUS_LINE:
        return (*words, f"+{line}", file)
    if name in _GOTO:
        return (*words, "-g", f"{file}:{line}")
    return (*words, f"{file}:{line}") if name in _COLON else (*words, file)


def is_text(path: Path) -> bool:
    """Whether a file looks like text.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        start = file.read(_LOOKED_AT)
    return b"\0" not in start and not start.startswith((b"%PDF", b"PK\x03\x04", b"PAR1"))


def line_of(path: Path, chunk: Chunk, offset: int) -> int | None:
    """The line in a text file, from 1, where the citation begins; ``None`` if it is not found.

    Raises:
        OSError: the file cannot be read.
    """
    if chunk.fact is not None and path.suffix.lower() in _ROWS_OF_LINES:
        row = _ROW.fullmatch(chunk.place(0))
        return int(row[1]) if row else None
    if path.stat().st_size > _LARGEST_SEARCHED:
        return None
    text = path.read_text(encoding="utf-8", errors="replace")
    words = chunk.text[offset : offset + 1000].split()[:_WORDS_SEARCHED]
    if not words:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return None if found is None else text.count("\n", 0, found.start()) + 1


def _words(command: str) -> list[str]:
    """The words of a command that the user has set.

    Raises:
        BadInputError: a quotation mark is unbalanced.
    """
    try:
        return shlex.split(command)
    except ValueError as error:
        raise BadInputError(
            f"{command!r} is not a command: {error}", "correct $VISUAL, $EDITOR or $PAGER"
        ) from error


def _on_desktop(path: Path, environment: Mapping[str, str]) -> Opening:
    shown = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    opener = _OPENERS.get(sys.platform, "xdg-open" if shown else "")
    program = which(opener) if opener else None
    if program is None:
        raise BadInputError(
            f"it is not a text file: {printable_line(str(path))}", "open it in its own program"
        )
    return Opening((program, str(path)), waits=False)
