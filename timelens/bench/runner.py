"""Asks a suite's questions, scores each at once, and sums up."""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import timelens
from timelens.agent import Answer, Answerer
from timelens.answer.choices import choose
from timelens.answer.model import Status
from timelens.api import Corpus, open_corpus
from timelens.bench.data import Dataset, Gold, Query
from timelens.bench.measures import Outcome, Scorer, means
from timelens.bench.runs import Result, RunFolder, code_hash, corpus_key, git_state
from timelens.config import Settings, home
from timelens.documents import Hit
from timelens.errors import BadInputError
from timelens.ingest.pipeline import IngestProgress, IngestReport
from timelens.retrieval.model import summariser_in
from timelens.temporal.calendar import Day, format_day

NO_ANSWERER = "none"

_CITATION = re.compile(r" ?\[\d+\]", re.ASCII)
_FAULTS = (BadInputError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""What leaves one question out; anything else (a damaged corpus, a full disk) ends the run, to be resumed."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to run."""

    suite: str
    data: str
    strategy: str
    answerer: str
    """Its name; :data:`NO_ANSWERER` asks for evidence alone."""
    ks: tuple[int, ...]
    as_of: Day
    """The day that counts as now for questions that state none."""
    limit: int | None = None
    writer: Answerer | None = None
    """The model to answer with; ``None`` is the extractive answerer."""
    model: Mapping[str, str] | None = None
    """What the model is."""


def corpus_of(dataset: Dataset, settings: Settings) -> Corpus:
    """The corpus of a dataset under the timelens home, shared by all runs over the same documents."""
    embedder = settings.embedder.model_dump_json(exclude={"device", "allow_download"})
    made_with = embedder + settings.time.model_dump_json()
    return open_corpus(
        str(home() / "bench" / "corpora" / corpus_key(dataset.documents_hash, made_with)), settings
    )


def ingest(
    dataset: Dataset, corpus: Corpus, on_progress: Callable[[IngestProgress], None] = lambda _: None
) -> IngestReport:
    """Bring a dataset's documents in, where they are not there yet."""
    return dataset.ingest(corpus, on_progress)


def run(
    job: Job,
    dataset: Dataset,
    corpus: Corpus,
    folder: RunFolder,
    *,
    resume: bool = False,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[dict[str, Any], list[Result]]:
    """Ask what is not asked yet, and write results and summary.

    Raises:
        BadInputError: there is a run of another configuration in the folder.
        StoreError: the corpus cannot be read; the run can be resumed.
    """
    queries = dataset.queries[: job.limit]
    finished = folder.begin(_config(job, dataset, corpus, queries), resume=resume)
    scorer = Scorer(job.ks)
    results = []
    for done, query in enumerate(queries):
        on_progress(done, len(queries))
        result = finished.get(query.id)
        if result is None:
            result = _ask(job, query, dataset, corpus, scorer)
            folder.add(result)
        results.append(result)
    on_progress(len(queries), len(queries))
    summary = _summary(job, scorer.names, results, dataset, folder.path)
    folder.finish(results, summary)
    return summary, results


def _ask(job: Job, query: Query, dataset: Dataset, corpus: Corpus, scorer: Scorer) -> Result:
    """One question: its evidence, its answer where one is wanted, its scores."""
    gold = dataset.gold[query.id]
    day = job.as_of if query.as_of is None else query.as_of
    started = time.perf_counter()
    try:
        found = corpus.search(
            query.text,
            as_of=day,
            strategy=job.strategy,
            k=max(job.ks),
            summariser=summariser_in(job.writer),
        ).pool
    except _FAULTS as error:
        return Result(query.id, gold.kind, failed="retrieval failed", error=_words_of(error))
    ranking, passages = _ranked(found, dataset.texts)
    answer: Answer | None = None
    failed: str | None = None
    fault: str | None = None
    if job.answerer != NO_ANSWERER:
        try:
            answer = corpus.ask(query.text, as_of=day, strategy=job.strategy, answerer=job.writer)
        except _FAULTS as error:
            failed, fault = "answer failed", _words_of(error)
    seconds = round(time.perf_counter() - started, 4)
    outcome = _outcome(ranking, passages[: max(job.ks)], answer, gold)
    scores = scorer.score(outcome, gold)
    said = None if answer is None else answer.text
    return Result(query.id, gold.kind, ranking, said, scores, seconds, failed, fault)


def _ranked(hits: Sequence[Hit], texts: Mapping[str, str] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The documents, each where its best chunk stands, and the texts of the evidence in the same order."""
    ranking = tuple(dict.fromkeys(hit.chunk.source_id for hit in hits))
    if texts is None:
        return ranking, tuple(hit.chunk.content for hit in hits)
    return ranking, tuple(texts[name] for name in ranking)


def _outcome(
    ranking: tuple[str, ...], passages: tuple[str, ...], answer: Answer | None, gold: Gold
) -> Outcome:
    if answer is None:
        return Outcome(ranking, passages)
    if answer.status is Status.NO_ANSWER:
        return Outcome(ranking, passages, "", "", refused=True)
    text = _CITATION.sub("", answer.text)
    if gold.choices:
        chosen = choose(text, gold.choices) or ""
        return Outcome(ranking, passages, chosen, chosen)
    values = [value.text for value in answer.values]
    return Outcome(
        ranking, passages, ", ".join(values) or text, "\n".join([text, *values]), values=answer.values
    )


def _summary(
    job: Job, names: Sequence[str], results: Sequence[Result], dataset: Dataset, path: Path
) -> dict[str, Any]:
    """What the contract asks for. Questions with nothing to score them by, and failures, are counted."""
    scored = [result for result in results if result.scores]
    excluded = Counter(dataset.excluded)
    excluded.update(result.failed for result in results if result.failed is not None)
    unknown = sum(not result.scores and result.failed is None for result in results)
    if unknown:
        excluded["nothing known to score by"] = unknown
    metrics = means(names, [result.scores for result in scored])
    defined = [name for name in names if metrics[name] is not None]
    kinds = [result.kind for result in scored]
    relations = [dataset.gold[result.id].relation for result in scored]
    groups = {"kind": _grouped(defined, scored, kinds), "relation": _grouped(defined, scored, relations)}
    return {
        "suite": job.suite,
        "data": job.data,
        "strategy": job.strategy,
        "answerer": job.answerer,
        "n": len(scored),
        "excluded": dict(excluded),
        "metrics": {name: metrics[name] for name in defined},
        "groups": {name: group for name, group in groups.items() if group},
        "seconds": round(sum(result.seconds for result in results), 3),
        "run": str(path),
    }


def _grouped(
    names: Sequence[str], results: Sequence[Result], labels: Sequence[str | None]
) -> dict[str, dict[str, float | None]]:
    """The number of questions under each label, as ``n``, and their metrics."""
    groups: dict[str, dict[str, float | None]] = {}
    for label in sorted({label for label in labels if label is not None}):
        scores = [result.scores for result, own in zip(results, labels, strict=True) if own == label]
        groups[label] = {"n": len(scores), **means(names, scores)}
    return groups


def _config(job: Job, dataset: Dataset, corpus: Corpus, queries: Sequence[Query]) -> dict[str, Any]:
    return {
        "suite": job.suite,
        "data": job.data,
        "dataset": dataset.hash,
        "strategy": job.strategy,
        "answerer": job.answerer,
        "model": None if job.model is None else dict(job.model),
        "k": list(job.ks),
        "as_of": format_day(job.as_of),
        "embedder": asdict(corpus.summary().embedder),
        "corpus": str(corpus.path),
        "version": timelens.__version__,
        "code": code_hash(),
        "git": git_state(),
        "questions": [query.id for query in queries],
    }


def _words_of(error: BaseException) -> str:
    message = str(error) or type(error).__name__
    return message if isinstance(error, BadInputError) else f"{type(error).__name__}: {message}"
