"""The span of time of a corpus, without a few chunks far outside it. Pure."""

import numpy as np
import numpy.typing as npt

from timelens.store.schema import UNBOUNDED_FUTURE, UNBOUNDED_PAST
from timelens.temporal.interval import Granularity, Interval

_FEWEST = 8
"""Fewest dated chunks from which outliers are determined."""
_REACH = 10
"""Interquartile ranges that a chunk may lie outside the quartiles."""
_LEAST_REACH = 100 * Granularity.YEAR.days
_MOST_OUTSIDE = 0.02
"""Greatest share of chunks that may be outliers; more of them belong to the span."""

Days = npt.NDArray[np.int64]


def extent(starts: Days, ends: Days) -> tuple[Interval | None, npt.NDArray[np.bool_]]:
    """The interval from the first to the last day of most chunks, and (n,) which chunks are far outside it.

    For an open side, the day of the other side is used.

    Args:
        starts: (n,) the first days of the envelopes.
        ends: (n,) their last days, exclusive. Both are ``UNBOUNDED_PAST`` for undated chunks.
    """
    first = np.where(starts > UNBOUNDED_PAST, starts, ends - 1)
    last = np.where(ends < UNBOUNDED_FUTURE, ends - 1, starts)
    dated = (starts > UNBOUNDED_PAST) | ((ends > UNBOUNDED_PAST) & (ends < UNBOUNDED_FUTURE))
    if not dated.any():
        return None, np.zeros(len(starts), dtype=np.bool_)
    outside = dated & _far_from_most(first, last, dated)
    inside = dated & ~outside
    return Interval(int(first[inside].min()), int(last[inside].max()) + 1), outside


def _far_from_most(first: Days, last: Days, dated: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    low, high = np.percentile(np.concatenate([first[dated], last[dated]]), [25, 75])
    reach = max(_REACH * (high - low), _LEAST_REACH)
    far = np.asarray((first < low - reach) | (last > high + reach))
    few = dated.sum() >= _FEWEST and (far & dated).sum() <= max(1.0, _MOST_OUTSIDE * dated.sum())
    return far if few else np.zeros_like(far)
