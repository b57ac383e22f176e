"""The network of the encoder, over the operations of torch or of numpy."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

Array = TypeVar("Array", "Tensor", NDArray[Any])
_HEADS = 12


class Operations(Protocol[Array]):
    """What the network computes with."""

    def linear(self, values: Array, weight: Array, bias: Array) -> Array:
        """``values`` × ``weight`` transposed + ``bias``."""

    def normalised(self, values: Array, weight: Array, bias: Array) -> Array:
        """Values of mean 0 and variance 1 along the last axis, × ``weight`` + ``bias``."""

    def gelu(self, values: Array) -> Array:
        """Each times the share of a normal distribution below it; the values may be overwritten."""

    def attention(self, query: Array, key: Array, value: Array, seen: Array) -> Array:
        """Scaled dot-product attention; ``seen`` is false for keys that are left out."""

    def dropout(self, values: Array) -> Array:
        """Values without those that are left out while training."""

    def where(self, condition: Array, values: Array, other: float) -> Array:
        """Values where a condition holds, and else another."""


def hidden_of(
    operations: Operations[Array],
    weights: Mapping[str, Array],
    ids: Array,
    there: Array,
    *,
    types: Array | None = None,
    added: Array | None = None,
) -> Array:
    """The vectors of the last layer.

    Args:
        operations: what computes.
        weights: by their names in the encoder's file.
        ids: token numbers, shape (inputs, tokens).
        there: false where an input is shorter, of the same shape.
        types: 0 for the first text of an input and 1 for the second, of the same shape; one text by default.
        added: to the vectors of the tokens, shape (inputs, tokens, width).

    Returns:
        Shape (inputs, tokens, width).
    """
    kinds = weights["embeddings.token_type_embeddings.weight"]
    hidden = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        + (kinds[0] if types is None else kinds[types])
    )
    if added is not None:
        hidden = hidden + added
    hidden = operations.dropout(_normalised(operations, weights, "embeddings.LayerNorm", hidden))
    return layers_of(operations, weights, hidden, there)


def layers_of(
    operations: Operations[Array],
    weights: Mapping[str, Array],
    hidden: Array,
    there: Array,
    first: int = 0,
) -> Array:
    """The vectors of the last layer that there are weights of, from those that layer ``first`` is given."""
    seen, layer = there[:, None, None, :], first
    while f"encoder.layer.{layer}.output.dense.weight" in weights:
        hidden = _layer(operations, weights, f"encoder.layer.{layer}", hidden, seen)
        layer += 1
    return hidden


def _layer(
    operations: Operations[Array], weights: Mapping[str, Array], name: str, hidden: Array, seen: Array
) -> Array:
    inputs, tokens, width = hidden.shape
    query, key, value = (
        linear(operations, weights, f"{name}.attention.self.{part}", hidden)
        .reshape(inputs, tokens, _HEADS, width // _HEADS)
        .swapaxes(1, 2)
        for part in ("query", "key", "value")
    )
    context = operations.attention(query, key, value, seen).swapaxes(1, 2).reshape(inputs, tokens, width)
    context = operations.dropout(linear(operations, weights, f"{name}.attention.output.dense", context))
    hidden = _normalised(operations, weights, f"{name}.attention.output.LayerNorm", hidden + context)
    inner = operations.gelu(linear(operations, weights, f"{name}.intermediate.dense", hidden))
    inner = operations.dropout(linear(operations, weights, f"{name}.output.dense", inner))
    return _normalised(operations, weights, f"{name}.output.LayerNorm", hidden + inner)


def linear(operations: Operations[Array], weights: Mapping[str, Array], name: str, values: Array) -> Array:
    """A linear layer by the name of its weights."""
    return operations.linear(values, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _normalised(
    operations: Operations[Array], weights: Mapping[str, Array], name: str, values: Array
) -> Array:
    return operations.normalised(values, weights[f"{name}.weight"], weights[f"{name}.bias"])
