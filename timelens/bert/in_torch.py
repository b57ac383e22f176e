"""The operations of the network in torch. For many texts, for any device, and for training.

This module imports torch, so import it only where it is needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from timelens.bert.encoder_files import WEIGHTS

_EPSILON = 1e-12


def weights_of(folder: Path, device: str | None = None) -> dict[str, Tensor]:
    """The weights of the encoder in a folder by name, on a device; ``None``: CUDA if available, else the CPU.

    Raises:
        AssertionError: torch was built without the device.
        RuntimeError: there is no such device.
        OSError: the file cannot be read.
        safetensors.SafetensorError: the file is damaged.
    """
    weights = load_file(str(folder / WEIGHTS))
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    return {name: value.to(device) for name, value in weights.items()}


def tensors_of(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Tensor]:
    """Weights as tensors on the CPU. They share the memory of the arrays, so neither may be changed.

    Read-only arrays, such as those of a mapped file, are copied, because torch warns of sharing them.
    """
    return {
        name: torch.from_numpy(values) if values.flags.writeable else torch.tensor(values)
        for name, values in arrays.items()
    }


@dataclass(frozen=True, slots=True)
class TorchOperations:
    """The operations on tensors, which must be on the same device."""

    left_out: float = 0.0
    """Dropout probability, for training."""

    def linear(self, values: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """``values`` × ``weight`` transposed + ``bias``."""
        return functional.linear(values, weight, bias)

    def normalised(self, values: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """Layer normalisation over the last axis: mean 0 and variance 1, × ``weight`` + ``bias``."""
        return functional.layer_norm(values, values.shape[-1:], weight, bias, _EPSILON)

    def gelu(self, values: Tensor) -> Tensor:
        """GELU, x Φ(x) for each value x."""
        return functional.gelu(values)

    def attention(self, query: Tensor, key: Tensor, value: Tensor, seen: Tensor) -> Tensor:
        """Scaled dot-product attention; ``seen`` is false for masked keys."""
        return functional.scaled_dot_product_attention(query, key, value, seen, dropout_p=self.left_out)

    def dropout(self, values: Tensor) -> Tensor:
        """Dropout with probability ``left_out``."""
        return functional.dropout(values, self.left_out, training=self.left_out > 0)

    def where(self, condition: Tensor, values: Tensor, other: float) -> Tensor:
        """``values`` where the condition holds, else ``other``."""
        return torch.where(condition, values, other)
