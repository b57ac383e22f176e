"""Sentences of passages as they are shown: on one line, with the antecedents of their pronouns. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

from timelens.documents import Chunk, Hit

_POINTS_BACK = re.compile(
    r"\b(?:he|she|it|they|him|them|his|her|its|their|this|these|those)\b|^That\b", re.IGNORECASE
)
_FURTHEST_BACK = 2
_HEADING = re.compile(r"\s*#{1,6}\s")
_MARKDOWN = re.compile(
    r"^\s*(?:(?:#{1,6}|[-*+>])\s+)+|(?<![\w*])\*{1,2}(?=[^\W_])|(?<=[\w.,;:!?])\*{1,2}(?![\w*])", re.MULTILINE
)
"""Markdown marks of headings, lists, quotations and emphasis."""


def sentence_of(hit: Hit) -> str:
    """The best sentence of a hit, on one line, with the sentences before it that its pronouns refer to."""
    if hit.sentence is None:
        return unmarked(hit.chunk.text)
    return joined(hit.chunk, range(points_back(hit.chunk, hit.sentence), hit.sentence + 1))


def points_back(chunk: Chunk, sentence: int) -> int:
    """Index of the first sentence that the pronouns of a sentence may refer to; its own if it has none.

    A heading is not referred to.
    """
    first = sentence
    while first > max(0, sentence - _FURTHEST_BACK) and _POINTS_BACK.search(chunk.sentence(first)):
        if is_heading_text(chunk.sentence(first - 1)):
            break
        first -= 1
    return first


def is_heading_text(sentence: str) -> bool:
    """Whether every line of a sentence is a Markdown heading."""
    lines = sentence.strip().splitlines()
    return all(_HEADING.match(line) for line in lines if line.strip())


def unmarked(text: str) -> str:
    """A text on one line, without Markdown marks."""
    return " ".join(_MARKDOWN.sub("", text).split())


def joined(chunk: Chunk, sentences: Sequence[int]) -> str:
    """Sentences of a chunk on one line, with an ellipsis for omitted sentences between them."""
    text = chunk.sentence(sentences[0])
    for before, index in pairwise(sentences):
        text += ("\n" if index == before + 1 else " …\n") + chunk.sentence(index)
    return unmarked(text)
