"""Sentences, and chunks of whole sentences that the embedder can read to their end."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

Span = tuple[int, int]

_BLOCK = re.compile(r"[^\n](?:.|\n(?!\s*\n))*")  # a paragraph: up to the next blank line
_LONGEST_PARSED = 100_000  # characters handed to the sentence splitter at once


def split_sentences(text: str) -> list[Span]:
    """(start, end) of every sentence, without surrounding white space; a blank line always ends one."""
    spans: list[Span] = []
    blocks = list(_blocks(text))
    parsed = _splitter().pipe(text[start:end] for start, end in blocks)
    for (start, _), document in zip(blocks, parsed, strict=True):
        for sentence in document.sents:
            stripped = sentence.text.strip()
            if stripped:
                first = start + sentence.start_char + sentence.text.index(stripped[0])
                spans.append((first, first + len(stripped)))
    return spans


def pack(sentences: Sequence[Span], tokens: Sequence[int], limit: int) -> list[tuple[Span, ...]]:
    """Put consecutive sentences together up to ``limit`` tokens; a longer sentence stands alone, whole."""
    packed: list[tuple[Span, ...]] = []
    current: list[Span] = []
    used = 0
    for span, size in zip(sentences, tokens, strict=True):
        if current and used + size > limit:
            packed.append(tuple(current))
            current, used = [], 0
        current.append(span)
        used += size
    if current:
        packed.append(tuple(current))
    return packed


def _blocks(text: str) -> Iterator[Span]:
    for match in _BLOCK.finditer(text):
        for start in range(match.start(), match.end(), _LONGEST_PARSED):
            yield start, min(start + _LONGEST_PARSED, match.end())


@cache
def _splitter() -> "Language":
    import spacy

    language = spacy.blank("en")
    language.add_pipe("sentencizer")
    return language
