"""Files in other files (members of archives, attachments of messages), read by their own readers."""

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from timelens.documents import Document
from timelens.errors import TimelensError
from timelens.ingest.failures import Failure, some_of
from timelens.ingest.reading import Reader
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import TableColumns

_LONGEST_NAME = 200  # bytes


@dataclass(slots=True)
class LeftOut:
    """What is not read, by the reason, to be said in one line for each."""

    where: str
    what: str
    """What each of them is called, as "members"."""
    names: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, reason: str, hint: str) -> None:
        """One that is not read."""
        self.names[reason, hint].append(name.encode(errors="replace").decode())

    def failures(self) -> Iterator[Failure]:
        """What to say of them."""
        for (reason, hint), names in self.names.items():
            count = f"{len(names):,} of its {self.what}"
            yield Failure(self.where, f"{count} left out, {reason}: {some_of(names)}", hint, partial=True)


def read_inner(
    source: SourceFile, columns: TableColumns, readers: Mapping[str, Reader]
) -> Iterator[Document | Failure]:
    """What a reader makes of a file that was taken out of another; its faults are failures."""
    try:
        yield from readers[source.path.suffix.lower()](source, columns)
    except TimelensError as error:
        yield Failure(source.id, error.message, error.hint)


@contextmanager
def laid_out(outer: SourceFile, name: str) -> Iterator[tuple[SourceFile, IO[bytes]]]:
    """A temporary file for what stands in another under a name, as a source, and open to be written."""
    called = PurePosixPath(name).name.replace("\0", "")
    stem = called.encode(errors="replace")[:_LONGEST_NAME].decode(errors="ignore")
    with tempfile.TemporaryDirectory(prefix="timelens-") as folder:
        path = Path(folder, stem if stem == called else stem + PurePosixPath(called).suffix[:20])
        with path.open("wb") as stream:
            yield SourceFile(path, f"{outer.id}/{name}", outer.uri), stream
