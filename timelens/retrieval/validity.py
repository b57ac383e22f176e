"""How long what a text states goes on to hold: a fact holds until the next of its kind. Pure."""

import math
from collections.abc import Sequence

import numpy as np

from timelens.store.arrays import EventArrays, Mask

LASTING = 30 * 365.25
"""Days in which a state that a text tells of typically ends unsaid: after them it is as good as 1/e sure."""

_SUCCEEDED = 0.7
"""What a fact of the same kind that begins later leaves of the one before it."""
_KINSHIP = 6
"""Power of the relative relevance by which two sentences count as speaking of the same kind of fact."""


def still_holds(starts: Sequence[float], relevances: Sequence[float], best: float, day: float) -> list[float]:
    """How sure each of some facts is to hold on a day, 0..1, from when they began and what began after them.

    "In 1998 she joined X" holds until she joins another: of facts of a kind the last before a day holds on
    it. What is of a kind is not known, but the question knows it: what is as relevant to it as the best of
    the document. A fact fades with each successor by as much as that is relevant, and with time.

    Args:
        starts: first days, none after ``day``.
        relevances: to the question, of the sentences that state the facts.
        best: the greatest relevance of the document.
        day: that is asked about.
    """
    latest_first = sorted(range(len(starts)), key=lambda index: -starts[index])
    sure = [0.0] * len(starts)
    successors = 0.0
    same_day = 0.0
    previous = math.inf
    for index in latest_first:
        if starts[index] < previous:
            successors += same_day
            same_day = 0.0
            previous = starts[index]
        sure[index] = _SUCCEEDED**successors * math.exp(-max(day - starts[index], 0) / LASTING)
        same_day += (max(relevances[index], 0.0) / best) ** _KINSHIP if best > 0 else 0.0
    return sure


def are_open(events: EventArrays) -> Mask:
    """Which times are single dates, which may begin something, and not periods with an end."""
    return np.asarray(np.isfinite(events.starts) & (events.ends - events.starts <= 1.5 * events.unit_days))
