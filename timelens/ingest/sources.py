"""Which files to read."""

import errno
import os
import stat
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from timelens.errors import BadInputError, MissingError
from timelens.ingest.failures import Failure
from timelens.printable import is_unicode

_AGAIN = "check its rights and its disk, then ingest again"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read."""

    path: Path
    id: str
    """Its path below the ingested root, in POSIX form."""
    origin: str | None = None
    """Where it comes from, if it was taken out of another file or of standard input."""

    @property
    def uri(self) -> str:
        """Where it stands on this machine, or where it comes from."""
        return self.origin or self.path.resolve().as_posix()

    def failure(self, error: str, hint: str) -> Failure:
        """What is said where it is not read."""
        return Failure(self.id.encode(errors="replace").decode(), error, hint)


@dataclass(frozen=True, slots=True)
class Listing:
    """What was found of the files and folders that were named."""

    sources: list[SourceFile] = field(default_factory=list)
    left_out: list[Failure] = field(default_factory=list)
    """Files that are not read, with the reason."""
    unlisted: list[Failure] = field(default_factory=list)
    """Places that could not be looked at, so that what they hold is not known."""
    empty: list[Path] = field(default_factory=list)
    """Folders that hold no files."""

    def whole(self) -> list[SourceFile]:
        """The files to read, where nothing was hidden from view.

        Raises:
            BadInputError: a place could not be listed.
        """
        for failure in self.unlisted:
            raise BadInputError(f"{failure.path}: {failure.error}", failure.hint)
        return self.sources


def require(path: Path) -> None:
    """Make sure that a named file or folder is there.

    Raises:
        MissingError: it is not.
        BadInputError: it cannot be reached.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MissingError(f"there is nothing at {path}", "check the path") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be reached: {error.strerror}", "check its rights") from error


def discover(paths: Sequence[Path], suffixes: Collection[str]) -> Listing:
    """The files with one of the suffixes, in order; what is left out, and what cannot be listed.

    Folders are searched through, hidden files aside. Links that lead out of their folder are not followed.

    Raises:
        MissingError: a path does not exist.
        BadInputError: a path cannot be reached.
    """
    listing = Listing()
    for path in paths:
        require(path)
        if path.is_file():
            _sort(SourceFile(path, path.name), suffixes, listing)
            continue
        unlisted = len(listing.unlisted)
        files = _files(path, listing)
        for file in files:
            _sort(file, suffixes, listing, root=path.resolve())
        if not files and len(listing.unlisted) == unlisted:
            listing.empty.append(path)
    return listing


def _files(root: Path, listing: Listing) -> list[SourceFile]:
    """The files and links below a folder, in order."""

    def unlisted(error: OSError) -> None:
        below = Path(error.filename).relative_to(root)
        place = SourceFile(below, below.as_posix() if below.parts else root.as_posix())
        listing.unlisted.append(place.failure(f"it cannot be listed: {error.strerror}", _AGAIN))

    found: list[Path] = []
    for folder, folders, names in os.walk(root, onerror=unlisted):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = (
            name
            for name in folders
            if os.path.islink(Path(folder, name))  # noqa: PTH114 -- it raises nothing where that is not known
        )
        found += (Path(folder, name) for name in (*names, *links) if not name.startswith("."))
    return [SourceFile(file, file.relative_to(root).as_posix()) for file in sorted(found)]


def _sort(file: SourceFile, suffixes: Collection[str], listing: Listing, root: Path | None = None) -> None:
    """Put a file, found below ``root`` or named by itself, where it belongs."""
    try:
        mode = file.path.stat().st_mode
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ELOOP}:
            listing.left_out.append(file.failure("a link that leads to nothing", "mend or remove it"))
        else:
            said = f"it cannot be reached: {error.strerror}"
            listing.unlisted.append(file.failure(said, _AGAIN))
        return
    leads_out = root is not None and not file.path.resolve().is_relative_to(root)
    if not is_unicode(file.id):
        listing.left_out.append(file.failure("its name is not UTF-8", "rename it"))
    elif stat.S_ISREG(mode) and file.path.suffix.lower() not in suffixes:
        hint = f"readable are {' '.join(suffixes)}"
        listing.left_out.append(file.failure("no reader for this kind of file", hint))
    elif leads_out:
        hint = "ingest its target by name"
        listing.left_out.append(file.failure("a link that leads out of the folder", hint))
    elif stat.S_ISREG(mode):
        listing.sources.append(file)
