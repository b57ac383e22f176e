"""What can be searched and asked: one corpus, or all of them."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from timelens import agent
from timelens.agent import AgentEvent, Answer, Answered, Answerer, Evidence, Parser
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
from timelens.retrieval.strategies import strategy_named
from timelens.temporal.calendar import Day


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


class Askable(ABC):
    """Answers questions from what its searcher finds, by the settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._embedder: Embedder | None = None

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
            strategy: one of ``timelens.STRATEGIES``; the configured one by default.
            k: how many hits.
            after: the turn of the answer before it in a conversation, which the question may follow up on.
            parser: reads the question with a model beside the rules; without one they read it alone.
            summariser: shortens passages with a model, for the strategy ``mrag``.

        Raises:
            BadInputError: the question is empty or not UTF-8 text, or there is no such strategy.
            MissingError: there is no such corpus.
        """
        name = self.settings.strategy if strategy is None else strategy
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
            strategy=strategy_named(self.settings.strategy if strategy is None else strategy),
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

    def _k(self, asked: int | None) -> int:
        if asked is not None and asked < 1:
            raise BadInputError(f"{asked} pieces of evidence cannot be asked for", "ask for at least 1")
        return self.settings.k if asked is None else asked

    def _embed(self) -> Embedder:
        if self._embedder is None:
            self._embedder = load_embedder(self.settings.embedder)
        return self._embedder
