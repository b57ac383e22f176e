"""Yes-or-no questions over a folder of papers, with the weights that come with the package."""

import pytest
from made_corpora import made_corpus, minutes

from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-30")
PAPERS = {
    "2013-04-02": "Olga has the keys. The members voted to paint the reading room, nine to two.",
    "2014-09-10": "The landlord wrote. The rent of the reading room goes from 310 to 335 in October.",
    "2016-02-20": "We looked at the piano. Nobody wants to buy the piano, so it stays where it is.",
    "2018-05-05": "Olga left us for the coast. Since May Henrik has had the keys to the reading room.",
}
TELLING = {
    "Did the members agree to paint the reading room?": ("Yes", "voted to paint"),
    "Was the piano sold?": ("No", "Nobody wants to buy the piano"),
    "Did Olga still have the keys to the reading room in 2019?": ("No", "Henrik has had the keys"),
}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, minutes(PAPERS))


STILL = "Did Olga still have the keys to the reading room in 2019?"
HAS_ANOTHER = pytest.mark.xfail(reason="that another has the keys is read as yes", strict=True)


@pytest.mark.parametrize(
    "question", [pytest.param(each, marks=HAS_ANOTHER if each == STILL else ()) for each in TELLING]
)
def test_yes_or_no_comes_before_the_sentence_that_tells(papers: Corpus, question: str) -> None:
    answer = papers.ask(question, as_of=TODAY)
    assert answer.status is Status.ANSWERED
    said, words = TELLING[question]
    lead, first = answer.text.splitlines()[:2]
    assert (lead.startswith(said), words in first) == (True, True), answer.text


def test_yes_and_no_are_no_claims_of_the_evidence(papers: Corpus) -> None:
    answer = papers.ask("Was the piano sold?", as_of=TODAY)
    assert [claim.support for claim in answer.claims] == [Support.SUPPORTED]
    assert "piano" in answer.claims[0].text


def test_of_what_is_in_no_paper_nothing_is_named(papers: Corpus) -> None:
    answer = papers.ask("Did Ferdinand climb Mount Etna?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert "Nearest" not in answer.text
