"""What /asof reads, and how a slider moves over days."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.errors import BadInputError
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Granularity
from timelens.tui.as_of_input import Slide, days_asked

TODAY = day_number(2024, 6, 15)


@pytest.mark.parametrize(
    ("argument", "days"),
    [
        ("", []),
        ("  ", []),
        ("1990", ["1990-12-31"]),
        ("2024", ["2024-06-15"]),
        ("last May", ["2024-05-31"]),
        ("2015 vs 2020", ["2015-12-31", "2020-12-31"]),
        ("May 2015 versus today", ["2015-05-31", "2024-06-15"]),
        ("2015 | 2020-02-01", ["2015-12-31", "2020-02-01"]),
        ("2015|2020", ["2015-12-31", "2020-12-31"]),
    ],
)
def test_days_are_read_as_a_question_reads_them(argument: str, days: list[str]) -> None:
    assert [format_day(day) for day in days_asked(argument, TODAY, USUAL)] == days


def test_the_conventions_hold_here_too() -> None:
    (day,) = days_asked("3/4/2019", TODAY, Conventions(day_first=True))
    assert format_day(day) == "2019-04-03"


@pytest.mark.parametrize("argument", ["soon", "2021-02-30", "1 | 2 | 3", "2015 vs soon", "2015 |"])
def test_what_is_no_day_is_refused_with_a_remedy(argument: str) -> None:
    with pytest.raises(BadInputError) as refused:
        days_asked(argument, TODAY, USUAL)
    assert "/asof" in refused.value.hint


def test_a_slide_moves_by_units_of_the_calendar_and_stays_on_its_track() -> None:
    slide = Slide.of(day_number(1949), day_number(2024), day_number(2020, 2, 29))
    moved = [
        slide.moved(Granularity.DAY, 1),
        slide.moved(Granularity.MONTH, -1),
        slide.moved(Granularity.YEAR, -1),
        slide.moved(Granularity.DECADE, 1),
        slide.moved(Granularity.DECADE, -8),
    ]
    assert [format_day(one.day) for one in moved] == [
        *("2020-03-01", "2020-01-29", "2019-02-28", "2024-01-01", "1949-01-01"),
    ]


def test_a_day_off_the_track_makes_it_longer() -> None:
    assert Slide.of(10, 20, 5) == Slide(5, 20, 5)
    assert Slide.of(10, 20, 25) == Slide(10, 25, 25)


@given(st.integers(-800_000, 30_000), st.integers(0, 100_000), st.integers(0, 100_000), st.integers(1, 200))
def test_a_day_and_its_column_agree(first: int, length: int, place: int, width: int) -> None:
    slide = Slide(first, first + length, first + min(place, length))
    column = slide.column(width)
    assert 0 <= column < width
    assert slide.at_column(column, width).column(width) == column
    assert slide.first <= slide.at_column(width * 2, width).day <= slide.last
