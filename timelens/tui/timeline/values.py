"""What an answer from texts, or the rows of a table, say over time: numbers for a curve, or states. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from timelens.answer.wording import shortened
from timelens.printable import printable_line
from timelens.temporal import Day, Granularity, Interval, granule
from timelens.tui.timeline.cells import VALUES, Look
from timelens.tui.timeline.lanes import Ink, Item

if TYPE_CHECKING:
    from timelens import Citation, Fact, Value
    from timelens.answer.evidence import Evidence

_MOST_LETTERS = 60
_OF_ANSWER = "values in the answer"
_DATES = (Granularity.DAY, Granularity.MONTH, Granularity.YEAR)


@dataclass(frozen=True, slots=True)
class Held:
    """A value, and the days on which it held."""

    value: str
    time: Interval
    number: int
    """Of the piece of evidence that says so."""
    cited: bool
    amount: float | None
    """The value as a number, the middle of a range; ``None`` where it is none."""
    until: Day | None = None
    """The day on which the next value begins, where a text tells but a date of this one."""


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one thing, from early to late."""

    name: str
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """One column of a table, as far as the evidence has it; or what an answer states of texts."""

    column: str
    series: tuple[Series, ...]
    numeric: bool
    """All values are numbers."""

    @property
    def name(self) -> str:
        """What is shown: the column, and of what if it is of one thing."""
        return ": ".join(
            [self.column, *(one.name for one in self.series if one.name and len(self.series) == 1)]
        )

    @property
    def numbers(self) -> frozenset[int]:
        """Those of the pieces of evidence that they come from."""
        return frozenset(held.number for one in self.series for held in one.held)

    @property
    def times(self) -> tuple[Interval, ...]:
        """When they held."""
        return tuple(held.time for one in self.series for held in one.held)


def values_of(evidence: "Evidence") -> Values | None:
    """Those that the answer states, if any of a text, else those of a table; ``None`` without either."""
    rows = {one.number for one in evidence.timeline.citations if one.hit.chunk.fact is not None}
    if any(rows.isdisjoint(value.citations) for value in evidence.series):
        return _stated(evidence.series)
    return _of_rows(evidence)


def _stated(series: "Sequence[Value]") -> Values:
    """The values of an answer as one series; numbers if all of them are, with one unit or currency.

    A value of which a text tells but a day, a month or a year is taken to hold until the next one.
    """
    from timelens.answer.operations import amount_of

    amounts = [amount_of(value.text) for value in series]
    units = {None if amount is None else amount.measure for amount in amounts}
    numeric = len(units) == 1 and None not in units
    held = [
        Held(
            _clean(value.text),
            Interval(value.start, value.end),
            value.citations[0],
            cited=True,
            amount=float(amount.middle) if numeric and amount is not None else None,
        )
        for value, amount in zip(series, amounts, strict=True)
    ]
    return Values(_OF_ANSWER, (Series("", tuple(_until_next(held))),), numeric=numeric)


def _until_next(series: Sequence[Held]) -> Iterator[Held]:
    """Each value with the beginning of the next one; what has no end of its own ends there."""
    for held, after in pairwise(series):
        start, following = held.time.start, after.time.start
        if following is None or start is None or following <= start:
            yield held
        elif held.time.end is None:
            yield replace(held, time=Interval(start, following))
        elif held.time.end < following and _is_date(held.time):
            yield replace(held, until=following)
        else:
            yield held
    yield from series[-1:]


def _is_date(time: Interval) -> bool:
    """Whether a time is one day, month or year, rather than a stretch from one day to another."""
    start = time.start
    return start is not None and any(granule(start, unit).same_days(time) for unit in _DATES)


def _of_rows(evidence: "Evidence") -> Values | None:
    """Those of the table that most cited rows come from, or else most rows; ``None`` without such rows.

    The values are those of its last column of numbers, or else of its last column, and each combination of
    the other columns is a series; those that the answer cites, or names as nearest, come first. Of numbers
    only these are there, if any is.
    """
    used = evidence.cited.union(evidence.nearest)
    rows = [(one, fact) for one in evidence.timeline.citations if (fact := _with_values(one)) is not None]
    if not rows:
        return None
    weights: Counter[tuple[str, ...]] = Counter()
    for one, fact in rows:
        weights[_columns(fact)] += len(rows) if one.number in used else 1
    columns = weights.most_common(1)[0][0]
    table = [(one, fact) for one, fact in rows if _columns(fact) == columns]
    amounts = _amounts([fact for _, fact in table], columns)
    column = max(amounts, default=len(columns) - 1)
    series: dict[str, list[Held]] = {}
    for row, (one, fact) in enumerate(table):
        name = ", ".join(value for at, (_, value) in enumerate(fact.fields) if at != column and value)
        amount = amounts[column][row] if amounts else None
        value = _clean(fact.fields[column][1])
        held = Held(value, fact.validity, one.number, one.number in used, amount)
        series.setdefault(_clean(name), []).append(held)
    found = [Series(name, tuple(held)) for name, held in series.items()]
    found.sort(key=lambda one: not any(held.cited for held in one.held))
    if amounts:  # curves lie over each other: only those that the answer speaks of
        found = [one for one in found if any(held.cited for held in one.held)] or found
    return Values(_clean(columns[column]), tuple(found), numeric=bool(amounts))


def state_rows(values: Values) -> tuple[tuple[Item, ...], ...]:
    """States as bars for lanes, a colour for each value: a series in each row."""
    looks: dict[str, Look] = {}
    rows = []
    for series in values.series:
        items = []
        for held in series.held:
            look = looks.setdefault(held.value, VALUES[len(looks) % len(VALUES)])
            words = held.value if len(values.series) == 1 else f"{held.value}, {series.name}"
            name = f"[{held.number}]"
            items.append(Item(held.time, name, words, _ink(look, cited=held.cited), held.number))
        rows.append(tuple(items))
    return tuple(rows)


def _ink(look: Look, *, cited: bool) -> Ink:
    if cited:
        return Ink("█", "█", look, Look.CITED, Look.LABEL, first="▐")
    return Ink("▒", "▒", look, Look.OTHER, Look.OTHER, first="▐")


def _with_values(citation: "Citation") -> "Fact | None":
    """The row of a table that a piece of evidence is, with columns and a day."""
    fact = citation.hit.chunk.fact
    has_values = fact is not None and bool(fact.fields) and any(name for name, _ in fact.fields)
    return fact if has_values else None


def _columns(fact: "Fact") -> tuple[str, ...]:
    return tuple(name for name, _ in fact.fields)


def _amounts(facts: "Sequence[Fact]", columns: Sequence[str]) -> Mapping[int, list[float]]:
    """The columns in which every row has a number, by their places, with these numbers."""
    from timelens.answer.operations import amount_of

    found: dict[int, list[float]] = {}
    for column in range(len(columns)):
        amounts = [amount_of(fact.fields[column][1]) for fact in facts]
        numbers = [float(amount.middle) for amount in amounts if amount is not None]
        if len(numbers) == len(facts):
            found[column] = numbers
    return found


def _clean(text: str) -> str:
    return shortened(printable_line(text), _MOST_LETTERS)
