"""The 13 relations as conditions on the start and the end of a fact (TDBench, Table 10), as SQL.

A window *b* consists of two calendar units (days, months or years), and a fact *a* is compared with it in
that unit: "started in 2003" is any day of 2003, "ended before 2003" is by 31 December 2002. In its unit each
condition is Allen's relation of *a* to *b*, except that ``started-by`` constrains only the start and
``finished-by`` only the end, as their wordings do (the printed Table 10 misprints ``finished-by``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from timelens.bench.make.temporal_database import END, START, moment
from timelens.temporal import Allen, Day, Granularity, Interval, add_months, format_day, granule


class EndPosition(StrEnum):
    """The position of one end of a fact relative to the window."""

    BEFORE = "before"
    AFTER = "after"
    IN = "in"
    BETWEEN = "between"
    OFF = "off"
    """In the unit that is some months before or after a unit of the window."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one end of a fact."""

    end: str
    """``Start`` or ``End``."""
    kind: EndPosition
    first: Interval
    last: Interval | None = None
    """The last unit, for :attr:`EndPosition.BETWEEN`."""
    months: int = 0
    """For :attr:`EndPosition.OFF`: the offset from the named unit to the unit meant."""

    @property
    def unit(self) -> Granularity:
        """Day, month or year."""
        return self.first.granularity

    @property
    def sql(self) -> str:
        """The condition in SQLite, in TDBench's form."""
        start, last = _bounds(self.first)
        match self.kind:
            case EndPosition.BEFORE:
                return f"{self.end} < '{moment(start)}'"
            case EndPosition.AFTER:
                return f"{self.end} > '{moment(last)}'"
            case EndPosition.IN:
                return f"{self.end} between '{moment(start)}' and '{moment(last)}'"
            case EndPosition.BETWEEN:
                _, last = _bounds(self.last or self.first)
                return f"{self.end} between '{moment(start)}' and '{moment(last)}'"
            case EndPosition.OFF if self.unit is Granularity.DAY:
                return f"date({self.end}) = date('{moment(start)}', '{self.months:+d} month')"
            case EndPosition.OFF:
                start, last = _bounds(granule(add_months(start, self.months), self.unit))
                return f"{self.end} between '{moment(start)}' and '{moment(last)}'"

    @property
    def latest(self) -> Day:
        """The last day of the units that the condition names."""
        days = [_bounds(unit)[1] for unit in (self.first, self.last) if unit is not None]
        return max(days)


@dataclass(frozen=True, slots=True)
class Window:
    """The interval *b*: its first and its last unit, and the length used by ``meet`` and ``met-by``."""

    start: Interval
    end: Interval
    months: int
    """Whole months; for years, a multiple of 12."""


def _bounds(unit: Interval) -> tuple[Day, Day]:
    """First and last day."""
    if unit.start is None or unit.end is None:
        raise ValueError("a unit of the calendar has two ends")
    return unit.start, unit.end - 1


_FIRST, _LAST, _BOTH = "first", "last", "both"
_ASKED: Mapping[Allen, tuple[tuple[str, EndPosition, str], ...]] = {
    Allen.BEFORE: ((END, EndPosition.BEFORE, _FIRST),),
    Allen.AFTER: ((START, EndPosition.AFTER, _LAST),),
    Allen.MEET: ((END, EndPosition.OFF, _LAST),),
    Allen.MET_BY: ((START, EndPosition.OFF, _FIRST),),
    Allen.OVERLAP: ((START, EndPosition.BEFORE, _FIRST), (END, EndPosition.BETWEEN, _BOTH)),
    Allen.OVERLAPPED_BY: ((START, EndPosition.BETWEEN, _BOTH), (END, EndPosition.AFTER, _LAST)),
    Allen.EQUAL: ((START, EndPosition.IN, _FIRST), (END, EndPosition.IN, _LAST)),
    Allen.START: ((START, EndPosition.IN, _FIRST), (END, EndPosition.BEFORE, _LAST)),
    Allen.STARTED_BY: ((START, EndPosition.IN, _FIRST),),
    Allen.FINISH: ((START, EndPosition.AFTER, _FIRST), (END, EndPosition.IN, _LAST)),
    Allen.FINISHED_BY: ((END, EndPosition.IN, _LAST),),
    Allen.DURING: ((START, EndPosition.AFTER, _FIRST), (END, EndPosition.BEFORE, _LAST)),
    Allen.CONTAIN: ((START, EndPosition.BEFORE, _FIRST), (END, EndPosition.AFTER, _LAST)),
}
"""For each relation: (end of the fact, kind of condition, unit of the window)."""


def conditions_of(relation: Allen, b: Window) -> tuple[Condition, ...]:
    """The conditions that a relation to a window puts on a fact."""
    months = -b.months if relation is Allen.MEET else b.months
    return tuple(
        Condition(
            end,
            kind,
            b.end if side == _LAST else b.start,
            b.end if side == _BOTH else None,
            months if kind is EndPosition.OFF else 0,
        )
        for end, kind, side in _ASKED[relation]
    )


def written_name(relation: Allen) -> str:
    """The name of a relation in TDBench's files."""
    return relation.value.replace("_", "-")


def window_record(b: Window) -> dict[str, str | int]:
    """A window for the checker: its units in ISO 8601, cut to the precision of the unit."""
    length = {Granularity.YEAR: 4, Granularity.MONTH: 7}.get(b.start.granularity, 10)
    start, end = (format_day(_bounds(unit)[0])[:length] for unit in (b.start, b.end))
    return {"start": start, "end": end, "months": b.months}
