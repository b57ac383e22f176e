"""Dated series of numbers, and their course over a period."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from timelens import ALL_FILES, BadInputError, Fact, TableColumns
from timelens.bench.suite_data import read_text
from timelens.ingest.sources import discover
from timelens.ingest.tables import read_table
from timelens.temporal import Day, Granularity, add_months, civil, day_number, format_day

SUFFIXES = (".csv", ".tsv")
MOVED, STILL = 8.0, 4.0
"""Percent: at least ``MOVED`` rose or fell, at most ``STILL`` changed little; no question between."""
_USUAL = ("close", "closing price", "price", "value", "rate", "index")
_LEAST_NUMBERS = 0.9
"""Minimum share of a numeric column's rows that hold a number."""

Month = Day
"""The first day of a month."""


@dataclass(frozen=True, slots=True)
class Course:
    """First and last value of a series in a period."""

    first: float
    last: float

    @property
    def percent(self) -> float:
        """The change from the first to the last value, in percent."""
        return (self.last / self.first - 1) * 100

    @property
    def trend(self) -> str | None:
        """``rose``, ``fell`` or ``little changed``; ``None`` in between."""
        if abs(self.percent) <= STILL:
            return "little changed"
        if abs(self.percent) < MOVED:
            return None
        return "rose" if self.percent > 0 else "fell"


@dataclass(frozen=True, slots=True)
class Series:
    """One series, its months in order."""

    name: str
    quantity: str
    """The measured quantity: the name of the column."""
    months: Mapping[Month, tuple[tuple[Day, float], ...]]

    def course(self, first: Month, last: Month) -> Course | None:
        """First value of one month to last value of another; ``None`` if a month between has no value."""
        month = first
        while month <= last:
            if month not in self.months:
                return None
            month = add_months(month, 1)
        if last < first:
            return None
        return Course(self.months[first][0][1], self.months[last][-1][1])

    @property
    def csv_text(self) -> str:
        """The series as a table of days and values."""
        points = (point for month in self.months.values() for point in month)
        return "Date,Value\n" + "".join(f"{format_day(day)},{value!r}\n" for day, value in points)


def read_series(
    paths: Sequence[Path], date_column: str | None, value_column: str | None
) -> tuple[list[Series], list[str]]:
    """The series of files and folders, one per file and named after it, and notes on excluded data.

    Raises:
        MissingError: a path does not exist.
        BadInputError: a path cannot be listed, a file is not a table, a named column is missing, or no file
            has a series.
    """
    sources = discover(paths, SUFFIXES, ALL_FILES).whole()
    found: list[Series] = []
    notes: list[str] = []
    for source in sources:
        try:
            delimiter = "\t" if source.path.suffix.lower() == ".tsv" else None
            columns = TableColumns(start=date_column)
            table = read_table(read_text(source.path), source.id, columns, delimiter)
        except BadInputError as error:
            raise BadInputError(f"{source.path}: {error.message}", error.hint) from error
        series = _series(source.path, table.facts, value_column)
        if isinstance(series, str):
            notes.append(f"{source.id}: left out: {series}")
            continue
        kept = sum(map(len, series.months.values()))
        if kept < len(table.facts) + len(table.failures):
            gone = len(table.facts) + len(table.failures) - kept
            notes.append(f"{source.id}: {gone} rows left out: no day, no positive number, or a repeated day")
        found.append(series)
    names = [series.name for series in found]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInputError(
            f"two series are named {twice}", "rename a file: each series is named after its file"
        )
    if not found:
        raise BadInputError(
            f"there is no series in {', '.join(map(str, paths))}"
            + (f" ({notes[0]})" if notes else f" (no file ends in {SUFFIXES[0]})"),
            "name CSV files with a date and a number in each row, or name the columns with --date-col "
            "and --value-col",
        )
    return found, notes


def _series(path: Path, facts: Sequence[Fact], value_column: str | None) -> Series | str:
    if not facts:
        return "no row with a date"
    names = [name for name, _ in facts[0].fields]
    if value_column is not None and value_column not in names:
        raise BadInputError(f"{path} has no column {value_column!r}", f"its columns are {', '.join(names)}")
    rows = [dict(fact.fields) for fact in facts]
    column = value_column or _value_column(names, rows)
    if column is None:
        return "no column of numbers"
    points: dict[Day, float] = {}
    for fact, row in zip(facts, rows, strict=True):
        value = _number(row[column])
        usual = fact.granularity in {Granularity.DAY, Granularity.MONTH}
        if fact.start is not None and value is not None and value > 0 and usual and _is_usual(fact.start):
            points.setdefault(fact.start, value)
    months: dict[Month, list[tuple[Day, float]]] = {}
    for day in sorted(points):
        year, month, _ = civil(day)
        months.setdefault(day_number(year, month), []).append((day, points[day]))
    if not months:
        return "no row with a day or a month and a positive number"
    return Series(path.stem, column, {month: tuple(values) for month, values in months.items()})


def _is_usual(day: Day) -> bool:
    return 1000 <= civil(day)[0] <= 9998


def _value_column(names: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str | None:
    """Among columns that nearly always hold a number: the first with a usual name, else the first."""
    numbers = {name: sum(_number(row[name]) is not None for row in rows) for name in names}
    numeric = [name for name in names if numbers[name] >= _LEAST_NUMBERS * len(rows)]
    usual = (name for wanted in _USUAL for name in numeric if name.strip().casefold() == wanted)
    return next(usual, next(iter(numeric), None))


def _number(text: str) -> float | None:
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None  # noqa: PLR0124 -- not a number
