"""States that a text says to have ended, and what was written after the day that counts as today."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

FILES = {
    "2023-02-10-board.md": (
        "# Minutes of the board, 10 February 2023\n\n"
        "Bo Falk succeeded Ada Lind, who had chaired the board since 2009 "
        "and stepped down on 31 December 2022.\n"
    ),
    "2022-03-18-bridge.md": (
        "---\ndate: 2022-03-18\n---\n# A bridge at last\n\n"
        "Mayor Ida Holm opened the Elm Bridge on Wednesday, eleven years after it was first proposed. "
        "It cost £18.4 million; in 2013 the estimate had been £9 million, and in 2017 it was £14 million.\n"
    ),
    "log.md": "# Log of the light\n\n## 3 September 2016\n\nIda Marlow is the keeper now.\n",
}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, FILES)


@pytest.mark.parametrize(("year", "says_yes"), [(2015, True), (2023, False)])
def test_no_yes_for_a_time_after_the_end_of_a_state(papers: Corpus, year: int, says_yes: bool) -> None:
    answer = papers.ask(f"Was Ada Lind chair of the board in {year}?", as_of=day_number(2024))
    assert answer.text.startswith("Yes") is says_yes
    assert "2009 to 2022: Bo Falk succeeded" in answer.text


def test_a_heading_is_not_what_a_pronoun_refers_to(papers: Corpus) -> None:
    answer = papers.ask("What was the estimate for the bridge in 2013?", as_of=day_number(2024))
    assert answer.text.startswith("£9 million")
    assert "A bridge at last" not in answer.text
    assert not [note for note in answer.notes if "contradict" in note]


@pytest.mark.parametrize(("today", "status"), [(2015, Status.NO_ANSWER), (2017, Status.ANSWERED)])
def test_now_is_not_told_from_what_was_written_later(papers: Corpus, today: int, status: Status) -> None:
    answer = papers.ask("Who is the keeper now?", as_of=day_number(today))
    assert answer.status is status
    assert ("Ida Marlow" in answer.text) is (status is Status.ANSWERED)
