"""Names of times that a question asks to tell, and times that count from the time beside them."""

import pytest

from timelens.question.asked_names import without_asked_names
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number
from timelens.temporal.phrasing import phrase

TODAY = day_number(2026, 12, 1)


def times(question: str) -> list[str]:
    return [phrase(period.interval) for period in parse(question, TODAY).periods]


@pytest.mark.parametrize(
    "question",
    [
        "Which christmas saw the most mince pies ordered?",
        "What Christmas had the most visitors?",
        "Which Easter did the choir sing in Ely?",
        "Which winter was the coldest?",
        "On which Monday did the shop shut?",
        "Which Easter Monday was the match played?",
        "Which Christmas Eve did the power fail?",
        "Which december was the busiest?",
        "Which Friday is the deadline?",
        "Which one Christmas did we skip the fair?",
        "Which Sunday roast do they serve?",
        "What was the wettest July on record?",
        "What was the busiest Christmas?",
        "Which month had the highest sales?",
        "Which year saw the most pies ordered?",
    ],
)
def test_a_name_of_a_time_that_is_asked_for_is_no_time(question: str) -> None:
    parsed = parse(question, TODAY)
    assert not parsed.periods
    assert parsed.core == question


@pytest.mark.parametrize(
    ("question", "core", "time"),
    [
        ("Which winter in the 1990s was the coldest?", "Which winter was the coldest?", "1990 to 1999"),
        ("Which Sunday in March 2019 did it rain?", "Which Sunday did it rain?", "March 2019"),
        ("Which Monday this year was the fair?", "Which Monday was the fair?", "2026"),
        ("Which Christmas 2019 concert was sold out?", "Which concert was sold out?", "25 December 2019"),
        ("Which Easter 2015 service was it?", "Which service was it?", "5 April 2015"),
        ("What happened at Christmas?", "What happened?", "25 December 2026"),
        ("Who came on the latest Monday?", "Who came?", "30 November 2026"),
    ],
)
def test_the_other_time_of_such_a_question_stays(question: str, core: str, time: str) -> None:
    parsed = parse(question, TODAY)
    assert times(question) == [time]
    if "latest" not in question:
        assert parsed.core == core


def test_signs_stand_in_place_of_an_asked_name() -> None:
    assert without_asked_names("Which Easter of 2010?") == "Which xxxxxx of 2010?"
    assert without_asked_names("Which Easter 2010?") == "Which Easter 2010?"


@pytest.mark.parametrize(
    ("question", "core", "first", "second"),
    [
        ("Did more guests stay in 2025 or the year before?", "Did more guests stay?", "2025", "2024"),
        ("Did more guests stay in 2025 or in the year before?", "Did more guests stay?", "2025", "2024"),
        ("Were more goals scored in 2019 or the year after?", "Were more goals scored?", "2019", "2020"),
        ("Was it wetter in May 2024 or the month before?", "Was it wetter?", "May 2024", "April 2024"),
        ("Did more come on 5 May 2019 or the day before?", "Did more come?", "5 May 2019", "4 May 2019"),
        ("Was turnout higher in 2019 or the year prior?", "Was turnout higher?", "2019", "2018"),
        ("Was turnout higher in 2019 versus the year before?", "Was turnout higher?", "2019", "2018"),
        ("Were there more in 1995 than in the year before?", "Were there more?", "1995", "1994"),
        ("How did the rent in 2019 compare to the year before?", "How did the rent compare?", "2019", "2018"),
        ("Was it higher in 2019 or two years before?", "Was it higher?", "2019", "2017"),
        ("How many came in 2020 and the following year?", "How many came?", "2020", "2021"),
        ("Did more come last year or the year before?", "Did more come?", "2025", "2024"),
        (
            "Did more come yesterday or the day before?",
            "Did more come?",
            "30 November 2026",
            "29 November 2026",
        ),
        (
            "Was it colder in winter 1990 or the winter before?",
            "Was it colder?",
            "December 1990 to February 1991",
            "December 1989 to February 1990",
        ),
        (
            "Did more come at Christmas 2019 or the Christmas before?",
            "Did more come?",
            "25 December 2019",
            "25 December 2018",
        ),
    ],
)
def test_a_time_beside_another_counts_from_it(question: str, core: str, first: str, second: str) -> None:
    assert times(question) == [first, second]
    assert parse(question, TODAY).core == core


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Did more people visit in 2015 or the year before the war?", ["2015"]),
        ("Did the year before 2010 bring more rain?", ["2009"]),
        ("Who won in 1990 or earlier?", ["before 1991"]),
        ("Who moved in after 2010?", ["since 2011"]),
        ("What changed between 2019 and the year before?", ["2018 to 2019"]),
        ("Did we sell more this year or last year?", ["2026", "2025"]),
    ],
)
def test_other_times_beside_a_year_stay_as_they_are(question: str, wanted: list[str]) -> None:
    assert times(question) == wanted


def test_the_words_behind_a_date_leave_no_preposition() -> None:
    assert parse("Who won in 1990 or earlier?", TODAY).core == "Who won?"
    assert parse("Who was chair in May 2010 or later?", TODAY).core == "Who was chair?"
