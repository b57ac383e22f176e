"""How long somebody held a post, and what was so meanwhile, with the weights that come with the package."""

import pytest
from made_corpora import made_corpus, minutes

from timelens.answer.draft import Status, Support
from timelens.corpus import Corpus
from timelens.temporal.calendar import parse_day

TODAY = parse_day("2024-06-30")
PAPERS = {
    "2011-03-02": "Present: Nora Keele (chair), Tom Ashby, Lil Sparrow. Hire of the hall stays at £20.",
    "2013-05-14": "Nora Keele stood down as chair after six years. Tom Ashby was elected chair in her place.",
    "2014-02-11": "Tom Ashby in the chair. The hire of the hall goes up to £26 from today.",
    "2018-09-18": "Lil Sparrow was elected chair in place of Tom Ashby, who moves to Wales.",
    "2019-04-09": "Present: Lil Sparrow (chair), Nora Keele. The hire of the hall goes up to £34.",
}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, minutes(PAPERS))


def test_a_post_lasts_until_the_next_holder(papers: Corpus) -> None:
    answer = papers.ask("How long was Tom Ashby chair?", as_of=TODAY)
    assert answer.text.startswith("5 years, 4 months and 4 days"), answer.text
    assert len(answer.citations) == 2
    assert all(claim.support is Support.SUPPORTED for claim in answer.claims), answer.claims


def test_a_time_named_by_a_post_ends_with_the_next_holder(papers: Corpus) -> None:
    answer = papers.ask("What was the hire of the hall while Tom Ashby was chair?", as_of=TODAY)
    first, second, *_ = answer.text.splitlines()  # the hire when it began, and the new one
    assert ("£20" in first, "£26" in second, "£34" in answer.text) == (True, True, False), answer.text
    assert "Tom Ashby was chair: 14 May 2013 to 17 September 2018 [" in answer.text


def test_since_a_year_each_change_of_holder_is_told(papers: Corpus) -> None:
    answer = papers.ask("Who has been chair since 2013, and when did it change?", as_of=TODAY)
    first, *_, last = answer.text.splitlines()  # Nora, chair in 2011, and Lil's second mention are left out
    assert "Tom Ashby was elected chair" in first, answer.text
    assert "Lil Sparrow was elected chair" in last, answer.text


@pytest.mark.parametrize("question", ["How long was Tom Ashby in Wales?", "How long was Tom Ashby ill?"])
def test_a_state_of_several_at_a_time_has_no_next_holder(papers: Corpus, question: str) -> None:
    answer = papers.ask(question, as_of=TODAY)
    assert answer.status is Status.NO_ANSWER, answer.text
