"""The date-shift curve: which copies of a passage, each with another year, a strategy ranks first. Pure.

Source: MRAG, Appendix A. A strategy that understands time ranks first the copies whose year the question
admits, which gives a step (or a peak, for "in"). A strategy that does not gives a bell curve around the named
year, or a flat line.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from timelens.bench.measures import relevant_of
from timelens.bench.run_folder import Result
from timelens.bench.suite_data import Gold


def summed(results: Sequence[Result], gold: Mapping[str, Gold]) -> Mapping[str, Any]:
    """The date-shift part of a summary; empty if no question has copies of its passage in other years.

    For each kind of question: the number of questions (``n``), and for each shift in years (as text, in
    order) the share of questions, in percent, in which that copy is among the R best copies. R is the number
    of copies that the question admits, as in R-precision: a perfect ranking has 100 for those and 0 for all
    others. Documents that are not copies do not count, nor do questions that admit all copies or none,
    because no ranking is wrong for them.
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
