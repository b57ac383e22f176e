"""What a question leaves out is found, and other negations are not taken for it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timelens.question.exclusions import without_excluded
from timelens.question.merge import Reading
from timelens.question.named_periods import within
from timelens.question.parse import parse
from timelens.question.parsed_question import PeriodRole
from timelens.question.roles import Role
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.temporal.phrasing import phrase


@pytest.mark.parametrize(
    ("question", "rest", "excluded"),
    [
        ("How many boats are there, not counting the launches?", "How many boats are there?", "the launches"),
        ("Where was our home, not the holiday place?", "Where was our home?", "the holiday place"),
        ("Who has chaired apart from Ann?", "Who has chaired?", "Ann"),
        ("everyone except for Bo, in order", "everyone, in order", "Bo"),
        ("Was it not the treasurer?", "Was it not the treasurer?", ""),
        ("Why was the roof not done?", "Why was the roof not done?", ""),
    ],
)
def test_what_is_left_out_is_cut_out(question: str, rest: str, excluded: str) -> None:
    assert without_excluded(question) == (rest, excluded)


TODAY = day_number(2021, 5, 6)


def times(question: str) -> list[str]:
    return [phrase(period.interval) for period in parse(question, TODAY).periods]


@pytest.mark.parametrize(
    ("question", "core", "periods"),
    [
        # inside the asked time
        ("Who kept the keys from 2000 to 2008 except in 2005?",
         "Who kept the keys?", ["2000 to 2004", "2006 to 2008"]),
        ("Which ferries sank in the 1990s, excluding 1995?",
         "Which ferries sank?", ["1990 to 1994", "1996 to 1999"]),
        ("What did the mill grind between 1930 and 1950 apart from the war years 1939-1945?",
         "What did the mill grind?", ["1930 to 1938", "1946 to 1950"]),
        ("Aside from 2001, which bulbs were sown since 1990?",
         "Which bulbs were sown?", ["1990 to 2000", "since 2002"]),
        ("What was ground from 2014 to 2018, but not from 2015 to 2016?",
         "What was ground?", ["2014", "2017 to 2018"]),
        ("Which patients came in March 2019 other than on 5 March 2019?", "Which patients came?",
         ["1 March 2019 to 4 March 2019", "6 March 2019 to 31 March 2019"]),
        ("Who sang from 2000 to 2008 with the exception of 2003 and 2005?", "Who sang?",
         ["2000 to 2002", "2004", "2006 to 2008"]),
        ("Who won the regatta each year from 2003 to 2006 except 2005?", "Who won the regatta?",
         ["2003", "2004", "2006"]),
        ("Except for 2016, how did fares move from 2014 to 2018?", "How did fares move?",
         ["2014 to 2015", "2017 to 2018"]),
        ("What was sown in the 1990s barring 1990?", "What was sown?", ["1991 to 1999"]),
        # of all times
        ("Who kept the keys outside 1990-2010?", "Who kept the keys?", ["before 1990", "since 2011"]),
        ("Who kept the keys outside of the years 1990 to 2010?",
         "Who kept the keys?", ["before 1990", "since 2011"]),
        ("Other than in 2016, when did the ferry sink?",
         "When did the ferry sink?", ["before 2016", "since 2017"]),
        ("Which floods were recorded, not counting 2005?",
         "Which floods were recorded?", ["before 2005", "since 2006"]),
        ("Who sang in all years but 1995?", "Who sang?", ["before 1995", "since 1996"]),
        ("Which ones did it bloom, though not in 2005?",
         "Which ones did it bloom?", ["before 2005", "since 2006"]),
        ("What was sown outside the range 2001-2003?", "What was sown?", ["before 2001", "since 2004"]),
        ("Who chaired except from 2003 on?", "Who chaired?", ["before 2003"]),
        ("How much was the toll, not in 2005 but in 2006?", "How much was the toll?", ["2006"]),
        ("What bloomed in May but not in June 2005?", "What bloomed?", ["May 2005"]),
        ("Who paid except after 2005?", "Who paid?", ["before 2006"]),
    ],
)  # fmt: skip
def test_a_time_that_is_left_out_cuts_the_asked_time(question: str, core: str, periods: list[str]) -> None:
    assert (parse(question, TODAY).core, times(question)) == (core, periods)


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("Was the sluice open or not in 2005?", ["2005"]),
        ("Why was it not in 2005?", ["2005"]),
        ("Who worked outside in 2005?", ["2005"]),
        ("What did we save in 2005?", ["2005"]),
        ("Who chaired apart from Ann in 2005?", ["2005"]),
        ("Which roses besides the Alba bloomed in 2005?", ["2005"]),
        ("Who other than the 2005 winner has sung?", []),
        ("Which tolls held on all days but Sunday?", []),
        ("What did the price excluding VAT come to in 2005?", ["2005"]),
        ("What was sown from 1939 on?", ["since 1939"]),
        ("Who was not chair in 2005?", ["2005"]),
    ],
)
def test_other_denials_and_things_leave_no_time_out(question: str, periods: list[str]) -> None:
    parsed = parse(question, TODAY)
    assert ([phrase(one.interval) for one in parsed.periods], parsed.left_out) == (periods, ())


def test_a_fact_must_not_hold_in_a_time_beside_the_asked_one() -> None:
    later, earlier = (
        parse("Who kept bees in 2004 but not in 2005?", TODAY),
        parse("Who kept bees in 2005 but not 2004?", TODAY),
    )
    assert [(phrase(p.interval), p.constraints[1].role) for p in later.periods] == [("2004", Role.END)]
    assert [(phrase(p.interval), p.constraints[1].role) for p in earlier.periods] == [("2005", Role.START)]
    assert Reading.by_rules("Who kept bees in 2004 but not in 2005?", TODAY).notes == (
        "“but not in 2005” is checked in rows of tables only, not in texts",
    )


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Who sang in 2005 excluding 2000-2010?",
         "“excluding 2000-2010” was not applied: nothing of the asked time would be left"),
        ("Who was chair as of 2010 except 2005?",
         "“except 2005” was not applied: a state as of a day is asked for"),
        ("Who was the first keeper from 2000 to 2008 except 2005?",
         "“except 2005” divides the time; the order is applied to each part of it"),
    ],
)  # fmt: skip
def test_what_periods_cannot_state_is_noted(question: str, note: str) -> None:
    assert Reading.by_rules(question, TODAY).notes == (note,)


def test_options_for_the_time_keep_what_a_question_leaves_out() -> None:
    days = Interval(day_number(2000), day_number(2009), Granularity.YEAR)
    asked = within("Who sang except in 2005?", days, TODAY)
    assert times(asked) == ["2000 to 2004", "2006 to 2008"]


@settings(max_examples=40)
@given(st.integers(1900, 1960), st.integers(1, 40), st.integers(1900, 2020))
def test_the_periods_are_the_asked_days_without_those_left_out(first: int, length: int, year: int) -> None:
    last = first + length
    parsed = parse(f"Who ran the ferry from {first} to {last} except in {year}?", TODAY)
    asked = {one for one in range(first, last + 1) if one != year}
    found = [
        one
        for one in range(1890, 2030)
        for period in parsed.periods
        if period.interval.contains(year_interval(one))
    ]
    assert sorted(asked) == found


def test_a_comparison_of_which_one_side_is_left_out_compares_nothing() -> None:
    (period,) = parse("What was the toll in 2005 compared with 2009, except 2009?", TODAY).periods
    assert (phrase(period.interval), period.role) == ("2005", PeriodRole.ASKED)
