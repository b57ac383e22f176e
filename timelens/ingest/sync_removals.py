"""Decides which stored documents a sync removes, by the place that they came from."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from timelens.errors import BadInputError
from timelens.ingest.sources import Listing, Root

_HANDFUL = 5
"""Most documents that are removed without confirmation even if they are most of a place."""


class MostlyGoneError(BadInputError):
    """A sync would remove most stored documents of a place, possibly because a disk is not mounted."""


@dataclass(slots=True)
class Place:
    """A given file or folder, or all other places together, with its stored documents."""

    name: str
    empty: bool = False
    """Whether it is a folder without any files."""
    met: int = 0
    """Number of documents met again."""
    gone: list[str] = field(default_factory=list)
    """Ids of documents not met, which are removed."""
    kept: int = 0
    """Number of documents not met but kept, because their file still exists or they never had one."""

    @property
    def is_mostly_gone(self) -> bool:
        """Whether more than half, and more than a handful, is gone; for an empty folder, whether any is."""
        return len(self.gone) > self.met and (self.empty or len(self.gone) > _HANDFUL)

    def fault(self) -> MostlyGoneError:
        """The error to raise if most of the place is gone."""
        stored = self.met + len(self.gone)
        return MostlyGoneError(
            f"{len(self.gone)} of {stored} documents from {self.name} are gone and would be removed",
            "check that the folder is complete and its disk is mounted; to remove them, add --remove-most",
        )


def stored_at(listing: Listing, uris: Mapping[str, str], met: Collection[str]) -> list[Place]:
    """The given places and one for all others, with their stored documents.

    Elsewhere, only documents whose file no longer exists are gone.

    Args:
        listing: the listing of the given files and folders.
        uris: the origin of each stored document, by id.
        met: ids of the documents that were met.
    """
    named: dict[Path, list[tuple[Root, Place]]] = {}
    for root in listing.roots:
        place = Place(root.name, Path(root.name) in listing.empty)
        named.setdefault(root.path.resolve(), []).append((root, place))
    others = Place("files elsewhere")
    for document_id, uri in uris.items():
        place = next(_holding(Path(uri), named), others)
        if document_id in met:
            place.met += 1
        elif place is not others or _is_gone(uri):
            place.gone.append(document_id)
        else:
            place.kept += 1
    return [*(place for roots in named.values() for _, place in roots), others]


def _holding(file: Path, named: Mapping[Path, list[tuple[Root, Place]]]) -> Iterator[Place]:
    """The given places that contain a file, nearest first."""
    for above in (file, *file.parents):
        for root, place in named.get(above, ()):
            if root.holds(file.relative_to(above).as_posix()):
                yield place


def _is_gone(uri: str) -> bool:
    """Whether a document came from a file that no longer exists."""
    path = Path(uri)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return path.is_absolute()
    except OSError:  # unknown
        return False
    return False
