"""TP, TR, TC and nDCG|FC: TEMPO's golden cases, an edge matrix, each written again by brute force."""

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timelens.bench.measures import Judged, Judgement, Outcome
from timelens.bench.scorer import Scorer
from timelens.bench.suite_data import Gold
from timelens.bench.temporal_measures import (
    at_full_coverage,
    temporal_coverage,
    temporal_precision,
    temporal_relevance,
    temporal_relevance_of_returned,
)

NOTHING_KNOWN = Gold({})
Row = tuple[bool, ...] | None  # relevant, then each period; None where the judge failed


def judged(rows: Sequence[Row], periods: int = 0) -> Outcome:
    verdicts = tuple(None if row is None else Judgement(row[0], row[1:]) for row in rows)
    return Outcome((), (), judged=Judged(verdicts, periods))


def verdicts(*relevant: int) -> Outcome:
    return judged([(bool(each),) for each in relevant])


@pytest.mark.parametrize(
    ("found", "precision"),
    [((1, 0, 0, 0, 0), 1.0), ((0, 0, 0, 0, 1), 0.2), ((1, 1, 0, 0, 0), 1.0)],
)
def test_temporal_precision_of_tempo_table_13(found: tuple[int, ...], precision: float) -> None:
    assert temporal_precision(5).score(verdicts(*found), NOTHING_KNOWN) == pytest.approx(precision)


@pytest.mark.parametrize(
    ("covered", "coverage"),
    [((True, False), 0.5), ((False, True), 0.5), ((True, True), 1.0), ((False, False), 0.0)],
)
def test_temporal_coverage_of_tempo_table_12(covered: tuple[bool, bool], coverage: float) -> None:
    assert temporal_coverage(10).score(judged([(True, *covered)], 2), NOTHING_KNOWN) == coverage


def test_two_documents_cover_together_and_any_number_of_periods_counts() -> None:
    outcome = judged([(True, True, False, False), (True, False, False, True), (False, False, True, False)], 3)
    scores = [temporal_coverage(k).score(outcome, NOTHING_KNOWN) for k in (1, 2, 3)]
    assert scores == [pytest.approx(1 / 3), pytest.approx(2 / 3), 1]


@pytest.mark.parametrize(
    ("case", "outcome", "tp", "tr", "returned"),
    [
        ("not judged", Outcome((), ()), None, None, None),
        ("nothing found", verdicts(), 0, 0, 0),
        ("none relevant", verdicts(0, 0, 0), 0, 0, 0),
        ("all relevant", verdicts(1, 1, 1), 1, 1, 1),
        ("fewer than k", verdicts(0, 1), 1 / 2, 1 / 3, 1 / 2),
        ("relevant beyond k alone", verdicts(0, 0, 0, 1), 0, 0, 0),
        ("one in the middle and one last", verdicts(0, 1, 1), (1 / 2 + 2 / 3) / 2, 2 / 3, 2 / 3),
        ("the judge failed inside k", judged([(True,), None, (True,)]), None, None, None),
        ("the judge failed beyond k", judged([(True,), (False,), (True,), None]), 5 / 6, 2 / 3, 2 / 3),
    ],
)
def test_precision_and_relevance_at_3(
    case: str, outcome: Outcome, tp: float | None, tr: float | None, returned: float | None
) -> None:
    measures = (temporal_precision(3), temporal_relevance(3), temporal_relevance_of_returned(3))
    for measure, wanted in zip(measures, (tp, tr, returned), strict=True):
        score = measure.score(outcome, NOTHING_KNOWN)
        assert score == (None if wanted is None else pytest.approx(wanted)), (case, measure.name)


@pytest.mark.parametrize(
    ("case", "outcome", "coverage"),
    [
        ("not judged", Outcome((), ()), None),
        ("one period is enough", verdicts(1, 1), None),
        ("nothing found", judged([], 2), 0),
        ("covered beyond k alone", judged([(True, True, False)] * 2 + [(True, False, True)], 2), 0.5),
        ("failed, and a period is open", judged([None, (True, True, False)], 2), None),
        ("failed, and all is covered anyway", judged([None, (True, True, True)], 2), 1),
        ("covered but not relevant", judged([(False, True, True)], 2), 1),
    ],
)
def test_coverage_at_2(case: str, outcome: Outcome, coverage: float | None) -> None:
    assert temporal_coverage(2).score(outcome, NOTHING_KNOWN) == coverage, case


@pytest.mark.parametrize(
    ("scores", "conditioned"),
    [
        ({"TC@5": 1.0, "nDCG@5": 0.25}, {"nDCG|FC@5": 0.25}),
        ({"TC@5": 1.0, "nDCG@5": 0.0}, {"nDCG|FC@5": 0.0}),
        ({"TC@5": 0.5, "nDCG@5": 0.25}, {}),
        ({"nDCG@5": 0.25}, {}),
        ({"TC@5": 1.0}, {}),
        ({"TC@10": 1.0, "nDCG@5": 0.25}, {}),
    ],
)
def test_ndcg_at_full_coverage(scores: dict[str, float], conditioned: dict[str, float]) -> None:
    assert at_full_coverage(scores, 5) == conditioned


def test_all_of_them_come_out_of_the_scorer() -> None:
    outcome = judged([(True, True, False), (False, False, True)], 2)
    known = Outcome(("a", "b"), (), judged=outcome.judged)
    scores = Scorer([1, 2]).scores_of(known, Gold({"a": 1}))
    assert scores["TC@1"] == 0.5
    assert "nDCG|FC@1" not in scores
    assert (scores["TC@2"], scores["nDCG|FC@2"], scores["TP@2"], scores["TR@2"]) == (1, 1, 1, 0.5)
    assert set(scores) <= set(Scorer([1, 2]).names)
    assert not {"TP@1", "TR@1", "TC@1"} & Scorer([1]).scores_of(Outcome(("a",), ()), Gold({"a": 1})).keys()


def precision_by_brute_force(found: Sequence[bool], k: int) -> float:
    total = count = 0.0
    for r in range(1, k + 1):
        if r <= len(found) and found[r - 1]:
            before = 0
            for j in range(1, r + 1):
                before += 1 if found[j - 1] else 0
            total += before / r
            count += 1
    return total / count if count else 0.0


def coverage_by_brute_force(rows: Sequence[tuple[bool, ...]], periods: int, k: int) -> float:
    total = 0
    for m in range(periods):
        best = 0
        for i in range(min(k, len(rows))):
            best = max(best, int(rows[i][1 + m]))
        total += best
    return total / periods


def ranking(random: Random) -> tuple[list[tuple[bool, ...]], int, int]:
    """Up to 12 judged documents over up to four periods, and a cut-off."""
    periods, length, k = random.randint(1, 4), random.randint(0, 12), random.randint(1, 15)
    rows = [tuple(random.random() < 0.4 for _ in range(periods + 1)) for _ in range(length)]
    return rows, periods, k


@settings(max_examples=1_000)
@given(st.integers(0, 2**32))
def test_as_by_brute_force_on_ten_thousand_cases(seed: int) -> None:
    random = Random(seed)
    for _ in range(10):
        rows, periods, k = ranking(random)
        outcome, found = judged(rows, periods), [row[0] for row in rows]
        hits = sum(1 for i in range(k) if i < len(found) and found[i])
        returned = min(k, len(found))
        for measure, wanted in (
            (temporal_precision(k), precision_by_brute_force(found, k)),
            (temporal_relevance(k), hits / k),
            (temporal_relevance_of_returned(k), hits / returned if returned else 0.0),
            (temporal_coverage(k), coverage_by_brute_force(rows, periods, k)),
        ):
            score = measure.score(outcome, NOTHING_KNOWN)
            assert score is not None
            assert math.isclose(score, wanted, abs_tol=1e-12), (measure.name, rows, periods, k)
