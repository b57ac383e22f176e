"""BERT in plain torch: the network of the bundled encoder, in which the embedder runs its model.

It imports torch, so it is imported where it is first needed.
"""

import math
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

_HEADS = 12
_EPSILON = 1e-12
_NEVER = -1e4


@cache
def weights_of(folder: Path) -> dict[str, Tensor]:
    """The weights of the encoder in a folder by their names, in memory once for all that use them.

    Raises:
        OSError: they cannot be read.
        safetensors.SafetensorError: they are damaged.
    """
    return load_file(str(folder / "model.safetensors"))


def tokenizer_of(folder: Path) -> Tokenizer:
    """The tokenizer of the encoder in a folder; it neither cuts nor pads."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else it warns when a process is started
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def hidden_of(
    weights: Mapping[str, Tensor],
    ids: Tensor,
    types: Tensor,
) -> Tensor:
    """The vectors of the last layer.

    Args:
        weights: by their names in the encoder's file.
        ids: token numbers, shape (inputs, tokens), 0 where an input is shorter.
        types: 0 for the first text of an input and 1 for the second, of the same shape.

    Returns:
        Shape (inputs, tokens, width).
    """
    mask = torch.zeros(ids.shape, device=ids.device).masked_fill_(ids == 0, _NEVER)[:, None, None, :]
    hidden = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        + weights["embeddings.token_type_embeddings.weight"][types]
    )
    hidden = _normalised(weights, "embeddings.LayerNorm", hidden)
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in weights:
        hidden = _layer(weights, f"encoder.layer.{layer}", hidden, mask)
        layer += 1
    return hidden


def _layer(weights: Mapping[str, Tensor], name: str, hidden: Tensor, mask: Tensor) -> Tensor:
    inputs, tokens, width = hidden.shape
    query, key, value = (
        _linear(weights, f"{name}.attention.self.{part}", hidden)
        .view(inputs, tokens, _HEADS, width // _HEADS)
        .transpose(1, 2)
        for part in ("query", "key", "value")
    )
    seen = functional.scaled_dot_product_attention(
        query, key, value, mask, scale=1 / math.sqrt(width // _HEADS)
    )
    seen = seen.transpose(1, 2).reshape(inputs, tokens, width)
    seen = _linear(weights, f"{name}.attention.output.dense", seen)
    hidden = _normalised(weights, f"{name}.attention.output.LayerNorm", hidden + seen)
    inner = functional.gelu(_linear(weights, f"{name}.intermediate.dense", hidden))
    inner = _linear(weights, f"{name}.output.dense", inner)
    return _normalised(weights, f"{name}.output.LayerNorm", hidden + inner)


def _linear(weights: Mapping[str, Tensor], name: str, values: Tensor) -> Tensor:
    return functional.linear(values, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _normalised(weights: Mapping[str, Tensor], name: str, values: Tensor) -> Tensor:
    return functional.layer_norm(
        values, values.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], _EPSILON
    )
