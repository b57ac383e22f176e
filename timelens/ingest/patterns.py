"""Patterns in the manner of gitignore, in options and in ignore files. The only place that knows pathspec."""

import codecs
import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from warnings import catch_warnings

from timelens.errors import BadInputError

IGNORE_FILES = (".gitignore", ".timelensignore")
"""Of two in one folder the later one has the last word."""
_LARGEST_IGNORE_FILE = 1 << 20
_FOLDER_MARK = "ps_d"
"""The group of pathspec's expressions that matches the slash after what a pattern names."""

_FOLDERS_BELOW = re.compile(r"/\*\*/\s*\Z")
"""The end of a pattern that is not that of the folder itself; pathspec takes it for that, too."""
_STAR, _FOLDERS, _FIRST_FOLDERS = "[^/]*", "(?:/.+)?", "^(?:.+/)?"
"""What pathspec makes of a star in a name, and of two of them within and at the beginning of a pattern."""


class Patterns:
    """A list of patterns, of which the last one that matches counts."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Compile them; a line that is not a pattern matches nothing, as in git."""
        from pathspec.patterns.gitignore.base import GitIgnorePatternError
        from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

        self._patterns: list[tuple[re.Pattern[str], bool]] = []
        for line in lines:
            with suppress(GitIgnorePatternError, re.error), catch_warnings(action="ignore"):
                regex, matches = GitIgnoreSpecPattern.pattern_to_regex(_FOLDERS_BELOW.sub("/**/*/", line))
                if regex is not None:
                    self._patterns.insert(0, (re.compile(_direct(regex), re.DOTALL), bool(matches)))

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def match(self, path: str) -> bool | None:
        """Whether a path is matched, with a slash at its end if it is a folder's; ``None`` if none says.

        A pattern that matches a folder above it says nothing of it.
        """
        for regex, matches in self._patterns:
            for found in regex.finditer(path):
                mark = found.end(_FOLDER_MARK) if _FOLDER_MARK in regex.groupindex else -1
                # without a mark it may be the inside of a folder that is matched ("sub/**")
                if mark == len(path) or (
                    mark == -1 and not (path.endswith("/") and found.end() == len(path))
                ):
                    return matches
        return None

    def admit(self, path: str) -> bool:
        """Whether a file, or the nearest folder above it of which a pattern says anything, is matched."""
        while path:
            verdict = self.match(path)
            if verdict is not None:
                return verdict
            above = path.rstrip("/").rpartition("/")[0]
            path = f"{above}/" if above else ""
        return False


def _direct(regex: str) -> str:
    """An expression of pathspec that goes back over a path once, and not once for each star.

    What follows a star, up to the next one, is of one length: where it first fits is as good as any place.
    """
    *parts, last = regex.split(_FOLDERS)
    direct = []
    for part in parts:
        if part.startswith(_FIRST_FOLDERS):
            direct.append(f"^(?>(?:.+?/)??{_in_names(part.removeprefix(_FIRST_FOLDERS))}(?=/))")
        elif part.startswith("^"):
            direct.append(f"{_in_names(part)}(?=/)")
        else:
            direct.append(f"(?>(?:/.+?)??{_in_names(part)}(?=/))")
    return "".join(direct) + (_FOLDERS if direct else "") + _in_names(last)


def _in_names(regex: str) -> str:
    """The same for stars within a name."""
    first, *others = regex.split(_STAR)
    shortest = [
        f"(?>[^/]*?{part})" if number < len(others) and "/" not in part.replace("[^/]", "") else _STAR + part
        for number, part in enumerate(others, start=1)
    ]
    return "".join([first, *shortest])


@dataclass(frozen=True, slots=True)
class Selection:
    """Which files of the folders that are named are read."""

    include: tuple[str, ...] = ()
    """Patterns of which a file must match one, if there are any."""
    exclude: tuple[str, ...] = ()
    """Patterns of files and folders that are not read."""
    hidden: bool = False
    """Whether to read hidden files and folders, but for ``.git``, and copies and locks of programs."""
    ignore_files: bool = True
    """Whether ``.gitignore`` and ``.timelensignore`` are heeded."""

    def __post_init__(self) -> None:
        """Refuse what matches nothing.

        Raises:
            BadInputError: one of the patterns is none.
        """
        for pattern in (*self.include, *self.exclude):
            if not Patterns([pattern]):
                raise BadInputError(
                    f"{pattern!r} is not a pattern", "write one as in .gitignore: *.md, /drafts/"
                )
        if self.include and all(pattern.startswith("!") for pattern in self.include):
            raise BadInputError("--include has only exceptions", "leave them out with --exclude")

    def hides(self, name: str) -> bool:
        """Whether a name is that of a hidden file, or of a copy or lock that a program makes."""
        made = name.startswith("~$") or name.endswith("~") or (name.startswith("#") and name.endswith("#"))
        return not self.hidden and (made or name.startswith("."))


USUAL_FILES = Selection()
ALL_FILES = Selection(ignore_files=False)
"""Those that ignore files name, too."""


@dataclass(frozen=True, slots=True)
class _Level:
    """The patterns of one folder, and how a path below the root becomes one below that folder."""

    patterns: Patterns
    before: str = ""
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Ignoring:
    """What the ignore files of a folder and those above it say, the nearest first."""

    levels: tuple[_Level, ...] = ()

    @classmethod
    def above(cls, root: Path) -> Self:
        """That of the folders above an ingested one, up to the root of its git repository.

        Raises:
            BadInputError: one of the files cannot be read.
        """
        inside = root.resolve()
        repository = next((one for one in (inside, *inside.parents) if os.path.lexists(one / ".git")), inside)
        found = cls()
        for folder in reversed(inside.parents):
            if folder.is_relative_to(repository):
                patterns = _read(folder)
                before = f"{inside.relative_to(folder).as_posix()}/"
                found = cls((_Level(patterns, before), *found.levels)) if patterns else found
        return found

    def entering(self, folder: Path, below: str) -> "Ignoring":
        """That of a folder below the root, whose path there ends with a slash, or is empty.

        Raises:
            BadInputError: one of its files cannot be read.
        """
        patterns = _read(folder)
        return Ignoring((_Level(patterns, cut=len(below)), *self.levels)) if patterns else self

    def ignores(self, path: str) -> bool:
        """Whether a path below the root is ignored; a folder's ends with a slash."""
        verdicts = (level.patterns.match(level.before + path[level.cut :]) for level in self.levels)
        return next((verdict for verdict in verdicts if verdict is not None), False)


def _read(folder: Path) -> Patterns:
    """The patterns of a folder. What is no regular file holds none; links are not followed, as in git.

    Raises:
        BadInputError: one of its files cannot be read.
    """
    lines: list[str] = []
    for name in IGNORE_FILES:
        file = folder / name
        try:
            size = file.lstat().st_size if stat.S_ISREG(file.lstat().st_mode) else 0
            raw = file.read_bytes() if 0 < size <= _LARGEST_IGNORE_FILE else b""
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadInputError(
                f"its {name} cannot be read: {error.strerror}",
                "check its permissions, or add --no-ignore-files",
            ) from error
        if size > _LARGEST_IGNORE_FILE:
            raise BadInputError(f"its {name} is larger than 1 MiB", "shorten it, or add --no-ignore-files")
        text = os.fsdecode(raw.removeprefix(codecs.BOM_UTF8))
        lines += [line.removesuffix("\r") for line in text.split("\n")]
    return Patterns(lines)
