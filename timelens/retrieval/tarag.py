"""TA-RAG: filters by time and ranks by a query embedded at several points in time (Section 4.3)."""

from collections.abc import Set as AbstractSet

import numpy as np

from timelens.documents import Scores
from timelens.embedding import Vectors
from timelens.retrieval.coverage import clamp
from timelens.retrieval.request import Request, Retrieved, whole_chunk
from timelens.retrieval.searcher import Searcher
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.phrasing import phrase

STAGES = ("anchors", "filter")
"""The stages that can be left out; without anchors, the core query is embedded alone."""

_MOST_ANCHORS = 24
_FINER = (
    (2 * 3_652, Granularity.YEAR),
    (2 * 29, Granularity.MONTH),
)
"""(minimum days of a window, unit of its anchors): years from 20 years, months from 2 months, else days."""


def anchors(window: Interval) -> list[Interval]:
    """Evenly spaced granules in a bounded window, one step finer than it, at most 24.

    Raises:
        ValueError: the window is unbounded.
    """
    if window.start is None or window.end is None:
        raise ValueError("only a bounded window has anchors")
    unit = next((unit for days, unit in _FINER if window.days >= days), Granularity.DAY)
    units = max(1, min(round(window.days / unit.days), _MOST_ANCHORS))
    days = [window.start + int((window.end - window.start) * (i + 0.5) / units) for i in range(units)]
    return list(dict.fromkeys(granule(day, unit) for day in days))


def hypothetical(searcher: Searcher, core: str, window: Interval | None) -> Vectors:
    """The normalised mean of the core query's vectors at the anchors of a window (e_hypo).

    Without a window that meets the corpus, the vector of the core query alone.
    """
    bounded = None if window is None else clamp(window, searcher.store.span())
    if bounded is None:
        return searcher.vector(core)
    mean = np.mean(searcher.vectors([f"In {phrase(anchor)}, {core}" for anchor in anchors(bounded)]), axis=0)
    return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)


def retrieve(request: Request, searcher: Searcher, *, without: AbstractSet[str] = frozenset()) -> Retrieved:
    """The chunks with an event inside the asked time, ranked by similarity to e_hypo.

    For a question without a time, this is plain dense search. ``without`` names stages (:data:`STAGES`) to
    leave out.
    """
    parsed = request.parsed
    query = (
        searcher.vector(parsed.core)
        if "anchors" in without
        else hypothetical(searcher, parsed.core, parsed.window)
    )
    filtered = parsed.window is not None and "filter" not in without
    windows = [parsed.window] if filtered and parsed.window is not None else []
    return Retrieved(
        tuple(
            whole_chunk(
                stored.chunk,
                Scores(semantic=stored.score, final=stored.score),
                *(["filter"] if filtered else []),
                "dense",
            )
            for stored in searcher.store.dense(query, request.k, windows)
        )
    )
