"""Makes passages for the reader from chunks, with the times that they state. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from timelens.documents import Chunk, EventSource
from timelens.reader.encoding import Passage
from timelens.temporal.expressions import Expression, ScannedText
from timelens.temporal.interval import Interval

_CHUNKS = 256
"""Number of chunks whose times are kept."""


@lru_cache(maxsize=_CHUNKS)
def times_in(chunk: Chunk) -> tuple[Expression, ...]:
    """The times that a chunk states, with the days that ingestion resolved them to.

    Ingestion knows the whole document, and so the year of "in March". The networks of one question read the
    same chunks, so the times of the latest ones are kept.
    """
    found = ScannedText(chunk.text).of_document(chunk.published)
    times: list[Expression] = []
    for index, (start, end) in enumerate(chunk.sentences):
        here = [one for one in found if start <= one.char_start < end and one.interval is not None]
        stated = [e for e in chunk.events if e.sentence == index and e.source is EventSource.STATED]
        if len(here) == len(stated):
            here = [_on(one, event.interval) for one, event in zip(here, stated, strict=True)]
        times += here
    return tuple(times)


def _on(expression: Expression, days: Interval) -> Expression:
    """The expression with the days from ingestion; ranges and relations stay as they are."""
    if expression.relation is not None or len(expression.dates) > 1:
        return expression
    return replace(expression, interval=days, dates=(days,))


def passage_of(chunk: Chunk, times: Sequence[Expression]) -> Passage:
    """The passage of a chunk, with marks at the given times."""
    marked = tuple((one.char_start, one.interval) for one in times if one.interval is not None)
    return Passage(chunk.title, chunk.text, chunk.published, marked)
