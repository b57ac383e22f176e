"""The descriptions of a question followed one by one, each from what those before it stand for."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from timelens.agent.events import Dated, GatherEvent, Planned, StepDone
from timelens.agent.stopwatch import Stopwatch
from timelens.answer import hops as answering
from timelens.answer.described import described
from timelens.answer.events import DatedEvent, days_of
from timelens.answer.hops import Found, NotFound
from timelens.documents import Hit
from timelens.question.hop import Hop, HopKind, filled
from timelens.question.hops import hops_of, properties_in
from timelens.question.model import ParsedQuestion, Plan, Step, Window
from timelens.question.parse import parse, with_days
from timelens.question.periods import as_one
from timelens.question.plan import lookups, steps_of
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions

_MOST_TITLES = 5
"""Passages whose titles are looked up, to see what they are about."""


class Retrieve(Protocol):
    """Evidence for one query, in whatever way."""

    def __call__(self, about: ParsedQuestion, query: str, window: Window | None) -> Sequence[Hit]:
        """The hits, best first."""


@dataclass(frozen=True, slots=True)
class Trail:
    """Where the descriptions of a question have led."""

    question: str
    """The question with names in place of its descriptions; as it was where one stands for nothing sure."""
    found: tuple[Found, ...] = ()
    events: tuple[DatedEvent, ...] = ()
    """The events of which the descriptions speak, with their days."""
    steps: tuple[Step, ...] = ()
    failure: NotFound | None = None
    is_answer: bool = False
    """Whether what the last description stands for is what was asked."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How hops are followed."""

    retrieve: Retrieve
    reference_day: Day
    conventions: Conventions
    watch: Stopwatch

    def parsed(self, question: str) -> ParsedQuestion:
        return parse(question, self.reference_day, self.conventions)


def follow_hops(
    question: str, retrieve: Retrieve, reference_day: Day, conventions: Conventions, watch: Stopwatch
) -> Generator[GatherEvent, None, Trail]:
    """Find out what each description of a question stands for, in the order in which they hang together.

    The first that stands for nothing sure ends it: the question cannot be answered.
    """
    hops = hops_of(question)
    if not hops.hops:
        return Trail(question)
    way = _Way(retrieve, reference_day, conventions, watch)
    steps = steps_of(hops, {})
    yield Planned(Plan(steps))
    found: list[Found] = []
    events: list[DatedEvent] = []
    for hop in hops.hops:
        words = answering.words_of(hop, found)
        if hop.kind is HopKind.NEIGHBOUR:
            result, hits = _neighbour(hop, words, found, way)
        elif hop.kind is HopKind.TOLD:
            result, hits = _described(hop, words, way)
        else:
            result, hits, seen = _holder(hop, words, found, way)
            events += seen
            for event in seen:
                yield Dated(event)
        steps = steps_of(hops, answering.names(found))
        yield StepDone(steps[hop.number - 1], hits, watch.lap("retrieve"))
        if isinstance(result, NotFound):
            return Trail(question, tuple(found), tuple(events), steps, result)
        found.append(result)
    names = answering.names(found)
    return Trail(
        filled(hops.question, names),
        tuple(found),
        tuple(events),
        steps_of(hops, names),
        is_answer=hops.asks_for_last,
    )


def with_terms(parsed: ParsedQuestion, found: Sequence[Found]) -> ParsedQuestion:
    """The question with the days of the terms that its descriptions led to."""
    return with_days(parsed, days_of(answering.terms(parsed, found)))


def unknown_time(parsed: ParsedQuestion, found: Sequence[Found]) -> NotFound | None:
    """An event of what a description stands for that was found in no evidence, so that nothing can follow."""
    for implicit in parsed.implicit:
        if any(one.name in implicit.text for one in found):
            return NotFound(implicit.text, "the corpus does not say when that was")
    return None


def _neighbour(hop: Hop, words: str, found: Sequence[Found], way: _Way) -> tuple[Found | NotFound, int]:
    """What comes next to something: its own facts tell the order, and a second look shows all of that."""
    named = filled(hop.of, answering.names(found))
    known = next((one for one in found if one.hop.number in hop.needs and one.name == named), None)
    hits = _found_for(f"{named} {hop.head} {hop.about}", way)
    for series in answering.series_of(named, tuple(hits.values())):
        hits |= _found_for(series, way)
    return answering.neighbour(hop, named, known, tuple(hits.values()), words), len(hits)


def _holder(
    hop: Hop, words: str, found: Sequence[Found], way: _Way
) -> tuple[Found | NotFound, int, tuple[DatedEvent, ...]]:
    """What answers the question of a hop, asked in each of its wordings until one is answered."""
    outcome: tuple[Found | NotFound, int, tuple[DatedEvent, ...]] | None = None
    known = answering.names(found)
    properties = _properties(" ".join(filled(asks, known) for asks in hop.asks), way)
    for asks in hop.asks:
        question = filled(asks, known)
        for text, value in properties.items():
            question = question.replace(text, value)
        parsed = with_terms(way.parsed(question), found)
        events = []
        for step in lookups(parsed):
            about = way.parsed(step.query)
            event = answering.date_told(about, way.retrieve(about, step.query, None), found)
            if event is not None:
                events.append(event)
        parsed = as_one(with_days(parsed, days_of(events)))
        hits = way.retrieve(parsed, parsed.question, parsed.window)
        result = answering.held(hop, parsed, hits, events, words)
        if isinstance(result, Found):
            return result, len(hits), tuple(events)
        outcome = outcome or (result, len(hits), tuple(events))
    if outcome is None:
        raise AssertionError("a hop asks something")
    return outcome


def _described(hop: Hop, words: str, way: _Way) -> tuple[Found | NotFound, int]:
    """What was done to something: a look for what tells of that, and one for what its titles name."""
    hits = _found_for(hop.asks[0], way)
    titles = dict.fromkeys(hit.chunk.title for hit in list(hits.values())[:_MOST_TITLES])
    for title in filter(None, titles):
        hits |= _found_for(title, way)
    return described(hop, tuple(hits.values()), words), len(hits)


def _found_for(query: str, way: _Way) -> dict[str, Hit]:
    """What a look without a time finds, by the chunk's id."""
    return {hit.chunk.id: hit for hit in way.retrieve(way.parsed(query), query, None)}


def _properties(text: str, way: _Way) -> dict[str, str]:
    """What tables record where a text names a property: "the country of Athens 2004" is Greece."""
    values = {}
    for one in set(properties_in(text)):
        about = way.parsed(f"{one.noun} {one.of}")
        value = answering.property_of(one.noun, one.of, way.retrieve(about, about.question, None))
        if value is not None:
            values[one.text] = value
    return values
