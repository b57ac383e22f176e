"""Whether a time lies before or after the day of writing: a linear model over the words of its sentence.

It decides for times that may be either: "on Friday", "in March", "at Christmas". A feature is a string; its
weight is in ``ahead_model.json``, which ``scripts/train_ahead.py`` writes. Its data were written for the
project.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from timelens.lexicon import PAST_VERBS

WEEKDAY, WEEKEND, LENGTH = "weekday", "weekend", "length"
"""Kinds of times beside dates without a year; a length is a time ("in three weeks"), or how long it takes."""
DISTANCE = "distance"
"""The feature of :func:`distance`, which has a value of its own."""
_SENTENCE = 120
"""Characters on either side of a time that are searched for its sentence."""
_SENTENCE_END = re.compile(r"[.!?\n](?:\s|\Z)")
_SENTENCE_END_BEFORE = re.compile(r"[.!?\n]\s|(?<=[^\W\d_])\n(?=[A-Z])")
"""The end of a sentence, or of a title above it."""
_TOKEN = re.compile(r"[a-z]+|[0-9]+|[^\w\s]")
_WRITTEN_OUT = (("\u2019", "'"), ("n't ", " not "), ("'ll ", " will "), ("'re ", " are "), ("'m ", " am "))
_START, _END = "<", ">"
_PAST_VERBS = frozenset(PAST_VERBS)
_SHORTEST_VERB = 5
"""Least number of letters of a word in "ed" or "ing" that counts as a verb."""
_SUPERLATIVE = re.compile(r"[a-z]{3,}est|best|worst|most|least|first|second|third")
""""The lowest in ten years" and "the third leak in two months" look back."""
_OBLIGATION = re.compile(
    r"\b(?:must(?!\s+have\b)|ha(?:ve|s)\s+(?:got\s+)?to|needs?\s+to|(?:is|are|be)\s+due)\b[^.!?:;,\n]*"
    r"\b(?:by|until|till|before|no\s+later\s+than)\b[^.!?:;,\n]{0,30}\Z",
    re.IGNORECASE,
)
"""What is to be done by the time behind it: "must leave the mill by the end of"."""
_OBLIGED = 3.0
"""Log odds that are added for it, whatever the clause before it tells."""
_ASKED_OF_THE_PAST = re.compile(
    r"(?:\A|[.!?\n]\s+)\W*(?:(?:when|where|why|who)\s+|(?:what|which|whose|how)\b[^.!?:;,\n]*?\s)?"
    r"(?:did|was|were|had)\b(?:(?!\bfor\b)[^.!?:;,\n])*\Z",
    re.IGNORECASE,
)
"""A question for what happened at the time behind it: "when did she go camping in"; not "did we book for"."""
_PAST = -6.0
"""Log odds that are added for it, more than those of the nearest distance."""
_A_FEW_DAYS = 10
"""Days that are added to the distances, so that very near times differ little."""


def log_odds(text: str, start: int, end: int, kind: str = "") -> float:
    """Log odds that the time at ``[start, end)`` lies after the day of writing, by the words around it.

    ``kind`` is ``WEEKDAY``, ``WEEKEND`` or ``LENGTH``, or empty for a date without a year.
    """
    weights = _weights()
    told = sum(weights.get(feature, 0.0) for feature in features(text, start, end, kind))
    if kind == LENGTH:
        return told
    before = text[max(0, start - _SENTENCE) : start]
    is_obliged = _OBLIGATION.search(before) is not None
    is_past = _ASKED_OF_THE_PAST.search(before) is not None
    return told + _OBLIGED * is_obliged + _PAST * is_past


def distance_odds(behind: float, ahead: float) -> float:
    """Log odds that are added for the distances, in days, of the last such time and of the next one."""
    return _weights()[DISTANCE] * distance(behind, ahead)


def distance(behind: float, ahead: float) -> float:
    """Positive if the next such time is nearer than the last one."""
    return math.log((behind + _A_FEW_DAYS) / (ahead + _A_FEW_DAYS))


@cache
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(Path(__file__).with_name("ahead_model.json").read_bytes())
    return weights


def features(text: str, start: int, end: int, kind: str = "") -> frozenset[str]:
    """The features of a time in its sentence.

    ``w`` names a word, ``b`` one before the time, ``a`` one after it, ``l`` and ``r`` the neighbours; forms
    of verbs are named like words, and so are superlatives in the sentence of a length.
    """
    before = _tokens(_SENTENCE_END_BEFORE.split(text[max(0, start - _SENTENCE) : start])[-1])
    after = _tokens(_SENTENCE_END.split(text[end : end + _SENTENCE], maxsplit=1)[0])
    of_before, of_after = set(_words(before)), set(_words(after))
    if kind == LENGTH and any(map(_SUPERLATIVE.fullmatch, before + after)):
        of_before.add("-est")
    last, first = [_START, _START, *before][-2:], [*after, _END, _END][:2]
    found = {
        f"kind {kind}",
        f"l {last[1]}",
        f"l {last[0]} {last[1]}",
        f"r {first[0]}",
        f"r {first[0]} {first[1]}",
        *(f"b {word}" for word in of_before),
        *(f"a {word}" for word in of_after),
        *(f"w {word}" for word in of_before | of_after),
    }
    return frozenset(found)


def _tokens(text: str) -> list[str]:
    text = f"{text} ".lower()
    for short, full in _WRITTEN_OUT:
        text = text.replace(short, full)
    return _TOKEN.findall(text)


def _words(tokens: Sequence[str]) -> Iterator[str]:
    """The words, and the forms of those that may be verbs."""
    words = [token for token in tokens if token.isalpha()]
    return chain(words, filter(None, map(_form, words)))


def _form(word: str) -> str:
    if word in _PAST_VERBS:
        return "PAST"
    if len(word) >= _SHORTEST_VERB and word.endswith(("ed", "ing")):
        return "-ed" if word.endswith("ed") else "-ing"
    return ""
