"""The suite ``tdbench``: questions over temporal databases whose answers come from SQL (TDBench).

Four layouts are read: the authors' own (:mod:`timelens.bench.tdbench_official`); published databases as
``csv/*.csv`` with ``questions.jsonl``; the output of ``bench make tdbench``, with any tables and joins; and a
join over several tables, as ``*.csv`` with ``ids.json``, the ids of its questions in ``questions.jsonl`` of
the sibling folder ``tdbench``. Every paraphrase of a record is a question.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from timelens import BadInputError
from timelens.bench import tdbench_official as official
from timelens.bench.make.made_folder import MADE
from timelens.bench.record_files import records_of
from timelens.bench.suite_data import (
    Dataset,
    Gold,
    Query,
    Record,
    TimedAnswer,
    hash_of,
    in_files,
    is_text,
    read_text,
    require,
    strings,
)
from timelens.bench.suite_fields import FLAG, LIST, RECORD, RECORDS, SCALAR, TEXT, Fields
from timelens.bench.tdbench_measures import JOIN
from timelens.bench.tdbench_official import Rows
from timelens.temporal import Day, Granularity, parse_day

LAYOUT = (
    "dataset/ and qa_pairs/ (TDBench), csv/ and questions.jsonl, or tables and ids.json with "
    "../tdbench/questions.jsonl"
)
DATABASES = ("leaders", "organizations", "sports")
"""The published databases that are used. The others have shifted columns, truncated names, or the same
value in every row."""

_REVERSED = "a range in the SQL ends before it starts"
_START_STATED = frozenset({"after", "met-by", "started-by"})
_END_STATED = frozenset({"before", "meet", "finished-by"})
_OF_AN_END = re.compile(
    r"\b(?:start|beg[ia]n|commenc|took|take|assum|join|enter|appoint|elect|inaugurat"
    r"|end|finish|conclud|complet|terminat|left|leav|resign|step|depart|stop)",
    re.IGNORECASE,
)
"""A word that may refer to the start or the end of a fact."""
_SELECTED = re.compile(r"\s*select\s+(.+?)\s+from\s", re.IGNORECASE)
_SPAN = 5
"""Length in years of the spans by which answers are grouped (TDBench, Figure 3)."""
_YEAR_OF_DAY = re.compile(r"""['"](\d{4})-\d\d-\d\d""")


def load(folder: Path) -> Dataset:
    """Read a folder of databases with questions, or one with a join.

    Records with a reversed range, and records over a published database that is not in :data:`DATABASES`, are
    excluded; their questions are counted. "Now" is the day that a record states, else the day on which the
    data was collected.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a file does not have the expected format, or there are no questions.
    """
    folder = folder.resolve()
    excluded: Counter[str] = Counter()
    if official.is_official(folder):
        tables, files, records, notes = _read_official(folder, excluded)
    elif (folder / "ids.json").exists():
        tables, files, records, notes = _read_join(folder)
    else:
        tables, files, records, notes = _read_databases(folder, excluded)
    asked = [
        (f"{record['id']}.{n}", text.strip(), record) for record in records for n, text in _texts(record)
    ]
    if not asked or not tables:
        raise BadInputError(
            f"{folder} holds no {'question' if tables else 'table'}", f"a folder holds {LAYOUT}"
        )

    known = {name: _rows(table) for name, table in tables.items()}
    return Dataset(
        queries=tuple(Query(name, text, _now(record)) for name, text, record in asked),
        gold={name: _gold(record, text, known) for name, text, record in asked},
        ingest=in_files([*tables.values()]),
        documents_hash=hash_of(tables.values(), folder),
        hash=hash_of([*tables.values(), *files], folder.parent),
        excluded=excluded,
        notes=notes,
    )


_Read = tuple[dict[str, Path], Sequence[Path], list[Record], tuple[str, ...]]
"""The tables by database name, the question files, the records to ask, and notes."""


def _read_official(folder: Path, excluded: Counter[str]) -> _Read:
    known = official.tables_of(folder)
    require(
        folder,
        *(f"{official.TABLES}/{official.TASK}/{official.TASK}_{name}.csv" for name in DATABASES),
        layout=LAYOUT,
    )
    tables = {name: known[name] for name in DATABASES}
    return (
        tables,
        official.question_files(folder),
        list(_measured(official.records(folder), DATABASES, excluded)),
        (),
    )


def _read_join(folder: Path) -> _Read:
    source = folder.parent / "tdbench"
    require(source, "questions.jsonl", layout=LAYOUT)
    path = source / "questions.jsonl"
    wanted = _ids(folder / "ids.json")
    listed, notes = _FIELDS.records(path)
    records = [record for record in listed if record["id"] in wanted]
    return {table.stem: table for table in sorted(folder.glob("*.csv"))}, [path], records, notes


def _read_databases(folder: Path, excluded: Counter[str]) -> _Read:
    require(folder, "csv/", "questions.jsonl", layout=LAYOUT)
    path = folder / "questions.jsonl"
    records, notes = _FIELDS.records(path)
    made = sorted(table.stem for table in (folder / "csv").glob("*.csv")) if (folder / MADE).exists() else ()
    databases = made or DATABASES
    tables = {name: folder / "csv" / f"{name}.csv" for name in databases}
    kept = list(_measured(records, databases, excluded))
    require(folder, *(f"csv/{name}.csv" for name in tables), layout=LAYOUT)
    return tables, [path], kept, notes


_FIELDS = Fields(
    ("id", "db", "qtype"),
    {
        "questions": LIST,
        "answer_rows": RECORDS,
        "relation": TEXT,
        "entity": SCALAR,
        "reference_date": TEXT,
        "open_end_filled_with": TEXT,
        "sql": TEXT,
        "reversed_range": FLAG,
        "made": RECORD,
    },
    frozenset({"answers", "unanswerable", "gold_fact_ids", "sql_reproduced"}),
)


def _ids(path: Path) -> frozenset[str]:
    try:
        return frozenset(strings(json.loads(read_text(path))))
    except ValueError as error:
        raise BadInputError(f"{path} is not JSON: {error}", "write a list of ids") from error


def _measured(
    records: Iterable[Record], databases: Sequence[str], excluded: Counter[str]
) -> Iterator[Record]:
    """The records to ask; questions of the others are counted by the reason for exclusion."""
    for record in records:
        if record["db"] not in databases:
            excluded[f"of another database than {', '.join(databases)}"] += len(list(_texts(record)))
        elif record.get("reversed_range"):
            excluded[_REVERSED] += len(list(_texts(record)))
        else:
            yield record


def _texts(record: Record) -> Iterator[tuple[int, str]]:
    yield from enumerate((text for text in record.get("questions") or [] if is_text(text)), start=1)


def _now(record: Record) -> Day | None:
    day = record.get("reference_date") or record.get("open_end_filled_with")
    return _day(record, day)


def _day(record: Record, day: object) -> Day | None:
    try:
        return parse_day(str(day)) if is_text(day) else None
    except ValueError as error:
        raise BadInputError(f"{record['id']}: {error}", "write a day such as 2021-05-06") from error


def _gold(record: Record, question: str, tables: Mapping[str, Rows]) -> Gold:
    filled = record.get("open_end_filled_with")
    rows = tuple(
        TimedAnswer(
            str(row["value"]),
            _day(record, row.get("start")),
            None if row.get("end") == filled else _day(record, row.get("end")),
        )
        for row in record.get("answer_rows") or []
    )
    return Gold(
        relevant={},
        unanswerable=not rows,
        kind=kind_of(record, question),
        groups=_groups(record),
        timed=rows,
        ends=_ends(record),
        rivals=_rivals(record, tables, {row.text for row in rows}),
        unit=_unit(tables.get(str(record["db"]), ())),
        past=_past(record, tables, {row.text for row in rows}),
        hops=tuple(_hops(record, tables)),
    )


def _rows(table: Path) -> Rows:
    """The rows of a table, with column names in lower case, because SQL ignores their case."""
    return [
        {name.casefold(): value or "" for name, value in row.items() if name} for row in records_of(table)
    ]


def _rivals(record: Record, tables: Mapping[str, Rows], right: set[str]) -> tuple[str, ...]:
    """Wrong names that might be given: the other values of the asked column, here or in joined tables."""
    asked, db = _asked(record), str(record["db"])
    searched = [tables[db]] if db in tables else list(tables.values())
    values = (row[asked] for rows in searched for row in rows if row.get(asked))
    return tuple(sorted({*values} - right))


def _unit(rows: Rows) -> Granularity:
    """The coarsest unit in which days may be stated: year if most dates of the table are years, else month.

    Such dates are bare years or the first of January (TDBench, Section 4: it "varies by dataset").
    """
    days = [day for row in rows for day in (row.get("start"), row.get("end")) if day]
    years = sum(len(day) == len("2014") or day[4:10] == "-01-01" for day in days)
    return Granularity.YEAR if 2 * years > len(days) else Granularity.MONTH


def _asked(record: Record) -> str:
    """The asked column in lower case; empty if neither the record nor its SQL names it."""
    made = record.get("made") or {}
    return str(made.get("asked") or next(iter(_selected(record)), "")).casefold()


def _past(record: Record, tables: Mapping[str, Rows], current: set[str]) -> tuple[str, ...] | None:
    """For a question about now, all other values of the asked column for the same entity, else ``None``."""
    rows = tables.get(str(record["db"]), ())
    made = record.get("made") or {}
    where = made.get("where") or official.thing_of(_sql(record))
    asked = _asked(record)
    given = {name.casefold(): value for name, value in where.items()}
    if record["qtype"] != "now" or not rows or not given or not {asked, *given} <= rows[0].keys():
        return None
    same = (row for row in rows if all(row[name] == value for name, value in given.items()))
    return tuple(dict.fromkeys(value for row in same if (value := row[asked]) not in current))


def _hops(record: Record, tables: Mapping[str, Rows]) -> Iterator[tuple[str, ...]]:
    """The values of the intermediate facts of a join.

    A generated join records them. For a published join they come from the row of its event: with three hops
    the event must be found (its name or year), with two it is given; then the other column that SQL selects,
    its country.
    """
    if not _is_join(record):
        return
    if "made" in record:
        yield from (strings(link.get("told")) for link in record["made"]["chain"][:-1])
        return
    entity = str(record.get("entity"))
    event = next((row for rows in tables.values() for row in rows if entity in row.values()), {})
    given = [event[name] for name in _selected(record)[1:] if name in event]
    if given:
        if record["qtype"] == "join_3hop":
            yield entity, event.get("start", "")[:4]
        yield tuple(given)


def _selected(record: Record) -> list[str]:
    """The columns that the SQL of a record selects, without the dates."""
    found = _SELECTED.match(_sql(record))
    names = [name.strip().casefold() for name in found[1].split(",")] if found else []
    return [name for name in names if name not in {"start", "end"}]


def _sql(record: Record) -> str:
    return str(record.get("sql") or "")


def _groups(record: Record) -> dict[str, str]:
    """The groups of a record: its temporal relation and its span of years, if it has them."""
    if _is_join(record):
        return {}
    relation, span = record.get("relation"), _span(record)
    return {name: str(label) for name, label in (("relation", relation), ("span", span)) if label is not None}


def _span(record: Record) -> str | None:
    """The five-year span of the first day that its SQL names, else of the reference day (TDBench, 4.2)."""
    named = _YEAR_OF_DAY.search(f"{_sql(record)} '{record.get('reference_date') or ''}'")
    if named is None:
        return None
    first = int(named[1]) // _SPAN * _SPAN
    return f"{first}–{first + _SPAN - 1}"


def _is_join(record: Record) -> bool:
    return str(record["qtype"]).startswith("join")


def kind_of(record: Record, question: str) -> str:
    """The number of answers, or "bare between" if SQL asks for facts inside a range but the words do not."""
    if record.get("relation") == "during" and not _OF_AN_END.search(question):
        return "bare between"
    return JOIN if _is_join(record) else str(record["qtype"]).removeprefix("basic_")


def _ends(record: Record) -> tuple[str, ...]:
    """The ends of a fact that an answer must state (TDBench, Tables 10 and 14).

    Time is not measured for a published join: its days are those of the games, but its value is a leader. A
    generated join (``made``) has the days of the answer itself.
    """
    if _is_join(record):
        return ("start", "end") if "made" in record else ()
    if record["qtype"] == "now" or record.get("relation") in _START_STATED:
        return ("start",)
    return ("end",) if record.get("relation") in _END_STATED else ("start", "end")
