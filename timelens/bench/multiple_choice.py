"""Multiple choice: the answerer sees the choices, the search never does (TA-RAG, Section 6)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from timelens import Answerer, Draft, ParsedQuestion, Thought, Timeline
from timelens.answer.stated_choice import stated_choice
from timelens.words import topic_words

_LETTERS = "ABCDEFGHIJ"
_MARKED = re.compile(r"(?:\banswer(?: is)?|\bchoice|\boption)\s*:?\s*\(?([A-J])\b(?!['’])", re.IGNORECASE)
_ALONE = re.compile(r"\s*\(?([A-J])(?:[).:]|\s*$)")


class Choosing:
    """An answerer that sees the choices below the question, each with a letter."""

    def __init__(self, answerer: Answerer, choices: Sequence[str]) -> None:
        self._answerer = answerer
        self._choices = choices

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        """The answer, piece by piece."""
        return self._answerer.write(
            replace(parsed, question=with_choices(parsed.question, self._choices)), timeline, draft
        )

    def cancel(self) -> None:
        """Stop writing the answer."""
        self._answerer.cancel()

    @property
    def notes(self) -> tuple[str, ...]:
        """The answerer's notes on its answer."""
        return self._answerer.notes


def with_choices(question: str, choices: Sequence[str]) -> str:
    """A question with its choices and the form of the reply. Pure."""
    listed = " ".join(f"({letter}) {choice}" for letter, choice in zip(_LETTERS, choices, strict=False))
    return f"{question} Which one of these is right? {listed} Begin your answer with its letter, as in (A)."


def chosen(answer: str, choices: Sequence[str]) -> str | None:
    """The choice that an answer makes: by its words, else by a letter, else the nearest, else ``None``. Pure.

    The nearest choice is the one with the largest share of its words in the answer, if no other choice ties
    with it. It serves answerers that were not shown the choices.
    """
    stated = stated_choice(answer, choices)
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
