"""Office files: the text of PPTX, ODT and ODP with headings or slides, and code shared with DOCX."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from timelens.documents import Document, Mark
from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.reader_tools import CREATED, MODIFIED, date_of_file, read_bytes
from timelens.ingest.sources import SourceFile
from timelens.ingest.text_tables import Cell, MixedText, TextTable, documents_in, grid
from timelens.ingest.zip_packages import Package, referenced_part

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDES = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_COLUMNS = f"{_TABLE}number-columns"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_CORE = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"sldNum", "ftr", "hdr", "dt", "sldImg"})
"""The number, footer, header and date of a slide, and its picture in the notes."""
_COVERED = frozenset({"hMerge", "vMerge"})
"""Attributes of a cell that the one on its left or above it covers."""
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""The alternative of a drawing for programs that cannot show it."""
_LIKELY_NUMBER = re.compile(r"[0-9]{1,9}")
_LONGEST_REPEAT = 1_000  # spaces that one element may stand for


@dataclass(slots=True)
class Blocks:
    """Paragraphs in order, with marks where places begin."""

    texts: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    offset: int = 0
    page: int = 0
    """Page on which the last paragraph begins; 0 if unknown."""
    heading: str = ""
    """The last heading."""
    tables: list[TextTable] = field(default_factory=list)

    def add(self, text: str, *, heading: bool = False, page: int = 0) -> None:
        """Add a paragraph, unless it is blank."""
        lines = (line.strip() for line in text.replace("\xa0", " ").split("\n"))
        text = "\n".join(line for line in lines if line)
        if not text:
            return
        if heading:
            self.heading = " ".join(text.split())
        if heading or page != self.page:
            self.marks.append(Mark(self.offset, self.heading, f"page {page}" if page else ""))
            self.page = page
        self.texts.append(text)
        self.offset += len(text) + 2

    def add_rows(self, rows: Iterable[Sequence[Cell]]) -> None:
        """Add the rows of a table, each as a paragraph."""
        start = self.offset
        table = list(rows)
        for cells in table:
            self.add(" | ".join(cell.text for cell in cells if cell.text))
        self.add_table(start, table)

    def add_table(self, start: int, rows: Iterable[Sequence[Cell]]) -> None:
        """Note that the paragraphs from the offset ``start`` on are the rows of a table."""
        self.tables.append(TextTable(self.heading, start, self.offset, grid(rows)))

    def mark(self, place: str) -> None:
        """Begin a place, without a heading yet, with the next paragraph."""
        if self.marks and self.marks[-1].offset == self.offset:
            self.marks.pop()
        self.marks.append(Mark(self.offset, place))
        self.heading = ""

    @property
    def mixed(self) -> MixedText:
        """The text, its paragraphs separated by blank lines, with its places and tables."""
        return MixedText("\n\n".join(self.texts), tuple(self.marks), tuple(self.tables))


def read_pptx(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read a PowerPoint presentation: the text of each slide, then its notes; slides are places."""
    raw = read_bytes(source)
    package = Package(raw, "PPTX")
    main = main_part(package, "ppt/presentation.xml")
    targets = _relations(package, main)
    blocks = Blocks()
    for number, slide in enumerate(package.required(main).iter(f"{_SLIDES}sldId"), start=1):
        part = targets.get(slide.get(f"{_RELATED}id", ""), "")
        root = package.xml(part) if part else None
        if root is None:
            continue
        blocks.mark(f"slide {number}")
        _drawn(root, blocks)
        for related in _relations(package, part).values():
            if "notesSlide" in related and (notes := package.xml(related)) is not None:
                _drawn(notes, blocks)
    yield from made(source, raw, blocks, core_properties(package), columns)


def read_open_document(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read an OpenDocument text or presentation (LibreOffice); headings or slides are places."""
    raw = read_bytes(source)
    package = Package(raw, "OpenDocument")
    manifest = package.xml("META-INF/manifest.xml")
    if manifest is not None and any("encryption-data" in str(element.tag) for element in manifest.iter()):
        raise BadInputError("it is encrypted", "save a copy without a password")
    body = package.required("content.xml").find(f"{_OFFICE}body")
    blocks = Blocks()
    if body is not None:
        _open_blocks(body, blocks)
    meta = package.xml("meta.xml")
    stated = _stated(meta, f"{_CORE}title", f"{_META}creation-date", f"{_CORE}date")
    yield from made(source, raw, blocks, stated, columns)


def made(
    source: SourceFile, raw: bytes, blocks: Blocks, stated: Sequence[str], columns: TableColumns
) -> Iterator[Document | Failure]:
    """The document, and one for each of its tables that has date columns.

    ``stated`` are its title, day of creation and day of modification, empty if unknown.
    """
    if not blocks.texts:
        raise BadInputError("it holds no text", "if it is a scan, run text recognition on it")
    title, created, modified = stated
    published, published_source, fault = date_of_file(source, (CREATED, created), (MODIFIED, modified))
    if fault:
        yield fault
    yield from documents_in(
        source,
        blocks.mixed,
        title or source.path.stem,
        columns,
        hashed=hashlib.sha256(raw).hexdigest(),
        published=published,
        published_source=published_source,
    )


# PowerPoint


def _drawn(root: "Element", blocks: Blocks) -> None:
    """Add the paragraphs of a slide or of its notes, and the rows of tables."""
    waiting = list(reversed(root))
    while waiting:
        element = waiting.pop()
        if element.tag == f"{_DRAWING}p":
            blocks.add(_drawn_line(element))
        elif element.tag == f"{_DRAWING}tbl":
            _drawn_table(element, blocks)
        elif element.tag != FALLBACK and (kind := _placeholder(element)) not in _FURNITURE:
            if kind in _TITLES:
                blocks.heading = _joined_lines(element)
            waiting.extend(reversed(element))


def _drawn_table(table: "Element", blocks: Blocks) -> None:
    """Add the rows of a table; cells that another covers are not read."""
    blocks.add_rows(
        [_drawn_cell(cell) for cell in row.iter(f"{_DRAWING}tc") if not _COVERED & set(cell.keys())]
        for row in table.iter(f"{_DRAWING}tr")
    )


def _drawn_cell(cell: "Element") -> Cell:
    return Cell(_joined_lines(cell), number_in(cell, "gridSpan"), number_in(cell, "rowSpan"))


def _joined_lines(element: "Element") -> str:
    """The paragraphs below an element, on one line."""
    return " ".join(" ".join(map(_drawn_line, element.iter(f"{_DRAWING}p"))).split())


def _drawn_line(paragraph: "Element") -> str:
    pieces = paragraph.iter(f"{_DRAWING}t", f"{_DRAWING}br")
    return "".join("\n" if piece.tag == f"{_DRAWING}br" else piece.text or "" for piece in pieces)


def _placeholder(element: "Element") -> str:
    """The kind of placeholder that a shape is; empty for another element."""
    placeholder = element.find(f"{_SLIDES}nvSpPr/{_SLIDES}nvPr/{_SLIDES}ph")
    return "" if placeholder is None else placeholder.get("type", "")


# OpenDocument


def _open_blocks(parent: "Element", blocks: Blocks) -> None:
    """Add the paragraphs below an element, and the rows of tables."""
    slides = 0
    waiting = list(reversed(parent))
    while waiting:
        element = waiting.pop()
        if element.tag == f"{_DRAW}page":
            slides += 1
            blocks.mark(f"slide {slides}")
        if element.get(f"{_PRESENTATION}class") == "title":
            blocks.heading = " ".join(" ".join(element.itertext()).split())
        if element.tag in {f"{_TEXT}p", f"{_TEXT}h"}:
            notes: list[Element] = []
            text = _open_line(element, notes)
            blocks.add(text, heading=element.tag == f"{_TEXT}h" and not slides)
            waiting.extend(reversed(notes))
        elif element.tag == f"{_TABLE}table":
            waiting.extend(reversed(_open_table(element, blocks)))
        elif element.tag not in _OPEN_NOT_READ:
            waiting.extend(reversed(element))


def _open_table(table: "Element", blocks: Blocks) -> "list[Element]":
    """Add the rows of a table; returns the notes and boxes in them."""
    apart: list[Element] = []
    blocks.add_rows(
        [_open_cell(cell, apart) for cell in row.iterchildren(f"{_TABLE}table-cell")]
        for row in table.iter(f"{_TABLE}table-row")
        if next(row.iterancestors(table.tag)) is table  # a table in a cell belongs to the cell
    )
    return apart


def _open_cell(cell: "Element", apart: "list[Element]") -> Cell:
    """A cell of a table; of cells that follow each other with the same content only the first is stored."""
    return Cell(
        " ".join(" ".join(_open_line(line, apart) for line in cell.iter(f"{_TEXT}p")).split()),
        number_in(cell, f"{_COLUMNS}-spanned") * number_in(cell, f"{_COLUMNS}-repeated"),
        number_in(cell, f"{_TABLE}number-rows-spanned"),
    )


def number_in(element: "Element | None", name: str) -> int:
    """The number in an attribute; one if there is none, or no number of a likely size."""
    stated = "" if element is None else element.get(name, "")
    return int(stated) if _LIKELY_NUMBER.fullmatch(stated) else 1


_OPEN_SIGNS = {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
_OPEN_NOT_READ = frozenset(
    {
        f"{_TEXT}tracked-changes",
        f"{_TEXT}sequence-decls",
        f"{_TEXT}table-of-content",
        f"{_TEXT}note-citation",
        f"{_OFFICE}annotation",
        f"{_OFFICE}forms",
        f"{_PRESENTATION}settings",
        f"{_TEXT}page-number",
    }
)
_APART = frozenset({f"{_TEXT}note-body", f"{_DRAW}text-box"})


def _open_line(paragraph: "Element", apart: "list[Element]") -> str:
    """The text of a paragraph; notes and boxes in it are appended to ``apart``."""
    pieces: list[str] = [paragraph.text or ""]
    waiting: list[tuple[Element, bool]] = [(child, False) for child in reversed(paragraph)]
    while waiting:
        element, is_read = waiting.pop()
        if is_read:
            pieces.append(element.tail or "")
            continue
        waiting.append((element, True))
        if element.tag in _APART:
            apart.append(element)
        elif element.tag == f"{_TEXT}s":
            pieces.append(" " * min(number_in(element, f"{_TEXT}c"), _LONGEST_REPEAT))
        elif element.tag in _OPEN_SIGNS:
            pieces.append(_OPEN_SIGNS[str(element.tag)])
        elif element.tag not in _OPEN_NOT_READ:
            pieces.append(element.text or "")
            waiting.extend((child, False) for child in reversed(element))
    return "".join(pieces)


# Shared by PPTX and DOCX


def main_part(package: Package, usual: str) -> str:
    """The name of the main part of a document; ``usual`` if it is not stated."""
    root = package.xml("_rels/.rels")
    for relation in () if root is None else root:
        if relation.get("Type", "").endswith("/officeDocument"):
            return referenced_part("", relation.get("Target", usual))
    return usual


def _relations(package: Package, part: str) -> dict[str, str]:
    """The parts that a part refers to, by relation id."""
    folder, _, name = part.rpartition("/")
    root = package.xml(f"{folder}/_rels/{name}.rels")
    return {
        relation.get("Id", ""): referenced_part(part, relation.get("Target", ""))
        for relation in (() if root is None else root)
        if relation.get("TargetMode") != "External"
    }


def core_properties(package: Package) -> list[str]:
    """Title, day of creation and day of modification; empty if not stated."""
    root = package.xml("docProps/core.xml")
    return _stated(root, f"{_CORE}title", f"{_TERMS}created", f"{_TERMS}modified")


def _stated(root: "Element | None", *tags: str) -> list[str]:
    """The text of the first element with each tag; empty if there is none."""
    found = [None if root is None else next(root.iter(tag), None) for tag in tags]
    return ["" if element is None else " ".join((element.text or "").split()) for element in found]
