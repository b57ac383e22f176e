"""Finds sentences that answer a yes-or-no question. It has its own upper layers and its own head.

Its two outputs are for sentences that say yes and for sentences that say no. It finds such sentences more
reliably than it tells yes from no, so the two are reported separately (``docs/answers-measured.md``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from timelens.reader.derived_reader import DerivedReader
from timelens.reader.encoding import Encoded, Passage
from timelens.reader.span_reader import TokenScores, bundled_reader
from timelens.temporal.interval import Interval

YES_NO_SHA256 = "97a1ba8d3766dfbc70c24e6575ae0d7d578853792c9933dc8526fbdc0fc36c09"
"""SHA-256 of the bundled file; ``WEIGHTS.md`` lists its training data."""


@dataclass(frozen=True, slots=True)
class YesNoEvidence:
    """The place in a passage that answers yes or no, and its score."""

    passage: int
    """Index of the passage."""
    at: int
    """First character of the token with the highest score."""
    score: float
    """Log odds that the passage answers the question, against "no answer here"."""
    leaning: float
    """Log odds of yes against no, if it answers."""


class YesNoReader(DerivedReader):
    """A reader that finds the answers to yes-or-no questions."""

    def tell(
        self, question: str, window: Interval | None, passages: Sequence[Passage]
    ) -> list[YesNoEvidence]:
        """The places that answer a yes-or-no question about the days ``window``, likeliest first.

        Each passage has one: that of its likeliest part if it is long, none if it has no text.
        """
        found: dict[int, YesNoEvidence] = {}
        for number, encoded, yes, no in self.scored(question, window, passages):
            told = _told(number, encoded, yes, no)
            if told is not None and (number not in found or told.score > found[number].score):
                found[number] = told
        return sorted(found.values(), key=lambda told: (-told.score, told.passage))


def _told(number: int, encoded: Encoded, yes: TokenScores, no: TokenScores) -> YesNoEvidence | None:
    """The result of one input: all its text tokens against the first token, which means "no answer here"."""
    places = [(index, place[0]) for index, place in enumerate(encoded.offsets) if place is not None]
    if not places:
        return None
    text, nowhere = [index for index, _ in places], np.logaddexp(yes[0], no[0])
    either = np.logaddexp(yes, no)[text]
    says_yes, says_no = (float(np.logaddexp.reduce(scores[text])) for scores in (yes, no))
    score = float(np.logaddexp.reduce(either) - nowhere)
    return YesNoEvidence(number, places[int(np.argmax(either))][1], score, says_yes - says_no)


@cache
def bundled_yes_no_reader() -> YesNoReader:
    """The bundled reader for yes-or-no questions."""
    return YesNoReader(bundled_reader(), Path(__file__).parent / "yes_no.safetensors", YES_NO_SHA256)
