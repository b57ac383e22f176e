import pytest

from timelens.temporal.calendar import format_day, parse_day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import find_expressions

WRITTEN = parse_day("2021-06-15")  # a Tuesday


def days(text: str, conventions: Conventions = USUAL) -> str:
    interval = find_expressions(text, WRITTEN, conventions=conventions)[-1].interval
    assert interval is not None
    return " ".join(".." if end is None else format_day(end) for end in (interval.start, interval.end))


@pytest.mark.parametrize(
    ("text", "conventions", "expected"),
    [
        ("On 3/4/2019.", USUAL, "2019-03-04 2019-03-05"),
        ("On 3/4/2019.", Conventions(day_first=True), "2019-04-03 2019-04-04"),
        ("On 13/4/2019.", USUAL, "2019-04-13 2019-04-14"),
        ("On 4/13/2019.", Conventions(day_first=True), "2019-04-13 2019-04-14"),
        ("On 3.4.2019.", USUAL, "2019-04-03 2019-04-04"),
        ("In fiscal 2020.", USUAL, "2020-01-01 2021-01-01"),
        ("In FY2020.", Conventions(fiscal_year_first_month=10), "2019-10-01 2020-10-01"),
        ("In fiscal 2020.", Conventions(fiscal_year_first_month=4), "2019-04-01 2020-04-01"),
        ("In summer 2012.", USUAL, "2012-06-01 2012-09-01"),
        ("In summer 2012.", Conventions(southern=True), "2012-12-01 2013-03-01"),
        ("In the winter of 2012.", Conventions(southern=True), "2012-06-01 2012-09-01"),
        ("In spring 2012.", Conventions(southern=True), "2012-09-01 2012-12-01"),
        ("Last autumn.", Conventions(southern=True), "2021-03-01 2021-06-01"),
        ("It began in 2012. That summer it ended.", Conventions(southern=True), "2012-12-01 2013-03-01"),
    ],
)
def test_what_convention_decides(text: str, conventions: Conventions, expected: str) -> None:
    assert days(text, conventions) == expected


MISJUDGED = pytest.mark.xfail(reason="the model judges by the words, and by the distance", strict=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They met on Friday.", "2021-06-11 2021-06-12"),
        ("They will meet on Friday.", "2021-06-18 2021-06-19"),
        ("On Friday they will meet.", "2021-06-18 2021-06-19"),
        ("They will meet again. On Friday they talked.", "2021-06-11 2021-06-12"),
        ("It opened in October.", "2020-10-01 2020-11-01"),
        ("It will open in October.", "2021-10-01 2021-11-01"),
        ("It will reopen on 3 March.", "2022-03-03 2022-03-04"),
        ("It reopened on 3 March.", "2021-03-03 2021-03-04"),
        pytest.param("It reopened on 20 June.", "2020-06-20 2020-06-21", marks=MISJUDGED),
        ("The talks of 20 June.", "2021-06-20 2021-06-21"),
        ("It will be done in two weeks.", "2021-06-29 2021-06-30"),
        ("The hall is booked for October.", "2021-10-01 2021-11-01"),
        pytest.param("It has been scheduled for 3 March.", "2022-03-03 2022-03-04", marks=MISJUDGED),
        pytest.param("The hall was booked for October.", "2020-10-01 2020-11-01", marks=MISJUDGED),
        ("OK, see you Friday.", "2021-06-18 2021-06-19"),
        ("When did they go camping in July?", "2020-07-01 2020-08-01"),
        ("How many boats were out on Friday?", "2021-06-11 2021-06-12"),
        ("The rent will rise for the summer.", "2021-06-01 2021-09-01"),
        ("We will paint the shed in June.", "2021-06-01 2021-07-01"),
        ("Rain again\nThe club voted on Friday to stay.", "2021-06-11 2021-06-12"),
    ],
)
def test_the_tense_chooses_the_year_and_the_week(text: str, expected: str) -> None:
    assert days(text) == expected


def test_in_two_weeks_is_a_length_where_nothing_is_ahead() -> None:
    (found,) = find_expressions("They rebuilt it in two weeks.", WRITTEN)
    assert found.interval is None
