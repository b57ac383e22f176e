"""A stored document as rows of a screen: its text, its places, and the positions of evidence. Pure."""

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from timelens import Chunk, Citation, Fact
from timelens.answer.sentences import points_back, unmarked
from timelens.printable import printable, printable_line
from timelens.temporal import Granularity, format_day, last_day_of, phrase
from timelens.tui.wrapping import Span, fitted, wrapped

if TYPE_CHECKING:
    from timelens import StoredDocument

_SAMPLED = 300
"""Number of rows of a table that are sampled for its column widths."""
_WIDEST_CELL = 40
_WHEN = "when"
"""The name of the column with a row's recorded dates."""


class RowKind(IntEnum):
    """The kind of a row."""

    TEXT = 0
    PLACE = 1
    """A rule with the name of the page or entry that begins."""
    HEADING = 2
    """A text row that is a heading."""
    FACT = 3


class PageRow(NamedTuple):
    """One row of a document; rows are ordered by ``(chunk, start)``."""

    chunk: int
    """Index of the chunk."""
    start: int
    """Start offset in the text of the chunk; for a rule, the start of the text below it."""
    text: str
    kind: RowKind = RowKind.TEXT


@dataclass(frozen=True, slots=True)
class Spot:
    """The position of a piece of evidence in a document."""

    number: int
    """The number of the piece of evidence."""
    chunk: int
    sentence: int
    """Index of the cited sentence, or 0 if the whole chunk is cited."""
    start: int
    end: int
    """Offsets in the text of the chunk, end exclusive; they include the sentences it refers back to."""
    at: int
    """Start offset of the cited sentence."""


def clean(document: "StoredDocument") -> "StoredDocument":
    """The document with its texts made safe to show, and with sentence offsets adjusted."""
    return replace(document, chunks=tuple(map(_clean, document.chunks)))


def _clean(chunk: Chunk) -> Chunk:
    if printable(chunk.text) == chunk.text:
        return chunk
    edges = [0, *(edge for span in chunk.sentences for edge in span), len(chunk.text)]
    pieces = [printable(chunk.text[start:end]) for start, end in itertools.pairwise(edges)]
    spans: list[Span] = []
    offset = 0
    for index, piece in enumerate(pieces):
        if index % 2:  # text between two sentences has even indexes
            spans.append((offset, offset + len(piece)))
        offset += len(piece)
    return replace(chunk, text="".join(pieces), sentences=tuple(spans))


def spots_of(document: "StoredDocument", citations: Iterable[Citation]) -> dict[int, Spot]:
    """The positions of the evidence from a document, by number.

    Evidence that the document does not contain any more is omitted.
    """
    own = [citation for citation in citations if citation.hit.chunk.document_id == document.id]
    spots = (_spot(document, citation) for citation in own)
    return {spot.number: spot for spot in spots if spot is not None}


def _spot(document: "StoredDocument", citation: Citation) -> Spot | None:
    chunk, sentence = citation.hit.chunk, citation.hit.sentence
    index = next((n for n, stored in enumerate(document.chunks) if stored.id == chunk.id), None)
    if index is not None:
        stored = document.chunks[index]
        if printable(chunk.text) == stored.text and len(chunk.sentences) == len(stored.sentences):
            return _within(citation.number, index, stored, sentence)
    return _searched(document, citation)


def _searched(document: "StoredDocument", citation: Citation) -> Spot | None:
    """The position of a saved piece of evidence, found by its text.

    If the text occurs several times, the position in the cited chunk is used.
    """
    wanted = unmarked(printable(citation.hit.said))
    found: Spot | None = None
    longest = 0
    cited_first = sorted(enumerate(document.chunks), key=lambda item: item[1].id != citation.hit.chunk.id)
    for index, stored in cited_first:
        for sentence in range(len(stored.sentences)):
            words = unmarked(stored.sentence(sentence))
            if len(words) > longest and wanted.endswith(words):
                longest, found = len(words), _within(citation.number, index, stored, sentence)
    return found


def _within(number: int, index: int, chunk: Chunk, sentence: int | None) -> Spot:
    """A sentence of a chunk with the sentences it refers back to, or the whole chunk."""
    if sentence is None or not chunk.sentences:
        return Spot(number, index, 0, 0, len(chunk.text), 0)
    first = points_back(chunk, sentence)
    at, end = chunk.sentences[sentence]
    return Spot(number, index, sentence, chunk.sentences[first][0], end, at)


def lay_out(document: "StoredDocument", width: int) -> list[PageRow]:
    """The rows of a cleaned document at a width in cells: one row per fact of a table, else the text."""
    if is_table(document):
        widths = column_widths(document, width)
        short = widths[_WHEN] < _dates_width(document, short=False)
        return [
            PageRow(index, 0, _cells(table_cells(chunk, widths, short=short), widths), RowKind.FACT)
            for index, chunk in enumerate(document.chunks)
        ]
    return list(_text_rows(document, width))


def row_of(rows: Sequence[PageRow], chunk: int, offset: int) -> int:
    """The index of the row that contains an offset of a chunk; ``rows`` must not be empty."""
    return max(0, bisect_right(rows, (chunk, offset), key=lambda row: (row.chunk, row.start)) - 1)


def _text_rows(document: "StoredDocument", width: int) -> Iterator[PageRow]:
    title, place = printable_line(document.title), ""
    for index, chunk in enumerate(document.chunks):
        if index:
            yield PageRow(index, -1, "")
        entry = printable_line(chunk.title)
        if entry != title:
            yield PageRow(index, -1, entry, RowKind.PLACE)
            title = entry
        for start, end, named in _stretches(chunk):
            lines = wrapped(chunk.text, width, start, end)
            if named and named != place:
                first = next(lines)
                if printable_line(chunk.text[slice(*first)]).strip("# ") == named:
                    yield PageRow(index, first[0], chunk.text[slice(*first)], RowKind.HEADING)
                else:
                    yield PageRow(index, start, named, RowKind.PLACE)
                    yield PageRow(index, first[0], chunk.text[slice(*first)])
            place = named
            for line in lines:
                yield PageRow(index, line[0], chunk.text[slice(*line)])


def _stretches(chunk: Chunk) -> Iterator[tuple[int, int, str]]:
    """(start, end, place) of the text under each place of a chunk; the whole text if it has no places."""
    begins = [
        (chunk.sentences[sentence][0] if sentence else 0, printable_line(place))
        for sentence, place in chunk.places
        if sentence < len(chunk.sentences)
    ]
    if not begins or begins[0][0] > 0:
        begins.insert(0, (0, ""))
    for number, (start, place) in enumerate(begins):
        more = number + 1 < len(begins)
        end = begins[number + 1][0] if more else len(chunk.text)
        if more:  # trailing white space would be an empty row
            end = start + len(chunk.text[start:end].rstrip())
        yield start, end, place


# Tables


def is_table(document: "StoredDocument") -> bool:
    """Whether its chunks are rows of a table with dates."""
    return bool(document.chunks) and document.chunks[0].fact is not None


def columns(document: "StoredDocument") -> list[str]:
    """The column names of a table; the column of recorded dates is last."""
    facts = (chunk.fact for chunk in document.chunks)
    names = dict.fromkeys(name for fact in facts if fact is not None for name, _ in fact.fields)
    return [*names, _WHEN]


def column_widths(document: "StoredDocument", width: int) -> dict[str, int]:
    """The width in cells of each column of a table, reduced until all columns fit if possible.

    Dates are shortened if they do not fit, but never cut.
    """
    names = columns(document)
    step = max(1, len(document.chunks) // _SAMPLED)
    sampled = [table_cells(chunk, names) for chunk in document.chunks[::step]]
    widths = {
        name: min(_WIDEST_CELL, max(map(cell_len, [printable_line(name), *(row[at] for row in sampled)])))
        for at, name in enumerate(names)
    }
    widths[_WHEN] = _dates_width(document, short=False)
    if sum(widths.values()) + 2 * (len(widths) - 1) > width:
        widths[_WHEN] = _dates_width(document, short=True)
    while sum(widths.values()) + 2 * (len(widths) - 1) > width:
        widest = max(names[:-1], key=lambda name: widths[name], default=_WHEN)
        if widest == _WHEN or widths[widest] <= 1:
            break
        widths[widest] -= 1
    return {name: max(1, cells) for name, cells in widths.items()}


def _dates_width(document: "StoredDocument", *, short: bool) -> int:
    facts = (chunk.fact for chunk in document.chunks)
    dates = (_short_dates(fact) if short else fact.period for fact in facts if fact is not None)
    return max(map(cell_len, [_WHEN, *dates]))


def _short_dates(fact: Fact) -> str:
    """The recorded dates as digits: ``1990-01-01 to 1995-03-04``, ``since 1990``."""
    cut = {Granularity.YEAR: -6, Granularity.MONTH: -3}.get(fact.granularity)
    last_day = None if fact.end is None else last_day_of(fact.end, fact.granularity)
    first, last = ("" if day is None else format_day(day)[:cut] for day in (fact.start, last_day))
    if not last:
        return f"since {first}" if first else fact.period
    if first == last:
        return first
    return f"{first} to {last}" if first else f"until {last}"


def table_cells(chunk: Chunk, names: Iterable[str], *, short: bool = False) -> list[str]:
    """The values of a table row under the given columns; ``short`` writes its dates as digits."""
    if chunk.fact is None:
        return [printable_line(chunk.text)]
    values = [value for _, value in fields_of(chunk.fact, names)]
    return [*values[:-1], _short_dates(chunk.fact)] if short else values


def fields_of(fact: Fact, names: Iterable[str]) -> list[tuple[str, str]]:
    """(column, value) of a table row, including its dates as recorded."""
    values = {**dict(fact.fields), _WHEN: fact.period}
    return [(printable_line(name), printable_line(values.get(name, ""))) for name in names]


def table_head(document: "StoredDocument", width: int) -> str:
    """The column names, aligned with their values."""
    widths = column_widths(document, width)
    return _cells(list(map(printable_line, widths)), widths)


def _cells(values: Sequence[str], widths: dict[str, int]) -> str:
    return "  ".join(fitted(value, cells) for value, cells in zip(values, widths.values(), strict=False))


# The head of a document


def day_line(document: "StoredDocument", chunk: Chunk | None = None) -> str:
    """The day of a document and its source; also the day of the entry, if it has its own."""
    parts = []
    if chunk is not None and chunk.published is not None and chunk.published != document.published:
        parts.append(f"{phrase(chunk.published)}, the day of this entry")
    if document.published is not None:
        source = printable_line(document.published_source or "")
        parts.append(f"{phrase(document.published)}" + (f", from: {source}" if source else ""))
    return " · ".join(parts) or "no day of its own"
