"""The operations of the network in torch: for many texts, on any device, and to train.

It imports torch, so it is imported where it is first needed.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from timelens.bert.files import WEIGHTS

_EPSILON = 1e-12


def weights_of(folder: Path, device: str | None = None) -> dict[str, Tensor]:
    """The weights of the encoder in a folder by their names, on a device; ``None`` is the best there is.

    Raises:
        AssertionError: torch was built without the device.
        RuntimeError: there is no such device.
        OSError: they cannot be read.
        safetensors.SafetensorError: they are damaged.
    """
    weights = load_file(str(folder / WEIGHTS))
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    return {name: value.to(device) for name, value in weights.items()}


@dataclass(frozen=True, slots=True)
class TorchOperations:
    """The operations on tensors, all of one device."""

    left_out: float = 0.0
    """The share of values that dropout leaves out, while training."""

    def linear(self, values: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """``values`` × ``weight`` transposed + ``bias``."""
        return functional.linear(values, weight, bias)

    def normalised(self, values: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """Values of mean 0 and variance 1 along the last axis, × ``weight`` + ``bias``."""
        return functional.layer_norm(values, values.shape[-1:], weight, bias, _EPSILON)

    def gelu(self, values: Tensor) -> Tensor:
        """Each times the share of a normal distribution below it."""
        return functional.gelu(values)

    def attention(self, query: Tensor, key: Tensor, value: Tensor, seen: Tensor) -> Tensor:
        """Scaled dot-product attention; ``seen`` is false for keys that are left out."""
        return functional.scaled_dot_product_attention(query, key, value, seen, dropout_p=self.left_out)

    def dropout(self, values: Tensor) -> Tensor:
        """Values without those that are left out while training."""
        return functional.dropout(values, self.left_out, training=self.left_out > 0)

    def where(self, condition: Tensor, values: Tensor, other: float) -> Tensor:
        """Values where a condition holds, and else another."""
        return torch.where(condition, values, other)
