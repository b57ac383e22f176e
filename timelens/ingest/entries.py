"""Dated entries: lines whose date applies to the text below, as in diaries, minutes, changelogs and logs.

The head line of an entry has one of three shapes: a heading with a date, a short line of its own with a date,
or a date before the text of a line. A shape is accepted if a document has several such lines and their days
ascend or descend; a single dated line is a letterhead, and days without an order are a list of something
else.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePath
from typing import Literal, NamedTuple

from timelens.documents import Document, Mark
from timelens.lexicon import MONTH_FORMS, WEEKDAY_FORMS, one_of
from timelens.temporal.anchoring import Anchors, nearest_year
from timelens.temporal.calendar import Day, add_months, day_number, weekday
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, ScannedText, leading_time
from timelens.temporal.interval import Granularity, Interval, day_interval, granule, hull
from timelens.temporal.vocabulary import MONTHS, WEEKDAYS

_ENGLISH, _ANY_LANGUAGE = replace(USUAL, english=True), replace(USUAL, english=False)
_FEWEST = {"heading": 2, "line": 3, "prefix": 3}
"""Fewest dated lines of a shape for it to head entries."""
_DATED_SHARE = 0.5
"""Least share of the lines of a shape that have a date."""
_MOST_DISORDER = 0.25
"""Greatest share of steps against the common direction of the days."""
_LONGEST_HEAD = 120
"""Characters of a line that are searched for a date."""
_LONGEST_LINE = 80
_MOST_WORDS = 7
"""Most characters of a line of its own that heads an entry, and most words beside its date."""
_MOST_BEFORE = 24
"""Most characters before the date that precedes the text of a line ("Week 3, Tue 15 Jan: …")."""
_INTRODUCTION = 400
_LONGEST_HEADING = 400  # characters that are searched for a heading
_BEFORE_HEADING = 12  # characters that may precede it, such as Markdown signs
"""Characters at the beginning of a document in which the year of its entries may stand."""

_LEAD = re.compile(
    r"[ \t]*(?:(?P<mark>[-*+•>|]|\d{1,3}[.)])[ \t]+)?(?P<open>[\[(*_<]*)"
    r"(?:\d{1,2}:\d{2}(?::\d{2})?(?:[ \t\u202f]?[ap]m)?,?[ \t]+)?",
    re.IGNORECASE,
)
_SIGNS = re.compile(r" {0,3}(#{1,6})[ \t]")
_LABEL = re.compile(r"[*_]{0,2}(?:date|day|dated|written)[*_]{0,2}:", re.IGNORECASE)
_RULER = re.compile(r"[-=*_~#—–]{2,}")
_MAY_BE_DATED = re.compile(
    rf"\d|\b(?:{one_of(name[:3] for name in (*MONTH_FORMS, *WEEKDAY_FORMS))})", re.IGNORECASE
)
_FIGURES = re.compile(r"\d+")
_YEAR_NEAR = re.compile(r".{0,24}?[0-9]{3}")
"""A text with a number as long as a year near its beginning."""
_IN_FIGURES = re.compile(r"(?<!\d)\d{1,2}[-/.]\d{1,2}(?!\d)")
_OF_ONE_ORDER = re.compile(r"(?<!\d)(?:\d{4}([-/.])\d{2}\1\d{2}|\d{1,2}\.\d{1,2}\.[12]\d{3})(?!\d)")
"""Numeric dates with an unambiguous order: 2019-05-03, 3.5.2019."""
_DAY_AND_MONTH = re.compile(
    r"(?:[0-2]?[1-9]|[1-3]0|31)(?:/(?:[0-2]?[1-9]|[1-3]0|31)|\.(?:0?[1-9]|1[0-2])\.?)(?=[ \t])"
)
_FIRST_WORDS = re.compile(r"\S(?:[ ]?\S)*?(?=[ \t]{2}|\t|:[ \t]|[ \t][-–—|])")
"""The start of a line, separated from the rest by wide space or a sign."""
_DAY_IN_MONTH = re.compile(
    r"(?:(?P<weekday>mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?[ \t]+(?:the[ \t]+)?(?P<day>\d{1,2})"
    r"(?:st|nd|rd|th)?|(?P<ordinal>\d{1,2})(?:st|nd|rd|th))\b(?![-/.:]\d)",
    re.IGNORECASE,
)
_COUNTED_DAY = re.compile(r"day[ \t]+(\d{1,4})\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?:T|,?[ \t]*(?:at[ \t]+)?)\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[.,]\d{1,9})?[ \t\u202f]*(?:[ap]\.?m\.?)?"
    r"(?:Z|[ \t]?[+-]\d{2}:?\d{2}|[ \t]UTC)?",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[\])*_>]*")
_SEPARATOR = re.compile(r"[ \t]*(?::(?!\d)|\||[-–—]+[ \t])[*_]*[ \t]*|\.[*_]*[ \t]+(?=\S)")
_SENTENCE_ENDS = ".?!,;"
_BEHIND_TIMES = frozenset('])}>;:,|"')
"""Signs with which no time ends."""
_LEVELS = 6
_PARAGRAPH = re.compile(r"\n[^\S\n]*(?=\n)")
_DAY_AND_MONTH_ONLY = "day and month in figures"


@dataclass(frozen=True, slots=True)
class Entry:
    """A section of a document with its own day, month or year."""

    start: int
    """Offset of its head line."""
    body: int
    """Offset of its text."""
    end: int
    """Offset of its end, exclusive."""
    time: Interval
    heading: str = ""
    """Its head line; empty if its date stands before the text of a line."""


class _Line(NamedTuple):
    """A line that may head an entry, with its shape; its time is read from ``stated``."""

    kind: Literal["heading", "line", "prefix"]
    detail: str
    """The number signs of a heading, or the signs and words around a date."""
    start: int
    body: int
    heading: str
    stated: str
    time: Interval | None = None

    @property
    def shape(self) -> tuple[str, str, bool]:
        """The shape shared by the head lines of a document; "1942" alone differs from lines with days."""
        is_coarse = self.kind == "line" and self.time is not None and not _is_day(self.time)
        return self.kind, self.detail, is_coarse


def entries(document: Document, conventions: Conventions) -> tuple[Entry, ...]:
    """The dated entries of a document, in the order of its text; empty if no shape of lines is accepted.

    A missing year comes from the lines before, at first from the document: its day, title, name or
    introduction. The order of day and month in 9/4/2019 is the one that keeps the entries in order.
    """
    files = (PurePath(document.id).stem, PurePath(document.uri).stem)
    names = (document.title, *files, document.text[:_INTRODUCTION])
    known = document.published or next(filter(None, (_stated_in(name, conventions) for name in names)), None)
    found = _dated(_lines(document), known, conventions)
    shapes = _shapes(found)
    return tuple(_cut(document.text, [line for line in found if line.shape in shapes], found))


def _lines(document: Document) -> Iterator[_Line]:
    """The headings, and all other lines with a shape that may head an entry."""
    headings = {mark.offset for mark in document.places if _stands_there(mark, document.text)}
    offset, apart = 0, True
    for line in document.text.split("\n"):
        found = _heading(line, offset, headings)
        if found is None and _MAY_BE_DATED.search(line, 0, _LONGEST_HEAD):
            found = _prefix(line, offset, apart=apart)
            if found is None and (apart or _LABEL.match(line) or _RULER.match(line)):
                found = _alone(line, offset)
        if found is not None:
            yield found
        apart = not line.strip() or found is not None
        offset += len(line) + 1


def _stands_there(mark: Mark, text: str) -> bool:
    """Whether a place is a heading in the text, not the number of a page, slide or row."""
    if mark.page and not mark.place:
        return False
    begin = " ".join(text[mark.offset : mark.offset + _LONGEST_HEADING].split())
    return mark.place in begin[: len(mark.place) + _BEFORE_HEADING]


def _heading(line: str, offset: int, headings: Collection[int]) -> _Line | None:
    """A heading found by the reader; if the reader finds none, a line with number signs."""
    signs = _SIGNS.match(line)
    if offset not in headings if headings else signs is None:
        return None
    stated = line.strip(" \t#*_`")
    if not stated:
        return None
    return _Line("heading", signs[1] if signs else "", offset, offset + len(line), stated, stated)


def _prefix(line: str, offset: int, *, apart: bool) -> _Line | None:
    """A date before the text of a line, possibly after a bullet or in brackets.

    In a line ``apart`` (after a blank line or another such line) no sign is needed between day and text.
    """
    lead = _LEAD.match(line)
    head = line[lead.end() : lead.end() + _LONGEST_HEAD] if lead else ""
    place = _place_of_date(head)
    if lead is None or place is None or place[0] > _MOST_BEFORE:
        return None
    if not line[lead.end() + place[1] :].strip():
        return None  # no text behind the date
    before, stated = head[: place[0]], head[place[0] : place[1]]
    clock = _CLOCK.match(head, place[1])
    closing = _CLOSE.match(head, clock.end() if clock else place[1])
    end = closing.end() if closing else place[1]
    closed = closing is not None and closing[0] != ""
    separator = _SEPARATOR.match(head, end - stated.endswith("."))
    sign = separator[0].strip() if separator else ""
    end = separator.end() if separator else end
    body = lead.end() + end + len(head[end:]) - len(head[end:].lstrip())
    told = line[body:].strip()
    if sign in ("", ".") and (before or not (sign or clock or closed or apart)):
        return None
    if not told or (sign in ("", ".") and _is_coarse(stated) and not (sign == "" and told.endswith("."))):
        return None  # "1912  Coach bolt" is a number and a name, "1912  The mill burnt." is an entry
    detail = f"{(lead['mark'] or '')[-1:]}{lead['open']}{_template(before)} {'T' if clock else sign}"
    figures = _DAY_AND_MONTH.match(f"{stated} ")
    if figures is not None and figures.span() == place == (0, len(stated)):
        detail = _DAY_AND_MONTH_ONLY
    return _Line("prefix", detail, offset, offset + body, "", stated)


def _alone(line: str, offset: int) -> _Line | None:
    """A short line of its own; sentences with the same words beside the date have the same shape."""
    stated = line.strip(" \t*_[]()<>-–—=~#|")
    if not stated or len(stated) > _LONGEST_LINE:
        return None
    bare = stated.rstrip(_SENTENCE_ENDS)
    detail = ""
    if bare != stated and (place := _place_of_date(bare) or (0, 0)) != (0, len(bare)):
        detail = _template(bare[: place[0]] + bare[place[1] :])
    return _Line("line", detail, offset, offset + len(line), bare.rstrip(": "), bare)


@lru_cache(maxsize=64)
def _place_of_date(head: str) -> tuple[int, int] | None:
    """(start, end) of the first full or partial date of a line; a number before a date is a version."""
    first = _FIRST_WORDS.match(head)
    if (
        first is not None
        and first[0][-1] not in _BEHIND_TIMES
        and any(one.text == first[0] for one in _times_in(first[0]))
    ):
        return first.span()
    figures = _DAY_AND_MONTH.match(head)
    leading = _leading(head, USUAL)
    times = [leading] if leading and leading.kind is ExpressionKind.EXPLICIT else _not_relative(head)
    if figures is not None and not (times and head[figures.end() : times[0].char_start].isspace()):
        return figures.span()
    if times:
        return times[0].char_start, times[0].char_end
    partial = _COUNTED_DAY.match(head) or _DAY_IN_MONTH.match(head)
    return partial.span() if partial else None


def _not_relative(head: str) -> list[Expression]:
    return [one for one in _times_in(head) if one.kind in (ExpressionKind.EXPLICIT, ExpressionKind.ANCHORED)]


def _times_in(
    text: str, conventions: Conventions = USUAL, narrative: Interval | None = None
) -> list[Expression]:
    leading = _leading(text, conventions)
    if leading is not None and leading.char_end == len(text):
        return [leading]
    return _scanned(text, conventions.english).expressions(narrative=narrative, conventions=conventions)


def _leading(text: str, conventions: Conventions) -> Expression | None:
    """The time of :func:`leading_time`; it is not looked for where no year can belong to it."""
    return _leading_time(text, conventions) if _YEAR_NEAR.match(text) else None


_leading_time = lru_cache(maxsize=64)(leading_time)


@lru_cache(maxsize=1024)
def _scanned(text: str, english: bool) -> ScannedText:  # noqa: FBT001 -- as of the conventions
    """A short text, scanned. Cached because a line is read once for its shape and again for its time."""
    return ScannedText(text, _ENGLISH if english else _ANY_LANGUAGE)


def _is_coarse(stated: str) -> bool:
    """Whether a date is coarser than a day."""
    times = [found.interval for found in _times_in(stated) if found.interval is not None]
    return any(not _is_day(time) for time in times)


def _is_day(time: Interval) -> bool:
    return time.granularity is Granularity.DAY


def _template(words: str) -> str:
    """The words with numbers replaced, so that lines that differ only in numbers are equal."""
    return _FIGURES.sub("#", " ".join(words.lower().split()))


def _dated(lines: Iterable[_Line], known: Interval | None, conventions: Conventions) -> list[_Line]:
    """The lines with their times; numeric dates are read in the order of day and month that fits better."""
    one, other = _Times(conventions, known), None
    found: list[_Line] = []
    swapped: list[_Line] = []
    for line in lines:
        if other is None and _is_of_either_order(line.stated):
            other, swapped = one.swapped(), found.copy()
        found.append(one.of(line))
        if other is not None:
            swapped.append(other.of(line))
    return found if other is None else min(found, swapped, key=_faults)


def _is_of_either_order(stated: str) -> bool:
    """Whether a line has a numeric date whose order of day and month it leaves open."""
    if _IN_FIGURES.search(stated) is None:
        return False
    return _IN_FIGURES.search(_OF_ONE_ORDER.sub("", stated)) is not None


@dataclass
class _Times:
    """Reads the times of lines in sequence.

    Missing parts of a date come from the last line of the same shape or from the month or year above, at
    first from the document. "Day 7" counts from the last line that states both its number and its date.
    """

    conventions: Conventions
    section: Interval | None
    last: dict[tuple[str, str], Interval] = field(default_factory=dict)
    first: Day | None = None
    """The day that is counted as 0."""

    def __post_init__(self) -> None:
        if self.section is not None and _is_day(self.section):
            self.first = self.section.start

    def swapped(self) -> "_Times":
        """A copy with the other order of day and month."""
        other = replace(self.conventions, day_first=not self.conventions.day_first)
        return _Times(other, self.section, self.last.copy(), self.first)

    def of(self, line: _Line) -> _Line:
        """The next line with its time."""
        time = _time(line, self.last.get((line.kind, line.detail), self.section), self.conventions)
        counted = _COUNTED_DAY.match(line.stated)
        if counted and time is not None and time.start is not None:
            self.first = time.start - int(counted[1])
        elif counted and self.first is not None:
            time = day_interval(self.first + int(counted[1]))
        if time is None:
            return line
        if line.kind == "heading" or not _is_day(time):
            self.section, self.last = time, {}
        self.last[line.kind, line.detail] = time
        return line._replace(time=time)


def _time(line: _Line, narrative: Interval | None, conventions: Conventions) -> Interval | None:
    """The closed, non-relative time that a line states, with only few words beside it; else ``None``."""
    if line.detail == _DAY_AND_MONTH_ONLY:
        return _day_and_month(line.stated, narrative, conventions)
    stated = line.stated[:_LONGEST_HEAD]
    if stated.lower().rstrip(".") in MONTHS:
        stated = f"in {stated}"  # "May" and "March" alone are not read as months
    for found in _times_in(stated, conventions, narrative):
        is_stated = found.kind in (ExpressionKind.EXPLICIT, ExpressionKind.ANCHORED) and found.open is None
        if not is_stated or found.interval is None or not found.dates:
            continue
        beside = len((stated[: found.char_start] + stated[found.char_end :]).split())
        return None if line.kind == "line" and beside > _MOST_WORDS else hull(found.dates)
    if line.kind == "prefix" and "," in stated:  # "Week 3, Tue 15 Jan"
        return _time(line._replace(stated=stated.partition(",")[2].strip()), narrative, conventions)
    in_month = _DAY_IN_MONTH.match(stated)
    return None if in_month is None or narrative is None else _day_in_month(in_month, narrative)


def _day_and_month(stated: str, narrative: Interval | None, conventions: Conventions) -> Interval | None:
    """The day that two numbers (day and month) state, in the year nearest to ``narrative``."""
    first, second = (int(figure) for figure in _FIGURES.findall(stated))
    day, month = (first, second) if conventions.day_first or "." in stated else (second, first)
    if narrative is None:
        return None
    return nearest_year(
        lambda year: day_interval(day_number(year, month, day)), Anchors(None, narrative=narrative)
    )


def _day_in_month(stated: re.Match[str], narrative: Interval) -> Interval | None:
    """The day with a given number in the month, nearest to ``narrative``; a stated weekday must match."""
    start, number = narrative.start, int(stated["day"] or stated["ordinal"])
    if start is None or number < 1 or narrative.granularity.days > Granularity.MONTH.days:
        return None

    def is_meant(day: Day) -> bool:
        named = stated["weekday"]
        same = named is None or any(
            name.startswith(named.lower()) and weekday(day) == n for name, n in WEEKDAYS.items()
        )
        return same and (_is_day(narrative) or narrative.contains(day_interval(day)))

    months = [granule(add_months(start, step), Granularity.MONTH) for step in (0, 1, -1)]
    days = [month.start + number - 1 for month in months if month.start is not None and number <= month.days]
    nearest = min(filter(is_meant, days), key=lambda day: abs(day - start), default=None)
    return None if nearest is None else day_interval(nearest)


def _stated_in(text: str, conventions: Conventions) -> Interval | None:
    """The first explicit time in a title, a name or an introduction."""
    found = _times_in(text.replace("_", " "), conventions)
    return next((one.dates[0] for one in found if one.kind is ExpressionKind.EXPLICIT and one.dates), None)


def _shapes(lines: Sequence[_Line]) -> Collection[tuple[str, str, bool]]:
    """The accepted shapes: frequent enough, mostly with a date, and in order."""
    shapes = set()
    by_shape: defaultdict[tuple[str, str, bool], list[_Line]] = defaultdict(list)
    for line in lines:
        by_shape[line.shape].append(line)
    for shape, alike in by_shape.items():
        dated = [line for line in alike if line.time is not None]
        enough = len(dated) >= max(_FEWEST[shape[0]], _DATED_SHARE * len(alike))
        if shape[1] == _DAY_AND_MONTH_ONLY:  # numbered sections look the same
            enough &= any(int(figure) > 12 for line in dated for figure in _FIGURES.findall(line.stated))
        if enough and _disorder(dated) <= _MOST_DISORDER:
            shapes.add(shape)
    return shapes


def _disorder(lines: Sequence[_Line]) -> float:
    """The share of steps between adjacent lines against the common direction, 0..0.5."""
    starts = [line.time.bounds[0] for line in lines if line.time is not None]
    steps = [after - before for before, after in pairwise(starts) if after != before]
    forth = sum(step > 0 for step in steps)
    return min(forth, len(steps) - forth) / len(steps) if steps else 0.0


def _faults(lines: Sequence[_Line]) -> tuple[int, float]:
    """Badness of a reading of numeric dates: number of lines without a time, and disorder of the others."""
    in_figures = [line for line in lines if _IN_FIGURES.search(line.stated)]
    return sum(line.time is None for line in in_figures), _disorder(in_figures)


def _cut(text: str, heads: Sequence[_Line], lines: Sequence[_Line]) -> Iterator[Entry]:
    """The entries from their head lines; each ends at the next one, or at a heading of its level or above."""
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
    """For the offset of each line, the offset of the next heading of the same level or above."""
    nearest = dict.fromkeys(range(_LEVELS + 1), end)
    ends = {}
    for line in reversed(lines):
        level = len(line.detail) if line.kind == "heading" else _LEVELS
        ends[line.start] = nearest[level]
        if line.kind == "heading":
            nearest |= dict.fromkeys(range(level, _LEVELS + 1), line.start)
    return ends
