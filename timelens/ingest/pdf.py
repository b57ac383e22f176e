"""PDF: text by page with its tables, title, and day of creation."""

import io
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from timelens.errors import BadInputError, on_one_line
from timelens.ingest.pdf_lines import Piece, lines_of, parts_of
from timelens.ingest.pdf_pages import clean, clean_page, pages_joined
from timelens.ingest.pdf_tables import PagePart, TableSigns, pages_with_tables
from timelens.ingest.reader_tools import require_at_most
from timelens.ingest.text_tables import MixedText

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_LARGEST = 512 * 2**20  # bytes of a file
_MOST_PAGES = 5_000
_LARGEST_STREAM = 32 * 2**20  # bytes of one stream, decompressed
_MOST_CONTENT = 256 * 2**20  # bytes of all drawn content, decompressed, counted at each use
_LARGE_FONT = 2**16  # bytes of a font's character table; smaller ones are not counted
_MOST_OPERATIONS = 20_000_000  # drawing operations of all pages
_FORM_OPERATIONS = 1_000  # operations that drawing a form counts as, besides those in it
_MOST_TEXT = 50_000_000  # characters

_SAVE_ANEW = "open it in a viewer and save it again, or save its text"
_DECRYPT = "qpdf --decrypt --password=… IN.pdf OUT.pdf"
_SPLIT = "split it into smaller files, or save its text"

_MADE_BY = re.compile(
    r"^(?:Microsoft (?:Word|PowerPoint|Excel)|untitled\d*|\(anonymous\)) *(?:- *|$)", re.IGNORECASE
)
_MOST_SEARCHED = 300  # pages that are searched for tables


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text and metadata of a PDF."""

    title: str
    """Title stated in the file; may be empty."""
    created: str
    """Day of creation, as ISO 8601; may be empty."""
    content: MixedText
    """The text, the pages as its places, and its tables."""
    unreadable: tuple[int, ...]
    """Numbers of the pages, from 1, that could not be read."""
    not_searched: tuple[int, ...]
    """Numbers of the pages, from 1, that may have tables and are read as text."""


def read_pdf_text(raw: bytes) -> PdfText:
    """Read the text layer of a PDF. Words hyphenated at line ends are joined.

    Raises:
        BadInputError: the file is no PDF, broken, encrypted, too large, or has no text.
    """
    require_at_most(len(raw), _LARGEST, _SPLIT)
    if not raw.strip():
        raise BadInputError("it is empty", "remove it or fill it")
    from pypdf import apply_configuration

    for library in ("pypdf", "pdfminer"):  # whose warnings about repaired faults would go to standard error
        logging.getLogger(library).addHandler(_SILENT)
    with apply_configuration(
        array_based_stream_maximum_output_length=_LARGEST_STREAM,
        lzw_maximum_output_length=_LARGEST_STREAM,
        run_length_maximum_output_length=_LARGEST_STREAM,
        zlib_maximum_output_length=_LARGEST_STREAM,
        stream_decoding_work_maximum_length=4 * _LARGEST_STREAM,
        jbig2dec_binary=None,
    ):
        reader = _opened(raw)
        title, created = _stated(reader)
        spent = _Spent()
        read = [_read_page(page, spent) for page in reader.pages]
    pages = [page for page, _ in read]
    if not any(pages):
        if None in pages:
            raise BadInputError("none of its pages can be read", _SAVE_ANEW)
        few = "its page holds" if len(pages) == 1 else f"its {len(pages)} pages hold"
        hint = "if it is a scan, run text recognition on it: ocrmypdf IN.pdf OUT.pdf"
        raise BadInputError(f"{few} no text", hint)
    tabular = [number for number, (_, may_have_table) in enumerate(read) if may_have_table]
    with_tables = pages_with_tables(raw, tabular[:_MOST_SEARCHED])
    parts = [
        clean_page(with_tables[number]) if number in with_tables else page or []
        for number, page in enumerate(pages)
    ]
    unreadable = tuple(number for number, page in enumerate(pages, start=1) if page is None)
    not_searched = tuple(number + 1 for number in tabular[_MOST_SEARCHED:])
    return PdfText(title, created, pages_joined(parts), unreadable, not_searched)


_SILENT = logging.NullHandler()


def _opened(raw: bytes) -> "PdfReader":
    """The opened file, after its number of pages is checked.

    Raises:
        BadInputError: the file cannot be read, or has too many pages.
    """
    try:
        reader = _decrypted(raw)
        pages = len(reader.pages)
    except (BadInputError, MemoryError):
        raise
    except Exception as error:  # what a broken file makes the library raise is without end
        raise BadInputError(f"it is not a readable PDF: {on_one_line(error)}", _SAVE_ANEW) from error
    if pages > _MOST_PAGES:
        raise BadInputError(f"it has more than {_MOST_PAGES:,} pages", _SPLIT)
    if pages == 0:
        raise BadInputError("it has no pages", _SAVE_ANEW)
    return reader


def _decrypted(raw: bytes) -> "PdfReader":
    """The opened file, decrypted if its password is empty.

    Raises:
        BadInputError: the file needs a password.
    """
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(raw))
    if reader.is_encrypted and not reader.decrypt(""):
        raise BadInputError(
            "it is protected by a password",
            f"save a copy without: {_DECRYPT}",
        )
    return reader


def _stated(reader: "PdfReader") -> tuple[str, str]:
    """(title, day of creation); empty if unreadable."""
    try:
        information: Any = reader.metadata or {}
        title, created = (str(information.get(key) or "") for key in ("/Title", "/CreationDate"))
    except Exception:  # noqa: BLE001 -- the text may be fine
        return "", ""
    stated = re.match(r"(?:D:)?\s*(\d{4})(\d{2})?(\d{2})?", created, re.ASCII)
    day = "-".join(part for part in stated.groups() if part) if stated else created
    return " ".join(_MADE_BY.sub("", clean(title).strip()).split()), day


def _read_page(page: "PageObject", spent: "_Spent") -> tuple[list[PagePart] | None, bool]:
    """The text of a page, if it has any, and whether it may have a table; no text if it cannot be read.

    Raises:
        BadInputError: the content of the pages exceeds a limit.
    """
    signs = TableSigns()
    pieces: list[Piece] = []

    def place(
        text: str,
        around: Sequence[float],
        own: Sequence[float],
        font: Mapping[str, object] | None,
        size: float,
    ) -> None:  # the matrices of the page and of the text: a, b, c, d, e, f
        height = own[4] * around[1] + own[5] * around[3] + around[5]
        scale = abs(own[3] * around[3])
        pieces.append(Piece(text, height, str((font or {}).get("/BaseFont", "")), scale * size))

    def draw(operator: bytes, operands: Sequence[object], *_: object) -> None:
        spent.draw(operator, operands)
        signs.draw(operator, operands)

    try:
        spent.open_page(page)
        page.extract_text(visitor_operand_before=draw, visitor_text=place)
        lines = [*lines_of(pieces)]
        spent.read(sum(len(line.text) + 1 for line in lines))
    except (BadInputError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 -- a broken page does not stop the others
        return None, False
    return clean_page(parts_of(lines)), signs.are_of_table([line.text for line in lines])


@dataclass(slots=True)
class _Spent:
    """Cost of the pages so far; each method raises BadInputError above a limit."""

    content: int = 0
    operations: int = 0
    letters: int = 0
    forms: dict[str, int] = field(default_factory=dict)
    """Size of the forms that the page may draw, by name; the largest if a name has several."""
    unfolded: set[int] = field(default_factory=set)
    """Identities of the forms already decompressed, which the reader caches."""

    def open_page(self, page: "PageObject") -> None:
        """Count the content of a page, and record the forms that it may draw, including nested ones."""
        self.forms.clear()
        drawn = page.get_contents()
        self._unfold(0 if drawn is None else len(drawn.get_data()))
        resources = page.get("/Resources")
        self._unfold(_large_fonts(resources))
        waiting, seen = [resources], set()
        while waiting:
            for name, form in _entries(waiting.pop(), "/XObject"):
                if id(form) in seen or form.get("/Subtype") != "/Form":
                    continue
                seen.add(id(form))
                resources = form.get("/Resources")
                size = len(form.get_data()) + _large_fonts(resources)
                if id(form) not in self.unfolded:
                    self.unfolded.add(id(form))
                    self._unfold(size)
                self.forms[name] = max(size, self.forms.get(name, 0))
                waiting.append(resources)

    def draw(self, operator: bytes, operands: Sequence[object]) -> None:
        """Count one drawing operation."""
        self.operations += 1
        if operator == b"Do" and operands:
            self.operations += _FORM_OPERATIONS
            self._unfold(self.forms.get(str(operands[0]), 0))
        if self.operations > _MOST_OPERATIONS:
            raise BadInputError("its pages are too complex", _SPLIT)

    def read(self, letters: int) -> None:
        """Count the text of a page."""
        self.letters += letters
        if self.letters > _MOST_TEXT:
            raise BadInputError(f"it holds more than {_MOST_TEXT:,} characters", _SPLIT)

    def _unfold(self, size: int) -> None:
        self.content += size
        if self.content > _MOST_CONTENT:
            raise BadInputError(f"it unpacks to more than {_MOST_CONTENT // 2**20} MB", _SPLIT)


def _entries(resources: Any, kind: str) -> list[tuple[str, Any]]:  # noqa: ANN401 -- whatever the file holds
    """(name, entry) of the dictionaries of a kind in resources."""
    held: Any = getattr(resources, "get_object", dict)()
    named: Any = held.get(kind) if isinstance(held, dict) else None
    named = getattr(named, "get_object", dict)()
    found = [(str(name), named[name]) for name in named] if isinstance(named, dict) else []
    return [(name, entry) for name, entry in found if isinstance(entry, dict)]


def _large_fonts(resources: Any) -> int:  # noqa: ANN401 -- whatever the file holds
    """The total size of large font tables, which are parsed each time the resources are used."""
    tables = (font.get("/ToUnicode") for _, font in _entries(resources, "/Font"))
    sizes = (len(table.get_object().get_data()) for table in tables if hasattr(table, "get_object"))
    return sum(size for size in sizes if size > _LARGE_FONT)
