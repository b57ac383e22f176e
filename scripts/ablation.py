"""Contribution of each stage: the strategies and their ablations over a folder in the BEIR layout.

    python scripts/ablation.py ../data/beir/timeqa --every 4
    python scripts/ablation.py ../data/beir/stock_prices --recall 20

prints a line for each: evidence recall at 1, 5 and 10, and the difference of recall at 5 from that of the
whole strategy, with the 95 % interval of a paired bootstrap over the questions and the p of a permutation
test. With ``--recall K`` it measures recall among the first K instead, relative to at most K pieces of
evidence. The corpus is made once under TIMELENS_HOME.
"""

import argparse
import sys
from pathlib import Path
from statistics import fmean

from timelens.bench import beir
from timelens.bench.runner import corpus_of, ingest
from timelens.bench.statistics import differences
from timelens.bench.suite_data import Dataset
from timelens.config import Settings
from timelens.corpus import Corpus
from timelens.retrieval import mrag, tarag, timelens
from timelens.retrieval.strategies import STRATEGIES
from timelens.temporal.calendar import day_number

KS = (1, 5, 10)
AS_OF = day_number(2026, 1, 1)
"""The reference day, fixed so that figures are reproducible."""


def variants() -> list[str]:
    """Every strategy; a strategy with stages is followed by its ablations."""
    stages = {"tarag": tarag.STAGES, "mrag": mrag.STAGES, "timelens": timelens.STAGES}
    return [
        name
        for strategy in STRATEGIES
        for name in (strategy, *(f"{strategy}-{stage}" for stage in stages.get(strategy, ())))
    ]


def scores(
    dataset: Dataset, corpus: Corpus, strategy: str, every: int, recall: int | None
) -> dict[str, dict[str, float]]:
    """The scores of each question with evidence, by its id."""
    found = {}
    for query in [query for query in dataset.queries if dataset.gold[query.id].relevant][::every]:
        gold = dataset.gold[query.id].relevant
        day = AS_OF if query.as_of is None else query.as_of
        result = corpus.search(query.text, as_of=day, strategy=strategy, k=recall or max(KS))
        ranking = list(dict.fromkeys(hit.chunk.source_id for hit in result.pool))
        if recall is None:
            found[query.id] = {f"ER@{k}": float(any(name in gold for name in ranking[:k])) for k in KS}
        else:
            chosen = {hit.chunk.source_id for hit in result.hits}
            found[query.id] = {f"recall@{recall}": len(chosen & gold.keys()) / min(recall, len(gold))}
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="a folder in BEIR's layout")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask each N-th question alone")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=variants(), help="strategies to measure")
    parser.add_argument("--recall", type=int, metavar="K", help="measure recall among the first K instead")
    arguments = parser.parse_args()
    dataset = beir.load(arguments.data)
    corpus = corpus_of(dataset, Settings.load())
    ingest(dataset, corpus)
    names = [f"recall@{arguments.recall}"] if arguments.recall else [f"ER@{k}" for k in KS]
    compared = names[len(names) // 2]
    print(
        f"{'strategy':28} {' '.join(f'{name:6}' for name in names)} {compared} against the whole", flush=True
    )
    whole: dict[str, dict[str, dict[str, float]]] = {}
    for name in arguments.only:
        found = scores(dataset, corpus, name, arguments.every, arguments.recall)
        base = whole.setdefault(name.partition("-")[0], found)
        means = (fmean(each[measure] for each in found.values()) for measure in names)
        line = f"{name:28} " + " ".join(f"{100 * mean:<6.1f}" for mean in means)
        if base is not found:
            one = differences(base, found)[compared]
            line += f" {one.mean:+.1f} [{one.low:+.1f}, {one.high:+.1f}] p {one.p:.4f}"
        print(line, flush=True)
    print(f"{len(found)} questions", file=sys.stderr)


if __name__ == "__main__":
    main()
