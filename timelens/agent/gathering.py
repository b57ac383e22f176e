"""Evidence for a question: parse, plan, retrieve step by step, fill gaps."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain

from timelens.agent.events import (
    Dated,
    Evidence,
    GatherEvent,
    Parsed,
    Parser,
    Planned,
    Reworded,
    StepDone,
)
from timelens.agent.stopwatch import Stopwatch
from timelens.answer.events import DatedEvent, date_event
from timelens.documents import Hit
from timelens.question.conversation import Turn
from timelens.question.merge import Reading
from timelens.question.model import ParsedQuestion, Step
from timelens.question.parse import parse, resolved
from timelens.question.plan import lookups, make_plan, told_apart, whole_question, without_description
from timelens.retrieval.coverage import distinct, measure, select
from timelens.retrieval.model import Request, Retrieved, Summariser
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy
from timelens.retrieval.wording import reworded
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval

_POOL = 100
"""Hits that the solver may look at; the answer cites at most ``k`` of them."""
_MOST_GAPS_FILLED = 12
_HITS_PER_GAP = 4


def gather(
    question: str,
    *,
    reference_day: Day,
    searcher: Searcher,
    strategy: Strategy,
    k: int,
    after: Turn | None = None,
    parser: Parser | None = None,
    summariser: Summariser | None = None,
    conventions: Conventions = USUAL,
) -> Iterator[GatherEvent]:
    """Parse, plan, retrieve step by step, and look once more into stretches without evidence.

    ``after`` is what was said before, which the question may follow up on. ``parser`` reads the question, by
    rule without one; ``summariser`` is for strategies that rank summaries; ``conventions`` say how its dates
    are read. The last event is the evidence.
    """
    watch = Stopwatch()
    wording = reworded(question, after, reference_day, conventions, searcher, plain=strategy.follows_plan)
    if wording.follows:
        yield Reworded(wording.text)
    reading = _read(wording.text, reference_day, conventions, parser)
    parsed = reading.parsed
    watch.lap("parse")
    yield Parsed(parsed, reading.notes)
    before = lookups(parsed) if strategy.follows_plan else ()
    plan = make_plan(parsed, before) if strategy.follows_plan else whole_question(parsed)
    yield Planned(plan)

    rounds = _Rounds(searcher, strategy, k, summariser, watch)
    events: list[DatedEvent] = []
    for step in before:
        about = parse(step.query, reference_day, conventions)
        yield rounds.follow(step, about, widen=False)
        event = date_event(about, rounds.main.hits)
        if event is not None:
            events.append(event)
            yield Dated(event)
    if events:
        parsed = with_dates(parsed, events)
        plan = make_plan(parsed, before)
        yield Planned(plan)
    for step in plan.steps[len(before) :]:
        is_main = step is plan.steps[-1]  # what the steps before it do not find, it makes up for
        yield rounds.follow(step, parsed, widen=is_main)
    rounds.fill_gaps(parsed)

    hits, pool = rounds.chosen(parsed)
    coverage = measure(hits, parsed.window, rounds.span)
    watch.lap("retrieve")
    undated = _undated(parsed) if strategy.follows_plan else ()
    notes = dict.fromkeys((*wording.notes, *reading.notes, *undated, *rounds.notes))
    yield Evidence(
        parsed=parsed,
        read_as=wording.text if wording.text != question else None,
        plan=plan,
        hits=tuple(hits),
        pool=tuple(pool),
        coverage=coverage,
        span=rounds.span,
        events=tuple(events),
        notes=tuple(notes),
        timings_ms=dict(watch.milliseconds),
    )


def with_dates(parsed: ParsedQuestion, events: Sequence[DatedEvent]) -> ParsedQuestion:
    """The question with days in the place of the events whose days are known.

    An event that tells a thing apart ("the country that held the fair") is then no part of the topic.
    """
    known = {event.text: event.interval for event in events}
    if told_apart(parsed) in known:
        parsed = without_description(parsed)
    for implicit in parsed.implicit:
        if implicit.text in known:
            parsed = resolved(parsed, implicit, known[implicit.text]) or parsed
    return parsed


def _read(question: str, reference_day: Day, conventions: Conventions, parser: Parser | None) -> Reading:
    if parser is None:
        return Reading(parse(question, reference_day, conventions))
    return parser.read(question, reference_day, conventions)


def _undated(parsed: ParsedQuestion) -> Iterator[str]:
    """A note for each event of the question whose days were not found."""
    for implicit in parsed.implicit:
        yield f"when “{implicit.text}” was could not be found out; the question is answered from its words"


class _Rounds:
    """The searches for one question: the steps of its plan, the gaps they leave, what lies elsewhere."""

    def __init__(
        self, searcher: Searcher, strategy: Strategy, k: int, summariser: Summariser | None, watch: Stopwatch
    ) -> None:
        self._searcher = searcher
        self._strategy = strategy
        self._k = k
        self._summariser = summariser
        self._watch = watch
        self._steps: list[Retrieved] = []
        self._gaps: list[Retrieved] = []

    @cached_property
    def span(self) -> Interval | None:
        """From the first to the last day of the corpus."""
        return self._searcher.store.span()

    @property
    def main(self) -> Retrieved:
        """What the last step brought."""
        return self._steps[-1]

    @property
    def notes(self) -> Iterator[str]:
        """What the user should know of all that was retrieved."""
        return chain.from_iterable(retrieved.notes for retrieved in (*self._steps, *self._gaps))

    def follow(self, step: Step, about: ParsedQuestion, *, widen: bool) -> StepDone:
        """Retrieve for a step."""
        most = max(self._k, _POOL)
        request = Request(about, step.query, step.window, most, widen=widen, summariser=self._summariser)
        self._steps.append(self._strategy.retrieve(request, self._searcher))
        return StepDone(step, len(self.main.hits), self._watch.lap("retrieve"))

    def fill_gaps(self, parsed: ParsedQuestion) -> None:
        """Look once more into the stretches of the asked time that the best of the last step do not reach."""
        if parsed.is_point or not self._strategy.covers:
            return
        gaps = measure(self.main.hits[: self._k], parsed.window, self.span).gaps[:_MOST_GAPS_FILLED]
        requests = (Request(parsed, parsed.core, gap, _HITS_PER_GAP, widen=False) for gap in gaps)
        self._gaps += [self._strategy.retrieve(request, self._searcher) for request in requests]

    def chosen(self, parsed: ParsedQuestion) -> tuple[list[Hit], list[Hit]]:
        """The k best of all that was found, and all of it with these first."""
        *earlier, main = [retrieved.hits for retrieved in self._steps]
        extra = [retrieved.hits for retrieved in self._gaps]
        course = parsed.window if self._strategy.covers and not parsed.is_point else None
        hits = select(earlier, [*main, *chain(*extra)], course, self.span, self._k)
        return hits, distinct(chain(hits, main, *extra, *earlier, self._elsewhere(parsed)))

    def _elsewhere(self, parsed: ParsedQuestion) -> Sequence[Hit]:
        """What lies outside the asked time, which is not evidence but shows what the corpus knows.

        From facts at other times the solver tells that there is none in the asked one.
        """
        if parsed.window is None or not self._strategy.follows_plan:
            return ()
        return self._strategy.retrieve(Request(parsed, parsed.core, None, _POOL), self._searcher).hits
