"""Paragraphs of the text of a PDF page, told by the space between its lines. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_APART = 1.25
"""Least space between the lines of two paragraphs, relative to the usual one of the page."""
_FEWEST_LINES = 4
"""Fewest lines of a page whose spacing shows what is usual."""


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A piece of the text of a page, in the order of reading, and how high its line stands."""

    text: str
    """May end, or be, the end of a line."""
    height: float
    """Of its baseline, in points upward."""


def lines_of(pieces: Iterable[PlacedText]) -> Iterator[PlacedText]:
    """The lines that pieces make up; several in one piece stand as high as their piece."""
    text, height = "", 0.0
    for piece in pieces:
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                yield PlacedText(text, height)
                text = ""
            if part.strip() and not text.strip():
                height = piece.height
            text += part
    yield PlacedText(text, height)


def with_paragraphs(lines: Sequence[PlacedText]) -> str:
    """The lines as one text, with an empty line where they stand further apart than usual on the page.

    A line that stands above the one before begins a column, which tells no paragraph.
    """
    spaces = [before.height - line.height for before, line in pairwise(lines)]
    usual = _usual(spaces)
    text = lines[0].text if lines else ""
    for line, space in zip(lines[1:], spaces, strict=True):
        text += "\n\n" if usual and space > _APART * usual else "\n"
        text += line.text
    return text


def _usual(spaces: Sequence[float]) -> float:
    """The most frequent space between lines, the smallest of several, in points; 0 if there are few lines."""
    counts = Counter(round(space) for space in spaces if round(space) > 0)
    if counts.total() < _FEWEST_LINES - 1:
        return 0.0
    return float(max(counts, key=lambda space: (counts[space], -space)))
