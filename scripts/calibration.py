"""Shared by the fits over questions about collections: cached evidence and cross-validation."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from calibrate_reader import COLLECTIONS, NOW, K, T, calibration_error, kept, opened
from fits import Row, fit_weights, weights_as_code
from reading_examples import held_out
from sklearn.metrics import average_precision_score

from timelens.answer.scorecard import Features, probability_of, score_of
from timelens.config import RISK
from timelens.documents import Hit
from timelens.question.parse import parse
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import Day


@dataclass(frozen=True)
class Found:
    """A question with its retrieved evidence."""

    group: str
    """The collection, which is left out as a whole."""
    places: Sequence[tuple[str, str]]
    """(document, words) for each place that answers."""
    parsed: ParsedQuestion
    pool: Sequence[Hit]
    yes: bool | None = None
    """For a yes-or-no question, the answer."""

    @property
    def texts(self) -> list[Hit]:
        """The evidence except rows of tables."""
        return [hit for hit in self.pool if hit.chunk.fact is None]

    def rows(
        self, read: Iterable[tuple[Hit, str, Features]], is_same: Callable[[str, str], bool]
    ) -> list[Row]:
        """The features of each (hit, words, features), and whether its words are at an answering place."""
        return [
            (
                features,
                any(hit.chunk.document_id.endswith(d) and is_same(said, words) for d, words in self.places),
            )
            for hit, said, features in read
        ]


def evidence(
    doc: str | None, kind: str, cache: Path, found_in: Callable[[Path], Iterator[Found]]
) -> list[Found]:
    """The evidence for the held-out collections, cached in a file; parses the command line.

    ``found_in`` yields the questions of one collection from its file ``NAME.kind.jsonl``.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collections", type=Path, default=COLLECTIONS)
    parser.add_argument("--cache", type=Path, default=cache, help="the evidence")
    arguments = parser.parse_args()
    files = sorted(arguments.collections.glob(f"*.{kind}.jsonl"))
    left_out = [file for file in files if held_out(file.name.partition(".")[0], 5)]
    return kept(arguments.cache, lambda: (one for file in left_out for one in found_in(file)))


def untimed_in(
    file: Path,
    places_of: Callable[[dict[str, Any]], list[tuple[str, str]]],
    most: int | None = None,
    today: Day = NOW,
) -> Iterator[Found]:
    """The questions without a time in ``NAME.KIND.jsonl``; each wording is one, or the first ``most``.

    ``places_of`` gives the (document, words) that answer a row. The questions are asked ``today``.
    """
    name = file.name.partition(".")[0]
    with opened(file.with_name(f"{name}.documents.jsonl")) as corpus:
        for row in map(json.loads, file.open()):
            for question in (row["question"], *row["also"])[:most]:
                found = corpus.search(question, as_of=today, strategy="timelens", k=K)
                yield Found(name, places_of(row), parse(question, today), found.pool)


def report(
    asked: Sequence[Found], rows: Sequence[Sequence[Row]], things: str, cutoffs: Sequence[float]
) -> list[list[tuple[float, bool]]]:
    """Print how well a fit tells the ``things`` that answer, on collections left out, and its weights.

    Returns (score, right) of the rows of each question, by a fit to the other collections.
    """
    in_turn = list(left_out_in_turn(asked, rows))
    told = [each for own in in_turn for each in own]
    scores, right = np.array([score for score, _ in told]), np.array([answers for _, answers in told])
    stated = sum(len(one.places) for one in asked)
    precision, error = average_precision_score(right, scores), calibration_error(told)
    print(f"{len(told)} {things}, {stated} places that answer, calibration error {error:.3f}")
    print(f"average precision {precision:.3f}")
    for cut in cutoffs:
        taken = right[scores >= cut]
        share = taken.sum() / max(1, len(taken))
        print(f"  cut {cut:5}: {len(taken)} taken, right {share:.2f}, found {taken.sum() / stated:.2f}")
    print_weights(rows)
    return in_turn


def report_answers(asked: Sequence[Found], in_turn: Sequence[Sequence[tuple[float, bool]]]) -> None:
    """Print how many questions are answered right and wrong by their likeliest row, at several risks.

    ``in_turn`` is the result of :func:`report`. An answer to a question without one is wrong.
    """
    best = [max(own, key=lambda row: row[0]) for own in in_turn if own]
    for risk in (0.3, 0.5, RISK):
        said = [right for score, right in best if probability_of(score) >= 1 - risk]
        right, wrong = sum(said) / len(asked), (len(said) - sum(said)) / len(asked)
        print(f"risk {risk}: of {len(asked)} questions right {100 * right:.1f} %, wrong {100 * wrong:.1f} %")


def parts_in_turn(
    asked: Sequence[Found], rows: Sequence[T]
) -> Iterator[tuple[list[T], list[tuple[Found, T]]]]:
    """For each collection: the ``rows`` of the other collections, and its questions with their own."""
    every = list(zip(asked, rows, strict=True))
    for group in sorted({one.group for one in asked}):
        others = [own for one, own in every if one.group != group]
        yield others, [(one, own) for one, own in every if one.group == group]


def left_out_in_turn(
    asked: Sequence[Found], rows: Sequence[Sequence[Row]]
) -> Iterator[list[tuple[float, bool]]]:
    """For each question (score, right) of its rows, by a fit to the other collections."""
    for others, part in parts_in_turn(asked, rows):
        weights = fit_weights([row for own in others for row in own])
        for _, own in part:
            yield [(score_of(features, weights), right) for features, right in own]


def print_weights(rows: Sequence[Sequence[Row]]) -> None:
    """Print the weights of a fit to all rows, in the format of the package."""
    print(weights_as_code(fit_weights([row for own in rows for row in own])))
