"""Scores of evidence by rank fusion, temporal fit and order. Pure."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from timelens.question.parsed_question import Ordinal
from timelens.retrieval.validity import LASTING
from timelens.store.arrays import EventArrays, Floats
from timelens.temporal.interval import Interval

Key = TypeVar("Key", bound=Hashable)

RRF_CONSTANT = 60
"""The constant of reciprocal-rank fusion (Cormack et al., SIGIR 2009)."""

UNDATED = 0.5
"""Temporal score of evidence without a date, or outside the window (MRAG, Section 4)."""

ON_TOPIC = 0.8
"""Minimum relevance, as a share of the best, of evidence on the same topic, which is then ordered by time."""
_STEP_OF_ORDER = 0.15


def reciprocal_rank_fusion(rankings: Sequence[Sequence[Key]]) -> dict[Key, float]:
    """The fused score of each key (larger is better) from rankings that are best first."""
    fused: dict[Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            fused[key] = fused.get(key, 0.0) + 1 / (RRF_CONSTANT + rank)
    return fused


def temporal_fits(events: EventArrays, window: Interval) -> Floats:
    """(e,) the temporal fit of each event's time to the asked window, 0.5..1; 0.5 outside.

    The fit grows with the overlap, relative to the shorter of the two: a state from 1990 to 1995 held in
    March 1993. A single coarse date is not a period: an event in 1993 need not be in March, so the overlap is
    relative to its own length (square root). The fit decays for periods much longer than the window, which
    say little about it.
    """
    start, end = window.bounds
    days = events.ends - events.starts
    with np.errstate(invalid="ignore"):
        common = np.minimum(events.ends, end) - np.maximum(events.starts, start)
        shorter = np.minimum(days, window.days)
        of_shorter = np.where(np.isinf(shorter), 1.0, common / shorter)
        of_shorter *= np.where(np.isinf(days), 1.0, np.exp(-np.maximum(days - window.days, 0.0) / LASTING))
        is_coarse = (window.days < days) & (days <= events.unit_days)
        share = np.where(is_coarse, np.sqrt(np.maximum(common, 0.0) / days), of_shorter)
    return np.where(events.inside(window), UNDATED + (1 - UNDATED) * share, UNDATED)


def order_factors(
    times: Sequence[Interval | None],
    relevances: Sequence[float],
    ordinal: Ordinal,
    window: Interval | None,
    count: int = 1,
) -> list[float]:
    """A factor for each piece of evidence by its place in time, 1.0 at the asked place.

    Only evidence on topic (with a relevance close to the best) has a place; evidence with the same start
    shares one. Place 1 is the earliest start inside the window for "first" and n, the latest for "last" and
    -n. With a ``count``, that many places are asked for. The factor falls with the distance from the asked
    places; evidence off topic or undated gets the lowest factor.
    """
    best = max(relevances, default=0.0)
    on_topic = [
        time is not None and relevance >= ON_TOPIC * best
        for time, relevance in zip(times, relevances, strict=True)
    ]
    keys = [_key(time, ordinal, window) if on else None for time, on in zip(times, on_topic, strict=True)]
    places = {key: place for place, key in enumerate(sorted({key for key in keys if key is not None}))}
    asked = 0 if isinstance(ordinal, str) else abs(ordinal) - 1
    worst = 1 / (1 + _STEP_OF_ORDER * (len(places) + 1))
    last = asked + count - 1

    def factor(place: int) -> float:
        return 1 / (1 + _STEP_OF_ORDER * max(asked - place, place - last, 0))

    return [worst if key is None else factor(places[key]) for key in keys]


def counts_from_end(ordinal: Ordinal) -> bool:
    """Whether an order is counted backwards from the latest."""
    return ordinal == "last" or (isinstance(ordinal, int) and ordinal < 0)


def _key(time: Interval | None, ordinal: Ordinal, window: Interval | None) -> tuple[bool, float] | None:
    """Sort key: starts inside the window before earlier starts, and the asked end of time first."""
    if time is None:
        return None
    start = time.bounds[0]
    started_before = window is not None and start < window.bounds[0]
    return started_before, -start if counts_from_end(ordinal) else start
