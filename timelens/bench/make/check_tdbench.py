"""Checker of ``bench make tdbench``, in plain Python over the rows of ``csv/``: no SQL, no calendar.

Dates are tuples (year, month, day), cut to the unit of the question; Allen's relations are written out.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from timelens.bench.make.made_folder import demand
from timelens.bench.suite_data import Record, read_records, read_text, require

LAYOUT = "csv/ and questions.jsonl, as timelens bench make tdbench writes them"
_LEAST_PHRASINGS = 3

Stated = tuple[int, ...]
"""A date to its known precision."""
Facts = list[tuple[str, Mapping[str, str]]]
"""(fact id, row)."""

_PRECISION = {"year": 1, "month": 2, "day": 3}
_FAR = (9999, 12, 31)

# a1, a2: start and end of the fact; b1, b2: of the window; met: the date that is the window's months away
_HOLDS: Mapping[str, Callable[[Stated, Stated, Stated, Stated, Stated], bool]] = {
    "before": lambda a1, a2, b1, b2, met: a2 < b1,  # noqa: ARG005
    "after": lambda a1, a2, b1, b2, met: a1 > b2,  # noqa: ARG005
    "meet": lambda a1, a2, b1, b2, met: a2 == met,  # noqa: ARG005
    "met-by": lambda a1, a2, b1, b2, met: a1 == met,  # noqa: ARG005
    "overlap": lambda a1, a2, b1, b2, met: a1 < b1 < a2 < b2,  # noqa: ARG005
    "overlapped-by": lambda a1, a2, b1, b2, met: b1 < a1 < b2 < a2,  # noqa: ARG005
    "equal": lambda a1, a2, b1, b2, met: a1 == b1 and a2 == b2,  # noqa: ARG005
    "start": lambda a1, a2, b1, b2, met: a1 == b1 and a2 < b2,  # noqa: ARG005
    "started-by": lambda a1, a2, b1, b2, met: a1 == b1,  # noqa: ARG005
    "finish": lambda a1, a2, b1, b2, met: b1 < a1 and a2 == b2,  # noqa: ARG005
    "finished-by": lambda a1, a2, b1, b2, met: a2 == b2,  # noqa: ARG005
    "during": lambda a1, a2, b1, b2, met: b1 < a1 and a2 < b2,  # noqa: ARG005
    "contain": lambda a1, a2, b1, b2, met: a1 < b1 and b2 < a2,  # noqa: ARG005
}


def check(path: Path) -> int:
    """The number of questions, each with the answers that its data gives.

    An open end counts as never: no answer may depend on the day that is written for it.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a file does not have the expected format.
        WrongError: an answer does not follow from the data.
    """
    require(path, "csv/", "questions.jsonl", layout=LAYOUT)
    tables = {file.stem: _facts(file) for file in sorted((path / "csv").glob("*.csv"))}
    records = list(read_records(path / "questions.jsonl", "id", "db", "qtype"))
    faults = [
        f"{path / 'questions.jsonl'}: {record['id']}: {fault}"
        for record in records
        for fault in _faults(record, tables)
    ]
    if len({record["id"] for record in records}) < len(records):
        faults.append(f"{path / 'questions.jsonl'}: an id stands twice")
    return demand(faults, len(records))


def _facts(file: Path) -> Facts:
    rows = csv.DictReader(io.StringIO(read_text(file), newline=""))
    return [(f"{file.stem}-{number}", row) for number, row in enumerate(rows)]


def _faults(record: Record, tables: Mapping[str, Facts]) -> Iterator[str]:
    made = record["made"]
    found = list(_found(record, made, tables))
    values = [row[made["asked"]] for _, row in found]
    if sorted(record["gold_fact_ids"]) != sorted(name for name, _ in found):
        yield f"its facts are {[name for name, _ in found]}, not {record['gold_fact_ids']}"
    if sorted(record["answers"]) != sorted(set(values)):
        yield f"its answers are {sorted(set(values))}, not {record['answers']}"
    stated = sorted((row["value"], row["start"], row["end"]) for row in record["answer_rows"])
    now = record["open_end_filled_with"] or record["reference_date"]
    if stated != sorted(
        (row[made["asked"]], _first(row["Start"]), _first(row["End"] or now)) for _, row in found
    ):
        yield "its answer_rows are not those of the table"
    if record["unanswerable"] != (not found) or not _counted(record["qtype"], len(found), len(set(values))):
        yield f"{len(found)} answers do not make a {record['qtype']}"
    texts = [" ".join(text.split()).casefold() for text in record["questions"]]
    if len(set(texts)) < _LEAST_PHRASINGS or len(set(texts)) < len(texts):
        yield f"it has {len(set(texts))} different phrasings of {len(texts)}"
    if "chain" in made:
        yield from _untold(made["chain"], tables)
    wanted = [" ".join(value.split()).casefold() for value in _named(made)]
    if any(value not in text for value in wanted for text in texts):
        yield f"a phrasing leaves out one of {wanted}"


def _counted(kind: str, rows: int, values: int) -> bool:
    match kind:
        case "basic_none":
            return rows == 0
        case "basic_unique":
            return rows == 1
        case "basic_multiple":
            return values > 1
        case _:
            return rows > 0


def _named(made: Mapping[str, Any]) -> Iterator[str]:
    """The values that every phrasing must name."""
    for link in [made] if "where" in made else made["chain"]:
        yield from link["where"].values()


def _found(record: Record, made: Mapping[str, Any], tables: Mapping[str, Facts]) -> Facts:
    if "chain" in made:
        *_, found = _joined(made["chain"], tables)
        return found
    facts = [fact for fact in tables[record["db"]] if _is_of(fact[1], made["where"])]
    if record["qtype"] == "now":
        now = _date(record["reference_date"])
        return [
            (name, row)
            for name, row in facts
            if _date(row["Start"]) <= now and (not row["End"] or _filled(row["End"]) > now)
        ]
    precision = _PRECISION[made["unit"]]
    window = made["window"]
    b1, b2 = _date(window["start"]), _date(window["end"])
    relation = record["relation"]
    met = _months_off(b2, -window["months"]) if relation == "meet" else _months_off(b1, window["months"])
    return [
        (name, row)
        for name, row in facts
        if _HOLDS[relation](
            _date(row["Start"])[:precision], _date(row["End"] or None)[:precision], b1, b2, met
        )
    ]


def _untold(chain: Sequence[Mapping[str, Any]], tables: Mapping[str, Facts]) -> Iterator[str]:
    """Links of a chain whose recorded intermediate values differ from those of their facts."""
    for number, (held, link) in enumerate(zip(_joined(chain, tables), chain[:-1], strict=False)):
        row = held[0][1] if held else {}
        shared = link.get("asked") if number else chain[1].get("by")
        given = {row.get(shared)} if shared else {row[end][:4] for end in ("Start", "End") if row.get(end)}
        if set(link["told"]) != given:
            yield f"a fact on the way gives {sorted(map(str, given))}, not {link['told']}"


def _joined(chain: Sequence[Mapping[str, Any]], tables: Mapping[str, Facts]) -> Iterator[Facts]:
    """The facts of each link in order; ends with none at an inner link without exactly one fact."""
    held: Facts = []
    for number, link in enumerate(chain):
        facts = [fact for fact in tables[link["db"]] if _is_of(fact[1], link["where"])]
        if number == 0:
            held = facts
        else:
            before = held[0][1]
            shared = link.get("by")
            held = [
                (name, row)
                for name, row in facts
                if (shared is None or row[shared] == before[shared]) and _share_time(before, row)
            ]
        if len(held) != 1 and number < len(chain) - 1:
            yield []
            return
        yield held


def _share_time(a: Mapping[str, str], b: Mapping[str, str]) -> bool:
    """Whether the start of each fact is before the end of the other, in the coarser of their units."""
    (a1, a2), (b1, b2) = ((_date(row["Start"]), _date(row["End"] or None)) for row in (a, b))
    return _is_earlier(a1, b2) and _is_earlier(b1, a2)


def _is_earlier(one: Stated, other: Stated) -> bool:
    precision = min(len(one), len(other))
    return one[:precision] < other[:precision]


def _is_of(row: Mapping[str, str], where: Mapping[str, str]) -> bool:
    return all(row[column] == value for column, value in where.items())


def _date(text: str | None) -> Stated:
    """A date in ISO 8601, to its stated precision; ``None`` means never."""
    return _FAR if text is None else tuple(map(int, text.split("-")))


def _filled(text: str) -> Stated:
    """The first day of a stated date."""
    return (*_date(text), 1, 1)[:3]


def _first(text: str) -> str:
    return "-".join((*text.split("-"), "01", "01")[:3])


def _months_off(date: Stated, months: int) -> Stated:
    """A date shifted by some months, in its own unit."""
    year, month, *day = (*date, 1)[:2] if len(date) == 1 else date
    index = year * 12 + month - 1 + months
    return (index // 12, index % 12 + 1, *day)[: len(date)]
