"""The periods of a question that is being typed, on one line, shown while there is no timeline."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from timelens.answer.rendering.shown_evidence import AskedPeriod
from timelens.temporal import Interval, phrase
from timelens.tui.timeline.axis import Axis

_LONGEST_NAMES = 0.5
"""Maximum share of the line for the names of the periods."""
_ASIDE = 2
"""Columns beside the line, and between its parts."""


class TypedPeriods(Static):
    """A line over the days of the corpus with the question's periods shaded, followed by their names."""

    def show(self, periods: Sequence[AskedPeriod], span: Interval | None) -> None:
        """Draw periods over ``span``, the days of the corpus if known; without periods the line is hidden."""
        self.set_class(bool(periods), "-typing")
        self.update(Content(typed_line(periods, span, self.app.size.width - 2 * _ASIDE)))


def typed_line(periods: Sequence[AskedPeriod], span: Interval | None, width: int) -> str:
    """The line, of at most ``width`` columns."""
    names = ", ".join(phrase(period.interval) for period in periods)
    names = names if len(names) <= width * _LONGEST_NAMES else f"{len(periods)} periods"
    times = [period.interval for period in periods] + ([] if span is None else [span])
    axis = Axis.over(times, width - len(names) - _ASIDE)
    if axis is None:
        return names
    shaded = {column for period in periods for column in axis.columns(period.interval)}
    drawn = "".join("▄" if column in shaded else "─" for column in range(axis.width))
    return f"{drawn}{' ' * _ASIDE}{names}"
