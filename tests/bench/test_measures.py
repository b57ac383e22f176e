"""Each measure on cases worked by hand, and against ir_measures where it has the same."""

import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.bench.measures import (
    ACCURACY,
    ANSWER_AND_TIME,
    EXACT_MATCH,
    FALSE_REFUSAL,
    REFUSAL,
    TIME_ACCURACY,
    TOKEN_F1,
    Named,
    Outcome,
    answer_recall,
    evidence_recall,
    means,
    ranks_stating,
    states,
)
from timelens.bench.scorer import Scorer
from timelens.bench.suite_data import Gold, TimedAnswer

NOTHING = Outcome((), ())


@pytest.mark.parametrize(
    ("ranking", "relevant", "at_1", "at_3"),
    [
        (("a", "b", "c"), {"a": 1}, 1, 1),
        (("a", "b", "c"), {"c": 1}, 0, 1),
        (("a", "b", "c", "d"), {"d": 1}, 0, 0),
        (("a", "b"), {"a": 0, "b": 2}, 0, 1),
        ((), {"a": 1}, 0, 0),
        (("a",), {}, None, None),
        (("a",), {"a": 0}, None, None),
    ],
)
def test_evidence_recall(
    ranking: tuple[str, ...], relevant: dict[str, int], at_1: float | None, at_3: float | None
) -> None:
    outcome, gold = Outcome(ranking, ()), Gold(relevant)
    assert [evidence_recall(k).score(outcome, gold) for k in (1, 3)] == [at_1, at_3]


def test_answer_recall_looks_at_the_first_k_texts_and_at_any_answer() -> None:
    texts = ("Nothing here", "The fare rose to 4 crowns.")
    for answers, scores in (
        (("4 crowns",), (0, 1)),
        (("four crowns", "4 crowns"), (0, 1)),
        (("5 crowns",), (0, 0)),
        ((), (None, None)),
    ):
        gold = Gold({}, answers)
        outcome = Outcome((), ranks_stating(texts, gold))
        assert tuple(answer_recall(k).score(outcome, gold) for k in (1, 2)) == scores
    assert answer_recall(2).score(NOTHING, Gold({}, ("4 crowns",))) == 0


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("a target of 5-1/4 percent.", "5-1/4 percent", True),
        ("It was José Martí", "Jose Marti", True),
        ("the 14 crowns", "4 crowns", False),
        ("Bergman", "Berg", False),
        ("Keeper of Light", "the Keeper of the Light", True),
        ("anything", "The", False),
        ("anything", "", False),
    ],
)
def test_an_answer_is_said_in_whole_words(text: str, answer: str, said: bool) -> None:
    assert states(text, answer) is said


@pytest.mark.parametrize(
    ("answer", "golds", "exact", "f1"),
    [
        ("Anna Berg", ("Anna Berg",), 1, 1),
        ("the  anna berg!", ("Anna Berg",), 1, 1),
        ("Anna", ("Anna Berg",), 0, 2 / 3),
        ("Anna Anna Berg", ("Anna Berg",), 0, 4 / 5),
        ("Sten Holm", ("Anna Berg",), 0, 0),
        ("Anna", ("Sten Holm", "Anna Berg", "Anna"), 1, 1),
        ("", ("Anna Berg",), 0, 0),
        ("Anna", (), None, None),
        (None, ("Anna",), None, None),
    ],
)
def test_exact_match_and_f1(
    answer: str | None, golds: tuple[str, ...], exact: float | None, f1: float | None
) -> None:
    outcome, gold = Outcome((), (), answer), Gold({}, golds)
    assert EXACT_MATCH.score(outcome, gold) == exact
    assert TOKEN_F1.score(outcome, gold) == (None if f1 is None else pytest.approx(f1))


def test_a_refusal_is_right_where_there_is_no_answer_and_wrong_where_there_is_one() -> None:
    refused, said = Outcome((), (), "", "", refused=True), Outcome((), (), "Anna", "It is Anna.")
    unanswerable, answerable = Gold({}, unanswerable=True), Gold({}, ("Anna",), unanswerable=False)
    unknown = Gold({}, ("Anna",))
    for measure, outcome, gold, score in [
        (REFUSAL, refused, unanswerable, 1),
        (REFUSAL, said, unanswerable, 0),
        (REFUSAL, refused, answerable, None),
        (REFUSAL, NOTHING, unanswerable, None),
        (FALSE_REFUSAL, refused, answerable, 1),
        (FALSE_REFUSAL, said, answerable, 0),
        (FALSE_REFUSAL, said, unanswerable, None),
        (FALSE_REFUSAL, refused, unknown, None),
        (ACCURACY, refused, unanswerable, 1),
        (ACCURACY, said, unanswerable, 0),
        (ACCURACY, refused, answerable, 0),
        (ACCURACY, said, answerable, 1),
        (ACCURACY, NOTHING, answerable, None),
        (ACCURACY, said, Gold({}), None),
    ]:
        assert measure.score(outcome, gold) == score, (measure.name, outcome, gold)


def test_all_parts_of_an_answer_are_needed_where_all_are_wanted() -> None:
    outcome = Outcome((), (), "Anna", "First Anna.")
    assert ACCURACY.score(outcome, Gold({}, ("Anna", "Sten"))) == 1
    assert ACCURACY.score(outcome, Gold({}, ("Anna", "Sten"), all_required=True)) == 0


def test_a_mean_is_over_the_questions_that_define_it() -> None:
    assert means(["A", "B", "C"], [{"A": 1.0}, {"A": 0.0, "B": 0.25}]) == {"A": 50.0, "B": 25.0, "C": None}
    assert means(["A"], []) == {"A": None}


documents = st.lists(st.sampled_from([f"d{n}" for n in range(12)]), unique=True)
grades = st.dictionaries(st.sampled_from([f"d{n}" for n in range(12)]), st.integers(0, 3), min_size=1)


@given(st.lists(st.tuples(documents, grades), min_size=1, max_size=6))
def test_rankings_are_scored_as_ir_measures_scores_the_whole_run(
    questions: list[tuple[list[str], dict[str, int]]],
) -> None:
    judged = [(ranking, grade) for ranking, grade in questions if any(grade.values())]
    scorer = Scorer([1, 5, 10])
    scores = [scorer.scores_of(Outcome(tuple(ranking), ()), Gold(grade)) for ranking, grade in questions]
    ours = means(scorer.names, scores)
    if not judged:
        assert set(ours.values()) == {None}
        return
    qrels = {f"q{n}": grade for n, (_, grade) in enumerate(judged)}
    run = {f"q{n}": {d: -float(rank) for rank, d in enumerate(r)} for n, (r, _) in enumerate(judged)}
    names = ["RR", *(f"{name}@{k}" for name in ("nDCG", "R", "AP", "P") for k in (1, 5, 10))]
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names], qrels, run)
    for measure, value in theirs.items():
        assert ours[str(measure)] == pytest.approx(100 * value, abs=0.001), measure
    for k in (1, 5, 10):
        [success] = ir_measures.calc_aggregate([ir_measures.Success @ k], qrels, run).values()
        assert ours[f"ER@{k}"] == pytest.approx(100 * success, abs=0.001)


def test_ndcg_by_hand() -> None:
    scores = Scorer([10]).scores_of(Outcome(("x", "a", "b"), ()), Gold({"a": 1, "b": 1}))
    ideal = 1 + 1 / math.log2(3)
    assert scores["nDCG@10"] == pytest.approx((1 / math.log2(3) + 1 / 2) / ideal)
    assert scores["RR"] == 0.5


LEE, MAY = TimedAnswer("Lee", 10, 20), TimedAnswer("May", 20, None)


@pytest.mark.parametrize(
    ("said", "timed", "ends", "scores"),
    [
        ([("Lee", 10, 20)], [LEE], ["start", "end"], (1, 1, 1)),
        ([("the LEE", 10, 20)], [LEE], ["start", "end"], (1, 1, 1)),
        ([("Lee", 10, 21)], [LEE], ["start", "end"], (1, 0.5, 0)),
        ([("Lee", 10, 21)], [LEE], ["start"], (1, 1, 1)),
        ([("Lee", 10, 20)], [LEE, MAY], ["start", "end"], (0, 0.5, 0)),
        ([("Lee", 10, 20), ("May", 20, None)], [LEE, MAY], ["start", "end"], (1, 1, 1)),
        ([("May", 20, 30)], [MAY], ["end"], (1, 0, 0)),
        ([("Lee", 10, 20), ("May", 20, None)], [LEE], ["start"], (0, 1, 0)),
        # a name with two facts: each day that either has will do, and is asked for once
        ([("Lee", 30, 40)], [LEE, TimedAnswer("Lee", 30, 40)], ["start", "end"], (1, 1, 1)),
        ([("Lee", 10, 20)], [LEE], [], (1, None, None)),
        ([("Lee", 10, 20)], [], ["start"], (0, None, None)),
        ([], [], ["start"], (1, None, None)),
        ([], [LEE], ["start"], (0, 0, 0)),
    ],
)
def test_answers_with_their_days(
    said: list[tuple[str, int, int | None]],
    timed: list[TimedAnswer],
    ends: list[str],
    scores: tuple[float | None, ...],
) -> None:
    values = tuple(Named(text, start, end) for text, start, end in said)
    outcome = Outcome((), (), "said", refused=not said, values=values)
    gold = Gold({}, timed=tuple(timed), ends=tuple(ends))
    measures = (ACCURACY, TIME_ACCURACY, ANSWER_AND_TIME)
    assert tuple(measure.score(outcome, gold) for measure in measures) == scores
    assert {measure.score(NOTHING, gold) for measure in measures} == {None}
