"""A timeline as SVG: asked periods, evidence as bars, gaps and an axis of days. Pure.

The result is an element of the standard library's ElementTree, so that no text from outside can become
markup. It has no styles of its own: :data:`STYLE` is CSS for the classes that it uses.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self
from xml.etree.ElementTree import Element, SubElement

from timelens.printable import printable_line, xml_text
from timelens.temporal.axis_steps import extent_of, steps
from timelens.temporal.calendar import Day, civil
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.phrasing import MONTH_NAMES, phrase, phrase_year

WIDTH = 960
"""Width of a drawing in SVG units; it can be displayed at any size."""
_ROW = 22
_LEFT, _RIGHT = 96, 540
"""Days are drawn between these x coordinates; labels are to the left, titles and dates to the right."""
_NOTE = _RIGHT + 12
_NOTE_COLUMNS = 50
_AXIS_HEIGHT = 26
_NARROWEST = 7
"""Least width of a bar, so that a day within a century is visible."""
_ARROW = 7
_LETTER = 7.2

STYLE = """
svg.timeline { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg.timeline text { fill: var(--ink); }
svg.timeline .quiet text { fill: var(--muted); }
svg.timeline .bar { fill: none; stroke: var(--muted); stroke-width: 1.2; }
svg.timeline .cited .bar { fill: var(--accent); stroke: var(--accent); }
svg.timeline .cited text { font-weight: 600; }
svg.timeline .period .bar { fill: var(--asked); stroke: var(--asked); }
svg.timeline .period text { fill: var(--asked); }
svg.timeline .ground { fill: var(--asked); opacity: 0.12; }
svg.timeline .hatch { stroke: var(--wrong); stroke-width: 1; }
svg.timeline .axis line { stroke: var(--muted); stroke-width: 1; }
svg.timeline .axis text { fill: var(--muted); }
svg.timeline .grid { stroke: var(--muted); opacity: 0.25; }
svg.timeline a:hover .bar, svg.timeline a:focus .bar { stroke: var(--ink); stroke-width: 2; }
"""
"""CSS of a drawing; the colours are custom properties of the surrounding page."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence."""

    number: int
    time: Interval | None
    date: str
    """The time in words, as stated."""
    title: str
    cited: bool = False
    """Whether the answer cites it; its bar is then filled."""
    href: str | None = None
    """Target of a click."""


@dataclass(frozen=True, slots=True)
class Span:
    """An asked period."""

    interval: Interval
    label: str


@dataclass(frozen=True, slots=True)
class _Row:
    """The content of a row, and its tooltip."""

    look: str
    time: Interval | None
    label: str
    note: str
    whole: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps days ``[start, end)`` to x coordinates from ``_LEFT`` to ``_RIGHT``."""

    start: Day
    end: Day

    @classmethod
    def over(cls, times: Iterable[Interval]) -> Self | None:
        """The scale that covers all times, with room for open ends; ``None`` if no time has a bound."""
        extent = extent_of(times)
        return None if extent is None else cls(*extent)

    def x(self, day: Day) -> float:
        """The x coordinate of the start of a day."""
        return _LEFT + (day - self.start) * (_RIGHT - _LEFT) / (self.end - self.start)

    def extent(self, time: Interval, narrowest: float = 0) -> tuple[float, float]:
        """The left and right edge of a time; a short time is widened around its middle to ``narrowest``."""
        left = float(_LEFT) if time.start is None else self.x(time.start)
        right = float(_RIGHT) if time.end is None else self.x(time.end)
        if (missing := narrowest - (right - left)) > 0:
            left = min(max(left - missing / 2, _LEFT), _RIGHT - narrowest)
            right = left + narrowest
        return left, right


def draw_timeline(
    pieces: Sequence[Piece], spans: Sequence[Span] = (), gaps: Sequence[Interval] = (), *, name: str
) -> Element | None:
    """An ``svg`` element with a row for each asked period and each piece of evidence, and an axis below.

    Args:
        pieces: the evidence, in the order of the rows.
        spans: the asked periods; their days are shaded in all rows.
        gaps: parts of the asked periods without evidence; they are hatched.
        name: prefix of the ids inside; must be unique on the page.

    Returns:
        The element; ``None`` if no time has a bound.
    """
    times = [piece.time for piece in pieces if piece.time is not None]
    scale = _Scale.over([*times, *(span.interval for span in spans)])
    if scale is None:
        return None
    rows = len(spans) + len(pieces)
    bottom = rows * _ROW + 4
    height = bottom + _AXIS_HEIGHT
    words = f"Timeline of {len(pieces)} piece{'' if len(pieces) == 1 else 's'} of evidence"
    svg = Element(
        "svg",
        {
            "class": "timeline",
            "viewBox": f"0 0 {WIDTH} {height}",
            "role": "group",
            "aria-label": words,
            "xmlns": "http://www.w3.org/2000/svg",
        },
    )
    _axis(svg, scale, bottom)
    for span in spans:
        left, right = scale.extent(span.interval)
        _add(svg, "rect", {"class": "ground", **_box(left, 0, right - left, bottom)})
    if gaps:
        _gaps(svg, scale, gaps, name, bottom)
    for index, row in enumerate([*map(_row_of_span, spans), *map(_row_of_piece, pieces)]):
        _draw_row(svg, index, scale, row)
    return svg


def _row_of_span(span: Span) -> _Row:
    words = phrase(span.interval)
    return _Row("period", span.interval, span.label, words, f"{span.label}: {words}")


def _row_of_piece(piece: Piece) -> _Row:
    number, title = f"[{piece.number}]", printable_line(piece.title)
    look, use = ("cited", "cited") if piece.cited else ("quiet", "not cited")
    whole = f"{number} {piece.date}: {title} ({use})"
    return _Row(look, piece.time, number, f"{title} · {piece.date}", whole, piece.href)


def _draw_row(svg: Element, index: int, scale: _Scale, row: _Row) -> None:
    """Draw a label, a bar and a note, with the full text as tooltip."""
    link = {} if row.href is None else {"href": row.href}
    group = _add(svg, "a" if link else "g", {"class": row.look, **link})
    _add(group, "title").text = _plain(row.whole)
    top = index * _ROW + 4
    base = f"{top + 14}"
    _add(group, "text", {"x": f"{_LEFT - 10}", "y": base, "text-anchor": "end"}).text = _plain(row.label)
    if row.time is not None:
        left, right = scale.extent(row.time, _NARROWEST)
        _add(group, "path", {"class": "bar", "d": _bar(row.time, left, right, top + 4, top + 16)})
    _add(group, "text", {"x": f"{_NOTE}", "y": base}).text = _plain(_fitted(row.note, _NOTE_COLUMNS))


def _bar(time: Interval, left: float, right: float, top: float, bottom: float) -> str:
    """The path of a box, with an arrow at each open end."""
    middle = (top + bottom) / 2
    from_left = f"M{left:.1f},{middle} L{left + _ARROW:.1f},{top}" if time.start is None else ""
    to_right = f"L{right - _ARROW:.1f},{top} L{right:.1f},{middle} L{right - _ARROW:.1f},{bottom}"
    begin = from_left or f"M{left:.1f},{top}"
    end = to_right if time.end is None else f"L{right:.1f},{top} L{right:.1f},{bottom}"
    back = f"L{left + _ARROW:.1f},{bottom}" if time.start is None else f"L{left:.1f},{bottom}"
    return f"{begin} {end} {back} Z"


def _gaps(svg: Element, scale: _Scale, gaps: Sequence[Interval], name: str, bottom: int) -> None:
    hatch = f"{name}-hatch"
    size = {"width": "6", "height": "6"}
    pattern = _add(
        svg,
        "pattern",
        {"id": hatch, **size, "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"},
    )
    _add(pattern, "line", {"class": "hatch", "x1": "0", "y1": "0", "x2": "0", "y2": "6"})
    for gap in gaps:
        left, right = scale.extent(gap)
        left, right = max(left, _LEFT), min(right, _RIGHT)
        if right > left:
            box = _box(left, 0, right - left, bottom)
            area = _add(svg, "rect", {"class": "gap", "fill": f"url(#{hatch})", **box})
            _add(area, "title").text = f"no evidence for {phrase(gap)}"


def _axis(svg: Element, scale: _Scale, bottom: int) -> None:
    axis = _add(svg, "g", {"class": "axis"})
    ends = {"x1": f"{_LEFT}", "x2": f"{_RIGHT}", "y1": f"{bottom}", "y2": f"{bottom}"}
    _add(axis, "line", ends)
    free = 0.0
    for day, label in _ticks(scale):
        x = scale.x(day)
        half = len(label) * _LETTER / 2
        if x - half < free:
            continue
        free = x + half + _LETTER
        at = {"x1": f"{x:.1f}", "x2": f"{x:.1f}"}
        _add(axis, "line", {"class": "grid", **at, "y1": "0", "y2": f"{bottom}"})
        _add(axis, "line", {**at, "y1": f"{bottom}", "y2": f"{bottom + 5}"})
        place = {"x": f"{x:.1f}", "y": f"{bottom + 19}", "text-anchor": "middle"}
        _add(axis, "text", place).text = label


def _ticks(scale: _Scale) -> Iterator[tuple[Day, str]]:
    """Round days, months or years with their labels, as many as fit."""
    days = scale.end - scale.start
    room = (_RIGHT - _LEFT) / _LETTER
    years = max(len(phrase_year(civil(day)[0])) for day in (scale.start, scale.end - 1))
    letters = {Granularity.DAY: 9 + years, Granularity.MONTH: 6 + years, Granularity.YEAR: 2 + years}
    step = next(
        step for step in steps() if step.unit in letters and step.shortest * room >= days * letters[step.unit]
    )
    for day in step.starts(scale.start, scale.end):
        year, month, of_month = civil(day)
        name = f"{MONTH_NAMES[month - 1][:3]} {phrase_year(year)}"
        words = {Granularity.DAY: f"{of_month} {name}", Granularity.MONTH: name}
        yield day, words.get(step.unit, phrase_year(year))


def _add(parent: Element, tag: str, attributes: dict[str, str] | None = None) -> Element:
    return SubElement(parent, tag, attributes or {})


def _box(x: float, y: float, width: float, height: float) -> dict[str, str]:
    return {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}


def _plain(text: str) -> str:
    """The text on one line, without characters that XML does not allow."""
    return xml_text(printable_line(text))


def _fitted(text: str, columns: int) -> str:
    """The text cut to a width, with an ellipsis if cut; wide East Asian characters take two columns."""
    taken = 0
    for index, letter in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if taken > columns:
            return text[:index].rstrip() + "…"
    return text
