"""The time of a value, from the nearest time expression in its sentence. Pure."""

from collections.abc import Sequence

from timelens.documents import Chunk
from timelens.temporal.expressions import Expression
from timelens.temporal.interval import Interval

Stretch = tuple[int, int]
"""Start and end offsets in a passage, half-open."""

_OPENS = frozenset("(,:–—-")
"""Characters that may join a value to the time that belongs to it: "Maas (1948–1969)"."""
_BESIDE_ANOTHER = 10
"""Distance, in words, added for each other value between a value and a time."""


def time_beside(
    chunk: Chunk, value: Stretch, others: Sequence[Stretch], times: Sequence[Expression]
) -> Interval | None:
    """The nearest time in the sentence of a value; ``None`` if there is none outside the value itself.

    ``times`` are the time expressions of the passage. A time beyond another value is used only if no other
    time is nearer.
    """
    start, end = next(
        ((start, end) for start, end in chunk.sentences if start <= value[0] < end), (0, len(chunk.text))
    )
    found = [
        one
        for one in times
        if start <= one.char_start < end and (one.char_end <= value[0] or value[1] <= one.char_start)
    ]
    nearest = min(found, key=lambda one: _distance(chunk.text, value, others, one), default=None)
    return None if nearest is None else nearest.interval


def _distance(text: str, value: Stretch, others: Sequence[Stretch], time: Expression) -> tuple[int, int]:
    """Distance in words between a value and a time, then whether the time precedes the value."""
    is_before = time.char_end <= value[0]
    first, last = (time.char_end, value[0]) if is_before else (value[1], time.char_start)
    between = text[first:last].strip()
    if not is_before and (not between or set(between) <= _OPENS):
        return 0, 0
    crossed = sum(first <= start < last for start, _ in others)
    return 1 + len(between.split()) + _BESIDE_ANOTHER * crossed, is_before
