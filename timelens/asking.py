"""Base class for searching and asking: one corpus, or all of them."""

import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens import agent
from timelens.agent import AgentEvent, Answer, Answered, Answerer, GatheredEvidence, Parser
from timelens.answer.draft import Citation
from timelens.answer.rendering.timeline import Timeline, make_timeline
from timelens.asking_terms import AskingTerms, require_day
from timelens.background import Background, finish
from timelens.config import Settings
from timelens.documents import Hit
from timelens.embedding import Embedder, load_embedder
from timelens.errors import TimelensError
from timelens.question.followup.conversation import Turn
from timelens.question.followup.resolve import resolve
from timelens.question.parse import readable
from timelens.question.parsed_question import Period
from timelens.reader.bundled_networks import bundled_networks
from timelens.retrieval.request import Coverage, Summariser
from timelens.retrieval.searcher import Searcher
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
    """All ranked hits; it begins with ``hits``."""
    coverage: Coverage
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]
    periods: tuple[Period, ...]
    """The periods of the question, with the days of events that were looked up."""

    @property
    def timeline(self) -> Timeline:
        """The hits in order of time, numbered by rank."""
        return make_timeline(self.hits)

    def to_arrow(self) -> "pa.Table":
        """A table with a row for each hit, best first.

        Its schema is :data:`timelens.answer.rendering.arrow.EVIDENCE`.
        """
        from timelens.answer.rendering.arrow import evidence_table

        hits = (Citation(rank, hit) for rank, hit in enumerate(self.hits, start=1))
        return evidence_table(hits, self.periods)

    def to_pandas(self) -> "pd.DataFrame":
        """The table of :meth:`to_arrow` in pandas, with days as ``datetime64[ms]``.

        Raises:
            MissingError: pandas is not installed.
        """
        from timelens.answer.rendering.arrow import as_pandas

        return as_pandas(self.to_arrow())

    def _repr_html_(self) -> str:
        """The display in notebooks: question, timeline, and each hit with its score."""
        from timelens.answer.rendering.html import Article, as_output
        from timelens.answer.rendering.shown_evidence import ShownEvidence, asked_of

        finals = ((rank, hit.scores.final) for rank, hit in enumerate(self.hits, start=1))
        return as_output(
            Article(
                ShownEvidence(self.timeline, asked_of(self.periods), gaps=self.coverage.gaps),
                self.question,
                f"{self.strategy} · as of {format_day(self.as_of)}",
                notes=tuple(f"note: {note}" for note in self.notes),
                details={rank: f"score {final:.2f}" for rank, final in finals if final is not None},
            )
        )


class Askable(ABC):
    """Answers questions from the hits of its searcher, according to the settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._embedder: Embedder | None = None
        self._background = Background()

    @property
    def left_out(self) -> tuple[tuple[str, TimelensError], ...]:
        """(name, reason) of corpora that should be asked but cannot be."""
        return ()

    @abstractmethod
    def _search(self) -> Searcher:
        """The searcher, opened on first use."""

    def warm(self) -> None:
        """Open the store and load everything needed for many questions, so that none of them waits for it.

        A single question is faster without this.

        Raises:
            MissingError: there is no such corpus.
            StoreError: it is damaged, of an incompatible version, or made with another embedder.
        """
        self._search().vector("warm")
        for network in bundled_networks():
            network.warm()

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
            as_of: the reference day, "now" for the question, as :func:`timelens.parse_day` gives it.
            strategy: a strategy of ``timelens search --help``; the configured one by default.
            k: the number of hits, 1 to 1000; the configured number by default.
            after: the previous turn of the conversation, for follow-up questions.
            parser: reads the question with a model in addition to the rules.
            summariser: shortens passages with a model, for the strategy ``mrag``.

        Raises:
            BadInputError: the question is empty or not UTF-8 text, there is no such strategy, ``k`` is not in
                1 to 1000, or ``as_of`` is not a day number.
            MissingError: there is no such corpus.
            StoreError: it is damaged, of an incompatible version, or made with another embedder.
        """
        terms = AskingTerms(
            self.settings, as_of, strategy, k, after=after, parser=parser, summariser=summariser
        )
        return finish(self._searched(question, terms))

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
        """:meth:`search` for event loops; runs like :meth:`ask_async`."""
        terms = AskingTerms(
            self.settings, as_of, strategy, k, after=after, parser=parser, summariser=summariser
        )
        return await self._background.result_of(lambda: self._searched(question, terms))

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
        """Answer a question as a stream of events; the last is the answer. Arguments as in :meth:`search`."""
        terms = AskingTerms(self.settings, as_of, strategy, k, after=after, answerer=answerer, parser=parser)
        return self._streamed(question, terms)

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
        terms = AskingTerms(self.settings, as_of, strategy, k, after=after, answerer=answerer, parser=parser)
        return finish(answer_of(self._streamed(question, terms)))

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
        """:meth:`ask` in a thread, so that the event loop is not blocked.

        Any number of calls may wait; the calls of one corpus run one at a time, in order. If a call is
        cancelled, it raises at once. A waiting call then never runs; a running one ends after its current
        step (a search, or the next piece of a model's text, before which the model reads its whole prompt),
        and the calls after it wait for that.
        """
        terms = AskingTerms(self.settings, as_of, strategy, k, after=after, answerer=answerer, parser=parser)
        return await self._background.result_of(lambda: answer_of(self._streamed(question, terms)))

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
        """Answer questions lazily, in order. Arguments as in :meth:`search`.

        A question that cannot be answered yields its error in place of an answer, and the others continue.

        Raises:
            BadInputError: there is no such strategy, ``k`` is not in 1 to 1000, or ``as_of`` is not a day
                number.
            MissingError: there is no such corpus.
            StoreError: it is damaged, of an incompatible version, or made with another embedder.
        """
        terms = AskingTerms(self.settings, as_of, strategy, k, answerer=answerer, parser=parser)
        self._search()
        for question in questions:
            try:
                yield finish(answer_of(self._streamed(question, terms)))
            except TimelensError as error:
                yield error

    def _embed(self) -> Embedder:
        if self._embedder is None:
            self._embedder = load_embedder(self.settings.embedder)
        return self._embedder

    def _streamed(self, question: str, terms: AskingTerms) -> Iterator[AgentEvent]:
        """:meth:`stream` on its terms."""
        known = agent.calculate(readable(question), terms.as_of, terms.conventions)
        # "ten years later" counts from the previous turn, or from today if there is none
        if known and (
            terms.after is None or resolve(question, terms.after, terms.as_of, terms.conventions) is None
        ):
            return iter(known)
        return agent.logged(
            question,
            agent.run(
                readable(question),
                reference_day=terms.as_of,
                conventions=terms.conventions,
                searcher=self._search(),
                strategy=terms.strategy,
                k=terms.k,
                after=terms.after,
                answerer=terms.answerer,
                parser=terms.parser,
                risk=self.settings.risk,
            ),
        )

    def _searched(self, question: str, terms: AskingTerms) -> Generator[object, None, SearchResult]:
        """:meth:`search` as a generator of steps."""
        started = time.perf_counter()
        events = agent.gather(
            readable(question),
            reference_day=terms.as_of,
            conventions=terms.conventions,
            searcher=self._search(),
            strategy=terms.strategy,
            k=terms.k,
            after=terms.after,
            parser=terms.parser,
            summariser=terms.summariser,
        )
        for event in agent.logged(question, events):
            if isinstance(event, GatheredEvidence):
                total = round((time.perf_counter() - started) * 1000, 3)
                return SearchResult(
                    question,
                    terms.strategy_name,
                    terms.as_of,
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
    """The answer to a question about the calendar only, such as "90 days before 1 March 2020".

    ``None`` for a question that needs a corpus; :meth:`Askable.ask` answers both kinds.

    Raises:
        BadInputError: the question is empty or counts from what is no date, or ``as_of`` is no day number.
    """
    require_day(as_of)
    settings = Settings.load() if settings is None else settings
    events = agent.calculate(readable(question), as_of, settings.time.conventions)
    return next((event.answer for event in events if isinstance(event, Answered)), None)


def answer_of(stream: Iterator[AgentEvent]) -> Generator[AgentEvent, None, Answer]:
    """Yields the events of a stream, and returns the answer that it ends with."""
    for event in stream:
        if isinstance(event, Answered):
            return event.answer
        yield event
    raise TypeError("a stream ends with an answer")
