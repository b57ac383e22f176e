"""The texts in the frame of the timeline: the shown days, what is outside of them, the selection. Pure."""

from collections.abc import Sequence

from timelens.temporal import Interval, phrase
from timelens.tui.timeline.axis import short_phrase
from timelens.tui.timeline.drawing import Drawing
from timelens.tui.timeline.pieces import Piece


def title(drawing: Drawing, window: Interval | None, pieces: Sequence[Piece], values: str) -> str:
    """The title: for a part of the time, its days and the number of pieces before and after them.

    ``values`` names the values shown in place of the evidence; it may be empty.
    """
    undated = sum(piece.time is None for piece in pieces)
    parts = ["timeline", values]
    if window is not None:
        parts.append(short_phrase(window))
    beyond = [
        f"{drawing.before} before" * bool(drawing.before),
        f"{drawing.after} after" * bool(drawing.after),
    ]
    parts += [", ".join(filter(None, beyond)), f"{undated} undated" * bool(undated)]
    return " · ".join(filter(None, parts))


def pieces_caption(pieces: Sequence[Piece], shown: int | None, *, answered: bool) -> str:
    """The number of pieces of evidence, and how many the answer cites, or else names as nearest.

    ``shown`` is the number of pieces that have a value, if values are shown.
    """
    cited = sum(piece.cited for piece in pieces)
    if not pieces:
        return "no evidence"
    count = f"{len(pieces)} {'piece' if len(pieces) == 1 else 'pieces'} of evidence"
    if shown is not None and shown < len(pieces):
        return f"{shown} of {count}"
    return f"{count}, {cited} {'cited' if answered else 'nearest'}" if cited else count


def piece_caption(piece: Piece) -> str:
    """Number, time and title of a piece."""
    return f"[{piece.number}] {' · '.join(filter(None, (piece.date, piece.title)))}"


def span_caption(span: Interval) -> str:
    """The actions for a marked span."""
    return f"{phrase(span)}: Enter asks about it, Esc clears it"
