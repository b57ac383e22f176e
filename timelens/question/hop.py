"""One description in a question that stands for somebody or something, and how it asks by itself. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from timelens.question.hop_grammar import ASKED_NOUN, GENERIC, IN_OFFICE, MARK, WHERE

_MARKS = "ABCD"


def mark(number: int) -> str:
    """What stands for a hop in the words of others; hops are numbered from 1."""
    return f"⟦{_MARKS[number - 1]}⟧"


class HopKind(StrEnum):
    """How a description leads to what it stands for."""

    NEIGHBOUR = "neighbour"
    """It comes next to another in an order: "the successor of Tony Blair"."""
    HOLDER = "holder"
    """It is what a question of its own asks for: who was Pope while …"""
    TOLD = "told"
    """It is told by what was done to it: the scheme brought down by …"""


@dataclass(frozen=True, slots=True)
class Hop:
    """One description, with the question that it is by itself."""

    number: int
    """From 1, in the order in which they can be found out."""
    kind: HopKind
    text: str
    """As it stands in the question."""
    span: tuple[int, int]
    """What it replaces in the question, as that stands once those before it are replaced."""
    asks: tuple[str, ...]
    """What it asks, as questions of their own that mean the same; the first that is answered counts."""
    of: str = ""
    """Of a neighbour, whose it is: a name, or the mark of another hop."""
    later: bool = False
    """Whether a neighbour comes after it."""
    head: str = ""
    """What a description calls what it stands for, where that says something: "Chancellor"."""
    about: str = ""
    """Further words of the question that tell in which order a neighbour stands: "as Chancellor"."""
    being: str = ""
    """Of a holder, what it was at that time: "was Chancellor of Germany"."""

    @property
    def needs(self) -> tuple[int, ...]:
        """The hops that have to be found out before."""
        return marks_in(" ".join((self.of, *self.asks)))


def marks_in(text: str) -> tuple[int, ...]:
    """The numbers of the hops whose marks stand in a text."""
    return tuple(sorted({_MARKS.index(found[1]) + 1 for found in re.findall(MARK, text)}))


def filled(text: str, names: Mapping[int, str]) -> str:
    """A text with names in place of the marks of hops."""
    for number, name in names.items():
        text = text.replace(mark(number), name)
    return text


def being_of(match: re.Match[str], question: str) -> str:
    """What somebody or something was, as the rest of a clause about it: "was Chancellor of Germany"."""
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
    """The question that asks who or what was so at a time."""
    rest = f"{being} {time}".strip()
    if head and head.split(maxsplit=1)[0] not in being:
        return (f"Which {head} {rest}?",)
    if re.match(r"was\b(?!\s+the\b)", being):
        thing = being.partition(" ")[2]
        return f"Who {rest}?", f"What was the {thing} {time}?"
    return f"Who {rest}?", f"What {rest}?"


def time_words(time: str, clause: str) -> str:
    """The time of a clause in plain words: "of the days when X reigned" is "when X reigned"."""
    words = " ".join(time.lower().split())
    if words in ("while", "whilst"):
        return f"while {clause}"
    return f"at the time of {clause}" if words.endswith(" of") else f"when {clause}"


def telling(head: str, question: str) -> str:
    """What a description is called, if it says something: "one" is what the question asks for."""
    if not GENERIC.match(head):
        return head
    asked = ASKED_NOUN.match(question) if head.lower() == "one" else None
    return asked["noun"] if asked else ""


def lower_first(words: str) -> str:
    """Words that began a sentence, inside of one."""
    return words[:1].lower() + words[1:] if re.match(r"(?:The|Whoever)\b", words) else words
