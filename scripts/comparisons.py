"""Make a folder in TEMPO's layout from the comparisons of bundled corpora, to measure their retrieval.

    python scripts/comparisons.py corpora/policy-rates corpora/privacy-law --part score --out made/comparisons
    timelens bench run tempo --data made/comparisons --strategy timelens --answerer none

Questions of the kinds ``comparison`` and ``periods`` in each ``diachronic.jsonl`` are used. The documents of
all corpora form one collection: each file unchanged, including front matter and table rows, and without a
date, as in TEMPO. The gold documents of a question are those of all its periods; each period is a step.
Besides TEMPO's fields a record has ``periods`` (the documents of each) and ``as_of``, if the question has
one. Questions without gold documents are excluded and counted.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from timelens.bench import diachronic
from timelens.bench.diachronic import DiachronicQuestion, GoldPeriod
from timelens.bench.make.made_folder import lines, refuse_full
from timelens.bench.suite_data import read_text
from timelens.errors import BadInputError, TimelensError
from timelens.temporal.calendar import format_day

KINDS = ("comparison", "periods")
SPLIT = "comparisons"

Record = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the folder, and print its numbers of records."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, nargs="+", metavar="FOLDER", help=diachronic.LAYOUT)
    parser.add_argument("--part", choices=diachronic.PARTS, help="only the questions of this part")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    chosen = parser.parse_args(arguments)
    try:
        made, left_out = folder_of(chosen.corpora, chosen.part)
        write(chosen.out, made)
    except TimelensError as error:
        raise SystemExit(f"{error.message}\n  {error.hint}") from error
    counts = {name: len(records) for name, records in made.items()}
    print(json.dumps({**counts, "left out": left_out}))


def folder_of(corpora: Sequence[Path], part: str | None) -> tuple[dict[str, list[Record]], dict[str, int]]:
    """The records of each subfolder, and the number of excluded comparisons by reason.

    Raises:
        BadInputError: two corpora have the same name, or there is no comparison.
        MissingError: a corpus is missing.
    """
    names = [corpus.resolve().name for corpus in corpora]
    if len(set(names)) < len(names):
        raise BadInputError("two corpora have the same name", "rename a folder")
    made: dict[str, list[Record]] = {"examples": [], "documents": [], "steps": []}
    left_out: Counter[str] = Counter()
    for name, corpus in zip(names, corpora, strict=True):
        compared = [one for one in diachronic.questions(corpus) if one.kind in KINDS]
        of_part = [one for one in compared if part is None or one.part == part]
        asked = [one for one in of_part if any(period.documents for period in one.periods)]
        left_out["of the other part"] += len(compared) - len(of_part)
        left_out["no gold documents"] += len(of_part) - len(asked)
        made["examples"] += [example(one, name) for one in asked]
        made["steps"] += [record for one in asked for record in steps(one, name)]
        made["documents"] += documents(corpus, name)
    if not made["examples"]:
        raise BadInputError("there is no comparison to ask", "name other corpora, or another --part")
    return made, {reason: count for reason, count in left_out.items() if count}


def example(question: DiachronicQuestion, corpus: str) -> Record:
    """A question as a record of TEMPO."""
    gold = [_ids(period.documents, corpus) for period in question.periods]
    record = {
        "id": f"{corpus}/{question.id}",
        "query": question.text,
        "gold_ids": list(dict.fromkeys(name for names in gold for name in names)),
        "periods": gold,
    }
    return record if question.as_of is None else {**record, "as_of": format_day(question.as_of)}


def steps(question: DiachronicQuestion, corpus: str) -> Iterable[Record]:
    """One step for each period of a question."""
    for number, period in enumerate(question.periods, start=1):
        yield {
            "q_id": f"{corpus}/{question.id}",
            "step_id": str(number),
            "step": f"{question.text} ({_worded(period)})",
            "gold_ids": _ids(period.documents, corpus),
        }


def documents(folder: Path, corpus: str) -> Iterable[Record]:
    """The files of a corpus, unchanged."""
    for path in diachronic.documents(folder):
        name = path.relative_to(folder / "documents").as_posix()
        yield {"id": f"{corpus}/{name}", "content": read_text(path)}


def write(out: Path, made: Mapping[str, Sequence[Record]]) -> None:
    """Write one split file into each subfolder.

    Raises:
        BadInputError: the folder is not empty, or cannot be written.
    """
    refuse_full(out)
    try:
        for name, records in made.items():
            (out / name).mkdir(parents=True, exist_ok=True)
            (out / name / f"{SPLIT}.jsonl").write_text(lines(records), encoding="utf-8", newline="")
    except OSError as error:
        raise BadInputError(f"{out} cannot be written: {error.strerror}", "name another folder") from error


def _ids(names: Sequence[str], corpus: str) -> list[str]:
    return [f"{corpus}/{name}" for name in names]


def _worded(period: GoldPeriod) -> str:
    start, end = (None if day is None else format_day(day) for day in (period.start, period.end))
    if start is None:
        return "at any time" if end is None else f"before {end}"
    return f"since {start}" if end is None else f"from {start}, before {end}"


if __name__ == "__main__":
    main(sys.argv[1:])
