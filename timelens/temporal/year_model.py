"""Whether a number is a year: a linear model over the words and signs around it.

A feature is a string; its weight is in ``year_model.json``, which ``scripts/train_years.py`` writes. Most
features describe grammar and shape (a plural after the number, a capitalised word before it), so that they
generalise to unseen nouns; the others name words.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from timelens import lexicon
from timelens.temporal.vocabulary import ALIKE, MONTHS

_WINDOW = 56
"""Characters on either side of a number that are searched for neighbours."""
_NEAR = 6
"""Number of neighbouring tokens used on either side."""
_START, _END = "<", ">"
_HYPHEN, _SPACED_DASH = ("-", "-"), ("--", "=")
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019][a-z]+)?|[0-9]+(?:[.,:][0-9]+)*|\n|[^\s\w]|_", re.IGNORECASE)
FUNCTION_WORDS = {
    word: kind
    for kind, words in {
        "i": "in since during until till circa ca throughout",
        "p": "by before after from to between around about of on at for with into over under through within"
        " without against as per via upon near like towards across above below onto off along versus beyond"
        " past",
        "c": "and or but nor",
        "t": "the a an",
        "d": "his her its their our my your this that these those whose each every any all both no",
        "v": "is was are were be been being am has had have having did do does will would can could may might"
        " must shall should",
        "w": "i he she it they we you who which what when where how why there him them us me",
        "q": "some nearly almost only roughly approximately exactly just least most more fewer less than"
        " another",
        "x": "not also then now still already later again soon ever never even thereafter onwards onward",
        "M": " ".join((*MONTHS, *lexicon.SEASONS)),
        "T": "year years month months quarter quarters half week weeks weekend season seasons day days decade"
        " term anno fy",
    }.items()
    for word in words.split()
}
"""Words of grammar, each with the letter of its kind."""
_JOINS = frozenset({"to", "and", "or", "until", "till", "through", "-", "--", "/", "&"})
_NOUN_PHRASE = frozenset("lsgeyLUSmu")
_SENTENCE_ENDS = frozenset(".!?\n;")
_QUOTES = dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"') | dict.fromkeys("\u2018\u2019", "'")
_CURRENCIES = frozenset("$\u00a3\u20ac\u00a5\u20b9\u00a2")
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_SPANS = ((1400, "early"), (1800, "modern"), (1900, "1800s"), (2031, "now"), (2201, "ahead"), (10_000, "far"))
"""Upper limits (exclusive) of the buckets of numbers, and their names."""
_FIGURES = re.compile(r"[0-9]+")


def log_odds(text: str, start: int, end: int) -> float:
    """Log odds that the number, or range of numbers, at ``[start, end)`` means years."""
    return _log_odds(*_seen(text, start, end))


def _seen(text: str, start: int, end: int) -> tuple[str, str, str, bool]:
    """The input of the features of a number.

    Its value class, the text before and after it with all digits made alike, and whether the text before it
    may begin within a word.
    """
    window = max(0, start - _WINDOW)
    before, after = text[window:start].translate(ALIKE), text[end : end + _WINDOW + 1].translate(ALIKE)
    return _value(text[start:end]), before, after, window > 0


@lru_cache(maxsize=4096)
def _log_odds(value: str, before: str, after: str, is_cut: bool) -> float:  # noqa: FBT001 -- as of _seen
    weights = _weights()
    return sum(weights.get(feature, 0.0) for feature in _features(value, before, after, is_cut=is_cut))


@cache
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(Path(__file__).with_name("year_model.json").read_bytes())
    return weights


def features(text: str, start: int, end: int) -> set[str]:
    """The features of a number and its neighbours.

    ``v`` names the value, ``k`` and ``n`` the kinds of the neighbours before and after, ``l`` and ``r`` their
    words, ``p`` the phrase that follows, ``first`` and ``last`` the neighbours beyond a number joined to it.
    """
    value, before, after, is_cut = _seen(text, start, end)
    return _features(value, before, after, is_cut=is_cut)


def _features(value: str, text_before: str, text_after: str, *, is_cut: bool) -> set[str]:
    before = _neighbours_before(text_before, is_cut=is_cut)
    after = _neighbours_after(text_after)
    (l1, k1), (l2, k2), (l3, k3) = before[:3]
    (r1, n1), (r2, n2), (r3, n3) = after[:3]
    phrase = _phrase_after(after)
    found = {
        "bias",
        f"v {value}",
        f"v {value} {k1}",
        f"v {value} {n1}",
        f"k {k1}",
        f"k {k2}{k1}",
        f"k {k3}{k2}{k1}",
        f"n {n1}",
        f"n {n1}{n2}",
        f"n {n1}{n2}{n3}",
        f"k {k1} n {n1}",
        f"k {k2}{k1} n {n1}",
        f"k {k1} n {n1}{n2}",
        f"k {k2}{k1} n {n1}{n2}",
        f"l1 {l1}",
        f"l2 {l2}",
        f"l2 {l2} {k1}",
        f"l {l2} {l1}",
        f"l {l2} {l1} n {n1}",
        f"l {k2} {l1}",
        f"l {l1} n {n1}",
        f"l {l1} n {n1}{n2}",
        f"l {k2} {l1} n {n1}",
        f"r1 {r1}",
        f"r {r1} {r2}",
        f"r {r1} k {k1}",
        f"r {r1} l {l1}",
        f"p {phrase}",
        f"p {phrase} k {k1}",
        f"p {phrase} l {l1}",
        f"p {phrase} k {k2}{k1}",
        *_endings("l1", l1, k1),
        *_endings("r1", r1, n1),
        *_beyond_partner("first", before),
        *_beyond_partner("last", after),
    }
    if k3 not in _NOUN_PHRASE:
        found.add(f"l3 {l3}")
    if n2 not in _NOUN_PHRASE:
        found |= {f"r2 {r2}", f"r2 {r2} {n1}"}
    if n3 not in _NOUN_PHRASE:
        found.add(f"r3 {r3}")
    return found


def _beyond_partner(place: str, neighbours: list[tuple[str, str]]) -> list[str]:
    """Features of the neighbours beyond a number that is joined to this one ("1500 to 2000 words")."""
    if neighbours[0][0] not in _JOINS or neighbours[1][1] not in "Nn":
        return []
    (word, kind), (_, next_kind) = neighbours[2:4]
    return [
        f"{place} {kind}",
        f"{place} {kind}{next_kind}",
        f"{place} {word}",
        f"{place} p {_phrase_after(neighbours[2:])}",
        *_endings(place, word, kind),
    ]


def _neighbours_before(text: str, *, is_cut: bool) -> list[tuple[str, str]]:
    """Word and kind of the tokens before the number, nearest first."""
    tokens = list(_TOKEN.finditer(text))
    if is_cut and tokens and tokens[0].start() == 0:
        del tokens[0]
    found = [_word_and_kind(token[0]) for token in reversed(tokens[-_NEAR:])]
    if found and found[0] == _HYPHEN and tokens[-1].end() < len(text):
        found[0] = _SPACED_DASH
    return found + [(_START, _START)] * (_NEAR - len(found))


def _neighbours_after(text: str) -> list[tuple[str, str]]:
    """Word and kind of the tokens after the number, up to the end of the sentence."""
    found: list[tuple[str, str]] = []
    for token in _TOKEN.finditer(text, 0, _WINDOW):
        neighbour = _word_and_kind(token[0])
        if (
            not found
            and neighbour == _HYPHEN
            and (token.start() > 0 or text[token.end() : token.end() + 1] == " ")
        ):
            neighbour = _SPACED_DASH
        found.append(neighbour)
        if neighbour[1] in _SENTENCE_ENDS or len(found) == _NEAR:
            break
    return found + [(_END, _END)] * (_NEAR - len(found))


def _word_and_kind(token: str) -> tuple[str, str]:
    """The token, with numbers replaced by zeros of the same length, and a character for its kind."""
    first = token[0]
    if first.isalpha():
        word = token.lower()
        return word, FUNCTION_WORDS.get(word) or _shape(token)
    if first.isdigit():
        return "0" * len(token), "N" if len(token) == 4 and token.isdigit() else "n"
    if first in _DASHES:
        return _HYPHEN
    sign = "$" if first in _CURRENCIES else _QUOTES.get(first, first)
    return sign, sign


def _shape(word: str) -> str:
    """The kind of a content word, by its letters alone."""
    if word.islower():
        if len(word) < 4 and not any(letter in "aeiouy" for letter in word):
            return "u"
        if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
            return "s"
        if word.endswith("ing"):
            return "g"
        if word.endswith("ed"):
            return "e"
        return "y" if word.endswith("ly") else "l"
    if len(word) == 1:
        return "S"
    if word.isupper():
        return "U"
    return "L" if word[1:].islower() else "m"


def _phrase_after(after: list[tuple[str, str]]) -> str:
    """The run of content words after a number: length, kind of the last, kind of the token that ends it."""
    length = 0
    for _, kind in after:
        if kind not in _NOUN_PHRASE:
            return f"{min(length, 4)}{after[length - 1][1] if length else ''}{kind}"
        length += 1
    return f"{min(length, 4)}{after[-1][1]}"


def _endings(place: str, word: str, kind: str) -> list[str]:
    if kind not in _NOUN_PHRASE:
        return []
    return [f"{place} ..{word[-3:]} {kind}", f"{place} {min(len(word), 5)} {kind}"]


@lru_cache(maxsize=4096)
def _value(number: str) -> str:
    """The class of a number by its size and last digits, or of a range by its length."""
    figures = _FIGURES.findall(number)
    first = figures[0]
    if len(figures) > 1:
        last = figures[-1]
        if len(last) == len(first):
            length = int(last) - int(first)
            return f"range {'back' if length <= 0 else 'short' if length < 120 else 'long'}"
        return "range month" if last[0] == "0" or last <= first[2:] else "range elided"
    if len(first) != 4:
        return f"{len(first)} figures"
    value = int(first)
    span = next(name for limit, name in _SPANS if value < limit)
    return f"{span} {'00' if value % 100 == 0 else '0' if value % 10 == 0 else ''}"
