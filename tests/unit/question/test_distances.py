"""Times at a distance from a date or an event, and lengths with which a question compares a thing."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timelens.question.asked_numbers import length_limit_asked, without_length_limit
from timelens.question.parse import parse, with_days
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval
from timelens.temporal.phrasing import phrase

TODAY = day_number(2021, 5, 6)


@pytest.mark.parametrize(
    ("question", "core", "period"),
    [
        ("Who resigned less than 5 years after 1990?", "Who resigned?", "1991 to 1994"),
        ("Which kilns were lit no more than 5 years after 1990?", "Which kilns were lit?", "1991 to 1995"),
        ("Which kilns were lit more than 5 years after 1990?", "Which kilns were lit?", "since 1996"),
        ("Which kilns were lit at least 5 years after 1990?", "Which kilns were lit?", "since 1995"),
        ("What was brewed under two months before June 2001?", "What was brewed?", "May 2001"),
        ("What was brewed more than two years before June 2001?", "What was brewed?", "before June 1999"),
        (
            "What was paid not later than 2 weeks after 3 May 2001?",
            "What was paid?",
            "4 May 2001 to 17 May 2001",
        ),
        ("Who sang at least six months after the fair of 2009?", "Who sang?", "since July 2009"),
        ("What came six years after the count of 2009?", "What came?", "2015"),
        ("Who left less than a year after 1990?", "Who left?", "1991"),
        ("Who left more than twenty years ago?", "Who left?", "before 6 May 2001"),
        ("Who left less than two weeks ago?", "Who left?", "23 April 2021 to 5 May 2021"),
        ("Who left two years ago?", "Who left?", "2019"),
        ("What happened within 3 years of 1990?", "What happened?", "1987 to 1993"),
    ],
)
def test_a_distance_from_a_date_is_a_period(question: str, core: str, period: str) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.core, [phrase(one.interval) for one in parsed.periods]) == (core, [period])


@pytest.mark.parametrize(
    ("question", "core", "period"),
    [
        ("Who rang the bell less than five years after the fire?",
         "Who rang the bell?", "11 June 1931 to 9 June 1936"),
        ("Who rang the bell in the two years before the fire?",
         "Who rang the bell?", "10 June 1929 to 9 June 1931"),
        ("Who rang the bell within 30 days of the fire?",
         "Who rang the bell?", "10 June 1931 to 10 July 1931"),
        ("Who rang the bell over a year after the fire?",
         "Who rang the bell?", "since 11 June 1932"),
        ("Who rang the bell two weeks after the fire?",
         "Who rang the bell?", "24 June 1931"),
    ],
)  # fmt: skip
def test_a_distance_from_an_event_is_a_period_once_its_day_is_known(
    question: str, core: str, period: str
) -> None:
    dated = with_days(parse(question, TODAY), {"the fire": day_interval(day_number(1931, 6, 10))})
    assert (dated.core, [phrase(one.interval) for one in dated.periods]) == (core, [period])
    assert dated.ordinal is None


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("Who rang the bell from 1920 to 1940 except during the fair?", ["1920 to 1924", "1926 to 1940"]),
        ("Who rang the bell except after the fair?", ["before 1926"]),
    ],
)
def test_the_time_of_an_event_may_be_left_out(question: str, periods: list[str]) -> None:
    dated = with_days(parse(question, TODAY), {"the fair": year_interval(1925)})
    assert dated.core == "Who rang the bell?"
    assert [phrase(one.interval) for one in dated.periods] == periods


@settings(max_examples=40)
@given(st.integers(1850, 2000), st.integers(2, 30), st.sampled_from(["before", "after"]))
def test_less_and_at_least_divide_one_side_of_a_date(year: int, count: int, side: str) -> None:
    length = f"{count} years {side} {year}"
    near, far = (
        parse(f"Who rang the bell {reach} {length}?", TODAY).periods for reach in ("less than", "at least")
    )
    whole = parse(f"Who rang the bell {side} {year}?", TODAY).periods[0].interval
    days = [one.interval for one in (*near, *far)]
    ends = sorted(one.bounds for one in days)
    assert (ends[0][0], ends[-1][1]) == whole.bounds
    assert all(one[1] == other[0] for one, other in pairwise(ends))


@pytest.mark.parametrize(
    ("question", "rest", "days", "holds"),
    [
        ("Who served more than ten years?", "Who served?", 3652, False),
        ("Who served more than ten years?", "Who served?", 3653, True),
        ("Who kept bees for at least 5 years?", "Who kept bees?", 1826, True),
        ("Which sieges lasted under two months?", "Which sieges lasted?", 58, True),
        ("Which sieges lasted under two months?", "Which sieges lasted?", 59, False),
        ("Which leases ran no longer than a year and a half?", "Which leases ran?", 546, True),
        ("Who sang for six weeks or longer?", "Who sang?", 41, False),
        ("Which shops were open for up to 3 months?", "Which shops were open?", 90, True),
    ],
)
def test_a_length_is_compared_in_days(question: str, rest: str, days: int, holds: bool) -> None:
    limit = length_limit_asked(question)
    assert limit is not None
    assert (without_length_limit(question), limit.admits(day_number(2001), days)) == (rest, holds)


@pytest.mark.parametrize(
    "question",
    [
        "Who left more than ten years ago?",
        "Who left less than a year after the merger?",
        "Who is more than ten years old?",
        "Which kilns have over ten years of records?",
        "What was said in the past ten years?",
        "What happened over the last two months?",
        "Who sang more than two days a week?",
        "Which jobs need over two days' notice?",
        "Which fares are over ten pounds?",
        "Who has more than a few years?",
    ],
)
def test_other_lengths_are_no_condition(question: str) -> None:
    assert length_limit_asked(question) is None
    assert without_length_limit(question) == question


def test_an_open_end_admits_no_distance() -> None:
    parsed = parse("Who sang less than a year after the fair?", TODAY)
    assert with_days(parsed, {"the fair": Interval(day_number(2001), None)}).periods == ()
