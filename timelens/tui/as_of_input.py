"""The reference day: the argument of /asof, and the movement of the slider over days. Pure."""

import re
from dataclasses import dataclass

from timelens import BadInputError
from timelens.temporal import Conventions, Day, Granularity, add_months

BETWEEN_DAYS = re.compile(r"\s+(?:vs\.?|versus|against)\s+|\s*\|\s*", re.IGNORECASE)
"""Separator between two days to compare."""
_MONTHS = {Granularity.MONTH: 1, Granularity.YEAR: 12, Granularity.DECADE: 120}
_REMEDY = "write a day or a time: /asof 2021-05-06, /asof 1990, /asof last May"


def days_asked(argument: str, today: Day, conventions: Conventions) -> tuple[Day, ...]:
    """The days that the argument of /asof names: none if it is empty, two if they are separated by "vs".

    Raises:
        BadInputError: a part is not a day, or there are more than two days.
    """
    from timelens.question.as_of_day import day_meant

    if not argument.strip():
        return ()
    named = BETWEEN_DAYS.split(argument.strip())
    if len(named) > 2:
        raise BadInputError(f"this names {len(named)} days", "write two days: /asof 2015 vs 2020")
    try:
        return tuple(day_meant(text, today, conventions) for text in named)
    except ValueError as error:
        raise BadInputError(str(error), _REMEDY) from error


@dataclass(frozen=True, slots=True)
class Slide:
    """A day on a track from a first to a last day, all inclusive; the day is always on the track."""

    first: Day
    last: Day
    day: Day

    @classmethod
    def of(cls, first: Day, last: Day, day: Day) -> "Slide":
        """A track that is extended to include the day if necessary."""
        return cls(min(first, day), max(last, day), day)

    def to(self, day: Day) -> "Slide":
        """The slide at another day, clamped to the track."""
        return Slide(self.first, self.last, max(self.first, min(day, self.last)))

    def moved(self, unit: Granularity, count: int) -> "Slide":
        """The slide moved by a number of days, months, years or decades; a negative ``count`` moves back."""
        months = _MONTHS.get(unit)
        return self.to(self.day + count if months is None else add_months(self.day, count * months))

    def column(self, width: int) -> int:
        """The column of the day on a track of ``width`` columns, from 0."""
        length = self.last - self.first
        return 0 if length == 0 else round((self.day - self.first) * (width - 1) / length)

    def at_column(self, column: int, width: int) -> "Slide":
        """The slide at the day of a column of a track of ``width`` columns."""
        if width < 2:
            return self
        return self.to(self.first + round(column * (self.last - self.first) / (width - 1)))
