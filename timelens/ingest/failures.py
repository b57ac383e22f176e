"""What could not be ingested, as a value: a fault in one file or row never stops the rest."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """One file, record or row that was left out or taken in part."""

    path: str
    error: str
    hint: str
    partial: bool = False
    """Nothing else is missing: a row or the date of a text was left out, or the file is no document."""
