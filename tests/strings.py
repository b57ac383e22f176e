"""Strings that nobody would write, and what holds of reading any of them."""

import random
from collections.abc import Iterator
from itertools import pairwise

from worded_times import PHRASINGS, TRAPS

from timelens.question.parse import parse
from timelens.question.plan import make_plan
from timelens.temporal.expressions import find_expressions

PIECES = (
    "in on by of the a May March June 1999 2015 44 BC AD 79 31 29 February 2020-02-30 Q3 H2 fy2019 "
    "1960s '80s mid- early late century first last next since until before after between and to from "
    "– - , . ? ! ( ) following earlier years ago Monday week decade summer of the end third 21st 0 "
    "00 99999999 10:30 circa about as now today winter 1941–42 2e9 İ ß ٣ half penultimate 2013-W07 W54 "
    "Easter 0000 exactly two wholly within throughout who was in office 31/12/99 20200230 ~ year 9999"
).split()
SENTENCES = (*(text for _, _, texts in PHRASINGS for text in texts), *TRAPS)
CHARACTERS = "0123456789 .,-–/'’()abcdeMSTY\n\t\0\u202eé雪\U0001f600"


def strings(count: int, seed: int) -> Iterator[str]:
    """Half made of words about time in any order, half sentences that were changed in a few places."""
    chance = random.Random(seed)
    for number in range(count):
        if number % 2:
            yield " ".join(chance.choices(PIECES, k=chance.randint(1, 9)))
        else:
            yield _mutated(chance.choice(SENTENCES), chance)


def _mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 4)):
        place = chance.randint(0, len(text))
        match chance.randrange(6):
            case 0:
                text = text[:place] + text[place + chance.randint(1, 5) :]
            case 1:
                text = text[:place] + chance.choice(CHARACTERS) + text[place:]
            case 2:
                text = text[:place] + chance.choice(PIECES) + text[place:]
            case 3:
                text = text[:place] + text[place:].swapcase()
            case 4:
                text = text[place:] + " " + text[:place]
            case _:
                text = text[:place] + text[place : place + 8] * 2 + text[place + 8 :]
    return text


def check_reading(text: str, anchor: int | None) -> None:
    """Offsets are exact, nothing overlaps, no interval is empty, and reading again gives the same."""
    found = find_expressions(text, anchor)
    for expression in found:
        assert text[expression.char_start : expression.char_end] == expression.text != ""
        for interval in (expression.interval, *expression.dates):
            assert interval is None or interval.days > 0
    for one, following in pairwise(found):
        assert one.char_end <= following.char_start
    assert find_expressions(text, anchor) == found


def check_question(text: str, today: int) -> None:
    """A question keeps a topic, its constraints are of its own words, its plan has steps."""
    parsed = parse(text, today)
    plain = " ".join(text.split())
    assert bool(parsed.core.strip()) == bool(text.strip())
    for constraint in parsed.constraints:
        assert constraint.text in plain
        assert constraint.interval is None or constraint.interval.days > 0
    assert make_plan(parsed).steps
    assert parse(text, today) == parsed
