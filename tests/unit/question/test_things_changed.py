"""A question about changes of a value has a question for the value itself."""

import pytest

from timelens.question.asked_numbers import counted_noun, things_changed


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many times has the fee gone up?", "what was the fee?"),
        ("How often did we change supplier for the oil?", "what was supplier for the oil?"),
        ("How often has the grill been moved to another spot?", "what was the grill to another spot?"),
        ("Did the price of bread ever go down?", "what was the price of bread?"),
        ("How did the rent develop over time?", "what was the rent over time?"),
        ("Did we move?", None),
        ("Who raised the rent?", None),
    ],
)
def test_the_value_is_asked_for(question: str, value: str | None) -> None:
    assert things_changed(question) == value


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("number of phone firms I have been with", "phone firms"),
        ("What is the number of keys?", "keys"),
        ("How many firms we used?", "firms"),
        ("Who has the number of the plumber?", ""),
    ],
)
def test_a_counted_noun_ends_before_a_pronoun(question: str, noun: str) -> None:
    assert counted_noun(question) == noun
