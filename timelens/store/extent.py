"""What span of time a corpus is about, apart from a few chunks that lie far outside. Pure."""

import numpy as np
import numpy.typing as npt

from timelens.store.schema import UNBOUNDED_FUTURE, UNBOUNDED_PAST
from timelens.temporal.interval import Granularity, Interval

_FEWEST = 8
"""Dated chunks that show what the others are far from."""
_REACH = 10
"""Ranges between the quartiles that a chunk may lie outside of them."""
_LEAST_REACH = 100 * Granularity.YEAR.days
_MOST_OUTSIDE = 0.02
"""The share of chunks that may be told apart; more of them are what the corpus is about, too."""

Days = npt.NDArray[np.int64]


def extent(starts: Days, ends: Days) -> tuple[Interval | None, npt.NDArray[np.bool_]]:
    """From the first to the last day of most chunks, and (n,) which chunks reach far outside of it.

    Args:
        starts: (n,) the first days of their envelopes.
        ends: (n,) the days after the last ones; of an open side that of the other side counts. Both are
            ``UNBOUNDED_PAST`` where nothing is dated.
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
