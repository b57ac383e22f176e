"""What is read in the text of an answer: names, days and refusals, on texts that the tests write."""

import pytest

from timelens.bench.free_text import named_in, refuses
from timelens.bench.measures import (
    ACCURACY,
    ANSWER_AND_TIME,
    TIME_ACCURACY,
    WITHOUT_TIME,
    Named,
    Outcome,
    Unstated,
)
from timelens.bench.suite_data import Gold, TimedAnswer
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.interval import Granularity

NOW = day_number(2025, 1, 26)
QUESTION = "Who was President of Arcadia after Ada Alder?"
BIRCH = TimedAnswer("Bob Birch", parse_day("1994-06-10"), parse_day("1999-12-31"))
CEDAR = TimedAnswer("Cay Cedar", parse_day("1999-12-31"), None)
RIVALS = ("Ada Alder", "Dan Dogwood", "Birch", "Élie Elm")
BOTH = ("start", "end")


def gold(*timed: TimedAnswer, ends: tuple[str, ...] = BOTH, unit: Granularity = Granularity.MONTH) -> Gold:
    return Gold({}, timed=timed, ends=ends, rivals=RIVALS, unit=unit)


def scored(text: str, known: Gold) -> tuple[float | None, ...]:
    """A, T, AT and Δ of a text."""
    values = named_in(text, QUESTION, known, NOW)
    outcome = Outcome((), (), text, text, refused=refuses(text), values=values)
    return tuple(m.score(outcome, known) for m in (ACCURACY, TIME_ACCURACY, ANSWER_AND_TIME, WITHOUT_TIME))


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Bob Birch, from 10 June 1994 to 31 December 1999.", (1, 1, 1, 0)),
        ("From June 1994 to December 1999 the President was BOB BIRCH.", (1, 1, 1, 0)),
        ("Bob Birch. He took office on 1994-06-10 and left on 1999-12-31.", (1, 1, 1, 0)),
        ("Bob Birch (10 June 1994 – 31 December 1999), who came after Ada Alder.", (1, 1, 1, 0)),
        ("Bob Birch, from 1994 to 1999.", (1, 0, 0, 1)),  # months are known
        ("Bob Birch, since 10 June 1994.", (1, 0.5, 0, 1)),
        ("Bob Birch, from 10 June 1994 to 30 November 1999.", (1, 0.5, 0, 1)),
        ("Bob Birch, from 3 May 1901 to 7 April 1950.", (1, 0, 0, 1)),
        ("Bob Birch.", (1, 0, 0, 1)),
        ("Dan Dogwood, from 10 June 1994 to 31 December 1999.", (0, 0, 0, 0)),
        ("Bob Birch or Dan Dogwood, from 10 June 1994 to 31 December 1999.", (0, 0, 0, 0)),
        ("It was Elie Elm. Bob Birch came later.", (0, 0, 0, 0)),
        ("Nobody knows.", (0, 0, 0, 0)),
        ("", (0, 0, 0, 0)),
    ],
)
def test_names_and_days_are_those_of_the_text(text: str, scores: tuple[float, ...]) -> None:
    assert scored(text, gold(BIRCH)) == scores


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Bob Birch and Zoe Zelkova were.", False),
        ("Bob Birch (1994), Zoe Zelkova [2] and Yan Yew (1999).", False),
        ("- Zoe Zelkova\n- Bob Birch", False),
        ("1. **Bob Birch**\n2. **Zoe Zelkova**", False),
        ("President Bob Birch and his office.", True),
        ("Bob Birch, Leader of the Union, and nobody else.", True),
        ("Bob Birch and Arcadia.", True),
        ("- Bob Birch", True),
    ],
)
def test_who_is_listed_beside_a_right_name_is_named_too(text: str, right: bool) -> None:
    assert scored(text, gold(BIRCH))[0] == float(right)


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Cay Cedar, since 31 December 1999.", (1, 1)),
        ("Cay Cedar has been since December 1999 to the present.", (1, 1)),
        ("Cay Cedar (December 1999 – present)", (1, 1)),
        ("Cay Cedar, 31 December 1999.", (1, 0.5)),
        ("Cay Cedar, from 31 December 1999 to 5 May 2020.", (1, 0.5)),
        ("Cay Cedar is.", (1, 0)),
    ],
)
def test_what_still_holds_is_to_be_said_to_go_on(text: str, scores: tuple[float, float]) -> None:
    assert scored(text, gold(CEDAR))[:2] == scores


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Bob Birch from June 1994 to December 1999, Cay Cedar since December 1999.", (1, 1)),
        ("- Bob Birch: June 1994 to December 1999\n- Cay Cedar: since December 1999", (1, 1)),
        ("June 1994 to December 1999: Bob Birch. Since December 1999: Cay Cedar.", (1, 1)),
        ("Bob Birch since December 1999, Cay Cedar from June 1994 to December 1999.", (1, 0)),
        ("Bob Birch, from June 1994 to December 1999.", (0, 0.5)),
    ],
)
def test_each_name_has_the_times_that_go_with_it(text: str, scores: tuple[float, float]) -> None:
    assert scored(text, gold(BIRCH, CEDAR))[:2] == scores


def test_a_year_is_enough_where_the_data_knows_no_more() -> None:
    yearly = TimedAnswer("Bob Birch", day_number(1994), day_number(1999))
    assert scored("Bob Birch, 1994 to 1999.", gold(yearly))[1] == 0
    assert scored("Bob Birch, 1994 to 1999.", gold(yearly, unit=Granularity.YEAR))[1] == 1
    assert scored("Bob Birch, in the 1990s.", gold(yearly, unit=Granularity.YEAR))[1] == 0


def test_one_day_may_be_both_ends_of_a_fact() -> None:
    day = TimedAnswer("Bob Birch", BIRCH.start, BIRCH.start)
    assert scored("Bob Birch, on 10 June 1994.", gold(day))[1] == 1


def test_a_name_without_a_time_has_no_days() -> None:
    assert named_in("It was Bob Birch.", QUESTION, gold(BIRCH), NOW) == (
        Named("bob birch", Unstated.UNSTATED, Unstated.UNSTATED),
    )


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("No answer in the evidence.", True),
        ("  no answer: the records end in 1990.", True),
        ("The evidence does not say who it was.", True),
        ("I don't know.", True),
        ("Unsure", True),
        ("None of them began in 1995.", True),
        ("Nonette Oak was.", False),
        ("It was Bob Birch; there is no answer for 1995.", False),
        ("", False),
    ],
)
def test_a_refusal_is_said_at_once(text: str, refused: bool) -> None:
    assert refuses(text) is refused
    assert scored(text, gold())[0] == float(refused and not named_in(text, QUESTION, gold(), NOW))
