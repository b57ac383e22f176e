"""Who held an office on a day, from texts that name its holder on other days."""

from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.extractive import answer_from
from timelens.answer.holders import Holder, holder_of
from timelens.answer.model import Status
from timelens.documents import Event, EventSource, Hit
from timelens.question.parse import parse
from timelens.temporal.calendar import day_number, parse_day
from timelens.temporal.interval import day_interval

TODAY = day_number(2021, 5, 6)


def news(name: str, day: str, *sentences: str) -> Hit:
    """An article of a day, whose sentences state no time but their own."""
    published = day_interval(parse_day(day))
    made = hit(name, sentences, 2000, title=f"News {name}")
    events = tuple(Event(published, n, EventSource.PUBLISHED, 1.0) for n in range(len(sentences)))
    return replace(made, chunk=replace(made.chunk, published=published, events=events), interval=published)


NEWS = [
    news("a", "2001-02-01", "The Alpine Bank cut its rate.", "Chairman Ada Lind gave no reason."),
    news("b", "2003-06-01", "The Alpine Bank raised its rate.", "Chairwoman Ada Lind was in favour."),
    news("c", "2006-03-01", "Bo Falk has led the Alpine Bank since 1 February 2006."),
    news("d", "2008-03-01", "The Alpine Bank waits.", "Chairman Bo Falk and President Cy Moor disagree."),
    news("e", "2016-03-01", "The Alpine Bank waits.", "Dee Roth took office as chairwoman on 3 March 2015."),
    news("f", "2008-03-01", "The Coast Bank waits.", "Chairman Ed Voss wants more, says the Alpine Bank."),
    news("g", "2008-03-02", "The Alpine Bank waits.", "Deputy Chairman Flo Gray wants more."),
]


def held(question: str, evidence: list[Hit] = NEWS) -> Holder | None:
    return holder_of(parse(question, TODAY), evidence)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who chaired the Alpine Bank in May 2002?", "Ada Lind"),  # named before and after
        ("Who chaired the Alpine Bank in May 2005?", "Ada Lind"),  # until another took over
        ("Who chaired the Alpine Bank on 1 February 2006?", "Bo Falk"),
        ("Who led the Alpine Bank in 2007?", "Bo Falk"),  # a chairman: most texts call its head so
        ("Who was chairman of the Alpine Bank as of April 2008?", "Bo Falk"),  # named shortly before
        ("Who chaired the Alpine Bank in December 2000?", "Ada Lind"),  # named shortly after
    ],
)
def test_who_is_named_next_to_a_day_held_the_office(question: str, name: str) -> None:
    holder = held(question)
    assert holder is not None
    assert holder.name == name


@pytest.mark.parametrize(
    "question",
    [
        "Who chaired the Alpine Bank in 2012?",  # seven years without a name leave room for another
        "Who chaired the Alpine Bank in 1999?",
        "Who chaired the Alpine Bank in 2020?",
        "Who chaired the Forest Bank in 2002?",
        "Who chaired the Alpine Bank?",
        "Who was Governor of the Alpine Bank in 2002?",
        "Who praised the Alpine Bank in 2002?",
    ],
)
def test_nobody_is_taken_to_hold_an_office_without_being_named(question: str) -> None:
    assert held(question) is None


def test_whom_nobody_is_known_to_have_followed_holds_the_office_now() -> None:
    question = "Who is currently chairman of the Alpine Bank?"
    assert held(question) is None  # six years without a name
    latest = news(
        "h", "2019-04-01", "The Alpine Bank waits.", "Chairman Gus Horn, in office since 1 March 2018."
    )
    now = held(question, [*NEWS, latest])
    assert now is not None
    assert now.name == "Gus Horn"


def test_who_is_named_while_another_takes_over_does_not_come_back() -> None:
    late = news("h", "2006-02-03", "The Alpine Bank moved.", "It was the last act of Chairwoman Ada Lind.")
    holder = held("Who chaired the Alpine Bank in March 2006?", [*NEWS, late])
    assert holder is not None
    assert holder.name == "Bo Falk"


def test_a_text_that_looks_back_has_nobody_in_office_on_its_day() -> None:
    old = news("h", "2020-03-01", "The Alpine Bank was young.", "Chairman Gus Wood founded it in 1921.")
    back = Event(day_interval(day_number(1921)), 1, EventSource.STATED, 1.0)
    chunk = replace(old.chunk, events=(*old.chunk.events, back))
    assert held("Who chaired the Alpine Bank in March 2020?", [replace(old, chunk=chunk)]) is None


def test_the_answer_is_the_name_before_the_sentences_on_both_sides() -> None:
    draft = answer_from(parse("Who chaired the Alpine Bank in May 2002?", TODAY), NEWS, NEWS)
    assert draft.status is Status.ANSWERED
    assert [value.text for value in draft.values] == ["Ada Lind"]
    assert [citation.hit.chunk.id for citation in draft.citations] == ["a", "b"]
