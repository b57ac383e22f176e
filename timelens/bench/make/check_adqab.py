"""Checker of ``bench make adqab``: parses the sentence of each choice and tests it on ``series/``."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from timelens import BadInputError
from timelens.bench.make.made_folder import QRELS_HEADER, demand
from timelens.bench.suite_data import Record, read_records, read_text, require

LAYOUT = "series/, queries.jsonl and DQABench/, as timelens bench make adqab writes them"
_ENDS = re.compile(r"from (?P<first>\d+\.\d\d) to (?P<last>\d+\.\d\d)\.$")
_BY = re.compile(r"^It (?P<way>rose|fell) by about (?P<percent>\d+)%")
_SORTS = ["contrary", "made up", "other period", "right"]

Points = Sequence[tuple[str, float]]
"""(day in ISO 8601, value), in order."""


def check(path: Path) -> int:
    """The number of questions, each with exactly one true choice, which is the one marked right.

    Raises:
        MissingError: the folder or a part of it is missing.
        BadInputError: a file does not have the expected format.
        WrongError: a question does not have exactly one true choice, or another choice is marked right.
    """
    official = path / "DQABench" / "dqabench_MCQA.json"
    require(path, "series/", "queries.jsonl", "DQABench/dqabench_MCQA.json", layout=LAYOUT)
    series = {file.stem: _points(file) for file in (path / "series").glob("*.csv")}
    records = list(read_records(path / "queries.jsonl", "_id", "text"))
    faults = [f"{record['_id']}: {fault}" for record in records for fault in _faults(record, series)]
    try:
        listed = json.loads(read_text(official))
    except ValueError as error:
        raise BadInputError(f"{official} is not JSON: {error}", "make the folder again") from error
    told = [(item["id"], item["choices"][item["correct_answer_key"]]) for item in listed]
    if told != [(record["_id"], record["answers"][0]) for record in records]:
        faults.append(f"{official} and queries.jsonl differ")
    if (path / "corpus.jsonl").exists():
        faults += _unjudged(path, records)
    return demand([f"{path}: {fault}" for fault in faults], len(records))


def _points(file: Path) -> Points:
    rows = csv.reader(read_text(file).splitlines()[1:])
    return sorted((day, float(value)) for day, value in rows)


def _faults(record: Record, series: Mapping[str, Points]) -> Iterator[str]:
    points = [
        (day, value)
        for day, value in series[record["series"]]
        if record["gold_start"] <= day <= record["gold_end"]
    ]
    if not points:
        yield "its period is empty"
        return
    true = [text for text in record["choices"] if _is_true(text, points[0][1], points[-1][1])]
    if true != record["answers"]:
        yield f"the true choices are {true}, not {record['answers']}"
    if sorted(record["choice_kinds"]) != _SORTS or len(set(record["choices"])) != len(_SORTS):
        yield "it has not the four choices"
    if record["choices"][record["choice_kinds"].index("right")] not in record["answers"]:
        yield "the choice that is said to be right is not the answer"


def _is_true(text: str, first: float, last: float) -> bool:
    """Whether a choice is true of a series that goes from one value to another."""
    percent = (last - first) / first * 100
    if text.startswith("It moved up and down and ended where it had begun"):
        return abs(percent) <= 4
    ends = _ENDS.search(text)
    if ends is None or (ends["first"], ends["last"]) != (f"{first:.2f}", f"{last:.2f}"):
        return False
    if text.startswith("It changed little"):
        return abs(percent) <= 4
    by = _BY.match(text)
    if by is None:
        return abs(percent - (100 if text.startswith("It doubled") else -50)) < 1
    signed = int(by["percent"]) * (1 if by["way"] == "rose" else -1)
    return abs(signed - percent) <= 0.5001 and abs(percent) >= 8


def _unjudged(path: Path, records: Sequence[Record]) -> Iterator[str]:
    """Faults of the judgements: they must name exactly the articles whose month lies in the period."""
    articles = list(read_records(path / "corpus.jsonl", "_id", "text"))
    wanted = {
        f"{record['_id']}\t{article['_id']}\t1"
        for record in records
        for article in articles
        if article["metadata"]["series"] == record["series"]
        and record["gold_start"] <= article["metadata"]["period_start"] <= record["gold_end"]
    }
    lines = read_text(path / "qrels" / "test.tsv").removeprefix(QRELS_HEADER).splitlines()
    if set(lines) != wanted or len(lines) != len(wanted):
        yield "qrels/test.tsv does not name the articles of the periods"
