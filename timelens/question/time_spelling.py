"""Mends misspelt words of time in a question: months, and words such as "before". Pure.

A word is mended only where the mended word makes a time with the words beside it ("betwen 2001 and 2003", "5
septmber 1999"), and never a word that the bundled encoder knows as common English.
"""

import re
from functools import cache

from timelens.lexicon import MONTH_FORMS
from timelens.question.normalise.spelling import closest
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions
from timelens.temporal.expressions import find_expressions

_WORD = re.compile(r"(?<![\w'’])[^\W\d_]{3,}(?![\w'’])|\bb4\b", re.IGNORECASE)
_RELATIONS = ("before", "after", "since", "until", "till", "between", "from", "around")
_SHORT_FORMS = {"b4": "before", "btw": "between", "til": "till"}
_LONG_MONTH = 6
"""Minimum number of letters of a month for which a capitalised word is taken; "Juny" may be a name."""


def mended_times(text: str, reference_day: Day, conventions: Conventions) -> list[tuple[int, int, str]]:
    """The misspelt words of time, in order: start, end and the word that is meant."""
    found: list[tuple[int, int, str]] = []
    for match in reversed(list(_WORD.finditer(text))):  # what stands behind a word is mended before it
        start, end = match.span()
        meant = _meant(match.group())
        if meant is None:
            continue
        mended = f"{text[:start]}{meant}{text[end:]}"
        if _makes_a_time(mended, start, meant, reference_day, conventions) and not _is_common(match.group()):
            text = mended
            found.insert(0, (start, end, meant))
    return found


def _meant(word: str) -> str | None:
    """The word of time that a word may be a misspelling of."""
    plain = word.casefold()
    if plain in _SHORT_FORMS:
        return _SHORT_FORMS[plain]
    meant = closest(plain, (*MONTH_FORMS, *_RELATIONS))
    if meant is None or meant == plain or (word[0].isupper() and len(meant) < _LONG_MONTH):
        return None
    return meant


def _makes_a_time(text: str, start: int, word: str, reference_day: Day, conventions: Conventions) -> bool:
    """Whether a word at ``start`` belongs to a time together with other words."""
    return any(
        one.interval is not None
        and one.char_start <= start
        and start + len(word) < one.char_end
        and (word in MONTH_FORMS or (one.relation is not None and one.char_start == start))
        for one in find_expressions(text, reference_day, conventions=conventions)
    )


def _is_common(word: str) -> bool:
    """Whether a word is a token of the encoder, as common words and names are."""
    return word.casefold() not in _SHORT_FORMS and word.casefold() in _tokens()


@cache
def _tokens() -> frozenset[str]:
    from timelens.reader.span_reader import bundled_reader

    return frozenset(bundled_reader().tokenizer.get_vocab())
