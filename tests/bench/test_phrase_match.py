"""Phrases in lines: whole words, and figures to the letter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelens.bench.phrase_match import stands_in


@pytest.mark.parametrize(
    ("phrase", "line", "stands"),
    [
        # whole words in a row; case, accents, punctuation and articles aside
        ("Gordon Brown", "The Prime Minister was GORDON  BROWN [1].", True),
        ("José Martí", "It was Jose Marti's airport.", True),
        ("Clinton", "Bill Clinton’s second term", True),
        ("the Data Protection Act", "a data-protection act", True),
        ("Berg", "Bergman", False),
        ("Brown Gordon", "Gordon Brown", False),
        ("Gordon Brown", "Gordon, not Brown", False),
        ("U.S.", "in the U.S. since 1974", True),
        ("", "anything", False),
        ("the", "the thing", False),
        ("5", "", False),
        # a decimal point
        ("0.5", "It was 0.5 percent.", True),
        ("0.5", "It was 0.5.", True),
        ("0.5", "It was 10.5 percent.", False),
        ("0.5", "It was 0.55 percent.", False),
        ("0.5", "It was 0.50 percent.", False),
        ("5", "It was 5.25 percent.", False),
        ("25", "It was 5.25 percent.", False),
        ("5.25", "It was 5.25% then.", True),
        ("5.25 %", "It was 5.25 percent.", True),
        (".5", "It was 0.5 percent.", True),
        ("0.5", "It was .5 percent.", True),
        ("5", "It was .5 percent.", False),
        ("5", "so … 5", True),
        ("5", "so ...5", True),
        ("2007", "In 2007.", True),
        # a minus sign, however it is written
        ("0.5", "It was -0.5 percent.", False),
        ("0.5", "It was −0.5 percent.", False),
        ("0.5", "It was minus 0.5 percent.", False),
        ("0.5", "It was (–0.5).", False),
        ("0.5", "rate: -€0.5", False),
        ("-0.5", "It was 0.5 percent.", False),
        ("-0.5", "It was −0.5 percent.", True),
        ("-0.5", "It was minus 0.5 percent.", True),
        ("minus 0.5", "2015: -0.5", True),
        ("minus 0.5", "(-0.5)", True),
        ("minus 0.5", "It was 0.5, minus a bit.", False),
        ("+0.5", "It was 0.5 percent.", True),
        # a hyphen, a range, a bullet and a subtraction are no sign
        ("0.5", "0.25-0.5", True),
        ("0.5", "0.25–0.5", True),
        ("0.5", "0.25%-0.5%", True),
        ("0.5", "2015 - 0.5", True),
        ("0.5", "- 0.5 in 2015", True),
        ("1995", "1990–1995", True),
        ("4.75", "5.25 minus 4.75 is 0.5", True),
        ("4.75", "5.25% minus 4.75% is 0.5", True),
        ("11", "Apollo-11", True),
        # days
        ("2007", "2007-09-18", True),
        ("18", "on 2007-09-18", True),
        ("18 September 2007", "on 18 September 2007.", True),
        ("8 September", "on 18 September", False),
        ("1990", "in the 1990s", False),
        ("1990s", "in the 1990s", True),
        # thousands
        ("1250000", "about 1,250,000 people", True),
        ("1,250", "about 1250 people", True),
        ("250", "about 1,250 people", False),
        ("1,250.5", "1250.5", True),
        ("2005", "in 2001,2005", True),
        ("12", "on 12, 200 came", True),
        # units and ordinals are part of the word
        ("5", "the 5th", False),
        ("2nd", "the 2nd Duke", True),
        ("$5", "for 5 dollars", True),
    ],
)
def test_a_phrase_in_a_line(phrase: str, line: str, stands: bool) -> None:
    assert stands_in(phrase, line) is stands


@pytest.mark.parametrize(
    ("line", "stands"),
    [("15 November: £18", False), ("£15 [1]", True), ("(-£15)", False), ("15 pounds", False)],
)
def test_a_currency_sign_can_count(line: str, stands: bool) -> None:
    assert stands_in("£15", line, with_currency=True) is stands
    assert stands_in("15", line, with_currency=True) is (line[:2] == "15")


figures = st.builds(
    lambda sign, whole, part: f"{sign}{whole}{part}",
    st.sampled_from(["", "-"]),
    st.integers(0, 3000).map(str),
    st.integers(0, 99).map(lambda part: f".{part}" if part else ""),
)


@given(figures, figures)
def test_a_figure_is_stated_by_itself_alone(one: str, other: str) -> None:
    assert stands_in(one, f"It stood at {other} percent.") is (one == other)
    assert stands_in(one, f"From {other} to {one}.")
