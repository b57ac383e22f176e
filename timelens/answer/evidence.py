"""What is shown of the evidence for a question."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from timelens.answer.model import Nearest, Value
from timelens.answer.timeline import Timeline
from timelens.question.model import Period, PeriodRole
from timelens.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class Asked:
    """One of the periods that a question asks about, and what it is to the question."""

    interval: Interval
    role: PeriodRole = PeriodRole.ASKED


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the panels show of a question."""

    timeline: Timeline
    asked: tuple[Asked, ...] = ()
    """The periods of the question."""
    cited: frozenset[int] = frozenset()
    nearest: Mapping[int, tuple[Interval, ...]] = field(default_factory=dict)
    """Passages that answer nothing and come nearest, by number, with the periods they are nearest to."""
    gaps: tuple[Interval, ...] = ()
    """The stretches of the asked periods that are without evidence."""
    series: tuple[Value, ...] = ()
    """The values that the answer states over time, where it states any by themselves."""


def asked_of(periods: Iterable[Period]) -> tuple[Asked, ...]:
    """What the panels show of the periods of a question."""
    return tuple(Asked(period.interval, period.role) for period in periods)


def nearest_of(nearest: Iterable[Nearest]) -> dict[int, tuple[Interval, ...]]:
    """The passages nearest to a question without an answer, by number, with the periods of each."""
    return by_number((near.citation.number, near.period) for near in nearest)


def by_number(pairs: Iterable[tuple[int, Interval | None]]) -> dict[int, tuple[Interval, ...]]:
    """The periods of each number."""
    found: dict[int, tuple[Interval, ...]] = {}
    for number, period in pairs:
        found[number] = (*found.get(number, ()), *(() if period is None else (period,)))
    return found
