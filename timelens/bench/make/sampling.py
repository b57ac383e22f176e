"""Balanced sampling over kinds of questions."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from timelens.bench.make.made_folder import chance
from timelens.bench.suite_data import Record


def evenly(
    records: Iterable[Record],
    kind: Callable[[Record], tuple[str, ...]],
    seed: int,
    limit: int,
    rank: Callable[[Record], int] = lambda _: 0,
) -> list[Record]:
    """Up to ``limit`` records, taken in turns from each kind; within a kind shuffled, low ranks first."""
    strata: Mapping[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in records:
        strata[kind(record)].append(record)
    for name in sorted(strata):
        chance(seed, "sample", *name).shuffle(strata[name])
        strata[name].sort(key=rank)
    taken: list[Record] = []
    place = 0
    while len(taken) < limit and any(place < len(members) for members in strata.values()):
        taken += [strata[name][place] for name in sorted(strata) if place < len(strata[name])]
        place += 1
    return taken[:limit]
