"""One table of answer quality, suite × answerer × reading mode, from existing runs.

    timelens bench run beir --data timeqa --answerer llama --model a.gguf --reading cot --out runs/timeqa-cot
    python scripts/measure_models.py runs/* --graded own a.gguf cot answers.jsonl

A run may be unfinished: ``n`` then gives the number of questions asked so far, and ``--resume`` continues it.
Each row is about the answers shown to the user: the share of the questions answered right (including right
refusals), answered wrong, and wrongly refused; EM and F1 if the suite has them; ``cited``, the share of the
given answers that cite evidence; and the median seconds per question.

``--graded`` takes answers graded by another check: JSON Lines with ``grade`` (right, wrong, or any other word
for a question that was not answered), ``status`` and ``answer`` as ``ask --json`` prints them, and
``seconds`` if known.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from timelens.answer.citation_numbers import numbers_cited
from timelens.answer.draft import Status
from timelens.bench.job import NO_ANSWERER
from timelens.bench.run_folder import Result, RunFolder
from timelens.bench.scorer import shown_name
from timelens.bench.suite_data import read_records
from timelens.errors import BadInputError, TimelensError
from timelens.printable import markdown_within

COLUMNS = "suite answerer reading n right wrong refused EM F1 cited seconds".split()
WORDS = 3
"""Number of leading text columns; the others are figures."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The outcome of one question. Figures are in 0..1; ``None`` if undefined."""

    right: bool
    refused: bool
    """Whether the question was refused, rightly or wrongly."""
    cites: bool
    seconds: float | None
    exact: float | None = None
    overlap: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """The questions of one suite, asked of one answerer in one reading mode."""

    suite: str
    answerer: str
    reading: str
    asked: Sequence[Asked]
    planned: int
    """Number of questions to ask."""

    def cells(self) -> list[str]:
        """The cells of the table row."""
        wrong = [not one.right and not one.refused for one in self.asked]
        refused = [not one.right and one.refused for one in self.asked]
        seconds = [one.seconds for one in self.asked if one.seconds is not None]
        shares = ([one.right for one in self.asked], wrong, refused)
        known = ((one.exact for one in self.asked), (one.overlap for one in self.asked))
        cites = (one.cites for one in self.asked if not one.refused)
        part = "" if len(self.asked) == self.planned else f" of {self.planned}"
        return [
            *(self.suite, self.answerer, self.reading, f"{len(self.asked)}{part}"),
            *(_percent(each) for each in (*shares, *known, cites)),
            f"{median(seconds):.1f}" if seconds else "–",
        ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="*", metavar="RUN", help="folders of bench run with answers")
    parser.add_argument(
        "--graded",
        nargs=4,
        action="append",
        default=[],
        metavar=("SUITE", "ANSWERER", "READING", "FILE"),
        help="answers that another check graded; READING is - without a model",
    )
    chosen = parser.parse_args(arguments)
    if not chosen.runs and not chosen.graded:
        parser.error("name folders of runs, or files with --graded")
    try:
        rows = [row_of_run(path) for path in chosen.runs]
        rows += [
            row_of_file(suite, name, reading, Path(file)) for suite, name, reading, file in chosen.graded
        ]
    except TimelensError as error:
        raise SystemExit(f"{error.message}\n  {error.hint}") from error
    print("\n".join(table(rows)))


def table(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of the table in Markdown, sorted by suite and answerer."""
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{' --- |' * WORDS}{' ---: |' * (len(COLUMNS) - WORDS)}"
    for row in sorted(rows, key=lambda row: (row.suite, row.answerer, row.reading)):
        yield f"| {' | '.join(map(markdown_within, row.cells()))} |"


def row_of_run(path: Path) -> Row:
    """The row of a run, finished or not; for several runs in one folder, of all their questions.

    Raises:
        MissingError: there is no run.
        BadInputError: its file is broken, or it has no answers.
    """
    run = RunFolder(path)
    config = run.config()
    if config["answerer"] == NO_ANSWERER:
        raise BadInputError(f"the run in {path} has no answers", "make it with --answerer, or leave it out")
    results = [part.results() for part in run.parts]
    model = config["model"] or {}
    name = Path(model["path"]).name if "path" in model else model.get("model", config["answerer"])
    data = Path(config["data"]).name
    suite = data if data == config["suite"] else f"{config['suite']} {data}"
    scored = [result for part in results for result in part.values() if _accuracy(result) is not None]
    unscored = sum(map(len, results)) - len(scored)
    planned = len(run.parts) * len(config["questions"]) - unscored
    return Row(suite, name, model.get("reading", "-"), [asked_in(result) for result in scored], planned)


def asked_in(result: Result) -> Asked:
    """The outcome of a question in a run, as the user sees it."""
    said = result.prediction if result.shown is None else result.shown
    names = [shown_name(name) if result.shown is not None else name for name in ("EM", "F1")]
    return Asked(
        right=_accuracy(result) == 1,
        refused=said is None or said.refused,
        cites=bool(numbers_cited(result.answer or "")),
        seconds=result.seconds or None,
        exact=result.scores.get(names[0]),
        overlap=result.scores.get(names[1]),
    )


def row_of_file(suite: str, answerer: str, reading: str, path: Path) -> Row:
    """The row of answers that another check graded.

    Raises:
        MissingError: there is no such file.
        BadInputError: it is not JSON Lines, or a line lacks a field.
    """
    asked = [_graded(record) for record in read_records(path, "grade", "status")]
    return Row(suite, answerer, reading, asked, len(asked))


def _graded(record: Mapping[str, Any]) -> Asked:
    return Asked(
        right=record["grade"] == "right",
        refused=record["status"] == Status.NO_ANSWER,
        cites=bool(numbers_cited(str(record.get("answer") or ""))),
        seconds=record.get("seconds"),
    )


def _accuracy(result: Result) -> float | None:
    return result.scores.get(shown_name("A") if result.shown is not None else "A")


def _percent(figures: Iterable[float | None]) -> str:
    """The mean of the known figures, in percent."""
    known = [figure for figure in figures if figure is not None]
    return f"{100 * fmean(known):.1f}" if known else "–"


if __name__ == "__main__":
    main(sys.argv[1:])
