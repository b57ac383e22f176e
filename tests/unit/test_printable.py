import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.printable import printable, printable_line

ANY_TEXT = st.text(alphabet=st.characters(codec=None))
REORDERING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x9b2J", "�2J"),
        ("a\x00b\x7f", "a␀b␡"),
        ("one\r\ntwo\rthree\u2028four\x85five", "one\ntwo\nthree\nfour\nfive"),
        ("a\tb", "a b"),
        ("invoice\u202egpj.exe", "invoice�gpj.exe"),
        ("lone \ud800 surrogate", "lone � surrogate"),
        ("naïve 日本語 👩‍🚀 שלום [b]bold[/b]", "naïve 日本語 👩‍🚀 שלום [b]bold[/b]"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_instead(text: str, expected: str) -> None:
    assert printable(text) == expected


@given(ANY_TEXT)
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    shown = printable(text)
    assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cs"} and char != "\n"]
    assert not REORDERING & set(shown)
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert printable(printable(text)) == printable(text)


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z"])))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@given(ANY_TEXT)
def test_a_line_has_no_line_end_and_no_double_space(text: str) -> None:
    line = printable_line(text)
    assert len(line.splitlines()) <= 1
    assert "  " not in line
