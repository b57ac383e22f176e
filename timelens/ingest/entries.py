"""Dated entries: where a line's date owns what follows, as in diaries, minutes, changelogs, chats and logs.

A line heads an entry by one of three shapes: a heading with a date, a short line by itself with a date, or a
date before the text of a line. A shape counts where a document has several of it and their days run on or
back; a single dated line is a letterhead, and days without an order are a list of something else.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from timelens.documents import Document
from timelens.temporal.anchoring import Anchors, nearest_year
from timelens.temporal.calendar import day_number
from timelens.temporal.conventions import Conventions
from timelens.temporal.expressions import Kind, find_expressions
from timelens.temporal.interval import Granularity, Interval, day_interval, hull

_FEWEST = {"heading": 2, "line": 3, "prefix": 3}
"""Dated lines of a shape that make it one of entries."""
_DATED_SHARE = 0.5
"""The share of the lines of a shape that have a date, at least."""
_MOST_DISORDER = 0.25
"""The share of steps back and forth from which days are not those of entries."""
_LONGEST_HEAD = 120
"""Characters of a line that are read."""
_LONGEST_LINE = 80
_MOST_WORDS = 7
"""The longest line by itself that heads an entry, and its words beside the date."""

_LEAD = re.compile(
    r"[ \t]*(?:(?P<mark>[-*+•>]|\d{1,3}[.)])[ \t]+)?(?:[*_]{0,2}date[*_]{0,2}:[ \t]*)?(?P<open>[\[(*_<]*)",
    re.IGNORECASE,
)
_SIGNS = re.compile(r" {0,3}(#{1,6})[ \t]")
_MAY_BE_DATED = re.compile(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE
)
_IN_FIGURES = re.compile(r"(?<!\d)\d{1,2}[-/.]\d{1,2}(?!\d)")
_DAY_AND_MONTH = re.compile(
    r"(?:[0-2]?[1-9]|[1-3]0|31)(?:/(?:[0-2]?[1-9]|[1-3]0|31)|\.(?:0?[1-9]|1[0-2])\.?)(?=[ \t])"
)
_BARE = "day and month in figures"
_CLOCK = re.compile(
    r"(?:T|,?[ \t]*(?:at[ \t]+)?)\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[.,]\d{1,9})?[ \t\u202f]*(?:[ap]\.?m\.?)?"
    r"(?:Z|[ \t]?[+-]\d{2}:?\d{2}|[ \t]UTC)?",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[\])*_>]*")
_SEPARATOR = re.compile(r"[ \t]*(?::(?!\d)|\||\t|[-–—]+[ \t])[*_]*[ \t]*")
_FULL_STOP = re.compile(r"\.[*_]*[ \t]+(?=\S)")
_SENTENCE_ENDS = (".", "?", "!", ",", ";")
_LEVELS = 6
_PARAGRAPH = re.compile(r"\n[^\S\n]*(?=\n)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A stretch of a document with a day, a month or a year of its own."""

    start: int
    """Offset of the line that heads it."""
    body: int
    """Offset of its text."""
    end: int
    """Offset at which it ends, exclusive."""
    time: Interval
    heading: str = ""
    """The line that heads it; empty where its date stands before the text of a line."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line by its shape; one that may head an entry has ``stated``, in which its time is read."""

    kind: Literal["heading", "line", "prefix"]
    detail: str
    """The number signs of a heading; the marks around a date."""
    start: int
    body: int
    heading: str
    stated: str
    time: Interval | None = None

    @property
    def shape(self) -> tuple[str, str]:
        return self.kind, self.detail


def entries(document: Document, conventions: Conventions) -> tuple[Entry, ...]:
    """The dated entries of a document, in the order of its text; none where no shape of lines heads any.

    A year that a line leaves out comes from the lines before, at first from the document or its title.
    Figures such as 9/4/2019 are read in the order of day and month that keeps the entries in order.
    """
    lines = list(_lines(document))
    known = document.published or _named(document.title, conventions)
    found = _dated(lines, known, conventions)
    if any(_IN_FIGURES.search(line.stated) for line in lines):
        swapped = _dated(lines, known, replace(conventions, day_first=not conventions.day_first))
        found = min(found, swapped, key=_faults)
    shapes = _shapes(found)
    return tuple(_cut(document.text, [line for line in found if line.shape in shapes], found))


def _lines(document: Document) -> Iterator[_Line]:
    """The headings, and every other line that has the shape of one that heads an entry."""
    headings = {mark.offset for mark in document.places}
    offset, apart = 0, True
    for line in document.text.split("\n"):
        found = _heading(line, offset, headings)
        if found is None and _MAY_BE_DATED.search(line, 0, _LONGEST_HEAD):
            found = _prefix(line, offset) or (_alone(line, offset) if apart else None)
        if found is not None:
            yield found
        apart = not line.strip() or (found is not None and found.kind != "prefix")
        offset += len(line) + 1


def _heading(line: str, offset: int, headings: Collection[int]) -> _Line | None:
    """A heading: what its reader found to be one, or, where it looks for none, a line with number signs."""
    signs = _SIGNS.match(line)
    stated = line.strip(" \t#*_`")
    if not stated or (offset not in headings if headings else signs is None):
        return None
    return _Line("heading", signs[1] if signs else "", offset, offset + len(line), stated, stated)


def _prefix(line: str, offset: int) -> _Line | None:
    """A date, after a bullet or in brackets or neither, before the text of a line."""
    lead = _LEAD.match(line)
    if lead is None:
        return None
    head = line[lead.end() : lead.end() + _LONGEST_HEAD]
    in_figures = _DAY_AND_MONTH.match(head)
    stated = in_figures[0] if in_figures else _first_words(head)
    if not stated:
        return None
    clock = _CLOCK.match(head, len(stated))
    end = clock.end() if clock else len(stated)
    closing = _CLOSE.match(head, end)
    closed = closing is not None and closing.end() > end
    end = closing.end() if closing else end
    separator = _SEPARATOR.match(head, end) or _FULL_STOP.match(head, end - stated.endswith("."))
    if separator is None and not (clock or closed or in_figures):
        return None
    end = separator.end() if separator else end
    body = lead.end() + end + len(head[end:]) - len(head[end:].lstrip())
    if not line[body:].strip():
        return None
    marks = f"{(lead['mark'] or '')[-1:]}{lead['open']}{'T' if clock else ''}"
    return _Line("prefix", _BARE if in_figures else marks, offset, offset + body, "", stated)


def _first_words(head: str) -> str:
    """The date that a text begins with; a full stop ends the line's head after a day alone."""
    found = next(iter(find_expressions(head)), None)
    if found is None or found.char_start > 0 or found.kind not in (Kind.EXPLICIT, Kind.ANCHORED):
        return ""
    coarse = found.interval is not None and found.interval.granularity is not Granularity.DAY
    return "" if coarse and _FULL_STOP.match(head, found.char_end) else found.text


def _alone(line: str, offset: int) -> _Line | None:
    """A short line that is no sentence."""
    stated = line.strip(" \t*_[]()<>-–—=")
    if not stated or len(stated) > _LONGEST_LINE or stated.endswith(_SENTENCE_ENDS):
        return None
    return _Line("line", "", offset, offset + len(line), stated.rstrip(": "), stated)


def _dated(lines: Sequence[_Line], known: Interval | None, conventions: Conventions) -> list[_Line]:
    """The lines with their times.

    What a line leaves out comes from the last of its shape, or from the heading above, at first ``known``.
    """
    dated = []
    section, last = known, dict[tuple[str, str], Interval]()
    for line in lines:
        time = _time(line, last.get(line.shape, section), conventions)
        if time is not None and line.kind == "heading":
            section, last = time, {}
        if time is not None:
            last[line.shape] = time
        dated.append(replace(line, time=time))
    return dated


def _time(line: _Line, narrative: Interval | None, conventions: Conventions) -> Interval | None:
    """The closed time that a line states, not counted from another day; few words may stand beside it."""
    if line.detail == _BARE:
        return _day_and_month(line.stated, narrative, conventions)
    stated = line.stated[:_LONGEST_HEAD]
    for found in find_expressions(stated, narrative=narrative, conventions=conventions):
        is_stated = found.kind in (Kind.EXPLICIT, Kind.ANCHORED) and found.open is None
        if not is_stated or found.interval is None or not found.dates:
            continue
        beside = len((stated[: found.char_start] + stated[found.char_end :]).split())
        if line.kind == "line" and beside > _MOST_WORDS:
            return None
        return hull(found.dates)
    return None


def _day_and_month(stated: str, narrative: Interval | None, conventions: Conventions) -> Interval | None:
    """The day that two figures state in the year of what goes before."""
    first, second = (int(figure) for figure in re.findall(r"\d+", stated))
    day, month = (first, second) if conventions.day_first or "." in stated else (second, first)
    if narrative is None:
        return None
    return nearest_year(
        lambda year: day_interval(day_number(year, month, day)), Anchors(None, narrative=narrative)
    )


def _named(name: str, conventions: Conventions) -> Interval | None:
    """The first time that a title or a name states."""
    found = find_expressions(name.replace("_", " "), conventions=conventions)
    return next((one.dates[0] for one in found if one.kind is Kind.EXPLICIT and one.dates), None)


def _shapes(lines: Sequence[_Line]) -> Collection[tuple[str, str]]:
    """The shapes that head entries: often enough, mostly with a date, and in order."""
    counts = Counter(line.shape for line in lines)
    shapes = set()
    for shape, count in counts.items():
        dated = [line for line in lines if line.shape == shape and line.time is not None]
        enough = len(dated) >= max(_FEWEST[shape[0]], _DATED_SHARE * count)
        if shape[1] == _BARE:  # numbered sections look the same
            enough &= any(int(figure) > 12 for line in dated for figure in re.findall(r"\d+", line.stated))
        if enough and _disorder(dated) <= _MOST_DISORDER:
            shapes.add(shape)
    return shapes


def _disorder(lines: Sequence[_Line]) -> float:
    """The share of steps between neighbours that go against the direction of the others, 0..0.5."""
    starts = [line.time.bounds[0] for line in lines if line.time is not None]
    steps = [after - before for before, after in pairwise(starts) if after != before]
    forth = sum(step > 0 for step in steps)
    return min(forth, len(steps) - forth) / len(steps) if steps else 0.0


def _faults(lines: Sequence[_Line]) -> tuple[int, float]:
    """How badly a reading of the dates fits: lines without a time, and the disorder of the others."""
    in_figures = [line for line in lines if _IN_FIGURES.search(line.stated)]
    return sum(line.time is None for line in in_figures), _disorder(in_figures)


def _cut(text: str, heads: Sequence[_Line], lines: Sequence[_Line]) -> Iterator[Entry]:
    """The entries from their heads; each ends where the next begins, or a heading that is not below it."""
    ends = _section_ends(lines, len(text))
    starts = [*(head.start for head in heads), len(text)]
    for head, following in zip(heads, starts[1:], strict=True):
        end = min(following, ends[head.start])
        if head.kind == "prefix" and (end < following or head is heads[-1]):
            paragraph = _PARAGRAPH.search(text, head.body, end)
            end = paragraph.start() if paragraph else end
        if head.time is not None and text[head.body : end].strip():
            yield Entry(head.start, head.body, end, head.time, head.heading)


def _section_ends(lines: Sequence[_Line], end: int) -> dict[int, int]:
    """By the offset of each line where the next heading begins that is not below it."""
    nearest = dict.fromkeys(range(_LEVELS + 1), end)
    ends = {}
    for line in reversed(lines):
        level = len(line.detail) if line.kind == "heading" else _LEVELS
        ends[line.start] = nearest[level]
        if line.kind == "heading":
            nearest |= dict.fromkeys(range(level, _LEVELS + 1), line.start)
    return ends
