"""Persistence of states that texts report: a fact holds until the next fact of its kind. Pure."""

import math
from collections.abc import Sequence

import numpy as np

from timelens.store.arrays import EventArrays, Mask

LASTING = 30 * 365.25
"""Time constant in days: without a successor, the probability that a state still holds falls to 1/e."""

_SUCCEEDED = 0.7
"""Probability multiplier for each later fact of the same kind."""
_KINSHIP = 6
"""Exponent of the relative relevance, which estimates whether a fact is of the asked kind."""


def still_holds(starts: Sequence[float], relevances: Sequence[float], best: float, day: float) -> list[float]:
    """The probability that each fact still holds on a day, 0..1, from their starts and relevances.

    "In 1998 she joined X" holds until she joins another: of facts of the same kind, the last before a day
    holds on it. The kind is estimated by the relevance to the question: facts as relevant as the best of the
    document are of the asked kind. The probability falls with each successor, by its relevance, and with
    time.

    Args:
        starts: first days of the facts.
        relevances: relevances to the question of the sentences that state the facts.
        best: the greatest relevance in the document.
        day: the asked day; a fact that starts later does not decay with time.
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
    """(e,) whether each time is a single date, which may begin a state, and not a period with an end."""
    return np.asarray(np.isfinite(events.starts) & (events.ends - events.starts <= 1.5 * events.unit_days))
