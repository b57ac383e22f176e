"""Finds the files to read."""

import errno
import os
import re
import stat
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from timelens.errors import BadInputError, MissingError
from timelens.ingest.failures import Failure
from timelens.ingest.patterns import IGNORE_FILES, USUAL_FILES, Ignoring, Patterns, Selection
from timelens.printable import is_unicode

_AGAIN = "check its permissions and its disk, then ingest again"
_WILDCARD = re.compile(r"[*?\[]")
_SPECIAL = {
    stat.S_IFSOCK: "a socket",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""Kinds of files that are never opened, because reading may block or have effects."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read."""

    path: Path
    id: str
    """Its path below the ingested root, in POSIX form."""
    origin: str | None = None
    """Origin, if it was taken out of another file or from standard input."""
    is_named: bool = False
    """Whether it was given by itself, not found in a folder or in another file."""

    @property
    def uri(self) -> str:
        """Its origin, or its absolute path."""
        return self.origin or self.path.resolve().as_posix()

    def failure(self, error: str, hint: str, *, skipped: bool = False) -> Failure:
        """The failure if it is not read."""
        return Failure(self.id.encode(errors="replace").decode(), error, hint, skipped=skipped)


@dataclass(frozen=True, slots=True)
class Root:
    """A given file or folder, or the folder with which a given pattern (``docs/*.md``) begins."""

    name: str
    """The path or pattern as given."""
    path: Path
    pattern: Patterns | None = None
    """The pattern relative to the folder."""
    depth: int = 0
    """Number of levels below the folder at which files may match; 0 is any number."""

    @classmethod
    def named(cls, path: Path) -> Self:
        """The root for a given path or pattern.

        Raises:
            MissingError: nothing exists there.
            BadInputError: the path cannot be reached.
        """
        try:
            path.stat()
        except (FileNotFoundError, NotADirectoryError) as error:
            fixed = next((n for n, part in enumerate(path.parts) if _WILDCARD.search(part)), None)
            if fixed is None:
                raise MissingError(f"there is nothing at {path}", "check the path") from error
            cls.named(folder := Path(*path.parts[:fixed]))
            parts = path.parts[fixed:]
            return cls(
                str(path), folder, Patterns(["/" + "/".join(parts)]), 0 if "**" in parts else len(parts)
            )
        except OSError as error:
            raise BadInputError(
                f"{path} cannot be reached: {error.strerror}", "check its permissions"
            ) from error
        return cls(str(path), path)

    def holds(self, below: str) -> bool:
        """Whether a file, or a whole folder, at a path below the root is included."""
        return self.pattern is None or self.pattern.admit(below)

    def reaches(self, below: str) -> bool:
        """Whether a folder at a path below the root may contain included files."""
        return self.depth == 0 or below.count("/") < self.depth or self.holds(below)


@dataclass(frozen=True, slots=True)
class Listing:
    """Result of the search in the given files and folders."""

    roots: list[Root] = field(default_factory=list)
    sources: list[SourceFile] = field(default_factory=list)
    left_out: list[Failure] = field(default_factory=list)
    """Files that are not read, with the reason."""
    unlisted: list[Failure] = field(default_factory=list)
    """Places and files that could not be listed by name, so that their content is unknown."""
    empty: list[Path] = field(default_factory=list)
    """Folders without files."""
    folders: list[Path] = field(default_factory=list)
    """All folders that were searched."""
    excluded: Counter[str] = field(default_factory=Counter)
    """Number of excluded files and folders, by reason; a folder with all its content counts once."""
    unread: list[SourceFile] = field(default_factory=list)
    """Files known to be unchanged since they were read last."""
    changed: Collection[Path] | None = None
    """Paths of files that may have been changed, added or removed since; ``None`` means all."""

    def whole(self) -> list[SourceFile]:
        """The files to read, if everything could be listed.

        Raises:
            MissingError: a pattern of names matches nothing.
            BadInputError: a place could not be listed.
        """
        self.require_matches()
        for failure in self.unlisted:
            raise BadInputError(f"{failure.path}: {failure.error}", failure.hint)
        return self.sources

    def require_matches(self) -> None:
        """Make sure that each pattern of names matches something.

        Raises:
            MissingError: one matches nothing.
        """
        for root in self.roots:
            if root.pattern is not None and Path(root.name) in self.empty:
                raise MissingError(f"nothing matches {root.name}", "check the pattern")

    def narrowed(self, changed: Collection[Path]) -> Self:
        """The listing with only changed files to read; all others count as unchanged."""
        return replace(
            self,
            sources=[source for source in self.sources if source.path in changed],
            unread=[source for source in self.sources if source.path not in changed],
            changed=changed,
        )

    @property
    def unseen(self) -> int:
        """Number of places not listed and of excluded files and folders, without hidden ones."""
        return len(self.unlisted) + self.excluded.total() - self.excluded[_HIDDEN]

    def notes(self) -> list[str]:
        """Notes for the user with the number of excluded files and folders by reason."""
        return [
            f"{count} {'file or folder is' if count == 1 else 'files or folders are'} {reason}"
            for reason, count in sorted(self.excluded.items())
        ]


_BY_PATTERNS = "excluded by patterns"
_BY_IGNORE_FILES = "excluded by ignore files; --no-ignore-files reads what they name"
_HIDDEN = "hidden; --hidden reads them"


def discover(paths: Sequence[Path], suffixes: Collection[str], selection: Selection = USUAL_FILES) -> Listing:
    """The files with one of the suffixes, in order, with skipped files and places that cannot be listed.

    Folders are searched recursively. Links that lead out of their folder are not followed. For a file given
    by itself, only the patterns of the selection are applied.

    Raises:
        MissingError: a path does not exist.
        BadInputError: a path cannot be reached.
    """
    listing = Listing([Root.named(path) for path in paths])
    for root in listing.roots:
        search = _Search(root, selection, listing)
        if not root.path.is_dir():
            if search.admits(root.path.name):
                _sort(SourceFile(root.path, root.path.name, is_named=True), suffixes, listing)
            continue
        unseen = listing.unseen
        files = search.files()
        inside = root.path.resolve()
        for file in files:
            _sort(file, suffixes, listing, root=inside)
        if not files and listing.unseen == unseen:
            listing.empty.append(Path(root.name))
    return listing


class _Search:
    """A search through one root, which counts excluded files and folders in the listing."""

    def __init__(self, root: Root, selection: Selection, listing: Listing) -> None:
        self._root = root
        self._selection = selection
        self._listing = listing
        self._include = Patterns(selection.include)
        self._exclude = Patterns(selection.exclude)

    def files(self) -> list[SourceFile]:
        """The selected files and links below the root, in order."""
        from timelens.store.corpus_folder import own_names

        root = self._root.path
        found: list[Path] = []
        rules: dict[str, Ignoring] = {}
        for folder, folders, names in os.walk(root, onerror=self._not_listed):
            path = Path(folder)
            below = "" if path == root else f"{path.relative_to(root).as_posix()}/"
            try:
                ignoring = self._ignoring(path, below, names, rules.pop(folder, None))
            except BadInputError as error:
                self._unlisted(path, error.message, error.hint)
                folders.clear()
                continue
            self._listing.folders.append(path)
            of_corpus = own_names([*folders, *names])
            folders[:] = [name for name in folders if name not in of_corpus]
            links = [
                name
                for name in folders
                if os.path.islink(path / name)  # noqa: PTH114 -- it never raises
            ]
            folders[:] = [
                name
                for name in folders
                if name not in links
                and self._root.reaches(f"{below}{name}/")
                and self._is_wanted(name, f"{below}{name}/", ignoring)
            ]
            rules |= {os.path.join(folder, name): ignoring for name in folders}  # noqa: PTH118 -- as os.walk does
            found += [
                path / name
                for name in (*names, *links)
                if name not in of_corpus
                and self._root.holds(below + name)
                and self._is_wanted(name, below + name, ignoring)
            ]
        return [SourceFile(file, file.relative_to(root).as_posix()) for file in sorted(found)]

    def admits(self, path: str) -> bool:
        """Whether the user's patterns admit a file or folder; if not, it is counted as excluded."""
        admitted = not self._exclude.match(path) and (
            path.endswith("/") or not self._include or self._include.admit(path)
        )
        self._listing.excluded.update([] if admitted else [_BY_PATTERNS])
        return admitted

    def _is_wanted(self, name: str, path: str, ignoring: Ignoring) -> bool:
        if name == ".git" or name in IGNORE_FILES:
            return False
        if self._selection.hides(name):
            self._listing.excluded[_HIDDEN] += 1
            return False
        if ignoring.ignores(path):
            self._listing.excluded[_BY_IGNORE_FILES] += 1
            return False
        return self.admits(path)

    def _ignoring(self, path: Path, below: str, names: Collection[str], above: Ignoring | None) -> Ignoring:
        """The ignore files that apply in a folder."""
        if not self._selection.ignore_files:
            return Ignoring()
        above = Ignoring.above(path) if above is None else above
        return above if set(IGNORE_FILES).isdisjoint(names) else above.entering(path, below)

    def _not_listed(self, error: OSError) -> None:
        self._unlisted(Path(error.filename), f"it cannot be listed: {error.strerror}", _AGAIN)

    def _unlisted(self, path: Path, error: str, hint: str) -> None:
        below = path.relative_to(self._root.path)
        place = SourceFile(below, below.as_posix() if below.parts else self._root.path.as_posix())
        self._listing.unlisted.append(place.failure(error, hint))


_SAVED_AS = {
    old: f"open it in the program that it was made with, or in LibreOffice, and save it as {new}"
    for old, new in ((".doc", ".docx"), (".ppt", ".pptx"), (".xlsb", ".xlsx"))
}
"""Hints for common kinds of files that no reader supports."""


def _sort(file: SourceFile, suffixes: Collection[str], listing: Listing, root: Path | None = None) -> None:
    """Add a file, found below ``root`` or given by itself, to the right list of the listing."""
    try:
        mode = file.path.stat().st_mode
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ELOOP}:
            listing.left_out.append(file.failure("a link that leads to nothing", "correct or remove it"))
        else:
            said = f"it cannot be reached: {error.strerror}"
            listing.unlisted.append(file.failure(said, _AGAIN))
        return
    kind = stat.S_IFMT(mode)
    leads_out = root is not None and not file.path.resolve().is_relative_to(root)
    if kind in _SPECIAL:
        listing.left_out.append(file.failure(f"{_SPECIAL[kind]}, not a file", "save its content to a file"))
    elif stat.S_ISREG(mode) and file.path.suffix.lower() not in suffixes:
        hint = _SAVED_AS.get(file.path.suffix.lower(), f"readable are {' '.join(suffixes)}")
        unread = file.failure("this kind of file is not read", hint, skipped=not file.is_named)
        listing.left_out.append(unread)
    elif leads_out:
        hint = "ingest its target by name"
        listing.left_out.append(file.failure("a link that leads out of the folder", hint))
    elif stat.S_ISREG(mode) and not is_unicode(file.id):
        listing.unlisted.append(file.failure("its name is not UTF-8", "rename it"))
    elif stat.S_ISREG(mode):
        listing.sources.append(file)
