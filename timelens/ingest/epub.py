"""E-books (EPUB): chapters in order, headings as places, title, day of publication."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from timelens.documents import Document, Mark
from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.metadata_dates import date_in_name
from timelens.ingest.reader_tools import first_date, read_bytes
from timelens.ingest.sources import SourceFile
from timelens.ingest.text_tables import MixedText, TextTable, documents_in
from timelens.ingest.web_pages import decode_page, read_page
from timelens.ingest.zip_packages import Package, referenced_part

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_BOOK = "{http://www.idpf.org/2007/opf}"
_CORE = "{http://purl.org/dc/elements/1.1/}"
_PAGES = frozenset({"application/xhtml+xml", "text/html"})
_EMPTY_ELEMENT = re.compile(r"<(title|script|style|iframe|textarea|svg|object|video|audio)\b([^<>]*)/>")
"""Self-closed elements of XHTML; read as HTML, they would contain everything after them."""


def read_epub(source: SourceFile, columns: TableColumns) -> Iterator[Document | Failure]:
    """Read an e-book in the order of its pages. Each table with date columns is a document of its own."""
    raw = read_bytes(source)
    package = Package(raw, "EPUB")
    container = package.required("META-INF/container.xml")
    main = next((found.get("full-path", "") for found in container.iter(f"{_CONTAINER}rootfile")), "")
    book = package.required(main)
    encrypted = _encrypted(package)
    texts: list[str] = []
    marks: list[Mark] = []
    tables: list[TextTable] = []
    offset = 0
    for number, chapter in enumerate(_chapters(book, main), start=1):
        if chapter in encrypted:
            raise BadInputError("its text is encrypted", "read it in the program it was bought for")
        page = package.read(chapter)
        if page is None or not page.strip():
            continue
        read = read_page(_EMPTY_ELEMENT.sub(r"<\1\2></\1>", decode_page(page)))
        if not read.text:
            continue
        if not any(mark.offset == 0 for mark in read.headings):
            marks.append(Mark(offset, f"section {number}"))
        marks += [Mark(offset + mark.offset, mark.place) for mark in read.headings]
        tables += [
            replace(table, start=offset + table.start, end=offset + table.end) for table in read.tables
        ]
        texts.append(read.text)
        offset += len(read.text) + 2
    if not texts:
        raise BadInputError("it holds no text", "save it again, or save its text")
    published, published_source, fault = first_date(
        [] if date_in_name(source.path.stem) else _dates(book), source.id
    )
    if fault:
        yield fault
    title = next((_line(found) for found in book.iter(f"{_CORE}title") if _line(found)), source.path.stem)
    yield from documents_in(
        source,
        MixedText("\n\n".join(texts), tuple(marks), tuple(tables)),
        title,
        columns,
        hashed=hashlib.sha256(raw).hexdigest(),
        published=published,
        published_source=published_source,
    )


def _chapters(book: "Element", main: str) -> Iterator[str]:
    """The names of the pages in reading order, without the table of contents."""
    items = {
        item.get("id", ""): referenced_part(main, item.get("href", ""))
        for item in book.iter(f"{_BOOK}item")
        if item.get("media-type") in _PAGES and "nav" not in item.get("properties", "").split()
    }
    order = [reference.get("idref", "") for reference in book.iter(f"{_BOOK}itemref")]
    yield from dict.fromkeys(items[identity] for identity in order if identity in items)


def _dates(book: "Element") -> list[tuple[str, str]]:
    """The stated days of publication, without days of changes."""
    stated = [
        ("EPUB date", _line(found))
        for found in book.iter(f"{_CORE}date")
        if _line(found)
        and found.get(f"{_BOOK}event", "publication") in {"publication", "original-publication"}
    ]
    return [(where, stamp) for where, stamp in stated if not stamp.startswith(("0000", "0101-01-01"))]


def _encrypted(package: Package) -> frozenset[str]:
    root = package.xml("META-INF/encryption.xml")
    found = [] if root is None else [element.get("URI") for element in root.iter("{*}CipherReference")]
    return frozenset(referenced_part("", name) for name in found if name)


def _line(element: "Element") -> str:
    return " ".join((element.text or "").split())
