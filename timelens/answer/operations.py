"""Operations over dated statements: values at a time, orders, differences, courses. Pure.

Statements come from table rows and from sentences alike; the operations do not depend on how they were read.
All results keep their operands.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby, pairwise

from timelens.answer.draft import Statement
from timelens.lexicon import CURRENCIES, one_of
from timelens.question.asked_numbers import Aggregate, Change, Extreme
from timelens.question.parsed_question import Ordinal, index_of
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import MONTH_NAMES
from timelens.words import stems

_NUMBER = re.compile(
    rf"(?P<sign>[-−–+]|minus\s)?\s?(?P<currency>[$£€¥]|(?-i:{one_of(CURRENCIES)})\s)?\s?(?P<inner>[-−–+])?\s?"
    r"(?P<figures>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?!(?:st|nd|rd|th)\b)(?P<unit>\s?(?:%|[^\W\d_]+[23]?(?:\s[^\W\d_]+){0,2}))?\.?",
    re.IGNORECASE,
)
_OF_A_WHOLE = re.compile(r"(?<!\w)(?:per\s?cent|%)(?!\w)", re.IGNORECASE)
_CLOCK = re.compile(r"(?:[ap]m|o.clock)\b", re.IGNORECASE)
_TO = re.compile(r"\s+to\s+|(?<=[\d%])\s?[-–]\s?(?=\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit; ``high`` differs from ``low`` for a range ("0.00 to 0.25")."""

    low: Decimal
    high: Decimal
    unit: str
    currency: str = ""
    """The currency sign before the number, or its code with a space: "EUR "."""

    @property
    def middle(self) -> Decimal:
        """The value by which a range is compared."""
        return self.low if self.low == self.high else (self.low + self.high) / 2

    @property
    def measure(self) -> str:
        """The key of comparable amounts: the currency, or the stemmed unit."""
        return self.currency or stems(self.unit)


def amount_of(value: str) -> Amount | None:
    """The number, or rising range of numbers, that a whole value states; ``None`` for any other text.

    Two falling numbers are no range but hours of a day ("9 to 5"), or a change.
    """
    numbers: list[Decimal] = []
    units, currencies = {""}, {""}
    for part in _TO.split(value, maxsplit=1):
        match = _NUMBER.fullmatch(part.strip())
        unit = "" if match is None else (match["unit"] or "").strip()
        if match is None or unit.partition(" ")[0].capitalize() in MONTH_NAMES or _CLOCK.match(unit):
            return None  # "5 May" is a date, and "10 pm" a time of day
        sign = "" if (match["sign"] or match["inner"] or "+").strip() == "+" else "-"
        numbers.append(Decimal(f"{sign}{match['figures'].replace(',', '')}"))
        units.add(unit)
        currencies.add(match["currency"] or "")
    if len(units) > 2 or len(currencies) > 2 or numbers[0] > numbers[-1]:
        return None
    return Amount(numbers[0], numbers[-1], max(units), max(currencies))


def extremes(values: Sequence[str], extreme: Extreme) -> list[int]:
    """The indices of the highest, or the lowest, of the values that are numbers."""
    amounts = {
        index: amount.middle for index, amount in enumerate(map(amount_of, values)) if amount is not None
    }
    outermost = (max if extreme == "highest" else min)(amounts.values(), default=None)
    return [index for index, amount in amounts.items() if amount == outermost]


def in_order(statements: Sequence[Statement]) -> list[Statement]:
    """Statements in chronological order; undated ones last."""
    return sorted(statements, key=_bounds)


def value_at(statements: Sequence[Statement], day: Day) -> list[Statement]:
    """The statements that hold on a day."""
    on = Interval(day, day + 1)
    return [one for one in in_order(statements) if one.interval is not None and one.interval.intersects(on)]


_TOLD_TOGETHER = 31
"""Days within which statements that begin are about the same turn of a course."""


def in_force(statements: Sequence[Statement], window: Interval) -> Statement | None:
    """The likeliest statement of the last turn before the end of a window; ``None`` if none had begun.

    A statement holds from its start until another begins, or to its end if that is stated: a stretch of more
    than one unit that ended before the window does not count. Statements that cover the whole window take
    precedence.
    """
    start, end = window.bounds
    held = [
        (bounds, one)
        for one in statements
        if one.interval is not None
        and (bounds := one.interval.bounds)[0] < end
        and not has_ended(one.interval, window)
    ]
    covering = [(bounds, one) for bounds, one in held if bounds[0] <= start and bounds[1] >= end]
    turns = covering or held
    if not turns:
        return None
    last = max(bounds[0] for bounds, _ in turns)
    together = [one for bounds, one in turns if bounds[0] >= last - _TOLD_TOGETHER]
    return max(together, key=lambda one: one.probability)


def has_ended(time: Interval, window: Interval) -> bool:
    """Whether a stretch of time longer than one unit ended before a window."""
    return time.exceeds_unit and time.bounds[1] <= window.bounds[0]


def nth(statements: Sequence[Statement], ordinal: Ordinal) -> list[Statement]:
    """The n-th statements by their start; statements with the same start share a place."""
    dated = [one for one in in_order(statements) if one.interval is not None]
    places = [list(group) for _, group in groupby(dated, key=lambda one: _bounds(one)[0])]
    index = index_of(ordinal)
    return places[index] if -len(places) <= index < len(places) else []


def before(statements: Sequence[Statement], one: Statement) -> list[Statement]:
    """The last statements with another value that start before a statement, or on the same day."""
    start = _bounds(one)[0]
    return nth([o for o in statements if _bounds(o)[0] <= start and o.value != one.value], "last")


def after(statements: Sequence[Statement], one: Statement) -> list[Statement]:
    """The first statements with another value that start after a statement, or on the same day."""
    start = _bounds(one)[0]
    return nth([o for o in statements if _bounds(o)[0] >= start and o.value != one.value], "first")


def around(statements: Sequence[Statement], window: Interval) -> list[Statement]:
    """The last statements that end before a window and the first that start after it, if alone at that time.

    Those whose time meets the window, and undated ones, are left out.
    """
    start, end = window.bounds
    dated = [one for one in in_order(statements) if one.interval is not None]
    earlier = [one for one in dated if _bounds(one)[1] <= start]
    later = [one for one in dated if _bounds(one)[0] >= end]
    return [one for side in (nth(earlier, "last"), nth(later, "first")) if len(side) == 1 for one in side]


def stretches(times: Iterable[Interval]) -> list[tuple[float, float]]:
    """The bounds of the stretches that times make up, in order.

    A time that starts by the day after the end of another one continues its stretch.
    """
    found: list[tuple[float, float]] = []
    for start, end in sorted(time.bounds for time in times):
        if found and start <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def changes(statements: Sequence[Statement], kind: Change) -> list[Statement]:
    """The statements whose value differs from that of the one before; for a rise or a fall, in its number.

    The first statement has none before it and is no change.
    """
    found = []
    for earlier, one in pairwise(in_order(statements)):
        by = difference(earlier, one) or 0
        if (by > 0 if kind == "rise" else by < 0) if kind != "change" else earlier.value != one.value:
            found.append(one)
    return found


def length(start: Statement, end: Statement) -> int | None:
    """Days from the start of one statement to the start of another; ``None`` if a date is missing."""
    first = None if start.interval is None else start.interval.start
    last = None if end.interval is None else end.interval.start
    return None if first is None or last is None else last - first


def difference(first: Statement, second: Statement) -> Decimal | None:
    """The second value minus the first; ``None`` unless both are numbers with the same unit."""
    one, other = amount_of(first.value), amount_of(second.value)
    if one is None or other is None or one.currency != other.currency:
        return None
    return other.middle - one.middle if _is_one_unit(one.unit, other.unit) else None


def difference_told(first: Statement, second: Statement, names: tuple[str, str], length: str) -> str | None:
    """The difference of two values in words, with sign, unit and length of time; or that nothing changed.

    ``None`` unless both are numbers with the same unit, or the first is a table row and both are equal.
    ``names`` are the times of both in words, ``length`` the time between them (may be empty).
    """
    by = difference(first, second)
    if first.value == second.value and (by is not None or first.hit.chunk.fact is not None):
        return f"No change: {first.value} ({names[0]} and {names[1]})"
    if by is None:
        return None
    over = f", over {length}" if length else ""
    pair = f"from {first.value} ({names[0]}) to {second.value} ({names[1]})"
    return f"Difference: {_signed(by, first, second)}, {pair}{over}"


def aggregate_told(statements: Sequence[Statement], asked: Aggregate) -> str | None:
    """The sum or the mean of the numbers of several statements in words.

    ``None`` unless there are at least two, and all are numbers of one unit.
    """
    amounts = [amount_of(one.value) for one in statements]
    numbers = [amount for amount in amounts if amount is not None]
    if len(numbers) < max(2, len(amounts)) or len({amount.measure for amount in numbers}) > 1:
        return None
    total = sum((amount.middle for amount in numbers), Decimal(0))
    shown = total if asked == "total" else round(total / len(numbers), 2).normalize()
    unit = f" {numbers[0].unit}" if numbers[0].unit else ""
    return f"{numbers[0].currency}{shown:,f}{unit} {'in total' if asked == 'total' else 'on average'}"


def _signed(by: Decimal, first: Statement, second: Statement) -> str:
    """A difference with its sign and unit; for percentages, the unit is percentage points."""
    sign = "+" if by > 0 else "−" if by < 0 else ""
    amounts = [amount for amount in map(amount_of, (first.value, second.value)) if amount is not None]
    unit = max((amount.unit for amount in amounts), key=len)
    if _OF_A_WHOLE.search(unit or first.relation):
        unit = "percentage points"
    return f"{sign}{amounts[0].currency}{abs(by):,f}{f' {unit}' if unit else ''}"


Run = tuple[Statement, ...]
"""Consecutive statements with the same value, in chronological order."""


def runs_of(statements: Sequence[Statement]) -> list[Run]:
    """The statements in chronological order, grouped into runs of the same value.

    A table row continues a run if it starts by the end of the run; a text always continues it.
    """
    runs: list[list[Statement]] = []
    for one in in_order(statements):
        if runs and runs[-1][-1].value == one.value and _continues(runs[-1], one):
            runs[-1].append(one)
        else:
            runs.append([one])
    return [tuple(run) for run in runs]


def course(statements: Sequence[Statement], most: int) -> list[Run]:
    """The first, the last and the turning points of a course, at most ``most`` runs.

    Numbers turn where they stop rising or falling; the smallest swings are left out first. Remaining places
    go to the runs whose starts are farthest from those kept. Other values are kept by their length in days.

    Raises:
        ValueError: ``most`` is less than 2.
    """
    if most < 2:
        raise ValueError("a course has a first and a last statement")
    runs = runs_of(statements)
    if len(runs) <= most:
        return runs
    amounts = [amount_of(run[0].value) for run in runs]
    levels = [amount.middle for amount in amounts if amount is not None]
    if len(levels) < len(runs):
        inner = sorted(range(1, len(runs) - 1), key=lambda index: -_days(runs[index]))[: most - 2]
        return [runs[index] for index in (0, *sorted(inner), len(runs) - 1)]
    kept = _turning(levels)
    while len(kept) > most:
        swings = [(abs(levels[kept[i + 1]] - levels[kept[i]]), i) for i in range(1, len(kept) - 2)]
        smallest = min(swings)[1] if swings else 1
        del kept[smallest : smallest + (2 if swings else 1)]
    starts = [_bounds(run[0])[0] for run in runs]
    while len(kept) < most:
        left = set(range(len(runs))).difference(kept)
        kept.append(
            max(sorted(left), key=lambda one: min(abs(starts[one] - starts[other]) for other in kept))
        )
    return [runs[index] for index in sorted(kept)]


def _is_one_unit(one: str, other: str) -> bool:
    """Whether two units are the same, singular or plural: "crown" and "crowns"."""
    return one.casefold() == other.casefold() or stems(one) == stems(other) != ""


def _turning(levels: Sequence[Decimal]) -> list[int]:
    """The indices of the first, the last and the local extremes."""
    kept = [0]
    for (before_, here), (_, after_) in pairwise(pairwise(range(len(levels)))):
        rise, next_rise = levels[here] - levels[before_], levels[after_] - levels[here]
        if (rise > 0) != (next_rise > 0):
            kept.append(here)
    return [*kept, len(levels) - 1]


def _bounds(statement: Statement) -> tuple[float, float]:
    return (float("inf"), float("inf")) if statement.interval is None else statement.interval.bounds


def _days(run: Run) -> float:
    return sum(one.interval.days for one in run if one.interval is not None)


def _continues(run: Sequence[Statement], one: Statement) -> bool:
    """Whether a statement continues a run of the same value (see :func:`runs_of`)."""
    if one.hit.chunk.fact is None or one.interval is None:
        return True
    return one.interval.bounds[0] <= max(_bounds(before_)[1] for before_ in run) + 1
