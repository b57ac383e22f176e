"""Paragraphs of the text of a PDF page, told by the space between its lines and by their fonts. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

_APART = 1.25
"""Least space between the lines of two paragraphs, relative to the usual one of the page."""
_LEADING = 1.2
"""Usual space between the lines of a text, relative to the size of its font."""
_FEWEST_LINES = 4
"""Fewest lines of a page whose spacing shows what is usual."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the text of a page, in the order of reading."""

    text: str
    """May end a line, or be its end alone."""
    height: float
    """Of its baseline, in points upward."""
    font: str
    size: float
    """Of the font, in points."""


@dataclass(slots=True)
class Line:
    """A line of the text of a page."""

    text: str = ""
    height: float = 0.0
    fonts: set[tuple[str, float]] = field(default_factory=set)
    """Names and sizes."""

    def add(self, piece: Piece, text: str) -> None:
        """Add a text of a piece behind the text of the line."""
        if text.strip():
            self.height = self.height if self.fonts else piece.height
            self.fonts.add((piece.font, round(piece.size, 1)))
        self.text += text


def lines_of(pieces: Iterable[Piece]) -> Iterator[Line]:
    """The lines that pieces make up; several in one piece stand as high as their piece."""
    line = Line()
    for piece in pieces:
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                yield line
                line = Line()
            line.add(piece, part)
    yield line


def with_paragraphs(lines: Sequence[Line]) -> str:
    """The lines as one text, with an empty line between paragraphs.

    Two lines are of different paragraphs if they stand further apart than usual on the page and for their
    fonts, or if they have different fonts, each a single one: a heading and the text below it. A line that
    stands above the one before begins a column, which tells no paragraph.
    """
    spaces = [before.height - line.height for before, line in pairwise(lines)]
    usual = _usual(spaces)
    text = lines[0].text.strip() if lines else ""
    for (before, line), space in zip(pairwise(lines), spaces, strict=True):
        size = min(max((size for _, size in each.fonts), default=0.0) for each in (before, line))
        is_apart = bool(usual) and space > _APART * max(usual, _LEADING * size)
        is_heading = len(before.fonts) == len(line.fonts) == 1 and before.fonts != line.fonts
        text += ("\n\n" if is_apart or is_heading else "\n") + line.text.strip()
    return text


def _usual(spaces: Sequence[float]) -> float:
    """The most frequent space between lines, the smallest of several, in points; 0 if there are few lines."""
    counts = Counter(round(space) for space in spaces if round(space) > 0)
    if counts.total() < _FEWEST_LINES - 1:
        return 0.0
    return float(max(counts, key=lambda space: (counts[space], -space)))
