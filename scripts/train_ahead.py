"""Train the model that tells whether a time lies before or after the day of writing.

    python scripts/train_ahead.py --out timelens/temporal/ahead_model.json

``scripts/ahead`` has pieces of text by people who do not know the program, each with its day of writing and
one time: ``dates*`` have dates without a year, ``others*`` weekdays, weekends and lengths ("in three weeks",
which may be how long something takes), ``short*`` all of these in short sentences. Those with ``_scored`` in
their names are never trained on; ``dates_scored`` is by another writer. Dates without a year of
``scripts/reading/collections`` are added, if the day of the document and of what is meant is known; every
fifth collection, by a hash of its name, is only scored. It takes some seconds.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from feature_matrix import index_of, matrix_of
from reading_examples import held_out
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from timelens.temporal.ahead_model import DISTANCE, LENGTH, WEEKDAY, WEEKEND, distance, features
from timelens.temporal.calendar import Day, civil, parse_day
from timelens.temporal.vocabulary import MONTHS

_HERE = Path(__file__).parent
_KINDS = {"W": WEEKDAY, "E": WEEKEND, "N": LENGTH}
_FEWEST = 2
"""Minimum number of pieces in which a feature must occur."""
_SMALLEST = 0.02
"""Weights below are left out."""
_YEAR = 365
_FARTHEST = 366
_DATE = re.compile(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?)?\b(?P<month>{'|'.join(MONTHS)})\b\.?(?: \d{{1,2}}\b)?",
    re.IGNORECASE,
)
_BY_YEAR = re.compile(r"\d{4}")


@dataclass(frozen=True)
class Example:
    """A time in a text."""

    source: str
    text: str
    start: int
    end: int
    is_ahead: bool
    kind: str = ""
    behind: float = 0.0
    """Days since the last such time."""
    ahead: float = 0.0
    """Days until the next one."""
    is_scored: bool = False


def _dated(
    source: str, text: str, place: tuple[int, int], written: Day, meant: Day, *, is_scored: bool
) -> Example:
    days = abs(meant - written)
    is_ahead = meant > written
    behind, ahead = (_YEAR - days, days) if is_ahead else (days, _YEAR - days)
    return Example(source, text, *place, is_ahead, "", max(behind, 0), max(ahead, 0), is_scored)


def written_pieces() -> Iterator[Example]:
    """The pieces of ``scripts/ahead``."""
    for file in sorted((_HERE / "ahead").glob("*.jsonl")):
        name = file.stem
        for row in map(json.loads, file.open()):
            text, is_scored = row["text"], name.endswith("scored")
            start = text.index(row["words"])
            place = (start, start + len(row["words"]))
            if "first" in row:
                written, meant = parse_day(row["written"]), parse_day(row["first"])
                yield _dated(f"{name} dates", text, place, written, meant, is_scored=is_scored)
            else:
                kind = _KINDS[row["kind"]]
                yield Example(f"{name} {kind}", text, *place, row["ahead"], kind, is_scored=is_scored)


def of_collections() -> Iterator[Example]:
    """The dates of days and months without a year that begin or end something in the collections."""
    for file in sorted((_HERE / "reading" / "collections").glob("*.timelines.jsonl")):
        name = file.name.partition(".")[0]
        is_scored = held_out(name, 5)
        source = f"collections{'_scored' if is_scored else ''}"
        rows = map(json.loads, file.with_name(f"{name}.documents.jsonl").open())
        documents = {row["id"]: row for row in rows if row["date"]}
        seen = set()
        for value in (one for line in file.open() for one in json.loads(line)["values"]):
            row, found = documents.get(value["document"]), _DATE.search(value.get("words") or "")
            meant = value["until"] if value.get("role") == "ends" else value["from"]
            if row is None or found is None or _BY_YEAR.search(value["words"]) or not meant or len(meant) < 7:
                continue
            context = max(row["text"].find(value.get("quote") or value["context"]), 0)
            at = row["text"].find(value["words"], max(context - 200, 0))
            day = parse_day(meant if len(meant) > 7 else f"{meant}-01")
            if at < 0 or (row["id"], at) in seen or civil(day)[1] != MONTHS[found["month"].lower()]:
                continue
            seen.add((row["id"], at))
            written = parse_day(row["date"])
            if abs(day - written) < _FARTHEST:
                place = (at + found.start(), at + found.end())
                yield _dated(source, row["text"], place, written, day, is_scored=is_scored)


def fitted(examples: Sequence[Example], strength: float) -> dict[str, float]:
    """The rounded weights of features, without those below ``_SMALLEST``."""
    found = [features(one.text, one.start, one.end, one.kind) for one in examples]
    index = index_of(found, [one.text for one in examples], _FEWEST)
    distances = csr_matrix([[distance(one.behind, one.ahead)] for one in examples])
    matrix = hstack([distances, matrix_of(found, index)])
    model = LogisticRegression(C=strength, max_iter=3000, fit_intercept=False)
    model.fit(matrix, np.array([one.is_ahead for one in examples]))
    weights = dict(zip([DISTANCE, *index], (round(float(each), 2) for each in model.coef_[0]), strict=True))
    return {name: weights[name] for name in sorted(weights) if abs(weights[name]) >= _SMALLEST}


def odds(one: Example, weights: Mapping[str, float]) -> float:
    """The log odds that a time lies after the day of writing."""
    of_words = sum(weights.get(name, 0.0) for name in features(one.text, one.start, one.end, one.kind))
    return of_words + weights[DISTANCE] * distance(one.behind, one.ahead)


def main() -> None:
    """Train, print the share of examples that are told rightly, write the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--strength", type=float, default=0.5, help="inverse of the L2 penalty")
    parser.add_argument("--list", action="store_true", help="print what is told wrongly in the trained part")
    options = parser.parse_args()
    examples = [*written_pieces(), *of_collections()]
    weights = fitted([one for one in examples if not one.is_scored], options.strength)
    told: dict[str, list[bool]] = defaultdict(list)
    for one in examples:
        told[one.source].append((odds(one, weights) > 0) == one.is_ahead)
        if options.list and not one.is_scored and not told[one.source][-1]:
            print(f"{one.source} {one.is_ahead}: {one.text[max(0, one.start - 80) : one.end + 60]!r}")
    for source, right in sorted(told.items()):
        print(f"{source}: {100 * np.mean(right):.1f} % of {len(right)} right")
    print(f"{len(weights)} weights")
    options.out.write_text(json.dumps(weights, ensure_ascii=False, separators=(",", ":"), indent=0) + "\n")


if __name__ == "__main__":
    main()
