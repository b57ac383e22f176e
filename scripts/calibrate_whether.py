"""Fit how likely a sentence tells yes or no, on collections that the reader was not trained on.

    python scripts/calibrate_whether.py

The questions are those of yes or no of ``scripts/reading/collections``, in each of their wordings, over the
evidence that is found for them; every fifth is asked once more over evidence without the documents that tell.
A logistic regression over the sentences that were read gives the weights of ``answer/whether.py``. What is
printed was measured on collections left out of the fit in turn.
"""

import argparse
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from calibrate_reader import NOW, Fit, Row, calibration_error, fit, written
from reading_examples import held_out, questions_of

from timelens.answer.whether import candidates
from timelens.api import open_corpus
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion
from timelens.question.parse import parse
from timelens.reader.whether import bundled_whether_reader

_CUTOFFS = (0.2, 0.3, 0.43, 0.5, 0.6, 0.7)
_K = 10
_ABSENT = 5
"""One in so many questions is asked without what tells, too."""


@dataclass(frozen=True)
class Found:
    """A question of yes or no with the evidence that was found for it."""

    group: str
    """The collection, which is left out as a whole."""
    telling: Sequence[tuple[str, str]]
    """(document, words) for each place that tells; none where that was left out of the evidence."""
    parsed: ParsedQuestion
    pool: Sequence[Hit]


def found_in(file: Path) -> Iterator[Found]:
    """The questions about the documents of ``file``, each wording by itself."""
    name = file.name.partition(".")[0]
    with tempfile.TemporaryDirectory() as home:
        corpus = open_corpus(str(Path(home) / name))
        corpus.ingest([written(file, Path(home))])
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
    """The sentences that were read for a question about one time, and whether each tells."""
    if len(one.parsed.periods) > 1:
        return []
    texts = [hit for hit in one.pool if hit.chunk.fact is None]
    return [
        (
            features,
            any(
                pick.hit.chunk.document_id.endswith(document) and _overlap(pick.hit.said, words)
                for document, words in one.telling
            ),
        )
        for pick, features in candidates(one.parsed, texts)
    ]


def _overlap(sentence: str, words: str) -> bool:
    sentence, words = (" ".join(text.split()) for text in (sentence, words))
    return sentence in words or words in sentence


def report(told: Sequence[tuple[float, bool]]) -> None:
    """Print how the likeliest sentence of each question divides right from wrong, at several cutoffs."""
    expected = calibration_error(told)
    print(f"{len(told)} questions, calibration error {expected:.3f}")
    for cut in _CUTOFFS:
        taken = [right for score, right in told if 1 / (1 + np.exp(-score)) >= cut]
        print(f"  at {cut}: {len(taken)} told, right {sum(taken) / max(1, len(taken)):.2f}")


def main() -> None:
    """Read, fit and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--collections", type=Path, default=Path(__file__).parent / "reading" / "collections")
    parser.add_argument("--cache", type=Path, default=Path("build/whether.pickle"), help="the evidence")
    arguments = parser.parse_args()
    if not arguments.cache.exists():
        files = sorted(arguments.collections.glob("*.documents.jsonl"))
        left_out = [file for file in files if held_out(file.name.partition(".")[0], 5)]
        arguments.cache.parent.mkdir(parents=True, exist_ok=True)
        arguments.cache.write_bytes(pickle.dumps([one for file in left_out for one in found_in(file)]))
    bundled_whether_reader().warm()
    asked: list[Found] = pickle.loads(arguments.cache.read_bytes())
    rows = {number: rows_of(one) for number, one in enumerate(asked)}
    told: list[tuple[float, bool]] = []
    for group in sorted({one.group for one in asked}):
        model = fit([row for i, one in enumerate(asked) if one.group != group for row in rows[i]])
        for i, one in enumerate(asked):
            if one.group == group and rows[i]:
                told.append(max((model.score(features), right) for features, right in rows[i]))
    report(told)
    model: Fit = fit([row for each in rows.values() for row in each])
    for name, weight in zip(model.names, model.weights, strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
