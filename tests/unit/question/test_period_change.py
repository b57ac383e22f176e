"""A fragment of time builds on the set of periods of the question before it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timelens.question.followup.conversation import AnsweredValue, Context, Turn
from timelens.question.followup.resolve import resolve
from timelens.question.parse import parse
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity, Interval, year_interval
from timelens.temporal.phrasing import phrase

TODAY = parse_day("2024-12-31")
BOTH = "What was Bank Rate in 2005 and in 2010?"
COMPARED = "What was Bank Rate in 2005 compared with 2010?"
ONE = "What was Bank Rate in 2005?"
CHOICE = "Was the toll higher in 2005 or in 2010?"
FAR = "Which rules were in force before 2008 and after 2012?"
DIFFER = "How did the toll in 1995 compare with that in 2005?"
YEARS = st.lists(st.integers(1000, 2020), min_size=2, max_size=4, unique=True)


def asked(question: str, text: str, *told: AnsweredValue) -> str:
    found = resolve(text, Turn(question, told), TODAY)
    assert found is not None
    return found


def periods(question: str) -> set[str]:
    return {phrase(period.interval) for period in parse(question, TODAY).periods}


@pytest.mark.parametrize(
    ("question", "text", "read"),
    [
        # a comparison adds
        (ONE, "compare that with 2010", "What was Bank Rate in 2005 compared with 2010?"),
        (ONE, "and compared with the year before?", "What was Bank Rate in 2005 compared with 2004?"),
        (ONE, "how does that compare to today?", "What was Bank Rate in 2005 compared with now?"),
        (ONE, "was it higher in 2015?", "What was Bank Rate in 2005 compared with 2015?"),
        (ONE, "is that more than in 1995?", "What was Bank Rate in 2005 compared with 1995?"),
        (ONE, "and was it the same in 2015?", "What was Bank Rate in 2005 compared with 2015?"),
        (BOTH, "and versus 2015?", "What was Bank Rate in 2005 and in 2010 compared with 2015?"),
        (
            ONE,
            "compare with 2003 and 2007",
            "What was Bank Rate in 2005 compared with 2003 and 2007?",
        ),
        (DIFFER, "versus the nineties?", "How did the toll compare in 1995, in 2005 and in the nineties?"),
        (FAR, "versus now", "Which rules were in force before 2008 and after 2012 compared with now?"),
        ("What is Bank Rate?", "compared with 2010?", "What is Bank Rate now compared with 2010?"),
        (CHOICE, "and in 2015?", "Was the toll higher in 2005, in 2010 or in 2015?"),
        ("Was the toll higher in 2005?", "was it lower in 2015?", "Was the toll lower in 2015 than in 2005?"),
        # times alone take the place of those asked about
        (BOTH, "and in the nineties?", "What was Bank Rate in the nineties?"),
        (BOTH, "the same for 2003 and 2007", "What was Bank Rate in 2003 and in 2007?"),
        (COMPARED, "the same for 2003 and 2007", "What was Bank Rate in 2003 compared with 2007?"),
        (ONE, "compare 2003 and 2007", "What was Bank Rate in 2003 compared with 2007?"),
        (COMPARED, "and in 2015?", "What was Bank Rate in 2005 compared with 2015?"),
        (COMPARED, "and now?", "What was Bank Rate in 2005 compared with now?"),
        (DIFFER, "and with 2015?", "How did the toll compare in 1995 and in 2015?"),
        (BOTH, "and both in 2015?", "What was Bank Rate in 2015?"),
        (BOTH, "and in May?", "What was Bank Rate in May 2005 and in May 2010?"),
        (ONE, "how did that look in 2000?", "What was Bank Rate in 2000?"),
        (
            "What was the difference in toll between 2016 and 2020?",
            "and between 2003 and 2007?",
            "What was the difference in toll between 2003 and 2007?",
        ),
        (COMPARED, "What about 2003 to 2004?", "What was Bank Rate in 2003 compared with 2004?"),
        (COMPARED, "and between 2003 and 2007?", "What was Bank Rate in 2003 compared with 2007?"),
        (DIFFER, "from 2003 to 2007?", "How did the toll compare in 2003 and in 2007?"),
        (BOTH, "What about 2003 to 2004?", "What was Bank Rate during 2003 to 2004?"),
        (
            "What was the toll in 1990 to 1995 compared with 2000 to 2005?",
            "what about 2010 to 2015?",
            "What was the toll in 1990 to 1995 compared with 2010 to 2015?",
        ),
        (COMPARED, "2015 instead of 2010", "What was Bank Rate in 2005 compared with 2015?"),
        (BOTH, "what about 2015 rather than 2010?", "What was Bank Rate in 2005 and in 2015?"),
        (BOTH, "from then until 2015?", "What was Bank Rate from 2010 until 2015?"),
        # a shift moves every one
        (BOTH, "a year later?", "What was Bank Rate in 2006 and in 2011?"),
        (COMPARED, "and the year before that?", "What was Bank Rate in 2004 compared with 2009?"),
        (FAR, "and two years later?", "Which rules were in force before 2010 and since 2015?"),
        # around them
        (BOTH, "since then?", "What was Bank Rate since 2011?"),
        (BOTH, "and since?", "What was Bank Rate since 2011?"),
        (BOTH, "what about before that?", "What was Bank Rate before 2005?"),
        (BOTH, "and in between?", "What was Bank Rate from 2006 to 2009?"),
        (FAR, "and in the years in between?", "Which rules were in force from 2008 to 2012?"),
        (BOTH, "has it risen since then?", "Has Bank Rate risen since 2011?"),
        (BOTH, "who was governor then?", "Who was governor in 2005 and in 2010?"),
        # among them
        (BOTH, "what was the difference?", "What was Bank Rate in 2005 compared with 2010?"),
        (BOTH, "compare the two", "What was Bank Rate in 2005 compared with 2010?"),
        (BOTH, "which of the two was higher?", "What was Bank Rate in 2005 compared with 2010?"),
    ],
)
def test_a_fragment_of_time_builds_on_the_periods_before(question: str, text: str, read: str) -> None:
    assert resolve(text, Turn(question), TODAY) == read


@pytest.mark.parametrize(
    ("question", "core"),
    [
        (COMPARED, "What was Bank Rate"),
        (DIFFER, "How did the toll compare"),
        ("In 1995 and in 2005, who was Pope?", "Who was Pope"),
        ("who led the Fed before 1987 versus after 2006", "who led the Fed"),
        ("What was the toll when Troy fell?", "What was the toll"),
        ("Do you know who leads Chad now?", "Do you know who leads Chad"),
    ],
)
def test_the_question_before_loses_its_times_with_what_ties_them(question: str, core: str) -> None:
    assert Context(Turn(question), TODAY).timeless == core


def test_the_other_one_is_the_period_that_was_not_told_of() -> None:
    told = AnsweredValue(
        "4.5", Interval(parse_day("2005-08-04"), parse_day("2006-08-03"), Granularity.DAY), held=True
    )
    assert asked(BOTH, "how about the other one?", told) == "What was Bank Rate in 2010?"
    assert resolve("how about the other one?", Turn(BOTH), TODAY) is None


def test_what_lies_between_is_nothing_where_no_day_does() -> None:
    assert resolve("and in between?", Turn("What was Bank Rate in 2005 and in 2006?"), TODAY) is None


def test_an_event_is_set_beside_the_time_that_it_is_compared_with() -> None:
    told = AnsweredValue(
        "2.00", Interval(parse_day("2008-12-04"), parse_day("2009-01-07"), Granularity.DAY), held=True
    )
    read = asked("What was Bank Rate when Lehman failed?", "compare that with 2010", told)
    parsed = parse(read, TODAY)
    assert [event.text for event in parsed.implicit] == ["Lehman failed"]
    assert periods(read) == {"2010"}


def test_words_that_mean_other_days_beside_other_times_are_said_in_full() -> None:
    read = asked("What was the toll in 1920?", "compare with the 90s")
    assert periods(read) == {"1920", "1990 to 1999"}


@pytest.mark.parametrize(
    "text",
    [
        "How does Germany compare with France?",
        "and against the average of the OECD?",
        "was it over by 2015?",
        "What was the deposit rate in 2005 compared with 2010?",
        "which of the two was a lawyer?",
        "what is the difference to Germany?",
    ],
)
def test_a_comparison_of_something_else_adds_no_period(text: str) -> None:
    read = resolve(text, Turn(BOTH), TODAY)
    assert read is None or "compared with" not in read


@settings(max_examples=40)
@given(YEARS, st.integers(1000, 2020))
def test_a_comparison_adds_its_period_to_the_set(years: list[int], other: int) -> None:
    before = "What was the toll in " + " and in ".join(map(str, years)) + "?"
    assert periods(asked(before, f"compare that with {other}")) == {*map(str, years), str(other)}


@settings(max_examples=40)
@given(YEARS, st.integers(1, 30))
def test_a_shift_moves_every_period_of_the_set(years: list[int], count: int) -> None:
    before = "What was the toll in " + " and in ".join(map(str, years)) + "?"
    assert periods(asked(before, f"{count} years earlier")) == {
        phrase(year_interval(year - count)) for year in years
    }


@settings(max_examples=40)
@given(st.integers(1000, 1900), st.integers(2, 100))
def test_what_lies_between_is_the_gap(first: int, apart: int) -> None:
    between = periods(asked(f"What was the toll in {first + apart} and in {first}?", "and in between?"))
    years = [first + 1, first + apart - 1]
    assert between == {" to ".join(map(str, sorted(set(years))))}
