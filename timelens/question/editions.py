"""The number of an edition, as its year, where only that is unambiguous. Pure.

"The 14th Summer Games" are those of 1948: games that were not held are counted too, but often not in
tables. The number of an event whose editions are counted as they are held stays as it is.
"""

import re

from timelens.lexicon import EDITIONS, ORDINALS, one_of

_EVENTS = {name: event for event in EDITIONS for name in event.names}
_NAMES = one_of(_EVENTS).replace(" ", r"\s+")
_NUMBERED = re.compile(
    rf"\b(?P<number>{one_of(ORDINALS)}|[1-9]\d?(?:st|nd|rd|th))\s+(?:edition\s+of\s+the\s+)?(?:modern\s+)?"
    rf"(?P<event>{_NAMES})\b",
    re.IGNORECASE,
)


def by_year(text: str) -> str:
    """A text with the years of such editions: "the 14th Summer Games" becomes "the 1948 Summer Games"."""
    return _NUMBERED.sub(_with_year, text)


def _with_year(match: re.Match[str]) -> str:
    word = match["number"].lower()
    number = ORDINALS[word] if word in ORDINALS else int(word[:-2])
    event = _EVENTS[" ".join(match["event"].lower().split())]
    return f"{event.year(number)} {match['event']}"
