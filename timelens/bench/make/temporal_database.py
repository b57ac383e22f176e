"""Temporal databases for the generators: tables of facts, and the same tables in SQLite."""

import csv
import io
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from timelens import ALL_FILES, BadInputError, Fact, SourceFile, TableColumns
from timelens.bench.suite_data import Record, read_text
from timelens.ingest.sources import discover
from timelens.ingest.tables import read_table, verbalise
from timelens.temporal import Day, Granularity, Interval, civil, format_day, granule

SUFFIXES = (".csv", ".tsv")
START, END = "Start", "End"
_UNITS = (Granularity.DAY, Granularity.MONTH, Granularity.YEAR)


@dataclass(frozen=True, slots=True)
class Row:
    """A fact of a database, with its dates as recorded."""

    number: int
    """Position in the table, from 0."""
    fields: Mapping[str, str]
    start: Day
    """The first day of the recorded date."""
    end: Day | None
    """The first day of the recorded date; ``None`` if the fact is still valid."""
    unit: Granularity
    """Day, month or year."""
    text: str
    """The fact as a sentence."""

    @property
    def start_granule(self) -> Interval:
        """The days that the recorded start may stand for."""
        return granule(self.start, self.unit)

    def end_granule(self, as_of: Day) -> Interval:
        """The days that the recorded end may stand for; the day of asking if the fact is still valid."""
        return granule(as_of, Granularity.DAY) if self.end is None else granule(self.end, self.unit)


@dataclass(frozen=True, slots=True)
class Database:
    """One table."""

    name: str
    columns: tuple[str, ...]
    """Columns without the date columns."""
    rows: tuple[Row, ...]

    def fact_id(self, row: Row) -> str:
        """The id of a fact, as in TDBench's facts."""
        return f"{self.name}-{row.number}"


@dataclass(frozen=True, slots=True)
class Databases:
    """All tables, and notes on rows that could not be read."""

    tables: tuple[Database, ...]
    as_of: Day
    """The reference day ("now")."""
    notes: tuple[str, ...]


def read_databases(paths: Sequence[Path], columns: TableColumns, as_of: Day | None) -> Databases:
    """Read the tables of files and folders, in the same way as ``timelens ingest``.

    Without ``as_of``, now is the day after the last day that any table records. Facts without a start, facts
    that begin after now, and facts whose dates are not days, months or years of the calendar from 1 to 9999
    are excluded and counted.

    Raises:
        MissingError: a path does not exist.
        BadInputError: a path cannot be listed, a file is not a table, or no table has a fact.
    """
    sources = discover(paths, SUFFIXES, ALL_FILES).whole()
    if not sources:
        raise BadInputError(
            f"there is no table in {', '.join(map(str, paths))}", f"name files that end in {SUFFIXES[0]}"
        )
    notes: list[str] = []
    read = [_read(source, columns, notes) for source in sources]
    names = [name for name, _ in read]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInputError(
            f"two tables are named {twice}", "rename one: each database is named after its table"
        )
    taken = [(name, [fact for fact in facts if _is_plain(fact)]) for name, facts in read]
    now = as_of if as_of is not None else _day_after(fact for _, facts in taken for fact in facts)
    tables = []
    for (name, facts), (_, all_facts) in zip(taken, read, strict=True):
        past = [fact for fact in facts if fact.start is not None and fact.start <= now]
        if len(past) < len(all_facts):
            notes.append(
                f"{name}: {len(all_facts) - len(past)} of {len(all_facts)} facts left out: no start, begun "
                f"after {format_day(now)}, or dates that are not a day, month or year from 1 to 9999"
            )
        if past:
            tables.append(_database(name, past))
    if not tables:
        raise BadInputError(
            f"there is no fact with a start and an end in {', '.join(map(str, paths))}",
            "give the tables a start column and an end column, or name them with --start-col and --end-col",
        )
    return Databases(tuple(tables), now, tuple(notes))


def _read(source: SourceFile, columns: TableColumns, notes: list[str]) -> tuple[str, list[Fact]]:
    name = source.path.stem
    try:
        delimiter = "\t" if source.path.suffix.lower() == ".tsv" else None
        table = read_table(read_text(source.path), source.id, columns, delimiter)
    except BadInputError as error:
        raise BadInputError(f"{source.path}: {error.message}", error.hint) from error
    notes += [f"{failure.path}: {failure.error}; {failure.hint}" for failure in table.failures[:3]]
    if len(table.failures) > 3:
        notes.append(f"{source.id}: {len(table.failures) - 3} more rows left out for similar reasons")
    if not table.facts:
        notes.append(f"{name}: no fact with dates of its own")
    elif all(fact.start == fact.end for fact in table.facts):
        notes.append(f"{name}: its facts have a single day; they are used only in joins")
    return name, list(table.facts)


def _is_plain(fact: Fact) -> bool:
    dates = [day for day in (fact.start, fact.end) if day is not None]
    return (
        fact.start is not None
        and fact.granularity in _UNITS
        and all(1 <= civil(day)[0] <= 9998 for day in dates)
    )


def _day_after(facts: Iterable[Fact]) -> Day:
    ends = [
        granule(day, fact.granularity).end or day
        for fact in facts
        for day in (fact.start, fact.end)
        if day is not None
    ]
    return max(ends, default=0)


def _database(name: str, facts: Sequence[Fact]) -> Database:
    columns = tuple(column for column, _ in facts[0].fields)
    folded = [column.casefold() for column in (*columns, START, END)]
    twice = next((column for column in folded if folded.count(column) > 1), None)
    if twice is not None or '"' in "".join((name, *columns)):
        fault = (
            f"the column {twice!r} twice, ignoring case" if twice else "a quotation mark in a column's name"
        )
        raise BadInputError(f"{name} has {fault}", "rename one column, or drop it")
    rows = tuple(
        Row(number, dict(fact.fields), fact.start, fact.end, fact.granularity, verbalise(fact))
        for number, fact in enumerate(facts)
        if fact.start is not None
    )
    return Database(name, columns, rows)


def stated(day: Day, unit: Granularity) -> str:
    """A date in ISO 8601, to its known precision: ``2016``, ``2016-05``, ``2016-05-18``."""
    return format_day(day)[: {Granularity.YEAR: 4, Granularity.MONTH: 7}.get(unit, 10)]


def csv_text(database: Database) -> str:
    """The table in TDBench's format: its columns, then ``Start`` and ``End`` in ISO 8601."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*database.columns, START, END))
    for row in database.rows:
        end = "" if row.end is None else stated(row.end, row.unit)
        writer.writerow((*row.fields.values(), stated(row.start, row.unit), end))
    return text.getvalue()


def fact_records(database: Database, asked: str | None) -> list[Record]:
    """The facts as records with the fields of TDBench's ``facts.jsonl``; ``asked`` is the answer column."""
    records = []
    for row in database.rows:
        start = stated(row.start, row.unit)
        end = None if row.end is None else stated(row.end, row.unit)
        records.append(
            {
                "fact_id": database.fact_id(row),
                "db": database.name,
                "entity": next(iter(row.fields.values()), ""),
                "value": row.fields.get(asked or "", ""),
                "start": start,
                "end": end,
                "text": row.text,
                "row": {**row.fields, START: start, END: end or ""},
            }
        )
    return records


def moment(day: Day) -> str:
    """A day in the format of the SQLite tables."""
    return f"{format_day(day)} 00:00:00"


def connect(databases: Databases) -> sqlite3.Connection:
    """All tables in SQLite, in memory. ``rowid`` is :attr:`Row.number`; an open end is filled with now."""
    connection = sqlite3.connect(":memory:")
    for table in databases.tables:
        columns = ", ".join(f'"{column}" text' for column in (*table.columns, START, END))
        connection.execute(f'create table "{table.name}" ({columns})')
        places = ", ".join("?" * (len(table.columns) + 3))
        names = ", ".join(f'"{column}"' for column in ("rowid", *table.columns, START, END))
        connection.executemany(
            f'insert into "{table.name}" ({names}) values ({places})',  # noqa: S608 -- names without quotes
            (
                (
                    row.number,
                    *row.fields.values(),
                    moment(row.start),
                    moment(databases.as_of if row.end is None else row.end),
                )
                for row in table.rows
            ),
        )
    return connection
