"""Dated entries: lines whose date applies to the text below, as in diaries, minutes, changelogs and logs.

The head line of an entry has one of these shapes: a heading with a date, a short line of its own with a date,
a date before the text of a line, or a time of day there, below a day. A line with a name and a date may also
end its entry. A shape is accepted if a document has several such lines and their days
ascend or descend; a single dated line is a letterhead, and days without an order are a list of something
else.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import PurePath

from timelens.documents import Document
from timelens.ingest.entry_lines import (
    COUNTED_DAY,
    DAY_AND_MONTH_ONLY,
    DAY_IN_MONTH,
    DAY_IN_POINTS,
    FIGURES,
    LONGEST_HEAD,
    HeadLine,
    Shape,
    head_lines,
    is_day,
    times_in,
)
from timelens.temporal.anchoring import Anchors, nearest_year
from timelens.temporal.calendar import Day, add_months, civil, day_number, weekday, weekday_beside
from timelens.temporal.conventions import Conventions
from timelens.temporal.expressions import ExpressionKind
from timelens.temporal.interval import Granularity, Interval, day_interval, granule, hull, iso_week
from timelens.temporal.vocabulary import MONTHS, weekday_number

_FEWEST = {"heading": 2, "line": 3, "prefix": 3, "clock": 3}
"""Fewest dated lines of a shape for it to head entries."""
_DATED_SHARE = 0.5
"""Least share of the lines of a shape that have a date."""
_MOST_DISORDER = 0.25
"""Greatest share of steps against the common direction of the days."""
_MOST_WORDS = 7
"""Most words beside the date in a line of its own that heads an entry."""
_MOST_WORDS_BESIDE_YEAR = 3
"""The same beside a month, a year or longer, which also gives the lines below their year."""
_MOST_MINUTES = 12 * 60
"""Greatest step between two times of one day."""
_WEEKDAY = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b", re.IGNORECASE)
_WEEK = re.compile(r"week[ \t]+(\d{1,2})\b", re.IGNORECASE)
_INTRODUCTION = 400
"""Characters at the beginning of a document in which the year of its entries may stand."""

_IN_FIGURES = re.compile(r"(?<!\d)\d{1,2}[-/.]\d{1,2}(?!\d)")
_DATE_IN_FIGURES = re.compile(r"(?<![\d/-])(?P<first>\d{1,2})[-/](?P<second>\d{1,2})(?!\d)")
_MONTHS = 12
_OF_ONE_ORDER = re.compile(r"(?<!\d)(?:\d{4}([-/.])\d{2}\1\d{2}|\d{1,2}\.\d{1,2}\.[12]\d{3})(?!\d)")
"""Numeric dates with an unambiguous order: 2019-05-03, 3.5.2019."""
_LEVELS = 6
_NO_SPACE = re.compile(r"\S")
_PARAGRAPH = re.compile(r"\n[^\S\n]*(?=\n)")


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


def entries(document: Document, conventions: Conventions) -> tuple[Entry, ...]:
    """The dated entries of a document, in the order of its text; empty if no shape of lines is accepted.

    A missing year comes from the lines before, at first from the document: its day, title, name or
    introduction. The order of day and month in 9/4/2019 is the one that keeps the entries in order.
    """
    return entries_in_order(document, conventions)[0]


def entries_in_order(document: Document, conventions: Conventions) -> tuple[tuple[Entry, ...], Conventions]:
    """The entries of :func:`entries`, and the conventions with the order of day and month that they show."""
    files = (PurePath(document.id).stem, PurePath(document.uri).stem)
    names = (document.title, *files, document.text[:_INTRODUCTION])
    known = document.published or next(filter(None, (_stated_in(name, conventions) for name in names)), None)
    found, ordered = _dated(head_lines(document), known, conventions)
    shapes = _shapes(found)
    heads = [line for line in found if line.shape in shapes]
    cut = _closed(document.text, heads) if _end_entries(document.text, heads) else None
    own = tuple(_cut(document.text, heads, found) if cut is None else cut)
    return own, ordered if own else conventions


def sections(text: str, found: Sequence[Entry]) -> Iterator[tuple[int, int, Interval | None]]:
    """The sections of a text: its entries without their head lines, and the text between entries.

    Start, end, and the time of the entry.
    """
    position = 0
    for entry in found:
        if position < entry.start:
            yield position, entry.start, None
        yield entry.body, entry.end, entry.time
        position = entry.end
    if position < len(text) or not found:
        yield position, len(text), None


def _dated(
    lines: Iterable[HeadLine], known: Interval | None, conventions: Conventions
) -> tuple[list[HeadLine], Conventions]:
    """The lines with their times, and the conventions by which their numeric dates are read.

    The order of day and month is the one that fits better.
    """
    one, other = _Times(conventions, known), None
    found: list[HeadLine] = []
    swapped: list[HeadLine] = []
    for line in lines:
        if other is None and _is_of_either_order(line.stated):
            other, swapped = one.swapped(), found.copy()
        found.append(one.of(line))
        if other is not None:
            swapped.append(other.of(line))
    if other is None:
        return found, conventions
    shapes = {*_shapes(found), *_shapes(swapped)}
    if _faults(found, shapes, conventions) <= _faults(swapped, shapes, other.conventions):
        return found, conventions
    return swapped, other.conventions


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
    day: Day | None = None
    """The last day, from which weekdays and times of day are read."""
    minute: int | None = None
    """The last time of that day, in minutes."""

    def __post_init__(self) -> None:
        if self.section is not None and is_day(self.section):
            self.first = self.section.start

    def swapped(self) -> "_Times":
        """A copy with the other order of day and month."""
        other = replace(self.conventions, day_first=not self.conventions.day_first)
        return _Times(other, self.section, self.last.copy(), self.first)

    def of(self, line: HeadLine) -> HeadLine:
        """The next line with its time."""
        if line.kind == "clock":
            return self._at_clock(line)
        time = _time(line, self.last.get((line.kind, line.detail), self.section), self.conventions)
        counted = COUNTED_DAY.match(line.stated)
        if counted and time is not None and time.start is not None:
            self.first = time.start - int(counted[1])
        elif counted and self.first is not None:
            time = day_interval(self.first + int(counted[1]))
        if time is None and line.kind != "prefix" and self.day is not None:
            time = _next_weekday(line.stated, self.day)
        if time is None:
            return line
        if line.kind != "line" or len(line.stated.split()) <= _MOST_WORDS:  # else a sentence with a date
            self.day, self.minute = (time.start if is_day(time) else None), None
        if line.kind == "heading" or not is_day(time):
            self.section, self.last = time, {}
        self.last[line.kind, line.detail] = time
        return line._replace(time=time)

    def _at_clock(self, line: HeadLine) -> HeadLine:
        """A line that begins with a time of day; a large step between two times passes midnight."""
        if self.day is None:
            return line
        hours, minutes = map(int, line.stated.split(":"))
        minute = 60 * hours + minutes
        step = 0 if self.minute is None else minute - self.minute
        if abs(step) > _MOST_MINUTES:
            self.day += 1 if step < 0 else -1
        self.minute = minute
        return line._replace(time=day_interval(self.day))


def _next_weekday(stated: str, day: Day) -> Interval | None:
    """The next day with the weekday that a line begins with, if the line has no figures."""
    named = _WEEKDAY.match(stated)
    if named is None or FIGURES.search(stated):
        return None
    return day_interval(weekday_beside(day, weekday_number(named[0]), 1))


def _time(line: HeadLine, narrative: Interval | None, conventions: Conventions) -> Interval | None:
    """The closed, non-relative time that a line states, with only few words beside it; else ``None``."""
    if line.detail == DAY_AND_MONTH_ONLY:
        return _day_and_month(line.stated, narrative, conventions)
    if line.detail == DAY_IN_POINTS:
        without_weekday = f"dated {line.stated.split()[-1]}"
        return next((one.dates[0] for one in times_in(without_weekday, conventions) if one.dates), None)
    stated = line.stated[:LONGEST_HEAD]
    if counted := COUNTED_DAY.match(stated):
        stated = stated[counted.end() :].lstrip(" \t:,-–—")
    in_month = DAY_IN_MONTH.match(stated)
    if in_month and in_month["ordinal"] and in_month.end() == len(stated) and narrative is not None:
        return _day_in_month(in_month, narrative)  # "26th, Sun." is no Sunday of its own
    if (week := _WEEK.match(stated)) and narrative is not None and narrative.start is not None:
        return _week(int(week[1]), narrative)
    if stated.lower().rstrip(".") in MONTHS:
        stated = f"in {stated}"  # "May" and "March" alone are not read as months
    for found in times_in(stated, conventions, narrative):
        is_stated = found.kind in (ExpressionKind.EXPLICIT, ExpressionKind.ANCHORED) and found.open is None
        if not is_stated or found.interval is None or not found.dates:
            continue
        beside = len((stated[: found.char_start] + stated[found.char_end :]).split())
        time = hull(found.dates)
        most = _MOST_WORDS if time is None or is_day(time) else _MOST_WORDS_BESIDE_YEAR
        return None if line.kind == "line" and beside > most else time
    if line.kind == "prefix" and "," in stated:  # "Week 3, Tue 15 Jan"
        return _time(line._replace(stated=stated.partition(",")[2].strip()), narrative, conventions)
    return None if in_month is None or narrative is None else _day_in_month(in_month, narrative)


def _day_and_month(stated: str, narrative: Interval | None, conventions: Conventions) -> Interval | None:
    """The day that two numbers (day and month) state, in the year nearest to ``narrative``."""
    first, second = (int(figure) for figure in FIGURES.findall(stated))
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
        same = named is None or weekday(day) == weekday_number(named)
        return same and (is_day(narrative) or narrative.contains(day_interval(day)))

    months = [granule(add_months(start, step), Granularity.MONTH) for step in (0, 1, -1)]
    days = [month.start + number - 1 for month in months if month.start is not None and number <= month.days]
    nearest = min(filter(is_meant, days), key=lambda day: abs(day - start), default=None)
    return None if nearest is None else day_interval(nearest)


def _week(number: int, narrative: Interval) -> Interval | None:
    """The ISO week with a number, in the year of the narrative or nearest to its week or day."""
    if narrative.start is None or narrative.granularity.days > Granularity.YEAR.days:
        return None
    year = civil(narrative.start + 3)[0]
    try:
        this, following = iso_week(year, number), iso_week(year + 1, number)
    except ValueError:
        return None
    if narrative.granularity is Granularity.YEAR:
        return this
    return min(this, following, key=lambda week: abs(week.bounds[0] - narrative.bounds[0]))


def _stated_in(text: str, conventions: Conventions) -> Interval | None:
    """The first explicit time in a title, a name or an introduction."""
    found = times_in(text.replace("_", " "), conventions)
    return next((one.dates[0] for one in found if one.kind is ExpressionKind.EXPLICIT and one.dates), None)


def _shapes(lines: Sequence[HeadLine]) -> Collection[Shape]:
    """The accepted shapes: frequent enough, mostly with a date, and in order."""
    shapes = set()
    by_shape: defaultdict[Shape, list[HeadLine]] = defaultdict(list)
    for line in lines:
        by_shape[line.shape].append(line)
    for shape, alike in by_shape.items():
        dated = [line for line in alike if line.time is not None]
        fewest = 2 if shape[0] == "line" and _have_one_name(dated) else _FEWEST[shape[0]]
        enough = len(dated) >= max(fewest, _DATED_SHARE * len(alike))
        if shape[1] == DAY_AND_MONTH_ONLY:  # numbered sections look the same
            enough &= any(int(figure) > _MONTHS for line in dated for figure in FIGURES.findall(line.stated))
        if shape[1] == DAY_IN_POINTS:
            enough &= not _count_up([line.stated for line in dated])
        if enough and _disorder(dated) <= _MOST_DISORDER:
            shapes.add(shape)
    with_days = {shape for shape in shapes if shape[0] != "clock"}
    return with_days or shapes  # times of day cut what no day cuts


def _count_up(stated: Sequence[str]) -> bool:
    """Whether numbers of three parts count versions or sections, up or down, as days hardly do."""
    numbers = [tuple(map(int, FIGURES.findall(one))) for one in stated]
    up, down = sorted(numbers), sorted(numbers, reverse=True)
    return numbers in (up, down) and all(after[0] - before[0] <= 1 for before, after in pairwise(up))


def _have_one_name(lines: Sequence[HeadLine]) -> bool:
    """Whether lines have the same words before a full date: "The Gazette, 9 May 2025"."""
    places = [(line.stated, one) for line in lines for one in times_in(line.stated)[:1]]
    names = {_WEEKDAY.sub("", stated[: one.char_start]).strip(" ,:–—-") for stated, one in places}
    return len(names) == 1 and names != {""} and all(one.kind is ExpressionKind.EXPLICIT for _, one in places)


def _disorder(lines: Sequence[HeadLine]) -> float:
    """The share of steps between adjacent lines against the common direction, 0..0.5."""
    starts = [line.time.bounds[0] for line in lines if line.time is not None]
    steps = [after - before for before, after in pairwise(starts) if after != before]
    forth = sum(step > 0 for step in steps)
    return min(forth, len(steps) - forth) / len(steps) if steps else 0.0


def _faults(
    lines: Sequence[HeadLine], shapes: Collection[Shape], conventions: Conventions
) -> tuple[int, float, float]:
    """Badness of a reading of numeric dates: number of lines that do not fit it, and disorder of all.

    A line does not fit if it has no time, can only be read in the other order (22/08/2015), or names another
    weekday. If the lines are in order either way, the order among all lines of the shapes decides.
    """
    in_figures = [line for line in lines if _IN_FIGURES.search(line.stated)]
    of_shapes = [line for line in lines if line.shape in shapes]
    unfit = sum(_is_unfit(line, conventions) for line in in_figures)
    return unfit, _disorder(in_figures), _disorder(of_shapes)


def _is_unfit(line: HeadLine, conventions: Conventions) -> bool:
    """Whether the order of day and month in the conventions does not fit a line; see :func:`_faults`."""
    if line.time is None or line.time.start is None:
        return True
    named = _WEEKDAY.match(line.stated)
    if named is not None and is_day(line.time) and weekday(line.time.start) != weekday_number(named[0]):
        return True
    month = "second" if conventions.day_first else "first"
    return any(int(one[month]) > _MONTHS for one in _DATE_IN_FIGURES.finditer(line.stated))


def _cut(text: str, heads: Sequence[HeadLine], lines: Sequence[HeadLine]) -> Iterator[Entry]:
    """The entries from their head lines; each ends at the next one, or at a heading of its level or above."""
    ends = _section_ends(lines, len(text))
    starts = [*(head.start for head in heads), len(text)]
    for head, following in zip(heads, starts[1:], strict=True):
        end = min(following, ends[head.start])
        if head.kind in ("prefix", "clock") and (end < following or head is heads[-1]):
            paragraph = _PARAGRAPH.search(text, head.body, end)
            end = paragraph.start() if paragraph else end
        if head.time is not None and text[head.body : end].strip():
            yield Entry(head.start, head.body, end, head.time, head.heading)


def _end_entries(text: str, heads: Sequence[HeadLine]) -> bool:
    """Whether dates end their entries, as under letters: words stand before each, and text above the first.

    Nothing stands below the last.
    """
    if not heads or text[heads[-1].body :].strip() or "\n" not in text[: heads[0].start].strip():
        return False
    return all(
        head.kind == "line" and (first := times_in(head.stated)) and first[0].char_start > 0 for head in heads
    )


def _closed(text: str, heads: Sequence[HeadLine]) -> Iterator[Entry]:
    """The entries above the lines that end them."""
    for head, start in zip(heads, [0, *(head.body for head in heads)], strict=False):
        body = _NO_SPACE.search(text, start)
        if head.time is not None and body is not None and body.start() < head.start:
            yield Entry(body.start(), body.start(), head.body, head.time, head.heading)


def _section_ends(lines: Sequence[HeadLine], end: int) -> dict[int, int]:
    """For the offset of each line, the offset of the next heading of the same level or above."""
    nearest = dict.fromkeys(range(_LEVELS + 1), end)
    ends = {}
    for line in reversed(lines):
        level = len(line.detail) if line.kind == "heading" else _LEVELS
        ends[line.start] = nearest[level]
        if line.kind == "heading":
            nearest |= dict.fromkeys(range(level, _LEVELS + 1), line.start)
    return ends
