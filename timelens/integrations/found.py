"""The metadata of evidence for the retrievers of other libraries."""

from datetime import date
from typing import Any

from timelens import Hit, SearchResult
from timelens.answer.rendering.arrow import evidence_fields
from timelens.temporal import Day, day_number, format_day

_DAYS = ("start", "end", "published")
_SAID_ELSEWHERE = {"uri", "chunk_id"}


def day_or_today(as_of: Day | None) -> Day:
    """The given reference day, or the current day of this machine."""
    if as_of is not None:
        return as_of
    now = date.today()  # noqa: DTZ011 -- the day where the user is
    return day_number(now.year, now.month, now.day)


def metadata_of(hit: Hit, result: SearchResult) -> dict[str, Any]:
    """The known metadata of a hit, with the names of :data:`timelens.answer.rendering.arrow.EVIDENCE`.

    Days are ISO 8601, ``source`` is the file, and ``as_of`` the reference day. Unknown values are omitted.
    """
    known = evidence_fields(hit, result.periods)
    days = {name: format_day(known[name]) for name in _DAYS if known[name] is not None}
    others = {
        name: value
        for name, value in known.items()
        if value is not None and name not in _SAID_ELSEWHERE and name not in _DAYS
    }
    return {"source": hit.chunk.uri, **others, **days, "as_of": format_day(result.as_of)}
