"""Follow-ups that refer to a turn before the last one, or that replace one thing of a question by another."""

from collections.abc import Sequence

import pytest

from timelens.question.followup.conversation import AnsweredValue, Turn
from timelens.question.followup.resolve import resolve
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Granularity, Interval

TODAY = parse_day("2024-12-31")
Said = tuple[str, AnsweredValue | None]


def held(text: str, start: str, end: str | None = None) -> AnsweredValue:
    days = parse_day(start), None if end is None else parse_day(end)
    return AnsweredValue(text, Interval(*days, Granularity.DAY), held=True)


def stated(text: str, day: str) -> AnsweredValue:
    return AnsweredValue(text, Interval(parse_day(day), parse_day(day) + 1, Granularity.DAY), held=False)


ADA = held("Ada Lind", "2010-03-12", "2015-03-14")
CHAIR = ("Who was chair in 2012?", ADA)
RESIGNED = ("When did Bo Ek resign?", stated("4 October 2011", "2011-10-04"))
SPONSOR = ("Who sponsored the club in 2016?", stated("Oak Brewery", "2016-05-01"))
ROOF = ("When was the boathouse closed?", stated("June 2015", "2015-06-01"))


def read(talk: Sequence[Said], last: str) -> str | None:
    """The reading of the last text, after turns with their answers, of which each may be a follow-up."""
    turn: Turn | None = None
    for text, answer in talk:
        asked = text if turn is None else resolve(text, turn, TODAY) or text
        turn = Turn(asked, () if answer is None else (answer,)).after(turn)
    assert turn is not None
    return resolve(last, turn, TODAY)


@pytest.mark.parametrize(
    ("talk", "last", "question"),
    [
        ([CHAIR, ("since when?", ADA)], "who came before her?", "Who was chair last before 12 March 2010?"),
        (
            [CHAIR, ("how long was she chair?", ADA)],
            "and her successor?",
            "How long was the successor of Ada Lind chair?",
        ),
        ([CHAIR, ("how long?", ADA)], "what about the treasurer?", "Who was the treasurer in 2012?"),
        ([RESIGNED], "who replaced him?", "Who succeeded Bo Ek?"),
        ([RESIGNED], "who came before him?", "Who preceded Bo Ek?"),
        (
            [("How long did Bo Ek serve?", None), ("and his predecessor?", None)],
            "and his successor?",
            "How long did the successor of Bo Ek serve?",
        ),
        (
            [SPONSOR, ("and before that?", None)],
            "and after that?",
            "Who sponsored the club immediately after Oak Brewery?",
        ),
        (
            [RESIGNED, ("who was it before?", held("Cy Fox", "2006-04-01", "2011-10-31"))],
            "and before him?",
            "Who preceded Cy Fox?",
        ),
        (
            [("how many members did we have in 2010?", None), ("and in 2018?", None)],
            "how many more is that?",
            "How many members did we have in 2010 compared with 2018?",
        ),
        (
            [("What was our income in 2011?", None), ("and in 2009?", None)],
            "which of the two was higher?",
            "What was our income in 2011 compared with 2009?",
        ),
        (
            [ROOF, ("who was chair then?", ADA)],
            "how long was it closed?",
            "How long was the boathouse closed?",
        ),
        (
            [("What did coffee cost in 2014?", None), ("and in 2020?", None)],
            "how much more is that?",
            "What did coffee cost in 2014 compared with 2020?",
        ),
    ],
)
def test_a_follow_up_may_refer_to_an_earlier_turn(talk: Sequence[Said], last: str, question: str) -> None:
    assert read(talk, last) == question


@pytest.mark.parametrize(
    ("first", "last", "question"),
    [
        (
            "How many boats did the club own in 2012?",
            "and members?",
            "How many members did the club own in 2012?",
        ),
        ("How many boats did the club own in 2012?", "and the fee?", "The fee in 2012?"),
        (
            "How many boats did the club own in 2012?",
            "and the choir?",
            "How many boats did the choir own in 2012?",
        ),
        ("How much was the rent in 2012?", "and the fee?", "How much was the fee in 2012?"),
        ("How much did tea cost in 2012?", "and coffee?", "How much did coffee cost in 2012?"),
        ("What did a coffee cost in 2012?", "and tea?", "What did a tea cost in 2012?"),
        ("How much did tea cost in 2012?", "by how much did it rise?", "By how much did tea rise?"),
        ("When was Kingfisher bought?", "how much did it cost?", "How much did Kingfisher cost?"),
        (
            "Who was chair between 2010 and 2020?",
            "and the captain?",
            "Who was the captain between 2010 and 2020?",
        ),
        ("Which year had the most members?", "and the fewest?", "Which year had the fewest members?"),
        ("Who was chair in 2012?", "no, I meant 2021", "Who was chair in 2021?"),
        ("Who was chair on 3 May 2015?", "and the day before that?", "Who was chair on 2 May 2015?"),
        (
            "Who was chair from May 2015 to June 2016?",
            "and the day before that?",
            "Who was chair on 30 April 2015?",
        ),
        (
            "How many members were there in 2019?",
            "was it more or less than the year before?",
            "How many members were there in 2019 compared with 2018?",
        ),
        (
            "How many members were there in 2014?",
            "how many more than in 2012?",
            "How many members were there in 2014 compared with 2012?",
        ),
        (
            "Who was chair when Ruth was born?",
            "and when the roof was mended?",
            "Who was chair when the roof was mended?",
        ),
        (
            "Who was chair when Kingfisher was damaged?",
            "and when it was bought?",
            "Who was chair when Kingfisher was bought?",
        ),
        ("What happened in May 1990?", "and in June?", "What happened in June 1990?"),
        ("Who was chair in 2012?", "sorry, the treasurer", "Who was the treasurer in 2012?"),
        ("How many members in 2009?", "oops, 2019 I mean", "How many members in 2019?"),
        ("How many members were there in 2019?", "and how many boats?", "How many boats were there in 2019?"),
        (
            "How many members were there in 2015?",
            "more than in 2019?",
            "How many members were there in 2015 compared with 2019?",
        ),
        (
            "How many members were there in 2013?",
            "and in the year of the open-air show?",
            "How many members were there in the year of the open-air show?",
        ),
        ("Who was chair in 2012?", "In the year of the flood, who was mayor?", None),
        ("2015", "in May 2018?", None),
    ],
)
def test_a_follow_up_replaces_one_thing(first: str, last: str, question: str | None) -> None:
    assert read([(first, None)], last) == question


def test_the_turns_before_are_kept_up_to_a_number() -> None:
    turn: Turn | None = None
    for number in range(10):
        turn = Turn(f"question {number}").after(turn)
    assert turn is not None
    assert [one.question for one in turn.latest_first()] == [f"question {n}" for n in range(9, 4, -1)]
