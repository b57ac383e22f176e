"""Fit how likely it is that a stretch states a value, on collections that the reader was not trained on.

    python scripts/calibrate_values.py

The questions are those of ``scripts/reading/collections/NAME.timelines.jsonl``, in each of their wordings,
over the evidence that is found for them. A logistic regression over the stretches that were read gives the
weights of ``answer/values.py``. What is printed was measured on collections left out of the fit in turn.
"""

import argparse
import json
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibrate_reader import NOW, Fit, Row, calibration_error, fit, is_same, written
from reading_examples import held_out

from timelens.answer.values import candidates
from timelens.api import open_corpus
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion
from timelens.question.parse import parse
from timelens.reader.values import bundled_values_reader

_CUTOFFS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
_K = 10


@dataclass(frozen=True)
class Found:
    """A question without a time, with the evidence that was found for it."""

    group: str
    """The collection, which is left out as a whole."""
    values: Sequence[tuple[str, str]]
    """(document, value) for each place that states one."""
    parsed: ParsedQuestion
    pool: Sequence[Hit]


def found_in(file: Path) -> Iterator[Found]:
    """The questions of a collection, each wording by itself."""
    name = file.name.partition(".")[0]
    with tempfile.TemporaryDirectory() as home:
        corpus = open_corpus(str(Path(home) / name))
        corpus.ingest([written(file.with_name(f"{name}.documents.jsonl"), Path(home))])
        for row in map(json.loads, file.open()):
            values = [(f"{one['document']}.md", one["value"]) for one in row["values"]]
            for question in (row["question"], *row["also"]):
                found = corpus.search(question, as_of=NOW, strategy="timelens", k=_K)
                yield Found(name, values, parse(question, NOW), found.pool)


def rows_of(one: Found) -> list[Row]:
    """The stretches that were read for a question, and whether each is a value where it stands."""
    texts = [hit for hit in one.pool if hit.chunk.fact is None]
    return [
        (
            features,
            any(
                said.hit.chunk.document_id.endswith(document) and is_same(said.value, value)
                for document, value in one.values
            ),
        )
        for said, features in candidates(one.parsed, texts)
    ]


def report(told: Sequence[tuple[float, bool]], stated: int) -> None:
    """Print how well scores are calibrated, and what share of the values is found at several cutoffs."""
    expected = calibration_error(told)
    print(f"{len(told)} stretches, {stated} places that state a value, calibration error {expected:.3f}")
    for cut in _CUTOFFS:
        taken = [right for score, right in told if score >= cut]
        right = sum(taken) / max(1, len(taken))
        print(f"  cut {cut:5}: {len(taken)} taken, right {right:.2f}, found {sum(taken) / stated:.2f}")


def main() -> None:
    """Read, fit and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--collections", type=Path, default=Path(__file__).parent / "reading" / "collections")
    parser.add_argument("--cache", type=Path, default=Path("build/values.pickle"), help="the evidence")
    arguments = parser.parse_args()
    if not arguments.cache.exists():
        files = sorted(arguments.collections.glob("*.timelines.jsonl"))
        left_out = [file for file in files if held_out(file.name.partition(".")[0], 5)]
        found = [one for file in left_out for one in found_in(file)]
        arguments.cache.parent.mkdir(parents=True, exist_ok=True)
        arguments.cache.write_bytes(pickle.dumps(found))
    bundled_values_reader().warm()
    asked: list[Found] = pickle.loads(arguments.cache.read_bytes())
    rows = {number: rows_of(one) for number, one in enumerate(asked)}
    told: list[tuple[float, bool]] = []
    for group in sorted({one.group for one in asked}):
        others = [row for i, one in enumerate(asked) if one.group != group for row in rows[i]]
        model = fit(others)
        for i, one in enumerate(asked):
            if one.group == group:
                told += [(model.score(features), right) for features, right in rows[i]]
    report(told, sum(len(one.values) for one in asked))
    model: Fit = fit([row for each in rows.values() for row in each])
    for name, weight in zip(model.names, model.weights, strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
