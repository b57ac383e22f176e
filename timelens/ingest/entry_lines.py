"""Lines that may head a dated entry: headings, short lines with a date, and dates before text."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from timelens.documents import Document
from timelens.lexicon import MONTH_FORMS, WEEKDAY_FORMS, one_of
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, ScannedText, leading_time
from timelens.temporal.interval import Granularity, Interval
from timelens.words import STOP_WORDS

_ENGLISH, _ANY_LANGUAGE = replace(USUAL, english=True), replace(USUAL, english=False)
LONGEST_HEAD = 120
"""Characters of a line that are searched for a date."""
_LONGEST_LINE = 80
"""Most characters of a line of its own that heads an entry."""
_MOST_BEFORE = 24
"""Most characters before the date that precedes the text of a line ("Week 3, Tue 15 Jan: …")."""
_LEAD = re.compile(
    r"[ \t]*(?:(?P<mark>[-*+•>|]|\d{1,3}[.)])[ \t]+)?(?P<open>[\[(*_<]*)"
    r"(?:\d{1,2}:\d{2}(?::\d{2})?(?:[ \t\u202f]?[ap]m)?,?[ \t]+)?",
    re.IGNORECASE,
)
_SIGNS = re.compile(r" {0,3}(#{1,6})[ \t]")
_LABEL = re.compile(r"[*_]{0,2}(?:date|day|dated|sent|written)[*_]{0,2}:", re.IGNORECASE)
_FIELD = re.compile(r"[*_]{0,2}[A-Z][\w -]{0,20}[*_]{0,2}:[*_]{0,2} \S")
"""A line with a name and a value: "From: ann@example.org", "Venue: the hall"."""
_MOST_FIELDS = 8
"""Maximum number of such lines above a date that are the head of a message with it."""
_RULER = re.compile(r"[-=*_~#—–>]{2,}")
_OF_RULERS = " \t-=*_~#—–|+"
"""Signs of a line under a title or between the parts of a table."""
_FENCES = ("```", "~~~")
"""Beginnings of lines around code."""
_UNDERLINE = {"=": "#", "-": "##"}
"""Signs of a line under a heading, with the signs of a heading of that level."""
_MAY_BE_DATED = re.compile(
    rf"\d|\b(?:{one_of(name[:3] for name in (*MONTH_FORMS, *WEEKDAY_FORMS))})", re.IGNORECASE
)
FIGURES = re.compile(r"\d+")
_YEAR_NEAR = re.compile(r".{0,24}?[0-9]{3}")
"""A text with a number as long as a year near its beginning."""
_DAY, _MONTH, _DAYS = r"(?:[0-2]?[1-9]|[1-3]0|31)", r"(?:0?[1-9]|1[0-2])", "mon|tue|wed|thu|fri|sat|sun"
"""A day and a month in figures, and the beginnings of the weekdays."""
_DAY_AND_MONTH = re.compile(rf"{_DAY}(?:/{_DAY}|\.{_MONTH}\.?)(?=[ \t:])")
_DAY_IN_POINTS = re.compile(rf"{_DAY}(?P<mark>[.-]){_MONTH}(?P=mark)[0-9]{{2}}(?![.,:-]?\w)")
_WEEKDAY = re.compile(rf"(?:{_DAYS})[a-z]{{0,6}}\.?,?[ \t]+(?=\d{{1,2}}[./-]\d)", re.IGNORECASE)
"""A weekday before a date in figures."""
_SIGNS_BETWEEN = re.compile(r"[\s(\[,:–—-]*")
"""What stands between the number of a version and its date."""
_FIRST_WORDS = re.compile(r"\S(?:[ ]?\S)*?(?=[ \t]{2}|\t|:[ \t]|[ \t][-–—|])")
"""The start of a line, separated from the rest by wide space or a sign."""
DAY_IN_MONTH = re.compile(
    rf"(?:(?P<weekday>{_DAYS})[a-z]{{0,6}}\.?,?[ \t]+(?:the[ \t]+)?(?P<day>\d{{1,2}})"
    rf"(?:st|nd|rd|th)?\b|(?P<ordinal>\d{{1,2}})(?:st|nd|rd|th)\b"
    rf"(?:,[ \t]*(?:{_DAYS})[a-z]{{0,6}}\b\.?)?)(?![-/.:]\d)",
    re.IGNORECASE,
)
COUNTED_DAY = re.compile(r"day[ \t]+(\d{1,4})\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?:T|,?[ \t]*(?:at[ \t]+)?)(?:\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[.,]\d{1,9})?|\d{1,2}h[ \t]?\d{2}m?)"
    r"[ \t\u202f]*(?:[ap]\.?m\.?)?(?:Z|[ \t]?[+-]\d{2}:?\d{2}|[ \t]?(?:UTC?|GMT)\b)?",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[\])*_>]*")
_SEPARATOR = re.compile(r"[ \t]*(?::(?!\d)|\||[-–—]+[ \t])[*_]*[ \t]*|\.[*_]*[ \t]+(?=\S)")
_COLUMN = re.compile(r"[.,;:]?[ ]*(?:\t|[ ]{2})")
"""The end of a column and the space behind it."""
_SENTENCE_ENDS = ".?!,;"
_BEHIND_TIMES = frozenset('])}>;:,|"')
"""Signs with which no time ends."""
DAY_AND_MONTH_ONLY = "day and month in figures"
DAY_IN_POINTS = "day, month and short year in figures"
_CLOCK_LINE = re.compile(
    r"[ \t]*(?:(?P<mark>[-*+•])[ \t]+)?(?P<open>[*_\[(<]*)"
    r"(?:(?P<hour>[01]?\d|2[0-3]):|(?P<hour_before_point>[01]\d|2[0-3])[.h])(?P<minute>[0-5]\d)(?::[0-5]\d)?"
    r"(?![.,:]?\d)[*_\])>]*(?:[ \t]*[-–—:|])?[ \t]+(?=[^\s\d])"
)
"""A time of day before the text of a line; the day stands above."""


Shape = tuple[str, str, bool]
"""The kind of a line, its signs and words, and whether its time is coarser than a day."""


class HeadLine(NamedTuple):
    """A line that may head an entry, with its shape; its time is read from ``stated``."""

    kind: Literal["heading", "line", "prefix", "clock"]
    detail: str
    """The number signs of a heading, or the signs and words around a date."""
    start: int
    body: int
    heading: str
    stated: str
    time: Interval | None = None

    @property
    def shape(self) -> Shape:
        """The shape shared by the head lines of a document; "1942" alone differs from lines with days."""
        is_coarse = self.kind == "line" and self.time is not None and not is_day(self.time)
        return self.kind, self.detail, is_coarse


def head_lines(document: Document) -> Iterator[HeadLine]:
    """The headings, and all other lines with a shape that may head an entry."""
    headings = {mark.offset for mark in document.places if mark.stands_in(document.text)}
    offset, apart, above = 0, True, ""
    fields: list[str] = []
    """The lines with a name and a value right above, which may be the head of a message."""
    for line, below in pairwise([*document.text.split("\n"), ""]):
        found = _heading(line, offset, headings) or _underlined(line, below, offset)
        if found is None and _MAY_BE_DATED.search(line, 0, LONGEST_HEAD):
            goes_on = _goes_on(above, line)
            found = _prefix(line, offset, apart=apart, goes_on=goes_on) or _clock(line, offset)
            if found is None and (apart or _LABEL.match(line) or _RULER.match(line)):
                found = _alone(line, offset)
        if found is not None and 0 < len(fields) <= _MOST_FIELDS and _LABEL.match(line):
            start = offset - sum(len(field) + 1 for field in fields)  # the head of a message belongs to it
            found = found._replace(start=start, heading=", ".join([*fields, found.heading]))
        fields = [*fields[-_MOST_FIELDS:], line] if found is None and _FIELD.match(line) else []
        if found is not None:
            yield found
        apart = found is not None or not line.strip(_OF_RULERS) or line.lstrip().startswith(_FENCES)
        offset, above = offset + len(line) + 1, line


def _goes_on(above: str, line: str) -> bool:
    """Whether a line goes on with the sentence of the line above: "on the weekend of 16 and", "17 May."."""
    words = above.rstrip().rsplit(None, 1)
    last = words[-1] if words else ""
    return last.casefold() in STOP_WORDS or (last.isdigit() and line.lstrip()[:1].isalpha())


def _heading(line: str, offset: int, headings: Collection[int]) -> HeadLine | None:
    """A heading found by the reader; if the reader finds none, a line with number signs."""
    signs = _SIGNS.match(line)
    if offset not in headings if headings else signs is None:
        return None
    stated = line.strip(" \t#*_`")
    if not stated:
        return None
    return HeadLine("heading", signs[1] if signs else "", offset, offset + len(line), stated, stated)


def _underlined(line: str, below: str, offset: int) -> HeadLine | None:
    """A heading with a line of signs below it that is about as long."""
    signs, ruler = _UNDERLINE.get(below[:1]), below.rstrip()
    if signs is None or ruler.strip(ruler[0]) or not line.strip() or line[0].isspace():
        return None
    if abs(len(ruler) - len(line)) > 2:
        return None
    body = offset + len(line) + 1 + len(below)
    return HeadLine("heading", signs, offset, body, line.strip(), line.strip())


def _prefix(line: str, offset: int, *, apart: bool, goes_on: bool) -> HeadLine | None:
    """A date before the text of a line, possibly after a bullet or in brackets, or in a column.

    In a line ``apart`` (after a blank line or another such line) no sign is needed between day and text. In
    one that ``goes_on`` with a sentence, a full stop is none.
    """
    lead = _LEAD.match(line)
    head = line[lead.end() : lead.end() + LONGEST_HEAD] if lead else ""
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
    told, heading = line[body:].strip(), ""
    is_apart = not before or before.endswith(("  ", "\t"))
    in_columns = is_apart and _COLUMN.match(head, place[1]) is not None
    is_weak, is_bare = sign in ("", "."), not (clock or closed)
    if is_weak and not in_columns and (before or (is_bare and (goes_on or not (sign or apart)))):
        return None
    if not told or (is_weak and _is_coarse(stated) and not (sign == "" and told.endswith("."))):
        return None  # "1912  Coach bolt" is a number and a name, "1912  The mill burnt." is an entry
    if apart and told[0] == "," and told[-1] not in ".?!:" and len(line) <= _LONGEST_LINE:
        heading, body = line.strip(), len(line)  # "Mon 2 March 2026, Social Club": the text is below
    words = "  " if before and in_columns else _template(before)
    detail = f"{(lead['mark'] or '')[-1:]}{lead['open']}{words} {'T' if clock else sign}"
    figures = _DAY_AND_MONTH.match(f"{stated} ")
    if figures is not None and figures.span() == place == (0, len(stated)):
        detail = DAY_AND_MONTH_ONLY
    elif not before and _is_day_in_points(stated):
        detail = DAY_IN_POINTS
    return HeadLine("prefix", detail, offset, offset + body, heading, stated)


def _clock(line: str, offset: int) -> HeadLine | None:
    """A time of day before the text of a line."""
    clock = _CLOCK_LINE.match(line)
    if clock is None:
        return None
    detail = f"{clock['mark'] or ''}{clock['open']}"
    stated = f"{clock['hour'] or clock['hour_before_point']}:{clock['minute']}"
    return HeadLine("clock", detail, offset, offset + clock.end(), "", stated)


def _alone(line: str, offset: int) -> HeadLine | None:
    """A short line of its own; sentences with the same words beside the date have the same shape."""
    stated = line.strip(" \t*_[]()<>-–—=~#|")
    if not stated or len(stated) > _LONGEST_LINE:
        return None
    bare = stated.rstrip(_SENTENCE_ENDS)
    ruler = _RULER.match(line.lstrip())
    label = _LABEL.match(line)
    detail = ruler[0] if ruler else label[0].lower() if label else ""
    if bare != stated and (place := _place_of_date(bare) or (0, 0)) != (0, len(bare)):
        detail = _template(bare[: place[0]] + bare[place[1] :])
    if _is_day_in_points(bare):
        detail = DAY_IN_POINTS
    return HeadLine("line", detail, offset, offset + len(line), bare.rstrip(": "), bare)


def _is_day_in_points(stated: str) -> bool:
    """Whether words are a day in points or dashes with a short year, maybe behind its weekday."""
    return _DAY_IN_POINTS.fullmatch(_WEEKDAY.sub("", stated)) is not None


def _place_of_date(head: str) -> tuple[int, int] | None:
    """(start, end) of the first full or partial date of a line, with a weekday that the line begins with."""
    weekday = _WEEKDAY.match(head)
    place = _place_in(head if weekday is None else head[weekday.end() :])
    if weekday is None or place is None:
        return place
    return (0 if place[0] == 0 else weekday.end() + place[0]), weekday.end() + place[1]


@lru_cache(maxsize=64)
def _place_in(head: str) -> tuple[int, int] | None:
    """(start, end) of the first full or partial date of a line; a number before a date is a version."""
    points = _DAY_IN_POINTS.match(head)
    if points is not None and not _is_of_version(head, points.end()):
        return points.span()
    first = _FIRST_WORDS.match(head)
    if (
        first is not None
        and first[0][-1] not in _BEHIND_TIMES
        and any(one.text == first[0] for one in times_in(first[0]))
    ):
        return first.span()
    figures = _DAY_AND_MONTH.match(head)
    leading = _leading(head, USUAL)
    times = [leading] if leading and leading.kind is ExpressionKind.EXPLICIT else _not_relative(head)
    if figures is not None and not (times and head[figures.end() : times[0].char_start].isspace()):
        return figures.span()
    if times:
        return times[0].char_start, times[0].char_end
    partial = COUNTED_DAY.match(head) or DAY_IN_MONTH.match(head)
    return partial.span() if partial else None


def _is_of_version(head: str, end: int) -> bool:
    """Whether a date stands right behind the number that ends at ``end``: "1.3.17 (2019-05-03)"."""
    times = _not_relative(head[end:])
    return bool(times) and _SIGNS_BETWEEN.fullmatch(head, end, end + times[0].char_start) is not None


def _not_relative(head: str) -> list[Expression]:
    return [one for one in times_in(head) if one.kind in (ExpressionKind.EXPLICIT, ExpressionKind.ANCHORED)]


def times_in(
    text: str, conventions: Conventions = USUAL, narrative: Interval | None = None
) -> list[Expression]:
    """The temporal expressions of a short text; a missing year comes from ``narrative``."""
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
    times = [found.interval for found in times_in(stated) if found.interval is not None]
    return any(not is_day(time) for time in times)


def is_day(time: Interval) -> bool:
    """Whether a time is stated to the day."""
    return time.granularity is Granularity.DAY


def _template(words: str) -> str:
    """The words with numbers replaced, so that lines that differ only in numbers are equal."""
    return FIGURES.sub("#", " ".join(words.lower().split()))
