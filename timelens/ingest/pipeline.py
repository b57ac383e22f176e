"""Ingestion runs: bring a corpus up to date with files. Incremental, and safe to interrupt at any moment."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from timelens.documents import Document
from timelens.embedding import Embedder
from timelens.ingest.annotate import AnnotatedDocument, in_chunks
from timelens.ingest.copies import note_of
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.dating import DatedDocument
from timelens.ingest.encoded_documents import EncodedDocument, encode_chunks, encode_documents
from timelens.ingest.failures import Failure
from timelens.ingest.intake import Intake
from timelens.ingest.progress import OnProgress
from timelens.ingest.proposals import Annotator, Tally, with_proposals
from timelens.ingest.readers import READERS
from timelens.ingest.sources import Listing, SourceFile, discover
from timelens.ingest.stored_comparison import Read, StoredComparison
from timelens.ingest.supervisor import read_in_process
from timelens.ingest.sync_removals import stored_at
from timelens.ingest.worker import Met, Task, Terms
from timelens.processes import Budget
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import only_writer
from timelens.store.rows import EmbeddedDocument
from timelens.temporal.conventions import Conventions

_log = logging.getLogger(__name__)
_CHUNKS_PER_WRITE = 256
_SECONDS_PER_WRITE = 10.0
"""After so long what is read is written, so that an interrupted run of slow or small files keeps it."""
_USUAL_INTAKE = Intake()
_USUAL_TERMS = _USUAL_INTAKE.terms


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids of the documents that a run would add, update or remove."""

    added: tuple[str, ...]
    updated: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Result of one run."""

    corpus: str
    added: int
    updated: int
    unchanged: int
    removed: int
    failed: int
    """Number of files and records of which nothing was stored."""
    chunks: int
    events: int
    failures: tuple[Failure, ...]
    """What failed, in whole or in part, and files of other kinds that were skipped."""
    notes: tuple[str, ...]
    seconds: float
    planned: Changes | None = None
    """For a dry run, the changes that a run would make; the counts are those of these changes."""


def ingest(
    paths: Sequence[Path],
    store: CorpusStore,
    embedder: Embedder,
    intake: Intake = _USUAL_INTAKE,
    *,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Bring files and folders into a corpus.

    Documents whose content is already stored are not embedded again; changed documents replace their chunks.
    With ``intake.sync``, nothing is removed if anything could not be listed or read. Files that cannot be
    read, or documents that exceed the budget, become failures, and the run continues.

    Raises:
        MissingError: a path does not exist, or a pattern of names matches nothing.
        MostlyGoneError: more than half of the stored documents of a place would be removed, and
            ``intake.remove_most`` is not set; nothing has been changed.
        StoreError: the corpus has another embedder, or another process is writing to it.
    """
    started = time.perf_counter()
    listing = discover(paths, READERS, intake.selection)
    if intake.changed is None:
        listing.require_matches()
    else:
        listing = listing.narrowed(intake.changed)
    _log.info("listed: sources %d", len(listing.sources) + len(intake.given))
    with _writing(store, embedder, listing, intake.read) as run:
        listing.sources.extend(intake.given)  # only now: they are not compared with files
        tasks = tasks_of(listing.sources, intake.columns)
        if intake.sync and not intake.remove_most:
            _require_most(listing, run.comparison, tasks, intake.budget)
        run.bring(tasks, intake.terms, on_progress, intake.annotator)
        removed = run.comparison.vanished(listing) if intake.sync else []
        store.remove(removed)
    return run.report(len(removed), time.perf_counter() - started)


def survey(
    paths: Sequence[Path],
    store: CorpusStore | None,
    corpus: str,
    intake: Intake = _USUAL_INTAKE,
    *,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Dry run of :func:`ingest`: everything is read and nothing is changed. Without a store, all is new.

    ``intake.changed`` and ``intake.annotator`` are not used.

    Raises:
        MissingError: a path does not exist.
    """
    started = time.perf_counter()
    listing = discover(paths, READERS, intake.selection)
    listing.require_matches()
    comparison = StoredComparison.begun(listing, store, intake.read)
    listing.sources.extend(intake.given)  # only now: they are not compared with files
    news = comparison.read_through(tasks_of(listing.sources, intake.columns), intake.budget, on_progress)
    removed = comparison.vanished(listing) if intake.sync else []
    comparison.remarks += note_of(comparison.dropped)
    if removed:
        comparison.remarks += [
            f"{place.fault().message}; the ingest itself asks first, or needs --remove-most"
            for place in stored_at(listing, comparison.uris, comparison.met)
            if place.is_mostly_gone
        ]
    added = [document_id for document_id in news if document_id not in comparison.known]
    updated = [document_id for document_id in news if document_id in comparison.known]
    return IngestReport(
        corpus=corpus,
        added=len(added),
        updated=len(updated),
        unchanged=comparison.unchanged,
        removed=len(removed),
        failed=comparison.failed,
        chunks=0,
        events=0,
        failures=tuple(comparison.failures),
        notes=tuple(comparison.remarks),
        seconds=time.perf_counter() - started,
        planned=Changes(tuple(added), tuple(updated), tuple(removed)),
    )


def _require_most(
    listing: Listing, comparison: StoredComparison, tasks: Sequence[Task], budget: Budget
) -> None:
    """Refuse a sync that would remove most documents of a place; files are read if names do not decide it.

    Raises:
        MostlyGoneError: the sync would remove most of a place.
    """
    names = {source.id for source in listing.sources}
    places = stored_at(listing, comparison.uris, names | comparison.met)
    if listing.unlisted or not any(place.is_mostly_gone for place in places):
        return
    trial = comparison.anew(listing)
    trial.read_through(tasks, budget)
    for place in stored_at(listing, trial.uris, trial.met):
        if place.is_mostly_gone and not trial.failed:
            raise place.fault()


def ingest_documents(
    documents: Sequence[Document],
    store: CorpusStore,
    embedder: Embedder,
    terms: Terms = _USUAL_TERMS,
    *,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Bring documents in memory into a corpus; documents already stored are not embedded again.

    Raises:
        StoreError: the corpus has another embedder, or another process is writing to it.
    """
    return _bring(tasks_of(documents), store, embedder, terms, on_progress)


def ingest_some(
    sources: Sequence[SourceFile],
    store: CorpusStore,
    embedder: Embedder,
    terms: Terms,
    *,
    columns: TableColumns | None = None,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Bring only the documents with one of the ids ``terms.only`` from files into a corpus.

    Raises:
        StoreError: the corpus has another embedder, or another process is writing to it.
    """
    return _bring(tasks_of(sources, columns), store, embedder, terms, on_progress)


def _bring(
    tasks: Sequence[Task], store: CorpusStore, embedder: Embedder, terms: Terms, on_progress: OnProgress
) -> IngestReport:
    """A run that writes the documents of tasks and removes nothing."""
    started = time.perf_counter()
    with _writing(store, embedder, Listing()) as run:
        run.bring(tasks, terms, on_progress)
    return run.report(0, time.perf_counter() - started)


def reembed(store: CorpusStore, embedder: Embedder) -> None:
    """Embed all chunks of a corpus again, with another embedder.

    Raises:
        StoreError: another process is writing to the corpus.
    """
    with only_writer(store.path), store.changing():
        store.reembed(embedder.identity, lambda chunks: encode_chunks(embedder, chunks))


@dataclass(slots=True)
class _Run:
    """State of one run that writes: documents waiting to be written, and counts."""

    store: CorpusStore
    embedder: Embedder
    comparison: StoredComparison
    waiting: list[AnnotatedDocument | EncodedDocument] = field(default_factory=list)
    waiting_chunks: int = 0
    written_at: float = field(default_factory=time.monotonic)
    added: int = 0
    updated: int = 0
    events: int = 0
    overlong: int = 0
    is_warm: bool = False
    proposed: Tally = field(default_factory=Tally)

    def bring(
        self, tasks: Sequence[Task], terms: Terms, on_progress: OnProgress, annotator: Annotator | None = None
    ) -> None:
        """Write the new and changed documents of tasks; ``terms.known`` is replaced."""
        terms = replace(terms, known=self.comparison.known)
        with closing(self.comparison.news(tasks, terms, on_progress)) as news:
            for item in news:
                self._take(item, annotator, terms.conventions)
        self._write()

    def _take(
        self,
        news: Met | DatedDocument | EncodedDocument,
        annotator: Annotator | None,
        conventions: Conventions,
    ) -> None:
        """Queue a dated document, and write the queue when it is large enough."""
        if isinstance(news, Met):
            self._warm(news.id)
            return
        annotated = news.annotated if isinstance(news, EncodedDocument) else in_chunks(news, self.embedder)
        if annotator is not None:  # it changes no text, so vectors stay valid
            annotated = with_proposals(annotated, annotator, self.proposed, conventions)
        self.overlong += annotated.overlong_sentences
        self.waiting.append(
            replace(news, annotated=annotated) if isinstance(news, EncodedDocument) else annotated
        )
        self.waiting_chunks += len(annotated.chunks)
        is_late = time.monotonic() - self.written_at >= _SECONDS_PER_WRITE
        if self.waiting_chunks >= _CHUNKS_PER_WRITE or is_late:
            self._write()

    def _warm(self, text: str) -> None:
        """Load the embedder while the first document is dated, unless documents are embedded elsewhere."""
        if not self.is_warm and self.comparison.read is read_in_process:
            self.embedder.encode_documents([text], [()])
            self.is_warm = True

    def _write(self) -> None:
        """Embed the queued documents that have no vectors, and store the queue as one batch."""
        if not self.waiting:
            return
        encoded = iter(
            encode_documents(
                self.embedder, [item for item in self.waiting if isinstance(item, AnnotatedDocument)]
            )
        )
        documents = [item if isinstance(item, EncodedDocument) else next(encoded) for item in self.waiting]
        annotated = [item.annotated for item in documents]
        self.store.write(
            [
                EmbeddedDocument(each.annotated.document, each.annotated.chunks, each.vectors)
                for each in documents
            ]
        )
        _log.info("stored: documents %d, passages %d", len(annotated), self.waiting_chunks)
        updated = sum(item.document.id in self.comparison.known for item in annotated)
        self.updated += updated
        self.added += len(annotated) - updated
        self.comparison.stored += self.waiting_chunks
        self.events += sum(len(chunk.events) for item in annotated for chunk in item.chunks)
        self.waiting, self.waiting_chunks = [], 0
        self.written_at = time.monotonic()

    def report(self, removed: int, seconds: float) -> IngestReport:
        """The result of the run."""
        return IngestReport(
            corpus=self.store.path.name,
            added=self.added,
            updated=self.updated,
            unchanged=self.comparison.unchanged,
            removed=removed,
            failed=self.comparison.failed,
            chunks=self.comparison.stored,
            events=self.events,
            failures=tuple(self.comparison.failures),
            notes=self._notes(),
            seconds=seconds,
        )

    def _notes(self) -> tuple[str, ...]:
        """Notes for the user in addition to the counts."""
        notes = [
            *self.comparison.remarks,
            *note_of(self.comparison.dropped),
            *([self.proposed.note()] if self.proposed.passages else []),
        ]
        if self.overlong:
            notes.append(
                f"sentences longer than the {self.embedder.token_limit} tokens that the embedder reads: "
                f"{self.overlong}; keyword search sees all of them"
            )
        return tuple(notes)


def tasks_of(given: Sequence[SourceFile | Document], columns: TableColumns | None = None) -> list[Task]:
    """Tasks for the other process, with absolute paths, because its working directory may differ."""
    return [
        Task(one, columns or TableColumns())
        if isinstance(one, Document)
        else Task(replace(one, path=one.path.absolute()), columns or TableColumns())
        for one in given
    ]


@contextmanager
def _writing(
    store: CorpusStore, embedder: Embedder, listing: Listing, read: Read = read_in_process
) -> Iterator[_Run]:
    """Context of an exclusive run on a store that is settled before and after."""
    with only_writer(store.path, by_turns=True):
        store.require_embedder(embedder.identity)
        with store.changing():
            store.settle()
            yield _Run(store, embedder, StoredComparison.begun(listing, store, read))
            store.settle()
