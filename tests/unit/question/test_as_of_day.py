"""The day that a text means as the day that counts as today."""

import pytest

from timelens.question.as_of_day import day_meant
from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.conventions import Conventions

TODAY = day_number(2021, 6, 15)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2021-05-06", "2021-05-06"),
        (" 2021-05-06 ", "2021-05-06"),
        ("6 May 2021", "2021-05-06"),
        ("May 2021", "2021-05-31"),
        ("1990", "1990-12-31"),
        ("2001-09", "2001-09-30"),
        ("2011-12", "2011-12-31"),
        ("2020-05", "2020-05-31"),
        ("-0043-03", "-0043-03-31"),
        ("2001–09", "2009-12-31"),
        ("in 1990", "1990-12-31"),
        ("as of 1990", "1990-12-31"),
        ("the nineties", "1999-12-31"),
        ("last May", "2021-05-31"),
        ("two years ago", "2019-12-31"),
        ("before 2010", "2009-12-31"),
        ("from 2010 to 2015", "2015-12-31"),
        ("44 BC", "-0043-12-31"),
        ("3 października 1990", "1990-10-03"),
        ("im Mai 1990", "1990-05-31"),
    ],
)
def test_the_last_day_of_a_time_is_meant(text: str, day: str) -> None:
    assert format_day(day_meant(text, TODAY)) == day


@pytest.mark.parametrize(
    "text", ["2021", "this year", "the 2020s", "June 2021", "2021-06", "today", "now", "until 2030"]
)
def test_of_a_time_that_is_not_over_today_is_meant(text: str) -> None:
    assert day_meant(text, TODAY) == TODAY


@pytest.mark.parametrize(
    ("text", "day"), [("2030", "2030-12-31"), ("next year", "2022-12-31"), ("2021-06-16", "2021-06-16")]
)
def test_a_time_to_come_is_taken_as_it_is(text: str, day: str) -> None:
    assert format_day(day_meant(text, TODAY)) == day


def test_figures_are_read_by_the_conventions() -> None:
    assert format_day(day_meant("3/4/2019", TODAY)) == "2019-03-04"
    assert format_day(day_meant("3/4/2019", TODAY, Conventions(day_first=True))) == "2019-04-03"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "2021-02-30",
        "2021-13",
        "soon",
        "since 1990",
        "1990 and 1995",
        "hello 2012 world",
        "/asof 1990",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a date|does not exist"):
        day_meant(text, TODAY)
