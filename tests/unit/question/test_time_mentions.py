"""Where the times of a question stand in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.question.parse import parse
from timelens.question.time_mentions import mentions
from timelens.temporal.calendar import day_number

TODAY = day_number(2021, 6, 15)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who was Chancellor between 1990 and 2020?", ["between 1990 and 2020"]),
        ("What was Bank Rate in 2001,  2005 and\n2009?", ["in 2001", "2005", "2009"]),
        ("How did the fee in 2014 compare with 2018?", ["in 2014", "2018"]),
        ("What was the fee after 2005 but before 2010?", ["after 2005 but before 2010"]),
        ("What was paid each year from 2000 to 2003?", ["each year from 2000 to 2003"]),
        ("Wer war Kanzler im Mai 1990?", ["im Mai 1990"]),
        ("Who is president now?", ["now"]),
        ("How did 2015 differ, and in 2015?", ["2015", "in 2015"]),
        ("Who was the first human in space?", []),
        ("And what before that?", []),
    ],
)
def test_the_words_of_the_periods_are_found(question: str, words: list[str]) -> None:
    assert [question[start:end] for start, end in mentions(parse(question, TODAY))] == words


def test_a_year_inside_of_another_word_is_not_taken_for_it() -> None:
    question = "What did A2005 say in 2005?"
    assert mentions(parse(question, TODAY)) == ((19, 26),)


@given(st.text(alphabet="in 2005and vs19.\nfromto", max_size=60))
def test_places_are_in_order_apart_and_inside(question: str) -> None:
    if not question.strip():
        return
    end = 0
    for start, until in mentions(parse(question, TODAY)):
        assert end <= start < until <= len(question)
        end = until
