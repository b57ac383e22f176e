"""The visible stretch of time, moved and zoomed in exact numbers. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Self

from timelens.temporal import Day, Interval
from timelens.tui.timeline.axis import Axis

_SHORTEST = 7
"""Shortest window in days; zooming in stops here."""
_LONGEST = 4_000_000
"""Longest window in days, about ten millennia; zooming out stops here."""
_MARGIN = Fraction(1, 8)
"""Margin on each side, as a share of the fitted time."""


@dataclass(frozen=True, slots=True)
class Window:
    """Days ``[start, start + length)``; both may be fractions, so that zooming in and out is reversible."""

    start: Fraction
    length: Fraction

    @classmethod
    def over(cls, times: Iterable[Interval], *, margin: bool = False) -> Self | None:
        """The window that covers all times, with room for their open ends; ``None`` if no day is known."""
        axis = Axis.over(times, 1)
        if axis is None:
            return None
        length = Fraction(axis.end - axis.start)
        room = length * _MARGIN if margin else Fraction(0)
        return cls(axis.start - room, length + 2 * room)

    @property
    def middle(self) -> Fraction:
        """The middle of the window, in days."""
        return self.start + self.length / 2

    def zoomed(self, times: Fraction, around: Fraction | None = None) -> Self:
        """The window with its length multiplied by ``times`` and a fixed day; unchanged at either limit."""
        length = self.length * times
        too_short, too_long = length < _SHORTEST and times < 1, length > _LONGEST and times > 1
        if too_short or too_long:
            return self
        fixed = self.middle if around is None else around
        return replace(self, start=fixed - (fixed - self.start) * times, length=length)

    def moved(self, share: Fraction, within: Self) -> Self:
        """The window moved by a share of its length; its middle stays inside ``within``."""
        least, most = within.start, within.start + within.length
        middle = min(max(self.middle + share * self.length, least), most)
        return replace(self, start=middle - self.length / 2)

    def showing(self, time: Interval) -> Self:
        """The window itself if it overlaps a time, otherwise moved to that time."""
        if time.intersects(self.interval):
            return self
        start, end = time.start, time.end
        inside = [Fraction(2 * start + 1, 2)] if start is not None else []
        inside += [Fraction(2 * end - 1, 2)] if end is not None else []
        return replace(self, start=sum(inside, Fraction(0)) / len(inside) - self.length / 2)

    @property
    def interval(self) -> Interval:
        """Its days, rounded to whole days."""
        start: Day = floor(self.start)
        return Interval(start, start + max(1, round(self.length)))

    def axis(self, width: int) -> Axis:
        """The axis of its days over a number of columns, at least one."""
        start, end = self.interval.start or 0, self.interval.end or 0
        return Axis(start, end, max(width, 1))
