"""Which stored documents a sync removes, by the place that they came from."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from timelens.errors import BadInputError
from timelens.ingest.sources import Listing, Root

_HANDFUL = 5
"""So many documents are removed without a question, even if they are most of a place."""


class MostlyGoneError(BadInputError):
    """A sync would remove most of what is stored of a place, which may as well be a disk that is missing."""


@dataclass(slots=True)
class Place:
    """A file or folder that was named, or all others, with what is stored of it."""

    name: str
    empty: bool = False
    """A folder that holds no files at all."""
    met: int = 0
    """Documents that were met again."""
    gone: list[str] = field(default_factory=list)
    """Ids of documents that were not, and go."""
    kept: int = 0
    """Documents that were not, and stay, because their file is still there or there never was one."""

    @property
    def is_mostly_gone(self) -> bool:
        """Whether more than half is not there, and more than a handful; of an empty folder any."""
        return len(self.gone) > self.met and (self.empty or len(self.gone) > _HANDFUL)

    def fault(self) -> MostlyGoneError:
        """What to say where it is mostly gone."""
        stored = self.met + len(self.gone)
        return MostlyGoneError(
            f"{len(self.gone)} of {stored} documents from {self.name} are gone and would be removed",
            "check that the folder is complete and its disk is mounted; to remove them, add --remove-most",
        )


def stored_at(listing: Listing, uris: Mapping[str, str], met: Collection[str]) -> list[Place]:
    """What is stored of the places that were named, and of all others together, where what is there stays.

    Args:
        listing: what was found of the files and folders that were named.
        uris: where each stored document came from, by its id.
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
    """The places that a file is in, the nearest first."""
    for above in (file, *file.parents):
        for root, place in named.get(above, ()):
            if root.holds(file.relative_to(above).as_posix()):
                yield place


def _is_gone(uri: str) -> bool:
    """Whether a document came from a file that is no longer there."""
    path = Path(uri)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return path.is_absolute()
    except OSError:  # not known
        return False
    return False
