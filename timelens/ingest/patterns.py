"""Patterns of gitignore syntax, in options and in ignore files. The only module that uses pathspec."""

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
"""Names of ignore files; if a folder has both, the later one overrides."""
_LARGEST_IGNORE_FILE = 1 << 20
_FOLDER_MARK = "ps_d"
"""Group of pathspec's expressions that matches the slash after the named folder."""

_FOLDERS_BELOW = re.compile(r"/\*\*/\s*\Z")
"""End of a pattern for the content of a folder; pathspec would match the folder itself, too."""
_STAR, _FOLDERS, _FIRST_FOLDERS = "[^/]*", "(?:/.+)?", "^(?:.+/)?"
"""Pathspec's translations of ``*``, of ``**`` inside a pattern, and of ``**`` at its beginning."""


class Patterns:
    """A list of patterns; the last matching one decides."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Compile the patterns; an invalid line matches nothing, as in git."""
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
        """Whether a path is matched; ``None`` if no pattern applies. Paths of folders end with a slash.

        A pattern that matches a folder above the path does not apply to the path.
        """
        for regex, matches in self._patterns:
            for found in regex.finditer(path):
                mark = found.end(_FOLDER_MARK) if _FOLDER_MARK in regex.groupindex else -1
                # without the group, the pattern may match the content of a folder ("sub/**")
                if mark == len(path) or (
                    mark == -1 and not (path.endswith("/") and found.end() == len(path))
                ):
                    return matches
        return None

    def admit(self, path: str) -> bool:
        """Whether a file is matched, or else the nearest folder above it to which a pattern applies."""
        while path:
            verdict = self.match(path)
            if verdict is not None:
                return verdict
            above = path.rstrip("/").rpartition("/")[0]
            path = f"{above}/" if above else ""
        return False


def _direct(regex: str) -> str:
    """An expression of pathspec, rewritten so that it backtracks over a path once, not once for each star.

    The text between two stars has a fixed length, so its first match is as good as any other.
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
    """The same rewriting for stars within a name."""
    first, *others = regex.split(_STAR)
    shortest = [
        f"(?>[^/]*?{part})" if number < len(others) and "/" not in part.replace("[^/]", "") else _STAR + part
        for number, part in enumerate(others, start=1)
    ]
    return "".join([first, *shortest])


@dataclass(frozen=True, slots=True)
class Selection:
    """Selection of the files to read in the given folders."""

    include: tuple[str, ...] = ()
    """If not empty, a file must match one of these patterns."""
    exclude: tuple[str, ...] = ()
    """Patterns of files and folders to skip."""
    hidden: bool = False
    """Whether to read hidden files and folders (except ``.git``), and backup and lock files of programs."""
    ignore_files: bool = True
    """Whether ``.gitignore`` and ``.timelensignore`` are applied."""

    def __post_init__(self) -> None:
        """Refuse invalid patterns, and ``include`` with nothing but exceptions.

        Raises:
            BadInputError: a pattern is invalid, or all patterns of ``include`` are exceptions.
        """
        for pattern in (*self.include, *self.exclude):
            if not Patterns([pattern]):
                raise BadInputError(
                    f"{pattern!r} is not a pattern", "write one as in .gitignore: *.md, /drafts/"
                )
        if self.include and all(pattern.startswith("!") for pattern in self.include):
            raise BadInputError("--include has only exceptions", "leave them out with --exclude")

    def hides(self, name: str) -> bool:
        """Whether a file is skipped because it is hidden, or a backup or lock file of a program."""
        made = name.startswith("~$") or name.endswith("~") or (name.startswith("#") and name.endswith("#"))
        return not self.hidden and (made or name.startswith("."))


USUAL_FILES = Selection()
ALL_FILES = Selection(ignore_files=False)
"""Also files that ignore files exclude."""


@dataclass(frozen=True, slots=True)
class _Level:
    """The patterns of one folder, and the conversion of paths below the root to paths below that folder."""

    patterns: Patterns
    before: str = ""
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The ignore files that apply in a folder, nearest first."""

    levels: tuple[_Level, ...] = ()

    @classmethod
    def above(cls, root: Path) -> Self:
        """The ignore files of the folders above an ingested one, up to the root of its git repository.

        Raises:
            BadInputError: an ignore file cannot be read.
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
        """The ignore files that apply in ``folder``; ``below`` is its path below the root, "" or with "/".

        Raises:
            BadInputError: an ignore file cannot be read.
        """
        patterns = _read(folder)
        return Ignoring((_Level(patterns, cut=len(below)), *self.levels)) if patterns else self

    def ignores(self, path: str) -> bool:
        """Whether a path below the root is ignored; the path of a folder ends with a slash."""
        verdicts = (level.patterns.match(level.before + path[level.cut :]) for level in self.levels)
        return next((verdict for verdict in verdicts if verdict is not None), False)


def _read(folder: Path) -> Patterns:
    """The patterns in the ignore files of a folder. Only regular files are read, no links, as in git.

    Raises:
        BadInputError: an ignore file cannot be read.
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
