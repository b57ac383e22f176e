"""Period recall and all periods reached, on cases worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.bench.measures import Outcome, means
from timelens.bench.period_measures import all_periods, period_recall
from timelens.bench.scorer import Scorer
from timelens.bench.suite_data import Gold

Periods = list[set[str]]


@pytest.mark.parametrize(
    ("ranking", "periods", "k", "recall", "every"),
    [
        # nothing found, nothing relevant found
        ([], [{"a"}, {"b"}], 10, 0, 0),
        (["x", "y"], [{"a"}, {"b"}], 10, 0, 0),
        # one of two, both, in either order
        (["a"], [{"a"}, {"b"}], 10, 1 / 2, 0),
        (["x", "b"], [{"a"}, {"b"}], 10, 1 / 2, 0),
        (["b", "a"], [{"a"}, {"b"}], 10, 1, 1),
        # several documents of one period count once; any of a period will do
        (["a", "c"], [{"a", "c"}, {"b"}], 10, 1 / 2, 0),
        (["c", "b"], [{"a", "c"}, {"b"}], 10, 1, 1),
        # a document of both periods
        (["both"], [{"a", "both"}, {"b", "both"}], 10, 1, 1),
        # the cut-off: at it, behind it, a k beyond the ranking
        (["a", "x", "b"], [{"a"}, {"b"}], 3, 1, 1),
        (["a", "x", "b"], [{"a"}, {"b"}], 2, 1 / 2, 0),
        (["a", "b"], [{"a"}, {"b"}], 1, 1 / 2, 0),
        (["a", "b"], [{"a"}, {"b"}], 100, 1, 1),
        # three periods
        (["a", "c"], [{"a"}, {"b"}, {"c"}], 10, 2 / 3, 0),
        (["c", "a", "b"], [{"a"}, {"b"}, {"c"}], 10, 1, 1),
        # periods without gold documents do not count
        (["a"], [{"a"}, set(), {"b"}], 10, 1 / 2, 0),
        (["a", "b"], [{"a"}, set(), {"b"}], 10, 1, 1),
        # the same documents in two periods are still two periods
        (["a"], [{"a"}, {"a"}], 10, 1, 1),
        # undefined: no period named, one, one with gold documents, none with any
        (["a"], [], 10, None, None),
        (["a"], [{"a"}], 10, None, None),
        (["a"], [{"a"}, set()], 10, None, None),
        ([], [set(), set()], 10, None, None),
    ],
)
def test_periods_that_are_reached(
    ranking: list[str], periods: Periods, k: int, recall: float | None, every: float | None
) -> None:
    outcome, gold = Outcome(tuple(ranking), ()), Gold({}, periods=tuple(map(frozenset, periods)))
    assert period_recall(k).score(outcome, gold) == recall
    assert all_periods(k).score(outcome, gold) == every


def test_their_names_and_their_means_in_percent() -> None:
    scorer = Scorer([1, 10])
    assert {"PR@1", "PR@10", "AllP@1", "AllP@10"} <= set(scorer.names)
    gold = Gold({"a": 1, "b": 1}, periods=(frozenset({"a"}), frozenset({"b"})))
    scores = [
        scorer.scores_of(Outcome(("a", "b"), ()), gold),
        scorer.scores_of(Outcome(("a", "x"), ()), gold),
        scorer.scores_of(Outcome(("a", "x"), ()), Gold({"a": 1})),
    ]
    names = ["PR@1", "PR@10", "AllP@1", "AllP@10"]
    assert means(names, scores) == {"PR@1": 50, "PR@10": 75, "AllP@1": 0, "AllP@10": 50}
    assert names[0] not in scores[2]


names = st.sampled_from("abcdef")


@given(st.lists(names, unique=True), st.lists(st.frozensets(names, min_size=1), min_size=2, max_size=4))
def test_more_hits_reach_no_fewer_periods_and_all_of_them_means_a_recall_of_one(
    ranking: list[str], periods: list[frozenset[str]]
) -> None:
    outcome, gold = Outcome(tuple(ranking), ()), Gold({}, periods=tuple(periods))
    recalls = [period_recall(k).score(outcome, gold) or 0 for k in range(1, 8)]
    assert recalls == sorted(recalls)
    assert [all_periods(k).score(outcome, gold) == 1 for k in range(1, 8)] == [one == 1 for one in recalls]
