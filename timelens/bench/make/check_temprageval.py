"""Checker of ``bench make temprageval``: tests the facts on every day that can matter.

The facts that hold change only at the start or end of a date. It is enough to test the days around these
dates and around the dates of the question.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from timelens.bench.make.made_folder import QRELS_HEADER, demand
from timelens.bench.suite_data import Record, read_records, read_text, require

LAYOUT = "corpus.jsonl, queries.jsonl, qrels/ and facts.jsonl, as timelens bench make temprageval writes them"

_FIRST, _LAST = date.min + timedelta(days=800), date.max - timedelta(days=800)

Days = tuple[date, date]
"""First and last day."""


def check(path: Path) -> int:
    """The number of questions, each with the answer that its facts prove.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a file does not have the expected format.
        WrongError: the facts allow another answer, or more than one.
    """
    require(path, "corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "facts.jsonl", layout=LAYOUT)
    groups: Mapping[tuple[str, ...], list[Record]] = defaultdict(list)
    names = {}
    for fact in read_records(path / "facts.jsonl", "fact_id"):
        groups[fact["dependency"], *fact["group"]].append(fact)
        names[fact["fact_id"]] = fact["dependency"]
    texts = {record["_id"]: record["text"] for record in read_records(path / "corpus.jsonl", "_id", "text")}
    queries = list(read_records(path / "queries.jsonl", "_id", "text"))
    faults = []
    for query in queries:
        facts = groups[names[query["gold_document"]], *query["made"]["group"]]
        right = _right(query, facts)
        if [fact["fact_id"] for fact in right] != [query["gold_document"]]:
            faults.append(f"{query['_id']}: its facts are {[fact['fact_id'] for fact in right]}")
        elif [right[0]["value"]] != query["answers"]:
            faults.append(f"{query['_id']}: its answer is {right[0]['value']!r}")
        if query["gold_evidences"] != [texts.get(query["gold_document"])]:
            faults.append(f"{query['_id']}: its evidence is not in the corpus")
    judged = [f"{query['_id']}\t{query['gold_document']}\t1" for query in queries]
    if read_text(path / "qrels" / "test.tsv").removeprefix(QRELS_HEADER).splitlines() != judged:
        faults.append("qrels/test.tsv does not name the gold documents")
    official = read_records(path / "temprageval.jsonl", "id", "question")
    if [(record["id"], record["answers"]) for record in official] != [
        (query["_id"], query["answers"]) for query in queries
    ]:
        faults.append("temprageval.jsonl and queries.jsonl differ")
    return demand([f"{path}: {fault}" for fault in faults], len(queries))


def _right(query: Record, facts: Sequence[Record]) -> list[Record]:
    """The facts that are the answer under some reading of the dates."""
    first = _span(query["made"]["first"])
    last = _span(query["made"]["last"] or query["made"]["first"])
    relation, condition = query["time_relation"], query["implicit_condition"]
    if relation == "" or (relation == "as of" and condition == "none"):
        asked = first
    else:
        asked = _asked(relation, first, last)
    if relation == "":
        return [fact for fact in facts if _within(_span(fact["start"]), asked)]
    if condition == "none":
        return [fact for fact in facts if any(_holds(fact, day) for day in _days(facts, asked))]
    begun = [fact for fact in facts if any(_may_begin(fact, day) for day in _days(facts, asked))]
    if condition in {"first", "earliest"}:
        return [one for one in begun if all(_may_precede(one, other) for other in begun)]
    held = [fact for fact in facts if any(_holds(fact, day) for day in _days(facts, asked))]
    return [one for one in held if all(_may_precede(other, one) for other in held)]


def _asked(relation: str, first: Days, last: Days) -> Days:
    """First and last day asked about; a far-off day for an open side."""
    start, end = first
    match relation:
        case "as of" | "by" | "until":
            return _FIRST, end
        case "before":
            return _FIRST, start - timedelta(days=1)
        case "after":
            return end + timedelta(days=1), _LAST
        case "since":
            return start, _LAST
        case "around":
            return _with_its_neighbours(first)
        case "in" | "on":
            return first
        case _:
            return start, last[1]


def _with_its_neighbours(unit: Days) -> Days:
    """The interval from the unit before a day, month or year to the unit after it."""
    (start, end), day = unit, timedelta(days=1)
    if start == end:
        return start - day, end + day
    months = 1 if (end - start).days < 32 else 12
    return _moved(start, -months), _moved(end + day, months) - day


def _moved(first: date, months: int) -> date:
    """The first day of a month, shifted by some months."""
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    return date(year, month + 1, 1)


def _span(text: str) -> Days:
    """First and last day of a date, to its stated precision."""
    parts = [int(part) for part in text.split("-")]
    year, month, day = (*parts, 1, 1)[:3]
    start = date(year, month, day)
    if len(parts) == 3:
        return start, start
    return start, _moved(start, 12 if len(parts) == 1 else 1) - timedelta(days=1)


def _days(facts: Sequence[Record], asked: Days) -> Iterator[date]:
    """The asked days on which the valid facts may change, and the days next to them."""
    edges = {*asked}
    for fact in facts:
        edges |= {*_span(fact["start"]), *(_span(fact["end"]) if fact["end"] else ())}
    around = {edge + timedelta(days=step) for edge in edges for step in (-1, 0, 1)}
    yield from (day for day in sorted(around) if asked[0] <= day <= asked[1])


def _holds(fact: Record, day: date) -> bool:
    """Whether a fact may hold on a day."""
    return _span(fact["start"])[0] <= day and (fact["end"] is None or day <= _span(fact["end"])[1])


def _may_begin(fact: Record, day: date) -> bool:
    first, last = _span(fact["start"])
    return first <= day <= last


def _may_precede(one: Record, other: Record) -> bool:
    """Whether one fact may begin on the same day as the other or earlier."""
    return one is other or _span(one["start"])[0] <= _span(other["start"])[1]


def _within(inner: Days, outer: Days) -> bool:
    return outer[0] <= inner[1] and inner[0] <= outer[1]
