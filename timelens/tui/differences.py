"""The differences between two answers to one question. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from timelens import Citation
from timelens.answer.hit_times import time_of
from timelens.answer.rendering.labels import heading
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of
from timelens.printable import printable, printable_line

_CITED = re.compile(r"\s*\[\d{1,9}\]")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Marked:
    """A text of one side, and whether the other side lacks it."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two answers."""

    answer: tuple[Marked, ...]
    evidence: tuple[Marked, ...]


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer with its evidence."""

    text: str
    evidence: tuple[Citation, ...]


def sides_of(one: ShownAnswer, other: ShownAnswer) -> tuple[Side, Side]:
    """Both answers, with the parts that only one of them has marked.

    Two lines are equal if they differ only in citation numbers. Two pieces of evidence are equal if they are
    the same sentence of the same document with the same time, at any position.
    """
    answers = marked(_lines(one.text), _lines(other.text), _without_numbers)
    evidence = marked(one.evidence, other.evidence, _key, _evidence_line)
    return Side(answers[0], evidence[0]), Side(answers[1], evidence[1])


def marked(
    one: Sequence[T],
    other: Sequence[T],
    key: Callable[[T], object],
    text: Callable[[T], str] = str,
) -> tuple[tuple[Marked, ...], tuple[Marked, ...]]:
    """The texts of both sides; a text is marked if the other side lacks its key."""

    def against(these: Iterable[T], those: Iterable[T]) -> tuple[Marked, ...]:
        keys = {key(item) for item in those}
        return tuple(Marked(text(item), key(item) not in keys) for item in these)

    return against(one, other), against(other, one)


def summary(one: Side, other: Side) -> str:
    """A one-line summary of the differences; each difference is shown with a bar."""
    if not any(item.differs for item in (*one.answer, *one.evidence, *other.answer, *other.evidence)):
        return "Nothing differs."
    differ = any(item.differs for item in (*one.answer, *other.answer))
    alone = [sum(item.differs for item in side.evidence) for side in (one, other)]
    answers = "The answers differ" if differ else "The answers are the same"
    return f"{answers}. Evidence only on the left: {alone[0]}, only on the right: {alone[1]}."


def _lines(text: str) -> list[str]:
    return [line for line in printable(text).split("\n") if line.strip()]


def _without_numbers(line: str) -> str:
    return " ".join(_CITED.sub("", line).split())


def _key(citation: Citation) -> tuple[str, str, object]:
    return citation.hit.chunk.document_id, sentence_of(citation.hit), time_of(citation.hit)


def _evidence_line(citation: Citation) -> str:
    hit = citation.hit
    title = f"[{citation.number}] {heading(hit)} · {label(hit)}"
    return title if hit.chunk.fact else f"{title}\n{printable_line(sentence_of(hit))}"
