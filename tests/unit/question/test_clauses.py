"""A question that asks several things is split, and one that asks one thing at several times is not."""

import pytest

from timelens.question.clauses import at_answered_time, clauses_of
from timelens.question.followup.conversation import Turn
from timelens.question.followup.resolve import resolve
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-12-31")


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        (
            "What was the fee in 2015, and how has this changed since then?",
            ("What was the fee in 2015?", "What was the fee since 2015?"),
        ),
        ("Who has been keeper since 2010, and when did it change?", ("Who has been keeper since 2010?",)),
        ("What was the rent, and how did it change?", ("What was the rent?", "how did it change?")),
        (
            "What was the rent in 2012, and how did it change the budget?",
            ("What was the rent in 2012?", "how did it change the budget in 2012?"),
        ),
        ("Who built the shed and for how much?", ("Who built the shed?", "for how much?")),
        ("Who will run the shop, and from when?", ("Who will run the shop?", "from when?")),
        ("Into whose care did it pass, and when?", ("Into whose care did it pass?", "when?")),
        (
            "Where and when was the first meeting held?",
            ("Where was the first meeting held?", "When was the first meeting held?"),
        ),
        (
            "How many boats sailed in the first race, and how many in the third?",
            ("How many boats sailed in the first race?", "How many boats sailed in the third race?"),
        ),
        (
            "How many hens did the fox get, and how many did he give away?",
            ("How many hens did the fox get?", "how many hens did he give away?"),
        ),
        (
            r"How many \d boxes came, and how many did he open?",
            (r"How many \d boxes came?", r"how many \d boxes did he open?"),
        ),
        (
            "Who was the landlord in 2010 and what was the rent?",
            ("Who was the landlord in 2010?", "what was the rent in 2010?"),
        ),
        (
            "Who wired the house in 2004, and what did he charge?",
            ("Who wired the house in 2004?", "what did he charge in 2004?"),
        ),
        (
            "Did the boiler fail in 2012, and who mended it?",
            ("Did the boiler fail in 2012?", "who mended it?"),
        ),
        ("When is the fair, was it moved?", ("When is the fair?", "was it moved?")),
        (
            "When was the roof redone and wasn't it meant to be earlier?",
            ("When was the roof redone?", "wasn't it meant to be earlier?"),
        ),
        ("List every apprentice we had, with when they started", ("List every apprentice we had",)),
        ("list all managers of the mill with their years", ("list all managers of the mill",)),
        (
            "Who wired the house in 2004, and what did he do before?",
            ("Who wired the house in 2004?", "what did he do before?"),
        ),
        (
            "Who was warden in 2018 and how many stays did we count that year?",
            ("Who was warden in 2018?", "how many stays did we count in 2018?"),
        ),
        (
            "Who chaired in 2010 and who was it before then?",
            ("Who chaired in 2010?", "who was it before then?"),
        ),
        (
            "Did we earn less in 2020 than in 2019, and by how much?",
            ("Did we earn less in 2020 than in 2019?",),
        ),
        ("Who won the race in 2010 and by how much?", ("Who won the race in 2010?", "by how much?")),
        (
            "oil in 2003 vs 2015: which firm and how much?",
            ("oil in 2003 vs 2015: which firm?", "oil in 2003 vs 2015: how much?"),
        ),
        (
            "How has our insurance changed from 2003 until 2015? firm and price please",
            (
                "How has our insurance changed from 2003 until 2015: which firm?",
                "How has our insurance changed from 2003 until 2015: which price?",
            ),
        ),
    ],
)
def test_each_thing_asked_is_a_question(question: str, clauses: tuple[str, ...]) -> None:
    assert clauses_of(question, TODAY) == clauses


@pytest.mark.parametrize(
    ("question", "once"),
    [
        ("Who sold us oil in 2003, and who in 2015?", "Who sold us oil in 2003 and in 2015?"),
        (
            "What did a plot cost in 2007 and what did it cost in 2012?",
            "What did a plot cost in 2007 and in 2012?",
        ),
        (
            "Who kept the books in 2001 and who was doing it ten years on, in 2011?",
            "Who kept the books in 2001 and ten years on, in 2011?",
        ),
        (
            "How many members were there in 2014 and how many after the merger?",
            "How many members were there in 2014 and after the merger?",
        ),
        (
            "How did the fee change from 1998 to 2019, and in which years?",
            "How did the fee change from 1998 to 2019?",
        ),
    ],
)
def test_one_thing_at_several_times_is_one_question(question: str, once: str) -> None:
    assert clauses_of(question, TODAY) == (once,)


@pytest.mark.parametrize(
    "question",
    [
        "The last two changes of chair before 2010 - who took over, and when?",
        "oil: what did we pay in 2003 and what in 2015?",
        "What was the rent in 2012 and in 2013?",
        "What happened when the roof leaked and when the boiler failed?",
        "Who was the woman who founded the club and who later left it?",
        "Who was president before 2020, and whose term lasted beyond 2025?",
        "What are the names of those who led the party and whose term ended before 2003?",
        "How many people and how many dogs came to the fair in 2012?",
        "Name the man who built it and who sold it",
        "Rock and where it comes from",
    ],
)
def test_other_questions_stay_whole(question: str) -> None:
    assert clauses_of(question, TODAY) == (question,)


@pytest.mark.parametrize(
    ("asked", "said", "whole"),
    [
        (
            "How many boats sailed in the first race?",
            "and in the second?",
            "How many boats sailed in the second race?",
        ),
        ("Who built the shed?", "for how much?", "For how much: who built the shed?"),
    ],
)
def test_what_is_left_out_is_taken_from_the_question_before(asked: str, said: str, whole: str) -> None:
    assert resolve(said, Turn(asked), TODAY) == whole


@pytest.mark.parametrize(
    ("clause", "asked"),
    [
        ("how did it turn out?", "how did it turn out on 5 May 2015?"),
        ("what was so before that?", "what was so before that?"),
        ("when was it done again?", "when was it done again?"),
        ("what did it cost in 2010?", "what did it cost in 2010?"),
        ("who chaired the board?", "who chaired the board?"),
    ],
)
def test_a_clause_that_refers_back_is_asked_at_the_time_that_was_told(clause: str, asked: str) -> None:
    assert at_answered_time(clause, "on 5 May 2015", TODAY) == asked
