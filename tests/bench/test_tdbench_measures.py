"""Hops, alignment and the verifier, on outcomes that the tests write."""

import pytest

from timelens.answer.draft import Support, TimeReference
from timelens.bench.measures import Named, Outcome
from timelens.bench.suite_data import Gold, TimedAnswer
from timelens.bench.tdbench_measures import JOIN, OF_TDBENCH, checked_times, summed
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, granule

BIRCH = TimedAnswer("Bob Birch", day_number(1994, 6, 10), day_number(1999, 12, 31))
CEDAR = TimedAnswer("Cay Cedar", day_number(1999, 12, 31), None)


def scored(outcome: Outcome, gold: Gold) -> dict[str, float]:
    found = ((measure.name, measure.score(outcome, gold)) for measure in OF_TDBENCH)
    return {name: value for name, value in found if value is not None}


def said(text: str, *names: str) -> Outcome:
    return Outcome((), (), text, text, values=tuple(Named(name, None, None) for name in names))


REFUSED = Outcome((), (), "", "", refused=True)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (said("In 1992, in Arcadia, it was Bob Birch.", "Bob Birch"), {"H1": 0, "H2": 0}),
        (said("In 1992, in Arcadia, it was Ada Alder.", "Ada Alder"), {"H1": 0, "H2": 1}),
        (said("In 1992, in Borealis, it was Ada Alder.", "Ada Alder"), {"H1": 1}),
        (said("In Borealis it was Bob Birch.", "Bob Birch"), {}),
        (said("In Arcadia it was Bob Birch.", "Bob Birch"), {"H2": 0}),
        (REFUSED, {}),
        (Outcome((), ()), {}),
    ],
)
def test_a_hop_counts_where_the_one_before_it_is_right(outcome: Outcome, expected: dict[str, float]) -> None:
    gold = Gold({}, kind=JOIN, timed=(BIRCH,), hops=(("Elmton 1992", "1992"), ("Arcadia",)))
    assert scored(outcome, gold) == expected
    assert scored(outcome, Gold({}, kind=JOIN, timed=(BIRCH,))) == {}


@pytest.mark.parametrize(
    ("outcome", "label"),
    [
        (said("Cay Cedar, since 1999."), "Correct"),
        (said("Bob Birch until 1999, then Cay Cedar."), "Correct"),
        (said("Bob Birch."), "Outdated"),
        (said("Dan Dogwood."), "Incorrect"),
        (REFUSED, "Incorrect"),
    ],
)
def test_an_answer_about_now_is_correct_outdated_or_incorrect(outcome: Outcome, label: str) -> None:
    gold = Gold({}, kind="now", timed=(CEDAR,), past=("Bob Birch", "Ada Alder"))
    assert {name for name, value in scored(outcome, gold).items() if value} == {label}
    assert sum(scored(outcome, gold).values()) == 1
    assert scored(Outcome((), ()), gold) == {}


@pytest.mark.parametrize(
    ("time", "right"),
    [
        (Interval(BIRCH.start, day_number(2000, 1, 1), Granularity.DAY), True),
        (Interval(BIRCH.start, day_number(2000, 1, 2), Granularity.DAY), False),
        (Interval(day_number(1994, 1, 1), day_number(2000, 1, 1), Granularity.YEAR), True),
        (Interval(BIRCH.start, None, Granularity.DAY), True),
        (Interval(None, day_number(2000, 1, 1), Granularity.DAY), True),
        (Interval(None, day_number(1994, 6, 10), Granularity.DAY), False),
        (granule(day_number(1994, 1, 1), Granularity.YEAR), True),
        (granule(day_number(1995, 1, 1), Granularity.YEAR), False),
        (day_interval(day_number(1999, 12, 31)), True),
        (day_interval(day_number(1997, 12, 31)), False),
    ],
)
def test_a_time_is_right_where_the_records_have_it(time: Interval, right: bool) -> None:
    gold = Gold({}, kind="unique", timed=(BIRCH,), ends=("start", "end"))
    reference = TimeReference("that time", time, Support.CONTRADICTED, ())
    wanted = (("wrong", "right" if right else "wrong"),)
    assert checked_times([reference], "Who was it?", gold) == wanted
    assert checked_times([reference], "Who was it at that time?", gold) == ()
    assert checked_times([reference], "Who was it?", Gold({}, kind=JOIN, timed=(BIRCH,))) == ()


def test_the_verifier_is_summed_by_label() -> None:
    pairs = [("right", "right"), ("right", "right"), ("right", "wrong"), ("wrong", "wrong")]
    labels = summed(iter(pairs))["verifier"]["labels"]
    assert labels["right"] == {"precision": 66.667, "recall": 100, "f1": 80, "support": 2}
    assert labels["wrong"] == {"precision": 100, "recall": 50, "f1": 66.667, "support": 2}
    assert summed(iter(())) == {}
