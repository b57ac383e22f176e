"""How evidence is spread over the asked period, in tenths of the period. Pure."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from timelens import Coverage
from timelens.bench.run_folder import Result

PARTS = 10
_SHORTEST = 59
"""Days. The search treats a shorter period as one part: evidence covers all of it or none."""


def tenths(coverage: Coverage) -> tuple[float, ...]:
    """The share of days with evidence in each tenth of the asked period, first to last.

    Empty if no period or several are asked about, and for a period that is unbounded or shorter than two
    months.
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
    """The mean coverage for a summary, in percent; empty if no question asks about a period."""
    reached = [result.coverage for result in results if result.coverage]
    if not reached:
        return {}
    means = [round(100 * sum(part) / len(reached), 3) for part in zip(*reached, strict=True)]
    return {"coverage": {"n": len(reached), "tenths": means}}
