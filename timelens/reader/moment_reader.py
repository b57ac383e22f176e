"""Finds the sentences that tell when something happened, began or ended. It has its own upper layers.

Often no word of such a sentence is a date: the day of its entry or its document is the answer. So the network
tells sentences, not spans; a second output tells which of a sentence's dated expressions, if any, dates it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from timelens.reader.derived_reader import DerivedReader, means_over
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import bundled_reader

MOMENTS_SHA256 = "a152230536ff8808002fc6d1e35b2bdea4ce2613952a9124792626b5d580aa27"
"""SHA-256 of the bundled file; ``WEIGHTS.md`` lists its training data."""

Span = tuple[int, int]
"""(start, end) in the characters of a passage, end exclusive."""


class MomentReader(DerivedReader):
    """A reader that tells which sentences tell a moment, and what dates it there."""

    def odds(
        self,
        question: str,
        passages: Sequence[Passage],
        sentences: Sequence[Sequence[Span]],
        times: Sequence[Sequence[Span]],
    ) -> list[tuple[list[float], list[float]]]:
        """The log odds of sentences and of dated expressions, for a question that asks when.

        Args:
            question: the whole question; a time in it is read like its other words.
            passages: the passages.
            sentences: the sentences of each passage.
            times: the dated expressions of each passage.

        Returns:
            For each passage the log odds that each sentence tells the moment, and that each dated expression
            dates it, if its sentence tells it. Of a span in two inputs the higher; -inf for one without
            tokens.
        """
        telling = [[float("-inf")] * len(own) for own in sentences]
        dating = [[float("-inf")] * len(own) for own in times]
        for number, encoded, tells, dates in self.scored(question, None, passages):
            telling[number] = list(map(max, telling[number], means_over(encoded, tells, sentences[number])))
            dating[number] = list(map(max, dating[number], means_over(encoded, dates, times[number])))
        return list(zip(telling, dating, strict=True))


@cache
def bundled_moment_reader() -> MomentReader:
    """The bundled reader of moments."""
    return MomentReader(bundled_reader(), Path(__file__).parent / "moments.safetensors", MOMENTS_SHA256)
