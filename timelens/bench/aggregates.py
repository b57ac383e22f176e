"""Aggregates over many questions or runs that are not per-question means. Pure."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, stdev

from timelens.bench.measures import states


class Alignment(StrEnum):
    """How the answer to a question about the present agrees with the facts (TDBench, Appendix D.2)."""

    CORRECT = "correct"
    OUTDATED = "outdated"
    INCORRECT = "incorrect"


def alignment(said: str, current: Collection[str], past: Collection[str]) -> Alignment:
    """Whether an answer states a current value, only a past value, or neither.

    An answer that states both is correct: it may tell what changed. Source: TDBench, Appendix D.2, after
    DyKnow (Mousavi et al. 2024).
    """
    if any(states(said, value) for value in current):
        return Alignment.CORRECT
    return Alignment.OUTDATED if any(states(said, value) for value in past) else Alignment.INCORRECT


def hop_hallucination(hops: Sequence[Sequence[bool]]) -> list[float | None]:
    """H_i for i = 1, 2, …: the share of wrong hops i + 1 among answers whose hop i is right; lower is better.

    Args:
        hops: for each answer, whether each of its hops is right, in order. Answers may differ in length.

    Returns:
        One figure in 0..1 for each hop of the longest answer except the last; ``None`` if no answer with a
        hop i + 1 has hop i right. Two hops have only H_1. Source: TDBench, Section 4.3.
    """
    longest = max(map(len, hops), default=0)
    rates: list[float | None] = []
    for here in range(longest - 1):
        after = [not answer[here + 1] for answer in hops if len(answer) > here + 1 and answer[here]]
        rates.append(sum(after) / len(after) if after else None)
    return rates


@dataclass(frozen=True, slots=True)
class Correctness:
    """Precision, recall and F1 of one label, each in 0..1."""

    precision: float | None
    """``None`` if the label was never given."""
    recall: float | None
    """``None`` if the label is never right."""
    f1: float | None
    """``None`` if precision and recall are both undefined; 0 if only one is defined or both are 0."""
    support: int
    """How often the label is right."""


def correctness(given: Sequence[str], right: Sequence[str]) -> dict[str, Correctness]:
    """Precision, recall and F1 of a verifier's labels against those of people, label by label.

    Source: TDBench, Sections 4.4 and D.2.

    Raises:
        ValueError: the two sequences differ in length.
    """
    pairs = list(zip(given, right, strict=True))
    return {label: _of_label(label, pairs) for label in sorted({*given, *right})}


def _of_label(label: str, pairs: Sequence[tuple[str, str]]) -> Correctness:
    hits = sum(given == right == label for given, right in pairs)
    said, true = (sum(pair[side] == label for pair in pairs) for side in (0, 1))
    return Correctness(
        precision=hits / said if said else None,
        recall=hits / true if true else None,
        f1=2 * hits / (said + true) if said + true else None,
        support=true,
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over several runs (TA-RAG, Section 5: mean and standard deviation of five runs)."""

    mean: float
    deviation: float | None
    """Sample standard deviation (n - 1); ``None`` for a single run."""
    runs: int


def spread(values: Sequence[float]) -> Spread:
    """Mean and standard deviation over runs.

    Raises:
        ValueError: there is no run.
    """
    if not values:
        raise ValueError("a mean needs at least one run")
    return Spread(fmean(values), stdev(values) if len(values) > 1 else None, len(values))


def spreads(runs: Sequence[Mapping[str, float | None]]) -> dict[str, Spread]:
    """The spread of each metric that every run has."""
    names = runs[0] if runs else {}
    found: dict[str, Spread] = {}
    for name in names:
        values = [value for run in runs if (value := run.get(name)) is not None]
        if len(values) == len(runs):
            found[name] = spread(values)
    return found


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two judges give the same labels."""

    judged: int
    """The number of items that both judged."""
    share: float | None
    """The share of these on which they agree; ``None`` if there are none."""
    kappa: float | None
    """Cohen's kappa; ``None`` if chance alone would make them agree on everything."""


def agreement(one: Sequence[bool | None], other: Sequence[bool | None]) -> Agreement:
    """Agreement of yes-or-no labels, over the items on which neither judge failed (``None``).

    Source: Cohen 1960, "A coefficient of agreement for nominal scales".

    Raises:
        ValueError: the two sequences differ in length.
    """
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if not pairs:
        return Agreement(0, None, None)
    n = len(pairs)
    share = sum(a == b for a, b in pairs) / n
    yes = [sum(pair[side] for pair in pairs) / n for side in (0, 1)]
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return Agreement(n, share, None if math.isclose(chance, 1) else (share - chance) / (1 - chance))
