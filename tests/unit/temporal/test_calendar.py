from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.temporal.calendar import (
    add_months,
    civil,
    day_number,
    days_in_month,
    format_day,
    is_leap,
    parse_day,
    weekday,
)

EPOCH = date(1970, 1, 1)
any_day = st.integers(-400_000_000, 400_000_000)
modern_date = st.dates(date(1, 1, 1), date(9999, 12, 31))


@given(modern_date)
def test_agrees_with_the_standard_library(modern: date) -> None:
    day = day_number(modern.year, modern.month, modern.day)
    assert day == (modern - EPOCH).days
    assert civil(day) == (modern.year, modern.month, modern.day)
    assert weekday(day) == modern.weekday()
    assert format_day(day) == modern.isoformat()


@given(any_day)
def test_a_day_survives_its_parts_and_its_text(day: int) -> None:
    assert day_number(*civil(day)) == day
    assert parse_day(format_day(day)) == day


@given(any_day)
def test_the_next_day_follows_on(day: int) -> None:
    year, month, day_of_month = civil(day)
    following = civil(day + 1)
    if day_of_month < days_in_month(year, month):
        assert following == (year, month, day_of_month + 1)
    else:
        assert following == (year + month // 12, month % 12 + 1, 1)
    assert weekday(day + 1) == (weekday(day) + 1) % 7


@given(any_day, st.integers(-5000, 5000))
def test_adding_months_moves_the_month_and_keeps_the_day_where_it_exists(day: int, months: int) -> None:
    year, month, day_of_month = civil(day)
    moved_year, moved_month, moved_day = civil(add_months(day, months))
    assert (moved_year * 12 + moved_month) - (year * 12 + month) == months
    assert moved_day == min(day_of_month, days_in_month(moved_year, moved_month))


@given(st.integers(-10_000, 10_000))
def test_a_year_has_365_days_or_366(year: int) -> None:
    length = day_number(year + 1) - day_number(year)
    assert length == 365 + is_leap(year)
    assert length == sum(days_in_month(year, month) for month in range(1, 13))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("-0043-03-15", (-43, 3, 15)),
        ("0000-02-29", (0, 2, 29)),
        ("-43999-01-01", (-43_999, 1, 1)),
        ("12021-12-31", (12_021, 12, 31)),
    ],
)
def test_years_beyond_the_standard_library(text: str, parts: tuple[int, int, int]) -> None:
    assert civil(parse_day(text)) == parts
    assert format_day(day_number(*parts)) == text


@pytest.mark.parametrize(
    "parts", [(2021, 2, 29), (1900, 2, 29), (2020, 13, 1), (2020, 0, 1), (2020, 4, 31), (2020, 1, 0)]
)
def test_dates_that_do_not_exist(parts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="does not exist"):
        day_number(*parts)


@pytest.mark.parametrize(
    "text", ["", "2021", "2021-5-6", "21-05-06", "2021-02-30", "yesterday", "2021-05-06T00:00"]
)
def test_text_that_is_no_day(text: str) -> None:
    with pytest.raises(ValueError, match=r"does not exist|not a date"):
        parse_day(text)


def test_a_leap_day_clips() -> None:
    assert format_day(add_months(parse_day("2020-02-29"), 12)) == "2021-02-28"
    assert format_day(add_months(parse_day("2020-03-31"), -1)) == "2020-02-29"
    assert parse_day("2000-01-01") - parse_day("1999-01-01") == timedelta(365).days
