"""The keywords of a question, weighted by kind (MRAG, Section 4). Pure."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from timelens.words import STOP_WORDS, WORD, stem

# Weights of MRAG's published code; other words of a question count as its general ones.
_PROPER, _SUPERLATIVE, _NUMBER, _GENERAL = 1.0, 0.7, 0.5, 0.4

_SUPERLATIVES = re.compile(r"(?:most|least|best|worst|\w{3,}est)")


def keywords(question: str) -> dict[str, float]:
    """The stemmed words of a question with their weights: names, superlatives, numbers, and others."""
    weights: dict[str, float] = {}
    for match in WORD.finditer(question):
        word = match.group()
        if word.casefold() in STOP_WORDS:
            continue
        begins = not question[: match.start()].strip(" \"'(")
        root = stem(word)
        weights[root] = max(weights.get(root, 0.0), _weight(word, begins=begins))
    return weights


def overlap(wanted: Mapping[str, float], present: AbstractSet[str]) -> float:
    """The weighted share of the wanted words that are present, 0..1; 0 if there are no wanted words."""
    total = sum(wanted.values())
    if not total or present.isdisjoint(wanted):
        return 0.0
    return sum(weight for word, weight in wanted.items() if word in present) / total


def _weight(word: str, *, begins: bool) -> float:
    if any(character.isdigit() for character in word):
        return _NUMBER
    if word[0].isupper() and (not begins or word.isupper()):
        return _PROPER
    return _SUPERLATIVE if _SUPERLATIVES.fullmatch(word) else _GENERAL
