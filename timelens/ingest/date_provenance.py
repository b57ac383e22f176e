"""Finds the words of a stored chunk that its days were read from. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from timelens.documents import Chunk, Event, EventSource
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ScannedText
from timelens.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class DateRead:
    """A temporal expression in the text of a chunk, with the days stored for it."""

    start: int
    end: int
    """Offsets in the text of the chunk, end exclusive."""
    interval: Interval


def dates_read(chunk: Chunk, conventions: Conventions = USUAL) -> tuple[DateRead, ...]:
    """The temporal expressions of a chunk with their stored days, in the order of the text.

    Expressions are not stored, so they are found again. Within a sentence they are matched with the stored
    times by order, or by equal days if the numbers differ. A row of a table has none: its dates are columns.
    """
    if chunk.fact is not None:
        return ()
    stated: list[list[Event]] = [[] for _ in chunk.sentences]
    for event in chunk.events:
        if event.source is EventSource.STATED and event.sentence < len(stated):
            stated[event.sentence].append(event)
    if not any(stated):
        return ()
    expressions = [e for e in ScannedText(chunk.text, conventions).of_document(chunk.published) if e.interval]
    found: list[DateRead] = []
    for (start, end), events in zip(chunk.sentences, stated, strict=True):
        within = [e for e in expressions if start <= e.char_start < end]
        found += _paired(within, events)
    return tuple(found)


def _paired(expressions: Sequence[Expression], events: Sequence[Event]) -> list[DateRead]:
    """The expressions of one sentence, matched with its events."""
    if len(expressions) == len(events):
        pairs: Iterable[tuple[Expression, Event | None]] = zip(expressions, events, strict=True)
    else:
        pairs = ((expression, _same(expression, events)) for expression in expressions)
    return [DateRead(e.char_start, e.char_end, event.interval) for e, event in pairs if event is not None]


def _same(expression: Expression, events: Sequence[Event]) -> Event | None:
    """The event with the same days as an expression or one of its dates; ``None`` if there is none."""
    times = [time for time in (expression.interval, *expression.dates) if time is not None]
    return next((event for event in events if any(event.interval.same_days(time) for time in times)), None)
