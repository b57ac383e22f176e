"""Gathers evidence for a question: parse, plan, retrieve step by step, fill gaps; or from given chunks."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from timelens.agent.events import (
    Dated,
    GatheredEvidence,
    GatherEvent,
    Parsed,
    Parser,
    PeriodEvidence,
    Planned,
    Reworded,
    StepDone,
)
from timelens.agent.given_evidence import GivenEvidence
from timelens.agent.hop_following import Trail, follow_hops, unknown_time, with_terms
from timelens.agent.search_rounds import SearchRounds, cover
from timelens.agent.stopwatch import Stopwatch
from timelens.answer.text.event_dates import DatedEvent, days_of
from timelens.documents import Chunk, Hit
from timelens.question.followup.conversation import Turn
from timelens.question.merge import Reading
from timelens.question.parse import parse, with_days
from timelens.question.parsed_question import ParsedQuestion, Plan, Step, Window
from timelens.question.plan import lookups, numbered, told_apart, without_description
from timelens.retrieval.query_rewriting import rewritten
from timelens.retrieval.request import Request, Summariser
from timelens.retrieval.searcher import Searcher
from timelens.retrieval.strategies import Strategy
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval

_HOP_POOL = 300
"""Hits for resolving a hop."""


class _Source(Protocol):
    """Where the evidence for one question comes from."""

    @property
    def span(self) -> Interval | None:
        """The interval from the first to the last day of the corpus."""

    def plan(self, parsed: ParsedQuestion, before: Sequence[Step]) -> Plan:
        """The steps of a question; ``before`` date its events."""

    def date(self, step: Step, about: ParsedQuestion) -> Generator[StepDone, None, DatedEvent | None]:
        """The event that a step is about, if the evidence for it has its days."""

    def search(self, parsed: ParsedQuestion, steps: Sequence[Step]) -> Iterator[StepDone]:
        """Find the evidence for the question itself, by those steps of its plan that date no event."""

    def chosen(self, parsed: ParsedQuestion) -> tuple[Sequence[PeriodEvidence], Sequence[Hit], Sequence[Hit]]:
        """The evidence for each period, the best hits of all, and all hits with these first."""


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
    """Parse, plan, retrieve step by step, and search once more in gaps. The last event is the evidence.

    ``after`` is the previous turn, which the question may follow up on. ``parser`` parses the question;
    without one, the rules do. ``summariser`` is for strategies that rank summaries; ``conventions`` define
    how dates are read.
    """
    watch = Stopwatch()
    wording = rewritten(question, after, reference_day, conventions, searcher, plain=strategy.follows_plan)
    if wording.follows:
        yield Reworded(wording.text)
    trail = Trail(wording.text)
    if strategy.follows_plan:
        find = partial(_find, searcher=searcher, strategy=strategy)
        trail = yield from follow_hops(wording.text, find, reference_day, conventions, watch)
    reading = _read(trail.question, reference_day, conventions, parser)
    parsed = replace(with_terms(reading.parsed, trail.found), told=wording.told)
    watch.lap("parse")
    yield Parsed(parsed, reading.notes)
    asked = lookups(parsed) if strategy.follows_plan and trail.failure is None else ()
    rounds = SearchRounds(searcher, strategy, k, hops=trail.found, summariser=summariser, watch=watch)
    read = partial(parse, reference_day=reference_day, conventions=conventions)
    evidence = yield from _evidence_in(rounds, parsed, trail.steps, asked, read)
    watch.lap("retrieve")
    broken = trail.failure or unknown_time(evidence.parsed, trail.found)
    undated = _undated(evidence.parsed) if strategy.follows_plan and broken is None else ()
    notes = dict.fromkeys((*wording.notes, *reading.notes, *undated, *rounds.notes))
    yield replace(
        evidence,
        read_as=wording.text if wording.text != question else None,
        events=(*evidence.events, *trail.events),
        notes=tuple(notes),
        timings_ms=dict(watch.milliseconds),
        hops=trail.found,
        broken=broken,
        hop_answers=trail.is_answer,
    )


def gather_given(
    question: str,
    chunks: Sequence[Chunk],
    *,
    reference_day: Day,
    span: Interval | None,
    conventions: Conventions = USUAL,
) -> Iterator[GatherEvent]:
    """As :func:`gather`, with chunks that the caller gives, best first, in place of retrieved ones.

    ``span`` is the time that the corpus spans. Nothing is searched for, so the plan is the question as it is.
    """
    watch = Stopwatch()
    read = partial(parse, reference_day=reference_day, conventions=conventions)
    parsed = read(question)
    watch.lap("parse")
    yield Parsed(parsed)
    given = GivenEvidence(parsed, chunks, span)
    evidence = yield from _evidence_in(given, parsed, (), lookups(parsed), read)
    yield replace(evidence, timings_ms=dict(watch.milliseconds))


def _evidence_in(
    source: _Source,
    parsed: ParsedQuestion,
    hops: Sequence[Step],
    asked: Sequence[Step],
    read: Callable[[str], ParsedQuestion],
) -> Generator[GatherEvent, None, GatheredEvidence]:
    """The evidence of a source, after the events that are ``asked`` for are dated by it.

    ``hops`` are the steps that were done before; ``read`` parses an event. ``read_as``, notes and timings are
    left to the caller.
    """
    asked = numbered(asked, hops)
    before = (*hops, *asked)
    plan = source.plan(parsed, before)
    yield Planned(plan)
    events = []
    for step in asked:
        event = yield from source.date(step, read(step.query))
        if event is not None:
            events.append(event)
            yield Dated(event)
    if events:
        parsed = with_dates(parsed, events)
        plan = source.plan(parsed, before)
        yield Planned(plan)
    yield from source.search(parsed, plan.steps[len(before) :])
    parts, hits, pool = source.chosen(parsed)
    return GatheredEvidence(
        parsed=parsed,
        read_as=None,
        plan=plan,
        parts=tuple(parts),
        hits=tuple(hits),
        pool=tuple(pool),
        coverage=cover(parsed, hits, pool, source.span),
        span=source.span,
        events=tuple(events),
        notes=(),
        timings_ms={},
    )


def _find(
    about: ParsedQuestion, query: str, window: Window | None, *, searcher: Searcher, strategy: Strategy
) -> Sequence[Hit]:
    """Evidence for a hop: enough hits to contain the whole order of its neighbours."""
    request = Request(about, query, window, _HOP_POOL, widen=False)
    return strategy.retrieve(request, searcher).hits


def with_dates(parsed: ParsedQuestion, events: Sequence[DatedEvent]) -> ParsedQuestion:
    """The question with dated events replaced by their days.

    An event that identifies a thing ("the country that held the fair") is then removed from the topic.
    """
    known = days_of(events)
    if told_apart(parsed) in known:
        parsed = without_description(parsed)
    return with_days(parsed, known)


def _read(question: str, reference_day: Day, conventions: Conventions, parser: Parser | None) -> Reading:
    if parser is None:
        return Reading.by_rules(question, reference_day, conventions)
    return parser.read(question, reference_day, conventions)


def _undated(parsed: ParsedQuestion) -> Iterator[str]:
    """A note for each undated event of the question."""
    for implicit in parsed.implicit:
        yield f"no date was found for “{implicit.text}”; the search went by its words"
