"""Ingest: files in, an up-to-date corpus out. Incremental, and safe to interrupt at any moment."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from timelens.documents import Chunk, Document
from timelens.embedding import Embedder, EncodedDocuments
from timelens.errors import StoreError, TimelensError
from timelens.ingest.annotate import AnnotatedDocument, annotate
from timelens.ingest.failures import Failure
from timelens.ingest.proposals import Annotator, Tally, with_proposals
from timelens.ingest.readers import READERS
from timelens.ingest.sources import SourceFile, discover
from timelens.ingest.tables import TableColumns
from timelens.store.corpus import WRITE_LOCK, CorpusStore
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.conventions import USUAL, Conventions

_CHUNKS_PER_WRITE = 256


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
    annotator: Annotator | None = None,
    conventions: Conventions = USUAL,
    on_progress: Callable[[IngestProgress], None] = lambda _: None,
) -> IngestReport:
    """Bring files and folders into a corpus.

    Documents whose content is stored already are not embedded again, changed ones replace their old
    chunks, and with ``sync`` those that were not met in this run are removed. What cannot be read is
    listed and the rest goes on. An ``annotator`` proposes dated statements beside the rules.

    Raises:
        MissingError: a path does not exist.
        StoreError: the corpus has another embedder, or another process is ingesting into it.
    """
    started = time.perf_counter()
    sources, left_out = discover(paths, READERS)
    with _writing(store, embedder, left_out) as run:
        if not sources and not left_out:
            run.remarks.append(
                f"no files are in {', '.join(map(str, paths))}; readable are {' '.join(READERS)}"
            )
        for done, source in enumerate(sources):
            for document in run.read(source, columns or TableColumns()):
                annotated = annotate(document, embedder, conventions)
                if annotator is not None:
                    annotated = with_proposals(annotated, annotator, run.proposed, conventions)
                run.take(annotated)
                on_progress(IngestProgress(done, len(sources), document.id, run.chunks))
            on_progress(IngestProgress(done + 1, len(sources), source.id, run.chunks))
        run.write()
        removed = run.remove_vanished() if sync else 0
    return run.report(removed, time.perf_counter() - started)


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
        StoreError: the corpus has another embedder, or another process is ingesting into it.
    """
    started = time.perf_counter()
    with _writing(store, embedder, []) as run:
        for done, document in enumerate(documents, start=1):
            if run.is_news(document):
                run.take(annotate(document, embedder, conventions))
            on_progress(IngestProgress(done, len(documents), document.id, run.chunks))
        run.write()
    return run.report(0, time.perf_counter() - started)


def reembed(store: CorpusStore, embedder: Embedder) -> None:
    """Embed everything that a corpus holds again, with another embedder.

    Raises:
        StoreError: another process is ingesting into it.
    """
    with _only_writer(store.path):
        store.reembed(embedder.identity, lambda chunks: _encode(embedder, chunks))


@dataclass(slots=True)
class _Run:
    """One run: what is known, what waits to be written, what has been counted."""

    store: CorpusStore
    embedder: Embedder
    known: dict[str, str]
    """Content hash by document id, as stored before the run."""
    failures: list[Failure]
    seen: dict[str, str] = field(default_factory=dict)
    """Content hash by document id, as met in the run."""
    waiting: list[AnnotatedDocument] = field(default_factory=list)
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    failed: int = 0
    chunks: int = 0
    events: int = 0
    overlong: int = 0
    kept: int = 0
    proposed: Tally = field(default_factory=Tally)
    remarks: list[str] = field(default_factory=list)
    """What else the user should know."""

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
        updated = sum(item.document.id in self.known for item in self.waiting)
        self.updated += updated
        self.added += len(self.waiting) - updated
        self.chunks += first
        self.events += sum(len(chunk.events) for item in self.waiting for chunk in item.chunks)
        self.waiting = []

    def remove_vanished(self) -> int:
        """Remove what is stored and was not met, unless something could not be read."""
        vanished = [document_id for document_id in self.known if document_id not in self.seen]
        if self.failed:
            self.kept = len(vanished)
            return 0
        self.store.remove(vanished)
        return len(vanished)

    def report(self, removed: int, seconds: float) -> IngestReport:
        """What has been done."""
        return IngestReport(
            corpus=self.store.path.name,
            added=self.added,
            updated=self.updated,
            unchanged=self.unchanged,
            removed=removed,
            failed=self.failed,
            chunks=self.chunks,
            events=self.events,
            failures=tuple(self.failures),
            notes=self._notes(),
            seconds=seconds,
        )

    def _notes(self) -> tuple[str, ...]:
        """What the user should know beside the counts."""
        notes = [*self.remarks, *([self.proposed.note()] if self.proposed.passages else [])]
        if self.overlong:
            notes.append(
                f"{self.overlong} sentences are longer than the {self.embedder.token_limit} tokens "
                "that the embedder reads; keyword search sees them whole"
            )
        if self.kept:
            notes.append(f"{self.kept} documents were not met and kept, because some files could not be read")
        return tuple(notes)

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
def _writing(store: CorpusStore, embedder: Embedder, failures: list[Failure]) -> Iterator[_Run]:
    """A run that is the only one to write, on a store that is settled before and after."""
    with _only_writer(store.path):
        store.require_embedder(embedder.identity)
        store.settle()
        yield _Run(store, embedder, store.content_hashes(), failures)
        store.settle()


@contextmanager
def _only_writer(path: Path) -> Iterator[None]:
    try:
        with FileLock(path / WRITE_LOCK, timeout=0):
            yield
    except Timeout as error:
        raise StoreError(
            f"another process is ingesting into {path.name}", "wait until it has finished, then repeat"
        ) from error
