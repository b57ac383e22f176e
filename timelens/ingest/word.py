"""Word documents: the text of DOCX with headings, and with pages if Word recorded their starts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from timelens.documents import Document
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.office import FALLBACK, Blocks, core_properties, made, main_part, number_in
from timelens.ingest.reader_tools import read_bytes
from timelens.ingest.sources import SourceFile
from timelens.ingest.text_tables import Cell
from timelens.ingest.zip_packages import Package, referenced_part

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BOX = f"{_WORD}txbxContent"
_PAGE_BEGINS = f"{_WORD}lastRenderedPageBreak"
_HEADING_STYLE = re.compile(r"heading (\d)|title", re.IGNORECASE)


@dataclass(slots=True)
class _Pages:
    """The current page.

    Word records where each page began in its last layout. After a manual page break such a mark follows,
    which does not begin another page.
    """

    are_told: bool = False
    current: int = 1
    first: int = 0
    """Page on which the current text begins; 0 before any text."""
    is_broken: bool = False

    def turn(self, *, ordered: bool) -> None:
        """End a page: at a manual break (``ordered``), or where the layout did."""
        self.current += ordered or not self.is_broken
        self.is_broken = ordered

    def read(self) -> None:
        """Record that there is text on the current page."""
        self.first = self.first or self.current
        self.is_broken = False

    @property
    def told(self) -> int:
        """The page on which the text begins; 0 if the file does not record pages."""
        return (self.first or self.current) if self.are_told else 0


@dataclass(slots=True)
class _Word:
    """State of reading a document: its heading styles and notes, the current page, the blocks so far."""

    headings: frozenset[str]
    notes: dict[str, dict[str, str]]
    pages: _Pages = field(default_factory=_Pages)
    blocks: Blocks = field(default_factory=Blocks)

    def take(self, parent: "Element") -> None:
        """Add the paragraphs below an element, and the rows of tables."""
        for element in _below(parent, (f"{_WORD}p", f"{_WORD}tbl")):
            if element.tag == f"{_WORD}p":
                self._take_paragraph(element)
            else:
                self._take_table(element)

    def _take_paragraph(self, paragraph: "Element") -> None:
        cited: list[str] = []
        self.pages.first = 0
        text = _line(paragraph, self.notes, cited, self.pages)
        self.blocks.add(text, heading=_is_heading(paragraph, self.headings), page=self.pages.told)
        for box in _below(paragraph, (_BOX,)):
            self.take(box)
        self._add_notes(cited)

    def _take_table(self, table: "Element") -> None:
        """Add the rows of a table, and below it their notes."""
        start = self.blocks.offset
        cited: list[str] = []
        above: dict[int, str] = {}
        rows = [_placed(self._take_row(row, cited), above) for row in _below(table, (f"{_WORD}tr",))]
        self.blocks.add_table(start, rows)
        self._add_notes(cited)

    def _take_row(self, row: "Element", cited: list[str]) -> "list[tuple[Element, str]]":
        """Add a row of a table; a page that ends in several of its cells ends once."""
        cells = []
        self.pages.first, begun, ended = 0, self.pages.current, self.pages.current
        for cell in _below(row, (f"{_WORD}tc",)):
            self.pages.current = begun
            cells.append((cell, _cell(cell, self.notes, cited, self.pages)))
            ended = max(ended, self.pages.current)
        self.pages.current = ended
        self.blocks.add(" | ".join(text for _, text in cells if text), page=self.pages.told)
        return cells

    def _add_notes(self, cited: Iterable[str]) -> None:
        for note in cited:
            self.blocks.add(note, page=self.blocks.page)


def read_docx(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a Word document: paragraphs, tables, notes, no deleted text; headings and pages are places.

    Each table with date columns is a document of its own, whose rows are facts.
    """
    raw = read_bytes(source)
    package = Package(raw, "DOCX")
    main = main_part(package, "word/document.xml")
    headings = _heading_styles(package.xml(referenced_part(main, "styles.xml")))
    notes = {
        name: _notes(package.xml(referenced_part(main, f"{name}s.xml")), name)
        for name in ("footnote", "endnote")
    }
    body = package.required(main).find(f"{_WORD}body")
    word = _Word(headings, notes)
    if body is not None:
        word.pages.are_told = next(body.iter(_PAGE_BEGINS), None) is not None
        word.take(body)
    yield from made(source, raw, word.blocks, core_properties(package), columns)


def _placed(cells: "Sequence[tuple[Element, str]]", above: dict[int, str]) -> list[Cell]:
    """The cells of a row; one that is merged with the one above it has the text of that.

    ``above`` has the text in each column so far, and is updated.
    """
    placed: list[Cell] = []
    column = 0
    for element, text in cells:
        across = element.find(f"{_WORD}tcPr/{_WORD}gridSpan")
        merged = element.find(f"{_WORD}tcPr/{_WORD}vMerge")
        if merged is None or merged.get(f"{_WORD}val") == "restart":
            above[column] = text
        placed.append(Cell(above.get(column, ""), number_in(across, f"{_WORD}val")))
        column += placed[-1].across
    return placed


def _cell(cell: "Element", notes: dict[str, dict[str, str]], cited: list[str], pages: _Pages) -> str:
    """The text of a cell or box, on one line."""
    said = []
    for line in _below(cell, (f"{_WORD}p",)):
        said.append(_line(line, notes, cited, pages))
        said += [_cell(box, notes, cited, pages) for box in _below(line, (_BOX,))]
    return " ".join(" ".join(said).split())


def _line(paragraph: "Element", notes: dict[str, dict[str, str]], cited: list[str], pages: _Pages) -> str:
    """The current text of a paragraph; the notes that it refers to are appended to ``cited``."""
    pieces: list[str] = []
    for element in _below(paragraph, _WORD_PIECES):
        if element.tag == f"{_WORD}t":
            pieces.append(element.text or "")
            pages.read()
        elif element.tag == _PAGE_BEGINS:
            pages.turn(ordered=False)
        elif (plain := _WORD_SIGNS.get(str(element.tag))) is not None:
            pieces.append(plain)
            if element.get(f"{_WORD}type") == "page":
                pages.turn(ordered=True)
        elif element.tag == f"{_WORD}sym":
            pieces.append("•")
        else:
            kind = "footnote" if "footnote" in str(element.tag) else "endnote"
            note = notes[kind].get(element.get(f"{_WORD}id", ""))
            cited += [note] if note else []
    return "".join(pieces)


_WORD_SIGNS = {
    f"{_WORD}tab": "\t",
    f"{_WORD}ptab": "\t",
    f"{_WORD}br": "\n",
    f"{_WORD}cr": "\n",
    f"{_WORD}noBreakHyphen": "-",
    f"{_WORD}softHyphen": "",
}
_WORD_PIECES = (
    f"{_WORD}t",
    f"{_WORD}sym",
    f"{_WORD}footnoteReference",
    f"{_WORD}endnoteReference",
    _PAGE_BEGINS,
    *_WORD_SIGNS,
)
# Deleted or moved text, properties, and the alternative form of a drawing.
_NOT_READ = frozenset(
    {
        f"{_WORD}del",
        f"{_WORD}moveFrom",
        f"{_WORD}pPr",
        f"{_WORD}rPr",
        f"{_WORD}sectPr",
        FALLBACK,
    }
)


def _below(parent: "Element", tags: tuple[str, ...]) -> Iterator["Element"]:
    """The outermost elements with some tags below an element, in order."""
    waiting = list(reversed(parent))
    while waiting:
        element = waiting.pop()
        if element.tag in tags:
            yield element
        elif element.tag not in _NOT_READ and element.tag != _BOX:
            waiting.extend(reversed(element))


def _is_heading(paragraph: "Element", headings: frozenset[str]) -> bool:
    style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
    level = paragraph.find(f"{_WORD}pPr/{_WORD}outlineLvl")
    return (style is not None and style.get(f"{_WORD}val", "") in headings) or (
        level is not None and level.get(f"{_WORD}val", "9") < "9"
    )


def _heading_styles(styles: "Element | None") -> frozenset[str]:
    """Ids of heading styles, recognised by name, outline level or base style."""
    if styles is None:
        return frozenset(f"Heading{level}" for level in range(1, 10)) | {"Title"}
    found: set[str] = set()
    based: dict[str, str] = {}
    for style in styles.iter(f"{_WORD}style"):
        identity = style.get(f"{_WORD}styleId", "")
        name, base = style.find(f"{_WORD}name"), style.find(f"{_WORD}basedOn")
        level = style.find(f"{_WORD}pPr/{_WORD}outlineLvl")
        called = "" if name is None else name.get(f"{_WORD}val", "")
        if _HEADING_STYLE.fullmatch(called) or (level is not None and level.get(f"{_WORD}val", "9") < "9"):
            found.add(identity)
        elif base is not None:
            based[identity] = base.get(f"{_WORD}val", "")
    for identity, base_id in based.items():
        for _ in range(10):
            if base_id in found:
                found.add(identity)
            base_id = based.get(base_id, "")  # noqa: PLW2901 -- a walk up the base styles
    return frozenset(found)


def _notes(root: "Element | None", kind: str) -> dict[str, str]:
    """Footnotes or endnotes by id, without separators."""
    if root is None:
        return {}
    found: dict[str, str] = {}
    for note in root.iter(f"{_WORD}{kind}"):
        if note.get(f"{_WORD}type") is None:
            found[note.get(f"{_WORD}id", "")] = _cell(note, {"footnote": {}, "endnote": {}}, [], _Pages())
    return found
