"""How evidence reaches over the period that is asked about, in tenths of it. Pure."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from timelens import Coverage
from timelens.bench.runs import Result

PARTS = 10
_SHORTEST = 59
"""Days; a shorter period is one part to the search, and evidence reaches all of it or none."""


def tenths(coverage: Coverage) -> tuple[float, ...]:
    """The share of days with evidence in each tenth of the asked period, first to last.

    Empty for a period that is not bounded or shorter than two months, and where none or several are asked
    about.
    """
    if len(coverage.periods) != 1:
        return ()
    (asked,) = (covered.period for covered in coverage.periods)
    if asked.start is None or asked.end is None or asked.days < _SHORTEST:
        return ()
    edges = [asked.start + asked.days * index / PARTS for index in range(PARTS + 1)]
    gaps = [gap.bounds for gap in coverage.gaps]
    return tuple(
        round(
            1 - sum(max(0.0, min(end, last) - max(start, first)) for first, last in gaps) / (end - start), 4
        )
        for start, end in pairwise(edges)
    )


def summed(results: Sequence[Result]) -> Mapping[str, Any]:
    """What a summary says of it, in percent: nothing where no question asks about a period."""
    reached = [result.coverage for result in results if result.coverage]
    if not reached:
        return {}
    means = [round(100 * sum(part) / len(reached), 3) for part in zip(*reached, strict=True)]
    return {"coverage": {"n": len(reached), "tenths": means}}
