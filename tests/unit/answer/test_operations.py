"""Operations over dated statements, by hand and against what must hold of any."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby

import pytest
from evidence import hit
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Statement
from timelens.answer.operations import (
    after,
    amount_of,
    before,
    course,
    difference,
    in_force,
    in_order,
    length,
    nth,
    runs_of,
    stretches,
    value_at,
)
from timelens.documents import Fact
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, day_interval, year_interval

TEXT = hit("text", ["The toll was 3."], 2000)
ROW = hit("row", ["Toll: 3"], 2000, fact=Fact((("Toll", "3"),), None, None, Granularity.DAY))


def statement(value: str, interval: Interval | None = None, *, row: bool = True) -> Statement:
    return Statement("the bridge", "toll", value, interval, ROW if row else TEXT, 1.0)


def years(*values: str, first: int = 2000) -> list[Statement]:
    """A row for each year."""
    return [statement(value, year_interval(first + number)) for number, value in enumerate(values)]


@pytest.mark.parametrize(
    ("text", "low", "high", "unit", "currency"),
    [
        ("5.25", "5.25", "5.25", "", ""),
        ("5.25 %", "5.25", "5.25", "%", ""),
        ("5.25 percent.", "5.25", "5.25", "percent", ""),
        ("-0.5", "-0.5", "-0.5", "", ""),
        ("−0.5 %", "-0.5", "-0.5", "%", ""),
        ("minus 3", "-3", "-3", "", ""),
        ("+3", "3", "3", "", ""),
        ("0.00 to 0.25", "0", "0.25", "", ""),
        ("0.25–0.50", "0.25", "0.5", "", ""),
        ("0.25%-0.50%", "0.25", "0.5", "%", ""),
        ("-0.5 to 0.25 %", "-0.5", "0.25", "%", ""),
        ("5-10", "5", "10", "", ""),
        ("1,234,567 people", "1234567", "1234567", "people", ""),
        ("$1,200", "1200", "1200", "", "$"),
        ("-$3", "-3", "-3", "", "$"),
        ("£-3", "-3", "-3", "", "£"),
        ("€5 million", "5", "5", "million", "€"),
    ],
)
def test_a_number_is_read_with_its_sign_its_range_and_its_unit(
    text: str, low: str, high: str, unit: str, currency: str
) -> None:
    amount = amount_of(text)
    assert amount is not None
    assert (amount.low, amount.high, amount.unit, amount.currency) == (
        Decimal(low),
        Decimal(high),
        unit,
        currency,
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "to", " to ", "-", "Ada Alder", "7th", "up to 5", "1.2.3", "12,34"),
        *("5 May", "5 May 2001", "5 May to 3 June"),
        *("10 pm", "10.30 PM", "9 am to 5 pm"),
        *("9 to 5", "10-5", "from 3"),
        *("3 to 5 to 7", "3 km to 5 miles", "$3 to €5", "It was 5 in 2001 and is 6 now"),
    ],
)
def test_what_is_no_one_number_has_no_amount(text: str) -> None:
    assert amount_of(text) is None


@given(st.text(max_size=30))
def test_no_text_is_too_odd_for_an_amount(text: str) -> None:
    amount = amount_of(text)
    assert amount is None or amount.low <= amount.middle <= amount.high


@given(st.decimals(-(10**9), 10**9, places=2), st.sampled_from(["", " %", " crowns"]))
def test_a_number_that_is_written_is_read_back(number: Decimal, unit: str) -> None:
    for written in (f"{number}{unit}", f"{number:,}{unit}"):
        amount = amount_of(written)
        assert amount is not None
        assert (amount.low, amount.high, amount.unit) == (number, number, unit.strip())


@pytest.mark.parametrize(
    ("one", "other", "by"),
    [
        ("5.25", "4.00", "-1.25"),
        ("-0.5 %", "0.25 %", "0.75"),
        ("0.00 to 0.25", "5", "4.875"),
        ("1 crown", "3 crowns", "2"),
        ("$2 million", "$3 million", "1"),
        ("3", "3.0", "0"),
        ("$2 million", "$3 billion", None),
        ("$2", "€3", None),
        ("2 %", "3", None),
        ("2 crowns", "3 ducats", None),
        ("Ada", "Bob", None),
        ("3", "", None),
    ],
)
def test_a_difference_has_a_sign_and_is_of_one_unit(one: str, other: str, by: str | None) -> None:
    found = difference(statement(one), statement(other))
    assert found == (None if by is None else Decimal(by))


def test_values_at_a_day() -> None:
    rows = [*years("3", "4"), statement("always", Interval(None, None)), statement("undated")]
    assert [one.value for one in value_at(rows, day_number(2001, 7))] == ["always", "4"]
    assert value_at([], 0) == []
    old = statement("Caesar", year_interval(-43))
    assert value_at([old], day_number(-43, 3, 15)) == [old]


def test_places_in_an_order() -> None:
    rows = [*reversed(years("3", "4", "5")), statement("5 too", year_interval(2002)), statement("undated")]
    assert [[one.value for one in nth(rows, place)] for place in ("first", 2, -2, "last")] == [
        ["3"],
        ["4"],
        ["4"],
        ["5", "5 too"],
    ]
    assert nth(rows, 4) == nth([], "first") == nth([statement("undated")], "last") == []


def test_what_comes_right_before_and_right_after() -> None:
    rows = years("3", "4", "4", "5")
    assert [one.value for one in before(rows, rows[2])] == ["3"]
    assert [one.value for one in after(rows, rows[1])] == ["5"]
    assert before(rows, rows[0]) == after(rows, rows[3]) == []


def test_a_length_is_from_beginning_to_beginning() -> None:
    first, second = years("3", "4")
    assert (length(first, second), length(second, first)) == (366, -366)
    assert length(first, statement("undated")) is None
    assert length(statement("always", Interval(None, 5)), second) is None


def test_rows_go_on_only_where_the_last_one_ends_and_texts_wherever_nothing_comes_between() -> None:
    apart = [statement("3", year_interval(2000)), statement("3", year_interval(2005))]
    assert [len(run) for run in runs_of(apart)] == [1, 1]
    assert [len(run) for run in runs_of(years("3", "3", "4"))] == [2, 1]
    texts = [statement("3", year_interval(year), row=False) for year in (2000, 2005)]
    assert [len(run) for run in runs_of(texts)] == [2]


def test_a_row_inside_a_longer_one_does_not_end_its_run() -> None:
    nested = [(1990, 2000), (1992, 1993), (1999, 2001)]
    assert [len(run) for run in runs_of([statement("3", year_interval(*of)) for of in nested])] == [3]


def test_a_course_keeps_where_numbers_turn() -> None:
    values = ["1", "2", "3", "4", "3", "2", "1", "2", "3"]
    assert [run[0].value for run in course(years(*values), 4)] == ["1", "4", "1", "3"]


def test_a_course_of_names_keeps_those_that_held_longest() -> None:
    spans = [(2000, 2000), (2001, 2001), (2002, 2009), (2010, 2010), (2011, 2011)]
    rows = [statement(name, year_interval(*of)) for name, of in zip("abcde", spans, strict=True)]
    assert [run[0].value for run in course(rows, 3)] == ["a", "c", "e"]


def test_a_course_has_two_ends() -> None:
    with pytest.raises(ValueError, match="first and a last"):
        course([], 1)
    assert course([], 2) == []


days = st.integers(-900_000, 40_000)
intervals = st.one_of(
    st.none(),
    st.builds(lambda start, days: Interval(start, start + days), days, st.integers(1, 4000)),
    st.builds(Interval, days, st.none()),
    st.builds(Interval, st.none(), days),
    st.just(Interval(None, None)),
    days.map(day_interval),
)
statements = st.lists(
    st.builds(
        statement,
        st.one_of(st.sampled_from(["1", "2", "5.25 %", "-3", "0 to 1"]), st.sampled_from(["a", "b", ""])),
        intervals,
        row=st.booleans(),
    ),
    max_size=25,
)


@given(statements)
def test_runs_hold_every_statement_in_order_and_one_value_each(rows: list[Statement]) -> None:
    runs = runs_of(rows)
    assert [one for run in runs for one in run] == in_order(rows)
    assert all(len({one.value for one in run}) == 1 for run in runs)


@given(
    st.one_of(statements, st.lists(st.integers(0, 9), max_size=40).map(lambda n: years(*map(str, n)))),
    st.integers(2, 12),
)
def test_a_course_keeps_its_ends_and_no_more_than_asked(rows: list[Statement], most: int) -> None:
    runs, kept = runs_of(rows), course(rows, most)
    assert len(kept) == min(most, len(runs))
    waiting = iter(runs)
    assert all(run in waiting for run in kept)  # in their order
    if runs:
        assert (kept[0], kept[-1]) == (runs[0], runs[-1])


@given(st.lists(st.integers(0, 9), min_size=2, max_size=40), st.integers(4, 12))
def test_a_course_of_numbers_keeps_its_highest_and_its_lowest(levels: list[int], most: int) -> None:
    told = {int(run[0].value) for run in course(years(*map(str, levels)), most)}
    steps = [level for level, _ in groupby(levels)]
    extremes = [b for a, b, c in zip(steps, steps[1:], steps[2:], strict=False) if (b > a) != (c > b)]
    assert told >= {max(levels), min(levels)} or len(extremes) > most - 2


@given(statements, statements.filter(bool).map(lambda rows: rows[0]))
def test_no_operation_is_at_a_loss(rows: list[Statement], one: Statement) -> None:
    for found in (before(rows, one), after(rows, one), nth(rows, 1), value_at(rows, 0)):
        assert all(other in rows for other in found)
    for other in rows:
        length(one, other)
        forth, back = difference(one, other), difference(other, one)
        assert (forth is None) == (back is None)
        assert forth is None or back is None or forth == -back


def chairs(*terms: tuple[str, Interval, float]) -> list[Statement]:
    """A statement for each (name, time, probability)."""
    return [Statement("the society", "", name, time, TEXT, probability) for name, time, probability in terms]


DIMMOCK = ("Dimmock", Interval(day_number(1994), None, Granularity.YEAR), 0.8)
CASTLE = ("Castle", day_interval(day_number(2008, 11, 8)), 0.6)
OAKES = ("Oakes", day_interval(day_number(2008, 11, 20)), 0.3)
ENDED = ("Pike", Interval(day_number(2001), day_number(2004), Granularity.YEAR), 0.9)


@pytest.mark.parametrize(
    ("terms", "year", "name"),
    [
        ([CASTLE], 2007, None),
        ([CASTLE], 2010, "Castle"),  # a day on which something was so is no end
        ([ENDED, CASTLE], 2007, None),  # what ended before the year is not in force
        ([ENDED, DIMMOCK], 2003, "Pike"),  # of those that cover the year, the last to begin
        ([DIMMOCK, CASTLE], 2010, "Dimmock"),  # what covers the year precedes what only began before it
    ],
)
def test_the_last_statement_that_had_begun_and_not_ended_is_in_force(
    terms: Sequence[tuple[str, Interval, float]], year: int, name: str | None
) -> None:
    found = in_force(chairs(*terms), year_interval(year))
    assert (None if found is None else found.value) == name


def test_of_statements_that_begin_in_one_month_the_likeliest_is_in_force() -> None:
    found = in_force(chairs(OAKES, CASTLE), year_interval(2010))
    assert found is not None
    assert found.value == "Castle"


def test_times_that_follow_one_another_are_one_stretch() -> None:
    times = [Interval(30, 40), Interval(0, 10), Interval(11, 20), Interval(5, 8), Interval(22, None)]
    assert stretches(times) == [(0, 20), (22, float("inf"))]
    assert stretches([]) == []
