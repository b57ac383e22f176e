"""Finds all values that passages state for a question, at any time. It has its own upper layers.

The reader chooses one answer for one time. The values reader finds every span that states a value ("Who was
mayor?": every mayor); other modules decide which value holds when.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from timelens.reader.derived_reader import DerivedReader
from timelens.reader.encoding import Encoded, Passage
from timelens.reader.span_reader import AnswerSpan, TokenScores, bundled_reader

VALUES_SHA256 = "61f162e2bc1cdc597c617a929d92ece67056535e59172bae7bb3aca466045eb0"
"""SHA-256 of the bundled file; ``WEIGHTS.md`` lists its training data."""

_LEAST = -3.0
"""Least log odds of the first and of the last token of a value."""
_LONGEST = 16
"""Most tokens of a value."""
_MOST = 12
"""Most values of one passage."""


class ValuesReader(DerivedReader):
    """A reader that finds all values. Its outputs are log odds that a token begins and ends a value."""

    def values(self, question: str, passages: Sequence[Passage]) -> list[AnswerSpan]:
        """The spans that state a value for a question without a time, likeliest first, without overlaps."""
        return self.stretches(question, None, passages, _readings, _MOST)


def _readings(number: int, encoded: Encoded, starts: TokenScores, ends: TokenScores) -> Iterator[AnswerSpan]:
    """The spans of one input from a token that may begin a value to a token that may end it."""
    places = [(index, place) for index, place in enumerate(encoded.offsets) if place is not None]
    firsts = [(i, place[0]) for i, place in places if starts[i] - starts[0] > _LEAST]
    lasts = [(i, place[1]) for i, place in places if ends[i] - ends[0] > _LEAST]
    for first, start in firsts:
        for last, end in lasts:
            if first <= last < first + _LONGEST:
                odds = (starts[first] - starts[0] + ends[last] - ends[0]) / 2
                yield AnswerSpan(number, start, end, float(odds))


@cache
def bundled_values_reader() -> ValuesReader:
    """The bundled values reader."""
    return ValuesReader(bundled_reader(), Path(__file__).parent / "values.safetensors", VALUES_SHA256)
