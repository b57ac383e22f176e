"""The date-shift curve: which copies of a passage, each of another year, a strategy puts first. Pure.

Source: MRAG, Appendix A. A strategy that understands time puts the copies first whose year the question
admits, and gives a step (or a peak, for "in"); one that is blind to it gives a bell about the year that is
named, or a flat line.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from timelens.bench.data import Gold
from timelens.bench.measures import relevant_of
from timelens.bench.runs import Result


def summed(results: Sequence[Result], gold: Mapping[str, Gold]) -> Mapping[str, Any]:
    """What a summary says of it: nothing where no question has copies of its passage in other years.

    By the kind of question: how many there are (``n``), and for each number of years moved (as text, in
    order) on how many of them, in percent, that copy is among the R best copies. R is how many copies the
    question admits, as in R-precision: a ranking without fault has 100 for those and 0 for all others.
    Documents that are no copy do not count, nor do questions that admit every copy, or none: no ranking is
    wrong for them.
    """
    found: dict[str, dict[float, list[bool]]] = defaultdict(lambda: defaultdict(list))
    counts: dict[str, int] = defaultdict(int)
    for result in results:
        own = gold[result.id]
        admitted = relevant_of(own) & own.copies.keys()
        if len(admitted) in {0, len(own.copies)} or result.failed is not None:
            continue
        best = [name for name in result.ranking if name in own.copies][: len(admitted)]
        kind = own.kind or "all"
        counts[kind] += 1
        for name, moved in own.copies.items():
            found[kind][moved].append(name in best)
    if not found:
        return {}
    return {
        "shift": {
            kind: {
                "n": counts[kind],
                "copies": {
                    f"{moved:g}": round(100 * sum(hits) / len(hits), 3)
                    for moved, hits in sorted(of_kind.items())
                },
            }
            for kind, of_kind in sorted(found.items())
        }
    }
