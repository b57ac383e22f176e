"""What could not be ingested, as a value: a fault in one file or row never stops the rest."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """One file, record or row that was left out or taken in part."""

    path: str
    error: str
    hint: str
    partial: bool = False
    """Nothing else is missing: a row or the date of a text was left out, or the file is no document."""


def some_of(names: Sequence[object], most: int = 5) -> str:
    """The first few of what is named, and dots for the rest."""
    return ", ".join(map(str, names[:most])) + (", …" if len(names) > most else "")
