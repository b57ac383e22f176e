"""The evidence for a question as the interfaces show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from timelens.answer.draft import Nearest, Value
from timelens.answer.rendering.timeline import Timeline
from timelens.question.parsed_question import Period, PeriodRole
from timelens.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """A period of the question, with its role."""

    interval: Interval
    role: PeriodRole = PeriodRole.ASKED


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """The evidence of a question as the panels show it."""

    timeline: Timeline
    asked: tuple[AskedPeriod, ...] = ()
    """The periods of the question."""
    cited: frozenset[int] = frozenset()
    nearest: Mapping[int, tuple[Interval, ...]] = field(default_factory=dict)
    """The nearest passages of a refusal, by citation number, with the periods they are nearest to."""
    gaps: tuple[Interval, ...] = ()
    """The parts of the asked periods without evidence."""
    series: tuple[Value, ...] = ()
    """The values over time that the answer states; empty if it only quotes whole sentences."""


def asked_of(periods: Iterable[Period]) -> tuple[AskedPeriod, ...]:
    """The periods of a question as the panels show them; beside others, one "as of" a day is that day."""
    asked = list(periods)
    times = (one.moment if len(asked) > 1 else one.interval for one in asked)
    return tuple(AskedPeriod(time, one.role) for time, one in zip(times, asked, strict=True))


def nearest_of(nearest: Iterable[Nearest]) -> dict[int, tuple[Interval, ...]]:
    """The nearest passages of a refusal, by citation number, with the periods of each."""
    return by_number((near.citation.number, near.period) for near in nearest)


def by_number(pairs: Iterable[tuple[int, Interval | None]]) -> dict[int, tuple[Interval, ...]]:
    """The periods grouped by number; a ``None`` adds no period."""
    found: dict[int, tuple[Interval, ...]] = {}
    for number, period in pairs:
        found[number] = (*found.get(number, ()), *(() if period is None else (period,)))
    return found
