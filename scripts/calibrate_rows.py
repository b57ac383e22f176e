"""Fit the probability that the rows and the column found in a table are those that a question means.

    python scripts/calibrate_rows.py

prints the weights of ``timelens/answer/tables/linking.py``. The questions are those over the folders of
``scripts/reading/tables`` that ``train_rows.py`` holds out, each in one wording; it is also asked over the
tables of another folder, where nothing is right. Each folder is left out in turn for the figures.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from calibrate_reader import calibration_error
from fits import Row, fit_weights, weights_as_code
from measure_rows import Rows, are_right_rows, asked_of, held_out_folders, is_right_column

from timelens.answer.scorecard import probability_of, score_of
from timelens.answer.tables.linking import find_kind
from timelens.config import EmbedderSettings
from timelens.embedding import Embedder, load_embedder
from timelens.reader.row_reader import bundled_row_reader


def rows_of(folder: Path, other: Path, embedder: Embedder) -> Iterator[Row]:
    """The features of what is found for each question, over its own tables and over another folder's."""
    own, others = Rows(folder, embedder), Rows(other, embedder)
    for row, parsed in asked_of(folder):
        for rows in (own, others):
            hits = rows.of(parsed)
            kind = find_kind(parsed, hits)
            if kind is not None:
                is_right = rows is own and row["table"] is not None and are_right_rows(row, kind, hits)
                yield kind.features, is_right and is_right_column(row, kind)


def main() -> None:
    """Fit, print figures and weights."""
    folders = held_out_folders()
    rng = random.Random(17)
    embedder = load_embedder(EmbedderSettings())
    bundled_row_reader().warm()
    found = {
        folder: list(rows_of(folder, rng.choice([one for one in folders if one != folder]), embedder))
        for folder in folders
    }
    told: list[tuple[float, bool]] = []
    for folder in folders:
        weights = fit_weights([row for other in folders if other != folder for row in found[other]])
        told += [(score_of(features, weights), right) for features, right in found[folder]]
    values, right = (np.array(each) for each in zip(*((probability_of(s), r) for s, r in told), strict=True))
    print(f"{len(told)} questions, {right.sum()} found rightly")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        taken = values >= least
        print(f"from {least}: {taken.sum()} taken, {100 * right[taken].mean():.1f} % of them right")
    print(f"expected calibration error {calibration_error(told):.3f}")
    print(weights_as_code(fit_weights([row for rows in found.values() for row in rows])))


if __name__ == "__main__":
    main()
