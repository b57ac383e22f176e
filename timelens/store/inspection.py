"""Finds the damaged files and documents of a corpus, however damaged it is."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from timelens.embedding import EmbedderIdentity
from timelens.errors import MissingError, first_line
from timelens.store.checksums import Sums
from timelens.store.corpus_folder import REPAIRED, is_made, require_readable, require_whole
from timelens.store.corpus_tables import UNFINISHED
from timelens.store.database import connect
from timelens.store.file_list import LIST, FileFault, FileList
from timelens.store.location import Address, Location
from timelens.store.schema import CHUNKS, DOCUMENTS, StoreMetadata

if TYPE_CHECKING:
    from lancedb.table import LanceTable

_ROWS_AT_ONCE = 1024
_FEWEST_ROWS = 16
"""Batch size at which unreadable rows are skipped and no longer bisected."""

Row = dict[str, Any]
OnStep = Callable[[str, int, int], None]
"""Receives the kind of item being checked, the number done, and the total."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A document that differs from what was written, or was not written completely."""

    id: str
    fault: str
    uris: tuple[str, ...]
    """Origins according to its rows; damaged rows may differ."""
    content_hash: str | None
    """Content hash in its row; ``None`` without one."""
    has_row: bool
    has_chunks: bool


@dataclass(frozen=True, slots=True)
class Inspection:
    """Result of :func:`inspect`."""

    documents: int
    chunks: int
    checked: int
    """Number of files whose hash was compared."""
    files: tuple[FileFault, ...]
    """The files and tables that are damaged."""
    damaged: tuple[Suspect, ...]
    unfinished: tuple[Suspect, ...]
    """Documents half written by a killed run. They are no damage, because the next run repairs them."""
    interrupted: bool
    """Whether files are not listed: a run was killed, or none has ended since lists were introduced."""
    has_checksums: bool
    """Whether rows have checksums; those of the previous format have none."""
    whole: frozenset[str]
    """Names of the tables whose files are all intact."""
    embedder: EmbedderIdentity | None
    """Embedder of the vectors; ``None`` if unknown."""

    @property
    def is_fine(self) -> bool:
        """Whether nothing is damaged."""
        return not self.files and not self.damaged


def inspect(path: Location, on_step: OnStep = lambda *_: None) -> Inspection:
    """Read a whole corpus and find the damaged parts.

    Raises:
        MissingError: there is no corpus.
        StoreError: its repair was interrupted, or its format is not supported.
    """
    require_made(path)
    require_whole(path)
    faults: list[FileFault] = []
    listed = FileList()
    if isinstance(path, Path):
        try:
            listed = FileList.read(path)
        except ValueError as error:
            faults.append(FileFault(LIST, str(error)))
        count = len(listed.hashes)
        faults += listed.faults(path, on_read=lambda done: on_step("files", done, count))
    broken = {fault.name.partition("/")[0] for fault in faults}
    tables = [RawTable.opened(path, name) for name in (DOCUMENTS, CHUNKS)]
    documents, chunks = tables
    metadata = chunks.metadata
    version = metadata.schema_version if metadata else None
    embedder = metadata.embedder if metadata else listed.embedder
    if listed.complete:  # the metadata of a table may be damaged
        version, embedder = listed.schema_version, listed.embedder
    if version is not None:
        require_readable(path, version)
    seen = _read(documents, chunks, on_step, interrupted=not listed.complete)
    return Inspection(
        documents=seen.rows.total(),
        chunks=seen.chunks.total(),
        checked=len(listed.hashes),
        files=(*faults, *(fault for table in tables for fault in table.faults())),
        damaged=tuple(seen.damaged),
        unfinished=tuple(seen.unfinished),
        interrupted=bool(seen.unfinished) if isinstance(path, Address) else not listed.complete,
        has_checksums=seen.has_checksums,
        whole=frozenset(t.name for t in tables if listed.complete and f"{t.name}.lance" not in broken),
        embedder=embedder,
    )


def require_made(path: Location) -> None:
    """Make sure that there is a corpus, however damaged.

    Raises:
        MissingError: there is no corpus.
    """
    if not is_made(path) and not (isinstance(path, Path) and (path / REPAIRED).exists()):
        raise MissingError(f"there is no corpus at {path}", "see: timelens corpora list")


@dataclass(slots=True)
class RawTable:
    """A table that may be damaged; it gives all rows that can be read."""

    name: str
    _table: "LanceTable | None"
    _fault: str | None = None
    _unreadable: int = 0
    """Number of rows that cannot be read."""

    @classmethod
    def opened(cls, path: Location, name: str) -> Self:
        """The table of a corpus with a name."""
        try:
            with _no_panic_shown():
                return cls(name, connect(path).open_table(name))
        except Exception as error:  # noqa: BLE001 -- of damaged files LanceDB raises anything
            return cls(name, None, f"it cannot be opened: {first_line(error)[:200]}")

    @property
    def metadata(self) -> StoreMetadata | None:
        """Format and embedder in the metadata of the table; ``None`` if unreadable."""
        try:
            with _no_panic_shown():
                return None if self._table is None else StoreMetadata.from_arrow(self._table.schema.metadata)
        except Exception:  # noqa: BLE001 -- as above
            return None

    @property
    def columns(self) -> Sequence[str]:
        """The names of its columns; empty if unreadable."""
        try:
            with _no_panic_shown():
                return () if self._table is None else self._table.schema.names
        except Exception:  # noqa: BLE001 -- as above
            return ()

    def faults(self) -> Iterator[FileFault]:
        """The reason why the table, or a part of it, cannot be read, if so."""
        if self._fault:
            yield FileFault(f"{self.name}.lance", self._fault)
        elif self._unreadable:
            yield FileFault(f"{self.name}.lance", f"{self._unreadable} of its rows cannot be read")

    def __len__(self) -> int:
        try:
            with _no_panic_shown():
                return 0 if self._table is None else int(self._table.count_rows())
        except Exception as error:  # noqa: BLE001 -- as above
            self._fault = f"it cannot be read: {first_line(error)[:200]}"
            return 0

    def rows(self) -> Iterator[pa.Table]:
        """All rows that can be read, in parts."""
        self._unreadable = 0
        count = len(self)
        for start in range(0, count, _ROWS_AT_ONCE):
            yield from self._part(start, min(_ROWS_AT_ONCE, count - start))

    def _part(self, start: int, count: int) -> Iterator[pa.Table]:
        try:
            with _no_panic_shown():
                rows = self._table.search().offset(start).limit(count).to_arrow()  # type: ignore[union-attr]
            rows.validate(full=True)
        except Exception:  # noqa: BLE001 -- as above
            if count <= _FEWEST_ROWS:
                self._unreadable += count
                return
            yield from self._part(start, count // 2)
            yield from self._part(start + count // 2, count - count // 2)
            return
        self._unreadable += max(count - rows.num_rows, 0)
        yield rows


@contextmanager
def _no_panic_shown() -> Iterator[None]:
    """Hide standard error: on damaged files LanceDB prints the trace of a panic besides raising an error."""
    shown, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(shown, 2)
        os.close(shown)
        os.close(nowhere)


@dataclass(slots=True)
class _Seen:
    """Data read from the rows of both tables."""

    chunks: Counter[str] = field(default_factory=Counter)
    """Number of chunks of each document."""
    rows: Counter[str] = field(default_factory=Counter)
    """Number of rows in ``documents`` by id."""
    uris: dict[str, list[str]] = field(default_factory=dict)
    damaged: list[Suspect] = field(default_factory=list)
    unfinished: list[Suspect] = field(default_factory=list)
    has_checksums: bool = True

    def add_uris(self, rows: pa.Table, ids: str) -> None:
        """Record the origins of documents."""
        for name, uri in zip(rows[ids].to_pylist(), rows["uri"].to_pylist(), strict=True):
            known = self.uris.setdefault(name, [])
            if uri not in known:
                known.append(uri)

    def suspect(self, name: str, fault: str, content_hash: str | None = None) -> Suspect:
        """The record of a document with a fault."""
        uris = tuple(uri for uri in self.uris.get(name, ()) if uri)
        return Suspect(name, fault, uris, content_hash, name in self.rows, name in self.chunks)

    def judge(self, row: Row, computed: str, *, interrupted: bool) -> None:
        """Compare the row of a document with its chunks and its computed checksum."""
        name, checksum = row["id"], row.get("checksum")
        is_unchecked = checksum is None and (interrupted or not self.has_checksums)
        fault = None
        if row["content_hash"] == UNFINISHED:
            self.unfinished.append(self.suspect(name, "it was not written completely", UNFINISHED))
            return
        if row["chunks"] != self.chunks[name]:
            fault = f"{self.chunks[name]} of its {row['chunks']} passages are there"
        elif checksum != computed and not is_unchecked:
            fault = "its rows differ from what was written"
        if fault:
            self.damaged.append(self.suspect(name, fault, row["content_hash"]))


def _read(documents: RawTable, chunks: RawTable, on_step: OnStep, *, interrupted: bool) -> _Seen:
    """Read and check all rows."""
    seen, sums = _Seen(), Sums()
    count = len(chunks)
    for rows in _with_columns(chunks, ["document_id", "uri"]):
        sums.add(rows)
        seen.chunks.update(rows["document_id"].to_pylist())
        seen.add_uris(rows, "document_id")
        on_step("chunks", seen.chunks.total(), count)
    judged = ["id", "content_hash", "chunks"]
    seen.has_checksums = "checksum" in documents.columns
    for rows in _with_columns(documents, [*judged, "uri"]):
        seen.add_uris(rows, "id")
        seen.rows.update(rows["id"].to_pylist())
        shown = rows.select([*judged, *(["checksum"] if seen.has_checksums else [])])
        for row, computed in zip(shown.to_pylist(), sums.checksums(rows), strict=True):
            seen.judge(row, computed, interrupted=interrupted)
    for name, times in seen.rows.items():
        if times > 1:
            seen.damaged.append(seen.suspect(name, f"it is stored {times} times"))
    swept = interrupted and not any(documents.faults())
    for name in seen.chunks.keys() - seen.rows.keys():
        found = seen.unfinished if swept else seen.damaged
        found.append(seen.suspect(name, "it has passages, but no row of its own"))
    return seen


def _with_columns(table: RawTable, names: Sequence[str]) -> Iterator[pa.Table]:
    """The rows of a table; none if it lacks one of these columns."""
    return table.rows() if set(names) <= set(table.columns) else iter(())
