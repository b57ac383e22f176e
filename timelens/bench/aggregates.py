"""Figures over many questions or runs that are no mean of what each question scores. Pure."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, stdev

from timelens.bench.measures import states


class Alignment(StrEnum):
    """How the answer to a question about what is so now stands to the facts (TDBench, Appendix D.2)."""

    CORRECT = "correct"
    OUTDATED = "outdated"
    INCORRECT = "incorrect"


def alignment(said: str, current: Collection[str], past: Collection[str]) -> Alignment:
    """Whether an answer states what is so now, what was so once, or neither.

    An answer that states both is correct: it may tell what changed. Source: TDBench, Appendix D.2, after
    DyKnow (Mousavi et al. 2024).
    """
    if any(states(said, value) for value in current):
        return Alignment.CORRECT
    return Alignment.OUTDATED if any(states(said, value) for value in past) else Alignment.INCORRECT


def hop_hallucination(hops: Sequence[Sequence[bool]]) -> list[float | None]:
    """H_i for i = 1, 2, …: how often hop i + 1 is wrong where hop i is right; lower is better.

    Args:
        hops: for each answer, whether each of its hops is right, in order. Answers may differ in length.

    Returns:
        One figure in 0..1 for each hop but the last of the longest answer; ``None`` where no answer that goes
        on has hop i right. Two hops have H_1 alone. Source: TDBench, Section 4.3.
    """
    longest = max(map(len, hops), default=0)
    rates: list[float | None] = []
    for here in range(longest - 1):
        after = [not answer[here + 1] for answer in hops if len(answer) > here + 1 and answer[here]]
        rates.append(sum(after) / len(after) if after else None)
    return rates


@dataclass(frozen=True, slots=True)
class Correctness:
    """How well labels agree with the right ones, for one label, each in 0..1."""

    precision: float | None
    """``None`` where the label was never given."""
    recall: float | None
    """``None`` where the label is never right."""
    f1: float | None
    """``None`` where neither is defined; 0 where just one is, or both are 0."""
    support: int
    """How often the label is right."""


def correctness(given: Sequence[str], right: Sequence[str]) -> dict[str, Correctness]:
    """Precision, recall and F1 of a verifier's labels against those of people, label by label.

    Source: TDBench, Sections 4.4 and D.2.

    Raises:
        ValueError: there are not as many of one as of the other.
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
    """A figure over several runs (TA-RAG, Section 5: mean and standard deviation of five)."""

    mean: float
    deviation: float | None
    """Standard deviation of a sample (n - 1); ``None`` for a single run."""
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
    """What both have judged."""
    share: float | None
    """Of it, the share on which they agree; ``None`` where there is none."""
    kappa: float | None
    """Cohen's kappa; ``None`` where chance alone would make them agree on everything."""


def agreement(one: Sequence[bool | None], other: Sequence[bool | None]) -> Agreement:
    """Agreement on yes or no, over what neither judge failed on (``None``).

    Source: Cohen 1960, "A coefficient of agreement for nominal scales".

    Raises:
        ValueError: there are not as many of one as of the other.
    """
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if not pairs:
        return Agreement(0, None, None)
    n = len(pairs)
    share = sum(a == b for a, b in pairs) / n
    yes = [sum(pair[side] for pair in pairs) / n for side in (0, 1)]
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return Agreement(n, share, None if math.isclose(chance, 1) else (share - chance) / (1 - chance))
