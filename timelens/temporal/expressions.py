"""Temporal expressions in running text: found, normalised to intervals, composed into ranges."""

from dataclasses import dataclass
from enum import StrEnum

from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval


class Kind(StrEnum):
    """How an expression gets its time (SPEC, normalisation)."""

    EXPLICIT = "explicit"
    """It names its time in full."""
    RELATIVE = "relative"
    """It counts from the anchor day ("last month", "yesterday")."""
    ANCHORED = "anchored"
    """A part that it leaves out comes from the last date in the text ("in March", "the following year")."""
    DURATION = "duration"
    """A length of time, without a place on the calendar ("three years")."""
    SET = "set"
    """A recurring time ("every Monday")."""


@dataclass(frozen=True, slots=True)
class Expression:
    """One temporal expression of a text.

    ``text == source[char_start:char_end]``; offsets count Unicode characters, the end is exclusive.
    """

    text: str
    char_start: int
    char_end: int
    interval: Interval | None
    """The days it stands for, with its granularity; ``None`` where no interval could be had."""
    kind: Kind
    confidence: float
    relation: Relation | None = None
    """The relation word that belongs to the span ("since 2017", "from May to June 2015"), if any."""
    dates: tuple[Interval, ...] = ()
    """The one or two dates named, before the relation is applied; ``(interval,)`` for a plain date."""

    @property
    def open(self) -> str | None:
        """``"start"`` or ``"end"`` where the interval is unbounded on that side, else ``None``."""
        if self.interval is None or (self.interval.start is not None and self.interval.end is not None):
            return None
        return "start" if self.interval.start is None else "end"

    @property
    def granularity(self) -> Granularity | None:
        """The unit in which it is stated."""
        return None if self.interval is None else self.interval.granularity


def find_expressions(text: str, anchor: Day | None = None) -> list[Expression]:
    """Every temporal expression of a text, in order, without overlaps."""
    raise NotImplementedError
