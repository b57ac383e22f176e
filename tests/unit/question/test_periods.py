"""The times of a question: which of them are periods of their own, and the question about each alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strings import PIECES, strings

from timelens.question.intent import imperative_of, tells_course
from timelens.question.parse import parse
from timelens.question.parsed_question import ParsedQuestion, PeriodRole, StepKind
from timelens.question.periods import as_one, at, hull_of
from timelens.question.plan import make_plan
from timelens.temporal.calendar import day_number
from timelens.temporal.constraints import Relation
from timelens.temporal.phrasing import MONTH_NAMES, phrase

TODAY = day_number(2021, 5, 6)


@pytest.mark.parametrize(
    "question",
    [
        "Compare the opening hours in 2001, summer 2005 and now",
        "What is the toll now compared with 2001?",
        "How much dearer is it today than in 2005?",
    ],
)
def test_now_beside_other_times_is_the_state_as_of_that_day(question: str) -> None:
    periods = parse(question, TODAY).periods
    of_now = [period for period in periods if period.relation is Relation.AS_OF]
    assert [(one.interval.start, one.interval.end, phrase(one.moment)) for one in of_now] == [
        (None, TODAY + 1, "6 May 2021")
    ]
    others = [period for period in periods if period not in of_now]
    assert others
    assert all(period.moment == period.interval for period in others)


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("Tell me the story of our boats from the first to now", "The story of our boats"),
        ("Who kept the keys, from the very beginning until today?", "Who kept the keys?"),
        ("What has it cost ever since the start?", "What has it cost?"),
    ],
)
def test_a_question_about_all_times_has_no_period(question: str, core: str) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.core, parsed.periods) == (core, ())


def times_of(question: str) -> list[str]:
    return [phrase(period.interval) for period in parse(question, TODAY).periods]


@pytest.mark.parametrize(
    ("question", "times"),
    [
        # side by side
        ("Which rates held in September 2015 and in May 2020?", ["September 2015", "May 2020"]),
        ("What was the toll in 2001, 2005 and 2009?", ["2001", "2005", "2009"]),
        ("What came in in 2001, 2005 and 2009?", ["2001", "2005", "2009"]),
        ("Who led the Fed before 2008 and after 2012?", ["before 2008", "since 2013"]),
        ("How has the law changed since 1995 compared with 2010?", ["since 1995", "2010"]),
        ("What was the toll on 5 May 2001 and on 6 May 2001?", ["5 May 2001", "6 May 2001"]),
        ("Who ruled Rome in 44 BC and in 31 BC?", ["44 BCE", "31 BCE"]),
        ("What was the toll in the 1990s and in 1995?", ["1990 to 1999", "1995"]),
        ("What was the toll from 2001 to 2003 and from 2007 to 2009?", ["2001 to 2003", "2007 to 2009"]),
        ("Compare 2005 and 2010", ["2005", "2010"]),
        # set apart
        ("What was the toll each year from 2001 to 2003?", ["2001", "2002", "2003"]),
        ("What is the difference between the tolls between 2001 and 2005?", ["2001", "2005"]),
        ("What was the toll in each month of 2001?", [f"{month} 2001" for month in MONTH_NAMES]),
        # a rate, a count of different things and a preposition at the end of its clause set nothing apart
        ("What did they pay each month in 2001?", ["2001"]),
        ("How many different keepers were there between 1998 and 2003?", ["1998 to 2003"]),
        ("Where did the coal come from in 2012?", ["2012"]),
        ("A day ticket: how much in 2005, and how much in 2009?", ["2005", "2009"]),
        # what begins or counts from something that is no date
        ("How did the toll rise from the opening of the bridge to 2009?", ["before 2010"]),
        ("Who was keeper six years after the count of 2003?", ["2009"]),
        ("What was the toll from the keeper's first day until 2009?", ["before 2010"]),
        # a year without a preposition, in a question of a few words
        ("bridge toll 2009?", ["2009"]),
        ("keeper of the bridge 1998", ["1998"]),
        ("room 2012?", []),
        ("when was edna's last evening?", []),
        # parts that one of two leaves out
        ("What was the toll in March of 2001 and 2002?", ["March 2001", "March 2002"]),
        (
            "What was the toll in Q1 and Q3 2019?",
            ["January 2019 to March 2019", "July 2019 to September 2019"],
        ),
        (
            "What was the toll in spring and autumn 2019?",
            ["March 2019 to May 2019", "September 2019 to November 2019"],
        ),
        # restricting each other
        ("What was decided after 2005 but before 2010?", ["2006 to 2009"]),
        ("How did the toll change between 1960 and 1980?", ["1960 to 1980"]),
        # a month or a feast without a year of its own, as a part of the topic and beside another time
        ("How many came to hear the Christmas oratorio in 2011?", ["2011"]),
        (
            "August seems busy: what happened in August 2016 and in August 2018?",
            ["August 2016", "August 2018"],
        ),
        ("What was decided at the December meetings of 2015 and 2018?", ["2015", "2018"]),
        ("How did the toll in June compare with June 2015?", ["June 2020", "June 2015"]),
        # one that is asked about all the same
        ("What was decided in March 2016, April and May?", ["March 2016", "April 2016", "May 2016"]),
        ("Who came in 2001, and who in June?", ["2001", "June 2001"]),
        # a season in a name
        ("Where were the Winter Fair Games in 2012?", ["2012"]),
    ],
)
def test_times_stand_side_by_side_or_restrict_each_other(question: str, times: list[str]) -> None:
    assert times_of(question) == times


@pytest.mark.parametrize(
    ("question", "roles"),
    [
        ("What was the toll in 2005 and in 2010?", ["asked", "asked"]),
        ("What was the toll in 2005 compared with 2010?", ["baseline", "comparison"]),
        (
            "What was the toll in 2001 compared with 2005 and with 2009?",
            ["baseline", "comparison", "comparison"],
        ),
        ("What was the toll in 2005?", ["asked"]),
    ],
)
def test_the_first_of_what_is_compared_is_the_baseline(question: str, roles: list[str]) -> None:
    assert [str(period.role) for period in parse(question, TODAY).periods] == roles


@pytest.mark.parametrize(
    ("question", "core", "each"),
    [
        (
            "For what sum was it insured in 1999, and for what sum in 2003?",
            "For what sum was it insured?",
            ["For what sum was it insured in 1999?", "For what sum was it insured in 2003?"],
        ),
        (
            "Half a plot: how much in 2005 and how much in 2010?",
            "Half a plot: how much?",
            ["Half a plot: how much in 2005?", "Half a plot: how much in 2010?"],
        ),
        (
            "How did the toll in 2005 compare with 2010?",
            "How did the toll compare?",
            ["What was the toll in 2005?", "What was the toll in 2010?"],
        ),
        (
            "Compare US privacy law in 1990 and 2020",
            "Compare US privacy law",
            ["What was US privacy law in 1990?", "What was US privacy law in 2020?"],
        ),
        (
            "How does Tesco's 2015 revenue compare with 2018's?",
            "How does Tesco's revenue compare?",
            ["What was Tesco's revenue in 2015?", "What was Tesco's revenue in 2018?"],
        ),
        (
            "Who led the Fed before 2008 and after 2012?",
            "Who led the Fed?",
            ["Who led the Fed before 2008?", "Who led the Fed after 2012?"],
        ),
        (
            "How has the law changed since 1995 compared with 2010?",
            "How has the law changed?",
            ["How has the law changed since 1995?", "How has the law changed in 2010?"],
        ),
    ],
)
def test_each_period_is_asked_about_alone(question: str, core: str, each: list[str]) -> None:
    parsed = parse(question, TODAY)
    assert parsed.core == core
    assert [at(parsed, period).question for period in parsed.periods] == each


def test_only_the_period_of_the_reference_day_is_now() -> None:
    parsed = parse("How does the toll in 2005 compare with now?", TODAY)
    assert [at(parsed, period).current for period in parsed.periods] == [False, True]


def check_periods(parsed: ParsedQuestion) -> None:
    """Every period holds days and its own constraints, and the question about it alone asks about it."""
    for period in parsed.periods:
        interval = period.interval
        assert interval.start is None or interval.end is None or interval.start < interval.end
        assert any(constraint.interval is not None for constraint in period.constraints)
        alone = at(parsed, period)
        assert alone.periods in ((period,), parsed.periods)
        assert len(alone.periods) == 1
        assert alone.window == interval
        assert alone.core.strip()
        assert alone.constraints == period.constraints
    if parsed.periods:
        assert tuple(c for period in parsed.periods for c in period.constraints) == parsed.constraints
        assert as_one(parsed).window == hull_of(parsed.periods)
    roles = [period.role for period in parsed.periods]
    assert (PeriodRole.COMPARISON in roles) == (PeriodRole.BASELINE in roles)
    plan = make_plan(parsed)
    assert [step.number for step in plan.steps] == list(range(1, len(plan.steps) + 1))
    assert all(needed < step.number for step in plan.steps for needed in step.needs)
    if len(parsed.periods) > 1:
        searches = [step.window for step in plan.steps if step.kind is StepKind.PERIOD]
        assert searches == [period.interval for period in parsed.periods]


@pytest.mark.parametrize("text", strings(600, seed=14))
def test_any_text_has_periods_that_can_be_asked_about(text: str) -> None:
    check_periods(parse(text, TODAY))


JOINTS = ["and", "versus", "compared with", "but not", ",", "and in", "than", "or", "while", "against", ""]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([*PIECES, "2005", "1995"]), st.sampled_from(JOINTS)), max_size=8))
def test_any_words_with_joints_between_them_do_too(words: list[tuple[str, str]]) -> None:
    check_periods(parse(f"What was it {' '.join(f'{one} {joint}' for one, joint in words)}?", TODAY))


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_so_does_any_text_at_all(text: str) -> None:
    check_periods(parse(text, TODAY))


def test_without_a_time_there_is_no_hull() -> None:
    assert hull_of(()) is None
    assert hull_of(parse("What was it before 2005 and after 2010?", TODAY).periods) is not None


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("Trace the course of the toll", "Trace"),
        ("Give me every toll from 1990 to 1995", "Give me"),
        ("Did the toll rise?", ""),
        ("Bridge tolls in 1990", ""),
        ("", ""),
    ],
)
def test_an_order_to_tell_opens_a_question(question: str, order: str) -> None:
    assert imperative_of(question) == order


@pytest.mark.parametrize(
    ("question", "course"),
    [
        ("Trace the toll from 1990 to 1995", True),
        ("How did the toll go from 1990 to 1995?", True),
        ("Who was mayor from 1990 to 1995?", False),
        ("How long was the bridge closed from 1990 to 1995?", False),
    ],
)
def test_a_course_is_told_apart_from_one_thing_over_a_time(question: str, course: bool) -> None:
    assert tells_course(question) is course
