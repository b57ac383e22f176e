from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from evidence import event_arrays

from timelens.embedding import Vectors
from timelens.store.arrays import EventLists
from timelens.store.index import Index, rounded
from timelens.temporal.interval import Interval

DIMENSION = 48


def directions(count: int, seed: int, apart: float = 1.0) -> Vectors:
    """Vectors of unit length that lie around one of them."""
    chance = np.random.default_rng(seed)
    vectors = chance.normal(size=DIMENSION) + apart * chance.normal(size=(count, DIMENSION))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def index(vectors: Vectors, times: Sequence[Sequence[Interval]] | None = None, *, exact: bool) -> Index:
    """One document for two chunks; the row ids begin at 1,000."""
    count = len(vectors)
    times = [[] for _ in range(count)] if times is None else times
    edges = np.cumsum([0, *map(len, times)])
    dated = EventLists.made(event_arrays([time for some in times for time in some]), edges)
    documents = pa.array([f"d{position // 2}" for position in range(count)])
    return Index.made(np.arange(1000, 1000 + count), documents, dated, vectors if exact else rounded(vectors))


class Exact:
    """Vectors that remember for which rows they were asked."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors
        self.asked: list[int] = []

    def __call__(self, rows: Sequence[int]) -> Vectors:
        self.asked.extend(rows)
        return np.asarray(self.vectors[np.asarray(rows) - 1000])


@pytest.mark.parametrize("limit", [1, 7, 299, 300, 500])
@pytest.mark.parametrize("exact", [True, False])
def test_vectors_closer_than_rounding_tells_apart_are_ranked_right(limit: int, *, exact: bool) -> None:
    vectors, query = directions(300, seed=1, apart=3e-4), directions(1, seed=2)[0]
    similar = vectors @ query
    best = np.sort(similar)[::-1]
    coarse = similar[np.argsort(-(rounded(vectors).astype(np.float32) @ query))]
    assert not np.allclose(coarse, best, rtol=0, atol=5e-6)
    precise = Exact(vectors)
    found = index(vectors, exact=exact).nearest(query, limit, (), (), precise)
    assert bool(precise.asked) is not exact
    assert len({row for row, _ in found}) == min(limit, 300)
    for scores in (similar[[row - 1000 for row, _ in found]], [score for _, score in found]):
        np.testing.assert_allclose(scores, best[:limit], rtol=0, atol=5e-7)


def test_few_vectors_are_read_again() -> None:
    vectors, query = directions(2000, seed=1, apart=5.0), directions(1, seed=2)[0]
    precise = Exact(vectors)
    found = index(vectors, exact=False).nearest(query, 50, (), (), precise)
    assert [row for row, _ in found] == (1000 + np.argsort(-(vectors @ query))[:50]).tolist()
    assert len(precise.asked) < 60


def test_documents_and_windows_are_admitted_together() -> None:
    times = [[Interval(day, day + 1)] for day in range(10)]
    some = index(directions(10, seed=3), times, exact=True)
    query = directions(1, seed=3)[0]

    def rows(windows: Sequence[Interval], documents: Sequence[str]) -> set[int]:
        return {row - 1000 for row, _ in some.nearest(query, 10, windows, documents, Exact(query))}

    assert rows([], ["d4", "d1", "missing", "d1"]) == {2, 3, 8, 9}
    assert rows([Interval(3, 9)], ["d4", "d1"]) == {3, 8}
    assert rows([Interval(3, 5), Interval(8, None)], []) == {3, 4, 8, 9}
    assert rows([Interval(20, 30)], []) == set()
    assert rows([], ["missing"]) == set()


def test_the_reach_holds_all_days_of_what_is_inside() -> None:
    times = [[Interval(0, 5), Interval(50, 60)], [], [Interval(52, 53)], [Interval(90, None)]]
    some = index(directions(4, seed=4), times, exact=True)
    assert some.reach([Interval(51, 54)]) == (0, 60)
    assert some.reach([Interval(52, 53)]) == (0, 60)
    assert some.reach([Interval(95, 96)]) == (90, np.inf)
    assert some.reach([Interval(60, 90)]) is None
