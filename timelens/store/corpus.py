"""A corpus on disk: the only place that knows LanceDB."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pyarrow as pa
import pyarrow.compute as pc
from filelock import FileLock

from timelens.documents import Chunk
from timelens.embedding import EmbedderIdentity, EncodedDocuments, Vectors, concatenate
from timelens.errors import MissingError, StoreError
from timelens.store.rows import EmbeddedDocument, StoredChunk, chunk_table, document_table, stored_chunks
from timelens.store.schema import (
    CHUNKS,
    DOCUMENTS,
    DOCUMENTS_SCHEMA,
    SCALAR_INDEXES,
    SCHEMA_VERSION,
    TEXT_INDEX,
    UNBOUNDED_FUTURE,
    UNBOUNDED_PAST,
    StoreMetadata,
    chunks_schema,
)
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    import lancedb
    from lancedb.query import LanceQueryBuilder
    from lancedb.table import LanceTable

CREATE_LOCK = "create.lock"
WRITE_LOCK = "ingest.lock"
"""Held by the one process that writes; this module leaves that to its callers."""

_OVERFETCH = 4
_REEMBED_BATCH = 256
_CREATE_PATIENCE = 60  # seconds to wait for another process that makes the same corpus
_UNFINISHED = ""
"""Stands for the content hash of a document while its chunks are being replaced."""


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """What a corpus holds."""

    documents: int
    chunks: int
    events: int
    span: Interval | None
    """From its first to its last day; unbounded sides of facts are left out."""
    embedder: EmbedderIdentity


class CorpusStore:
    """One corpus: documents, and chunks with their events and vectors.

    Every write is one commit of LanceDB, and readers see whole commits only. A document counts as stored
    once its row in ``documents`` holds its content hash, and that is written after its chunks.
    """

    def __init__(self, path: Path) -> None:
        """Open an existing corpus.

        Raises:
            MissingError: there is none.
            StoreError: it is damaged, or another version of timelens made it.
        """
        if not _is_made(path):
            raise MissingError(
                f"there is no corpus at {path}", f"make one: timelens ingest FOLDER --corpus {path.name}"
            )
        self.path = path
        with _store_errors(path):
            database = _connect(path)
            self._documents = database.open_table(DOCUMENTS)
            self._chunks = database.open_table(CHUNKS)
        version = self.metadata.schema_version
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"the corpus at {path} has format {version}, this timelens reads {SCHEMA_VERSION}",
                "ingest its documents again into a new corpus",
            )

    @classmethod
    def create(cls, path: Path, embedder: EmbedderIdentity) -> Self:
        """Make an empty corpus, or open the one that is there."""
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _store_errors(path), FileLock(path / CREATE_LOCK, timeout=_CREATE_PATIENCE):
            if not _has_version(path, CHUNKS):
                database = _connect(path)
                documents = database.create_table(DOCUMENTS, schema=DOCUMENTS_SCHEMA, exist_ok=True)
                if documents.count_rows():
                    raise ValueError("its chunks are gone")
                schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, embedder))
                _create_indexes(database.create_table(CHUNKS, schema=schema, exist_ok=True))
        return cls(path)

    @classmethod
    def erase(cls, path: Path) -> None:
        """Delete a corpus from disk, and its folder if nothing else is in it."""
        with _store_errors(path):
            for table in (CHUNKS, DOCUMENTS):
                shutil.rmtree(path / f"{table}.lance", ignore_errors=True)
            for lock in (CREATE_LOCK, WRITE_LOCK):
                (path / lock).unlink(missing_ok=True)
            if not any(path.iterdir()):
                path.rmdir()

    @property
    def metadata(self) -> StoreMetadata:
        """What it was made with, as of now: another process may have embedded it again."""
        with _store_errors(self.path):
            return StoreMetadata.from_arrow(self._chunks.schema.metadata)

    def require_embedder(self, embedder: EmbedderIdentity) -> None:
        """Refuse an embedder other than the one whose vectors are stored.

        Raises:
            StoreError: they differ in name, dimension, weights or document prefix.
        """
        stored = self.metadata.embedder
        if embedder != stored:
            raise StoreError(
                f"the corpus at {self.path} was made with the embedder {stored.name}, "
                f"not {embedder.name} as it is configured now",
                "configure that one again, or: timelens ingest --reembed --corpus " + self.path.name,
            )

    def content_hashes(self) -> dict[str, str]:
        """Content hash of every stored document, by id."""
        with _store_errors(self.path):
            rows = self._documents.search().select(["id", "content_hash"]).to_arrow()
        return dict(zip(rows["id"].to_pylist(), rows["content_hash"].to_pylist(), strict=True))

    def write(self, documents: Sequence[EmbeddedDocument]) -> None:
        """Add documents, or replace those with the same ids, chunks and all.

        The chunks of all of them change in one commit. The rows of those that are replaced lose their
        content hash before it, so that an interrupted write is seen and done again.
        """
        if not documents:
            return
        names = [item.document.id for item in documents]
        ids = _in_list("document_id", names)
        with _store_errors(self.path):
            chunks = [chunk for item in documents for chunk in item.chunks]
            rows = chunk_table(chunks, concatenate([item.vectors for item in documents]), self._chunks.schema)
            if self._documents.count_rows(_in_list("id", names)):
                self._documents.update(where=_in_list("id", names), values={"content_hash": _UNFINISHED})
            (
                self._chunks.merge_insert("id")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(ids)
                .execute(rows)
            )
            (
                self._documents.merge_insert("id")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .execute(document_table(documents))
            )

    def remove(self, document_ids: Sequence[str]) -> None:
        """Remove documents and their chunks."""
        if document_ids:
            with _store_errors(self.path):
                self._documents.delete(_in_list("id", document_ids))
                self._chunks.delete(_in_list("document_id", document_ids))

    def settle(self) -> None:
        """Drop chunks that an interrupted write left without a document, and bring indexes up to date."""
        with _store_errors(self.path):
            rows = self._documents.search().select(["id", "chunks", "content_hash"]).to_arrow()
            unfinished = pc.any(pc.equal(rows["content_hash"], _UNFINISHED)).as_py()
            if unfinished or self._chunks.count_rows() != (pc.sum(rows["chunks"]).as_py() or 0):
                chunk_owners = (
                    self._chunks.search().select(["document_id"]).to_arrow()["document_id"].unique()
                )
                orphans = set(chunk_owners.to_pylist()) - set(rows["id"].to_pylist())
                if orphans:
                    self._chunks.delete(_in_list("document_id", sorted(orphans)))
            self._documents.optimize()
            _create_indexes(self._chunks)
            self._chunks.optimize()

    def summary(self) -> CorpusSummary:
        """What the corpus holds."""
        with _store_errors(self.path):
            rows = self._documents.search().select(["events"]).to_arrow()
            return CorpusSummary(
                documents=rows.num_rows,
                chunks=self._chunks.count_rows(),
                events=pc.sum(rows["events"]).as_py() or 0,
                span=self.span(),
                embedder=self.metadata.embedder,
            )

    def span(self) -> Interval | None:
        """From the first to the last day of all envelopes; ``None`` if nothing is dated.

        Of an envelope without an end its first day counts, of one without a start its last.
        """
        with _store_errors(self.path):
            rows = self._chunks.search().select(["start", "end"]).to_arrow()
            starts, ends = _bounded(rows["start"]), _bounded(rows["end"])
        if not starts and not ends:
            return None
        firsts = [*starts[:1], *(day - 1 for day in ends[:1])]
        lasts = [*(day + 1 for day in starts[1:]), *ends[1:]]
        return Interval(min(firsts), max(lasts))

    def dense(
        self,
        vector: Vectors,
        limit: int,
        windows: Sequence[Interval] = (),
        documents: Sequence[str] = (),
    ) -> list[StoredChunk]:
        """The chunks nearest to a vector, best first, scored by cosine similarity.

        ``windows`` admits only chunks with an event that shares a day with one of them; the envelopes are
        filtered inside the database, before the search. ``documents`` admits only chunks of these.
        """
        query = self._chunks.search(vector, vector_column_name="vector").distance_type("cosine")
        found = self._search(query, "_distance", limit, windows, documents)
        return [replace(hit, score=1 - hit.score) for hit in found]

    def keyword(self, text: str, limit: int, windows: Sequence[Interval] = ()) -> list[StoredChunk]:
        """The chunks that match words of a text, best first, scored by BM25; windows as in :meth:`dense`."""
        query = self._chunks.search(text, query_type="fts", fts_columns=TEXT_INDEX)
        return self._search(query, "_score", limit, windows)

    def reembed(
        self, embedder: EmbedderIdentity, encode: Callable[[Sequence[Chunk]], EncodedDocuments]
    ) -> None:
        """Put vectors of another embedder in place of all that are stored, in one commit."""
        schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, embedder))

        def encoded() -> Iterator[pa.RecordBatch]:
            for batch in self._chunks.search().to_batches(batch_size=_REEMBED_BATCH):
                chunks = [stored.chunk for stored in stored_chunks(pa.Table.from_batches([batch]), None)]
                yield from chunk_table(chunks, encode(chunks), schema).to_batches()

        with _store_errors(self.path):
            batches = encoded()
            # LanceDB looks at the first batch on the thread that its own queries wait for
            peeked = list(islice(batches, 1))
            rows = pa.RecordBatchReader.from_batches(schema, chain(peeked, batches)) if peeked else None
            self._chunks = _connect(self.path).create_table(CHUNKS, rows, schema, mode="overwrite")
            _create_indexes(self._chunks)

    def _search(
        self,
        query: "LanceQueryBuilder",
        score: str,
        limit: int,
        windows: Sequence[Interval],
        documents: Sequence[str] = (),
    ) -> list[StoredChunk]:
        """Search until ``limit`` chunks pass the exact test, or none are left."""
        query = query.select([*(name for name in self._chunks.schema.names if name != TEXT_INDEX), score])
        clauses = [_envelope_filter(windows)] if windows else []
        clauses += [_in_list("document_id", documents)] if documents else []
        if clauses:
            query = query.where(" AND ".join(f"({clause})" for clause in clauses))
        fetch = limit
        while True:
            with _store_errors(self.path):
                rows = query.limit(fetch).to_arrow()
            found = stored_chunks(rows, score)
            exact = [hit for hit in found if not windows or _has_event_in(hit.chunk, windows)]
            if len(exact) >= limit or rows.num_rows < fetch:
                return exact[:limit]
            fetch *= _OVERFETCH


def _is_made(path: Path) -> bool:
    """Whether there is a corpus, even a damaged one; one whose making was cut short holds nothing yet."""
    return _has_version(path, CHUNKS) or any((path / f"{DOCUMENTS}.lance" / "data").glob("*"))


def _has_version(path: Path, table: str) -> bool:
    return any((path / f"{table}.lance" / "_versions").glob("*.manifest"))


def _connect(path: Path) -> "lancedb.DBConnection":
    os.environ.setdefault(
        "LANCEDB_LOG", "error"
    )  # its warnings go to the file descriptor that the chat draws on
    import lancedb

    return lancedb.connect(path, read_consistency_interval=timedelta(0))


def _create_indexes(chunks: "LanceTable") -> None:
    """Make the indexes that are missing: an interruption may have left a table without them."""
    from lancedb.index import FTS, BTree

    there = {column for index in chunks.list_indices() for column in index.columns}
    for column in SCALAR_INDEXES:
        if column not in there:
            chunks.create_index(column, config=BTree())
    if TEXT_INDEX not in there:
        chunks.create_index(TEXT_INDEX, config=FTS())


def _bounded(days: pa.ChunkedArray) -> list[Day]:
    """Least and greatest of the days that are neither missing nor stand for an unbounded side, if any."""
    bounded = pc.and_(pc.greater(days, UNBOUNDED_PAST), pc.less(days, UNBOUNDED_FUTURE))
    extremes = pc.min_max(days.filter(bounded)).as_py()
    return [] if extremes["min"] is None else [extremes["min"], extremes["max"]]


def _has_event_in(chunk: Chunk, windows: Iterable[Interval]) -> bool:
    return any(event.interval.intersects(window) for window in windows for event in chunk.events)


def _envelope_filter(windows: Iterable[Interval]) -> str:
    """Envelopes that share a day with a window. Built from numbers alone."""
    clauses = []
    for window in windows:
        start = UNBOUNDED_PAST if window.start is None else int(window.start)
        end = UNBOUNDED_FUTURE if window.end is None else int(window.end)
        clauses.append(f"(`start` < {end:d} AND `end` > {start:d})")
    return " OR ".join(clauses)


def _in_list(column: str, values: Iterable[str]) -> str:
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"


@contextmanager
def _store_errors(path: Path) -> Iterator[None]:
    """LanceDB's errors, which share no base class, as one that names the corpus."""
    try:
        yield
    except (RuntimeError, ValueError, OSError, pa.ArrowException, KeyError) as error:
        first_line = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise StoreError(
            f"the corpus at {path} cannot be read or written: {first_line}",
            "check the disk and its rights; if it is damaged, remove it and ingest again",
        ) from error
