"""A text that tells a later value than a row that is still in force is the newer one."""

import pytest
from made_corpora import made_corpus

from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

OFFICERS = (
    "Post,Name,From,To\nTreasurer,Farida Nasser,2023-04-01,\nTreasurer,Ruth Cave,2012-05-01,2023-03-31\n"
    "Secretary,Maureen Addy,2021-09-01,\n"
)
MINUTES = (
    "# Minutes of 19 March 2026\n\nPresent: nine members.\n\n"
    "Ben Sorrell was elected treasurer from 1 July 2026. Farida Nasser gives up the books.\n"
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"officers.csv": OFFICERS, "minutes-2026-03-19.md": MINUTES})


@pytest.mark.parametrize(
    ("question", "today", "name"),
    [
        ("Who is the treasurer now?", (2026, 11, 29), "Ben Sorrell"),
        ("Who is our treasurer?", (2026, 11, 29), "Ben Sorrell"),
        ("Who was treasurer in August 2026?", (2026, 11, 29), "Ben Sorrell"),
        ("Who was treasurer in February 2026?", (2026, 11, 29), "Farida Nasser"),
        ("Who was treasurer in 2022?", (2026, 11, 29), "Ruth Cave"),
        ("Who is the secretary now?", (2026, 11, 29), "Maureen Addy"),
        ("Who was the first treasurer since 2023?", (2026, 11, 29), "Farida Nasser"),
    ],
)
def test_the_later_value_answers(
    house: Corpus, question: str, today: tuple[int, int, int], name: str
) -> None:
    assert house.ask(question, as_of=day_number(*today)).text.startswith(name)
