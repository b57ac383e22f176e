"""The body whose documents are asked restricts nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.question.own_body import without_body
from timelens.words import topic_words


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How many members did the club have?", "How many members did we have?"),
        ("Who was the club's treasurer?", "Who was our treasurer?"),
        ("Who was treasurer of our rowing club?", "Who was treasurer of us?"),
        ("What did the chess club pay?", "What did the chess club pay?"),
        ("What was the club subscription?", "What was our subscription?"),
        ("What did the Brill club pay?", "What did the Brill club pay?"),
        ("What did the choir pay?", "What did the choir pay?"),
        ("Who led the members committee?", "Who led the members committee?"),
        ("Who held the office?", "Who held the office?"),
        ("What did a club pay?", "What did a club pay?"),
        ("What did the clubhouse cost?", "What did the clubhouse cost?"),
        ("What did the house cost?", "What did the house cost?"),
    ],
)
def test_a_body_is_we_unless_the_documents_name_it(question: str, asked: str) -> None:
    known = topic_words("subscription treasurer members choir")
    assert without_body(question, known, known) == asked


@given(st.text(max_size=60))
def test_a_known_body_stays(text: str) -> None:
    question = f"{text} the club {text}"
    assert "the club" in without_body(question, frozenset(), topic_words("club"))
