"""Fits to labelled features: weights of a logistic regression, and scorecards of the package."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from timelens.answer.scorecard import Features, Scorecard

Row = tuple[Features, bool]
"""The features of a candidate, and whether it is right."""

_BINS = 64
"""Most different values of a feature that are told apart; their edges are quantiles."""
_SPLITS, _RATE = 200, 0.06
_LEAST_ROWS = 60
"""Fewest rows on each side of a split."""
_SHRINKAGE = 5.0
_FLAT = 0.1
"""Difference of two neighbouring steps, in log odds, below which they are one."""


def fit_weights(rows: Sequence[Row]) -> dict[str, float]:
    """Fit a logistic regression without intercept; returns its weights."""
    names, values = _matrix(rows)
    model = LogisticRegression(C=1.0, max_iter=2000, fit_intercept=False)
    model.fit(values, [right for _, right in rows])
    return dict(zip(names, map(float, model.coef_[0]), strict=True))


def _matrix(rows: Sequence[Row]) -> tuple[list[str], NDArray[np.float64]]:
    """The names of the features, and their values, shape (rows, features); a missing one is 0."""
    names = sorted({name for features, _ in rows for name in features})
    return names, np.array([[features.get(name, 0.0) for name in names] for features, _ in rows])


def fit_scorecard(rows: Sequence[Row]) -> Scorecard:
    """Fit a scorecard by gradient boosting with trees of one split."""
    names, values = _matrix(rows)
    edges = [_edges(column) for column in values.T]
    binned = np.column_stack(
        [np.searchsorted(each, column, side="right") for each, column in zip(edges, values.T, strict=True)]
    )
    model = HistGradientBoostingClassifier(
        max_depth=1,
        max_iter=_SPLITS,
        learning_rate=_RATE,
        min_samples_leaf=_LEAST_ROWS,
        l2_regularization=_SHRINKAGE,
        early_stopping=False,
    )
    model.fit(binned, [right for _, right in rows])
    lowest = np.zeros((1, len(names)))
    bias = float(model.decision_function(lowest)[0])
    steps = {}
    for index, (name, each) in enumerate(zip(names, edges, strict=True)):
        at_each = np.repeat(lowest, len(each) + 1, axis=0)
        at_each[:, index] = range(len(each) + 1)
        steps[name] = _steps(each.tolist(), (model.decision_function(at_each) - bias).tolist())
    return Scorecard(round(bias, 2), {name: each for name, each in steps.items() if each})


def _edges(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """The edges between the bins of a feature's values: quantiles, without the lowest value."""
    quantiles = np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1]).round(2)
    return np.unique(quantiles[quantiles > column.min()])


def _steps(edges: Sequence[float], weights: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """The steps at which the weight changes; ``weights`` has one more, for values below the first edge."""
    found: list[tuple[float, float]] = []
    for edge, weight in zip(edges, weights[1:], strict=True):
        before = found[-1][1] if found else weights[0]
        if abs(weight - before) > _FLAT:
            found.append((edge, round(weight, 2)))
    return tuple(found)


def weights_as_code(weights: Mapping[str, float], digits: int = 2) -> str:
    """Weights in the format of the package."""
    return "\n".join(f'    "{name}": {weight:.{digits}f},' for name, weight in weights.items())


def scorecard_as_code(card: Scorecard) -> str:
    """A scorecard in the format of the package."""
    lines = (f'        "{name}": {steps},' for name, steps in sorted(card.steps.items()))
    return "\n".join(["Scorecard(", f"    {card.bias},", "    {", *lines, "    },", ")"])
