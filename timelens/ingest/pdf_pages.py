"""The pages of a PDF as one text with tables; what goes on from page to page is joined."""

import re
from collections import Counter
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
_NUMBERED = re.compile(
    r"(?:\s[|–—•·-]\s*|\s{2,}|\b(?:page|p\.)\s*)(?P<last>\d{1,3})(?:\s*(?:of|/)\s*\d{1,4})?\W*$"
    r"|^\W*(?P<first>\d{1,3})(?:\s*[|–—•·]|\s{2,})",
    re.IGNORECASE,
)
"""The number of a page at an end of a line, apart from its words: "Rules | 3"; "Week 3" has none."""
_FIRST, _LAST = _ENDS = (0, -1)
"""Places of the first and the last line of a page."""
_EMPTY = ("", Heading(""))
_FEWEST = 3
"""Fewest pages with the same first or last line, if it is a header or a footer."""
_MOST_RUNNING = 3
"""Most lines of a header or footer."""
_LONGEST_BETWEEN = 200  # characters of footer and header between the parts of a table on two pages


def clean(text: str) -> str:
    """The text with Unix line ends and joined hyphenated words, without invalid or unprintable characters."""
    text = with_unix_ends(text).replace("\xa0", " ")
    text = _UNPRINTABLE.sub("", _HYPHENATED.sub("", text))
    return text.encode(errors="replace").decode()


def clean_page(parts: Sequence[PagePart]) -> list[PagePart]:
    """The clean parts of a page, which neither begins nor ends with a line that is a page number."""
    cleaned = [part for part in map(_clean, parts) if part not in _EMPTY]
    for end in _ENDS:
        if _PAGE_NUMBER.fullmatch(_line_at(cleaned, end)):
            cleaned = _without_line(cleaned, end)
    return cleaned


def _clean(part: PagePart) -> PagePart:
    match part:
        case str():
            return "\n".join(line.rstrip() for line in clean(part).strip().split("\n")).strip()
        case Heading():
            return Heading(" ".join(clean(part.text).split()))
        case PageTable():
            return _clean_table(part)


def _line_at(parts: Sequence[PagePart], end: int) -> str:
    """The first or the last line of a page; empty if it is a row of a table."""
    edge = parts[end] if parts else ""
    return "" if isinstance(edge, PageTable) else _text_of(edge).split("\n")[end]


def _without_line(parts: Sequence[PagePart], end: int) -> list[PagePart]:
    """The parts of a page without its first or last line."""
    *rest, edge = parts if end == _LAST else reversed(parts)
    lines = _text_of(edge).split("\n")
    del lines[end]
    left = "\n".join(lines).strip()
    kept = [*rest, left] if left else rest
    return kept if end == _LAST else kept[::-1]


def _without_running_lines(pages: Sequence[Sequence[PagePart]]) -> list[Sequence[PagePart]]:
    """The pages without the headers and footers that most of them have; the first and the last one stay.

    They are equal, or differ in the number of the page.
    """
    left = list(pages)
    for end in _ENDS:
        for _ in range(_MOST_RUNNING):
            lines = [_line_at(parts, end) for parts in left]
            forms = [_without_number(line, number) for number, line in enumerate(lines)]
            counts = Counter(form for form in forms if form)
            running = {form for form, count in counts.items() if count >= max(_FEWEST, len(left) / 2)}
            found = [number for number, form in enumerate(forms) if form in running]
            kept = {forms[number]: number for number in (found if end == _LAST else reversed(found))}
            for number in found:
                if kept[forms[number]] != number:
                    left[number] = _without_line(left[number], end)
    return left


def _without_number(line: str, page: int) -> str:
    """A line with words, its number of the page replaced by how much this exceeds ``page``; else empty."""
    if not any(map(str.isalpha, line)):
        return ""
    found = _NUMBERED.search(line)
    if found is None:
        return line
    stated = found["last"] or found["first"]
    return f"{line[: found.start()]}\n{int(stated) - page}\n{line[found.end() :]}"


def _clean_table(table: PageTable) -> PageTable:
    rows = tuple(tuple(" ".join(clean(cell).split()) for cell in row) for row in table.rows)
    return replace(table, rows=rows)


def pages_joined(pages: Sequence[Sequence[PagePart]]) -> MixedText:
    """The clean parts of pages as one text, with the places of pages, headings and tables.

    A sentence or a table may continue on the next page. Headers and footers are told once.
    """
    text, page, heading = "", 0, ""
    marks: list[Mark] = []
    tables: list[TextTable] = []
    before: PagePart = ""
    for number, part in _with_whole_tables(_without_running_lines(pages)):
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
    return part if isinstance(part, str) else part.as_text()


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
