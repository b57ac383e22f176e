import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.printable import markdown_line, printable, printable_line

ANY_TEXT = st.text(alphabet=st.characters(codec=None))
JOINED = "\u0645\u06cc\u200c\u062e \u0915\u094d\u200d\u0937 \u2764\ufe0f\u200d\U0001f525"
"""Persian, Hindi and a picture."""
FILLERS = "\u115f\u1160\u3164\uffa0"
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
        ("pass\u200bword co\xadop \u2060\ufeffx", "password coop x"),
        ("a\u200f\u061c\u200eb", "ab"),
        ("tag\U000e0049\U000e0067\U000e006e", "tag"),
        ("e\ufe0f\U000e0101\U000e0158\ufe00", "e\ufe0f"),
        ("p\u200dass\u200c\u3164", "pass"),
        (JOINED, JOINED),
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
    assert not set("\xad\u200b\u200e\u200f\u061c\u2060\ufeff" + FILLERS) & set(shown)
    assert not [char for char in shown if "\U000e0000" <= char < "\U000e0100"]
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert printable(printable(text)) == printable(text)


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z", "Mn"])))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text.translate(dict.fromkeys(map(ord, FILLERS)))


@given(ANY_TEXT)
def test_a_line_has_no_line_end_and_no_double_space(text: str) -> None:
    line = printable_line(text)
    assert len(line.splitlines()) <= 1
    assert "  " not in line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see http://x.test/?q=1", "see `http://x.test/?q=1`"),
        ("(WWW.x.test)", "(`WWW.x.test`)"),
        ("write to me@x.test or mailto:x", "write to `me@x.test` or `mailto:x`"),
        ("`ftp://x`|http://y", "\\``ftp://x`\\`\\|`http://y`"),
        ("[a](http://b)<ftp://c>", "\\[a\\](`http://b`)\\<`ftp://c`\\>"),
        ("- item", "\\- item"),
        ("+ item", "\\+ item"),
        ("+29.3 nDCG@10", "+29.3 nDCG@10"),
        ("12. item", "12\\. item"),
        ("1) item", "1\\) item"),
        ("---", "\\---"),
        ("2021-05-06 was 1.5 - 2", "2021-05-06 was 1.5 - 2"),
        ("*a* <b> [c](d)", "\\*a\\* \\<b\\> \\[c\\](d)"),
    ],
)
def test_markdown_shows_the_text_and_nothing_else(text: str, expected: str) -> None:
    assert markdown_line(text) == expected
