"""Readers for other tasks: the reader with other weights in place of some of its own."""

from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from timelens.reader.model import Reader


class AddedReader(Reader):
    """A reader that shares the weights of another which it does not change."""

    def __init__(self, reader: Reader, weights: Path, sha256: str | None = None) -> None:
        """``weights`` is the file of those in place of ``reader``'s; where given, it has ``sha256``."""
        super().__init__(reader.encoder, weights, sha256)
        self._reader = reader

    @cached_property
    def _changed(self) -> dict[str, NDArray[Any]]:
        return self.learned()

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights of the other reader with those in place of some."""
        return self._reader.arrays | self._changed

    def warm(self) -> None:
        """Load torch, to read many passages."""
        if self.tensors is None:
            self._reader.warm()
            import torch

            changed = {name: torch.tensor(value) for name, value in self._changed.items()}
            self.tensors = (self._reader.tensors or {}) | changed
