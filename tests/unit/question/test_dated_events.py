"""Events that a question names with their date bound its time by that date."""

import pytest

from timelens.question.parse import parse
from timelens.temporal.calendar import day_number
from timelens.temporal.constraints import Relation
from timelens.temporal.phrasing import phrase

TODAY = day_number(2026, 12, 1)


@pytest.mark.parametrize(
    ("question", "core", "relation", "time"),
    [
        ("Who held it before the stop in 2020?", "Who held it?", Relation.BY, "before 2021"),
        ("Before the stop in 2020, who held it?", "Who held it?", Relation.BY, "before 2021"),
        ("Who has won since the restart in 2021?", "Who has won?", Relation.SINCE, "since 2021"),
        ("Who was chair before the move in March 2019?", "Who was chair?", Relation.BY, "before April 2019"),
        ("Who ran the shop after the fire in 1987?", "Who ran the shop?", Relation.SINCE, "since 1987"),
        ("Who led it until the merger in 2015?", "Who led it?", Relation.UNTIL, "before 2016"),
        ("Who led it up to the merger in 2015?", "Who led it?", Relation.UNTIL, "before 2016"),
        ("Who led it till its sale in 1999?", "Who led it?", Relation.UNTIL, "before 2000"),
        ("Who led it by the time of the fire in 1987?", "Who led it?", Relation.BY, "before 1988"),
        ("Who led it prior to the closure in 1999?", "Who led it?", Relation.BY, "before 2000"),
        ("Who led it before Ann's death in 2015?", "Who led it?", Relation.BY, "before 2016"),
        ("Who led it before Ann left in 2015?", "Who led it?", Relation.BY, "before 2016"),
        ("Who led it before moving in 2019?", "Who led it?", Relation.BY, "before 2020"),
        (
            "Who led it before the merger with the Leeds club in 2015?",
            "Who led it?",
            Relation.BY,
            "before 2016",
        ),
        (
            "Who led it before the stop on 13 March 2020?",
            "Who led it?",
            Relation.BEFORE,
            "before 13 March 2020",
        ),
        ("Who led it five years after the fire in 1987?", "Who led it?", Relation.IN, "1992"),
        ("Who led it from the opening in 1990 up to now?", "Who led it?", Relation.SINCE, "since 1990"),
        ("Who led it from the sale in 1960 until the fire in 1987?", "Who led it?", None, "1960 to 1987"),
    ],
)
def test_an_event_with_its_date_bounds_the_time(
    question: str, core: str, relation: Relation | None, time: str
) -> None:
    parsed = parse(question, TODAY)
    (period,) = parsed.periods
    assert (parsed.core, phrase(period.interval)) == (core, time)
    assert relation is None or period.relation is relation


@pytest.mark.parametrize(
    "question",
    [
        "What was brought before the council in 1990?",
        "Who appeared before the court in 1990?",
        "Who was president before Ford in 1990?",
        "What was the price before tax in 1990?",
        "Who looked after the garden in 1990?",
        "How long after the fire in 1990 did it reopen?",
        "What happened the day after the fire in 1990?",
        "Which book was borrowed from the library in 1990?",
        "What won the race after the one in 1990?",
    ],
)
def test_other_words_before_a_date_bound_nothing(question: str) -> None:
    (period,) = parse(question, TODAY).periods
    assert (period.relation, phrase(period.interval)) == (Relation.IN, "1990")


def test_both_sides_of_an_event_have_no_day_in_common() -> None:
    parsed = parse("Was the rent lower before the move in 2015 than after the move in 2015?", TODAY)
    assert [phrase(period.interval) for period in parsed.periods] == ["before 2015", "since 2016"]


def test_an_event_without_a_date_may_begin_a_time_up_to_now() -> None:
    (event,) = parse("Who ran it from the opening up to now?", TODAY).implicit
    assert (event.text, event.relation) == ("the opening", Relation.SINCE)
    assert not parse("Who drove from the farm to the present owner's house?", TODAY).implicit


@pytest.mark.parametrize(
    ("question", "core"),
    [
        (
            "Which club was the last to win the title before the stop in 2020?",
            "Which club did win the title?",
        ),
        ("Who was the first to join the choir in 1999?", "Who did join the choir?"),
        ("Who was second to arrive in 2010?", "Who did arrive?"),
        ("What was the last to be sold?", "What was sold?"),
        ("Who was the second to last to leave?", "Who did leave?"),
        ("Who is the last to leave?", "Who does leave?"),
        ("Which was the last club to win the cup?", "Which was the club to win the cup?"),
        ("Who was the last mayor in 2010?", "Who was the mayor?"),
    ],
)
def test_an_order_leaves_a_readable_topic(question: str, core: str) -> None:
    parsed = parse(question, TODAY)
    assert parsed.core == core
    assert parsed.ordinal is not None


@pytest.mark.parametrize(
    "question",
    [
        "How did the club get from the first hut in 1970 to the new hall in 1985?",
        "What changed from 1970 to the sale in 1985?",
    ],
)
def test_the_date_of_an_event_is_the_end_of_a_time(question: str) -> None:
    parsed = parse(question, TODAY)
    assert parsed.window is not None
    assert (parsed.window.start, parsed.window.end) == (day_number(1970), day_number(1986))


def test_what_something_came_to_in_a_year_is_no_end() -> None:
    periods = parse("Which letters from Ann in 2014 came to the office in 2015?", TODAY).periods
    assert [period.text for period in periods] == ["in 2014", "in 2015"]


def test_a_beginning_whose_end_is_not_told_by_a_date_is_no_open_time() -> None:
    parsed = parse("How did it go from the first trial in early 1999 to steering two years later?", TODAY)
    assert parsed.window is not None
    assert parsed.window.end is not None
