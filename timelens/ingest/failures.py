"""Failures of ingestion as values, because a fault in one file or row never stops the rest."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """One file, record or row that was skipped or read in part."""

    path: str
    error: str
    hint: str
    partial: bool = False
    """Whether only a part is missing, such as a row or the date of a text, or the file is no document."""
    skipped: bool = False
    """Whether it is of a kind that is not read, beside files that are: it is listed, and nothing failed."""


def some_of(names: Sequence[object], most: int = 5) -> str:
    """The first ``most`` names, with dots for the rest."""
    return ", ".join(map(str, names[:most])) + (", …" if len(names) > most else "")
