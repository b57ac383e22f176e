"""Evidence as bars on a time axis, in rows of text. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rich.cells import cell_len, set_cell_size

from timelens.answer.model import Citation
from timelens.answer.timeline import Timeline, time_of
from timelens.temporal.interval import Interval
from timelens.tui.axis import Axis, short_phrase
from timelens.tui.wording import heading

_LABEL_WIDTH = 6
_DATE_ALONE = 19
_NARROWEST_TITLE = 8
_WIDEST_NOTE = 64


class RowKind(StrEnum):
    """What a row of the drawing shows."""

    ASKED = "asked"
    BAR = "bar"
    AXIS = "axis"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a label, a drawing of fixed width, and a note; together never wider than asked for."""

    kind: RowKind
    label: str
    drawing: str
    note: str
    number: int | None = None
    """Of the piece of evidence that the row shows."""

    @property
    def text(self) -> str:
        """The row as it stands on the screen."""
        return f"{self.label}{self.drawing}{self.note}"


def draw(timeline: Timeline, asked: Interval | None, width: int, most: int | None = None) -> tuple[Row, ...]:
    """The asked period, a bar for each piece of evidence from early to late, and the axis below them.

    A bar is ``━━━``, a time shorter than a column ``●``; an open side ends in an arrow. Inside the asked
    period the ground of each bar is dotted.

    Args:
        timeline: the evidence.
        asked: the period that the question asks for.
        width: columns on the screen.
        most: bars to draw at most; those with the best support are kept.
    """
    kept = _kept(timeline.citations, most)
    label_width, bar_width, note_width = _widths(width)
    times = [time for citation in kept if (time := time_of(citation.hit)) is not None]
    axis = Axis.over([*times, *([asked] if asked else [])], bar_width)
    rows: list[Row] = []
    marked = range(0)
    dates = max((len(_date(citation)) for citation in kept), default=0)
    if asked is not None and axis is not None:
        marked = axis.columns(asked)
        label = set_cell_size("asked", label_width)
        note = _fitted(f" {short_phrase(asked)}", note_width)
        rows.append(Row(RowKind.ASKED, label, _bar(asked, axis, range(0), "▄", "▄"), note))
    for citation in kept:
        label = set_cell_size(f"[{citation.number}]", label_width)
        time = time_of(citation.hit)
        bar = " " * bar_width if time is None or axis is None else _bar(time, axis, marked, "━", "●")
        note = f" {_date(citation):<{dates}}"
        if note_width - len(note) > _NARROWEST_TITLE:
            note += f"  {heading(citation.hit)}"
        rows.append(Row(RowKind.BAR, label, bar, _fitted(note, note_width), citation.number))
    if axis is not None:
        hidden = len(timeline.citations) - len(kept)
        more = _fitted(f" and {hidden} more" if hidden else "", note_width)
        rows.append(Row(RowKind.AXIS, " " * label_width, axis.labels(), more))
    return tuple(rows)


def _kept(citations: Sequence[Citation], most: int | None) -> list[Citation]:
    """The pieces with the best support, in the order of the timeline."""
    if most is None or len(citations) <= most:
        return list(citations)
    best = sorted(citation.number for citation in citations)[: max(most, 0)]
    return [citation for citation in citations if citation.number in best]


def _widths(width: int) -> tuple[int, int, int]:
    """Columns of label, drawing and note; notes and then labels are left out where there is no room."""
    label = _LABEL_WIDTH if width >= 20 else 0
    if width < 40:
        return label, max(width - label, 0), 0
    note = _DATE_ALONE if width < 60 else min((width - label) * 5 // 9, _WIDEST_NOTE)
    return label, width - label - note, note


def _bar(time: Interval, axis: Axis, marked: range, body: str, point: str) -> str:
    columns = axis.columns(time)
    ground = ["·" if column in marked else " " for column in range(axis.width)]
    for column in columns:
        ground[column] = body if len(columns) > 1 else point
    if time.start is None:
        ground[columns[0]] = "◄"
    if time.end is None:
        ground[columns[-1]] = "►"
    return "".join(ground)


def _date(citation: Citation) -> str:
    time = time_of(citation.hit)
    return "undated" if time is None else short_phrase(time)


def _fitted(text: str, width: int) -> str:
    """Cut to a number of columns, with an ellipsis where something is lost."""
    text = text.rstrip()
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1) + "…" if width > 0 else ""
