"""Allen's interval algebra: the 13 relations, their inverses and compositions.

Source: J. F. Allen, Maintaining knowledge about temporal intervals, CACM 26(11), 1983. An unbounded
side is a point beyond every day, equal to any other unbounded point on the same side.
"""

from enum import StrEnum
from functools import cache
from itertools import combinations, product

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


_INVERSE = {
    Allen.BEFORE: Allen.AFTER,
    Allen.MEET: Allen.MET_BY,
    Allen.OVERLAP: Allen.OVERLAPPED_BY,
    Allen.START: Allen.STARTED_BY,
    Allen.DURING: Allen.CONTAIN,
    Allen.FINISH: Allen.FINISHED_BY,
    Allen.EQUAL: Allen.EQUAL,
}
_INVERSE |= {inverse: relation for relation, inverse in _INVERSE.items()}


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


def inverse(relation: Allen) -> Allen:
    """The relation of *b* to *a* when ``relation`` holds of *a* to *b*."""
    return _INVERSE[relation]


def compose(first: Allen, second: Allen) -> frozenset[Allen]:
    """All possible relations of *a* to *c*, given that *a* ``first`` *b* and *b* ``second`` *c*."""
    return _compositions()[first, second]


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


@cache
def _compositions() -> dict[tuple[Allen, Allen], frozenset[Allen]]:
    """All 169 cells, from every arrangement of three intervals (six endpoints are enough for each)."""
    intervals = [Interval(start, end) for start, end in combinations(range(6), 2)]
    relation = {(a, b): allen(a, b) for a, b in product(intervals, repeat=2)}
    cells: dict[tuple[Allen, Allen], set[Allen]] = {}
    for a, b, c in product(intervals, repeat=3):
        cells.setdefault((relation[a, b], relation[b, c]), set()).add(relation[a, c])
    return {pair: frozenset(relations) for pair, relations in cells.items()}
