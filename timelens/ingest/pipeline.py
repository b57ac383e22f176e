"""Ingest: files in, an up-to-date corpus out. Incremental, and safe to interrupt at any moment."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from timelens.documents import Chunk, Document
from timelens.embedding import Embedder, EncodedDocuments
from timelens.errors import TimelensError
from timelens.ingest.annotate import AnnotatedDocument, annotate
from timelens.ingest.failures import Failure
from timelens.ingest.places import Place, stored_at
from timelens.ingest.proposals import Annotator, Tally, with_proposals
from timelens.ingest.readers import READERS
from timelens.ingest.sources import Listing, SourceFile, discover
from timelens.ingest.tables import TableColumns
from timelens.store.corpus import CorpusStore, only_writer
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.conventions import USUAL, Conventions

_CHUNKS_PER_WRITE = 256


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids of documents, by what a run would do with them."""

    added: tuple[str, ...]
    updated: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one run did."""

    corpus: str
    added: int
    updated: int
    unchanged: int
    removed: int
    failed: int
    """Files and records of which nothing was stored."""
    chunks: int
    events: int
    failures: tuple[Failure, ...]
    notes: tuple[str, ...]
    seconds: float
    planned: Changes | None = None
    """Of a dry run, in which nothing was done, what would be; the counts are those of it."""


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """How far a run is, after each document and each file."""

    files_done: int
    files: int
    document_id: str
    chunks_stored: int


def ingest(
    paths: Sequence[Path],
    store: CorpusStore,
    embedder: Embedder,
    *,
    columns: TableColumns | None = None,
    sync: bool = False,
    remove_most: bool = False,
    annotator: Annotator | None = None,
    conventions: Conventions = USUAL,
    on_progress: Callable[[IngestProgress], None] = lambda _: None,
) -> IngestReport:
    """Bring files and folders into a corpus.

    Documents whose content is stored already are not embedded again, and changed ones replace their old
    chunks. With ``sync`` those that were not met are removed, where they came from the named places or
    their file is gone, and nothing where anything could not be listed or read. What cannot be read is
    listed and the rest goes on. An ``annotator`` proposes dated statements beside the rules.

    Raises:
        MissingError: a path does not exist.
        MostlyGoneError: more than half of what is stored of a place would be removed, and ``remove_most``
            is not set; nothing has been changed.
        StoreError: the corpus has another embedder, or another process is writing to it.
    """
    started = time.perf_counter()
    listing = discover(paths, READERS)
    with _writing(store, embedder, listing) as run:
        uris = store.uris() if sync else {}
        if sync and not remove_most:
            _require_most(paths, listing, uris, run.reading.known, columns or TableColumns())
        for done, source in enumerate(listing.sources):
            for document in run.reading.read(source, columns or TableColumns()):
                annotated = annotate(document, embedder, conventions)
                if annotator is not None:
                    annotated = with_proposals(annotated, annotator, run.proposed, conventions)
                run.take(annotated)
                on_progress(IngestProgress(done, len(listing.sources), document.id, run.chunks))
            on_progress(IngestProgress(done + 1, len(listing.sources), source.id, run.chunks))
        run.write()
        removed = run.reading.vanished(stored_at(paths, uris, run.reading.seen, listing.empty))
        store.remove(removed)
    return run.report(len(removed), time.perf_counter() - started)


def survey(
    paths: Sequence[Path],
    store: CorpusStore | None,
    corpus: str,
    *,
    columns: TableColumns | None = None,
    sync: bool = False,
) -> IngestReport:
    """What :func:`ingest` would do: everything is read and nothing is changed. Without a store all is new.

    Raises:
        MissingError: a path does not exist.
    """
    started = time.perf_counter()
    listing = discover(paths, READERS)
    reading = _Reading.begun(listing, store.content_hashes() if store else {})
    news = reading.read_through(listing, columns or TableColumns())
    uris = store.uris() if sync and store else {}
    places = stored_at(paths, uris, reading.seen, listing.empty)
    removed = reading.vanished(places)
    if removed:
        reading.remarks += [
            f"{place.fault().message}; the run asks first, or takes --remove-most"
            for place in places
            if place.is_mostly_gone
        ]
    added = [document_id for document_id in news if document_id not in reading.known]
    updated = [document_id for document_id in news if document_id in reading.known]
    return IngestReport(
        corpus=corpus,
        added=len(added),
        updated=len(updated),
        unchanged=reading.unchanged,
        removed=len(removed),
        failed=reading.failed,
        chunks=0,
        events=0,
        failures=tuple(reading.failures),
        notes=tuple(reading.remarks),
        seconds=time.perf_counter() - started,
        planned=Changes(tuple(added), tuple(updated), tuple(removed)),
    )


def _require_most(
    paths: Sequence[Path],
    listing: Listing,
    uris: dict[str, str],
    known: dict[str, str],
    columns: TableColumns,
) -> None:
    """Refuse a sync that would remove most of a place; files are read where their names leave it open.

    Raises:
        MostlyGoneError: it would.
    """
    names = {source.id for source in listing.sources}
    places = stored_at(paths, uris, names, listing.empty)
    if listing.unlisted or not any(place.is_mostly_gone for place in places):
        return
    reading = _Reading.begun(listing, known)
    reading.read_through(listing, columns)
    for place in stored_at(paths, uris, reading.seen, listing.empty):
        if place.is_mostly_gone and not reading.failed:
            raise place.fault()


def ingest_documents(
    documents: Sequence[Document],
    store: CorpusStore,
    embedder: Embedder,
    *,
    conventions: Conventions = USUAL,
    on_progress: Callable[[IngestProgress], None] = lambda _: None,
) -> IngestReport:
    """Bring documents that are in memory into a corpus; what is stored already is not embedded again.

    Raises:
        StoreError: the corpus has another embedder, or another process is writing to it.
    """
    started = time.perf_counter()
    with _writing(store, embedder, Listing()) as run:
        for done, document in enumerate(documents, start=1):
            if run.reading.is_news(document):
                run.take(annotate(document, embedder, conventions))
            on_progress(IngestProgress(done, len(documents), document.id, run.chunks))
        run.write()
    return run.report(0, time.perf_counter() - started)


def reembed(store: CorpusStore, embedder: Embedder) -> None:
    """Embed everything that a corpus holds again, with another embedder.

    Raises:
        StoreError: another process is writing to it.
    """
    with only_writer(store.path), store.changing():
        store.reembed(embedder.identity, lambda chunks: _encode(embedder, chunks))


@dataclass(slots=True)
class _Reading:
    """What is met: what is known of it, what has been counted, and what could not be read."""

    known: dict[str, str]
    """Content hash by document id, as stored before the run."""
    failures: list[Failure]
    failed: int
    remarks: list[str]
    """What else the user should know."""
    seen: dict[str, str] = field(default_factory=dict)
    """Content hash by document id, as met in the run."""
    unchanged: int = 0

    @classmethod
    def begun(cls, listing: Listing, known: dict[str, str]) -> Self:
        """With what is known before anything is read."""
        remarks = [f"no files are in {path}; readable are {' '.join(READERS)}" for path in listing.empty]
        return cls(known, [*listing.left_out, *listing.unlisted], len(listing.unlisted), remarks)

    def read(self, source: SourceFile, columns: TableColumns) -> Iterator[Document]:
        """The documents of a file that are new or changed."""
        try:
            for item in READERS[source.path.suffix.lower()](source, columns):
                if isinstance(item, Failure):
                    self.failed += not item.partial
                    self.failures.append(item)
                elif self.is_news(item):
                    yield item
        except TimelensError as error:
            self.failed += 1
            self.failures.append(Failure(source.id, error.message, error.hint))

    def read_through(self, listing: Listing, columns: TableColumns) -> list[str]:
        """Ids of all documents that are new or changed."""
        return [document.id for source in listing.sources for document in self.read(source, columns)]

    def vanished(self, places: Sequence[Place]) -> list[str]:
        """Ids of what is stored and gone, unless something could not be read; what is kept is said."""
        gone = [document_id for place in places for document_id in place.gone]
        if kept := sum(place.kept for place in places):
            self.remarks.append(f"{kept} documents of other places, which were not named, are kept")
        if gone and self.failed:
            self.remarks.append(
                f"{len(gone)} documents were not met and kept, because some files could not be read"
            )
            return []
        return gone

    def is_news(self, document: Document) -> bool:
        """Whether a document is new or changed; one that cannot be stored is listed as a failure."""
        if not document.facts and not document.text.strip():
            return self._refuse(document.id, "it holds no text", "remove it or fill it")
        if document.id in self.seen:
            if self.seen[document.id] == document.content_hash:
                return False
            error = f"another document of this run has the same id, {document.id}"
            return self._refuse(document.uri, error, "ingest a folder that holds both")
        self.seen[document.id] = document.content_hash
        if self.known.get(document.id) == document.content_hash:
            self.unchanged += 1
            return False
        return True

    def _refuse(self, path: str, error: str, hint: str) -> bool:
        self.failed += 1
        self.failures.append(Failure(path, error, hint))
        return False


@dataclass(slots=True)
class _Run:
    """One run that writes: what waits to be written, and what has been."""

    store: CorpusStore
    embedder: Embedder
    reading: _Reading
    waiting: list[AnnotatedDocument] = field(default_factory=list)
    added: int = 0
    updated: int = 0
    chunks: int = 0
    events: int = 0
    overlong: int = 0
    proposed: Tally = field(default_factory=Tally)

    def take(self, annotated: AnnotatedDocument) -> None:
        """Queue a document, and write when enough wait."""
        self.overlong += annotated.overlong_sentences
        self.waiting.append(annotated)
        if sum(len(item.chunks) for item in self.waiting) >= _CHUNKS_PER_WRITE:
            self.write()

    def write(self) -> None:
        """Embed and store what waits, as one batch."""
        if not self.waiting:
            return
        encoded = _encode(self.embedder, [chunk for item in self.waiting for chunk in item.chunks])
        embedded = []
        first = 0
        for item in self.waiting:
            last = first + len(item.chunks)
            vectors = EncodedDocuments(encoded.vectors[first:last], encoded.spans[first:last])
            embedded.append(EmbeddedDocument(item.document, item.chunks, vectors))
            first = last
        self.store.write(embedded)
        updated = sum(item.document.id in self.reading.known for item in self.waiting)
        self.updated += updated
        self.added += len(self.waiting) - updated
        self.chunks += first
        self.events += sum(len(chunk.events) for item in self.waiting for chunk in item.chunks)
        self.waiting = []

    def report(self, removed: int, seconds: float) -> IngestReport:
        """What has been done."""
        return IngestReport(
            corpus=self.store.path.name,
            added=self.added,
            updated=self.updated,
            unchanged=self.reading.unchanged,
            removed=removed,
            failed=self.reading.failed,
            chunks=self.chunks,
            events=self.events,
            failures=tuple(self.reading.failures),
            notes=self._notes(),
            seconds=seconds,
        )

    def _notes(self) -> tuple[str, ...]:
        """What the user should know beside the counts."""
        notes = [*self.reading.remarks, *([self.proposed.note()] if self.proposed.passages else [])]
        if self.overlong:
            notes.append(
                f"{self.overlong} sentences are longer than the {self.embedder.token_limit} tokens "
                "that the embedder reads; keyword search sees them whole"
            )
        return tuple(notes)


def _encode(embedder: Embedder, chunks: Sequence[Chunk]) -> EncodedDocuments:
    """Vectors of chunks with their titles, and of the sentences in that context."""
    shifts = [len(chunk.content) - len(chunk.text) for chunk in chunks]
    return embedder.encode_documents(
        [chunk.content for chunk in chunks],
        [
            [(start + shift, end + shift) for start, end in chunk.sentences]
            for chunk, shift in zip(chunks, shifts, strict=True)
        ],
    )


@contextmanager
def _writing(store: CorpusStore, embedder: Embedder, listing: Listing) -> Iterator[_Run]:
    """A run that is the only one to write, on a store that is settled before and after."""
    with only_writer(store.path):
        store.require_embedder(embedder.identity)
        with store.changing():
            store.settle()
            yield _Run(store, embedder, _Reading.begun(listing, store.content_hashes()))
            store.settle()
