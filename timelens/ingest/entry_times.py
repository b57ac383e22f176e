"""The temporal expressions of a text: those of a dated entry count from its day, as in ingestion. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from timelens.documents import Document
from timelens.ingest.entries import entries_in_order, sections
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ScannedText, find_expressions
from timelens.temporal.interval import day_interval


def expressions_of(
    text: str, written: Day | None = None, conventions: Conventions = USUAL, name: str = ""
) -> list[Expression]:
    """Every temporal expression of a text, in order, without overlaps.

    Args:
        text: any string. Without dated entries it is read by :func:`find_expressions`.
        written: the day of writing of what stands in no entry.
        conventions: how seasons, fiscal years and dates in figures are read.
        name: the name of its file, in which the year of its entries may stand.
    """
    published = None if written is None else day_interval(written)
    document = Document(name, name, PurePath(name).stem, text, "", published)
    found, ordered = entries_in_order(document, conventions)
    if not found:
        return find_expressions(text, written, conventions=conventions)

    def told() -> Iterator[Expression]:
        for entry in found:
            head = ScannedText(text[entry.start : entry.body], ordered)
            yield from _moved(head.expressions(entry.time.start, entry.time), entry.start)
        for start, end, time in sections(text, found):
            section = ScannedText(text[start:end], ordered)
            yield from _moved(section.of_document(published if time is None else time), start)

    return sorted(told(), key=lambda expression: expression.char_start)


def _moved(expressions: list[Expression], offset: int) -> Iterator[Expression]:
    """The expressions of a part of a text that begins at an offset."""
    for one in expressions:
        yield replace(one, char_start=one.char_start + offset, char_end=one.char_end + offset)
