"""Fit the probability that a sentence belongs in an answer over time, on collections held out from training.

    python scripts/calibrate_courses.py

The questions are those of ``scripts/reading/collections/NAME.courses.jsonl``, in two wordings, over the
evidence retrieved for them. A logistic regression over the sentences that were read gives the weights of
``answer/text/course_sentences.py``. It uses the probabilities of the values reader: calibrate that one first.
The printed figures are cross-validated over collections.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibration import Found, evidence, report, untimed_in
from fits import Row

from timelens.answer.text.course_sentences import sentence_candidates
from timelens.answer.text.value_statements import values_in
from timelens.reader.sentence_reader import bundled_sentence_reader
from timelens.reader.values_reader import bundled_values_reader

_CUTOFFS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
_WORDINGS = 2


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection; each of two wordings is a separate question."""

    def places_of(row: dict[str, Any]) -> list[tuple[str, str]]:
        return [(f"{one['document']}.md", one["quote"]) for one in row["tells"]]

    return untimed_in(file, places_of, _WORDINGS)


def is_part(said: str, quote: str) -> bool:
    """Whether a sentence and a quote overlap."""
    return said.strip() in quote or quote in said


def rows_of(one: Found) -> list[Row]:
    """The sentences read for a question, and whether each belongs in the answer."""
    texts = one.texts
    read = sentence_candidates(one.parsed, texts, values_in(one.parsed, texts))
    return one.rows(((pick.hit, pick.text, features) for pick, features in read), is_part)


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "courses", Path("build/courses.pickle"), found_in)
    bundled_values_reader().warm()
    bundled_sentence_reader().warm()
    rows = [rows_of(one) for one in asked]
    report(asked, rows, "sentences", _CUTOFFS)


if __name__ == "__main__":
    main()
