"""The timeline as rows of text: asked periods, evidence in lanes, its density, and the axis. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from timelens.temporal import Interval
from timelens.tui.timeline.asked import asked_lanes, asked_row
from timelens.tui.timeline.axis import Axis
from timelens.tui.timeline.brush import Brush
from timelens.tui.timeline.cells import Cells, Look, Row
from timelens.tui.timeline.feet import density, feet
from timelens.tui.timeline.lanes import Ink, Item, Lane, alone, draw_lane, packed, row_of_names
from timelens.tui.timeline.pieces import Piece
from timelens.tui.timeline.window import Window

if TYPE_CHECKING:
    from timelens.answer.rendering.shown_evidence import AskedPeriod

_CITED = Ink("━", "●", Look.CITED, Look.CITED, Look.LABEL)
_OTHER = Ink("─", "○", Look.OTHER, Look.OTHER, Look.OTHER)
_UNDATED = "undated:"


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of the timeline."""

    pieces: tuple[Piece, ...] = ()
    """The evidence, from early to late."""
    asked: "tuple[AskedPeriod, ...]" = ()
    gaps: tuple[Interval, ...] = ()
    """The parts of the asked periods without evidence."""
    typed: bool = False
    """Whether the periods are those of a question that is being typed."""
    states: tuple[tuple[Item, ...], ...] = ()
    """Successive states shown in place of the evidence, one tuple for each series."""

    @property
    def times(self) -> tuple[Interval, ...]:
        """The times of the evidence and of the periods."""
        dated = (piece.time for piece in self.pieces if piece.time is not None)
        return (*dated, *(period.interval for period in self.asked))


@dataclass(frozen=True, slots=True)
class Drawing:
    """Rows of equal width. There may be more lanes than fit between head and foot."""

    head: tuple[Row, ...] = ()
    lanes: tuple[Row, ...] = ()
    foot: tuple[Row, ...] = ()
    axis: Axis | None = None
    lane_of: Mapping[int, int] = field(default_factory=dict)
    """The lane of each piece of evidence that is in one."""
    before: int = 0
    after: int = 0
    """Number of pieces before and after the window."""


def draw(scene: Scene, window: Window | None, width: int, height: int, brush: Brush | None = None) -> Drawing:
    """Draw everything in a window; without a window there is no axis, and the evidence is listed.

    A bar is ``━━━`` if the answer cites it and ``───`` if not, and a time shorter than a column is ``●`` or
    ``○``; an open end is an arrow. Inside the asked periods the background is dotted; the periods are hatched
    where they have no evidence. If not all lanes fit, those of cited evidence come first, and a row above the
    axis shows the number of pieces in each column; if a row is left, the axis has a ruler.

    Args:
        scene: the content.
        window: the days that are shown.
        width: columns of each row.
        height: rows of head, visible lanes and foot together.
        brush: the span that is being marked.
    """
    if width < 1 or height < 1:
        return Drawing()
    if window is None:
        listed = [(alone(item_of(piece), Axis(0, 1, width)),) for piece in scene.pieces]
        return Drawing(lanes=_rows(listed, (), range(0), width), lane_of=_lane_of(listed))
    axis = window.axis(width)
    shown = [piece for piece in scene.pieces if piece.time is None or piece.time.intersects(window.interval)]
    most = height - 1
    for together in (False, True):  # the periods are merged if evidence would be hidden
        asked = asked_lanes(
            scene.asked,
            scene.gaps,
            axis,
            most,
            [piece.time for piece in shown],
            typed=scene.typed,
            together=together,
        )
        room = most - len(asked)
        lanes = _state_lanes(scene.states, axis, room) if scene.states else _lanes(shown, axis, room)
        if len(lanes) <= room:
            break
    span = None if brush is None else brush.interval(axis)
    marked = range(0) if span is None or not span.intersects(window.interval) else axis.columns(span)
    foot = feet(axis, span, marked, ruler=len(lanes) < room)
    if len(lanes) > room > 1:
        foot = (density(shown, axis, marked), *foot)
    beyond = [piece.time for piece in scene.pieces if piece.time is not None and piece not in shown]
    early = sum(time.end is not None and time.end <= axis.start for time in beyond)
    return Drawing(
        tuple(asked_row(lane, scene.gaps, axis, marked) for lane in asked),
        _rows(lanes, [period.interval for period in scene.asked], marked, width, axis),
        foot,
        axis,
        _lane_of(lanes),
        early,
        len(beyond) - early,
    )


def item_of(piece: Piece) -> Item:
    """A piece of evidence with its number, time and title for a label."""
    ink = _CITED if piece.cited else _OTHER
    return Item(piece.time, f"[{piece.number}]", piece.title, ink, piece.number, piece.date)


def _lanes(pieces: Sequence[Piece], axis: Axis, room: int) -> list[Lane]:
    """A lane for each piece if they fit, else as many pieces side by side as fit."""
    if len(pieces) <= room:
        return [(alone(item_of(piece), axis),) for piece in pieces]
    items = [item_of(piece) for piece in pieces]
    dated = [item for item in items if item.time is not None]
    undated = [item for item in items if item.time is None]
    names = row_of_names(undated, _UNDATED, axis.width)
    lanes = packed(dated, axis, room - len(names))
    if len(lanes) + len(names) > room:
        cited, others = ([item for item in dated if (item.ink is _CITED) is which] for which in (True, False))
        lanes = [*packed(cited, axis, room), *packed(others, axis, 0)]
    return [*lanes, *names]


def _state_lanes(states: Sequence[Sequence[Item]], axis: Axis, room: int) -> list[Lane]:
    window = axis.interval
    shown = [[item for item in series if item.time and item.time.intersects(window)] for series in states]
    most = room // max(len(shown), 1)
    return [lane for series in shown for lane in packed(series, axis, most)]


def _rows(
    lanes: Sequence[Lane], asked: Sequence[Interval], marked: range, width: int, axis: Axis | None = None
) -> tuple[Row, ...]:
    rows = []
    ground = set[int]()
    if axis is not None:
        shown = [time for time in asked if time.intersects(axis.interval)]
        ground.update(*(axis.columns(time) for time in shown))
    for lane in lanes:
        cells = Cells(width)
        for column in ground:
            cells.write(column, "·", Look.GROUND)
        draw_lane(lane, cells)
        rows.append(cells.row(marked))
    return tuple(rows)


def _lane_of(lanes: Sequence[Lane]) -> dict[int, int]:
    placed = ((one.item.number, lane) for lane, many in enumerate(lanes) for one in many)
    return {number: lane for number, lane in placed if number is not None}
