"""Regional conventions for reading dates, passed as data to every function that reads text."""

from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Conventions:
    """The reading of ambiguous wordings."""

    fiscal_year_first_month: int = 1
    """1..12. Fiscal 2020 ends in calendar 2020; from 10, it runs from October 2019 to September 2020."""
    southern: bool = False
    """Whether seasons are those of the southern hemisphere: summer 2012 starts in December 2012."""
    day_first: bool = False
    """Whether 3/4/2019 is 3 April; otherwise 4 March. A number above 12 is always the day."""
    english: bool = False
    """Whether the text is known to be English, so that expressions of other languages are not looked for."""


USUAL = Conventions()
"""Calendar years, the northern hemisphere, the month before the day."""


@lru_cache(maxsize=64)
def in_order(conventions: Conventions, *, day_first: bool) -> Conventions:
    """The conventions with this order of day and month."""
    return replace(conventions, day_first=day_first)
