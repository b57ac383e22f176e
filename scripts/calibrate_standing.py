"""Fit the probability that a value holds now, on collections held out from training.

    python scripts/calibrate_standing.py

The questions are those of ``scripts/reading/collections/NAME.now.jsonl``, in the present tense and in all
wordings, asked a month after the last paper. A logistic regression over the values that may hold gives the
constant of ``answer/text/value_statements.py``. It uses the probabilities of the values reader: calibrate
that one first. The printed figures are cross-validated over collections.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibrate_reader import NOW, is_same
from calibration import Found, evidence, report, report_answers, untimed_in
from fits import Row

from timelens.answer.text.value_statements import standing_picks
from timelens.reader.values_reader import bundled_values_reader
from timelens.temporal.calendar import Day, parse_day

_CUTOFFS = (-1.5, -1.0, -0.5, -0.28, 0.0, 0.5, 1.0)
_LATER = 30
"""Days after the last paper on which the questions are asked."""
_LEAST = -4.0


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection; each wording is a separate question."""

    def places_of(row: dict[str, Any]) -> list[tuple[str, str]]:
        return [(f"{one['document']}.md", one["answer"]) for one in row["answers"]]

    return untimed_in(
        file, places_of, today=asked_on(file.with_name(file.name.replace(".now.", ".documents.")))
    )


def asked_on(documents: Path) -> Day:
    """The day on which a collection is asked, by the file of its documents."""
    dates = [row["date"] for row in map(json.loads, documents.open()) if row["date"]]
    return max(map(parse_day, dates)) + _LATER if dates else NOW


def rows_of(one: Found) -> list[Row]:
    """The values that may hold, and whether each is right."""
    return [
        ({"bias": 1.0, "held": max(_LEAST, pick.score)}, any(is_same(pick.text, a) for _, a in one.places))
        for pick in standing_picks(one.parsed, one.texts)
    ]


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "now", Path("build/now.pickle"), found_in)
    bundled_values_reader().warm()
    rows = [rows_of(one) for one in asked]
    report_answers(asked, report(asked, rows, "values", _CUTOFFS))


if __name__ == "__main__":
    main()
