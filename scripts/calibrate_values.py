"""Fit the probability that a span states a value, on collections held out from the reader's training.

    python scripts/calibrate_values.py

The questions are those of ``scripts/reading/collections/NAME.timelines.jsonl``, in all their wordings, over
the evidence retrieved for them. A logistic regression over the spans that were read gives the weights of
``answer/text/value_statements.py``. The printed figures are cross-validated over collections.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from calibrate_reader import NOW, Row, calibration_error, is_same, opened
from calibration import Found, evidence, left_out_in_turn, print_weights

from timelens.answer.text.value_statements import value_candidates
from timelens.question.parse import parse
from timelens.reader.values_reader import bundled_values_reader

_CUTOFFS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
_K = 10


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection; each wording is a separate question."""
    name = file.name.partition(".")[0]
    with opened(file.with_name(f"{name}.documents.jsonl")) as corpus:
        for row in map(json.loads, file.open()):
            values = [(f"{one['document']}.md", one["value"]) for one in row["values"]]
            for question in (row["question"], *row["also"]):
                found = corpus.search(question, as_of=NOW, strategy="timelens", k=_K)
                yield Found(name, values, parse(question, NOW), found.pool)


def rows_of(one: Found) -> list[Row]:
    """The spans read for a question, and whether each is a value at its place."""
    read = value_candidates(one.parsed, one.texts)
    return one.rows(((said.hit, said.value, features) for said, features in read), is_same)


def report(told: Sequence[tuple[float, bool]], stated: int) -> None:
    """Print the calibration of scores, and the share of values found at several cutoffs."""
    expected = calibration_error(told)
    print(f"{len(told)} stretches, {stated} places that state a value, calibration error {expected:.3f}")
    for cut in _CUTOFFS:
        taken = [right for score, right in told if score >= cut]
        right = sum(taken) / max(1, len(taken))
        print(f"  cut {cut:5}: {len(taken)} taken, right {right:.2f}, found {sum(taken) / stated:.2f}")


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "timelines", Path("build/values.pickle"), found_in)
    bundled_values_reader().warm()
    rows = [rows_of(one) for one in asked]
    told = [each for own in left_out_in_turn(asked, rows) for each in own]
    report(told, sum(len(one.places) for one in asked))
    print_weights(rows)


if __name__ == "__main__":
    main()
