"""The Python API of one corpus: ingest, ask, verify, repair."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from timelens import agent
from timelens.agent import Answer, Answerer
from timelens.asking import Askable, answer_of
from timelens.asking_terms import require_day
from timelens.background import finish
from timelens.config import Settings
from timelens.documents import Document
from timelens.embedding import load_reranker
from timelens.errors import BadInputError
from timelens.folders import user_path
from timelens.question.parse import readable
from timelens.retrieval.searcher import Searcher
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import is_there, only_writer
from timelens.store.histogram import FEWEST, Histogram
from timelens.store.location import Location
from timelens.store.overview import CorpusSummary, DocumentOverview
from timelens.store.rows import StoredDocument
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from timelens.ingest.date_columns import TableColumns
    from timelens.ingest.dependent import DependentTable
    from timelens.ingest.patterns import Selection
    from timelens.ingest.pipeline import IngestReport
    from timelens.ingest.progress import IngestProgress
    from timelens.ingest.proposals import Annotator
    from timelens.ingest.repair import Lost, Verification
    from timelens.ingest.sources import SourceFile
    from timelens.ingest.stored_comparison import Read
    from timelens.processes import Budget
    from timelens.store.inspection import OnStep


class Corpus(Askable):
    """A corpus with the configured embedder; both are opened on first use."""

    def __init__(self, path: Location, settings: Settings) -> None:
        super().__init__(settings)
        self.path = path
        self._store: CorpusStore | None = None
        self._searcher: Searcher | None = None

    @property
    def name(self) -> str:
        """The name of the folder; in an object store, the address."""
        return self.path.name

    def exists(self) -> bool:
        """Whether the corpus has been made by an ingest."""
        return is_there(self.path)

    def summary(self) -> CorpusSummary:
        """Counts, span and embedder of the corpus.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version.
        """
        return self._stored().summary()

    def documents(self, within: Interval | None = None) -> list[DocumentOverview]:
        """All documents by title, each with its own day, its number of dated passages and their span.

        Args:
            within: admit only documents with an event that shares a day with it.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version.
        """
        return self._stored().documents(within)

    def histogram(self, bins: int = 60) -> Histogram:
        """The number of events over time, over the span of the corpus.

        Args:
            bins: maximum number of bins, at least 2. A bin has a number of days, weeks, months or years, as
                few as ``bins`` allows.

        Raises:
            BadInputError: ``bins`` is less than 2.
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version.
        """
        if bins < FEWEST:
            raise BadInputError(f"time cannot be divided into {bins} parts", f"choose at least {FEWEST}")
        return self._stored().histogram(bins)

    def document(self, document_id: str) -> StoredDocument:
        """A stored document with all its chunks in order. May be called from any thread.

        Raises:
            MissingError: there is no such corpus, or no such document in it.
            StoreError: the corpus is damaged or of another version.
        """
        return CorpusStore(self.path).document(document_id)

    def tables(self, keys: Sequence[str] = ()) -> "list[DependentTable]":
        """The temporal databases of the corpus, with functional dependencies and the rows that break them.

        Args:
            keys: keys in addition to those of the settings (:attr:`timelens.config.TableSettings.keys`).

        Raises:
            MissingError: there is no such corpus.
            BadInputError: no table has the columns of one of ``keys``.
            StoreError: the corpus is damaged or of another version.
        """
        from timelens.ingest.dependent import with_dependencies

        return with_dependencies(self._stored().tables(), self.settings.tables.keys, keys, self.name)

    def ingest(
        self,
        paths: Sequence[Path | str],
        *,
        selection: "Selection | None" = None,
        changed: Collection[Path] | None = None,
        given: "Sequence[SourceFile]" = (),
        columns: "TableColumns | None" = None,
        sync: bool = False,
        remove_most: bool = False,
        annotator: "Annotator | None" = None,
        engine: str = "local",
        address: str | None = None,
        on_progress: "Callable[[IngestProgress], None]" = lambda _: None,
    ) -> "IngestReport":
        """Ingest files and folders; see :func:`timelens.ingest.pipeline.ingest`.

        :class:`timelens.ingest.intake.Intake` says what the arguments mean.
        With the engine ``ray`` the workers of a cluster read and embed the files: the cluster at ``address``
        (:func:`timelens.cluster.joined`), or a temporary one on this machine.

        Raises:
            BadInputError: the corpus cannot be created, one of the paths is not a path, or there is no such
                engine.
            MissingError: one of the paths does not exist, a pattern matches nothing, Ray is not installed, or
                there is no cluster at the address.
            MostlyGoneError: ``sync`` would remove most of the stored documents of a folder.
            StoreError: the corpus has another embedder, or another process is writing to it.
        """
        from timelens.ingest.patterns import USUAL_FILES
        from timelens.ingest.sources import Root

        wanted = [user_path(path) for path in paths]
        for path in wanted:
            Root.named(path)
        read = self._read(engine, address)
        from timelens.ingest.date_columns import TableColumns
        from timelens.ingest.intake import Intake
        from timelens.ingest.pipeline import ingest

        intake = Intake(
            selection=selection or USUAL_FILES,
            changed=changed,
            given=given,
            columns=columns or TableColumns(),
            sync=sync,
            remove_most=remove_most,
            annotator=annotator,
            conventions=self.settings.time.conventions,
            budget=self._budget(),
            read=read,
        )
        return ingest(wanted, self._made(), self._embed(), intake, on_progress=on_progress)

    def survey(
        self,
        paths: Sequence[Path | str],
        *,
        selection: "Selection | None" = None,
        given: "Sequence[SourceFile]" = (),
        columns: "TableColumns | None" = None,
        sync: bool = False,
        engine: str = "local",
        address: str | None = None,
        on_progress: "Callable[[IngestProgress], None]" = lambda _: None,
    ) -> "IngestReport":
        """A dry run of :meth:`ingest`: files are read, nothing is written.

        Raises:
            BadInputError: there is no such engine.
            MissingError: one of the paths does not exist, Ray is not installed, or there is no cluster at the
                address.
            StoreError: the corpus is damaged, or has another embedder.
        """
        from timelens.ingest.date_columns import TableColumns
        from timelens.ingest.intake import Intake
        from timelens.ingest.patterns import USUAL_FILES
        from timelens.ingest.pipeline import survey

        store = CorpusStore(self.path) if self.exists() else None
        if store is not None:
            store.require_embedder(self._embed().identity)
        wanted = [user_path(path) for path in paths]
        intake = Intake(
            selection=selection or USUAL_FILES,
            given=given,
            columns=columns or TableColumns(),
            sync=sync,
            budget=self._budget(),
            read=self._read(engine, address),
        )
        return survey(wanted, store, self.name, intake, on_progress=on_progress)

    def ingest_documents(
        self,
        documents: Sequence[Document],
        *,
        on_progress: "Callable[[IngestProgress], None]" = lambda _: None,
    ) -> "IngestReport":
        """Ingest documents in memory; documents that are already stored are skipped.

        Raises:
            BadInputError: the corpus cannot be created.
            StoreError: the corpus has another embedder, or another process is writing to it.
        """
        from timelens.ingest.pipeline import ingest_documents
        from timelens.ingest.worker import Terms

        terms = Terms({}, self.settings.time.conventions, self._budget())
        return ingest_documents(documents, self._made(), self._embed(), terms, on_progress=on_progress)

    def reembed(self) -> None:
        """Replace the stored vectors with vectors of the configured embedder.

        Raises:
            MissingError: there is no such corpus, or no such embedder.
            StoreError: another process is writing to it.
        """
        from timelens.ingest.pipeline import reembed

        reembed(self._stored(), self._embed())

    def verify(self, on_step: "OnStep" = lambda *_: None) -> "Verification":
        """Read the whole corpus and list damaged files and documents.

        Raises:
            MissingError: there is no such corpus.
            StoreError: a repair was interrupted, or the corpus is of another version.
        """
        from timelens.ingest.repair import verify

        return verify(self.path, on_step)

    def repair(
        self,
        *,
        columns: "TableColumns | None" = None,
        lost: "Lost | None" = None,
        on_step: "OnStep" = lambda *_: None,
    ) -> "Verification":
        """Verify the corpus, and read damaged documents again from their files.

        Args:
            columns: the columns with which its tables were ingested.
            lost: what to do with damaged documents whose files are gone.
            on_step: called with the progress.

        Raises:
            MissingError: there is no such corpus.
            StoreError: files of damaged documents are gone and ``lost`` is not given; the corpus has another
                embedder or version; or another process is writing to it.
        """
        from timelens.ingest.repair import repair

        self._store = self._searcher = None
        return repair(
            self.path,
            self._embed(),
            columns=columns,
            lost=lost,
            conventions=self.settings.time.conventions,
            budget=self._budget(),
            on_step=on_step,
        )

    def compact(self) -> tuple[int, int]:
        """Merge fragments and delete old versions. Returns the size in bytes before and after.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version, or another process is writing to it.
        """
        store = CorpusStore(self.path)
        with only_writer(self.path):
            before = store.size()
            with store.changing():
                store.compact()
            return before, store.size()

    def ask_given(
        self, question: str, sources: Sequence[str], *, as_of: Day, answerer: Answerer | None = None
    ) -> Answer:
        """Answer a question from given documents instead of retrieved ones.

        Args:
            question: in natural language.
            sources: ids of documents, or of parts with their own ids, best first. If empty, the answerer
                answers without evidence (closed book).
            as_of: the reference day ("now") of the question.
            answerer: the model that answers.

        Raises:
            BadInputError: the question is empty, there is neither evidence nor a model, or ``as_of`` is not a
                day number.
            MissingError: there is no such corpus.
        """
        require_day(as_of)
        store = self._stored()
        chunks = store.chunks_from(sources)
        if not chunks and answerer is None:
            raise BadInputError("there is no evidence and no model to answer with", "name a model")
        stream = agent.run_on(
            readable(question),
            chunks,
            reference_day=as_of,
            span=store.span(),
            answerer=answerer,
            conventions=self.settings.time.conventions,
            risk=self.settings.risk,
        )
        return finish(answer_of(stream))

    def _read(self, engine: str, address: str | None) -> "Read":
        """The reader of files for an engine; for the local one, its process is started ahead of time."""
        from timelens.cluster import is_on_ray
        from timelens.ingest.supervisor import read_in_process, start_ahead

        if not is_on_ray(engine, address):
            start_ahead()
            return read_in_process
        from timelens.embedding.portable import PortableEmbedder
        from timelens.ingest.distributed import Distributed

        identity = self._embed().identity
        load = PortableEmbedder.of(self.settings.embedder, identity, with_files=address is not None)
        return Distributed(load, identity, address, takes_gpus=self.settings.embedder.device != "cpu")

    def _budget(self) -> "Budget":
        from timelens.processes import Budget

        return Budget(**self.settings.ingest.model_dump())

    def _made(self) -> CorpusStore:
        """The stored corpus, created if there is none."""
        identity = self._embed().identity
        try:
            return CorpusStore.create(self.path, identity)
        except OSError as error:
            raise BadInputError(
                f"no corpus can be made at {self.path}: {error.strerror}",
                "name another, or set TIMELENS_HOME to a folder that can be written",
            ) from error

    def _search(self) -> Searcher:
        if self._searcher is None:
            self._searcher = Searcher(self._stored(), self._embed(), load_reranker(self.settings.reranker))
        return self._searcher

    def _stored(self) -> CorpusStore:
        """The stored corpus, opened once."""
        if self._store is None:
            self._store = CorpusStore(self.path)
        return self._store
