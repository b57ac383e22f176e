"""Finds which of several offered choices an answer states. Pure."""

import re
from collections.abc import Sequence


def stated_choice(answer: str, choices: Sequence[str]) -> str | None:
    """The longest choice whose words occur consecutively in the answer; ``None`` if there is none."""
    said = f" {_words(answer)} "
    stated = [choice for choice in choices if _words(choice) and f" {_words(choice)} " in said]
    return max(stated, key=len, default=None)


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
