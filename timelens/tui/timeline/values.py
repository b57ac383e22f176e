"""Values over time from an answer or from table rows: numbers for a curve, or states. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from timelens.printable import printable_line, shortened
from timelens.temporal import Day, Granularity, Interval, granule
from timelens.tui.timeline.cells import VALUES, Look
from timelens.tui.timeline.lanes import Ink, Item

if TYPE_CHECKING:
    from timelens import Citation, Fact, Value
    from timelens.answer.rendering.shown_evidence import ShownEvidence

    _CitedRow = tuple[Citation, Fact]

_MOST_LETTERS = 60
_OF_ANSWER = "values in the answer"
_DATES = (Granularity.DAY, Granularity.MONTH, Granularity.YEAR)


@dataclass(frozen=True, slots=True)
class Held:
    """A value, and the days on which it held."""

    value: str
    time: Interval
    number: int
    """The number of its piece of evidence."""
    cited: bool
    amount: float | None
    """The value as a number, the middle of a range; ``None`` if it is not a number."""
    until: Day | None = None
    """The start of the next value, if the text gives only a date for this one."""


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one entity, from early to late."""

    name: str
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one column of a table in the evidence; or the values that an answer states."""

    column: str
    series: tuple[Series, ...]
    numeric: bool
    """Whether all values are numbers."""

    @property
    def name(self) -> str:
        """The column, and the name of the series if there is only one."""
        return ": ".join(
            [self.column, *(one.name for one in self.series if one.name and len(self.series) == 1)]
        )

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the pieces of evidence that the values come from."""
        return frozenset(held.number for one in self.series for held in one.held)

    @property
    def times(self) -> tuple[Interval, ...]:
        """The times of the values."""
        return tuple(held.time for one in self.series for held in one.held)


def values_of(evidence: "ShownEvidence") -> Values | None:
    """The values of the answer, if any comes from a text, else those of a table; ``None`` without either."""
    rows = {one.number for one in evidence.timeline.citations if one.hit.chunk.fact is not None}
    if any(rows.isdisjoint(value.citations) for value in evidence.series):
        return _stated(evidence.series)
    return _of_rows(evidence)


def _stated(series: "Sequence[Value]") -> Values:
    """The values of an answer as one series; numeric if all of them are numbers with one unit or currency.

    A value for which a text gives only a day, a month or a year is assumed to hold until the next one.
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
    """Each value with the start of the next one; a value without an end ends there."""
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
    """Whether a time is a single day, month or year, rather than a range."""
    start = time.start
    return start is not None and any(granule(start, unit).same_days(time) for unit in _DATES)


def _of_rows(evidence: "ShownEvidence") -> Values | None:
    """The values of the table with most cited rows, or else most rows; ``None`` without such rows.

    The values are those of the column that the answer states, else of the last column of numbers, or else of
    the last column. Each combination of the other columns is a series, without other numbers of the same time
    ("25 juniors" beside "131 members"). Series with a value that the answer cites or names as nearest come
    first; for numbers, only these are kept if there are any.
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
    column = _answered(table, evidence.series)
    if column is None:
        column = max(amounts, default=len(columns) - 1)
    numbers = amounts.get(column)
    named = [at for at in range(len(columns)) if at != column and at not in amounts]
    if not _are_apart(table, named):
        named = [at for at in range(len(columns)) if at != column]
    series: dict[str, list[Held]] = {}
    for row, (one, fact) in enumerate(table):
        name = ", ".join(filter(None, (fact.fields[at][1] for at in named)))
        amount = None if numbers is None else numbers[row]
        value = _clean(fact.fields[column][1])
        held = Held(value, fact.validity, one.number, one.number in used, amount)
        series.setdefault(_clean(name), []).append(held)
    found = [Series(name, tuple(held)) for name, held in series.items()]
    found.sort(key=lambda one: not any(held.cited for held in one.held))
    if numbers is not None:  # curves overlap: keep only those that the answer uses
        found = [one for one in found if any(held.cited for held in one.held)] or found
    return Values(_clean(columns[column]), tuple(found), numeric=numbers is not None)


def _answered(table: "Sequence[_CitedRow]", stated: "Sequence[Value]") -> int | None:
    """The index of the column whose cells most stated values are; ``None`` if none is that of a cell.

    A value is that of a cell with or without the unit of its column.
    """
    from timelens.answer.tables.columns import with_unit

    rows = {one.number: fact for one, fact in table}
    counts: Counter[int] = Counter()
    for value in stated:
        for fact in (rows[number] for number in value.citations if number in rows):
            counts.update(
                at
                for at, (name, cell) in enumerate(fact.fields)
                if cell and value.text in (cell, with_unit(name, cell))
            )
    return counts.most_common(1)[0][0] if counts else None


def _are_apart(table: "Sequence[_CitedRow]", named: Sequence[int]) -> bool:
    """Whether no two rows with the same values in the ``named`` columns hold on the same day."""
    alike: dict[tuple[str, ...], list[Interval]] = {}
    for _, fact in table:
        alike.setdefault(tuple(fact.fields[at][1] for at in named), []).append(fact.validity)
    pairs = (pairwise(sorted(times, key=lambda time: time.bounds)) for times in alike.values())
    return not any(one.intersects(after) for each in pairs for one, after in each)


def state_rows(values: Values) -> tuple[tuple[Item, ...], ...]:
    """States as bars for lanes, one colour per value; one tuple per series."""
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
    """The table row of a piece of evidence, if its columns have names."""
    fact = citation.hit.chunk.fact
    has_values = fact is not None and bool(fact.fields) and any(name for name, _ in fact.fields)
    return fact if has_values else None


def _columns(fact: "Fact") -> tuple[str, ...]:
    return tuple(name for name, _ in fact.fields)


def _amounts(facts: "Sequence[Fact]", columns: Sequence[str]) -> Mapping[int, list[float]]:
    """The columns in which every row has a number, by index, with these numbers."""
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
