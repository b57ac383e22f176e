"""Differences between runs, against what scipy makes of the same figures."""

import random

import numpy as np
import pytest
from scipy import stats

from timelens.bench.statistics import Difference, differences

Run = dict[str, dict[str, float]]


def runs(count: int, gain: float, seed: int = 7) -> tuple[Run, Run]:
    """Two runs over the same questions, the second better by about ``gain``."""
    chance = random.Random(seed)
    first = {f"q{number}": {"nDCG@10": chance.random()} for number in range(count)}
    second = {
        name: {"nDCG@10": scores["nDCG@10"] + chance.gauss(gain, 0.2)} for name, scores in first.items()
    }
    return first, second


@pytest.mark.parametrize("gain", [0.0, 0.02, 0.06])
def test_interval_and_p_are_those_of_scipy(gain: float) -> None:
    first, second = runs(150, gain)
    found = differences(first, second)["nDCG@10"]
    values = np.array([second[name]["nDCG@10"] - first[name]["nDCG@10"] for name in first])
    rng = np.random.default_rng(11)
    interval = stats.bootstrap((values,), np.mean, method="percentile", rng=rng).confidence_interval
    p = stats.permutation_test((values,), np.mean, permutation_type="samples", rng=rng).pvalue
    assert found.mean == pytest.approx(100 * values.mean(), abs=0.001)
    assert (found.low, found.high) == pytest.approx((100 * interval.low, 100 * interval.high), abs=0.25)
    assert found.p == pytest.approx(p, abs=0.02)
    assert found.n == 150


def test_the_same_runs_give_the_same_figures_each_time() -> None:
    first, second = runs(40, 0.05)
    assert differences(first, second) == differences(first, second)


def test_a_run_does_not_differ_from_itself() -> None:
    first, _ = runs(40, 0.0)
    assert differences(first, first) == {"nDCG@10": Difference(0.0, 0.0, 0.0, 1.0, 40)}


def test_the_other_way_round_is_the_opposite() -> None:
    first, second = runs(60, 0.05)
    there, back = differences(first, second)["nDCG@10"], differences(second, first)["nDCG@10"]
    assert (back.mean, back.p) == (-there.mean, there.p)


def test_a_question_counts_where_both_runs_define_the_measure() -> None:
    first: Run = {"a": {"EM": 1.0, "RR": 0.5}, "b": {"EM": 0.0}, "c": {"EM": 1.0}, "only": {"RR": 1.0}}
    second: Run = {"a": {"EM": 1.0, "RR": 1.0}, "b": {"EM": 1.0, "RR": 1.0}, "other": {"EM": 1.0}}
    found = differences(first, second)
    assert {name: (one.mean, one.n) for name, one in found.items()} == {"EM": (50.0, 2), "RR": (50.0, 1)}


def test_runs_without_a_question_in_common_have_no_difference() -> None:
    assert differences({"a": {"EM": 1.0}}, {"b": {"EM": 1.0}}) == {}


def test_one_question_shows_nothing() -> None:
    [one] = differences({"a": {"EM": 0.0}}, {"a": {"EM": 1.0}}).values()
    assert (one.mean, one.p, one.n) == (100.0, 1.0, 1)


def test_many_questions_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from timelens.bench import statistics

    first, second = runs(30, 0.1)
    whole = differences(first, second)
    monkeypatch.setattr(statistics, "_AT_ONCE", 70)
    assert differences(first, second)["nDCG@10"].mean == whole["nDCG@10"].mean
    assert differences(first, second)["nDCG@10"].p == pytest.approx(whole["nDCG@10"].p, abs=0.02)
