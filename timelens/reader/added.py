"""Readers for other tasks: the weights of the reader with additions (LoRA) or others in their place."""

from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from timelens.reader.model import Reader

_UP, _DOWN = ".up", ".down"
"""What the names of two matrices end with whose product is added to a weight of the reader."""


class AddedReader(Reader):
    """A reader that shares the weights of another which it does not change."""

    def __init__(self, reader: Reader, weights: Path, sha256: str | None = None) -> None:
        """``weights`` is the file of what is added to those of ``reader``; where given, it has ``sha256``."""
        super().__init__(reader.encoder, weights, sha256)
        self._reader = reader

    @cached_property
    def _changed(self) -> dict[str, NDArray[Any]]:
        learned, arrays = self.learned(), self._reader.arrays
        sums = {
            name.removesuffix(_UP): arrays[name.removesuffix(_UP)] + up @ learned[name.replace(_UP, _DOWN)]
            for name, up in learned.items()
            if name.endswith(_UP)
        }
        return sums | {name: value for name, value in learned.items() if not name.endswith((_UP, _DOWN))}

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights of the other reader with what is added to them."""
        return self._reader.arrays | self._changed

    def warm(self) -> None:
        """Load torch, to read many passages."""
        if self.tensors is None:
            self._reader.warm()
            import torch

            changed = {name: torch.tensor(value) for name, value in self._changed.items()}
            self.tensors = (self._reader.tensors or {}) | changed
