"""The evidence as the timeline shows it: its times, its words, and whether the answer rests on it. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens.answer.timeline import time_of
from timelens.answer.wording import heading
from timelens.temporal import Interval
from timelens.tui.timeline.axis import short_phrase, short_recorded

if TYPE_CHECKING:
    from timelens import Citation
    from timelens.answer.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence."""

    number: int
    time: Interval | None
    """``None`` if undated."""
    date: str
    """Its time in a few words; that of a row of a table as recorded."""
    title: str
    cited: bool
    """The answer cites it, or names it as nearest for want of an answer."""


def pieces_of(evidence: "Evidence") -> tuple[Piece, ...]:
    """All of it, from early to late, undated ones last."""
    return tuple(
        Piece(
            one.number,
            time_of(one.hit),
            _date(one),
            heading(one.hit),
            one.number in evidence.cited or one.number in evidence.nearest,
        )
        for one in evidence.timeline.citations
    )


def _date(citation: "Citation") -> str:
    fact, time = citation.hit.chunk.fact, time_of(citation.hit)
    if fact is not None:
        return short_recorded(fact.start, fact.end, fact.granularity)
    return "undated" if time is None else short_phrase(time)
