"""Questions that ask how many different things there are, over texts."""

import pytest
from evidence import hit

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.ways import answer_from
from timelens.question.asked_numbers import things_counted
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number

TODAY = day_number(2026)
CLUB = "Minutes of the club"
TREASURERS = [
    hit("a", ["Ada Lind is treasurer and keeps the accounts."], 2010, title=CLUB),
    hit("b", ["Bo Falk took over as treasurer from Ada Lind."], 2013, title=CLUB),
    hit("c", ["Cy Alm was elected treasurer in place of Bo Falk."], 2018, title=CLUB),
]


def answered(question: str) -> Draft:
    return answer_from(parse(question, TODAY), TREASURERS, TREASURERS)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How many different people kept the keys?", "which people kept the keys?"),
        ("With how many insurers was it covered?", "With which insurers was it covered?"),
        ("number of firms so far", "which firms so far"),
        ("How many times was it put off?", None),
        ("Who kept the keys?", None),
    ],
)
def test_a_question_for_a_number_is_read_as_one_for_the_things(question: str, named: str | None) -> None:
    assert things_counted(question) == named


def test_things_that_no_text_counts_are_named_in_order_of_time() -> None:
    draft = answered("How many different treasurers has the club had?")
    assert draft.status is Status.NO_ANSWER
    head, *lines = draft.text.splitlines()
    assert head.endswith("Named, perhaps not all:")
    assert [line.partition(":")[0] for line in lines] == ["2010", "2013", "2018"]
    assert [near.citation.hit.chunk.id for near in draft.nearest] == ["a", "b", "c"]


def test_only_things_of_the_asked_time_are_named_and_a_name_is_no_number() -> None:
    draft = answered("How many treasurers has the club had since 2012?")
    assert draft.status is Status.NO_ANSWER
    assert [near.citation.hit.chunk.id for near in draft.nearest] == ["b", "c"]


def test_a_number_that_a_text_states_is_the_answer() -> None:
    stated = [hit("m", ["In 2014 the club had 42 members."], 2014, title=CLUB)]
    draft = answer_from(parse("How many members did the club have in 2014?", TODAY), stated, stated)
    assert draft.status is Status.ANSWERED
    assert "42" in draft.text.splitlines()[0]
