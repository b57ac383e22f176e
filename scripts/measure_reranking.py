"""Effect of reranking by the reader, on pages held out from its training.

    python scripts/measure_reranking.py FOLDER… --strategy timelens hybrid mrag

``FOLDER`` is in the BEIR layout, with queries named by page (TimeQA). Questions with evidence about held-out
pages are asked with each strategy, alternately with and without ``+rerank``. It prints evidence recall at 1
and 5 and nDCG@10, their differences with the 95 % interval of a paired bootstrap over the questions, and the
ratio of the median processor time of a search. Results are separate for the pages used to choose parameters
(``look``) and those only scored (``score``), split by a hash of names.
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from statistics import fmean, median

from calibrate_reader import NOW
from reading_examples import held_out

from timelens.bench import beir
from timelens.bench.diachronic import PARTS
from timelens.bench.run_folder import Result
from timelens.bench.runner import corpus_of, ingest
from timelens.bench.scorer import Scorer
from timelens.bench.statistics import differences
from timelens.bench.suite_data import Dataset, Query
from timelens.config import Settings
from timelens.corpus import Corpus

MEASURES = ("ER@1", "ER@5", "nDCG@10")
_K = 10
_SECONDS = "seconds"
Scores = dict[str, float]
"""Scores of one question by measure, with the processor seconds of its search."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--strategy", nargs="+", metavar="NAME", default=["timelens"])
    parser.add_argument("--part", choices=PARTS, nargs="+", default=PARTS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask each N-th question alone")
    parser.add_argument("--out", type=Path, metavar="FILE", help="append the scores of each question")
    arguments = parser.parse_args()
    for folder in arguments.data:
        dataset = beir.load(folder)
        corpus = corpus_of(dataset, Settings.load())
        ingest(dataset, corpus)
        corpus.warm()
        for part in arguments.part:
            queries = list(_asked(dataset, part))[:: arguments.every]
            for strategy in arguments.strategy:
                names = strategy, f"{strategy}+rerank"
                found: dict[str, dict[str, Scores]] = {name: {} for name in names}
                for query, name in product(queries, names):
                    found[name][query.id] = scores = _scores(dataset, corpus, query, name)
                    line = {"data": folder.name, "part": part, "strategy": name, "id": query.id}
                    _write({**line, **scores}, arguments.out)
                print(f"{folder.name} {part}, {strategy}: {len(queries)} questions")
                print("\n".join(_lines(*found.values())), flush=True)


def _write(line: Mapping[str, object], out: Path | None) -> None:
    """Append the scores of a question to a file, if one is named."""
    if out is not None:
        with out.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def _asked(dataset: Dataset, part: str) -> Iterator[Query]:
    """The questions with evidence about the held-out pages of a part."""
    for query in dataset.queries:
        page = query.id.partition("#")[0]
        is_looked_at = held_out(f"look {page}", 2)
        if dataset.gold[query.id].relevant and held_out(page, 5) and is_looked_at == (part == "look"):
            yield query


def _scores(dataset: Dataset, corpus: Corpus, query: Query, strategy: str) -> Scores:
    started = time.process_time()
    found = corpus.search(query.text, as_of=NOW, strategy=strategy, k=_K)
    seconds = time.process_time() - started
    ranking = tuple(dict.fromkeys(hit.chunk.source_id for hit in found.pool))
    scored = Scorer((1, 5, 10)).score(Result(query.id, None, ranking=ranking), dataset.gold[query.id])
    return {**{name: scored[name] for name in MEASURES}, _SECONDS: seconds}


def _lines(without: dict[str, Scores], reranked: dict[str, Scores]) -> Iterator[str]:
    """A line for each measure, and one for the time."""
    for name, one in differences(without, reranked).items():
        if name in MEASURES:
            means = [100 * fmean(scores[name] for scores in found.values()) for found in (without, reranked)]
            yield (
                f"  {name:8} {means[0]:5.1f} → {means[1]:5.1f}   {one.mean:+.1f} "
                f"[{one.low:+.1f}, {one.high:+.1f}] p {one.p:.4f}"
            )
    took = [1000 * median(scores[_SECONDS] for scores in found.values()) for found in (without, reranked)]
    yield f"  a search: {took[0]:.0f} → {took[1]:.0f} ms of the processor, {took[1] / took[0]:.1f} times"


if __name__ == "__main__":
    main()
