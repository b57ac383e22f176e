import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.temporal.calendar import civil, format_day, parse_day, weekday
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import year_interval
from timelens.temporal.rules.holiday_days import HOLIDAYS, easter, orthodox_easter


@pytest.mark.parametrize(
    ("year", "western", "eastern"),
    [
        (1818, "1818-03-22", "1818-04-26"),
        (1943, "1943-04-25", "1943-04-25"),
        (2000, "2000-04-23", "2000-04-30"),
        (2018, "2018-04-01", "2018-04-08"),
        (2024, "2024-03-31", "2024-05-05"),
        (2038, "2038-04-25", "2038-04-25"),
    ],
)
def test_easter(year: int, western: str, eastern: str) -> None:
    assert format_day(easter(year)) == western
    assert format_day(orthodox_easter(year)) == eastern


@given(st.integers(-9999, 9999))
def test_easter_is_a_sunday_in_its_season(year: int) -> None:
    assert weekday(easter(year)) == weekday(orthodox_easter(year)) == 6
    assert (3, 22) <= civil(easter(year))[1:] <= (4, 25)


@pytest.mark.parametrize("name", HOLIDAYS)
def test_every_holiday_is_found_by_its_name(name: str) -> None:
    (found,) = find_expressions(f"It fell on {name.title()} 2018, they said.")
    assert found.interval is not None
    assert found.interval.start == HOLIDAYS[name](2018)


@pytest.mark.parametrize(
    "text", ["They sailed to Easter Island.", "A Christmas tree fell.", "The Epiphany hit him."]
)
def test_what_is_named_after_a_holiday_is_none(text: str) -> None:
    assert [found for found in find_expressions(text, parse_day("2021-06-15")) if found.interval] == []


@pytest.mark.parametrize(
    "text",
    [
        "They met on Chinese New Year 2020.",
        "They met on Lunar New Year 2020.",
        "They met on the eve of the Persian New Year, 2020.",
        "They met on Chinese New Year's Eve 2020.",
        "They met on Armenian Easter 2020.",
        "They met on German Labor Day 2020.",
        "They met on British Mother's Day 2020.",
    ],
)
def test_a_feast_of_another_calendar_or_country_that_is_not_computed_leaves_its_year(text: str) -> None:
    assert [found.interval for found in find_expressions(text)] == [year_interval(2020)]


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("Canadian Thanksgiving 2018", "2018-10-08"),
        ("American Thanksgiving 2018", "2018-11-22"),
        ("Orthodox Christmas 2014", "2014-01-07"),
        ("Orthodox Christmas 1850", "1850-01-06"),
        ("Orthodox Christmas Eve 2014", "2014-01-06"),
        ("Orthodox New Year 2014", "2014-01-14"),
        ("Greek Easter 2016", "2016-05-01"),
        ("Orthodox Easter Monday 2016", "2016-05-02"),
        ("Jewish New Year 2020", "2020-09-19"),
        ("Rosh Hashanah 2023", "2023-09-16"),
        ("German Christmas 2014", "2014-12-25"),
        ("the new year 2014", "2014-01-01"),
    ],
)
def test_feasts_with_the_word_that_tells_whose_they_are(name: str, day: str) -> None:
    (found,) = find_expressions(f"They met at {name}.")
    assert found.interval is not None
    assert (found.interval.start, found.interval.days) == (parse_day(day), 1)
