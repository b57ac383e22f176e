"""Train the model that distinguishes years from other numbers (``timelens/temporal/year_model.py``).

    python scripts/train_years.py FOLDER --out timelens/temporal/year_model.json

``FOLDER`` holds ``timeqa``, ``timeqa_templates``, ``tempreason``, ``infobox_qa``, ``wikiwars``, ``fomc``,
``reading`` (SQuAD), ``recencyqa``, ``recognizers_datetime`` and ``duckling_time_en``; the texts and
questions of ``scripts/reading`` were written for the reader. Numbers in these texts are labelled as years,
except at the places listed in ``scripts/years/figures.jsonl``. In ``scripts/years/sentences`` each is
labelled by itself. Further sentences are generated from ``scripts/years/frames.txt`` and ``words.txt``. A
tenth of the documents, sentences, frames and words is held out by a hash of their names, never trained on,
and scored at the end. It takes a minute.
"""

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from feature_matrix import index_of, matrix_of
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from year_examples import Example, divided, is_held_out, kind_of, made, read, written

from timelens.temporal.false_positives import LEAST_ODDS
from timelens.temporal.year_model import features

_FEWEST = 3
"""Minimum number of documents or frames in which a feature must occur."""
_SMALLEST = 0.12
"""Weights below are left out: they are most, and change little."""


def main() -> None:
    """Train, print the results on the held-out part, write the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--sentences", type=int, default=120, help="made of each frame")
    parser.add_argument("--strength", type=float, default=1.0, help="inverse of the L2 penalty")
    parser.add_argument(
        "--without", default="", help="kinds of frames to leave out of training and score, by commas"
    )
    parser.add_argument("--list", action="store_true", help="print what is judged otherwise than its label")
    options = parser.parse_args()
    examples = [
        *read(options.folder),
        *written(),
        *made(random.Random(options.seed), options.sentences),
    ]
    train, held_out = divided(examples, options.without)
    weights = fitted(train, options.strength, options.seed)
    print(f"{len(train)} examples, {len(weights)} weights")
    report("train", train, weights)
    report("held out", held_out, weights, by_kind=True)
    if options.list:
        listed(examples, weights)
    options.out.write_text(json.dumps(weights, ensure_ascii=False, separators=(",", ":"), indent=0) + "\n")


def fitted(train: Sequence[Example], strength: float, seed: int) -> dict[str, float]:
    """The rounded weights of features, without those below ``_SMALLEST``."""
    found = [features(e.text, e.start, e.end) for e in train]
    index = index_of(found, [e.group for e in train], _FEWEST)
    matrix = matrix_of(found, index)
    labels: NDArray[np.bool_] = np.array([e.is_year for e in train])
    sizes: dict[tuple[str, bool], int] = defaultdict(int)
    for e in train:
        sizes[e.group, e.is_year] += 1
    # frequent examples of one document or frame count by the square root of their number
    scale = np.array([e.weight / math.sqrt(sizes[e.group, e.is_year]) for e in train])
    model = LogisticRegression(
        l1_ratio=0, C=strength, solver="liblinear", random_state=seed, fit_intercept=False, max_iter=300
    )
    model.fit(matrix, labels, sample_weight=scale)
    return {name: round(float(w), 2) for name, i in index.items() if abs(w := model.coef_[0, i]) >= _SMALLEST}


def odds(example: Example, weights: Mapping[str, float]) -> float:
    """The model's log odds for a year."""
    return sum(weights.get(name, 0.0) for name in features(example.text, example.start, example.end))


def report(
    title: str, examples: Sequence[Example], weights: Mapping[str, float], *, by_kind: bool = False
) -> None:
    """Print the shares of years found and of figures taken for years at several log odds; errors by kind."""
    scores = np.array([odds(e, weights) for e in examples])
    labels = np.array([e.is_year for e in examples])
    real = np.array([e.group[0] not in "+-" for e in examples])
    for threshold in (-1.0, 0.0, 0.5, 0.8, 1.1, 1.5):
        said = scores > threshold
        print(
            f"{title}, above {threshold:+.1f}: years found in real texts {rate(said[labels & real])},"
            f" in made ones {rate(said[labels & ~real])}; figures taken for years in real texts"
            f" {rate(said[~labels & real])}, in made ones {rate(said[~labels & ~real])}"
        )
    if by_kind:
        wrong: dict[str, list[bool]] = defaultdict(list)
        for example, score in zip(examples, scores, strict=True):
            wrong[f"{kind_of(example)} {'years' if example.is_year else 'figures'}"].append(
                (score > LEAST_ODDS) != example.is_year
            )
        for kind, faults in sorted(wrong.items()):
            print(f"  {kind}: {sum(faults)} wrong of {len(faults)}")


def rate(values: NDArray[np.bool_]) -> str:
    """A share in per cent, with its total."""
    return f"{100 * values.mean():.2f} % of {len(values)}" if len(values) else "none"


def listed(examples: Sequence[Example], weights: Mapping[str, float]) -> None:
    """Print the misjudged numbers: their count for each document or frame, and one example."""
    faults: dict[str, list[str]] = defaultdict(list)
    for example in examples:
        score = odds(example, weights)
        if (score > LEAST_ODDS) != example.is_year:
            left = example.text[max(0, example.start - 50) : example.start]
            right = example.text[example.end : example.end + 40]
            number = example.text[example.start : example.end]
            faults[example.group].append(f"{score:+.1f} {example.start} {left!r} [{number}] {right!r}")
    for group, found in sorted(faults.items(), key=lambda item: -len(item[1])):
        print(f"{'held out ' if is_held_out(group) else ''}{group!r}: {len(found)}, {found[0]}")


if __name__ == "__main__":
    main()
