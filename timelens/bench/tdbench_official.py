"""TDBench in its authors' layout, converted to the records of the suite ``tdbench``.

Tables are in ``dataset/crafted/TASK/``. Questions are in ``qa_pairs/TASK/``, one line for each SQL query with
the rows it selects and its questions (``*_sql_gpt4o.jsonl``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from timelens import BadInputError
from timelens.bench.record_files import records_of
from timelens.bench.suite_data import Record, read_records, strings

TABLES, QUESTIONS = "dataset/crafted", "qa_pairs"
TASK = "dyknow"
"""The task whose databases are used; questions of other tasks are only counted."""
_ASKED = "*/*_sql_gpt4o.jsonl"
_SELECTED = re.compile(r"^\s*select\s+(\w+)", re.IGNORECASE)
_EQUAL = re.compile(r"""(\w+)\s*=\s*(?:'([^']*)'|"([^"]*)")""")
_NOW = re.compile(r"'(\d{4}-\d\d-\d\d)' between start and end", re.IGNORECASE)
_RANGE = re.compile(r"between\s+'([\d-]+)[^']*'\s+and\s+'([\d-]+)", re.IGNORECASE)

Rows = Sequence[Mapping[str, str]]
"""The rows of a table, by column names in lower case."""


def is_official(folder: Path) -> bool:
    """Whether a folder has the layout of the authors' repository."""
    return (folder / QUESTIONS).is_dir()


def tables_of(folder: Path) -> dict[str, Path]:
    """The tables of :data:`TASK` by database name."""
    found = sorted((folder / TABLES / TASK).glob("*.csv"))
    return {path.stem.removeprefix(f"{TASK}_"): path for path in found}


def question_files(folder: Path) -> list[Path]:
    """The question files of all tasks."""
    return sorted((folder / QUESTIONS).glob(_ASKED))


def records(folder: Path) -> Iterator[Record]:
    """Every SQL query with its questions, in the format of the suite's ``questions.jsonl``.

    Ends that were open when the data was collected are filled with the day of collection. That day is derived
    from the rows whose end the table leaves open.

    Raises:
        BadInputError: a file does not have the expected format, or no table has the columns of a query.
    """
    tables = {
        name: [{key.casefold(): value or "" for key, value in row.items() if key} for row in records_of(path)]
        for name, path in tables_of(folder).items()
    }
    for path in question_files(folder):
        try:
            yield from _in_file(path, tables)
        except (KeyError, TypeError, AttributeError) as error:
            raise BadInputError(
                f"{path} has a line in another form: {type(error).__name__} {error}", "fetch it again"
            ) from error


def _in_file(path: Path, tables: Mapping[str, Rows]) -> Iterator[Record]:
    lines = list(read_records(path, "qtype", "sql_for_db"))
    if path.parent.name != TASK:
        yield from (_record(line, path.parent.name) for line in lines)
        return
    named = [(line, _table_of(line, tables, path)) for line in lines]
    filled = next((day for line, name in named for day in _filled(line, tables[name])), None)
    for line, name in named:
        rows = [
            {"value": value, "start": start, "end": end} for value, start, end in _rows(line, "correct_rows")
        ]
        yield {**_record(line, name), "answer_rows": rows, "open_end_filled_with": filled}


def _record(line: Record, db: str) -> Record:
    sql = line["sql_for_db"]
    now = _NOW.search(sql)
    return {
        "id": f"{db}-{line['qtype']}-{line['idx']}",
        "db": db,
        "qtype": line["qtype"],
        "relation": line.get("op"),
        "questions": strings(line["questions"]),
        "sql": sql,
        "reference_date": now and now[1],
        "reversed_range": any(end < start for start, end in _RANGE.findall(sql)),
    }


def thing_of(sql: str) -> dict[str, str]:
    """The entity that a query asks about: values by column name in lower case."""
    return {name.casefold(): one or other for name, one, other in _EQUAL.findall(sql)}


def _table_of(line: Record, tables: Mapping[str, Rows], path: Path) -> str:
    """The first database with all columns that a query selects and compares."""
    asked = (name.casefold() for name in _SELECTED.findall(line["sql_for_db"]))
    wanted = {*asked, *thing_of(line["sql_for_db"])}
    found = next((name for name, rows in tables.items() if rows and wanted <= rows[0].keys()), None)
    if found is None:
        raise BadInputError(
            f"{path} asks for {', '.join(sorted(wanted))}, but no table has them", "fetch the tables too"
        )
    return found


def _rows(line: Record, field: str) -> Iterator[tuple[str, str, str]]:
    """(value, start, end) of each row in a field: the rows that a query selects, or the other rows."""
    [asked] = _SELECTED.findall(line["sql_for_db"])
    for row in line[field]:
        yield row[asked], row["Start"][:10], row["End"][:10]


def _filled(line: Record, rows: Rows) -> Iterator[str]:
    """The days that fill ends which the table leaves open."""
    thing = thing_of(line["sql_for_db"]).items()
    open_ended = [row for row in rows if not row["end"] and thing <= row.items()]
    for field in ("correct_rows", "incorrect_rows"):
        for value, start, end in _rows(line, field):
            if any(row["start"] == start and value in row.values() for row in open_ended):
                yield end
