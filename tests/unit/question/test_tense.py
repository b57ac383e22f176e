"""Whether a question is about the present."""

import pytest

from timelens.question.tense import is_present


@pytest.mark.parametrize(
    "question",
    [
        "Who keeps the keys?",
        "What is the rent?",
        "where is the boat kept?",
        "Who's got the spare key?",
        "Which sites have we got?",
        "Could you tell me how much a pint costs?",
        "price of a pint",
        "treasurer",
        "Who needs a licence?",
        "Does the hall have two hundred chairs?",
    ],
)
def test_present_tense_or_no_verb(question: str) -> None:
    assert is_present(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who kept the keys?",
        "What was the rent?",
        "Who chaired the board?",
        "which bank held the account",
        "Who has been chair?",
        "Who has ever chaired the board?",
        "Has the fare ever gone down?",
        "How long has Ada been chair?",
        "Who used to keep the keys?",
        "When did it open?",
    ],
)
def test_past_and_perfect_tense(question: str) -> None:
    assert not is_present(question)
