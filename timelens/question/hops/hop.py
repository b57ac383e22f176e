"""A hop: a description in a question that stands for a name, with its own sub-question. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from timelens.question.hops.hop_grammar import ASKED_NOUN, GENERIC, IN_OFFICE, MARK, WHERE

_MARKS = "ABCD"


def mark(number: int) -> str:
    """The placeholder (mark) for a hop in other texts; hops are numbered from 1."""
    return f"⟦{_MARKS[number - 1]}⟧"


class HopKind(StrEnum):
    """The kind of a description."""

    NEIGHBOUR = "neighbour"
    """A neighbour in an order: "the successor of Tony Blair"."""
    HOLDER = "holder"
    """The answer to a question: "the one who was Pope while …"."""
    TOLD = "told"
    """The object of an action: "the scheme brought down by …"."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A description, with its sub-question."""

    number: int
    """Its number from 1, in the order in which hops can be resolved."""
    kind: HopKind
    text: str
    """Its words in the question."""
    span: tuple[int, int]
    """Its half-open offsets in the question after earlier hops are replaced."""
    asks: tuple[str, ...]
    """Equivalent sub-questions; the first that is answered is used."""
    of: str = ""
    """For a neighbour, the reference: a name, or the mark of another hop."""
    later: bool = False
    """For a neighbour, whether it comes after the reference."""
    head: str = ""
    """The informative head noun of the description: "Chancellor"; may be empty."""
    about: str = ""
    """For a neighbour, further words that identify the order: "as Chancellor"."""
    being: str = ""
    """For a holder, its predicate: "was Chancellor of Germany"."""

    @property
    def needs(self) -> tuple[int, ...]:
        """The numbers of the hops that must be resolved before."""
        return marks_in(" ".join((self.of, *self.asks)))


def marks_in(text: str) -> tuple[int, ...]:
    """The numbers of the hops whose marks are in a text."""
    return tuple(sorted({_MARKS.index(found[1]) + 1 for found in re.findall(MARK, text)}))


def filled(text: str, names: Mapping[int, str]) -> str:
    """A text with marks replaced by names."""
    for number, name in names.items():
        text = text.replace(mark(number), name)
    return text


def being_of(match: re.Match[str], question: str) -> str:
    """The predicate of a description: "was Chancellor of Germany"."""
    if match["thing"]:
        return f"was {match['thing']}"
    head = telling(match["head"] or "", question)
    being = match["being"]
    place = WHERE.search(question[: match.start()]) if re.search(r"\bthere$", being) else None
    if place is not None:
        being = f"in {place['place']}"
        return f"was {head} {being}" if head else f"{match['verb']} {being}"
    if head and IN_OFFICE.match(being):
        return f"was {head}"
    return f"{match['verb']} {being}"


def asked_of(being: str, head: str, time: str) -> tuple[str, ...]:
    """Questions for the subject of a predicate at a time."""
    rest = f"{being} {time}".strip()
    if head and head.split(maxsplit=1)[0] not in being:
        return (f"Which {head} {rest}?",)
    if re.match(r"was\b(?!\s+the\b)", being):
        thing = being.partition(" ")[2]
        return f"Who {rest}?", f"What was the {thing} {time}?"
    return f"Who {rest}?", f"What {rest}?"


def time_words(time: str, clause: str) -> str:
    """A time clause in plain words: "in the days when" with "X reigned" gives "when X reigned"."""
    words = " ".join(time.lower().split())
    if words in ("while", "whilst"):
        return f"while {clause}"
    return f"at the time of {clause}" if words.endswith(" of") else f"when {clause}"


def telling(head: str, question: str) -> str:
    """The head noun of a description, for "one" the noun that the question asks for; empty if generic."""
    if not GENERIC.match(head):
        return head
    asked = ASKED_NOUN.match(question) if head.lower() == "one" else None
    return asked["noun"] if asked else ""


def lower_first(words: str) -> str:
    """Words from the beginning of a sentence, for use inside a sentence."""
    return words[:1].lower() + words[1:] if re.match(r"(?:The|Whoever)\b", words) else words
