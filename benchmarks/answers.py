"""Seconds per question of a corpus that is loaded, without a language model.

    python benchmarks/answers.py [FOLDER …]

A folder holds ``documents``, ``questions.jsonl`` (about one time) and ``diachronic.jsonl`` (about several
times); the default are all folders in ``scripts/folders``. Every question is asked once. Budget: a median of
1 s over all questions, on two cores.
"""

import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from timelens.api import open_corpus
from timelens.config import Settings
from timelens.temporal.calendar import parse_day

FOLDERS = Path(__file__).parents[1] / "scripts" / "folders"
FILES = {"one time": "questions.jsonl", "several times": "diachronic.jsonl"}
NOW = parse_day("2026-11-20")
BUDGET = 1.0


def seconds_of(folder: Path) -> Iterator[tuple[str, float]]:
    """The seconds of each question of a folder, with the name of its kind."""
    with tempfile.TemporaryDirectory() as home:
        corpus = open_corpus(str(Path(home) / folder.name), Settings.load())
        corpus.ingest([folder / "documents"])
        corpus.warm()
        corpus.ask("Who was chair?", as_of=NOW)
        for kind, name in FILES.items():
            for row in map(json.loads, (folder / name).open()):
                started = time.perf_counter()
                corpus.ask(row["question"], as_of=NOW)
                yield kind, time.perf_counter() - started


def main() -> None:
    """Print the median and the 90th percentile for each kind of question, and over all."""
    folders = [Path(name) for name in sys.argv[1:]] or sorted(
        path for path in FOLDERS.iterdir() if path.is_dir()
    )
    spent: dict[str, list[float]] = defaultdict(list)
    for folder in folders:
        for kind, seconds in seconds_of(folder):
            spent[kind].append(seconds)
    spent["all"] = [seconds for times in spent.values() for seconds in times]
    for kind, times in spent.items():
        middle, tenth = statistics.median(times), statistics.quantiles(times, n=10)[-1]
        print(f"{kind:14} {len(times)} questions: median {middle:.2f} s, nine in ten within {tenth:.2f} s")
    print(f"budget: a median of {BUDGET} s")


if __name__ == "__main__":
    main()
