import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.question.intent import asked_noun
from timelens.question.names import is_person, names_in
from timelens.words import CAPITAL, topic_words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Who was President of the Bank of England?", ("Bank", "England")),
        ("Did President Ada Elm meet the King?", ("Ada Elm",)),
        ("What did Apollo 11 bring home?", ("Apollo 11",)),
        ("Ada Elm's team beat Élise Müller.", ("Ada Elm", "Élise Müller")),
        ("In the United States it rained.", ("United States",)),
        ("HIPAA became law.", ("HIPAA",)),
        ("Price of the pie at Fenwick's?", ("Fenwick",)),
        ("Bank of England", ("Bank", "England")),
        ("the mayor of the town", ()),
        ("Who? What? Which?", ()),
        ("Birch, Birch and Birch", ("Birch",)),
        ("the towns of łódź and šumperk, and Łódź", ("Łódź",)),
        ("жил Лев Толстой, писатель", ("Лев Толстой",)),
        ("wo der ῥήτωρ Ἰσοκράτης lebte", ("Ἰσοκράτης",)),
        ("من كان رئيس 日本の首相", ()),
        ("", ()),
    ],
)
def test_capitalised_runs_are_names(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


@given(st.text())
def test_any_text_has_names_once_each(text: str) -> None:
    names = names_in(text)
    assert len(set(names)) == len(names)
    assert all(name.strip() == name and name[0].istitle() for name in names)


@given(st.characters(max_codepoint=0x1FFF))
def test_a_capital_is_what_unicode_takes_for_one(letter: str) -> None:
    assert (re.fullmatch(CAPITAL, letter) is not None) == letter.istitle()


@pytest.mark.parametrize(
    "name", ["Ada Elm", "Ursula von der Leyen", "George W. Bush", "Luiz Inácio Lula da Silva"]
)
def test_what_may_be_a_person(name: str) -> None:
    assert is_person(name)


@pytest.mark.parametrize(
    "name", ["Ada", "Federal Reserve", "Privacy Act", "NASA Ames", "Apollo 11", "the mayor", ""]
)
def test_what_is_no_person(name: str) -> None:
    assert not is_person(name)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which space station was in orbit?", "space station"),
        ("What was the main refinancing rate of the bank?", "main refinancing rate"),
        ("Which programme carried crews until 2011?", "programme"),
        ("On which country was the decision adopted?", "country"),
        ("What did the court decide?", ""),
        ("Who was mayor?", ""),
        ("What?", ""),
    ],
)
def test_what_is_asked_for(question: str, noun: str) -> None:
    assert asked_noun(question) == noun


def test_a_country_and_what_comes_from_it_are_one_topic() -> None:
    assert topic_words("the Dutch") == topic_words("the Netherlands")
    assert topic_words("American") == topic_words("United States")
    assert topic_words("Soviet station") == topic_words("station of the Soviet Union")


def test_the_zeros_that_end_a_fraction_do_not_count() -> None:
    assert topic_words("0.50 percent") == topic_words("0.5 percent")
    assert topic_words("2.00") == topic_words("2") != topic_words("200")
