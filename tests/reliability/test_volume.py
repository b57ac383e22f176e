"""A thousand strings in every run, a million in the long one: no text breaks the reading of time."""

import pytest
from strings import check_question, check_reading, strings

from timelens.temporal.calendar import day_number

ANCHOR = day_number(2021, 6, 15)


def read_all(count: int) -> None:
    for number, text in enumerate(strings(count, seed=20261120)):
        check_reading(text, ANCHOR if number % 3 else None)
        check_question(text, ANCHOR)


def test_a_thousand_strings_are_read_without_an_error() -> None:
    read_all(1_000)


@pytest.mark.long
def test_a_million_strings_are_read_without_an_error() -> None:
    read_all(1_000_000)
