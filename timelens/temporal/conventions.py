"""What the same words mean in one place and another: passed in as data wherever text is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Conventions:
    """How ambiguous wordings are read."""

    fiscal_year_first_month: int = 1
    """1..12. Fiscal 2020 ends in calendar 2020; from 10, it runs from October 2019 to September 2020."""
    southern: bool = False
    """Whether seasons are those of the southern hemisphere: summer 2012 starts in December 2012."""
    day_first: bool = False
    """Whether 3/4/2019 is 3 April; otherwise 4 March. A day above 12 decides for itself."""
    english: bool = False
    """Whether times are known to be in English words, so that those of other languages are not looked for."""


USUAL = Conventions()
"""Calendar years, the northern hemisphere, the month before the day."""
