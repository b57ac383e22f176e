"""BERT in plain torch: the network of the bundled encoder, which the embedder and the reader share.

It imports torch, so it is imported where it is first needed.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

_HEADS = 12
_EPSILON = 1e-12


def weights_of(folder: Path, device: str | None = None) -> dict[str, Tensor]:
    """The weights of the encoder in a folder by their names, on a device; ``None`` is the best there is.

    Raises:
        AssertionError: torch was built without the device.
        RuntimeError: there is no such device.
        OSError: they cannot be read.
        safetensors.SafetensorError: they are damaged.
    """
    weights = load_file(str(folder / "model.safetensors"))
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    return {name: value.to(device) for name, value in weights.items()}


def tokenizer_of(folder: Path) -> Tokenizer:
    """The tokenizer of the encoder in a folder; it neither cuts nor pads.

    Raises:
        OSError: it cannot be read.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else it warns when a process is started
    tokenizer: Tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def hidden_of(
    weights: Mapping[str, Tensor],
    ids: Tensor,
    there: Tensor,
    *,
    types: Tensor | None = None,
    added: Tensor | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """The vectors of the last layer, where the weights are.

    Args:
        weights: by their names in the encoder's file.
        ids: token numbers, shape (inputs, tokens).
        there: false where an input is shorter, of the same shape.
        types: 0 for the first text of an input and 1 for the second, of the same shape; one text by default.
        added: to the vectors of the tokens, shape (inputs, tokens, width).
        dropout: the share of values left out, while training.

    Returns:
        Shape (inputs, tokens, width).
    """
    words = weights["embeddings.word_embeddings.weight"]
    seen = there.to(words.device)[:, None, None, :]
    kinds = weights["embeddings.token_type_embeddings.weight"]
    hidden = (
        words[ids.to(words.device)]
        + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        + (kinds[0] if types is None else kinds[types.to(words.device)])
    )
    if added is not None:
        hidden = hidden + added
    hidden = _normalised(weights, "embeddings.LayerNorm", hidden)
    hidden = functional.dropout(hidden, dropout, training=dropout > 0)
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in weights:
        hidden = _layer(weights, f"encoder.layer.{layer}", hidden, seen, dropout)
        layer += 1
    return hidden


def _layer(weights: Mapping[str, Tensor], name: str, hidden: Tensor, seen: Tensor, dropout: float) -> Tensor:
    inputs, tokens, width = hidden.shape
    query, key, value = (
        linear(weights, f"{name}.attention.self.{part}", hidden)
        .view(inputs, tokens, _HEADS, width // _HEADS)
        .transpose(1, 2)
        for part in ("query", "key", "value")
    )
    context = functional.scaled_dot_product_attention(query, key, value, seen, dropout_p=dropout)
    context = context.transpose(1, 2).reshape(inputs, tokens, width)
    context = linear(weights, f"{name}.attention.output.dense", context)
    context = functional.dropout(context, dropout, training=dropout > 0)
    hidden = _normalised(weights, f"{name}.attention.output.LayerNorm", hidden + context)
    inner = functional.gelu(linear(weights, f"{name}.intermediate.dense", hidden))
    inner = linear(weights, f"{name}.output.dense", inner)
    inner = functional.dropout(inner, dropout, training=dropout > 0)
    return _normalised(weights, f"{name}.output.LayerNorm", hidden + inner)


def linear(weights: Mapping[str, Tensor], name: str, values: Tensor) -> Tensor:
    """A linear layer by the name of its weights."""
    return functional.linear(values, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _normalised(weights: Mapping[str, Tensor], name: str, values: Tensor) -> Tensor:
    return functional.layer_norm(
        values, values.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], _EPSILON
    )
