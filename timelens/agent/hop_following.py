"""Resolves the hops of a question one by one, each with the names of those before it."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from timelens.agent.events import Dated, GatherEvent, Planned, StepDone
from timelens.agent.stopwatch import Stopwatch
from timelens.answer.hops import hop_resolution as answering
from timelens.answer.hops.described_by_action import described_by_action
from timelens.answer.hops.resolved_hop import ResolvedHop, UnresolvedHop
from timelens.answer.hops.table_orders import queries_for_order
from timelens.answer.text.event_dates import DatedEvent, days_of
from timelens.documents import Hit
from timelens.question.hops.hop import Hop, HopKind, filled
from timelens.question.hops.hop_detection import asked_neighbour, hops_of, properties_in
from timelens.question.parse import parse, with_days
from timelens.question.parsed_question import ParsedQuestion, Plan, Step, Window
from timelens.question.periods import as_one
from timelens.question.plan import lookups, steps_of
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions

_MOST_TITLES = 5
"""Maximum number of passages whose titles are searched as well."""


class Retrieve(Protocol):
    """Retrieves evidence for one query."""

    def __call__(self, about: ParsedQuestion, query: str, window: Window | None) -> Sequence[Hit]:
        """The hits, best first."""


@dataclass(frozen=True, slots=True)
class Trail:
    """The results of a question's hops."""

    question: str
    """The question with resolved names in place of its hops; the original if a hop is unresolved."""
    found: tuple[ResolvedHop, ...] = ()
    events: tuple[DatedEvent, ...] = ()
    """The dated events in the hops' sub-questions."""
    steps: tuple[Step, ...] = ()
    failure: UnresolvedHop | None = None
    is_answer: bool = False
    """Whether the last hop is the answer."""


@dataclass(frozen=True, slots=True)
class _Way:
    """The means to resolve hops."""

    retrieve: Retrieve
    reference_day: Day
    conventions: Conventions
    watch: Stopwatch

    def parsed(self, question: str) -> ParsedQuestion:
        return parse(question, self.reference_day, self.conventions)


def follow_hops(
    question: str, retrieve: Retrieve, reference_day: Day, conventions: Conventions, watch: Stopwatch
) -> Generator[GatherEvent, None, Trail]:
    """Resolve the hops of a question in the order of their dependencies.

    The first unresolved hop ends this: the question cannot be answered. A question without hops that itself
    asks for a neighbour ("Who succeeded X?") is answered in the same way if a table has the order.
    """
    hops = hops_of(question)
    way = _Way(retrieve, reference_day, conventions, watch)
    if not hops.hops:
        return _asked_of_a_table(question, way)
    steps = steps_of(hops, {})
    yield Planned(Plan(steps))
    found: list[ResolvedHop] = []
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
        if isinstance(result, UnresolvedHop):
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


def _asked_of_a_table(question: str, way: _Way) -> Trail:
    """The neighbouring row, if the whole question asks for a neighbour and a table has all words of it."""
    hop = asked_neighbour(question)
    if hop is None:
        return Trail(question)
    result, _ = _neighbour(hop, hop.text, (), way)
    if isinstance(result, UnresolvedHop) or not result.is_exact:
        return Trail(question)
    if not (answering.is_adjoining(result) and answering.is_about(result.hit, hop.about)):
        return Trail(question)
    return Trail(question, (result,), is_answer=True)


def with_terms(parsed: ParsedQuestion, found: Sequence[ResolvedHop]) -> ParsedQuestion:
    """The question with terms of resolved hops replaced by their days."""
    return with_days(parsed, days_of(answering.terms(parsed, found)))


def unknown_time(parsed: ParsedQuestion, found: Sequence[ResolvedHop]) -> UnresolvedHop | None:
    """The first undated event that contains a resolved name, which makes the question unanswerable."""
    for implicit in parsed.implicit:
        if any(one.name in implicit.text for one in found):
            return UnresolvedHop(implicit.text, "the corpus does not say when that was")
    return None


def _neighbour(
    hop: Hop, words: str, found: Sequence[ResolvedHop], way: _Way
) -> tuple[ResolvedHop | UnresolvedHop, int]:
    """Resolve a neighbour: one search for facts of the name, then searches for its whole order."""
    named = filled(hop.of, answering.names(found))
    known = next((one for one in found if one.hop.number in hop.needs and one.name == named), None)
    hits = _found_for(f"{named} {hop.head} {hop.about}", way)
    for query in queries_for_order(named, tuple(hits.values())):
        hits |= _found_for(query, way)
    return answering.neighbour(hop, named, known, tuple(hits.values()), words), len(hits)


def _holder(
    hop: Hop, words: str, found: Sequence[ResolvedHop], way: _Way
) -> tuple[ResolvedHop | UnresolvedHop, int, tuple[DatedEvent, ...]]:
    """Resolve a hop by its sub-question, trying each wording until one is answered."""
    outcome: tuple[ResolvedHop | UnresolvedHop, int, tuple[DatedEvent, ...]] | None = None
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
        if isinstance(result, ResolvedHop):
            return result, len(hits), tuple(events)
        outcome = outcome or (result, len(hits), tuple(events))
    if outcome is None:
        raise AssertionError("a hop asks something")
    return outcome


def _described(hop: Hop, words: str, way: _Way) -> tuple[ResolvedHop | UnresolvedHop, int]:
    """Resolve the object of an action: a search for the action, then for the titles found."""
    hits = _found_for(hop.asks[0], way)
    titles = dict.fromkeys(hit.chunk.title for hit in list(hits.values())[:_MOST_TITLES])
    for title in filter(None, titles):
        hits |= _found_for(title, way)
    return described_by_action(hop, tuple(hits.values()), words), len(hits)


def _found_for(query: str, way: _Way) -> dict[str, Hit]:
    """The hits of a search at any time, by chunk id."""
    return {hit.chunk.id: hit for hit in way.retrieve(way.parsed(query), query, None)}


def _properties(text: str, way: _Way) -> dict[str, str]:
    """The values in tables of the properties that a text names: "the country of Athens 2004" is Greece."""
    values = {}
    for one in dict.fromkeys(properties_in(text)):
        about = way.parsed(f"{one.noun} {one.of}")
        value = answering.property_of(one.noun, one.of, way.retrieve(about, about.question, None))
        if value is not None:
            values[one.text] = value
    return values
