"""When an event was that a question names: from the facts or the sentences found for it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.answer.kinds import Kind, Match, fact_of, find_kind
from timelens.answer.reading import Expected, read
from timelens.answer.solver import solve
from timelens.answer.topic import topic_of, words_of
from timelens.documents import EventSource, Hit
from timelens.question.model import Intent, ParsedQuestion
from timelens.temporal.interval import Interval, granule
from timelens.words import topic_words

_CLOSE = 0.6
"""Evidence with this part of the best score may tell the day where the best tells the month."""
_NAMING = 2
"""Words of its values by which one fact alone is named: "Sochi 2014", or "1948" and "summer"."""
_MOSTLY = 0.5
"""The share of an event's words that a fact named so must account for."""
_TOLD = 0.6
"""The share of an event's words that evidence must have to tell when it was."""


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event with its days and the evidence for them."""

    text: str
    interval: Interval
    """Of a fact the recorded days: from the first to the recorded end."""
    hit: Hit


def date_event(event: ParsedQuestion, hits: Sequence[Hit]) -> DatedEvent | None:
    """The event with its days, or ``None`` where the evidence does not tell them.

    ``event`` is its name or its clause, parsed as a question would be; ``hits`` are what was found for it.
    """
    named = find_kind(replace(event, core=event.question, intent=Intent.WHEN), hits, named=True)
    if named is not None and len(named.facts) == 1 and _is_named(event, named):
        return DatedEvent(event.question, _recorded(named.facts[0]), named.facts[0])
    topic = topic_of(event.core, hits)
    texts = [hit for hit in hits if hit.chunk.fact is None and not topic.missing(words_of(hit))]
    readings = [r for r in read(event, topic, texts, Expected.TIME) if r.share >= _TOLD]
    solution = solve(replace(event, intent=Intent.WHEN), hits)
    if solution is not None and len(solution.chosen) == 1 and solution.match is Match.STATED:
        (hit,) = solution.chosen
        if solution.kind.fit >= max([_TOLD, *(reading.share for reading in readings)]):
            return DatedEvent(event.question, _recorded(hit), hit)
    told = [(r, interval) for r in readings for interval in list(_stated(r.hit))[:1]]
    if not told:
        return None
    best, when = told[0]
    close = [
        (r, interval) for r, interval in told if r.score >= _CLOSE * best.score and when.contains(interval)
    ]
    reading, interval = min(close, key=lambda pair: pair[1].days)
    return DatedEvent(event.question, interval, reading.hit)


def _is_named(event: ParsedQuestion, kind: Kind) -> bool:
    """Whether an event's words are, for the most part, those of a fact, and one value is stated in full."""
    words = topic_words(event.question)
    stated = [topic_words(value) for _, value in kind.key]
    named = frozenset[str]().union(*stated) & words
    return any(value <= words for value in stated) and len(named) >= _NAMING and kind.fit >= _MOSTLY


def _recorded(hit: Hit) -> Interval:
    """The recorded days of a fact; an end on record is the day after which another may begin."""
    fact = fact_of(hit)
    if fact.start is not None and fact.end is not None and fact.end <= fact.start:
        return granule(fact.start, fact.granularity)
    return Interval(fact.start, fact.end, fact.granularity)


def _stated(hit: Hit) -> Iterator[Interval]:
    """Bounded times that the sentence itself states, the most precise first."""
    times = [
        event.interval
        for event in hit.chunk.events
        if event.sentence == hit.sentence and event.source is not EventSource.PUBLISHED
    ]
    yield from sorted((t for t in times if t.start is not None and t.end is not None), key=lambda t: t.days)
