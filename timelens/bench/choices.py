"""Multiple choice: the choices reach who answers, and never the search (TA-RAG, Section 6)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from timelens import Answerer, Draft, ParsedQuestion, Thought, Timeline
from timelens.answer.choices import choose
from timelens.words import topic_words

_LETTERS = "ABCDEFGHIJ"
_MARKED = re.compile(r"(?:\banswer(?: is)?|\bchoice|\boption)\s*:?\s*\(?([A-J])\b(?!['’])", re.IGNORECASE)
_ALONE = re.compile(r"\s*\(?([A-J])(?:[).:]|\s*$)")


class Choosing:
    """An answerer that is shown the choices below the question, each with a letter."""

    def __init__(self, answerer: Answerer, choices: Sequence[str]) -> None:
        self._answerer = answerer
        self._choices = choices

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        """The answer, piece by piece."""
        return self._answerer.write(
            replace(parsed, question=asked_with(parsed.question, self._choices)), timeline, draft
        )

    def cancel(self) -> None:
        """End what is being written."""
        self._answerer.cancel()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answerer has to say of its answer."""
        return self._answerer.notes


def asked_with(question: str, choices: Sequence[str]) -> str:
    """A question with its choices, and what to reply. Pure."""
    listed = " ".join(f"({letter}) {choice}" for letter, choice in zip(_LETTERS, choices, strict=False))
    return f"{question} Which one of these is right? {listed} Begin your answer with its letter, as in (A)."


def chosen(answer: str, choices: Sequence[str]) -> str | None:
    """The choice that an answer makes: by its words, else a letter, else the nearest; or none. Pure.

    The nearest is the choice most of whose words the answer has, where one is ahead of all others: what an
    answerer that was not shown the choices comes closest to.
    """
    stated = choose(answer, choices)
    if stated is not None:
        return stated
    letter = _ALONE.match(answer) or _MARKED.search(answer)
    if letter is not None and _LETTERS.index(letter[1].upper()) < len(choices):
        return choices[_LETTERS.index(letter[1].upper())]
    said = topic_words(answer)
    shares = []
    for choice in choices:
        words = topic_words(choice)
        shares.append(len(words & said) / len(words) if words else 0.0)
    best = max(shares, default=0.0)
    return choices[shares.index(best)] if best > 0 and shares.count(best) == 1 else None
