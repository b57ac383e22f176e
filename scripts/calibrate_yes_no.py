"""Fit the probability that a sentence answers a yes-or-no question, on held-out collections.

    python scripts/calibrate_yes_no.py

The questions are the yes-or-no questions of ``scripts/reading/collections``, in all their wordings, over the
evidence retrieved for them. Every fifth question is asked again over evidence without the documents that
answer it. A logistic regression over the sentences that were read gives the weights of
``answer/text/yes_no.py``. The printed figures are cross-validated over collections, none of which the reader
was trained on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from calibrate_reader import NOW, Row, calibration_error, opened
from calibration import Found, evidence, left_out_in_turn, print_weights
from reading_examples import questions_of

from timelens.answer.text.answer_selection import probability_of
from timelens.answer.text.yes_no import yes_no_candidates
from timelens.question.parse import parse
from timelens.reader.yes_no_reader import bundled_yes_no_reader

_CUTOFFS = (0.2, 0.3, 0.43, 0.5, 0.6, 0.7)
_K = 10
_ABSENT = 5
"""One in so many questions is also asked without the documents that answer it."""


def found_in(file: Path) -> Iterator[Found]:
    """The questions about the documents of ``file``; each wording is a separate question."""
    name = file.name.partition(".")[0]
    with opened(file) as corpus:
        for number, row in enumerate(row for row in questions_of(file) if row["type"] == "yesno"):
            telling = [(f"{one['document']}.md", one["answer"]) for one in row["answers"]]
            for question in (row["question"], *row.get("also", ())):
                found = corpus.search(question, as_of=NOW, strategy="timelens", k=_K)
                parsed = replace(parse(question, NOW), periods=found.periods)
                yield Found(name, telling, parsed, found.pool)
                if number % _ABSENT == 0:
                    documents = tuple(document for document, _ in telling)
                    rest = [hit for hit in found.pool if not hit.chunk.document_id.endswith(documents)]
                    yield Found(name, (), parsed, rest)


def rows_of(one: Found) -> list[Row]:
    """The sentences read for a question about one time, and whether each answers it."""
    if len(one.parsed.periods) > 1:
        return []
    read = yes_no_candidates(one.parsed, one.texts)
    return one.rows(((pick.hit, pick.hit.said, features) for pick, features in read), _overlap)


def _overlap(sentence: str, words: str) -> bool:
    sentence, words = (" ".join(text.split()) for text in (sentence, words))
    return sentence in words or words in sentence


def report(told: Sequence[tuple[float, bool]]) -> None:
    """Print the calibration of the most likely sentence of each question, and its accuracy at cutoffs."""
    expected = calibration_error(told)
    print(f"{len(told)} questions, calibration error {expected:.3f}")
    for cut in _CUTOFFS:
        taken = [right for score, right in told if probability_of(score) >= cut]
        print(f"  at {cut}: {len(taken)} told, right {sum(taken) / max(1, len(taken)):.2f}")


def main() -> None:
    """Read, fit and print."""
    asked = evidence(__doc__, "documents", Path("build/yes_no.pickle"), found_in)
    bundled_yes_no_reader().warm()
    rows = [rows_of(one) for one in asked]
    report([max(own) for own in left_out_in_turn(asked, rows) if own])
    print_weights(rows)


if __name__ == "__main__":
    main()
