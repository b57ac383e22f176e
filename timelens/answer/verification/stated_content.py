"""The content of a span of text without its times: names, numbers, other words. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from timelens.question.names import names_in
from timelens.question.roles import role_verbs
from timelens.temporal.vocabulary import CARDINALS
from timelens.words import CAPITAL, NEGATION, topic_words

_NUMBER = re.compile(
    r"(?:(?<![\w.])(?:[-−+]|(?:minus|plus)\s+))?(?<!\d)\d++(?:,\d{3})*+(?:\.\d++)?+(?![^\W\d_]\b)",
    re.IGNORECASE,
)
"""A number; the figure of "flat 1B" is a part of a word."""
_NUMBER_WORDS = {
    word: str(value) for word, value in CARDINALS.items() if 2 <= value <= 12 or value in range(20, 61, 10)
}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
_LENGTH = re.compile(
    rf"(?<![\w.])(?:\d+(?:,\d{{3}})*(?:\.\d+)?|{'|'.join(_NUMBER_WORDS)})\s+"
    r"(?:second|minute|hour|day|week|month|year)s?\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\b(?:preced(?:e[ds]?|ing)|predecessors?|succeed(?:s|ed|ing)?|successors?|follow(?:s|ed)"
    r"|replac(?:e[ds]?|ing)|previous(?:ly)?|former(?:ly)?|next)\b",
    re.IGNORECASE,
)
_BESIDE_A_NAME = re.compile(rf"\b(?:before|after)\s+(?:the\s+)?{CAPITAL}")
_RISES = re.compile(
    r"\b(?:rais(?:e[ds]?|ing)|ris(?:e[ns]?|ing)|rose|increas(?:e[ds]?|ing)|grew|grow[ns]?|higher|more)\b",
    re.IGNORECASE,
)
_FALLS = re.compile(
    r"\b(?:lower(?:ed|s|ing)?|cuts?|cutting|f[ae]ll(?:s|en|ing)?|decreas(?:e[ds]?|ing)|reduc(?:e[ds]?|ing)|drop(?:s|ped|ping)?"
    r"|declin(?:e[ds]?|ing)|less|fewer)\b",
    re.IGNORECASE,
)
_OPENING = frozenset(
    "although also both despite finally first further furthermore here however initially later meanwhile "
    "moreover no nobody none not nothing now nowadays once only originally overall still subsequently "
    "therefore these though thus today under unlike whereas yes yet".split()
)
"""Words that are capitalised at the beginning of a sentence and are not names."""
_OF_EVIDENCE = topic_words(
    "evidence source sources document documents passage piece record records text states stated shows shown "
    "says mentions mentioned reports reported"
)
"""Words by which a text refers to its evidence."""
_HEDGES = topic_words("probably perhaps possibly undated")
"""Words that tell how sure an answer is, or that a sentence has no time, which no evidence states."""
_FRACTION_AFTER = re.compile(r"\s+\d+\.\d.*$")
_ACRONYM_PARTS = re.compile(r"[^\W\d_a-z][\w’'-]*(?:\s+(?:(?:of|for|and|the|on|de)\s+)*[^\W\d_a-z][\w’'-]*)+")


@dataclass(frozen=True, slots=True)
class StatedContent:
    """The content of a span of text, without its times."""

    names: tuple[str, ...]
    numbers: frozenset[str]
    plain: frozenset[str]
    """Stems of the other content words."""
    words: frozenset[str]
    """Stems of all content words."""
    of_role: frozenset[str]
    """Stems of verbs for beginning and ending, which the days of a row cover."""
    negated: bool
    ordered: bool
    """Whether it places something before or after a named thing: "who preceded Alder"."""

    rises: bool
    """Whether it contains a word for a rise."""
    falls: bool

    @property
    def is_empty(self) -> bool:
        """Whether it has no content that evidence could state."""
        return not (self.names or self.numbers or self.plain)

    def opposes(self, other: "StatedContent") -> bool:
        """Whether one states only a rise and the other only a fall."""
        up, down = self.rises and not self.falls, self.falls and not self.rises
        return (up and other.falls and not other.rises) or (down and other.rises and not other.falls)

    @property
    def subject(self) -> "StatedContent":
        """The content without plain words: names and numbers."""
        return replace(self, plain=frozenset())

    def about(self, other: "StatedContent") -> "StatedContent":
        """The content with the names of another span."""
        return replace(self, names=other.names, words=self.words | other.words)


def stated_content(text: str, times: Sequence[tuple[int, int]]) -> StatedContent:
    """The content of a text; ``times`` are the half-open offsets of its time expressions."""
    blank = blanked(text, times)
    names = _names(blank)
    rest = blank
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda m: ";" * len(m.group()), rest)
    numbers = numbers_in(rest)
    plain = (
        topic_words(_NUMBER_WORD.sub(";", _NUMBER.sub(";", _ORDERS.sub(";", NEGATION.sub(";", rest)))))
        - _OF_EVIDENCE
        - _HEDGES
    )
    return StatedContent(
        names=names,
        numbers=numbers,
        plain=plain,
        words=topic_words(blank),
        of_role=topic_words(" ".join(role_verbs(blank))),
        rises=_RISES.search(blank) is not None,
        falls=_FALLS.search(blank) is not None,
        negated=NEGATION.search(blank) is not None,
        ordered=bool(_ORDERS.search(blank) or _BESIDE_A_NAME.search(blank)),
    )


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text with spans (half-open offsets) replaced by as many semicolons, which separate words."""
    for start, end in spans:
        text = text[:start] + ";" * (end - start) + text[end:]
    return text


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text with their signs, normalised: ``2.50`` to ``2.5``, ``1,200`` to ``1200``."""
    figures = (_plain_number(match.group()) for match in _NUMBER.finditer(text))
    words = (_NUMBER_WORDS[match.group().casefold()] for match in _NUMBER_WORD.finditer(text))
    return frozenset((*figures, *words))


def lengths_in(text: str) -> frozenset[str]:
    """The numbers of lengths of time in a text, such as 437 in "437 days from January 1994"."""
    return frozenset(number for match in _LENGTH.finditer(text) for number in numbers_in(match.group()))


def acronyms(text: str) -> frozenset[str]:
    """The initials of the names of a text: ``ECB`` for the European Central Bank."""
    return frozenset(
        "".join(word[0] for word in match.group().split() if word[0].isupper())
        for match in _ACRONYM_PARTS.finditer(text)
    )


def _names(text: str) -> tuple[str, ...]:
    """The names of a text, without words that are capitalised only because they begin a sentence."""
    found = []
    for run in names_in(text):
        name = _FRACTION_AFTER.sub("", run)  # a decimal number is not part of a name
        if re.search(rf"(?<!\w){re.escape(name)},\d{{3}}(?!\d)", text):  # nor is "12" of "EUR 12,500"
            name = name.rpartition(" ")[0] or name
        first, _, others = name.partition(" ")
        if first.casefold() not in _OPENING:
            found.append(name)
        elif others:
            found.append(others)
    return tuple(found)


def _plain_number(figures: str) -> str:
    digits = re.sub(r"[^\d.]", "", figures)
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    is_negative = figures[:1] in "-−" or figures[:5].casefold() == "minus"
    return f"-{digits}" if is_negative and digits.strip("0.") else digits
