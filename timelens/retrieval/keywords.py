"""The words of a question that evidence should share, weighted by kind (MRAG, Section 4). Pure."""

import re
import unicodedata
from collections.abc import Mapping

# Weights of MRAG's published code; other words of a question count as its general ones.
_PROPER, _SUPERLATIVE, _NUMBER, _GENERAL = 1.0, 0.7, 0.5, 0.4

_WORD = re.compile(r"[^\W_]+")
_SUPERLATIVES = re.compile(r"(?:most|least|best|worst|\w{3,}est)")
_STOP_WORDS = frozenset(
    (
        "a about according after all also among an and any are as at available be been before being between "
        "by can could did do does done during each for from had has have he her him his how i if in into is "
        "it its list many me much name names of on or she should so some than that the their them then there "
        "they this those through to up us was we were what when where which while who whom whose why will "
        "with would you your"
    ).split()
)


def keywords(question: str) -> dict[str, float]:
    """Words of a question with their weights: names, superlatives, numbers, and the rest."""
    weights: dict[str, float] = {}
    for match in _WORD.finditer(question):
        word = match.group()
        stem = _stem(word)
        if word.casefold() in _STOP_WORDS:
            continue
        begins = not question[: match.start()].strip(" \"'(")
        weights[stem] = max(weights.get(stem, 0.0), _weight(word, begins=begins))
    return weights


def overlap(wanted: Mapping[str, float], content: str) -> float:
    """The weighted share of the wanted words that a text has, 0..1; 0 if none are wanted."""
    total = sum(wanted.values())
    if not total:
        return 0.0
    present = {_stem(word) for word in _WORD.findall(content)}
    return sum(weight for word, weight in wanted.items() if word in present) / total


def _weight(word: str, *, begins: bool) -> float:
    if any(character.isdigit() for character in word):
        return _NUMBER
    if word[0].isupper() and (not begins or word.isupper()):
        return _PROPER
    return _SUPERLATIVE if _SUPERLATIVES.fullmatch(word) else _GENERAL


def _stem(word: str) -> str:
    """Case, accents and the common endings of English inflection taken off."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
            plain = plain[: len(plain) - len(ending)] + rest
            break
    return plain.removesuffix("e") if len(plain) > 3 else plain
