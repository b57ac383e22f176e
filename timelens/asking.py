"""What can be searched and asked: one corpus, or all of them."""

import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens import agent
from timelens.agent import AgentEvent, Answer, Answered, Answerer, Evidence, Parser
from timelens.answer.model import Citation
from timelens.answer.timeline import Timeline, make_timeline
from timelens.background import Background, finish
from timelens.config import Settings
from timelens.documents import Hit
from timelens.embedding import Embedder, load_embedder
from timelens.errors import BadInputError, TimelensError
from timelens.question.conversation import Turn
from timelens.question.followup import resolve
from timelens.question.model import Period
from timelens.question.parse import readable
from timelens.reader.model import bundled_reader
from timelens.reader.values import bundled_values_reader
from timelens.reader.whether import bundled_whether_reader
from timelens.retrieval.model import Coverage, Summariser
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy, strategy_named
from timelens.temporal.calendar import Day, format_day

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


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

    @property
    def timeline(self) -> Timeline:
        """The hits from early to late, with their ranks as numbers."""
        return make_timeline(self.hits)

    def to_arrow(self) -> "pa.Table":
        """A row for each hit, best first, by the schema :data:`timelens.answer.tables.EVIDENCE`."""
        from timelens.answer.tables import evidence_table

        hits = (Citation(rank, hit) for rank, hit in enumerate(self.hits, start=1))
        return evidence_table(hits, self.periods)

    def to_pandas(self) -> "pd.DataFrame":
        """As :meth:`to_arrow`, with days as ``datetime64[ms]``.

        Raises:
            MissingError: pandas is not installed.
        """
        from timelens.answer.tables import as_pandas

        return as_pandas(self.to_arrow())

    def _repr_html_(self) -> str:
        """What a notebook shows: question, timeline, and each hit with its score."""
        from timelens.answer.article import Article, as_output
        from timelens.answer.evidence import Evidence, asked_of

        finals = ((rank, hit.scores.final) for rank, hit in enumerate(self.hits, start=1))
        return as_output(
            Article(
                Evidence(self.timeline, asked_of(self.periods), gaps=self.coverage.gaps),
                self.question,
                f"{self.strategy} · as of {format_day(self.as_of)}",
                notes=tuple(f"note: {note}" for note in self.notes),
                details={rank: f"score {final:.2f}" for rank, final in finals if final is not None},
            )
        )


class Askable(ABC):
    """Answers questions from what its searcher finds, by the settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._embedder: Embedder | None = None
        self._background = Background()

    @property
    def left_out(self) -> tuple[tuple[str, TimelensError], ...]:
        """(name, why) of corpora that are not asked, though they are meant."""
        return ()

    @abstractmethod
    def _search(self) -> Searcher:
        """What searches, opened when it is first needed."""

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
            strategy: one of those of ``timelens search --help``, the configured one by default.
            k: how many hits.
            after: the turn of the answer before it in a conversation, which the question may follow up on.
            parser: reads the question with a model beside the rules; without one they read it alone.
            summariser: shortens passages with a model, for the strategy ``mrag``.

        Raises:
            BadInputError: the question is empty or not UTF-8 text, or there is no such strategy.
            MissingError: there is no such corpus.
        """
        return finish(
            self._searched(
                question,
                as_of=as_of,
                strategy=strategy,
                k=k,
                after=after,
                parser=parser,
                summariser=summariser,
            )
        )

    async def search_async(
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
        """As :meth:`search`, for event loops, with all that :meth:`ask_async` says."""
        return await self._background.result_of(
            lambda: self._searched(
                question,
                as_of=as_of,
                strategy=strategy,
                k=k,
                after=after,
                parser=parser,
                summariser=summariser,
            )
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
        return agent.logged(
            question,
            agent.run(
                readable(question),
                reference_day=as_of,
                conventions=conventions,
                searcher=self._search(),
                strategy=self._strategy(strategy),
                k=self._k(k),
                after=after,
                answerer=answerer,
                parser=parser,
                risk=self.settings.risk,
            ),
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
        return finish(
            answer_of(
                self.stream(
                    question,
                    as_of=as_of,
                    strategy=strategy,
                    k=k,
                    after=after,
                    answerer=answerer,
                    parser=parser,
                )
            )
        )

    async def ask_async(
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
        """As :meth:`ask`, in a thread, so that the event loop goes on meanwhile.

        Any number of calls may wait: those of one corpus are carried out one after the other, in order.
        Cancelled, it raises at once, and a call that waits is never carried out. One that is being carried
        out ends after its current step: a search, or the next piece of text of a model, which reads its
        prompt to the end before. The calls behind it wait for that.
        """
        return await self._background.result_of(
            lambda: answer_of(
                self.stream(
                    question,
                    as_of=as_of,
                    strategy=strategy,
                    k=k,
                    after=after,
                    answerer=answerer,
                    parser=parser,
                )
            )
        )

    def ask_many(
        self,
        questions: Iterable[str],
        *,
        as_of: Day,
        strategy: str | None = None,
        k: int | None = None,
        answerer: Answerer | None = None,
        parser: Parser | None = None,
    ) -> Iterator[Answer | TimelensError]:
        """Answer questions in their order, each when its answer is taken. Arguments as in :meth:`search`.

        A question that cannot be answered has its error in place of an answer, and the others go on.

        Raises:
            BadInputError: there is no such strategy, or ``k`` is less than 1.
            MissingError: there is no such corpus.
            StoreError: it is damaged, of another version, or made with another embedder.
        """
        self._strategy(strategy)
        self._k(k)
        self._search()
        for question in questions:
            try:
                yield self.ask(
                    question, as_of=as_of, strategy=strategy, k=k, answerer=answerer, parser=parser
                )
            except TimelensError as error:
                yield error

    def _strategy(self, asked: str | None) -> Strategy:
        return strategy_named(self.settings.strategy if asked is None else asked)

    def _k(self, asked: int | None) -> int:
        if asked is not None and asked < 1:
            raise BadInputError(f"{asked} pieces of evidence cannot be asked for", "ask for at least 1")
        return self.settings.k if asked is None else asked

    def _embed(self) -> Embedder:
        if self._embedder is None:
            self._embedder = load_embedder(self.settings.embedder)
        return self._embedder

    def _searched(
        self,
        question: str,
        *,
        as_of: Day,
        strategy: str | None,
        k: int | None,
        after: Turn | None,
        parser: Parser | None,
        summariser: Summariser | None,
    ) -> Generator[object, None, SearchResult]:
        """The steps of :meth:`search`."""
        name = self.settings.strategy if strategy is None else strategy
        started = time.perf_counter()
        events = agent.gather(
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
        for event in agent.logged(question, events):
            if isinstance(event, Evidence):
                total = round((time.perf_counter() - started) * 1000, 3)
                return SearchResult(
                    question,
                    name,
                    as_of,
                    event.hits,
                    event.pool,
                    event.coverage,
                    event.notes,
                    {**event.timings_ms, "total": total},
                    event.parsed.periods,
                )
            yield event
        raise TypeError("gathering ends with evidence")


def calculate(question: str, *, as_of: Day, settings: Settings | None = None) -> Answer | None:
    """The answer to a question that the calendar alone answers, as "90 days before 1 March 2020".

    ``None`` for any other, which takes a corpus; :meth:`Askable.ask` answers both sorts.

    Raises:
        BadInputError: the question is empty.
    """
    settings = Settings.load() if settings is None else settings
    events = agent.calculate(readable(question), as_of, settings.time.conventions)
    return next((event.answer for event in events if isinstance(event, Answered)), None)


def answer_of(stream: Iterator[AgentEvent]) -> Generator[AgentEvent, None, Answer]:
    """The steps of a stream, and the answer that it ends with."""
    for event in stream:
        if isinstance(event, Answered):
            return event.answer
        yield event
    raise TypeError("a stream ends with an answer")
