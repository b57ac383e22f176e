"""An event that stands for a time is looked up in the corpus before the question is answered."""

import pytest
from made_corpora import made_corpus

from timelens.agent import Dated, Planned
from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2021, 5, 6)
MAYORS = (
    "Town,Mayor,Start,End\nElmton,Ada Alder,1990-01-01,1995-06-30\nElmton,Bob Birch,1995-06-30,2001-03-01\n"
)
GAMES = (
    "Edition,Town,Game,Start,End\n"
    "3,Elmton,Spring Games,1993-05-01,1993-05-09\n"
    "4,Oakham,Spring Games,1997-05-01,1997-05-09\n"
)
# Counts the games that were held, as some tables do; by the official count those of 1992 were the 25th.
OLYMPICS = (
    "Edition,Town,Season,Game,Start,End\n"
    "3,Elmton,Winter,Elmton 1992,1992-02-01,1992-02-09\n"
    "9,Elmton Spa,Summer,Elmton Spa 1992,1992-07-01,1992-07-09\n"
    "10,Elmton,Summer,Elmton 1996,1996-07-01,1996-07-09\n"
    "25,Oakham,Summer,Oakham 2000,2000-07-01,2000-07-09\n"
)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    flood = "The river rose on 4 May 1998. The Great Flood of Elmton drowned the market on 5 May 1998."
    documents = {
        "mayors.csv": MAYORS,
        "games.csv": GAMES,
        "olympics.csv": OLYMPICS,
        "flood.md": f"---\ntitle: The Great Flood of Elmton\ndate: 1998-05-09\n---\n\n{flood}\n",
    }
    return made_corpus(tmp_path_factory, documents)


@pytest.mark.parametrize(
    ("question", "mayor"),
    [
        ("Who was Mayor of Elmton when the Great Flood drowned the market?", "Bob Birch"),
        ("Who was Mayor of Elmton after Ada Alder?", "Bob Birch"),
        ("Who was Mayor of Elmton immediately before Bob Birch?", "Ada Alder"),
        ("Who was Mayor of the host town during the 3rd Spring Games?", "Ada Alder"),
        ("Who was Mayor of Elmton during the 25th Summer Games?", "Ada Alder"),
        ("Who was Mayor of Elmton during the 1996 Summer Games?", "Bob Birch"),
    ],
)
def test_the_days_of_the_event_decide(town: Corpus, question: str, mayor: str) -> None:
    answer = town.ask(question, as_of=TODAY)
    assert [value.text for value in answer.values] == [mayor]
    assert len(answer.citations) == 2
    assert answer.notes == ()


@pytest.mark.parametrize(
    ("question", "mayor"),
    [
        ("Who was Mayor of the host town during the 7th Harvest Festival?", "Dee Dogwood"),
        ("Who was Mayor of the town that welcomed Queen Olga, in 1992?", "Cy Cedar"),
        ("Who was Mayor of the town whose market the Great Flood drowned, in 1998?", "Bob Birch"),
    ],
)
def test_a_text_tells_which_one_is_meant(
    question: str, mayor: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = "Oakham,Cy Cedar,1989-01-01,1996-06-30\nOakham,Dee Dogwood,1996-06-30,2003-03-01\n"
    held = "The 7th Harvest Festival was held in Oakham from 3 to 9 May 1999."
    held += " Oakham welcomed Queen Olga on 4 May 1999."
    flood = "The Great Flood drowned the market of Elmton on 5 May 1998."
    documents = {
        "mayors.csv": MAYORS + rows,
        "fair.md": f"---\ntitle: The Harvest Festival\ndate: 1999-05-12\n---\n\n{held}\n",
        "flood.md": f"---\ntitle: The river\ndate: 1998-05-09\n---\n\n{flood}\n",
    }
    corpus = made_corpus(tmp_path_factory, documents)
    assert [value.text for value in corpus.ask(question, as_of=TODAY).values] == [mayor]


def test_the_event_is_told_and_the_plan_drawn_up_again(town: Corpus) -> None:
    events = list(
        town.stream("Who was Mayor of Elmton when the Great Flood drowned the market?", as_of=TODAY)
    )
    (dated,) = [event.event for event in events if isinstance(event, Dated)]
    assert dated.interval.start == day_number(1998, 5, 5)
    plans = [event.plan for event in events if isinstance(event, Planned)]
    assert [plan.steps[-1].window for plan in plans] == [None, dated.interval]


def test_an_event_that_the_corpus_does_not_tell_of_is_said_to_be_unknown(town: Corpus) -> None:
    answer = town.ask("Who was Mayor of Elmton when Krakatoa erupted?", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert any("Krakatoa erupted" in note for note in answer.notes)


def test_what_the_answer_cites_counts_for_how_far_it_reaches(town: Corpus) -> None:
    answer = town.ask("Who was Mayor of Elmton in 1994 or 1996?", as_of=TODAY, k=1)
    assert [value.text for value in answer.values] == ["Ada Alder", "Bob Birch"]
    assert (answer.coverage.share, answer.coverage.gaps) == (1, ())
