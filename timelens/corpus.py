"""The Python API of one corpus: ingest, ask, verify, repair."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from timelens import agent
from timelens.agent import Answer, Answerer
from timelens.asking import Askable, answer_of
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
    from timelens.ingest.dependent import DependentTable
    from timelens.ingest.patterns import Selection
    from timelens.ingest.pipeline import IngestReport
    from timelens.ingest.progress import IngestProgress
    from timelens.ingest.proposals import Annotator
    from timelens.ingest.repair import Lost, Verification
    from timelens.ingest.sources import SourceFile
    from timelens.ingest.stored_comparison import Read
    from timelens.ingest.tables import TableColumns
    from timelens.processes import Budget
    from timelens.store.inspection import OnStep


class Corpus(Askable):
    """A corpus by name, with the configured embedder; both are opened when first needed."""

    def __init__(self, path: Location, settings: Settings) -> None:
        super().__init__(settings)
        self.path = path
        self._store: CorpusStore | None = None
        self._searcher: Searcher | None = None

    @property
    def name(self) -> str:
        """The name of its folder; in an object store its address."""
        return self.path.name

    def exists(self) -> bool:
        """Whether anything was ever ingested into it."""
        return is_there(self.path)

    def summary(self) -> CorpusSummary:
        """What it holds.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version.
        """
        return self._stored().summary()

    def documents(self, within: Interval | None = None) -> list[DocumentOverview]:
        """Its documents by title, each with its own day, its dated passages and the time that they span.

        Args:
            within: admit only documents with an event that shares a day with it.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version.
        """
        return self._stored().documents(within)

    def histogram(self, bins: int = 60) -> Histogram:
        """How many events its documents speak of, over its span.

        Args:
            bins: the most stretches, at least 2. They are of days, weeks, months or
                years, as short as that allows.

        Raises:
            BadInputError: ``bins`` is less than 2.
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version.
        """
        if bins < FEWEST:
            raise BadInputError(f"time cannot be divided into {bins} parts", f"choose at least {FEWEST}")
        return self._stored().histogram(bins)

    def document(self, document_id: str) -> StoredDocument:
        """A document as it is stored, with all its chunks in order. Any thread may ask for it.

        Raises:
            MissingError: there is no such corpus, or no such document in it.
            StoreError: the corpus is damaged or of another version.
        """
        return CorpusStore(self.path).document(document_id)

    def tables(self, keys: Sequence[str] = ()) -> "list[DependentTable]":
        """Its temporal databases, with their functional dependencies and the rows that break them.

        Args:
            keys: declared beside those of the settings (:attr:`timelens.config.TableSettings.keys`).

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
        """Bring files and folders in; see :func:`timelens.ingest.pipeline.ingest`.

        With the engine ``ray`` the workers of a cluster read and embed: of the one at the ``address``
        (:func:`timelens.cluster.joined`), or of one that is started on this machine for as long as it takes.

        Raises:
            BadInputError: no corpus can be made at its path, or one of the paths is none; no such engine.
            MissingError: one of the paths does not exist, or a pattern of names matches nothing; Ray is not
                installed, or its cluster not there.
            MostlyGoneError: ``sync`` would remove most of what is stored of a place.
            StoreError: the corpus has another embedder, or another process is writing to it.
        """
        from timelens.ingest.patterns import USUAL_FILES
        from timelens.ingest.sources import Root

        wanted = [user_path(path) for path in paths]
        for path in wanted:
            Root.named(path)
        read = self._read(engine, address)
        from timelens.ingest.pipeline import ingest

        return ingest(
            wanted,
            self._made(),
            self._embed(),
            selection=selection or USUAL_FILES,
            changed=changed,
            given=given,
            columns=columns,
            sync=sync,
            remove_most=remove_most,
            annotator=annotator,
            conventions=self.settings.time.conventions,
            budget=self._budget(),
            read=read,
            on_progress=on_progress,
        )

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
        """What :meth:`ingest` would do, which is read and not done.

        Raises:
            BadInputError: there is no such engine.
            MissingError: one of the paths does not exist; Ray is not installed, or its cluster not there.
            StoreError: the corpus is damaged, or has another embedder.
        """
        from timelens.ingest.patterns import USUAL_FILES
        from timelens.ingest.pipeline import survey

        store = CorpusStore(self.path) if self.exists() else None
        if store is not None:
            store.require_embedder(self._embed().identity)
        wanted = [user_path(path) for path in paths]
        return survey(
            wanted,
            store,
            self.name,
            selection=selection or USUAL_FILES,
            given=given,
            columns=columns,
            sync=sync,
            budget=self._budget(),
            read=self._read(engine, address),
            on_progress=on_progress,
        )

    def ingest_documents(
        self,
        documents: Sequence[Document],
        *,
        on_progress: "Callable[[IngestProgress], None]" = lambda _: None,
    ) -> "IngestReport":
        """Bring documents in that are in memory already; those that are stored cost nothing.

        Raises:
            BadInputError: no corpus can be made at its path.
            StoreError: the corpus has another embedder, or another process is writing to it.
        """
        from timelens.ingest.pipeline import ingest_documents

        return ingest_documents(
            documents,
            self._made(),
            self._embed(),
            conventions=self.settings.time.conventions,
            budget=self._budget(),
            on_progress=on_progress,
        )

    def reembed(self) -> None:
        """Put vectors of the configured embedder in place of those that are stored.

        Raises:
            StoreError: another process is writing to it.
        """
        from timelens.ingest.pipeline import reembed

        reembed(self._stored(), self._embed())

    def verify(self, on_step: "OnStep" = lambda *_: None) -> "Verification":
        """Read all of it and find which files and documents are damaged.

        Raises:
            MissingError: there is no such corpus.
            StoreError: its repair was cut short, or it is of another version.
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
        """Verify it and mend what is damaged from the files that it was made from.

        Args:
            columns: those with which its tables were ingested.
            lost: what becomes of damaged documents that no file holds any more.
            on_step: is told how far it is.

        Raises:
            MissingError: there is no such corpus.
            StoreError: damaged documents are lost, and ``lost`` is not given; the corpus has another embedder
                or version; or another process is writing to it.
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
        """Merge what was written in parts and delete what nothing needs. Returns its bytes before and after.

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
        """Answer a question from documents that are given, in place of what would be found.

        Args:
            question: in natural language.
            sources: ids of documents, or of parts that have ids of their own, best first. Without any the
                answerer answers from what it knows (closed book).
            as_of: the reference day, "now" for the question.
            answerer: the model to answer with.

        Raises:
            BadInputError: the question is empty, or there is neither evidence nor a model.
            MissingError: there is no such corpus.
        """
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
        """How files are read with an engine; the process that reads them here begins to start."""
        from timelens.cluster import is_on_ray
        from timelens.ingest.supervisor import read_apart, start_ahead

        if not is_on_ray(engine, address):
            start_ahead()
            return read_apart
        from timelens.embedding.portable import PortableEmbedder
        from timelens.ingest.distributed import Distributed

        identity = self._embed().identity
        load = PortableEmbedder.of(self.settings.embedder, identity, with_files=address is not None)
        return Distributed(load, identity, address, takes_gpus=self.settings.embedder.device != "cpu")

    def _budget(self) -> "Budget":
        from timelens.processes import Budget

        return Budget(**self.settings.ingest.model_dump())

    def _made(self) -> CorpusStore:
        """The corpus on disk, made where there is none."""
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
        """The corpus on disk, opened once."""
        if self._store is None:
            self._store = CorpusStore(self.path)
        return self._store
