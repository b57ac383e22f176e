"""Ingest: files in, an up-to-date corpus out. Incremental, and safe to interrupt at any moment."""

import os
import time
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from timelens.documents import Chunk, Document
from timelens.embedding import Embedder, EncodedDocuments
from timelens.ingest.annotate import AnnotatedDocument, DatedDocument, in_chunks
from timelens.ingest.failures import Failure
from timelens.ingest.patterns import USUAL_FILES, Selection
from timelens.ingest.places import stored_at
from timelens.ingest.proposals import Annotator, Tally, with_proposals
from timelens.ingest.readers import READERS
from timelens.ingest.sources import Listing, SourceFile, discover
from timelens.ingest.supervisor import Moment, read_apart
from timelens.ingest.tables import TableColumns
from timelens.ingest.worker import Budget, Met, Task, Terms
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
    """How far a run is: after each document and each file, and each second in which neither is done."""

    files_done: int
    files: int
    document_id: str
    """The last one that was met."""
    chunks_stored: int
    bytes_done: int
    """Of the files; of one that is being read, about as much as the text met in it."""
    bytes: int


OnProgress = Callable[[IngestProgress], None]


def ingest(
    paths: Sequence[Path],
    store: CorpusStore,
    embedder: Embedder,
    *,
    selection: Selection = USUAL_FILES,
    changed: Collection[Path] | None = None,
    given: Sequence[SourceFile] = (),
    columns: TableColumns | None = None,
    sync: bool = False,
    remove_most: bool = False,
    annotator: Annotator | None = None,
    conventions: Conventions = USUAL,
    budget: Budget | None = None,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Bring files and folders into a corpus.

    Documents whose content is stored already are not embedded again, and changed ones replace their old
    chunks. With ``sync`` those that were not met are removed, where they came from the named places or
    their file is gone, and nothing where anything could not be listed or read. What cannot be read is
    listed and the rest goes on; so is what takes more than the ``budget`` of a document. What is ``given``
    comes from elsewhere, as from standard input, and is read as well. An ``annotator`` proposes dated
    statements beside the rules.

    Where it is known which files have ``changed``, come or gone since an earlier run, no others are read.

    Raises:
        MissingError: a path does not exist, or a pattern of names matches nothing.
        MostlyGoneError: more than half of what is stored of a place would be removed, and ``remove_most``
            is not set; nothing has been changed.
        StoreError: the corpus has another embedder, or another process is writing to it.
    """
    started = time.perf_counter()
    listing = discover(paths, READERS, selection)
    if changed is None:
        listing.require_matches()
    else:
        listing = listing.narrowed(changed)
    listing.sources.extend(given)
    tasks = _tasks(listing.sources, columns)
    budget = budget or Budget()
    with _writing(store, embedder, listing) as run:
        if sync and not remove_most:
            _require_most(listing, run.reading, tasks, budget)
        terms = Terms(run.reading.known, conventions, budget)
        with closing(run.reading.news(tasks, terms, on_progress)) as news:
            for item in news:
                run.take(item, annotator, conventions)
        run.write()
        removed = run.reading.vanished(listing) if sync else []
        store.remove(removed)
    return run.report(len(removed), time.perf_counter() - started)


def survey(
    paths: Sequence[Path],
    store: CorpusStore | None,
    corpus: str,
    *,
    selection: Selection = USUAL_FILES,
    given: Sequence[SourceFile] = (),
    columns: TableColumns | None = None,
    sync: bool = False,
    budget: Budget | None = None,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """What :func:`ingest` would do: everything is read and nothing is changed. Without a store all is new.

    Raises:
        MissingError: a path does not exist.
    """
    started = time.perf_counter()
    listing = discover(paths, READERS, selection)
    listing.require_matches()
    listing.sources.extend(given)
    reading = _Reading.begun(listing, store)
    news = reading.read_through(_tasks(listing.sources, columns), budget or Budget(), on_progress)
    removed = reading.vanished(listing) if sync else []
    if removed:
        reading.remarks += [
            f"{place.fault().message}; the run asks first, or takes --remove-most"
            for place in stored_at(listing, reading.uris, reading.met)
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


def _require_most(listing: Listing, reading: "_Reading", tasks: Sequence[Task], budget: Budget) -> None:
    """Refuse a sync that would remove most of a place; files are read where their names leave it open.

    Raises:
        MostlyGoneError: it would.
    """
    names = {source.id for source in listing.sources}
    places = stored_at(listing, reading.uris, names | reading.met)
    if listing.unlisted or not any(place.is_mostly_gone for place in places):
        return
    trial = reading.anew(listing)
    trial.read_through(tasks, budget)
    for place in stored_at(listing, trial.uris, trial.met):
        if place.is_mostly_gone and not trial.failed:
            raise place.fault()


def ingest_documents(
    documents: Sequence[Document],
    store: CorpusStore,
    embedder: Embedder,
    *,
    conventions: Conventions = USUAL,
    budget: Budget | None = None,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Bring documents that are in memory into a corpus; what is stored already is not embedded again.

    Raises:
        StoreError: the corpus has another embedder, or another process is writing to it.
    """
    started = time.perf_counter()
    with _writing(store, embedder, Listing()) as run:
        terms = Terms(run.reading.known, conventions, budget or Budget())
        with closing(run.reading.news(_tasks(documents), terms, on_progress)) as news:
            for item in news:
                run.take(item)
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
    uris: dict[str, str]
    """Where each stored document came from, by its id."""
    failures: list[Failure]
    failed: int
    remarks: list[str]
    """What else the user should know."""
    seen: dict[str, str]
    """Content hash by document id, as met in the run, or stored of a file that is not read again."""
    untouched: frozenset[str]
    """Ids of documents of files that have not changed."""
    unchanged: int = 0
    stored: int = 0
    """Chunks that were written."""

    @classmethod
    def begun(cls, listing: Listing, store: CorpusStore | None) -> Self:
        """With what is known before anything is read."""
        known, uris = (store.content_hashes(), store.uris()) if store else ({}, {})
        return cls._of(listing, known, uris)

    def anew(self, listing: Listing) -> Self:
        """As it was before anything was read."""
        return self._of(listing, self.known, self.uris)

    @classmethod
    def _of(cls, listing: Listing, known: dict[str, str], uris: dict[str, str]) -> Self:
        remarks = [f"no files are in {path}; readable are {' '.join(READERS)}" for path in listing.empty]
        unread = {source.uri for source in listing.unread}
        changed = {path.resolve().as_posix() for path in listing.changed or ()}
        return cls(
            known,
            uris,
            failures=[*listing.left_out, *listing.unlisted],
            failed=len(listing.unlisted),
            remarks=remarks + (listing.notes() if listing.changed is None else []),
            seen={name: known[name] for name, uri in uris.items() if uri in unread and name in known},
            untouched=frozenset(
                name for name, uri in uris.items() if listing.changed is not None and uri not in changed
            ),
        )

    @property
    def met(self) -> set[str]:
        """Ids of documents that are not gone."""
        return {*self.seen, *self.untouched}

    def news(
        self, tasks: Sequence[Task], terms: Terms, on_progress: OnProgress
    ) -> Generator[Met | DatedDocument, None, None]:
        """Each document that is new or changed as it is met, and again with its dates unless they fail."""
        steps = _Steps(tasks, self, on_progress)
        wanted = False
        with closing(read_apart(tasks, terms)) as answers:
            for answer in answers:
                if isinstance(answer, Failure):
                    self._list(answer)
                elif isinstance(answer, Met):
                    wanted = self.is_news(answer)
                    steps.meet(answer)
                    if wanted:
                        yield answer
                elif isinstance(answer, DatedDocument):
                    if wanted:
                        yield answer
                        steps.finish()
                else:
                    steps.pass_moment(answer)

    def read_through(
        self, tasks: Sequence[Task], budget: Budget, on_progress: OnProgress = lambda _: None
    ) -> list[str]:
        """Ids of all documents that are new or changed; they are not dated."""
        terms = Terms(self.known, budget=budget, dates=False)
        return [met.id for met in self.news(tasks, terms, on_progress) if isinstance(met, Met)]

    def vanished(self, listing: Listing) -> list[str]:
        """Ids of what is stored and gone, unless something could not be read; what is kept is said."""
        places = stored_at(listing, self.uris, self.met)
        gone = [document_id for place in places for document_id in place.gone]
        if kept := sum(place.kept for place in places):
            self.remarks.append(f"{kept} documents of other places, which were not named, are kept")
        if gone and self.failed:
            self.remarks.append(
                f"{len(gone)} documents were not met and kept, because some files could not be read"
            )
            return []
        listed = {source.uri for source in (*listing.sources, *listing.unread)} if gone else set()
        left = [name for name in gone if self.uris[name] not in listed and os.path.lexists(self.uris[name])]
        if left:
            self.remarks.append(
                f"{len(left)} of the removed documents are of files that are there, but not read any more"
            )
        return gone

    def is_news(self, met: Met) -> bool:
        """Whether a document is new or changed; one that cannot be stored is listed as a failure."""
        if met.is_empty:
            return self._refuse(met.id, "it holds no text", "remove it or fill it")
        if met.id in self.seen:
            if self.seen[met.id] == met.content_hash:
                return False
            error = f"another document of this run has the same id, {met.id}"
            return self._refuse(met.uri, error, "ingest a folder that holds both")
        self.seen[met.id] = met.content_hash
        if self.known.get(met.id) == met.content_hash:
            self.unchanged += 1
            return False
        return True

    def _refuse(self, path: str, error: str, hint: str) -> bool:
        self._list(Failure(path, error, hint))
        return False

    def _list(self, failure: Failure) -> None:
        self.failed += not failure.partial
        self.failures.append(failure)


class _Steps:
    """How far the reading of some tasks is."""

    def __init__(self, tasks: Sequence[Task], reading: _Reading, on_progress: OnProgress) -> None:
        self._sizes = [_size(task) for task in tasks]
        self._all = sum(self._sizes)
        self._reading = reading
        self._on_progress = on_progress
        self._files = self._bytes = self._letters = self._begun = 0
        self._id = ""

    def meet(self, met: Met) -> None:
        """A document was met; the one before it is done."""
        self._id = met.id
        self._letters += self._begun
        self._begun = met.letters

    def finish(self) -> None:
        """The document was dated and taken."""
        self._letters += self._begun
        self._begun = 0
        self.tell()

    def pass_moment(self, moment: Moment) -> None:
        """A file is done, or nothing happened for a while."""
        if moment is Moment.TASK_DONE:
            self._bytes += self._sizes[self._files]
            self._files += 1
            self._letters = self._begun = 0
        self.tell()

    def tell(self) -> None:
        """Report it."""
        of_file = min(self._letters, self._sizes[self._files]) if self._files < len(self._sizes) else 0
        self._on_progress(
            IngestProgress(
                files_done=self._files,
                files=len(self._sizes),
                document_id=self._id,
                chunks_stored=self._reading.stored,
                bytes_done=self._bytes + of_file,
                bytes=self._all,
            )
        )


@dataclass(slots=True)
class _Run:
    """One run that writes: what waits to be written, and what has been."""

    store: CorpusStore
    embedder: Embedder
    reading: _Reading
    waiting: list[AnnotatedDocument] = field(default_factory=list)
    added: int = 0
    updated: int = 0
    events: int = 0
    overlong: int = 0
    is_warm: bool = False
    proposed: Tally = field(default_factory=Tally)

    def take(
        self,
        news: Met | DatedDocument,
        annotator: Annotator | None = None,
        conventions: Conventions = USUAL,
    ) -> None:
        """Queue a document that has its dates, and write when enough wait."""
        if isinstance(news, Met):
            self._warm(news.id)
            return
        annotated = in_chunks(news, self.embedder)
        if annotator is not None:
            annotated = with_proposals(annotated, annotator, self.proposed, conventions)
        self.overlong += annotated.overlong_sentences
        self.waiting.append(annotated)
        if sum(len(item.chunks) for item in self.waiting) >= _CHUNKS_PER_WRITE:
            self.write()

    def _warm(self, text: str) -> None:
        """Load the embedder while the first document is dated."""
        if not self.is_warm:
            self.embedder.encode_documents([text], [()])
            self.is_warm = True

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
        self.reading.stored += first
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
            chunks=self.reading.stored,
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


def _tasks(given: Sequence[SourceFile | Document], columns: TableColumns | None = None) -> list[Task]:
    """What the other process is to read; it may stand in another folder."""
    return [
        Task(one, columns or TableColumns())
        if isinstance(one, Document)
        else Task(replace(one, path=one.path.absolute()), columns or TableColumns())
        for one in given
    ]


def _size(task: Task) -> int:
    """Bytes of a file, or letters of a document."""
    if isinstance(task.given, Document):
        return len(task.given.text)
    try:
        return task.given.path.stat().st_size
    except OSError:  # who reads it says so
        return 0


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
            yield _Run(store, embedder, _Reading.begun(listing, store))
            store.settle()
