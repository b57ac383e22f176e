"""Tables whose rows have one date each: an account, a log."""

import pytest
from made_corpora import made_corpus

from timelens.answer.draft import Status
from timelens.corpus import Corpus
from timelens.temporal.calendar import day_number

TODAY = day_number(2021)
ACCOUNTS = (
    "Date,Item,Paid\n2003-05-01,New lead for the roof of the hall,£120\n2004-02-11,Rent of the hall,£80\n"
    "2004-11-30,Coal for the stove,£31\n2005-02-09,Rent of the hall,£85\n"
)


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_corpus(tmp_path_factory, {"accounts.csv": ACCOUNTS})


@pytest.mark.parametrize(("year", "paid"), [(2004, "£80"), (2005, "£85")])
def test_an_entry_answers_a_question_in_its_words(accounts: Corpus, year: int, paid: str) -> None:
    answer = accounts.ask(f"What was paid for the rent of the hall in {year}?", as_of=TODAY)
    assert [value.text for value in answer.values] == [paid]


def test_an_entry_with_one_word_of_the_question_does_not_answer_it(accounts: Corpus) -> None:
    answer = accounts.ask("Which firm got the order for coal in 2004?", as_of=TODAY)
    assert (answer.status, answer.values) == (Status.NO_ANSWER, ())
