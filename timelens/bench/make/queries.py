"""The SQL of a question, its answers, and both as a record in TDBench's format."""

import sqlite3
from dataclasses import dataclass
from typing import Any

from timelens.bench.make.temporal_database import Databases
from timelens.bench.make.temporal_dependencies import Group
from timelens.store.view import quoted
from timelens.temporal import format_day

MOST_ANSWERS = 10


@dataclass(frozen=True, slots=True)
class Answers:
    """The result of an SQL query."""

    sql: str
    numbers: tuple[int, ...]
    rows: tuple[tuple[str, str, str], ...]
    """(value, start, end)."""


def answer_rows(connection: sqlite3.Connection, group: Group, where: str) -> Answers:
    """Run the query of a group with a condition; the rows are ordered by start."""
    dependency = group.dependency
    given = " and ".join(f'"{column}" = {quoted(value)}' for column, value in group.where.items())
    source = f'from "{dependency.database.name}" where {given} and {where}'
    sql = f'select "{dependency.asked}", Start, End {source}'
    run = f'select rowid, "{dependency.asked}", date(Start), date(End) {source} order by Start, rowid'
    rows = connection.execute(run).fetchall()
    return Answers(sql, tuple(row[0] for row in rows), tuple(tuple(row[1:]) for row in rows))


def cardinality(answers: Answers) -> str | None:
    """The question type by the number of answers; ``None`` for one answer of several facts, or too many."""
    values = {value for value, _, _ in answers.rows}
    if not values:
        return "basic_none"
    if len(answers.rows) == 1:
        return "basic_unique"
    return "basic_multiple" if 1 < len(values) <= MOST_ANSWERS else None


def question_record(
    databases: Databases, group: Group, kind: str, texts: list[str], answers: Answers
) -> dict[str, Any]:
    """A question in the fields of TDBench's ``questions.jsonl``."""
    database = group.dependency.database
    return {
        "db": database.name,
        "qtype": kind,
        "relation": None,
        "entity": group.values[0],
        "questions": texts,
        "reference_date": None,
        "answers": list(dict.fromkeys(value for value, _, _ in answers.rows)),
        "unanswerable": not answers.rows,
        "answer_rows": [{"value": value, "start": start, "end": end} for value, start, end in answers.rows],
        "gold_fact_ids": [f"{database.name}-{number}" for number in answers.numbers],
        "sql": answers.sql,
        "open_end_filled_with": format_day(databases.as_of),
        "sql_reproduced": True,
        "reversed_range": False,
    }
