"""Readers for other tasks: the reader with some of its weights replaced."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from timelens.reader.encoding import Encoded, tokens_of
from timelens.reader.span_reader import Reader, TokenScores

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class DerivedReader(Reader):
    """A reader that replaces some weights of another reader and shares the rest."""

    def __init__(self, reader: Reader, weights: Path, sha256: str | None = None) -> None:
        """``weights`` is the file of the replaced weights, or of their differences from those of ``reader``.

        If ``sha256`` is given, the file must match it.
        """
        super().__init__(reader.encoder, weights, sha256)
        self._reader = reader

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """The tokenizer of the other reader."""
        return self._reader.tokenizer

    @cached_property
    def _changed(self) -> dict[str, NDArray[Any]]:
        return self._learned.arrays(self._reader.arrays)

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights of the other reader, with the replaced ones."""
        return self._reader.arrays | self._changed

    def warm(self) -> None:
        """Load torch, which is faster for many passages."""
        if self.tensors is None:
            self._reader.warm()
            from timelens.bert.in_torch import tensors_of

            self.tensors = (self._reader.tensors or {}) | tensors_of(self._changed)


def means_over(encoded: Encoded, scores: TokenScores, spans: Sequence[tuple[int, int]]) -> list[float]:
    """The mean of an output over the tokens of each span of characters; -inf for one without tokens."""
    inside = (tokens_of(encoded, start, end) for start, end in spans)
    return [float(scores[tokens].mean()) if tokens else float("-inf") for tokens in inside]
