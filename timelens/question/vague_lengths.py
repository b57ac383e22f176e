"""Times up to now whose length a question leaves vague: "the last few years", "in recent months". Pure."""

import re
from collections.abc import Iterator

from timelens.lexicon import VAGUE_NUMBERS, one_of
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.vocabulary import CARDINAL, UNIT, number

A_FEW = 5
"""How many units a vague length has."""
_VAGUE = re.compile(
    r"\b(?:(?:the|these|those)\s+)?(?:(?P<side>last|past|previous|next|coming)\s+"
    rf"(?:{one_of(VAGUE_NUMBERS)}|(?:{CARDINAL})\s*(?:to|or|-|–)\s*(?P<most>{CARDINAL}))|(?<!\bmost )recent)"
    rf"\s+(?P<unit>{UNIT})(?!\s+of\b)",
    re.IGNORECASE,
)


def vague_lengths(text: str, reference_day: Day, conventions: Conventions) -> Iterator[Expression]:
    """The times of a text, counted from the reference day, whose number of units is vague.

    A vague number counts as :data:`A_FEW`; of "two or three", the larger is taken.
    """
    for match in _VAGUE.finditer(text):
        if not match["unit"].casefold().endswith("s"):
            continue  # "a recent year" is one year
        count = number(match["most"]) if match["most"] else A_FEW
        plain = f"over the {match['side'] or 'last'} {count} {match['unit']}"
        for one in find_expressions(plain, reference_day, conventions=conventions):
            if one.interval is not None:
                yield Expression(
                    match[0], *match.span(), one.interval, one.kind, one.confidence, None, (one.interval,)
                )
