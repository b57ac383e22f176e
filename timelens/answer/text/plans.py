"""Tells what a sentence presents as planned from what it presents as done. Pure."""

import re
from collections.abc import Set as AbstractSet

from timelens.words import topic_words

_PLANNED = re.compile(
    r"\b(?:will|would|(?:is|are|was|were|am)\s+(?:due\s+)?to|expect(?:s|ed)\s+to|plan(?:s|ned)|should)\b"
)
_NEXT_WORDS = 3
"""How many words after "will" or "is to" may hold its verb."""


def is_planned(sentence: str, happened: AbstractSet[str]) -> bool:
    """Whether a sentence presents an event as planned rather than done; ``happened`` is its verb, stemmed."""
    return any(
        topic_words(" ".join(sentence[match.end() :].split()[:_NEXT_WORDS])) & happened
        for match in _PLANNED.finditer(sentence)
    )
