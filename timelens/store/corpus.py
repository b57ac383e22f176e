"""A corpus on disk, in tables of LanceDB."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc
from filelock import FileLock

from timelens.documents import Chunk
from timelens.embedding import EmbedderIdentity, EncodedDocuments, concatenate
from timelens.errors import MissingError, StoreError
from timelens.folders import make_private
from timelens.processes import return_free_memory, without_reuse_of_large_blocks
from timelens.store.checksums import Sums
from timelens.store.corpus_folder import (
    CREATE_LOCK,
    has_version,
    is_made,
    require_readable,
    require_repaired,
    require_same,
)
from timelens.store.corpus_tables import (
    UNFINISHED,
    batches,
    clear_checksums,
    compact_tables,
    drop_orphans,
    drop_tables,
    make_tables,
    set_checksums,
    version_of,
)
from timelens.store.database import connect, create_filled, create_indexes, put_rows
from timelens.store.file_list import FileList, size_of
from timelens.store.histogram import Histogram
from timelens.store.lance_errors import store_errors
from timelens.store.location import Address, Location, called
from timelens.store.overview import DOCUMENT_COLUMNS, CorpusSummary, DocumentOverview, Outlying
from timelens.store.rows import (
    CHUNK_COLUMNS,
    FACT_COLUMNS,
    EmbeddedDocument,
    StoredDocument,
    StoredTable,
    chunk_table,
    chunks_of,
    document_table,
    shaped,
    stored_document,
    tables_of,
)
from timelens.store.schema import (
    CHUNKS,
    DOCUMENTS,
    SCHEMA_VERSION,
    StoreMetadata,
    chunks_schema,
)
from timelens.store.searches import Searches
from timelens.store.view import View, in_list, quoted
from timelens.store.write_lease import write_lease
from timelens.temporal.interval import Interval

_log = logging.getLogger(__name__)
_IDS_AT_ONCE = 100
_FACTS_AT_ONCE = 4096
_READERS_PATIENCE = 30
"""Seconds that a search may continue on the version that compacting replaces."""
_CREATE_PATIENCE = 60  # seconds to wait for another process that creates the same corpus
_OF_INDEXES = ("/_indices/", "/_versions/")
"""Folders of the indexes, and of the versions, which record the rows in each index."""


class CorpusStore(Searches):
    """One corpus: documents, and chunks with their events and vectors.

    Every write is one commit of LanceDB, and readers see whole commits only. A document is stored once its
    row in ``documents`` has its content hash, which is written after its chunks.
    """

    def __init__(self, path: Location) -> None:
        """Open an existing corpus.

        Raises:
            MissingError: there is no corpus.
            StoreError: it is damaged, its repair was interrupted, or an incompatible version made it.
        """
        require_repaired(path)
        if not is_made(path):
            raise MissingError(
                f"there is no corpus at {path}", f"make one: timelens ingest FOLDER --corpus {called(path)}"
            )
        self.path = path
        with store_errors(path):
            database = connect(path, for_writing=True)
            self._documents = database.open_table(DOCUMENTS)
            self._chunks = database.open_table(CHUNKS)
        self._searching = Lock()  # a view caches what it read
        self._view: tuple[object, View] | None = None
        metadata = self.metadata
        self._embedder = metadata.embedder
        require_readable(path, metadata.schema_version)
        _log.info("opened: %s, format %d", path, metadata.schema_version)

    @classmethod
    def create(cls, path: Location, embedder: EmbedderIdentity) -> Self:
        """Create an empty corpus, or open the existing one."""
        if isinstance(path, Address):
            if not is_made(path):
                with write_lease(path):
                    if not is_made(path):
                        with store_errors(path):
                            make_tables(path, embedder)
            return cls(path)
        make_private(path)
        require_repaired(path)
        with store_errors(path), FileLock(path / CREATE_LOCK, timeout=_CREATE_PATIENCE):
            if not has_version(path, CHUNKS):
                make_tables(path, embedder)
        return cls(path)

    @classmethod
    def erase(cls, path: Location) -> None:
        """Delete a corpus, and its folder if nothing else is in it."""
        with store_errors(path):
            drop_tables(path)

    @property
    def metadata(self) -> StoreMetadata:
        """Format and embedder, read anew: another process may have re-embedded the corpus."""
        with store_errors(self.path):
            return StoreMetadata.from_arrow(self._chunks.schema.metadata)

    def require_embedder(self, embedder: EmbedderIdentity) -> None:
        """Refuse an embedder other than the one whose vectors are stored.

        Raises:
            StoreError: they differ in name, dimension, weights or document prefix.
        """
        require_same(self.path, self.metadata.embedder, embedder)

    def content_hashes(self) -> dict[str, str]:
        """Content hash of every stored document, by id."""
        return self._by_id("content_hash")

    def uris(self) -> dict[str, str]:
        """Origin (URI) of every stored document, by id."""
        return self._by_id("uri")

    def _by_id(self, column: str) -> dict[str, str]:
        with store_errors(self.path):
            rows = self._documents.search().select(["id", column]).to_arrow()
        return dict(zip(rows["id"].to_pylist(), rows[column].to_pylist(), strict=True))

    def write(self, documents: Sequence[EmbeddedDocument]) -> None:
        """Add documents, or replace documents with the same ids, including their chunks.

        All chunks change in one commit. Before it, the rows of replaced documents lose their content hash, so
        that an interrupted write is detected and repeated. A corpus of an earlier format is converted first.
        """
        if not documents:
            return
        names = [item.document.id for item in documents]
        ids = in_list("document_id", names)
        with store_errors(self.path), self._writing() as require_turn:
            self._convert(require_turn)
            chunks = [chunk for item in documents for chunk in item.chunks]
            rows = chunk_table(chunks, concatenate([item.vectors for item in documents]), self._chunks.schema)
            require_turn()
            if self._documents.count_rows(in_list("id", names)):
                self._documents.update(where=in_list("id", names), values={"content_hash": UNFINISHED})
            require_turn()
            alone = not isinstance(self.path, Address)
            put_rows(self._chunks, rows, "id", ids, alone=alone)
            require_turn()
            of_documents = document_table(documents, rows)
            put_rows(self._documents, of_documents, "id", in_list("id", names), alone=alone)
            try:
                require_turn()
            except StoreError:  # another process may have deleted the chunks, which had no document yet
                self._documents.update(where=in_list("id", names), values={"content_hash": UNFINISHED})
                raise
        return_free_memory()

    def remove(self, document_ids: Sequence[str]) -> None:
        """Remove documents and their chunks."""
        if document_ids:
            with store_errors(self.path), self._writing():
                self._documents.delete(in_list("id", document_ids))
                self._chunks.delete(in_list("document_id", document_ids))

    @contextmanager
    def _writing(self) -> Iterator[Callable[[], None]]:
        """Context of a write to the tables. In an object store it waits for this process's turn.

        Yields a function that raises :class:`StoreError` if the turn may have been lost. In a folder the
        caller holds the lock (:func:`only_writer`).
        """
        if not isinstance(self.path, Address):
            yield lambda: None
            return
        with write_lease(self.path) as mine:
            self.require_embedder(self._embedder)  # another process may have embedded it again
            yield mine.require

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Context of a run that writes; at its end the list of files is updated.

        Indexes are rebuilt first unless the list shows that they are intact, because later indexes are
        derived from them. In an object store there is no list: the object store itself checks its objects.
        """
        if isinstance(self.path, Address):
            yield
            return
        with store_errors(self.path):
            try:
                listed = FileList.read(self.path)
            except ValueError:
                listed = FileList()
            sure = listed.complete and not any(listed.faults(self.path, _OF_INDEXES))
            listed.begun().write(self.path)
            if not sure and self._chunks.count_rows():
                create_indexes(self._chunks, anew=True)
        yield
        with store_errors(self.path):
            metadata = self.metadata
            listed.ended(self.path, metadata.schema_version, metadata.embedder).write(self.path)

    def settle(self) -> None:
        """Drop chunks that an interrupted write left without a document, and update the indexes.

        A corpus of an earlier format is converted to the current one.
        """
        with store_errors(self.path), self._writing() as require_turn:
            self._convert(require_turn)
            drop_orphans(self._documents, self._chunks)
            with without_reuse_of_large_blocks():
                self._documents.optimize()
                self._chunks.optimize()
            return_free_memory()
            create_indexes(self._chunks)
            if self._documents.count_rows("checksum IS NULL"):
                sums = Sums()
                for batch in batches(self._chunks):
                    sums.add(batch)
                set_checksums(self._documents, sums)

    def compact(self, patience: float = _READERS_PATIENCE) -> None:
        """Merge fragments, and delete versions and files that are no longer needed.

        Args:
            patience: seconds that the newest version must have existed, as searches may use an older one.
        """
        with store_errors(self.path), self._writing():
            self.settle()
            compact_tables(self.path, (self._documents, self._chunks), patience)

    def size(self) -> int:
        """Bytes of all files; in an object store, of the files of the newest version."""
        if isinstance(self.path, Path):
            return size_of(self.path)
        with store_errors(self.path):
            return sum(int(table.stats()["total_bytes"]) for table in (self._documents, self._chunks))

    def summary(self) -> CorpusSummary:
        """Counts, span and embedder of the corpus."""
        with store_errors(self.path):
            rows = self._documents.search().select(["events"]).to_arrow()
            return CorpusSummary(
                documents=rows.num_rows,
                chunks=self._chunks.count_rows(),
                events=pc.sum(rows["events"]).as_py() or 0,
                span=self.span(),
                outlying=self.outlying(),
                embedder=self.metadata.embedder,
            )

    def document(self, document_id: str) -> StoredDocument:
        """A document with all its chunks in order.

        Raises:
            MissingError: there is no document with this id.
        """
        with store_errors(self.path):
            rows = self._documents.search().where(in_list("id", [document_id])).to_arrow().to_pylist()
            if rows:
                of_document = in_list("document_id", [document_id])
                chunks = self._chunks.search().where(of_document).select(CHUNK_COLUMNS).to_arrow()
                return stored_document(rows[0], chunks)
        raise MissingError(
            f"{document_id} is not in {self.path.name} any more", "ask again, because the corpus has changed"
        )

    def tables(self) -> list[StoredTable]:
        """The tables of the corpus: all facts, by document."""
        with store_errors(self.path):
            facts = self._chunks.search().where("fact IS NOT NULL").select(list(FACT_COLUMNS))
            found = facts.to_batches(batch_size=_FACTS_AT_ONCE)
            return tables_of(row for batch in found for row in batch.to_pylist())

    def documents(self, within: Interval | None = None) -> list[DocumentOverview]:
        """All documents with the span of their events, by title.

        ``within`` admits only documents with an event that shares a day with it.
        """
        with store_errors(self.path):
            rows = self._documents.search().select(list(DOCUMENT_COLUMNS)).to_arrow()
        with self.searching() as view:
            return view.overview.documents(rows, within)

    def histogram(self, bins: int) -> Histogram:
        """The number of events over time, in at most ``bins`` bins over the span.

        Raises:
            ValueError: ``bins`` is less than :data:`timelens.store.histogram.FEWEST`.
        """
        with self.searching() as view:
            return view.overview.histogram(bins)

    def outlying(self) -> tuple[Outlying, ...]:
        """The first few sentences with times far outside the span."""
        with self.searching() as view:
            span, found = view.span, [stored.chunk for stored in view.far_outside]
        return tuple(
            Outlying(chunk.document_id, chunk.sentence(event.sentence), event.interval)
            for chunk in found
            for event in chunk.events
            if span is not None and not event.interval.intersects(span)
        )

    @contextmanager
    def searching(self) -> Iterator[View]:
        """A view of the current version, for related searches; one thread at a time.

        The view is new if another process has written since the last call.
        """
        with self._searching:
            with store_errors(self.path):
                seen = version_of(self.path, self._chunks)
                if self._view is None or self._view[0] != seen:
                    table = connect(self.path).open_table(CHUNKS)
                    table.checkout(table.version)
                    self._view = seen, View(table, self.path)
            yield self._view[1]

    def chunks_from(self, sources: Sequence[str]) -> list[Chunk]:
        """All chunks of documents, or of parts of documents with their own ids, in the order given."""
        found: list[Chunk] = []
        for start in range(0, len(sources), _IDS_AT_ONCE):
            some = sources[start : start + _IDS_AT_ONCE]
            # the id of a chunk is "SOURCE#NUMBER"; "$" is the character after "#"
            ranges = (f"id >= {quoted(f'{name}#')} AND id < {quoted(f'{name}$')}" for name in some)
            with store_errors(self.path):
                rows = self._chunks.search().where(" OR ".join(f"({one})" for one in ranges)).to_arrow()
            chunks = sorted(chunks_of(rows), key=lambda chunk: chunk.ordinal)
            found += [chunk for name in some for chunk in chunks if chunk.source_id == name]
        return found

    def reembed(
        self, embedder: EmbedderIdentity, encode: Callable[[Sequence[Chunk]], EncodedDocuments]
    ) -> None:
        """Replace all stored vectors with those of another embedder, in one commit."""
        schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, embedder))

        def encoded() -> Iterator[pa.RecordBatch]:
            for batch in batches(self._chunks):
                chunks = chunks_of(pa.Table.from_batches([batch]))
                yield from chunk_table(chunks, encode(chunks), schema).to_batches()

        with store_errors(self.path), self._writing() as require_turn:
            self._write_anew(schema, encoded(), require_turn)
            self._embedder = embedder

    def _convert(self, require_turn: Callable[[], None]) -> None:
        """Convert a corpus of an earlier format to the current one, without embedding anything."""
        if self.metadata.schema_version != SCHEMA_VERSION:
            schema = chunks_schema(StoreMetadata(SCHEMA_VERSION, self.metadata.embedder))
            self._write_anew(schema, (shaped(each, schema) for each in batches(self._chunks)), require_turn)

    def _write_anew(
        self, schema: pa.Schema, rows: Iterator[pa.RecordBatch], require_turn: Callable[[], None]
    ) -> None:
        """Replace the rows of all chunks, in one commit.

        Checksums are cleared before it and set after it; the next run computes missing ones.
        """
        clear_checksums(self._documents)
        sums = Sums()

        def counted() -> Iterator[pa.RecordBatch]:
            for batch in rows:
                sums.add(batch)
                yield batch
            require_turn()

        self._chunks = create_filled(self.path, CHUNKS, schema, counted())
        create_indexes(self._chunks)
        set_checksums(self._documents, sums)
