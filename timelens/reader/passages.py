"""Chunks as the reader sees them, with the times that they state. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from timelens.documents import Chunk, EventSource
from timelens.reader.encoding import Passage
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval


def times_in(chunk: Chunk) -> list[Expression]:
    """The times that a passage states, with the days that they were given when it was ingested.

    Then the rest of the document told what year "in March" is of.
    """
    found = find_expressions(chunk.text, chunk.published.start if chunk.published else None)
    times: list[Expression] = []
    for index, (start, end) in enumerate(chunk.sentences):
        here = [one for one in found if start <= one.char_start < end and one.interval is not None]
        stated = [e for e in chunk.events if e.sentence == index and e.source is EventSource.STATED]
        if len(here) == len(stated):
            here = [_on(one, event.interval) for one, event in zip(here, stated, strict=True)]
        times += here
    return times


def _on(expression: Expression, days: Interval) -> Expression:
    """An expression that stands for other days than it seemed to by itself."""
    if expression.relation is not None or len(expression.dates) > 1:
        return expression
    return replace(expression, interval=days, dates=(days,))


def passage_of(chunk: Chunk, times: Sequence[Expression]) -> Passage:
    """A piece of evidence as the reader sees it, with the times that it states."""
    marked = tuple((one.char_start, one.interval) for one in times if one.interval is not None)
    return Passage(chunk.title, chunk.text, chunk.published, marked)
