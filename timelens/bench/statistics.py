"""Tests of differences between two runs: paired bootstrap and paired randomisation. Pure and seeded."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLES = 10_000
_SEED = 0
_AT_ONCE = 1_000_000
"""Maximum number of draws held in memory."""

Scored = Mapping[str, Mapping[str, float]]
"""Scores in 0..1 by question id, then by measure."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two runs on the questions that both answered, in percentage points."""

    mean: float
    low: float
    high: float
    """Bounds of the 95 % interval, by the percentile bootstrap over the questions."""
    p: float
    """Probability, by chance alone, of a difference at least as large, of either sign."""
    n: int
    """Number of questions that both answered and that define the measure."""


def differences(first: Scored, second: Scored) -> dict[str, Difference]:
    """For each measure, ``second`` minus ``first`` over the questions scored in both, paired by id."""
    common = [name for name in first if name in second]
    measures = dict.fromkeys(measure for name in common for measure in first[name])
    alike: dict[tuple[str, ...], list[str]] = {}
    for measure in measures:
        asked = tuple(name for name in common if measure in first[name] and measure in second[name])
        if asked:
            alike.setdefault(asked, []).append(measure)
    found: dict[str, Difference] = {}
    for asked, names in alike.items():
        rows = [[second[name][measure] - first[name][measure] for measure in names] for name in asked]
        found |= zip(names, _of_columns(rows), strict=True)
    return {measure: found[measure] for measure in measures if measure in found}


def _of_columns(rows: list[list[float]]) -> Iterator[Difference]:
    import numpy as np

    values = 100 * np.asarray(rows)
    means = values.mean(axis=0)
    low, high = np.percentile(bootstrap_means(values), [2.5, 97.5], axis=0)
    p = randomisation_p(values)
    for column in np.stack([means, low, high, p], axis=1).tolist():
        mean, least, most, chance = column
        yield Difference(round(mean, 3), round(least, 3), round(most, 3), round(chance, 4), len(rows))


def bootstrap_means(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Means of bootstrap samples of the questions, drawn with replacement.

    Args:
        values: a row for each question, a column for each measure; shape (n, m), n at least 1.

    Returns:
        Shape (:data:`SAMPLES`, m). The seed is fixed, and all columns share the draws.

    Source: Efron and Tibshirani 1993, the percentile interval.
    """
    import numpy as np

    count = len(values)
    chance = np.random.default_rng(_SEED)
    means = []
    for samples in _batches(count):
        drawn = chance.integers(count, size=(samples, count)) + count * np.arange(samples)[:, None]
        times = np.bincount(drawn.ravel(), minlength=samples * count).reshape(samples, count)
        means.append(times @ values / count)
    return np.concatenate(means)


def randomisation_p(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Two-sided p of a mean difference of 0, by swapping the runs at random question by question.

    Args:
        values: differences, a row for each question, a column for each measure; shape (n, m), n at least 1.

    Returns:
        Shape (m,): the share of swaps whose mean is at least as far from 0. The observed mean is counted as
        one of them, so that p is never 0 (Phipson and Smyth 2010). The seed is fixed.

    Source: Smucker, Allan and Carterette 2007, the randomisation test for paired rankings.
    """
    import numpy as np

    count = len(values)
    chance = np.random.default_rng(_SEED)
    observed = np.abs(values.mean(axis=0))
    as_far = np.ones_like(observed)
    for samples in _batches(count):
        signs = 2.0 * chance.integers(2, size=(samples, count), dtype=np.int8) - 1.0
        as_far += (np.abs(signs @ values / count) >= observed - 1e-9).sum(axis=0)
    p: NDArray[np.float64] = as_far / (SAMPLES + 1)
    return p


def _batches(count: int) -> Iterator[int]:
    size = max(1, _AT_ONCE // count)
    for start in range(0, SAMPLES, size):
        yield min(size, SAMPLES - start)
