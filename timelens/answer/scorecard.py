"""Probabilities of candidates from their features: weighted sums and scorecards. Pure."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Features = dict[str, float]

_FURTHEST = 50.0
"""Limit of the log odds, to avoid an overflow."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """An additive model of log odds: each feature adds the weight of the highest step that it reaches.

    Fitted by ``scripts/fits.py``: gradient boosting (Friedman 2001) with trees of one split.
    """

    bias: float
    """The log odds of a candidate whose features reach no step."""
    steps: Mapping[str, Sequence[tuple[float, float]]]
    """By feature, pairs of the least value of a step and its weight, ascending; below the first it adds 0."""

    def score(self, features: Features) -> float:
        """The log odds for features; one that is missing has the value 0."""
        return self.bias + sum(_weight(steps, features.get(name, 0.0)) for name, steps in self.steps.items())


def _weight(steps: Sequence[tuple[float, float]], value: float) -> float:
    reached = bisect_right(steps, value, key=lambda step: step[0])
    return steps[reached - 1][1] if reached else 0.0


def score_of(features: Features, weights: Mapping[str, float]) -> float:
    """The weighted sum of features, in log odds."""
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


def log_odds_of(probability: float) -> float:
    """The log odds of a probability, 0..1, within the limit of :func:`probability_of`."""
    if not 0 < probability < 1:
        return _FURTHEST if probability else -_FURTHEST
    return math.log(probability) - math.log1p(-probability)


def probability_of(score: float) -> float:
    """The probability, 0..1, for log odds."""
    return 1 / (1 + math.exp(-max(-_FURTHEST, min(_FURTHEST, score))))
