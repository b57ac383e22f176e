"""How a stated time lies to the asked one, as named numbers. Pure."""

import math
from collections.abc import Mapping

from timelens.temporal.interval import Granularity, Interval, granule

Features = dict[str, float]

_YEAR = 365.25
_MANY_DAYS = 366.0


def fit(time: Interval, window: Interval) -> Features:
    """How a stated time lies to the asked one."""
    (start, end), (first, last) = time.bounds, window.bounds
    unit = max(time.granularity, window.granularity, key=lambda granularity: granularity.days)
    days = min(max(unit.days, 1.0), _MANY_DAYS)
    features: Features = {}
    if time.start is not None and window.start is not None:
        size = Granularity.YEAR if days >= 365 else Granularity.MONTH if days >= 28 else Granularity.DAY
        features["starts"] = float(granule(window.start, size).intersects(granule(time.start, size)))
    if time.end is not None and window.end is not None:
        features["ends"] = float(abs(time.end - window.end) <= days and time.days > 1.5 * days)
    if window.days > 1.5 * days and math.isfinite(last):
        features["at_end"] = float(last - days <= start < last)
    if time.intersects(window):
        whole = start <= first and end >= last
        inside = start >= first and end <= last
        features["covers" if whole else "inside" if inside else "overlaps"] = 1.0
    elif end <= first:
        features["before"] = 1.0
        features["long_before"] = math.log1p((first - end) / _YEAR) / 3 if math.isfinite(end) else 1.0
        features["over_before"] = float(time.days > 1.5 * time.granularity.days)
    else:
        features["after"] = 1.0
        features["long_after"] = math.log1p((start - last) / _YEAR) / 3 if math.isfinite(start) else 1.0
    return features


_VALUES = {
    "starts": 3.0,
    "ends": 2.0,
    "covers": 2.0,
    "inside": 1.5,
    "overlaps": 1.0,
    "before": -0.5,
    "long_before": -0.3,
    "after": -2.0,
    "at_end": -1.0,
}


def value(fit: Mapping[str, float]) -> float:
    """A rough order of fits, to choose among the times of a sentence."""
    return sum(_VALUES.get(name, 0.0) * value for name, value in fit.items())


def over_for(time: Interval, window: Interval) -> float:
    """For how long a stated time was over when the asked one began: the logarithm of 1 and the years."""
    return math.log1p(max(0.0, window.bounds[0] - time.bounds[1]) / _YEAR)
