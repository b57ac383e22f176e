"""All values that passages state of what is asked, at whatever time: the reader with upper layers of its own.

The reader chooses one answer of one time. Here each stretch that states a value is found for itself ("Who was
mayor?": every mayor), and what holds when is left to the calendar.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from timelens.reader.added import AddedReader
from timelens.reader.encoding import Encoded, Passage
from timelens.reader.model import Reading, Scores, bundled_reader

VALUES_SHA256 = "685517ed2223decd79f701ae5baa548fad2b99b5b1c664780d240e196281dea1"
"""Of the file that comes with the package; ``WEIGHTS.md`` says what it was trained on."""

_LEAST = -3.0
"""Log odds below which no token is looked at as the first or the last of a value."""
_LONGEST = 16
"""Tokens of a value."""
_MOST = 12
"""Values of one passage."""


class ValuesReader(AddedReader):
    """A reader that finds all values. Its outputs are the log odds of each token to begin and to end one."""

    def values(self, question: str, passages: Sequence[Passage]) -> list[Reading]:
        """What states a value of a question without a time, the likeliest first; none that overlap."""
        return self.stretches(question, None, passages, _readings, _MOST)


def _readings(number: int, encoded: Encoded, starts: Scores, ends: Scores) -> Iterator[Reading]:
    """The stretches of one input between a token that may begin a value and one that may end it."""
    places = [(index, place) for index, place in enumerate(encoded.offsets) if place is not None]
    firsts = [(i, place[0]) for i, place in places if starts[i] - starts[0] > _LEAST]
    lasts = [(i, place[1]) for i, place in places if ends[i] - ends[0] > _LEAST]
    for first, start in firsts:
        for last, end in lasts:
            if first <= last < first + _LONGEST:
                odds = (starts[first] - starts[0] + ends[last] - ends[0]) / 2
                yield Reading(number, start, end, float(odds))


@cache
def bundled_values_reader() -> ValuesReader:
    """The one that comes with the package."""
    return ValuesReader(bundled_reader(), Path(__file__).parent / "values.safetensors", VALUES_SHA256)
