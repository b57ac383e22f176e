"""Allen's interval algebra: the 13 relations of two intervals.

Source: J. F. Allen, Maintaining knowledge about temporal intervals, CACM 26(11), 1983. An unbounded
side is a point beyond every day, equal to any other unbounded point on the same side.
"""

from enum import StrEnum

from timelens.temporal.interval import Interval


class Allen(StrEnum):
    """The relation of interval *a* to interval *b*, with the names of TDBench (Table 10)."""

    BEFORE = "before"
    MEET = "meet"
    OVERLAP = "overlap"
    START = "start"
    DURING = "during"
    FINISH = "finish"
    EQUAL = "equal"
    FINISHED_BY = "finished_by"
    CONTAIN = "contain"
    STARTED_BY = "started_by"
    OVERLAPPED_BY = "overlapped_by"
    MET_BY = "met_by"
    AFTER = "after"


def allen(a: Interval, b: Interval) -> Allen:
    """The one relation that holds between two intervals."""
    (a_start, a_end), (b_start, b_end) = a.bounds, b.bounds
    if a_end <= b_start:
        return Allen.MEET if a_end == b_start else Allen.BEFORE
    if b_end <= a_start:
        return Allen.MET_BY if b_end == a_start else Allen.AFTER
    return _OF_INTERSECTING[_sign(a_start, b_start), _sign(a_end, b_end)]


def _sign(a: float, b: float) -> int:
    return (a > b) - (a < b)


_OF_INTERSECTING = {  # key: sign of the comparison of the starts, and of the ends
    (-1, -1): Allen.OVERLAP,
    (-1, 0): Allen.FINISHED_BY,
    (-1, 1): Allen.CONTAIN,
    (0, -1): Allen.START,
    (0, 0): Allen.EQUAL,
    (0, 1): Allen.STARTED_BY,
    (1, -1): Allen.DURING,
    (1, 0): Allen.FINISH,
    (1, 1): Allen.OVERLAPPED_BY,
}
