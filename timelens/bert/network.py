"""The network of the encoder, with torch or numpy as backend."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

Array = TypeVar("Array", "Tensor", NDArray[Any])
_HEADS = 12


class Operations(Protocol[Array]):
    """The backend of the network."""

    def linear(self, values: Array, weight: Array, bias: Array) -> Array:
        """``values`` × ``weight`` transposed + ``bias``."""

    def normalised(self, values: Array, weight: Array, bias: Array) -> Array:
        """Layer normalisation over the last axis: mean 0 and variance 1, × ``weight`` + ``bias``."""

    def gelu(self, values: Array) -> Array:
        """GELU, x Φ(x) for each value x; ``values`` may be overwritten."""

    def attention(self, query: Array, key: Array, value: Array, seen: Array) -> Array:
        """Scaled dot-product attention; ``seen`` is false for masked keys."""

    def dropout(self, values: Array) -> Array:
        """Dropout; without effect except in training."""

    def where(self, condition: Array, values: Array, other: float) -> Array:
        """``values`` where the condition holds, else ``other``."""


def hidden_of(
    operations: Operations[Array],
    weights: Mapping[str, Array],
    ids: Array,
    there: Array,
    *,
    types: Array | None = None,
    added: Array | None = None,
    at: Array | None = None,
) -> Array:
    """The vectors of the last layer.

    Args:
        operations: the backend.
        weights: by their names in the encoder's file.
        ids: token numbers, shape (inputs, tokens).
        there: false for padding, of the same shape.
        types: 0 for the first text of an input and 1 for the second, of the same shape; one text by default.
        added: vectors to add to the embeddings of the tokens, shape (inputs, tokens, width).
        at: index of a token of each input, shape (inputs,): the last layer is computed for these alone.

    Returns:
        Shape (inputs, tokens, width); with ``at`` (inputs, 1, width).
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
    return layers_of(operations, weights, hidden, there, at=at)


def layers_of(
    operations: Operations[Array],
    weights: Mapping[str, Array],
    hidden: Array,
    there: Array,
    first: int = 0,
    *,
    at: Array | None = None,
) -> Array:
    """The vectors of the last layer that ``weights`` contain; ``hidden`` is the input of layer ``first``.

    ``at`` is as in :func:`hidden_of`.
    """
    seen, layer = there[:, None, None, :], first
    while _has_layer(weights, layer):
        is_last = not _has_layer(weights, layer + 1)
        wanted = hidden if at is None or not is_last else hidden[list(range(len(hidden))), at][:, None]
        hidden = _layer(operations, weights, f"encoder.layer.{layer}", hidden, seen, wanted=wanted)
        layer += 1
    return hidden


def _has_layer(weights: Mapping[str, Array], layer: int) -> bool:
    return f"encoder.layer.{layer}.output.dense.weight" in weights


def _layer(
    operations: Operations[Array],
    weights: Mapping[str, Array],
    name: str,
    hidden: Array,
    seen: Array,
    *,
    wanted: Array,
) -> Array:
    """The output of a layer for the vectors ``wanted``, which attend to all of ``hidden``."""

    def in_heads(part: str, values: Array) -> Array:
        projected = linear(operations, weights, f"{name}.attention.self.{part}", values)
        inputs, tokens, width = values.shape
        return projected.reshape(inputs, tokens, _HEADS, width // _HEADS).swapaxes(1, 2)

    query, key, value = in_heads("query", wanted), in_heads("key", hidden), in_heads("value", hidden)
    context = operations.attention(query, key, value, seen).swapaxes(1, 2).reshape(wanted.shape)
    context = operations.dropout(linear(operations, weights, f"{name}.attention.output.dense", context))
    hidden = _normalised(operations, weights, f"{name}.attention.output.LayerNorm", wanted + context)
    inner = operations.gelu(linear(operations, weights, f"{name}.intermediate.dense", hidden))
    inner = operations.dropout(linear(operations, weights, f"{name}.output.dense", inner))
    return _normalised(operations, weights, f"{name}.output.LayerNorm", hidden + inner)


def linear(operations: Operations[Array], weights: Mapping[str, Array], name: str, values: Array) -> Array:
    """The output of the linear layer ``name``."""
    return operations.linear(values, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _normalised(
    operations: Operations[Array], weights: Mapping[str, Array], name: str, values: Array
) -> Array:
    return operations.normalised(values, weights[f"{name}.weight"], weights[f"{name}.bias"])
