"""The selection of a span of time. Pure."""

from dataclasses import dataclass, replace
from typing import Self

from timelens.temporal import Day, Interval
from timelens.temporal.axis_steps import snapping_step
from timelens.tui.timeline.axis import Axis


@dataclass(frozen=True, slots=True)
class Brush:
    """A span between the days of two positions in any order; each position is ``[start, end)``."""

    begun: tuple[Day, Day]
    reached: tuple[Day, Day]

    @classmethod
    def at(cls, column: int, axis: Axis) -> Self:
        """A brush that starts at a column."""
        days = axis.days(range(column, column + 1))
        return cls(days, days)

    @classmethod
    def on(cls, day: Day) -> Self:
        """A brush that starts on a day."""
        return cls((day, day + 1), (day, day + 1))

    def to(self, column: int, axis: Axis) -> Self:
        """The brush with the same start, extended to a column."""
        return replace(self, reached=axis.days(range(column, column + 1)))

    def stepped(self, steps: int, axis: Axis) -> Self:
        """The brush with its end moved by steps of the axis's unit, positive is later, within the axis."""
        step = snapping_step(axis.days_per_column)
        start, end = self.reached
        for _ in range(abs(steps)):
            start = step.after(end - 1) if steps > 0 else step.floor(step.floor(start) - 1)
            end = step.after(start)
        if not Interval(axis.start, axis.end).intersects(Interval(start, end)):
            return self
        return replace(self, reached=(start, end))

    def interval(self, axis: Axis) -> Interval:
        """The selected days, rounded outwards to the days, months, years … that the axis shows."""
        first, last = min(self.begun, self.reached), max(self.begun, self.reached)
        return snapping_step(axis.days_per_column).around(first[0], max(first[1], last[1]))
