"""Suites that measure how texts and questions are read; nothing is ingested, searched or answered.

Such a suite turns a folder into cases (a text or a question, with its gold reading) and reads each case. The
run has the same folder, summary and JSON as a run over a corpus.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import timelens
from timelens import BadInputError
from timelens.bench.job import NO_ANSWERER
from timelens.bench.measures import means
from timelens.bench.run_folder import Result, RunFolder, code_hash, git_state
from timelens.temporal import Day, Interval, format_day

NO_STRATEGY = "none"
LIMITED = "beyond --limit"


@dataclass(frozen=True, slots=True)
class ReadingCase:
    """One text or question to read."""

    id: str
    kind: str | None
    read: Callable[[], tuple[str, Mapping[str, float]]]
    """Returns the reading in words and its scores in 0..1; an undefined measure is absent."""


@dataclass(frozen=True, slots=True)
class ReadingSet:
    """A folder as a reading suite loads it."""

    cases: tuple[ReadingCase, ...]
    measures: tuple[str, ...]
    """Names of the measures, in the order of the report."""
    hash: str
    """Hash of everything that is read."""
    excluded: Mapping[str, int] = field(default_factory=dict)
    """Number of excluded cases, by reason."""


ReadFolder = Callable[[Path, Day], ReadingSet]
"""Loads the cases from a folder; the second argument is the reference day."""


def run_reading(
    suite: str,
    data: Path,
    reading: ReadingSet,
    folder: RunFolder,
    *,
    as_of: Day,
    limit: int | None = None,
    command: Sequence[str] = (),
) -> tuple[dict[str, Any], list[Result]]:
    """Read every case, and write results and summary.

    Raises:
        BadInputError: the folder already has a run, or nothing in the data can be measured.
        StoreError: another process is writing into the folder.
    """
    cases = reading.cases[:limit]
    if not cases:
        left = ", ".join(f"{count} ({reason})" for reason, count in reading.excluded.items())
        raise BadInputError(
            f"{data} has nothing to measure{f'; left out: {left}' * bool(left)}",
            "see what the folder of the suite must hold: timelens bench list",
        )
    config = {
        "suite": suite,
        "data": str(data),
        "dataset": reading.hash,
        "strategy": NO_STRATEGY,
        "answerer": NO_ANSWERER,
        "as_of": format_day(as_of),
        "version": timelens.__version__,
        "code": code_hash(),
        "git": git_state(),
        "command": list(command),
        "questions": [case.id for case in cases],
    }
    with folder.writing():
        folder.begin(config, resume=False)
        results = [_result(case) for case in cases]
        summary = _summary(suite, data, reading, folder, results)
        folder.finish(results, summary)
    return summary, results


def _summary(
    suite: str, data: Path, reading: ReadingSet, folder: RunFolder, results: Sequence[Result]
) -> dict[str, Any]:
    excluded = Counter(reading.excluded)
    if len(reading.cases) > len(results):
        excluded[LIMITED] = len(reading.cases) - len(results)
    return {
        "suite": suite,
        "data": str(data),
        "strategy": NO_STRATEGY,
        "answerer": NO_ANSWERER,
        "n": len(results),
        "excluded": dict(excluded),
        "metrics": _metrics(reading.measures, results),
        "groups": {"kind": dict(_by_kind(reading.measures, results))},
        "seconds": round(sum(result.seconds for result in results), 3),
        "run": str(folder.path),
    }


def _result(case: ReadingCase) -> Result:
    started = time.perf_counter()
    said, scores = case.read()
    return Result(
        case.id, case.kind, answer=said, scores=scores, seconds=round(time.perf_counter() - started, 6)
    )


def _metrics(names: Sequence[str], results: Sequence[Result]) -> dict[str, float]:
    found = means(names, [result.scores for result in results])
    return {name: value for name, value in found.items() if value is not None}


def _by_kind(names: Sequence[str], results: Sequence[Result]) -> Iterator[tuple[str, dict[str, float]]]:
    for kind in sorted({result.kind for result in results if result.kind is not None}):
        yield kind, _metrics(names, [result for result in results if result.kind == kind])


def written(interval: Interval | None) -> str:
    """An interval as ``start/end`` in ISO form, with ``..`` for unbounded; empty for ``None``."""
    if interval is None:
        return ""
    return "/".join(".." if day is None else format_day(day) for day in (interval.start, interval.end))
