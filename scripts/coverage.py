"""Effect of coverage-aware selection: the share of a long period's years that the evidence covers.

Questions about change over four periods of a corpus are asked with ``timelens``, with and without its stage
``coverage``. It prints the share of the years of each period that the time of some hit meets, relative to the
years that k hits can reach, with the 95 % interval of the paired difference.

    python scripts/coverage.py FOLDER [--topics WORDS…] [-k 5 10]
"""

import argparse
from pathlib import Path
from statistics import fmean

from timelens.asking import SearchResult
from timelens.bench import beir
from timelens.bench.runner import corpus_of, ingest
from timelens.bench.statistics import differences
from timelens.config import Settings
from timelens.retrieval.coverage import bins_of
from timelens.temporal.calendar import civil

TOPICS = ("inflation", "unemployment", "housing", "oil prices", "household spending", "exports", "wages")
PERIODS = ((0.05, 0.35), (0.25, 0.6), (0.4, 0.75), (0.65, 0.98))
"""The asked periods, as parts of the corpus's span."""


def reached(result: SearchResult, k: int) -> float:
    """The share of the asked years that the time of some hit meets, relative to at most k years."""
    if result.coverage.asked is None:
        raise ValueError("the question asks about no time")
    years = bins_of(result.coverage.asked)
    met = sum(any(hit.interval and year.intersects(hit.interval) for hit in result.hits) for year in years)
    return min(1.0, met / min(len(years), k))


def main() -> None:
    """Print a line for each k."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, metavar="FOLDER", help="a folder in BEIR's layout")
    parser.add_argument("--topics", nargs="+", default=TOPICS, metavar="WORDS")
    parser.add_argument("-k", type=int, nargs="+", default=[5, 10])
    arguments = parser.parse_args()
    dataset = beir.load(arguments.data)
    corpus = corpus_of(dataset, Settings.load())
    ingest(dataset, corpus)
    span = corpus.summary().span
    if span is None or span.start is None or span.end is None:
        raise SystemExit("the corpus has no dates")
    start, days = span.start, span.end - span.start
    periods = [tuple(civil(start + round(days * part))[0] for part in pair) for pair in PERIODS]
    questions = [
        f"How did {topic} change from {first} to {last}?"
        for topic in arguments.topics
        for first, last in periods
    ]
    for k in arguments.k:
        shares = {
            name: {
                question: {"reach": reached(corpus.search(question, as_of=span.end, strategy=name, k=k), k)}
                for question in questions
            }
            for name in ("timelens", "timelens-coverage")
        }
        gain = differences(shares["timelens-coverage"], shares["timelens"])["reach"]
        means = [100 * fmean(each["reach"] for each in of_one.values()) for of_one in shares.values()]
        print(
            f"k = {k}: {means[0]:.1f} % of the years with the stage coverage, {means[1]:.1f} % without: "
            f"{gain.mean:+.1f} [{gain.low:+.1f}, {gain.high:+.1f}] on {gain.n} questions",
            flush=True,
        )


if __name__ == "__main__":
    main()
