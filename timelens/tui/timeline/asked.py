"""The asked periods in lanes above the evidence, with their roles; gaps in the evidence are hatched. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.cells import cell_len

from timelens import PeriodRole
from timelens.temporal import Interval
from timelens.tui.timeline.axis import Axis, short_phrase
from timelens.tui.timeline.cells import Cells, Look, Row
from timelens.tui.timeline.lanes import Ink, Item, Lane, Placed, alone, draw_lane, packed

if TYPE_CHECKING:
    from timelens.answer.rendering.shown_evidence import AskedPeriod

_ASKED = Ink("▄", "▄", Look.ASKED, Look.ASKED, Look.ASKED)
_TYPED = Ink("▄", "▄", Look.TYPED, Look.TYPED, Look.TYPED)
_HATCH = "\u2571"


def asked_lanes(
    asked: "Sequence[AskedPeriod]",
    gaps: Sequence[Interval],
    axis: Axis,
    rows: int,
    pieces: Sequence[Interval | None],
    *,
    typed: bool = False,
    together: bool = False,
) -> list[Lane]:
    """A lane for each period, with its role; periods share lanes if there would be no room for the evidence.

    Args:
        asked: the periods, in the order of the question.
        gaps: their parts without evidence.
        axis: the axis; a period outside of it is named at that side.
        rows: rows for periods and evidence together; the periods take at most half of them, or those that
            the evidence leaves, and never all.
        pieces: the times of the pieces of evidence, which also need rows; ``None`` if undated.
        typed: whether the question is still being typed.
        together: put the periods in shared lanes even if there is room.
    """
    most = min(max((rows + 1) // 2, rows - len(pieces)), rows - 1)
    if not asked or most < 1:
        return []
    ink = _TYPED if typed else _ASKED
    if len(asked) <= most and not together:
        return [(_alone(period, gaps, pieces, axis, ink),) for period in asked]
    items = [
        Item(period.interval, short_phrase(period.interval), f"({period.role})", ink) for period in asked
    ]
    shown = [item for item in items if item.time and item.time.intersects(axis.interval)]
    shown.sort(key=lambda item: item.time.bounds if item.time else (0, 0))
    for room in (1, most):
        lanes = packed(shown, axis, room)
        if len(lanes) <= room:
            return lanes
    return [_all_in_one(shown, axis)]


def asked_row(lane: Lane, gaps: Sequence[Interval], axis: Axis, marked: range) -> Row:
    """A row of periods, with its gaps hatched."""
    cells = Cells(axis.width)
    draw_lane(tuple(Placed(placed.item, placed.bar, 0, "") for placed in lane), cells)
    for placed in lane:
        if placed.bar and placed.item.time is not None:
            for gap in gaps:
                for column in _hatched(gap, placed.item.time, axis):
                    cells.write(column, _HATCH, Look.GAP)
    draw_lane(tuple(Placed(placed.item, range(0), placed.column, placed.label) for placed in lane), cells)
    return cells.row(marked)


def _alone(
    period: "AskedPeriod", gaps: Sequence[Interval], pieces: Sequence[Interval | None], axis: Axis, ink: Ink
) -> Placed:
    time, words = period.interval, short_phrase(period.interval)
    none = ""
    if any(
        gap.contains(time) for gap in gaps
    ):  # a gap has no evidence on the topic, but perhaps other evidence
        other = any(piece is not None and piece.intersects(time) for piece in pieces)
        none = " · no matching evidence" if other else " · no evidence"
    item = Item(time, str(period.role), f"{words}{none}", ink)
    if time.intersects(axis.interval):
        placed = alone(item, axis)
        return placed if placed.label.strip() == item.label else alone(replace(item, name=""), axis)
    if time.end is not None and time.end <= axis.start:
        return alone(Item(None, f"\u2039 {item.name}", item.words, ink), axis)
    label = f"{item.label} \u203a"
    return Placed(Item(None, "", label, ink), range(0), max(axis.width - cell_len(label), 0), label)


def _role(period: "AskedPeriod") -> str:
    """The role of a period in its question; empty for an ordinary asked period."""
    return "" if period.role is PeriodRole.ASKED else f"({period.role})"


def _all_in_one(items: Sequence[Item], axis: Axis) -> Lane:
    """All periods in one lane, labelled with their number."""
    bars = [Placed(item, axis.columns(item.time), 0, "") for item in items if item.time is not None]
    label = f" {len(items)} periods "
    first = min((placed.bar.start for placed in bars), default=0)
    column = min(first + 1, max(axis.width - len(label), 0))
    return (*bars, Placed(Item(None, "", label, items[0].ink), range(0), column, label))


def _hatched(gap: Interval, period: Interval, axis: Axis) -> Iterator[int]:
    """The columns of a period that a gap fills; the middle column if it fills none."""
    inside = gap.intersection(period)
    inside = None if inside is None else inside.intersection(axis.interval)
    if inside is None:
        return
    columns = axis.columns(inside)
    of_period = ((c, Interval(*axis.days(range(c, c + 1))).intersection(period)) for c in columns)
    whole = [column for column, days in of_period if days is not None and gap.contains(days)]
    yield from whole or columns[len(columns) // 2 :][:1]
