"""``bench make tdbench``: questions over any temporal database, with answers from SQL (TDBench 3, B).

Temporal functional dependencies give the columns of a question (Genqueries, Algorithm 1), and each of the 13
relations to a sampled window gives a condition. SQL, run in SQLite, gives the answers with their start and
end, and thereby their number: one, several, none. No answer depends on the day that stands for an open end:
a condition on the end only refers to days before now. No recorded date lies at an edge of a "between", so
that it does not matter whether the edges are included.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from timelens import BadInputError
from timelens.bench.make import joins, made_folder, phrasings
from timelens.bench.make.check_tdbench import check
from timelens.bench.make.queries import answer_rows, cardinality, question_record
from timelens.bench.make.sampling import evenly
from timelens.bench.make.sql_conditions import (
    Condition,
    EndPosition,
    Window,
    conditions_of,
    window_record,
    written_name,
)
from timelens.bench.make.temporal_database import Databases, connect, csv_text, fact_records, read_databases
from timelens.bench.make.temporal_dependencies import Group, Options, choose_groups, provenance
from timelens.bench.suite_data import Record
from timelens.temporal import Allen, Day, Granularity, Interval, add_months, civil, format_day, granule

_TRIES = 12
"""Number of windows sampled for each group and relation."""
_BY_UNIT = frozenset({Allen.EQUAL, Allen.START, Allen.STARTED_BY, Allen.FINISH, Allen.FINISHED_BY})
"""Relations with an equality; it is asked of a month or year (Table 10), as a day would reveal the answer."""
_COARSER = {
    Granularity.DAY: (Granularity.DAY, Granularity.MONTH, Granularity.YEAR),
    Granularity.MONTH: (Granularity.MONTH, Granularity.YEAR),
    Granularity.YEAR: (Granularity.YEAR,),
}


def make(options: Options, out: Path) -> made_folder.Made:
    """Write a folder in TDBench's form: ``csv/``, ``facts.jsonl``, ``questions.jsonl``.

    Raises:
        MissingError: a path does not exist.
        BadInputError: there is no table, no dependency or no question, or the folder cannot be written.
    """
    made_folder.refuse_full(out)
    databases = read_databases(options.data, options.columns, options.as_of)
    groups, notes = choose_groups(databases, options.dependencies)
    records = questions(databases, groups, options.seed, options.limit)
    if not records:
        raise BadInputError(
            "no question can be asked about these tables",
            "use facts that last for some time, several for each thing",
        )
    asked = {group.dependency.database.name: group.dependency.asked for group in reversed(groups)}
    files = {f"csv/{table.name}.csv": csv_text(table) for table in databases.tables}
    files["facts.jsonl"] = made_folder.lines(
        record for table in databases.tables for record in fact_records(table, asked.get(table.name))
    )
    files["questions.jsonl"] = made_folder.lines(records)
    made_folder.write(out, files, "tdbench", provenance(options, databases, groups), check)
    counts = Counter(str(record["qtype"]) for record in records)
    return made_folder.Made(out, dict(sorted(counts.items())), (*databases.notes, *notes))


def questions(databases: Databases, groups: Sequence[Group], seed: int, limit: int) -> list[Record]:
    """At most ``limit`` questions, balanced over kinds and relations."""
    connection = connect(databases)
    try:
        askable = [group for group in groups if any(row.start != row.end for row in group.rows)]
        found = [
            *_of_relations(connection, databases, askable, seed),
            *_of_now(connection, databases, askable),
            *joins.questions(connection, databases, askable, seed, limit),
        ]
    finally:
        connection.close()
    return _numbered(_sampled(found, seed, limit))


def _of_relations(
    connection: sqlite3.Connection, databases: Databases, groups: Sequence[Group], seed: int
) -> Iterator[Record]:
    for group in groups:
        for relation in Allen:
            chance = made_folder.chance(seed, group.dependency, group.values, relation)
            seen = set()
            for _ in range(_TRIES):
                window = _window(chance, group, relation, databases.as_of)
                if window is None:
                    continue
                conditions = conditions_of(relation, window)
                if not _is_plain(conditions, group, databases.as_of):
                    continue
                where = " and ".join(condition.sql for condition in conditions)
                rows = answer_rows(connection, group, where)
                kind = cardinality(rows)
                if kind is None or kind in seen:
                    continue
                seen.add(kind)
                yield {
                    **question_record(
                        databases, group, kind, phrasings.condition_questions(group, conditions), rows
                    ),
                    "relation": written_name(relation),
                    "made": {
                        "where": group.where,
                        "asked": group.dependency.asked,
                        "unit": window.start.granularity.value,
                        "window": window_record(window),
                    },
                }


def _of_now(
    connection: sqlite3.Connection, databases: Databases, groups: Sequence[Group]
) -> Iterator[Record]:
    now = format_day(databases.as_of)
    for group in groups:
        if any(row.end == databases.as_of for row in group.rows):
            continue  # whether the fact holds on its last day is ambiguous
        where = f"'{now}' between Start and End"
        rows = answer_rows(connection, group, where)
        if cardinality(rows) in {"basic_unique", "basic_multiple"}:
            yield {
                **question_record(databases, group, "now", phrasings.current_questions(group), rows),
                "reference_date": now,
                "open_end_filled_with": None,
                "made": {"where": group.where, "asked": group.dependency.asked},
            }


def _window(chance: Random, group: Group, relation: Allen, as_of: Day) -> Window | None:
    """A window near the dates of a group; ``None`` if it is empty."""
    coarsest = max((row.unit for row in group.rows), key=lambda unit: unit.days)
    units = _COARSER[coarsest]
    unit = chance.choice([u for u in units if u is not Granularity.DAY] if relation in _BY_UNIT else units)
    starts = [row.start for row in group.rows]
    ends = [row.end for row in group.rows if row.end is not None] or [as_of]
    row = chance.choice(group.rows)
    first = row.start if chance.random() < 0.7 else chance.choice(starts)
    last = row.end if row.end is not None and chance.random() < 0.7 else chance.choice(ends)
    step = 12 if unit is Granularity.YEAR else 1
    months = step * chance.randint(1, 5 if step == 12 else 18)
    if relation in {Allen.MEET, Allen.MET_BY} and chance.random() < 0.3:
        first, last = _moved(chance, first, unit), _moved(chance, last, unit)
    if relation is Allen.MEET:
        last, first = add_months(last, months), last
    elif relation is Allen.MET_BY:
        first = add_months(first, -months)
        last = add_months(first, 2 * months)
    else:
        first, last = (
            _moved(chance, day, unit) if _moves(relation, start=start) else day
            for day, start in ((first, True), (last, False))
        )
    if not (civil(first)[0] >= 1 and civil(last)[0] <= 9998):
        return None
    start, end = granule(first, unit), granule(last, unit)
    return Window(start, end, months) if (start.start or 0) < (end.start or 0) else None


def _moves(relation: Allen, *, start: bool) -> bool:
    """Whether an end of the window may differ from the end of the fact."""
    met_at_start = {Allen.EQUAL, Allen.START, Allen.STARTED_BY}
    met_at_end = {Allen.EQUAL, Allen.FINISH, Allen.FINISHED_BY}
    return relation not in (met_at_start if start else met_at_end)


def _moved(chance: Random, day: Day, unit: Granularity) -> Day:
    """A day shifted by a random number of units in either direction."""
    years = chance.choice((-6, -4, -3, -2, -1, 0, 0, 1, 2, 3, 4, 6))
    moved = add_months(day, 12 * years)
    if unit is not Granularity.YEAR:
        moved = add_months(moved, chance.randint(-6, 6))
    return moved + chance.randint(-15, 15) if unit is Granularity.DAY else moved


def _is_plain(conditions: Sequence[Condition], group: Group, as_of: Day) -> bool:
    """Whether the conditions are unambiguous and do not depend on the day that stands for an open end."""
    for condition in conditions:
        if condition.end == "End" and condition.kind is not EndPosition.OFF and condition.latest >= as_of:
            return False
        days = [row.start if condition.end == "Start" else row.end for row in group.rows]
        if condition.kind is EndPosition.BETWEEN and any(
            _holds(edge, day)
            for edge in (condition.first, condition.last)
            if edge
            for day in days
            if day is not None
        ):
            return False
        if condition.kind is EndPosition.OFF and not _is_plain_length(condition, as_of):
            return False
    return True


def _holds(unit: Interval, day: Day) -> bool:
    return unit.start is not None and unit.end is not None and unit.start <= day < unit.end


def _is_plain_length(condition: Condition, as_of: Day) -> bool:
    """Whether an offset in months is unambiguous (no day after the 28th) and does not reach an open end."""
    named = condition.first.start or 0
    meant = granule(add_months(named, condition.months), condition.unit)
    is_past = condition.end == "Start" or (meant.end or 0) <= as_of
    return is_past and (condition.unit is not Granularity.DAY or civil(named)[2] <= 28)


def _sampled(records: Iterable[Record], seed: int, limit: int) -> list[Record]:
    taken = evenly(records, lambda record: (record["qtype"], record["relation"] or ""), seed, limit)
    return sorted(taken, key=lambda r: (r["db"], r["qtype"], r["relation"] or "", r["questions"]))


def _numbered(records: Sequence[Record]) -> list[Record]:
    count: Counter[tuple[str, str]] = Counter()
    numbered = []
    for record in records:
        kind = record["db"], record["qtype"]
        numbered.append({"id": f"{record['db']}-{record['qtype']}-{count[kind]}", **record})
        count[kind] += 1
    return numbered
