"""Evidence for a question: parse, plan, retrieve step by step, fill gaps."""

from collections.abc import Iterator, Sequence
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
    read_as = wording.text if wording.text != question else None
    question = wording.text
    if wording.follows:
        yield Reworded(question)
    if parser is None:
        reading = Reading(parse(question, reference_day, conventions))
    else:
        reading = parser.read(question, reference_day, conventions)
    parsed = reading.parsed
    watch.lap("parse")
    yield Parsed(parsed, reading.notes)
    before = lookups(parsed) if strategy.follows_plan else ()
    plan = make_plan(parsed, before) if strategy.follows_plan else whole_question(parsed)
    yield Planned(plan)

    def retrieve(about: ParsedQuestion, step: Step, *, widen: bool) -> Retrieved:
        return strategy.retrieve(
            Request(about, step.query, step.window, max(k, _POOL), widen=widen, summariser=summariser),
            searcher,
        )

    found: list[Retrieved] = []
    events: list[DatedEvent] = []
    for step in before:
        about = parse(step.query, reference_day, conventions)
        found.append(retrieve(about, step, widen=False))
        yield StepDone(step, len(found[-1].hits), watch.lap("retrieve"))
        event = date_event(about, found[-1].hits)
        if event is not None:
            events.append(event)
            yield Dated(event)
    if events:
        parsed = with_dates(parsed, events)
        plan = make_plan(parsed, before)
        yield Planned(plan)
    for step in plan.steps[len(before) :]:
        is_main = step is plan.steps[-1]  # what the steps before it do not find, it makes up for
        found.append(retrieve(parsed, step, widen=is_main))
        yield StepDone(step, len(found[-1].hits), watch.lap("retrieve"))
    span = searcher.store.span()
    if strategy.covers:
        found += _fill(parsed, searcher, strategy, hits=found[-1].hits[:k], span=span)
    *earlier, main = [retrieved.hits for retrieved in found[: len(plan.steps)]]
    extra = [retrieved.hits for retrieved in found[len(plan.steps) :]]
    course = parsed.window if strategy.covers and not parsed.is_point else None
    hits = select(earlier, [*main, *chain(*extra)], course, span, k)
    coverage = measure(hits, parsed.window, span)
    elsewhere = _elsewhere(parsed, searcher, strategy) if strategy.follows_plan else ()
    pool = distinct(chain(hits, main, *extra, *earlier, elsewhere))
    watch.lap("retrieve")
    undated = [
        f"when “{implicit.text}” was could not be found out; the question is answered from its words"
        for implicit in (parsed.implicit if strategy.follows_plan else ())
    ]
    notes = dict.fromkeys(
        chain(wording.notes, reading.notes, undated, *(retrieved.notes for retrieved in found))
    )
    yield Evidence(
        parsed,
        read_as,
        plan,
        tuple(hits),
        tuple(pool),
        coverage,
        span,
        tuple(events),
        tuple(notes),
        dict(watch.milliseconds),
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


def _fill(
    parsed: ParsedQuestion,
    searcher: Searcher,
    strategy: Strategy,
    *,
    hits: Sequence[Hit],
    span: Interval | None,
) -> list[Retrieved]:
    """A second round: into stretches of the asked time without evidence."""
    if parsed.is_point:
        return []
    gaps = measure(hits, parsed.window, span).gaps[:_MOST_GAPS_FILLED]
    requests = (Request(parsed, parsed.core, gap, _HITS_PER_GAP, widen=False) for gap in gaps)
    return [strategy.retrieve(request, searcher) for request in requests]


def _elsewhere(parsed: ParsedQuestion, searcher: Searcher, strategy: Strategy) -> Sequence[Hit]:
    """What lies outside the asked time, which is not evidence but shows what the corpus knows.

    From facts at other times the solver tells that there is none in the asked one.
    """
    if parsed.window is None:
        return ()
    return strategy.retrieve(Request(parsed, parsed.core, None, _POOL), searcher).hits
