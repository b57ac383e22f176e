"""Paragraphs and headings of a PDF page, told by the space between its lines and by their fonts. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

_APART = 1.25
"""Least space between the lines of two paragraphs, relative to the usual one of the page."""
_LEADING = 1.2
"""Usual space between the lines of a text, relative to the size of its font."""
_FEWEST_LINES = 4
"""Fewest lines of a page whose spacing shows what is usual."""
_LARGER = 1.1
"""Least size of the font of a heading that is not bold, relative to the usual one of the page."""
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx", re.IGNORECASE)
"""In the name of a font."""
_LONGEST_HEADING = 120

Font: TypeAlias = tuple[str, float]
"""Name, and size in points."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on a page."""

    text: str

    def as_text(self) -> str:
        """The heading as a line."""
        return self.text


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
    fonts: set[Font] = field(default_factory=set)

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


def parts_of(lines: Sequence[Line]) -> list[str | Heading]:
    """The headings, and the texts between them, with an empty line between paragraphs.

    Two lines are of different paragraphs if they stand further apart than usual on the page and for their
    fonts, or have no font in common. A line that stands above the one before begins a column, which tells no
    paragraph.
    """
    letters: Counter[Font] = Counter()
    for line in lines:
        letters.update(dict.fromkeys(line.fonts, len(line.text) // max(len(line.fonts), 1)))
    usual = max(letters, key=letters.__getitem__, default=None)
    parts: list[str | Heading] = []
    for paragraph in _paragraphs(lines):
        text = "\n".join(line.text.strip() for line in paragraph)
        fonts = {font for line in paragraph for font in line.fonts}
        if usual is not None and len(fonts) == 1 and _is_heading(text, min(fonts), usual):
            parts.append(Heading(" ".join(text.split())))
        elif parts and isinstance(parts[-1], str):
            parts[-1] += f"\n\n{text}"
        else:
            parts.append(text)
    return parts


def _paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines by paragraph."""
    spaces = [before.height - line.height for before, line in pairwise(lines)]
    usual = _usual(spaces)
    found = [[line] for line in lines[:1]]
    for (before, line), space in zip(pairwise(lines), spaces, strict=True):
        size = min(max((size for _, size in each.fonts), default=0.0) for each in (before, line))
        is_apart = bool(usual) and space > _APART * max(usual, _LEADING * size)
        if is_apart or (before.fonts and line.fonts and before.fonts.isdisjoint(line.fonts)):
            found.append([line])
        else:
            found[-1].append(line)
    return found


def _is_heading(text: str, font: Font, usual: Font) -> bool:
    """Whether a paragraph in one font is short, and larger or bolder than the usual font of its page."""
    is_larger = font[1] >= _LARGER * usual[1]
    is_bolder = font[1] >= usual[1] and _BOLD.search(font[0]) and not _BOLD.search(usual[0])
    return (
        bool(is_larger or is_bolder)
        and len(text) <= _LONGEST_HEADING
        and any(map(str.isalpha, text))
        and text[-1] not in ".,;"
    )


def _usual(spaces: Sequence[float]) -> float:
    """The most frequent space between lines, the smallest of several, in points; 0 if there are few lines."""
    counts = Counter(round(space) for space in spaces if round(space) > 0)
    if counts.total() < _FEWEST_LINES - 1:
        return 0.0
    return float(max(counts, key=lambda space: (counts[space], -space)))
