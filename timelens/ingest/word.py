"""Word documents: the text of DOCX with its headings, and its pages where Word wrote where they begin."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from timelens.documents import Document
from timelens.ingest.failures import Failure
from timelens.ingest.office import FALLBACK, Blocks, core_properties, made, main_part
from timelens.ingest.packages import Package, part_beside
from timelens.ingest.reading import read_bytes
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import TableColumns

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BOX = f"{_WORD}txbxContent"
_PAGE_BEGINS = f"{_WORD}lastRenderedPageBreak"
_HEADING_STYLE = re.compile(r"heading (\d)|title", re.IGNORECASE)


@dataclass(slots=True)
class _Pages:
    """The page that is being read.

    Word writes down where each page began when it last laid the document out. A break that somebody put there
    is followed by such a mark, which is then no second page.
    """

    are_told: bool = False
    current: int = 1
    first: int = 0
    """The page on which the text begins that is being read; 0 before any of it."""
    is_broken: bool = False

    def turn(self, *, ordered: bool) -> None:
        """A page ends: by a break that somebody put there, or where the text ran over."""
        self.current += ordered or not self.is_broken
        self.is_broken = ordered

    def read(self) -> None:
        """Text stands here."""
        self.first = self.first or self.current
        self.is_broken = False

    @property
    def told(self) -> int:
        """The page on which the text begins; 0 where the file does not tell."""
        return (self.first or self.current) if self.are_told else 0


@dataclass(slots=True)
class _Word:
    """A document that is read: what is a heading and what a note in it, and how far it has got."""

    headings: frozenset[str]
    notes: dict[str, dict[str, str]]
    pages: _Pages = field(default_factory=_Pages)
    blocks: Blocks = field(default_factory=Blocks)

    def take(self, parent: "Element") -> None:
        """The paragraphs below an element; of a table, its rows."""
        for element in _below(parent, (f"{_WORD}p", f"{_WORD}tbl")):
            if element.tag == f"{_WORD}p":
                self._take_paragraph(element)
            else:
                for row in _below(element, (f"{_WORD}tr",)):
                    self._take_row(row)

    def _take_paragraph(self, paragraph: "Element") -> None:
        cited: list[str] = []
        self.pages.first = 0
        text = _line(paragraph, self.notes, cited, self.pages)
        self.blocks.add(text, heading=_is_heading(paragraph, self.headings), page=self.pages.told)
        for box in _below(paragraph, (_BOX,)):
            self.take(box)
        self._add_notes(cited)

    def _take_row(self, row: "Element") -> None:
        """A row of a table; where a page ends in several of its cells, it is the same page."""
        cited: list[str] = []
        cells = []
        self.pages.first, begun, ended = 0, self.pages.current, self.pages.current
        for cell in _below(row, (f"{_WORD}tc",)):
            self.pages.current = begun
            cells.append(_cell(cell, self.notes, cited, self.pages))
            ended = max(ended, self.pages.current)
        self.pages.current = ended
        self.blocks.add(" | ".join(cell for cell in cells if cell), page=self.pages.told)
        self._add_notes(cited)

    def _add_notes(self, cited: Iterable[str]) -> None:
        for note in cited:
            self.blocks.add(note, page=self.blocks.page)


def read_docx(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """A Word document: paragraphs, tables, notes, without what was deleted; headings and pages are places."""
    raw = read_bytes(source)
    package = Package(raw, "DOCX")
    main = main_part(package, "word/document.xml")
    headings = _heading_styles(package.xml(part_beside(main, "styles.xml")))
    notes = {
        name: _notes(package.xml(part_beside(main, f"{name}s.xml")), name) for name in ("footnote", "endnote")
    }
    body = package.required(main).find(f"{_WORD}body")
    word = _Word(headings, notes)
    if body is not None:
        word.pages.are_told = next(body.iter(_PAGE_BEGINS), None) is not None
        word.take(body)
    yield from made(source, raw, word.blocks, core_properties(package))


def _cell(cell: "Element", notes: dict[str, dict[str, str]], cited: list[str], pages: _Pages) -> str:
    """What stands in a cell or a box, on one line."""
    said = []
    for line in _below(cell, (f"{_WORD}p",)):
        said.append(_line(line, notes, cited, pages))
        said += [_cell(box, notes, cited, pages) for box in _below(line, (_BOX,))]
    return " ".join(" ".join(said).split())


def _line(paragraph: "Element", notes: dict[str, dict[str, str]], cited: list[str], pages: _Pages) -> str:
    """The text of a paragraph as it stands now; the notes that it refers to are added to ``cited``."""
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
# What was deleted or moved away, properties, and the second form of a drawing.
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
    """The outermost elements of some kinds below one, in order."""
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
    """Ids of the styles of headings: by their names, their outline levels, and what they are based on."""
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
            base_id = based.get(base_id, "")  # noqa: PLW2901 -- a walk up to what it is based on
    return frozenset(found)


def _notes(root: "Element | None", kind: str) -> dict[str, str]:
    """Footnotes or endnotes by their ids; separators are none."""
    if root is None:
        return {}
    found: dict[str, str] = {}
    for note in root.iter(f"{_WORD}{kind}"):
        if note.get(f"{_WORD}type") is None:
            found[note.get(f"{_WORD}id", "")] = _cell(note, {"footnote": {}, "endnote": {}}, [], _Pages())
    return found
