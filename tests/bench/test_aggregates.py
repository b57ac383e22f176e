"""Figures over many questions or runs, on cases worked by hand."""

import math

import pytest

from timelens.bench.aggregates import (
    Agreement,
    Alignment,
    Correctness,
    Spread,
    agreement,
    alignment,
    correctness,
    hop_hallucination,
    spread,
    spreads,
)


@pytest.mark.parametrize(
    ("hops", "rates"),
    [
        ([], []),
        ([[True], [False]], []),
        ([[True, True], [True, False], [False, True]], [0.5]),
        ([[False, False], [False, True]], [None]),
        ([[True, True, True], [True, True, False], [True, False, False]], [1 / 3, 1 / 2]),
        ([[True, True, True]] * 3, [0, 0]),
        ([[True, False], [True, True, False]], [1 / 2, 1]),
    ],
)
def test_hop_hallucination(hops: list[list[bool]], rates: list[float | None]) -> None:
    assert hop_hallucination(hops) == [None if rate is None else pytest.approx(rate) for rate in rates]


@pytest.mark.parametrize(
    ("said", "is_"),
    [
        ("It is Anna Berg.", Alignment.CORRECT),
        ("Sten Holm", Alignment.OUTDATED),
        ("Anna Berg, who followed Sten Holm", Alignment.CORRECT),
        ("Bergman", Alignment.INCORRECT),
        ("", Alignment.INCORRECT),
    ],
)
def test_alignment(said: str, is_: Alignment) -> None:
    assert alignment(said, ["Anna Berg"], ["Sten Holm", "Ada Lund"]) is is_
    assert alignment(said, [], []) is Alignment.INCORRECT


def test_correctness_of_a_verifier() -> None:
    given = ["yes", "yes", "yes", "no", "no", "never right"]
    right = ["yes", "yes", "no", "yes", "no", "never given"]
    found = correctness(given, right)
    assert found["yes"] == Correctness(2 / 3, 2 / 3, 4 / 6, 3)
    assert found["no"] == Correctness(1 / 2, 1 / 2, 1 / 2, 2)
    assert found["never right"] == Correctness(0, None, 0, 0)
    assert found["never given"] == Correctness(None, 0, 0, 1)
    assert correctness([], []) == {}
    assert correctness(["a"], ["a"]) == {"a": Correctness(1, 1, 1, 1)}
    with pytest.raises(ValueError, match="zip"):
        correctness(["a"], [])


def test_mean_and_standard_deviation_of_runs() -> None:
    assert spread([71.0, 73.0]) == Spread(72.0, math.sqrt(2), 2)
    assert spread([5.0] * 5) == Spread(5.0, 0.0, 5)
    assert spread([5.0]) == Spread(5.0, None, 1)
    with pytest.raises(ValueError, match="at least one"):
        spread([])
    runs: list[dict[str, float | None]] = [{"A": 1.0, "EM": None, "F1": 2.0}, {"A": 3.0, "EM": 1.0}]
    assert list(spreads(runs)) == ["A"]
    assert spreads([]) == {}


@pytest.mark.parametrize(
    ("one", "other", "share", "kappa"),
    [
        ([True, False, True, False], [True, False, True, False], 1, 1),
        ([True, False, True, False], [False, True, False, True], 0, -1),
        ([True, True, False, False], [True, False, True, False], 1 / 2, 0),
        ([True, True, True, False], [True, True, False, False], 3 / 4, 1 / 2),
        ([True, True], [True, True], 1, None),
        ([True, None, False], [True, True, None], 1, None),
    ],
)
def test_agreement_of_judges(
    one: list[bool | None], other: list[bool | None], share: float, kappa: float | None
) -> None:
    found = agreement(one, other)
    assert found.share == share
    assert found.kappa == (None if kappa is None else pytest.approx(kappa))


def test_agreement_over_nothing_is_undefined() -> None:
    assert agreement([], []) == agreement([None], [True]) == Agreement(0, None, None)
