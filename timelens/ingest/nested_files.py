"""Files inside other files (members of archives, attachments of messages), read by their readers."""

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from timelens.documents import Document
from timelens.errors import TimelensError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.reader_tools import Reader
from timelens.ingest.sources import SourceFile

_LONGEST_NAME = 200  # bytes
NO_READER = ("no reader for their kind of file", "save them as a readable kind to have them read")
"""Reason and hint for files of a kind that is not read."""


@dataclass(slots=True)
class LeftOut:
    """Skipped inner files, grouped by reason; each reason is reported in one line."""

    where: str
    what: str
    """Noun for the files in messages, such as "members"."""
    names: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, reason: str, hint: str) -> None:
        """Add a file that is skipped."""
        self.names[reason, hint].append(name.encode(errors="replace").decode())

    def failures(self) -> Iterator[Failure]:
        """One failure for each reason."""
        for (reason, hint), names in self.names.items():
            count = f"{len(names):,} of its {self.what}"
            error = f"{count} left out, {reason}: {some_of(names)}"
            yield Failure(self.where, error, hint, partial=True, skipped=(reason, hint) == NO_READER)


def read_inner(
    source: SourceFile, columns: TableColumns, readers: Mapping[str, Reader]
) -> Iterator[Document | Failure]:
    """The documents of a file taken out of another file; an error of its reader becomes a failure."""
    try:
        yield from readers[source.path.suffix.lower()](source, columns)
    except TimelensError as error:
        yield Failure(source.id, error.message, error.hint)


@contextmanager
def temporary_source(outer: SourceFile, name: str) -> Iterator[tuple[SourceFile, IO[bytes]]]:
    """A temporary file for an inner file ``name``, as a source and as a stream to write to.

    It lies in a folder with the name of the folder inside the outer file, else of that file, because readers
    of chats name them after it.
    """
    *_, within, called = ("", outer.path.stem, *PurePosixPath(name).parts)
    with tempfile.TemporaryDirectory(prefix="timelens-") as folder:
        path = Path(folder, _short(within) if within.strip("./\0") else "files", _short(called))
        path.parent.mkdir()
        with path.open("wb") as stream:
            yield SourceFile(path, f"{outer.id}/{name}", outer.uri), stream


def _short(name: str) -> str:
    """A name that a file system takes."""
    plain = name.replace("\0", "").replace("/", "")
    stem = plain.encode(errors="replace")[:_LONGEST_NAME].decode(errors="ignore")
    return stem if stem == plain else stem + PurePosixPath(plain).suffix[:20]
