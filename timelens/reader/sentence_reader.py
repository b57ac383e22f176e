"""Finds the sentences that belong in an answer over time. It has its own upper layers.

Such an answer tells a development, the holders of a post, a list or a story. It consists of whole sentences,
and not every one of them states a value.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from timelens.reader.derived_reader import DerivedReader, means_over
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import bundled_reader

SENTENCES_SHA256 = "e591c5fccf62fbb1fcd3efcccf74124b01652868acb986bc77d56c591351b6d3"
"""SHA-256 of the bundled file; ``WEIGHTS.md`` lists its training data."""


class SentenceReader(DerivedReader):
    """A reader that tells which sentences belong in an answer."""

    def odds(
        self, question: str, passages: Sequence[Passage], sentences: Sequence[Sequence[tuple[int, int]]]
    ) -> list[list[float]]:
        """The log odds that each sentence belongs in the answer to a question without a time.

        Args:
            question: the question, without its time.
            passages: the passages.
            sentences: for each passage, (start, end) of its sentences in characters.

        Returns:
            A number for each sentence of each passage; of a sentence in two inputs the higher, and -inf for
            one without tokens.
        """
        found = [[float("-inf")] * len(own) for own in sentences]
        for number, encoded, scores, _ in self.scored(question, None, passages):
            found[number] = list(map(max, found[number], means_over(encoded, scores, sentences[number])))
        return found


@cache
def bundled_sentence_reader() -> SentenceReader:
    """The bundled reader of sentences."""
    return SentenceReader(bundled_reader(), Path(__file__).parent / "sentences.safetensors", SENTENCES_SHA256)
