"""Scores the ranking of any retriever: a run file in TREC's format, over the questions of a suite."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from timelens import BadInputError, MissingError
from timelens.bench.job import NO_ANSWERER, Job
from timelens.bench.measures import ranks_stating
from timelens.bench.run_folder import Result, plain_id
from timelens.bench.scorer import Scorer
from timelens.bench.suite_data import Dataset, read_text
from timelens.bench.suite_fields import unknown
from timelens.bench.summary import summarised

_COLUMNS = "query-id Q0 document-id rank score name"


@dataclass(frozen=True, slots=True)
class RankedRun:
    """The rankings of a run file."""

    name: str
    """The last column of its first line."""
    rankings: Mapping[str, Sequence[str]]
    """Document ids by query id, best first; ids as they are in the file."""


def read_run(path: Path) -> RankedRun:
    """Read a run file. As in trec_eval, the score decides the order; the rank decides among equal scores.

    Raises:
        MissingError: there is no such file.
        BadInputError: a line has another format, a document is ranked twice for a query, or there are no
            lines.
    """
    if not path.is_file():
        raise MissingError(f"there is no run file {path}", f"write one line a document: {_COLUMNS}")
    rows: dict[str, dict[str, tuple[float, int]]] = {}
    name = ""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            query, _, document, rank, score, tag = line.split()
            place = (-float(score), int(rank))
        except ValueError as error:
            raise BadInputError(
                f"{path} line {number} is not a line of a TREC run",
                f"write six columns: {_COLUMNS}; white space in ids as %20",
            ) from error
        if not isfinite(place[0]):
            raise BadInputError(f"{path} line {number}: the score is not a number", "write a finite number")
        of_query = rows.setdefault(query, {})
        if document in of_query:
            raise BadInputError(
                f"{path} line {number} ranks {document} twice for {query}", "rank each document once"
            )
        of_query[document] = place
        name = name or tag
    if not rows:
        raise BadInputError(f"{path} holds no ranking", f"write one line a document: {_COLUMNS}")
    return RankedRun(name, {query: sorted(found, key=found.__getitem__) for query, found in rows.items()})


def score_run(
    run: RankedRun, dataset: Dataset, *, suite: str, data: str, ks: tuple[int, ...], path: Path
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The summary of a run over the questions of a dataset, and notes.

    A question that the run does not rank is scored as if nothing had been found.

    Raises:
        BadInputError: the run ranks none of the questions.
    """
    plain = {plain_id(query.id): query.id for query in dataset.queries}
    if not plain.keys() & run.rankings.keys():
        raise BadInputError(
            f"{path} ranks no question of {data}, for instance {next(iter(plain))}",
            "use the ids of the suite as query ids, white space as %20",
        )
    known = {plain_id(name): name for name in _named(dataset)}
    scorer = Scorer(ks)
    results = []
    for query in dataset.queries:
        gold = dataset.gold[query.id]
        ranking = tuple(known.get(name, name) for name in run.rankings.get(plain_id(query.id), ()))
        stating: tuple[int, ...] = ()
        if dataset.texts is not None:
            stating = ranks_stating([dataset.texts.get(name, "") for name in ranking[: max(ks)]], gold)
        result = Result(query.id, gold.kind, ranking=ranking, stating=stating)
        scores = scorer.score(result, gold)
        if dataset.texts is None:  # the evidence that may state an answer is a passage, which a run lacks
            scores = {name: value for name, value in scores.items() if not name.startswith("AR@")}
        results.append(Result(query.id, gold.kind, ranking=ranking, stating=stating, scores=scores))
    job = Job(suite, data, run.name, NO_ANSWERER, ks, as_of=0)
    lost = [name for ranking in run.rankings.values() for name in ranking if name not in known]
    return (
        summarised(job, scorer.names, results, dataset, path),
        (
            *unknown(
                "queries of the run that are not in the data", [q for q in run.rankings if q not in plain]
            ),
            *unknown("questions that the run does not rank", [q for q in plain if q not in run.rankings]),
            *(
                unknown("ranked documents that are not in the data", lost)
                if dataset.texts is not None
                else ()
            ),
        ),
    )


def _named(dataset: Dataset) -> Iterable[str]:
    """The documents that the data knows or names as gold."""
    for gold in dataset.gold.values():
        yield from gold.relevant
        yield from (name for documents in gold.periods for name in documents)
        yield from gold.supporting or ()
        yield from gold.barred
    yield from dataset.texts or ()
