"""What tells yes or no: the reader with upper layers and a head of its own.

Its two outputs are for sentences that say yes and for those that say no. It finds them; which of the two
they say it does not tell well enough, so that both count alike (``docs/answers.md`` has the figures).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from timelens.reader.added import AddedReader
from timelens.reader.encoding import Encoded, Passage
from timelens.reader.model import Scores, bundled_reader
from timelens.temporal.interval import Interval

WHETHER_SHA256 = "f401b779be8e467cd8c7a084afe5c1161eb6bb2f02aa14d308d2ec3360d4e703"
"""Of the file that comes with the package; ``WEIGHTS.md`` says what it was trained on."""


@dataclass(frozen=True, slots=True)
class Told:
    """Where a passage tells yes or no, and how likely it does."""

    passage: int
    """Index of the passage."""
    at: int
    """The character about which it tells most."""
    score: float
    """Log odds that it tells, against "not here"."""


class WhetherReader(AddedReader):
    """A reader that finds what tells yes or no."""

    def tell(self, question: str, window: Interval | None, passages: Sequence[Passage]) -> list[Told]:
        """Where passages tell yes or no to a question about the days ``window``, the likeliest first.

        Of a long passage the part counts that is likeliest to; a passage without text has none.
        """
        found: dict[int, Told] = {}
        for number, encoded, yes, no in self.scored(question, window, passages):
            told = _told(number, encoded, np.logaddexp(yes, no))
            if told is not None and (number not in found or told.score > found[number].score):
                found[number] = told
        return sorted(found.values(), key=lambda told: (-told.score, told.passage))


def _told(number: int, encoded: Encoded, scores: Scores) -> Told | None:
    """What one input tells: all its tokens of text against its first token, which stands for "not here"."""
    places = [(index, place[0]) for index, place in enumerate(encoded.offsets) if place is not None]
    if not places:
        return None
    inside = scores[[index for index, _ in places]]
    score = float(np.logaddexp.reduce(inside) - scores[0])
    return Told(number, places[int(np.argmax(inside))][1], score)


@cache
def bundled_whether_reader() -> WhetherReader:
    """The one that comes with the package."""
    return WhetherReader(bundled_reader(), Path(__file__).parent / "whether.safetensors", WHETHER_SHA256)
