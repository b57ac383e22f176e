"""A span of time that is being marked. Pure."""

from dataclasses import dataclass, replace
from typing import Self

from timelens.temporal import Day, Interval
from timelens.temporal.steps import snapping_step
from timelens.tui.timeline.axis import Axis


@dataclass(frozen=True, slots=True)
class Brush:
    """From the days of one place to those of another, whichever comes first; each ``[start, end)``."""

    begun: tuple[Day, Day]
    reached: tuple[Day, Day]

    @classmethod
    def at(cls, column: int, axis: Axis) -> Self:
        """Begun at a column."""
        days = axis.days(range(column, column + 1))
        return cls(days, days)

    @classmethod
    def on(cls, day: Day) -> Self:
        """Begun on a day."""
        return cls((day, day + 1), (day, day + 1))

    def to(self, column: int, axis: Axis) -> Self:
        """The same beginning, drawn to a column."""
        return replace(self, reached=axis.days(range(column, column + 1)))

    def stepped(self, steps: int, axis: Axis) -> Self:
        """Its end moved by steps of what the axis shows, towards later if positive, not beyond the axis."""
        step = snapping_step(axis.days_per_column)
        start, end = self.reached
        for _ in range(abs(steps)):
            start = step.after(end - 1) if steps > 0 else step.floor(step.floor(start) - 1)
            end = step.after(start)
        if not Interval(axis.start, axis.end).intersects(Interval(start, end)):
            return self
        return replace(self, reached=(start, end))

    def interval(self, axis: Axis) -> Interval:
        """Its days, in whole days, months, years … as the axis shows them."""
        first, last = min(self.begun, self.reached), max(self.begun, self.reached)
        return snapping_step(axis.days_per_column).around(first[0], max(first[1], last[1]))
