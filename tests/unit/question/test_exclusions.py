"""What a question leaves out is found, and other negations are not taken for it."""

import pytest

from timelens.question.exclusions import without_excluded


@pytest.mark.parametrize(
    ("question", "rest", "excluded"),
    [
        ("How many boats are there, not counting the launches?", "How many boats are there?", "the launches"),
        ("Where was our home, not the holiday place?", "Where was our home?", "the holiday place"),
        ("Who has chaired apart from Ann?", "Who has chaired?", "Ann"),
        ("everyone except for Bo, in order", "everyone, in order", "Bo"),
        ("Was it not the treasurer?", "Was it not the treasurer?", ""),
        ("Why was the roof not done?", "Why was the roof not done?", ""),
    ],
)
def test_what_is_left_out_is_cut_out(question: str, rest: str, excluded: str) -> None:
    assert without_excluded(question) == (rest, excluded)
