"""A million strings: reading time never fails, whatever the text."""

import random

import pytest

from timelens.question.parse import parse
from timelens.question.plan import make_plan
from timelens.temporal.calendar import day_number
from timelens.temporal.expressions import find_expressions

STRINGS = 1_000_000
PIECES = (
    "in on by of the a May March June 1999 2015 44 BC AD 79 31 29 February 2020-02-30 Q3 H2 fy2019 "
    "1960s '80s mid- early late century first last next since until before after between and to from "
    "– - , . ? ! ( ) following earlier years ago Monday week decade summer of the end third 21st 0 "
    "00 99999999 10:30 circa about as now today winter 1941–42 2e9 İ ß ٣"
).split()


@pytest.mark.long
def test_a_million_strings_are_read_without_an_error() -> None:
    chance = random.Random(20261120)
    anchor = day_number(2021, 6, 15)
    for number in range(STRINGS):
        text = " ".join(chance.choices(PIECES, k=chance.randint(1, 9)))
        for expression in find_expressions(text, anchor if number % 2 else None):
            assert text[expression.char_start : expression.char_end] == expression.text
        if number % 10 == 0:
            make_plan(parse(text, anchor))
