"""The day that counts as today: what /asof reads, and how a slider moves over days. Pure."""

import re
from dataclasses import dataclass

from timelens import BadInputError
from timelens.temporal import Conventions, Day, Granularity, add_months

BETWEEN_DAYS = re.compile(r"\s+(?:vs\.?|versus|against)\s+|\s*\|\s*", re.IGNORECASE)
"""What stands between two days that are set side by side."""
_MONTHS = {Granularity.MONTH: 1, Granularity.YEAR: 12, Granularity.DECADE: 120}
_REMEDY = "write a day or a time: /asof 2021-05-06, /asof 1990, /asof last May"


def days_asked(argument: str, today: Day, conventions: Conventions) -> tuple[Day, ...]:
    """The days that the argument of /asof names: none where it is empty, two where "vs" stands between.

    Raises:
        BadInputError: one is no day, or there are more than two.
    """
    from timelens.question.reference import day_meant

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
    """A day on a track from a first to a last day, both included; the day lies on the track."""

    first: Day
    last: Day
    day: Day

    @classmethod
    def of(cls, first: Day, last: Day, day: Day) -> "Slide":
        """A track that holds the day too, wherever it lies."""
        return cls(min(first, day), max(last, day), day)

    def to(self, day: Day) -> "Slide":
        """At another day, or at the end of the track that is nearest to it."""
        return Slide(self.first, self.last, max(self.first, min(day, self.last)))

    def moved(self, unit: Granularity, count: int) -> "Slide":
        """So many days, months, years or decades later, or earlier where ``count`` is negative."""
        months = _MONTHS.get(unit)
        return self.to(self.day + count if months is None else add_months(self.day, count * months))

    def column(self, width: int) -> int:
        """Where the day stands on a track of ``width`` columns, counted from 0."""
        length = self.last - self.first
        return 0 if length == 0 else round((self.day - self.first) * (width - 1) / length)

    def at_column(self, column: int, width: int) -> "Slide":
        """At the day of a column of a track of ``width`` columns."""
        if width < 2:
            return self
        return self.to(self.first + round(column * (self.last - self.first) / (width - 1)))
