"""What each stage of a strategy is worth: the strategies and their ablations over a folder in BEIR's layout.

    python scripts/ablation.py ../data/beir/timeqa --every 4

prints a line for each: evidence recall, and its difference at 5 from the whole of its strategy, with the 95 %
interval of a paired bootstrap over the questions and the p of a randomisation test. The corpus is made
under TIMELENS_HOME once.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from timelens.api import Corpus
from timelens.bench import beir
from timelens.bench.data import Dataset
from timelens.bench.runner import corpus_of, ingest
from timelens.bench.statistics import differences
from timelens.config import Settings
from timelens.retrieval import mrag, tarag, timelens
from timelens.retrieval.strategies import STRATEGIES
from timelens.temporal.calendar import day_number

KS = (1, 5, 10)
COMPARED = 5
AS_OF = day_number(2026, 1, 1)
"""Counts as now, so that figures repeat."""


def variants() -> list[str]:
    """Every strategy, those with stages followed by themselves without each."""
    stages = {"tarag": tarag.STAGES, "mrag": mrag.STAGES, "timelens": timelens.STAGES}
    return [
        name
        for strategy in STRATEGIES
        for name in (strategy, *(f"{strategy}-{stage}" for stage in stages.get(strategy, ())))
    ]


def hits(dataset: Dataset, corpus: Corpus, strategy: str, every: int) -> NDArray[np.bool_]:
    """Whether evidence is among the first k of each question, shape (questions, ks)."""
    judged = [query for query in dataset.queries if dataset.gold[query.id].relevant][::every]
    rows = []
    for query in judged:
        day = AS_OF if query.as_of is None else query.as_of
        pool = corpus.search(query.text, as_of=day, strategy=strategy, k=max(KS)).pool
        ranking = list(dict.fromkeys(hit.chunk.source_id for hit in pool))
        rows.append([any(name in dataset.gold[query.id].relevant for name in ranking[:k]) for k in KS])
    return np.asarray(rows)


def of_compared(found: NDArray[np.bool_]) -> dict[str, dict[str, float]]:
    """The scores at the cut-off that is compared, by the number of the question."""
    column = found[:, KS.index(COMPARED)]
    return {str(number): {f"ER@{COMPARED}": float(hit)} for number, hit in enumerate(column)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="a folder in BEIR's layout")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask each N-th question alone")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=variants(), help="strategies to measure")
    arguments = parser.parse_args()
    dataset = beir.load(arguments.data)
    corpus = corpus_of(dataset, Settings.load())
    ingest(dataset, corpus)
    columns = " ".join(f"ER@{k:<3}" for k in KS)
    print(f"{'strategy':28} {columns} ER@{COMPARED} against the whole", flush=True)
    whole: dict[str, NDArray[np.bool_]] = {}
    for name in arguments.only:
        found = hits(dataset, corpus, name, arguments.every)
        base = whole.setdefault(name.partition("-")[0], found)
        line = f"{name:28} " + " ".join(f"{100 * share:<6.1f}" for share in found.mean(axis=0))
        if base is not found:
            one = differences(of_compared(base), of_compared(found))[f"ER@{COMPARED}"]
            line += f"{one.mean:+.1f} [{one.low:+.1f}, {one.high:+.1f}] p {one.p:.4f}"
        print(line, flush=True)
    print(f"{len(found)} questions", file=sys.stderr)


if __name__ == "__main__":
    main()
