"""Questions that ask two things of a folder of papers, with the weights that come with the package."""

import pytest
from made_corpora import made_corpus, minutes

from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-30")
PAPERS = {
    "2012-03-05": "The contract for the new slipway went to Corder & Pike, for £18,400. Work begins in May.",
    "2013-06-11": "First rowing race of the club. Nine boats took part, and the weather was poor.",
    "2014-06-10": "Second rowing race of the club. Fourteen boats took part.",
    "2015-01-20": "The treasurer Ines Mallory reported that the fee stays at £60 a year.",
    "2019-01-22": "The fee goes up to £85 a year. The treasurer is now Owen Strand.",
}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, minutes(PAPERS))


def test_both_things_stand_in_the_first_line(papers: Corpus) -> None:
    answer = papers.ask("Who got the contract for the slipway and for how much?", as_of=TODAY)
    lead, *evidence = answer.text.splitlines()
    assert ("Corder & Pike" in lead, "£18,400" in lead) == (True, True), answer.text
    assert answer.status is Status.ANSWERED
    assert len(evidence) == len(set(evidence)) > 0
    assert answer.read_as is not None
    assert "Corder & Pike got the contract" in answer.read_as
    assert [step.number for step in answer.plan.steps] == [1, 2]
    assert all(claim.support is Support.SUPPORTED for claim in answer.claims), answer.claims


def test_a_count_is_told_for_each_of_two_things(papers: Corpus) -> None:
    question = "How many boats took part in the first race, and how many in the second?"
    answer = papers.ask(question, as_of=TODAY)
    assert ("Nine" in answer.text, "Fourteen" in answer.text) == (True, True), answer.text


def test_what_is_not_found_of_two_things_is_said(papers: Corpus) -> None:
    answer = papers.ask("Who got the contract for the slipway and who painted the clubhouse?", as_of=TODAY)
    assert answer.status is Status.PARTIAL, answer.text
    assert "Corder & Pike" in answer.text
    assert "Who painted the clubhouse" in answer.text


def test_what_is_asked_of_an_unknown_holder_is_left_out(papers: Corpus) -> None:
    answer = papers.ask("Who paints the clubhouse and since when?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert "since when" not in answer.text.casefold()


def test_one_thing_at_two_times_is_compared(papers: Corpus) -> None:
    answer = papers.ask("What was the fee in 2015, and what in 2019?", as_of=TODAY)
    assert len(answer.periods) == 2
    assert ("£60" in answer.text, "£85" in answer.text) == (True, True), answer.text


def test_the_next_question_refers_to_both(papers: Corpus) -> None:
    first = papers.ask("Who got the contract for the slipway and for how much?", as_of=TODAY)
    answer = papers.ask("and when?", as_of=TODAY, after=first.turn)
    assert "2012" in answer.text, answer.text
