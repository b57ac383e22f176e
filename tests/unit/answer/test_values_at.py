"""The value on a day, by hand and against what must hold of any statements."""

from dataclasses import replace

import pytest
from evidence import hit
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Statement
from timelens.answer.values_at import first_values, is_same_value, values_at
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, year_interval

TEXT = hit("text", ["The toll was 3."], 2000)
END_OF_2005 = day_number(2005, 12, 31)


def statement(value: str, interval: Interval | None, probability: float = 0.9) -> Statement:
    return Statement("the bridge", "toll", value, interval, TEXT, probability)


def told(statements: list[Statement], day: int = END_OF_2005) -> list[tuple[str, float]]:
    return [(one.value, round(one.probability, 2)) for one in values_at(statements, day)]


def test_the_latest_value_replaces_the_earlier_one_with_its_probability() -> None:
    values = [statement("£3", year_interval(2000)), statement("£4", year_interval(2003), 0.8)]
    assert told(values) == [("£4", 0.8), ("£3", 0.18)]


def test_statements_after_the_day_do_not_count() -> None:
    values = [statement("£3", year_interval(2000)), statement("£4", year_interval(2006))]
    assert told(values) == [("£3", 0.9)]


def test_an_improbable_later_value_does_not_displace_a_probable_one() -> None:
    values = [statement("£3", year_interval(2000)), statement("Ostrava", year_interval(2004), 0.1)]
    assert told(values)[0] == ("£3", 0.81)


def test_repeated_statements_of_a_value_add_up_and_the_latest_is_cited() -> None:
    values = [statement("Ada Lind", year_interval(2000), 0.5), statement("Lind", year_interval(2002), 0.5)]
    assert told(values) == [("Lind", 0.75)]


def test_values_with_the_same_start_share_their_probability_by_their_odds() -> None:
    values = [statement("£3", year_interval(2000), 0.8), statement("£4", year_interval(2000), 0.5)]
    assert told(values) == [("£3", 0.72), ("£4", 0.18)]


def test_a_value_beside_another_one_in_a_later_sentence_is_taken_for_the_one_that_ended() -> None:
    before = replace(statement("Hana", year_interval(2000)), hit=hit("before", ["Hana keeps the key."], 2000))
    both = [statement("Hana", year_interval(2002), 0.7), statement("Tomas", year_interval(2002), 0.6)]
    assert told([before, *both])[0] == ("Tomas", 0.54)
    assert told(both)[0][0] == "Hana"


def test_a_stretch_that_has_ended_no_longer_holds() -> None:
    term = Interval(day_number(2000, 1, 1), day_number(2004, 1, 1), Granularity.YEAR)
    assert told([statement("Ada Lind", term)]) == [("Ada Lind", 0.09)]
    assert told([statement("Ada Lind", term)], day_number(2003, 1, 1)) == [("Ada Lind", 0.9)]


def test_a_statement_without_a_time_is_the_earliest() -> None:
    assert told([statement("£3", None)]) == [("£3", 0.9)]
    assert told([statement("£3", None), statement("£4", year_interval(1990))])[0] == ("£4", 0.9)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Ada Lind", "Lind", True), ("£3", "£4", False), ("the hall", "The Hall", True), ("?", "!", False)],
)
def test_values_are_the_same_if_one_has_all_words_of_the_other(one: str, other: str, same: bool) -> None:
    assert is_same_value(one, other) is same


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["£3", "£4", "Ada Lind", "Lind"]),
            st.integers(0, 4000) | st.none(),
            st.floats(0, 1),
        )
    ),
    st.integers(0, 4000),
)
def test_the_probabilities_are_of_disjoint_values(
    rows: list[tuple[str, int | None, float]], day: int
) -> None:
    values = [statement(value, None if at is None else day_interval(at), p) for value, at, p in rows]
    found = values_at(values, day)
    assert sum(one.probability for one in found) <= 1 + 1e-6
    assert all(0 <= one.probability <= 1 + 1e-6 for one in found)
    assert [one.probability for one in found] == sorted((one.probability for one in found), reverse=True)
    assert all(one.interval is None or one.interval.bounds[0] <= day for one in found)


def test_the_first_value_is_told_by_the_filter_run_backwards() -> None:
    values = [
        statement("£2", None),
        statement("£3", year_interval(2000), 0.8),
        statement("£4", year_interval(2003), 0.9),
        statement("£5", year_interval(2007)),
    ]
    found = first_values(values, END_OF_2005)
    assert [(one.value, round(one.probability, 2)) for one in found] == [("£3", 0.8), ("£4", 0.18)]
