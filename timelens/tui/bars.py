"""Evidence as bars on a time axis, in rows of text. Pure."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rich.cells import cell_len, set_cell_size

from timelens.answer.model import Citation
from timelens.answer.timeline import Timeline, time_of
from timelens.question.model import PeriodRole
from timelens.temporal.interval import Interval
from timelens.tui.axis import Axis, short_phrase, short_recorded
from timelens.tui.wording import heading

_LABEL_WIDTH = 6
_ROOM_FOR_ROLES = 60
_MOST_ASKED = 6
_DATE_ALONE = 19
_NARROWEST_TITLE = 8
_WIDEST_NOTE = 64


class RowKind(StrEnum):
    """What a row of the drawing shows."""

    ASKED = "asked"
    BAR = "bar"
    AXIS = "axis"


@dataclass(frozen=True, slots=True)
class Asked:
    """One of the periods that a question asks about, and what it is to the question."""

    interval: Interval
    role: PeriodRole = PeriodRole.ASKED


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


def draw(
    timeline: Timeline,
    asked: Sequence[Asked],
    width: int,
    height: int | None = None,
    *,
    cited: Container[int] = (),
    top: int | None = None,
) -> tuple[Row, ...]:
    """The asked periods, a bar for each piece of evidence from early to late, and the axis below them.

    A bar is ``━━━``, a time shorter than a column ``●``; an open side ends in an arrow. Inside the asked
    periods the ground of each bar is dotted.

    Args:
        timeline: the evidence.
        asked: the periods that the question asks for. Those that no row is left for share the last one.
        width: columns on the screen.
        height: rows on the screen. Of the evidence, the pieces that are cited are kept, then those with the
            best support.
        cited: numbers of the pieces that the answer cites.
        top: how many pieces, from the earliest on, are scrolled past; those after them are kept then, on an
            axis that holds all.
    """
    periods_most, most = _rows_for(len(asked), len(timeline.citations), height)
    everything = timeline.citations
    kept = _kept(everything, most, cited) if top is None else everything[top:][:most]
    label_width, bar_width, note_width = _widths(width, asked)
    on_axis = kept if top is None else everything
    times = [time for citation in on_axis if (time := time_of(citation.hit)) is not None]
    axis = Axis.over([*times, *(period.interval for period in asked)], bar_width)
    rows: list[Row] = []
    marked: set[int] = set()
    dates = max((len(_date(citation)) for citation in kept), default=0)
    if axis is not None:
        marked.update(*(axis.columns(period.interval) for period in asked))
        rows += _asked_rows(asked, axis, periods_most, (label_width, note_width))
    for citation in kept:
        label = set_cell_size(f"[{citation.number}]", label_width)
        time = time_of(citation.hit)
        bar = " " * bar_width if time is None or axis is None else _bar([time], axis, marked, "━", "●")
        note = f" {_date(citation):<{dates}}"
        if note_width - len(note) > _NARROWEST_TITLE:
            note += f"  {heading(citation.hit)}"
        rows.append(Row(RowKind.BAR, label, bar, _fitted(note, note_width), citation.number))
    if axis is not None:
        more = _fitted(_hidden_words(len(everything) - len(kept), top), note_width)
        rows.append(Row(RowKind.AXIS, " " * label_width, axis.labels(), more))
    return tuple(rows)


def _hidden_words(hidden: int, top: int | None) -> str:
    if top is None:
        return f" and {hidden} more" if hidden else ""
    return f" {top} above, {hidden - top} below"


def _rows_for(periods: int, pieces: int, height: int | None) -> tuple[int, int | None]:
    """Rows for the asked periods, and for the evidence (``None``: for all of it).

    The periods get at most half of the rows, and what the evidence leaves of the rest.
    """
    if height is None:
        return min(periods, _MOST_ASKED), None
    left = height - 1  # the axis
    most = min(periods, _MOST_ASKED, max(left // 2, left - pieces, 1))
    return most, max(1, left - most)


def _asked_rows(asked: Sequence[Asked], axis: Axis, most: int, widths: tuple[int, int]) -> Iterator[Row]:
    """A row for each period; the last one marks all that are left, where there are more than rows."""
    label_width, note_width = widths
    alone = len(asked) if len(asked) <= most else most - 1
    for period in asked[:alone]:
        note = _fitted(f" {short_phrase(period.interval)}", note_width)
        yield _asked_row(str(period.role), [period.interval], axis, label_width, note)
    rest = asked[alone:]
    if rest:
        words = f"and {len(rest)} more" if alone else f"{len(rest)} periods"
        label = "" if alone else str(PeriodRole.ASKED)
        note = _fitted(f" {words}", note_width)
        yield _asked_row(label, [period.interval for period in rest], axis, label_width, note)


def _asked_row(label: str, times: Sequence[Interval], axis: Axis, width: int, note: str) -> Row:
    shown = set_cell_size(_fitted(label, max(width - 1, 0)), width)
    return Row(RowKind.ASKED, shown, _bar(times, axis, range(0), "▄", "▄"), note)


def _kept(citations: Sequence[Citation], most: int | None, cited: Container[int]) -> Sequence[Citation]:
    """The pieces that are cited and those with the best support, in the order of the timeline."""
    if most is None or len(citations) <= most:
        return citations
    numbers = (citation.number for citation in citations)
    best = sorted(numbers, key=lambda number: (number not in cited, number))[: max(most, 0)]
    return [citation for citation in citations if citation.number in best]


def _widths(width: int, asked: Sequence[Asked]) -> tuple[int, int, int]:
    """Columns of label, drawing and note; notes and then labels are left out where there is no room."""
    label = _LABEL_WIDTH if width >= 20 else 0
    if width < 40:
        return label, max(width - label, 0), 0
    if width >= _ROOM_FOR_ROLES:
        label = max(label, *(len(period.role) + 1 for period in asked), 0)
    note = _DATE_ALONE if width < 60 else min((width - label) * 5 // 9, _WIDEST_NOTE)
    return label, width - label - note, note


def _bar(times: Sequence[Interval], axis: Axis, marked: Container[int], body: str, point: str) -> str:
    ground = ["·" if column in marked else " " for column in range(axis.width)]
    for time in times:
        columns = axis.columns(time)
        for column in columns:
            ground[column] = body if len(columns) > 1 else point
        if time.start is None:
            ground[columns[0]] = "◄"
        if time.end is None:
            ground[columns[-1]] = "►"
    return "".join(ground)


def _date(citation: Citation) -> str:
    fact, time = citation.hit.chunk.fact, time_of(citation.hit)
    if fact is not None:
        return short_recorded(fact.start, fact.end, fact.granularity)
    return "undated" if time is None else short_phrase(time)


def _fitted(text: str, width: int) -> str:
    """Cut to a number of columns, with an ellipsis where something is lost."""
    text = text.rstrip()
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1) + "…" if width > 0 else ""
