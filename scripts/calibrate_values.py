"""Fit the probability that a span states a value, on collections held out from the reader's training.

    python scripts/calibrate_values.py

The questions are those of ``scripts/reading/collections/NAME.timelines.jsonl``, in all their wordings, over
the evidence retrieved for them. A logistic regression over the spans that were read gives the weights of
``answer/text/value_statements.py``. The printed figures are cross-validated over collections.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibrate_reader import is_same
from calibration import Found, evidence, report, untimed_in
from collection_examples import values_in_force
from fits import Row

from timelens.answer.text.value_statements import value_candidates
from timelens.reader.values_reader import bundled_values_reader

_CUTOFFS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection; each wording is a separate question."""

    def places_of(row: dict[str, Any]) -> list[tuple[str, str]]:
        return [(f"{one['document']}.md", one["value"]) for one in values_in_force(row)]

    return untimed_in(file, places_of)


def rows_of(one: Found) -> list[Row]:
    """The spans read for a question, and whether each is a value at its place."""
    read = value_candidates(one.parsed, one.texts)
    return one.rows(((said.hit, said.value, features) for said, features in read), is_same)


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "timelines", Path("build/values.pickle"), found_in)
    bundled_values_reader().warm()
    rows = [rows_of(one) for one in asked]
    report(asked, rows, "stretches", _CUTOFFS)


if __name__ == "__main__":
    main()
