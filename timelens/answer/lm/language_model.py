"""The protocol of a language model, independent of where it runs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from timelens.answer.lm.stop import Stop
from timelens.answer.writing.answer_prompt import Prompt

CANCELLED = "the answer was cancelled before it was complete"
"""The note of a generation that was stopped."""
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """A text without terminal control characters."""
    return _UNSEEN.sub("", text)


@dataclass(slots=True)
class Ending:
    """The end of a generation; ``note`` is for the user."""

    note: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of a reading adapter."""

    text: str
    log_probability: float
    """Of the whole reply, with its end."""
    log_refusal: float
    """The log probability of a refusal, judged by its first token."""


class LanguageModel(Protocol):
    """Counts tokens and continues a prompt. Not thread-safe."""

    context_tokens: int
    """Tokens of a prompt and its answer together."""
    template_tokens: int
    """Tokens of the template around instructions and request."""

    @property
    def has_adapter(self) -> bool:
        """Whether a reading adapter for this model is installed."""

    def read(self, prompt: Prompt, stop: Stop) -> Reply | None:
        """The reply of the model with its reading adapter; ``None`` if it was stopped.

        Call it only if :attr:`has_adapter`.
        """

    def count(self, text: str) -> int:
        """The number of tokens of a text, or an upper bound."""

    def make_room(self, tokens: int) -> None:
        """Enlarge the context for a prompt and its answer, as far as possible."""

    def has_room(self, prompt: Prompt, most: int) -> bool:
        """Whether a prompt and ``most`` tokens of an answer fit; the context is enlarged if possible."""

    def grammar_of(self, schema: Mapping[str, object]) -> Any:  # noqa: ANN401 -- each has its own
        """The argument ``grammar`` of :meth:`generate` for JSON that conforms to a schema."""

    def generate(
        self,
        prompt: Prompt,
        most: int,
        stop: Stop,
        ending: Ending,
        grammar: Any = None,  # noqa: ANN401
    ) -> Iterator[str]:
        """The answer of at most ``most`` tokens, piece by piece, without terminal control characters."""
