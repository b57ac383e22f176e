"""What is asked of a language model, wherever it runs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from timelens.answer.lm.stop import Stop
from timelens.answer.prompt import Prompt

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """A text without characters that act on a terminal."""
    return _UNSEEN.sub("", text)


@dataclass(slots=True)
class Ending:
    """How a generation ended."""

    note: str | None = None


class LanguageModel(Protocol):
    """Counts tokens and continues a prompt. Not for several threads at once."""

    context_tokens: int
    """Of the prompt and its answer together."""
    template_tokens: int
    """What is put around instructions and request."""

    def count(self, text: str) -> int:
        """How many tokens a text is, or at most is."""

    def make_room(self, tokens: int) -> None:
        """Enlarge the context for a prompt and its answer, as far as it can grow."""

    def has_room(self, prompt: Prompt, most: int) -> bool:
        """Whether a prompt fits with so many tokens of an answer; the context grows for them, as it may."""

    def grammar_of(self, schema: Mapping[str, object]) -> Any:  # noqa: ANN401 -- each has its own
        """What :meth:`generate` takes to write JSON that fits a schema."""

    def generate(
        self,
        prompt: Prompt,
        most: int,
        stop: Stop,
        ending: Ending,
        grammar: Any = None,  # noqa: ANN401
    ) -> Iterator[str]:
        """The answer of at most so many tokens, piece by piece, without characters that act on a terminal."""
