"""A follow-up is answered by what was said before, and the user is told how it was read."""

from pathlib import Path

import pytest
from made_corpora import made_corpus

from timelens.agent import Parsed, Reworded
from timelens.answer.draft import Status
from timelens.api import open_corpus
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2021, 5, 6)
MAYORS = (
    "Town,Mayor,Start,End\n"
    "Elmton,Ada Alder,1990-01-01,1995-06-30\nElmton,Bob Birch,1995-06-30,2001-03-01\n"
    "Elmton,Cid Cedar,2001-03-01,\nOakham,Dot Dogwood,1992-01-01,2003-01-01\n"
)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"mayors.csv": MAYORS})


@pytest.mark.parametrize(
    ("talk", "said"),
    [
        (["Who was Mayor of Elmton in 1996?", "and before that?"], "Ada Alder"),
        (["Who was Mayor of Elmton in 1996?", "who came next?"], "Cid Cedar"),
        (["Who was Mayor of Elmton in 1996?", "and before that?", "and after her?"], "Bob Birch"),
        (["Who was Mayor of Elmton in 1996?", "what about 1993?"], "Ada Alder"),
        (["Who was Mayor of Elmton in 1993?", "compare that with 2005"], "Cid Cedar"),
        (["Who was Mayor of Elmton in 1983 and in 1986?", "ten years later?"], "Ada Alder"),
        (["Who was Mayor of Elmton in 1993 and in 2005?", "and in between?"], "Bob Birch"),
        (["Who was Mayor of Elmton in 1996?", "and in oakham?"], "Dot Dogwood"),
        (["Who was Mayor of Elmton in 1996?", "how long?"], "5 years"),
        (["who was the boss of elmtn in 1996, pls"], "Bob Birch"),
    ],
)
def test_a_conversation_goes_on(town: Corpus, talk: list[str], said: str) -> None:
    turn = None
    for text in talk:
        answer = town.ask(text, as_of=TODAY, after=turn)
        turn = answer.turn
    assert answer.question == talk[-1]
    assert answer.read_as is not None
    assert said in answer.text


def test_the_reading_of_a_follow_up_is_told(town: Corpus) -> None:
    first = town.ask("Who was Mayor of Elmton in 1996?", as_of=TODAY)
    assert (first.read_as, first.notes) == (None, ())
    events = list(town.stream("and in Oakham?", as_of=TODAY, after=first.turn))
    assert events[0] == Reworded("Who was Mayor of Oakham in 1996?")
    assert isinstance(events[1], Parsed)
    answer = town.ask("and in Oakham?", as_of=TODAY, after=first.turn)
    assert answer.notes == ("read as: Who was Mayor of Oakham in 1996?",)


@pytest.mark.parametrize(
    ("talk", "read_as"),
    [
        (["Who was Mayor of Elmton in 1996?", "and now?"], "Who is Mayor of Elmton now?"),
        (["Who is Mayor of Elmton?", "and in 1996?"], "Who was Mayor of Elmton in 1996?"),
        (["Who governed Elmton in 1996?", "and who does it today?"], "Who governs Elmton now?"),
    ],
)
def test_a_follow_up_is_read_in_the_tense_of_its_time(town: Corpus, talk: list[str], read_as: str) -> None:
    turn = None
    for text in talk:
        answer = town.ask(text, as_of=TODAY, after=turn)
        turn = answer.turn
    assert answer.read_as == read_as


def test_the_person_whom_the_evidence_names_is_meant(tmp_path: Path) -> None:
    (tmp_path / "minutes.md").write_text(
        "# Minutes of the choir\n\n## 4 May 2010\n\nMrs Moor resigned, because her eyes are bad.\n"
        "Mr Paul Orr was elected librarian.\n\n## 6 May 2014\n\nMr Paul Orr stepped down.\n"
        "Miss Ida Fox was elected librarian.\n"
    )
    corpus = open_corpus(str(tmp_path / "home"))
    corpus.ingest([tmp_path / "minutes.md"])
    asked = corpus.ask("Who was librarian when the hall burnt?", as_of=TODAY)
    why = corpus.ask("why did she resign?", as_of=TODAY, after=asked.turn)
    assert "Moor" in why.turn.shown
    after = corpus.ask("who came after her?", as_of=TODAY, after=why.turn)
    assert after.read_as == "Who was librarian immediately after Mrs Moor?"


def test_nobody_came_before_himself(tmp_path: Path) -> None:
    (tmp_path / "work.csv").write_text(
        "Work,Person,From,Until\nOrgan,Ida Fox,2001-01-01,2009-12-31\nGarden,Bo Ek,2010-06-01,2014-08-31\n"
        "Garden,Cy Orr,2014-09-01,\n"
    )
    (tmp_path / "minutes.md").write_text(
        "# Minutes\n\n## 4 May 2009\n\nMr Bo Ek, who lives at the mill, will look after the garden from next "
        "summer on.\n\n## 6 May 2011\n\nThe roof was mended.\n"
    )
    corpus = open_corpus(str(tmp_path / "home"))
    corpus.ingest([tmp_path / "work.csv", tmp_path / "minutes.md"])
    first = corpus.ask("Who looked after the garden in 2012?", as_of=TODAY)
    assert [value.text for value in first.values] == ["Bo Ek"]
    before = corpus.ask("and before him?", as_of=TODAY, after=first.turn)
    assert before.read_as == "Who looked after the garden last before 1 June 2010?"
    assert not before.values


def test_a_word_that_is_read_as_another_is_told(town: Corpus) -> None:
    answer = town.ask("Who was Mayor of Elmtn in 1996?", as_of=TODAY)
    assert "“Elmtn” is read as “Elmton”" in answer.notes
    assert [value.text for value in answer.values] == ["Bob Birch"]


def test_no_word_of_another_language_is_read_as_one_of_the_corpus(town: Corpus) -> None:
    question = "Wie heißt der Mayr von Elmtn im Vergleich zu dem, der 1996 gewählt wurde?"
    (parsed,) = [event for event in town.stream(question, as_of=TODAY) if isinstance(event, Parsed)]
    assert parsed.parsed.core == "Wie heißt der Mayr von Elmtn im Vergleich zu dem, der gewählt wurde?"


def test_a_name_that_the_corpus_lacks_is_not_read_as_another(town: Corpus) -> None:
    answer = town.ask("who was mayor of kenya in 1996", as_of=TODAY)
    assert answer.status is Status.NO_ANSWER
    assert answer.notes == ()


@pytest.mark.parametrize("word", ["rewired", "unpaid", "outgrew"])
def test_a_word_made_of_a_common_one_is_no_slip(tmp_path: Path, word: str) -> None:
    (tmp_path / "notes.md").write_text(
        "# The house\n\nMr Holt retired in 2003. The roof was repaid in 2004, then he outdrew it.\n"
    )
    corpus = open_corpus(str(tmp_path / "home"))
    corpus.ingest([tmp_path / "notes.md"])
    answer = corpus.ask(f"When was the house {word}?", as_of=TODAY)
    assert not [note for note in answer.notes if "is read as" in note]
