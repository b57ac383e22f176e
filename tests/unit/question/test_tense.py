"""Whether a question is about the present."""

import pytest

from timelens.question.tense import in_past, in_present, is_present


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


WORDS = frozenset("look bake plan carry call sweep add manage keep cook".split())


@pytest.mark.parametrize(
    ("past", "present"),
    [
        ("Who was warden now?", "Who is warden now?"),
        ("Which locks were open now?", "Which locks are open now?"),
        ("What did the toll cost now?", "What does the toll cost now?"),
        ("What did the new tickets cost now?", "What do the new tickets cost now?"),
        ("What did we pay now?", "What do we pay now?"),
        ("Who had the key now?", "Who has the key now?"),
        ("Who looked after the locks now?", "Who looks after the locks now?"),
        ("Who baked the bread now?", "Who bakes the bread now?"),
        ("Who planned the trips now?", "Who plans the trips now?"),
        ("Who carried the mail now?", "Who carries the mail now?"),
        ("Which firm swept the yard now?", "Which firm sweeps the yard now?"),
        ("Which firms swept the yard now?", "Which firms sweep the yard now?"),
        ("Who called the roll now?", "Who calls the roll now?"),
        ("who will be warden now", "who will be warden now"),
        ("Who is warden now?", "Who is warden now?"),
        ("What happened to the mill since it closed?", "What happens to the mill since it closed?"),
    ],
)
def test_the_first_verb_of_a_question_is_put_into_the_present(past: str, present: str) -> None:
    assert in_present(past, WORDS.__contains__) == present


@pytest.mark.parametrize(
    ("present", "past"),
    [
        ("Who is warden in 2010?", "Who was warden in 2010?"),
        ("What does the toll cost in 2010?", "What did the toll cost in 2010?"),
        ("How many swans do we have in 2010?", "How many swans did we have in 2010?"),
        ("Who was warden in 2010?", "Who was warden in 2010?"),
        ("Who keeps the key in 2010?", "Who keeps the key in 2010?"),
    ],
)
def test_an_auxiliary_is_put_into_the_past(present: str, past: str) -> None:
    assert in_past(present) == past
