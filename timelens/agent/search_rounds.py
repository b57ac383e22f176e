"""Searches for the evidence for a question: the steps of its plan, their gaps, and other times."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from timelens.agent.events import PeriodEvidence, StepDone
from timelens.agent.stopwatch import Stopwatch
from timelens.answer.hops.hop_resolution import date_told
from timelens.answer.hops.resolved_hop import ResolvedHop
from timelens.answer.relevance import on_topic
from timelens.answer.text.event_dates import DatedEvent
from timelens.documents import Hit
from timelens.question.intent import subject_of
from timelens.question.parsed_question import ParsedQuestion, Period, Plan, Step, StepKind
from timelens.question.periods import at
from timelens.question.plan import make_plan, whole_question
from timelens.question.up_to_now import reaches_today
from timelens.retrieval.coverage import by_turns, distinct, measure, measure_state, select
from timelens.retrieval.request import Coverage, Covered, Request, Retrieved, Summariser
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval

_POOL = 100
"""Hits for the solver; the answer cites at most ``k`` of them."""
_MOST_GAPS_FILLED = 12
_HITS_PER_GAP = 4


def cover(
    parsed: ParsedQuestion, hits: Sequence[Hit], pool: Sequence[Hit], span: Interval | None
) -> Coverage:
    """The coverage of the asked periods by hits on topic; ``pool`` adds evidence for the weights of words.

    Beside other periods, one "as of" a day is that day.
    """
    found = on_topic(subject_of(parsed), hits, pool) if parsed.periods else []

    def covered(period: Period) -> Covered:
        if len(parsed.periods) > 1 and period.relation is Relation.AS_OF:
            return measure_state(found, period.moment)
        return measure(found, [period.interval], span).periods[0]

    return Coverage(tuple(map(covered, parsed.periods)))


def _written_by_today(parsed: ParsedQuestion, retrieved: Retrieved) -> Retrieved:
    """Without texts that were written after today, for a question about the time up to today.

    "The latest announcement" is the latest by the day that counts as today; so it is with the rows of tables.
    """
    if not (parsed.current or reaches_today(parsed)):
        return retrieved
    today = parsed.reference_day

    def is_later(hit: Hit) -> bool:
        published = hit.chunk.published
        return hit.chunk.fact is None and published is not None and published.bounds[0] > today

    return replace(retrieved, hits=tuple(hit for hit in retrieved.hits if not is_later(hit)))


def _led(part: PeriodEvidence) -> Sequence[Hit]:
    """The hits of a period; the best on topic that reaches the period is moved to the front.

    A strategy that weighs time without filtering by it may rank other hits higher.
    """
    window = part.parsed.window
    if window is None or (part.hits and part.hits[0].reaches(window)):
        return part.hits
    reaching = [hit for hit in part.pool if hit.reaches(window)]
    return distinct((*on_topic(part.parsed.core, reaching, part.pool)[:1], *part.hits))


class _Part:
    """The searches for one period of a question, or for a whole question."""

    def __init__(self, parsed: ParsedQuestion) -> None:
        self.parsed = parsed
        self.steps: list[Retrieved] = []
        self.gaps: list[Retrieved] = []

    @property
    def main(self) -> Retrieved:
        """The result of the last step."""
        return self.steps[-1]


class SearchRounds:
    """The searches for one question: the steps of its plan, their gaps, and other times."""

    def __init__(
        self,
        searcher: Searcher,
        strategy: Strategy,
        k: int,
        *,
        hops: Sequence[ResolvedHop],
        summariser: Summariser | None,
        watch: Stopwatch,
    ) -> None:
        self._searcher = searcher
        self._strategy = strategy
        self._k = k
        self._hops = hops
        self._summariser = summariser
        self._watch = watch
        self._looked_up: list[Retrieved] = []
        self._parts: list[_Part] = []

    @cached_property
    def span(self) -> Interval | None:
        """The interval from the first to the last day of the corpus."""
        return self._searcher.store.span()

    @property
    def notes(self) -> Iterator[str]:
        """Notes for the user on all searches."""
        of_parts = chain.from_iterable((*part.steps, *part.gaps) for part in self._parts)
        return chain.from_iterable(retrieved.notes for retrieved in (*self._looked_up, *of_parts))

    def plan(self, parsed: ParsedQuestion, before: Sequence[Step]) -> Plan:
        """The plan of a question, after the steps ``before``; one search for a strategy without steps."""
        strategy = self._strategy
        by_period = len(parsed.periods) > 1 and strategy.knows_time
        return make_plan(parsed, before) if strategy.follows_plan or by_period else whole_question(parsed)

    def date(self, step: Step, about: ParsedQuestion) -> Generator[StepDone, None, DatedEvent | None]:
        """The event of a step, dated by what is retrieved for it; ``about`` is its name or clause."""
        retrieved = self._retrieved(about, step, widen=False)
        self._looked_up.append(retrieved)
        yield StepDone(step, len(retrieved.hits), self._watch.lap("retrieve"))
        return date_told(about, retrieved.hits, self._hops)

    def search(self, parsed: ParsedQuestion, steps: Sequence[Step]) -> Iterator[StepDone]:
        """Retrieve for the steps of a question, and search once more in their gaps.

        Each of several periods is a separate part. Only the last step of a part may widen its window.
        """
        if len(parsed.periods) > 1 and self._strategy.knows_time:
            searches = [step for step in steps if step.kind is StepKind.PERIOD]
            for step, period in zip(searches, parsed.periods, strict=True):
                part = _Part(at(parsed, period))
                self._parts.append(part)
                yield self._follow(part, step, widen=True)
        else:
            part = _Part(parsed)
            self._parts.append(part)
            for step in steps:
                yield self._follow(part, step, widen=step is steps[-1])
        for part in self._parts:
            self._fill_gaps(part)

    def _follow(self, part: _Part, step: Step, *, widen: bool) -> StepDone:
        retrieved = self._retrieved(part.parsed, step, widen=widen)
        part.steps.append(retrieved)
        return StepDone(step, len(retrieved.hits), self._watch.lap("retrieve"))

    def _retrieved(self, about: ParsedQuestion, step: Step, *, widen: bool) -> Retrieved:
        most = max(self._k, _POOL)
        request = Request(about, step.query, step.window, most, widen=widen, summariser=self._summariser)
        return _written_by_today(about, self._strategy.retrieve(request, self._searcher))

    def _fill_gaps(self, part: _Part) -> None:
        """Search again in the gaps that the k best hits of the last step leave in the asked time."""
        parsed = part.parsed
        if parsed.is_point or not self._strategy.covers:
            return
        hits = part.main.hits
        gaps = cover(parsed, hits[: self._k], hits, self.span).gaps[:_MOST_GAPS_FILLED]
        requests = (Request(parsed, parsed.core, gap, _HITS_PER_GAP, widen=False) for gap in gaps)
        part.gaps += [self._strategy.retrieve(request, self._searcher) for request in requests]

    def chosen(self, parsed: ParsedQuestion) -> tuple[list[PeriodEvidence], list[Hit], list[Hit]]:
        """The parts, the k best hits of all parts, and all hits with these first."""
        elsewhere = self._elsewhere(self._parts[0].parsed)
        earlier = [retrieved.hits for retrieved in self._looked_up]
        alone = len(self._parts) == 1
        parts = [self._part(part, earlier if alone else [], elsewhere) for part in self._parts]
        if not alone:
            hits = by_turns([_led(part) for part in parts])[: self._k]
            return parts, hits, distinct(chain(hits, by_turns([part.pool for part in parts]), *earlier))
        if len(parsed.periods) > 1:  # a strategy blind to time searches all periods at once
            found = parts[0]
            parts = [PeriodEvidence(at(parsed, period), found.hits, found.pool) for period in parsed.periods]
        return parts, list(parts[0].hits), list(parts[0].pool)

    def _part(
        self, part: _Part, earlier: Sequence[Sequence[Hit]], elsewhere: Sequence[Hit]
    ) -> PeriodEvidence:
        *before, main = [retrieved.hits for retrieved in part.steps]
        extra = [retrieved.hits for retrieved in part.gaps]
        parsed = part.parsed
        course = parsed.window if self._strategy.covers and not parsed.is_point else None
        hits = select([*earlier, *before], [*main, *chain(*extra)], course, self.span, self._k)
        pool = distinct(chain(hits, main, *extra, *earlier, *before, elsewhere))
        return PeriodEvidence(parsed, tuple(hits), tuple(pool))

    def _elsewhere(self, parsed: ParsedQuestion) -> Sequence[Hit]:
        """Hits at any time, which show what the corpus knows outside the asked time.

        From facts at other times, the solver concludes that there is none in the asked time.
        """
        if not parsed.periods or not self._strategy.follows_plan:
            return ()
        request = Request(parsed, parsed.core, None, _POOL, in_order=False)
        return _written_by_today(parsed, self._strategy.retrieve(request, self._searcher)).hits
