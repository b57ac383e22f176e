"""Courses told by the values that are read in texts, over a corpus of their own, with the real readers."""

import pytest
from made_corpora import made_corpus

from timelens import Answer, Corpus
from timelens.answer.draft import Status, Support
from timelens.temporal.calendar import parse_day

NOW = parse_day("2024-01-01")
LETTERS = {
    "1998.md": "---\ndate: 1998-10-08\n---\nThe yearly subscription of the club stays at £36. It rained.\n",
    "2006.md": "---\ndate: 2006-09-02\n---\nThe yearly subscription of the club is £60 from today. Hot.\n",
    "2012.md": (
        "---\ndate: 2012-09-04\n---\nThe yearly subscription of the club is £84 from today, or £7 a month. "
        "The hall was cold and the rent of the hall went to £19 a night.\n"
    ),
    "2015.md": "---\ndate: 2015-05-09\n---\nThe outing to the lake was wet. Ferry tickets were £11 each.\n",
}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, LETTERS)


def asked(club: Corpus, question: str) -> Answer:
    answer = club.ask(question, as_of=NOW)
    assert answer.status is not Status.NO_ANSWER
    assert all(claim.support is not Support.CONTRADICTED for claim in answer.claims)
    return answer


@pytest.mark.parametrize(
    "question",
    [
        "How did the yearly subscription of the club change from 1998 to 2014?",
        "Trace which yearly subscription the club asked from 1998 to 2014.",
    ],
)
def test_a_course_has_every_value_and_the_difference_of_the_likeliest(club: Corpus, question: str) -> None:
    told = asked(club, question).text
    assert ["£36" in told, "£60" in told, "£84" in told] == [True, True, True]
    assert "Difference: +£48, from £36" in told  # not to the £7 a month of the same sentence


def test_what_one_period_states_supports_what_is_read_for_the_other(club: Corpus) -> None:
    told = asked(club, "What was the yearly subscription of the club in 1998, and what in 2012?").text
    assert ["£36" in told, "£84" in told] == [True, True]
