"""Lengths that a range tells, and moments beside less precise times, read in texts by the networks."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2026, 6, 1)
FILES = {
    "diary.md": """# Diary of the weir

## 2024

After the storm the scouts of Lower Hythe gave us a morning. A ticket machine for the car park came on 18 May
2024.

## 2025

The ford below the weir was closed from 3 March to 21 July 2025 because of a broken slab. On 9 August 2025 we
had a visit from the mayor, who got a basket of plums.
""",
}


@pytest.fixture(scope="module")
def weir(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, FILES)


@pytest.mark.parametrize(
    "question", ["How long was the ford closed?", "How long was the ford closed in 2025?"]
)
def test_a_range_tells_a_length(weir: Corpus, question: str) -> None:
    answer = weir.ask(question, as_of=TODAY)
    told = "4 months and 18 days (3 March 2025 to 21 July 2025)"
    assert (answer.status, answer.text.startswith(told)) == (Status.ANSWERED, True), answer.text


def test_a_day_comes_before_the_year_that_contains_it(weir: Corpus) -> None:
    answer = weir.ask("When did the ticket machine come?", as_of=TODAY)
    assert answer.text.startswith("18 May 2024"), answer.text
