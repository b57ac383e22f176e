"""The pages of a PDF as one text with tables; what goes on from page to page is joined."""

import re
from collections.abc import Sequence
from dataclasses import replace

from timelens.documents import Mark
from timelens.ingest.pdf_lines import Heading
from timelens.ingest.pdf_tables import PagePart, PageTable
from timelens.ingest.reader_tools import with_unix_ends
from timelens.ingest.text_tables import SENTENCE_END, MixedText, TextTable, heading_above

_PAGE_NUMBER = re.compile(r"\W*(?:page\s+)?\d{1,3}(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE)
_HYPHENATED = re.compile(r"(?<=[a-zß-ÿ])[-\u00ad]\n(?=[a-zß-ÿ])")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u00ad]")
_LONGEST_BETWEEN = 200  # characters of footer and header between the parts of a table on two pages


def clean(text: str) -> str:
    """The text with Unix line ends and joined hyphenated words, without invalid or unprintable characters."""
    text = with_unix_ends(text).replace("\xa0", " ")
    text = _UNPRINTABLE.sub("", _HYPHENATED.sub("", text))
    return text.encode(errors="replace").decode()


def clean_page(parts: Sequence[PagePart]) -> list[PagePart]:
    """The clean parts of a page; no text begins or ends with a line that is a page number."""
    return [part for part in map(_clean, parts) if part not in ("", Heading(""))]


def _clean(part: PagePart) -> PagePart:
    match part:
        case str():
            return _clean_text(part)
        case Heading():
            return Heading(" ".join(_clean_text(part.text).split()))
        case PageTable():
            return _clean_table(part)


def _clean_text(text: str) -> str:
    lines = [line.rstrip() for line in clean(text).strip().split("\n")]
    for end in (0, -1):
        if lines and _PAGE_NUMBER.fullmatch(lines[end]):
            del lines[end]
    return "\n".join(lines).strip()


def _clean_table(table: PageTable) -> PageTable:
    rows = tuple(tuple(" ".join(clean(cell).split()) for cell in row) for row in table.rows)
    return replace(table, rows=rows)


def pages_joined(pages: Sequence[Sequence[PagePart]]) -> MixedText:
    """The clean parts of pages as one text, with the places of pages, headings and tables.

    A sentence or a table may continue on the next page.
    """
    text, page, heading = "", 0, ""
    marks: list[Mark] = []
    tables: list[TextTable] = []
    before: PagePart = ""
    for number, part in _with_whole_tables(pages):
        start, gap = len(text), _gap(before, part) if text else ""
        if isinstance(part, Heading):
            heading = part.text
        if isinstance(part, Heading) or number != page:
            where = f"page {number}"
            marks.append(Mark(start + len(gap), heading or where, where if heading else ""))
            page = number
        text += gap + _text_of(part)
        if isinstance(part, PageTable):
            above = "" if isinstance(before, PageTable) else heading_above(text, start, heading)
            tables.append(TextTable(above, start, len(text), tuple(enumerate(part.rows, start=1))))
        before = part
    return MixedText(text, tuple(marks), tuple(tables))


def _text_of(part: PagePart) -> str:
    match part:
        case str():
            return part
        case Heading():
            return part.text
        case PageTable():
            return part.as_text()


def _gap(before: PagePart, part: PagePart) -> str:
    """What separates two parts: a line end within a sentence, else an empty line."""
    is_sentence = isinstance(before, str) and isinstance(part, str) and not SENTENCE_END.search(before[-20:])
    return "\n" if is_sentence else "\n\n"


def _with_whole_tables(pages: Sequence[Sequence[PagePart]]) -> list[tuple[int, PagePart]]:
    """The parts of the pages, each with the number of its page, from 1.

    The rows of a table that goes on from page to page stand together where it begins.
    """
    placed: list[tuple[int, PagePart]] = []
    table, its_page, letters_below = 0, -1, 0
    for number, part in ((number, part) for number, parts in enumerate(pages, start=1) for part in parts):
        if not isinstance(part, PageTable):
            placed.append((number, part))
            letters_below += len(_text_of(part))
            continue
        begun = placed[table][1] if number == its_page + 1 and letters_below <= _LONGEST_BETWEEN else None
        if isinstance(begun, PageTable) and begun.goes_on_in(part):
            placed[table] = placed[table][0], begun.with_rows_of(part)
        else:
            table = len(placed)
            placed.append((number, part))
        its_page, letters_below = number, 0
    return placed
