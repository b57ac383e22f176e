"""Times that a question names by an event, and what the question asks once their days are known."""

import pytest

from timelens.question.implicit_times import ImplicitTime, implicit_times, offered
from timelens.question.parse import parse, resolved
from timelens.question.plan import lookups, make_plan
from timelens.question.roles import Role
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval, month_interval, year_interval

TODAY = day_number(2021, 5, 6)


def only(question: str) -> ImplicitTime:
    (time,) = parse(question, TODAY).implicit
    return time


@pytest.mark.parametrize(
    ("question", "event", "relation", "role", "unit"),
    [
        ("Who was mayor when the bridge fell?", "the bridge fell", "in", "held", None),
        ("Who was mayor when Ada became queen?", "Ada became queen", "in", "start", None),
        ("Who was mayor while Ada was queen?", "Ada was queen", "in", "held", None),
        ("Who was mayor when Ada stepped down?", "Ada stepped down", "in", "end", None),
        (
            "Who was chancellor during the 7th Winter Olympics?",
            "the 7th Winter Olympics",
            "in",
            "held",
            None,
        ),
        ("Who was mayor at the time of the flood?", "the flood", "in", "held", None),
        ("What changed after the merger?", "the merger", "after", "held", None),
        ("Who was mayor immediately before Bob Birch?", "Bob Birch", "before", "held", None),
        ("Who has been mayor since the flood?", "the flood", "since", "held", None),
        ("Who was mayor prior to the flood?", "the flood", "before", "held", None),
        ("Who was mayor in the year of the flood?", "the flood", "in", "held", Granularity.YEAR),
        (
            "Which ship sank in the month in which Ada died?",
            "Ada died",
            "in",
            "held",
            Granularity.MONTH,
        ),
        ("Who led the bank when J. P. Elm was there?", "J. P. Elm was there", "in", "held", None),
        ("Who ran the festival once Ada had given it up?", "Ada had given it up", "after", "held", None),
        ("Who was looking after the garden when Ada arrived?", "Ada arrived", "in", "held", None),
    ],
)
def test_an_event_in_the_place_of_a_date(
    question: str, event: str, relation: str, role: str, unit: Granularity | None
) -> None:
    time = only(question)
    assert (time.text, time.relation, time.role, time.unit) == (event, Relation(relation), Role(role), unit)
    assert time.phrase in question
    first, second = make_plan(parse(question, TODAY), lookups(parse(question, TODAY))).steps
    assert (first.query, first.window, first.purpose) == (event, None, "when the event was")
    assert second.number == 2


@pytest.mark.parametrize(
    "question",
    [
        "Who was mayor before 4 May 2004?",
        "Who was mayor after 2004?",
        "Who was mayor during the 1990s?",
        "Why did the volunteers stop giving lifts during the day?",
        "Who was on duty during the night?",
        "When was the bridge built?",
        "Who was mayor?",
        "After that?",
        "Who once led the club?",
        "Who gave the prize for the choir that the festival liked best?",
        "What did the concert of the festival cost in 2004?",
    ],
)
def test_a_date_is_no_event_and_neither_is_a_question_for_it(question: str) -> None:
    assert parse(question, TODAY).implicit == ()


TERM = Interval(parse_day("1990-03-01"), parse_day("1994-06-10"), Granularity.DAY)


@pytest.mark.parametrize(
    ("question", "event", "days", "ordinal"),
    [
        ("Who was mayor while Ada was queen?", TERM, ("1990-03-01", "1994-06-10"), None),
        ("Who was mayor when Ada became queen?", TERM, ("1990-03-01", "1990-03-02"), None),
        ("Who was mayor when Ada resigned?", TERM, ("1994-06-09", "1994-06-10"), None),
        ("Who was mayor after Ada?", TERM, ("1994-06-10", None), "first"),
        ("Who was mayor before Ada?", TERM, (None, "1990-03-01"), "last"),
        ("Who was the second mayor after Ada?", TERM, ("1994-06-10", None), 2),
        ("Which mayors are there since Ada?", TERM, ("1990-03-01", None), None),
        (
            "Who was mayor in the year of the flood?",
            month_interval(1990, 5),
            ("1990-01-01", "1991-01-01"),
            None,
        ),
    ],
)
def test_the_days_of_the_event_take_its_place(
    question: str, event: Interval, days: tuple[str | None, str | None], ordinal: object
) -> None:
    parsed = parse(question, TODAY)
    (time,) = parsed.implicit
    known = resolved(parsed, time, event)
    assert known is not None
    assert known.window is not None
    start, end = days
    assert known.window.start == (None if start is None else parse_day(start))
    assert known.window.end == (None if end is None else parse_day(end))
    assert known.ordinal == ordinal
    assert known.implicit == ()
    assert time.text not in known.core
    assert "  " not in known.core


def test_nothing_comes_after_what_goes_on() -> None:
    parsed = parse("Who was mayor after Ada?", TODAY)
    (time,) = parsed.implicit
    assert resolved(parsed, time, Interval(0, None)) is None
    parsed = parse("Who was mayor before Ada?", TODAY)
    (time,) = parsed.implicit
    assert resolved(parsed, time, Interval(None, 0)) is None


def test_a_date_beside_the_event_still_holds() -> None:
    parsed = parse("Which mayors in 1993 served while Ada was queen?", TODAY)
    (time,) = parsed.implicit
    known = resolved(parsed, time, TERM)
    assert known is not None
    assert known.window is not None
    assert known.window.same_days(year_interval(1993))


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Which landed first on Mars, Spirit or Opportunity?", ("Spirit", "Opportunity")),
        ("Which came later: the Elm Act or the Birch Act?", ("the Elm Act", "the Birch Act")),
        ("Who was mayor first, Ada Elm, or Bob Birch?", ("Ada Elm", "Bob Birch")),
        ("Which came first?", ()),
        ("Was it red or blue, Ada?", ()),
    ],
)
def test_what_is_offered_to_choose_from(question: str, things: tuple[str, ...]) -> None:
    assert offered(question) == things


def test_each_thing_offered_is_looked_up_with_what_is_said_of_it() -> None:
    parsed = parse("Which landed first on Mars, Spirit or Opportunity?", TODAY)
    assert [step.query for step in lookups(parsed)] == [
        "Spirit landed on Mars",
        "Opportunity landed on Mars",
    ]


def test_the_same_event_twice_is_found_once_each() -> None:
    found = list(implicit_times("Who rose after the war, and who fell after the war?", ()))
    assert [time.text for time, _ in found] == ["the war", "the war"]
    assert [span for _, span in found] == [(9, 22), (37, 50)]


@pytest.mark.parametrize(
    ("question", "event"),
    [
        ("Who was king during the 14th edition of the Summer Olympics?", "the 1948 Summer Olympics"),
        ("Who was king for the first modern Summer Olympic Games?", "the 1896 Summer Olympic Games"),
        ("Who was king of the host country of the 32nd Summer Games?", "the 2020 Summer Games"),
        ("Who was king during the fourteenth Summer Games?", "the 1948 Summer Games"),
        ("Who was king during the 14th Winter Olympics?", "the 14th Winter Olympics"),
        (
            "Who was king for the 18th edition of the Winter Olympics?",
            "the 18th edition of the Winter Olympics",
        ),
        ("Who was the king who presided over the Oslo 1952 Olympics?", "the Oslo 1952 Olympics"),
        ("Who was king of the host country for the St. Moritz 1928 Games?", "the St. Moritz 1928 Games"),
        ("What was the name of the king when Oslo hosted the 1952 Games?", "Oslo hosted the 1952 Games"),
    ],
)
def test_editions_are_known_by_their_year(question: str, event: str) -> None:
    (time,) = parse(question, TODAY).implicit
    assert time.text == event
    assert time.phrase in question
