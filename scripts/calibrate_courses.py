"""Fit the probability that a sentence belongs in an answer over time, on collections held out from training.

    python scripts/calibrate_courses.py

The questions are those of ``scripts/reading/collections/NAME.courses.jsonl``, in two wordings, over the
evidence retrieved for them. A logistic regression over the sentences that were read gives the weights of
``answer/text/course_sentences.py``. It uses the probabilities of the values reader: calibrate that one first.
The printed figures are cross-validated over collections.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from calibrate_reader import NOW, calibration_error, opened
from calibration import Found, evidence, left_out_in_turn, print_weights
from fits import Row
from sklearn.metrics import average_precision_score

from timelens.answer.text.course_sentences import sentence_candidates
from timelens.answer.text.value_statements import values_in
from timelens.question.parse import parse
from timelens.reader.sentence_reader import bundled_sentence_reader
from timelens.reader.values_reader import bundled_values_reader

_CUTOFFS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
_K = 10


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection; each of two wordings is a separate question."""
    name = file.name.partition(".")[0]
    with opened(file.with_name(f"{name}.documents.jsonl")) as corpus:
        for row in map(json.loads, file.open()):
            told = [(f"{one['document']}.md", one["quote"]) for one in row["tells"]]
            for question in (row["question"], *row["also"][:1]):
                found = corpus.search(question, as_of=NOW, strategy="timelens", k=_K)
                yield Found(name, told, parse(question, NOW), found.pool)


def is_part(said: str, quote: str) -> bool:
    """Whether a sentence and a quote overlap."""
    return said.strip() in quote or quote in said


def rows_of(one: Found) -> list[Row]:
    """The sentences read for a question, and whether each belongs in the answer."""
    texts = one.texts
    read = sentence_candidates(one.parsed, texts, values_in(one.parsed, texts))
    return one.rows(((pick.hit, pick.text, features) for pick, features in read), is_part)


def report(told: Sequence[tuple[float, bool]], stated: int) -> None:
    """Print the calibration of scores, and the share of sentences found at several cutoffs."""
    scores, right = np.array([score for score, _ in told]), np.array([belongs for _, belongs in told])
    precision, error = average_precision_score(right, scores), calibration_error(told)
    print(f"{len(told)} sentences, {stated} quotes, precision {precision:.3f}, calibration error {error:.3f}")
    for cut in _CUTOFFS:
        taken = right[scores >= cut]
        print(
            f"  cut {cut:5}: {len(taken)} taken, right {taken.mean():.2f}, found {taken.sum() / stated:.2f}"
        )


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "courses", Path("build/courses.pickle"), found_in)
    bundled_values_reader().warm()
    bundled_sentence_reader().warm()
    rows = [rows_of(one) for one in asked]
    told = [each for own in left_out_in_turn(asked, rows) for each in own]
    report(told, sum(len(one.places) for one in asked))
    print_weights(rows)


if __name__ == "__main__":
    main()
