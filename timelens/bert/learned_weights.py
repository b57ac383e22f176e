"""Weights that were trained on top of the bundled encoder, and come with the package."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timelens.bert.encoder_files import arrays_of
from timelens.errors import MissingError, first_line

SCALE = ".scale"
"""End of the name of the scales, one for each row, of a matrix that is stored in whole numbers of 8 bits."""
DIFFERENCE = ".difference"
"""End of the name of a matrix that is stored as its difference from the matrix of another network."""
_REMEDY = "reinstall it: pip install --force-reinstall timelens"


@dataclass(frozen=True)
class LearnedWeights:
    """A safetensors file of trained weights."""

    file: Path
    network: str
    """Name of the network, for messages."""
    sha256: str | None = None
    """If given, the file must match it."""

    def check(self) -> str:
        """The SHA-256 of the file.

        Raises:
            MissingError: it is missing, or is not the bundled one.
        """
        try:
            content = self.file.read_bytes()
        except OSError as error:
            raise MissingError(
                f"the weights of the {self.network} cannot be read: {error.strerror}", _REMEDY
            ) from error
        found = hashlib.sha256(content).hexdigest()
        if self.sha256 is not None and found != self.sha256:
            problem = f"the weights of the {self.network} are not those of this version"
            raise MissingError(f"{problem} (SHA-256 {found[:12]}…)", _REMEDY)
        return found

    def arrays(self, base: Mapping[str, NDArray[Any]] | None = None) -> dict[str, NDArray[Any]]:
        """The weights by name, in single precision, after the hash is checked.

        ``base`` has the weights of the network from which differences are stored, if the file stores any.

        Raises:
            MissingError: the file is missing, or is not the bundled one.
        """
        self.check()
        try:
            stored = arrays_of(self.file)
            return dict(_restored(stored, name, base or {}) for name in stored if not name.endswith(SCALE))
        except (OSError, ValueError, KeyError) as error:
            problem = first_line(error)[:200]
            raise MissingError(
                f"the weights of the {self.network} cannot be read: {problem}", _REMEDY
            ) from error


def _restored(
    stored: Mapping[str, NDArray[Any]], name: str, base: Mapping[str, NDArray[Any]]
) -> tuple[str, NDArray[Any]]:
    """The name and the values, in single precision, of an array that is stored as ``name``."""
    values = stored[name].astype(np.float32)
    if (scale := stored.get(f"{name}{SCALE}")) is not None:
        values *= scale.astype(np.float32)
    if not name.endswith(DIFFERENCE):
        return name, values
    whole = name.removesuffix(DIFFERENCE)
    return whole, base[whole] + values
