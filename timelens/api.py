"""The Python API: open a corpus, ingest, search, ask. Every face of timelens uses this and nothing else."""

import re
import textwrap
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from timelens import agent
from timelens.agent import AgentEvent, Answer, Answered, Answerer, Evidence, Parser
from timelens.config import Settings
from timelens.documents import Document, Hit
from timelens.embedding import Embedder, load_embedder, load_reranker
from timelens.errors import BadInputError, MissingError
from timelens.folders import home, user_path
from timelens.question.conversation import Turn
from timelens.question.followup import resolve
from timelens.question.model import Period
from timelens.question.parse import readable
from timelens.reader.model import bundled_reader
from timelens.reader.values import bundled_values_reader
from timelens.reader.whether import bundled_whether_reader
from timelens.retrieval.model import Coverage, Summariser
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import strategy_named
from timelens.store.corpus import CorpusStore, CorpusSummary
from timelens.store.folder import is_there, only_writer
from timelens.store.location import Location, address, is_address
from timelens.store.rows import StoredTable
from timelens.temporal.calendar import Day

if TYPE_CHECKING:
    from timelens.ingest.dependencies import Dependency
    from timelens.ingest.patterns import Selection
    from timelens.ingest.pipeline import IngestReport
    from timelens.ingest.progress import IngestProgress
    from timelens.ingest.proposals import Annotator
    from timelens.ingest.repair import Lost, Verification
    from timelens.ingest.sources import SourceFile
    from timelens.ingest.tables import TableColumns
    from timelens.processes import Budget
    from timelens.store.inspection import OnStep

_CORPUS_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The evidence for a question, best first."""

    question: str
    strategy: str
    as_of: Day
    hits: tuple[Hit, ...]
    pool: tuple[Hit, ...]
    """All that was found, the hits first."""
    coverage: Coverage
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]
    periods: tuple[Period, ...]
    """The times that the question asks about, with the days of the events that were looked up."""


@dataclass(frozen=True, slots=True)
class DependentTable:
    """A table with what determines what in it, at any day."""

    table: StoredTable
    dependencies: "tuple[Dependency, ...]"


class Corpus:
    """A corpus by name, with the configured embedder; both are opened when first needed."""

    def __init__(self, path: Location, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self._embedder: Embedder | None = None
        self._searcher: Searcher | None = None

    @property
    def name(self) -> str:
        """The name of its folder; in an object store its address."""
        return self.path.name

    def exists(self) -> bool:
        """Whether anything was ever ingested into it."""
        return is_there(self.path)

    def warm(self) -> None:
        """Open the store and load all that many questions take, so that none of them need wait.

        A single question takes less time without.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged, of another version, or made with another embedder.
        """
        self._search().vector("warm")
        bundled_reader().warm()
        bundled_whether_reader().warm()
        bundled_values_reader().warm()

    def summary(self) -> CorpusSummary:
        """What it holds.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged or of another version.
        """
        return self._search().store.summary()

    def tables(self, keys: Sequence[str] = ()) -> list[DependentTable]:
        """Its temporal databases, with their functional dependencies and the rows that break them.

        Args:
            keys: declared beside those of the settings (:attr:`timelens.config.TableSettings.keys`).

        Raises:
            MissingError: there is no such corpus.
            BadInputError: no table has the columns of one of ``keys``.
            StoreError: the corpus is damaged or of another version.
        """
        from timelens.ingest.dependencies import columns_of, dependencies

        tables = self._search().store.tables()
        for key in keys:
            if not any(columns_of(key, table.columns) for table in tables):
                names = ", ".join(dict.fromkeys(name for table in tables for name in table.columns))
                known = f"its columns are {textwrap.shorten(names, 200, placeholder=' …')}"
                raise BadInputError(
                    f"no table of {self.name} has the columns of the key {key!r}",
                    known if tables else "it has no table with dates",
                )
        declared = [*self.settings.tables.keys, *keys]
        found = []
        for table in tables:
            named = [columns_of(key, table.columns) for key in declared]
            found.append(DependentTable(table, tuple(dependencies(table.columns, table.facts, named))))
        return found

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
        on_progress: "Callable[[IngestProgress], None]" = lambda _: None,
    ) -> "IngestReport":
        """Bring files and folders in; see :func:`timelens.ingest.pipeline.ingest`.

        Raises:
            BadInputError: no corpus can be made at its path, or one of the paths is none.
            MissingError: one of the paths does not exist, or a pattern of names matches nothing.
            MostlyGoneError: ``sync`` would remove most of what is stored of a place.
            StoreError: the corpus has another embedder, or another process is writing to it.
        """
        from timelens.ingest.patterns import USUAL_FILES
        from timelens.ingest.sources import Root
        from timelens.ingest.supervisor import start_ahead

        wanted = [user_path(path) for path in paths]
        for path in wanted:
            Root.named(path)
        start_ahead()
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
        on_progress: "Callable[[IngestProgress], None]" = lambda _: None,
    ) -> "IngestReport":
        """What :meth:`ingest` would do, which is read and not done.

        Raises:
            MissingError: one of the paths does not exist.
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

        reembed(self._search().store, self._embed())

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

        self._searcher = None
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

    def search(
        self,
        question: str,
        *,
        as_of: Day,
        strategy: str | None = None,
        k: int | None = None,
        after: Turn | None = None,
        parser: Parser | None = None,
        summariser: Summariser | None = None,
    ) -> SearchResult:
        """The evidence for a question.

        Args:
            question: in natural language.
            as_of: the reference day, "now" for the question.
            strategy: one of ``timelens.STRATEGIES``; the configured one by default.
            k: how many hits.
            after: the turn of the answer before it in a conversation, which the question may follow up on.
            parser: reads the question with a model beside the rules; without one they read it alone.
            summariser: shortens passages with a model, for the strategy ``mrag``.

        Raises:
            BadInputError: the question is empty or not UTF-8 text, or there is no such strategy.
            MissingError: there is no such corpus.
        """
        name = strategy or self.settings.strategy
        started = time.perf_counter()
        *_, last = agent.gather(
            readable(question),
            reference_day=as_of,
            conventions=self.settings.time.conventions,
            searcher=self._search(),
            strategy=strategy_named(name),
            k=self._k(k),
            after=after,
            parser=parser,
            summariser=summariser,
        )
        if not isinstance(last, Evidence):
            raise TypeError("gathering ends with evidence")
        timings = {**last.timings_ms, "total": round((time.perf_counter() - started) * 1000, 3)}
        return SearchResult(
            question,
            name,
            as_of,
            last.hits,
            last.pool,
            last.coverage,
            last.notes,
            timings,
            last.parsed.periods,
        )

    def stream(
        self,
        question: str,
        *,
        as_of: Day,
        strategy: str | None = None,
        k: int | None = None,
        after: Turn | None = None,
        answerer: Answerer | None = None,
        parser: Parser | None = None,
    ) -> Iterator[AgentEvent]:
        """Answer a question step by step; the last event is the answer. Arguments as in :meth:`search`."""
        conventions = self.settings.time.conventions
        known = agent.calculate(readable(question), as_of, conventions)
        # "ten years later" counts from what was said before, and without that from today
        if known and (after is None or resolve(question, after, as_of, conventions) is None):
            return iter(known)
        return agent.run(
            readable(question),
            reference_day=as_of,
            conventions=conventions,
            searcher=self._search(),
            strategy=strategy_named(strategy or self.settings.strategy),
            k=self._k(k),
            after=after,
            answerer=answerer,
            parser=parser,
            risk=self.settings.risk,
        )

    def ask(
        self,
        question: str,
        *,
        as_of: Day,
        strategy: str | None = None,
        k: int | None = None,
        after: Turn | None = None,
        answerer: Answerer | None = None,
        parser: Parser | None = None,
    ) -> Answer:
        """Answer a question. Arguments as in :meth:`search`."""
        *_, last = self.stream(
            question, as_of=as_of, strategy=strategy, k=k, after=after, answerer=answerer, parser=parser
        )
        if not isinstance(last, Answered):
            raise TypeError("a stream ends with an answer")
        return last.answer

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
        store = self._search().store
        chunks = store.chunks_from(sources)
        if not chunks and answerer is None:
            raise BadInputError("there is no evidence and no model to answer with", "name a model")
        *_, last = agent.run_on(
            readable(question),
            chunks,
            reference_day=as_of,
            span=store.span(),
            answerer=answerer,
            conventions=self.settings.time.conventions,
            risk=self.settings.risk,
        )
        if not isinstance(last, Answered):
            raise TypeError("a stream ends with an answer")
        return last.answer

    def _budget(self) -> "Budget":
        from timelens.processes import Budget

        return Budget(**self.settings.ingest.model_dump())

    def _k(self, asked: int | None) -> int:
        if asked is not None and asked < 1:
            raise BadInputError(f"{asked} hits cannot be asked for", "ask for at least 1")
        return self.settings.k if asked is None else asked

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

    def _embed(self) -> Embedder:
        if self._embedder is None:
            self._embedder = load_embedder(self.settings.embedder)
        return self._embedder

    def _search(self) -> Searcher:
        if self._searcher is None:
            self._searcher = Searcher(
                CorpusStore(self.path), self._embed(), load_reranker(self.settings.reranker)
            )
        return self._searcher


def calculate(question: str, *, as_of: Day, settings: Settings | None = None) -> Answer | None:
    """The answer to a question that the calendar alone answers, as "90 days before 1 March 2020".

    ``None`` for any other, which takes a corpus; :meth:`Corpus.ask` answers both sorts.

    Raises:
        BadInputError: the question is empty.
    """
    settings = Settings.load() if settings is None else settings
    events = agent.calculate(readable(question), as_of, settings.time.conventions)
    return next((event.answer for event in events if isinstance(event, Answered)), None)


def open_corpus(name: str, settings: Settings | None = None) -> Corpus:
    """A corpus by its name, by a path, or by an address as ``s3://bucket/name``. Nothing is read or made yet.

    Raises:
        BadInputError: the name is neither a plain name, nor a path on this machine, nor an address.
    """
    settings = Settings.load() if settings is None else settings
    if is_address(name):
        return Corpus(address(name, settings.storage.lance_options(name)), settings)
    if "/" in name or "\\" in name or name.startswith((".", "~")):
        return Corpus(user_path(name).resolve(), settings)
    if not _CORPUS_NAME.fullmatch(name):
        raise BadInputError(
            f"{name!r} cannot be the name of a corpus", "use letters, digits, dots, dashes and underscores"
        )
    return Corpus(home() / "corpora" / name, settings)


def list_corpora(settings: Settings | None = None) -> list[Corpus]:
    """The corpora under the timelens home, by name."""
    settings = Settings.load() if settings is None else settings
    folder = home() / "corpora"
    if not folder.is_dir():
        return []
    corpora = (Corpus(path, settings) for path in sorted(folder.iterdir()) if path.is_dir())
    return [corpus for corpus in corpora if corpus.exists()]


def remove_corpus(name: str) -> None:
    """Delete a corpus and all it holds; other files in its folder stay.

    Raises:
        MissingError: there is none of that name.
        StoreError: another process is writing to it.
    """
    corpus = open_corpus(name)
    if not corpus.exists():
        raise MissingError(f"there is no corpus {name}", "see: timelens corpora list")
    with only_writer(corpus.path):
        CorpusStore.erase(corpus.path)
