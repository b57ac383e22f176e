"""The evidence as the timeline shows it: its times, its words, and whether the answer cites it. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.answer.hit_times import time_of
from timelens.answer.rendering.labels import heading_beside
from timelens.temporal import Interval
from timelens.tui.timeline.axis import short_phrase, short_recorded

if TYPE_CHECKING:
    from timelens import Citation
    from timelens.answer.rendering.shown_evidence import ShownEvidence


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence."""

    number: int
    time: Interval | None
    """``None`` if undated."""
    date: str
    """Its time in a few words; for a table row, as recorded."""
    title: str
    """Empty if it says no more than its time."""
    cited: bool
    """Whether the answer cites it, or names it as nearest because it found no answer."""


def pieces_of(evidence: "ShownEvidence") -> tuple[Piece, ...]:
    """All pieces, from early to late, undated pieces last."""
    return tuple(
        Piece(
            one.number,
            time_of(one.hit),
            _date(one),
            heading_beside(one.hit),
            one.number in evidence.cited or one.number in evidence.nearest,
        )
        for one in evidence.timeline.citations
    )


def _date(citation: "Citation") -> str:
    fact, time = citation.hit.chunk.fact, time_of(citation.hit)
    if fact is not None:
        return short_recorded(fact.start, fact.end, fact.granularity)
    return "undated" if time is None else short_phrase(time)
