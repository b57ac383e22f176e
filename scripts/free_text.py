"""Check that names and days read from an answer's text equal the values that the rules gave with it.

Takes a finished run of TDBench without a model. The solver's answers state all of their values in words, so
A, T and AT must be the same by text and by values; a difference is an error of reading. Refusals are not
read.

    timelens bench run tdbench --data FOLDER --answerer extractive --out RUN
    python scripts/free_text.py RUN FOLDER [--questions 400] [--seed 7]
"""

import argparse
from pathlib import Path
from random import Random

from timelens.bench import tdbench
from timelens.bench.measures import ACCURACY, ANSWER_AND_TIME, TIME_ACCURACY, Measure
from timelens.bench.predictions import Prediction, as_written, outcome_of
from timelens.bench.run_folder import RunFolder
from timelens.bench.suite_data import Gold
from timelens.temporal.calendar import parse_day


def main() -> None:
    """Compare, and print the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()

    data, run = tdbench.load(options.folder), RunFolder(options.run)
    results, now = run.results(), parse_day(str(run.recorded_day()))
    asked = [query for query in data.queries if query.id in results]
    chosen = Random(options.seed).sample(asked, min(options.questions, len(asked)))
    found: dict[str, list[tuple[float, float]]] = {}
    for query in chosen:
        result, gold = results[query.id], data.gold[query.id]
        if result.answer is None or result.prediction is None:
            continue
        day = now if query.as_of is None else query.as_of
        read = result.prediction
        if not read.refused:
            read = as_written(result.answer, query.text, gold, day)
        for measure in (ACCURACY, TIME_ACCURACY, ANSWER_AND_TIME):
            given, told = (scored(measure, said, result.answer, gold) for said in (result.prediction, read))
            if given is not None and told is not None:
                found.setdefault(measure.name, []).append((given, told))
                if given != told:
                    print(f"{query.id}: {measure.name} {given:g} by values, {told:g} by the text")
    for name, pairs in found.items():
        means = (100 * sum(side) / len(pairs) for side in zip(*pairs, strict=True))
        same = sum(given == told for given, told in pairs)
        print(
            f"{name}: {same} of {len(pairs)} alike; by values, by the text:",
            *(f"{mean:.1f}" for mean in means),
        )


def scored(measure: Measure, said: Prediction, text: str, gold: Gold) -> float | None:
    """The score of a prediction with its text."""
    return measure.score(outcome_of((), (), text, said, gold), gold)


if __name__ == "__main__":
    main()
