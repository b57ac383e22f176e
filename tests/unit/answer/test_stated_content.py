"""What a stretch of text says beside its times."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.verification.stated_content import numbers_in, stated_content


@given(st.decimals(0, 10_000, places=2))
def test_a_number_is_the_same_however_it_is_written(number: Decimal) -> None:
    assert numbers_in(f"at {number} percent") == numbers_in(f"at {number:,} percent")
    assert numbers_in(f"at -{number} percent") == numbers_in(f"at minus {number} percent")


def test_what_is_said_without_its_times() -> None:
    text = "In 1998 the ECB did not set three rates for Ann Alder at 2.50 percent."
    said = stated_content(text, [(3, 7)])
    assert said.names == ("ECB", "Ann Alder")
    assert said.numbers == {"3", "2.5"}
    assert said.negated
    assert not said.ordered


def test_a_figure_with_a_letter_is_a_word() -> None:
    said = stated_content("let: 12b with 3 keys", [])
    assert said.numbers == {"3"}
    assert said.plain == {"let", "12b", "key"}
