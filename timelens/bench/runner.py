"""Ingests a suite's documents, asks its questions, and writes the results."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import timelens
from timelens import Corpus, IngestProgress, IngestReport, Settings, open_corpus
from timelens.bench.job import Job
from timelens.bench.question_runner import QuestionRunner
from timelens.bench.run_folder import Result, RunFolder, code_hash, corpus_key, git_state
from timelens.bench.scorer import Scorer
from timelens.bench.suite_data import Dataset, Query
from timelens.bench.summary import summarised
from timelens.bench.workers import Ask, Spread, Work
from timelens.folders import home
from timelens.temporal import format_day


def corpus_of(dataset: Dataset, settings: Settings) -> Corpus:
    """The corpus of a dataset, shared by all runs over the same documents.

    It is under the timelens home, or under ``storage.bench``.
    """
    embedder = settings.embedder.model_dump_json(exclude={"device", "allow_download"})
    made_with = embedder + settings.time.model_dump_json()
    key = corpus_key(dataset.documents_hash, made_with)
    return open_corpus(f"{settings.storage.bench or home() / 'bench' / 'corpora'}/{key}", settings)


def ingest(
    dataset: Dataset, corpus: Corpus, on_progress: Callable[[IngestProgress], None] = lambda _: None
) -> IngestReport:
    """Ingest a dataset's documents that are not stored yet."""
    return dataset.ingest(corpus, on_progress)


def run(
    job: Job,
    dataset: Dataset,
    corpus: Corpus,
    folder: RunFolder,
    *,
    resume: bool = False,
    spread: Spread | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[dict[str, Any], list[Result]]:
    """Ask the questions that are not answered yet, and write results and summary.

    The results do not depend on whether the questions are ``spread`` to other processes, which ask them in
    any order. With a model, questions are asked in this process.

    Raises:
        BadInputError: the folder has a run with another configuration.
        StoreError: another process is writing into the folder, or the corpus cannot be read; the run can
            be resumed.
    """
    queries = dataset.queries[:: job.every][: job.limit]
    config = _config(job, dataset, corpus, queries)
    with folder.writing():
        finished = folder.begin(config, resume=resume)
        waiting = [query for query in queries if query.id not in finished]
        make = partial(_asker, job)
        if spread is not None and job.writer is None:
            asked = spread(Work(make, dataset, corpus.path, corpus.settings), waiting)
        else:
            asked = map(make(dataset, corpus), waiting)
        on_progress(len(queries) - len(waiting), len(queries))
        for left, result in zip(reversed(range(len(waiting))), asked, strict=True):
            folder.add(result)
            finished[result.id] = result
            on_progress(len(queries) - left, len(queries))
        results = [finished[query.id] for query in queries]
        summary = summarised(job, Scorer(job.ks).names, results, dataset, folder.path)
        folder.finish(results, summary)
    return summary, results


def _asker(job: Job, dataset: Dataset, corpus: Corpus) -> Ask:
    corpus.warm()
    return QuestionRunner(job, dataset, corpus).ask


def require_free(job: Job, dataset: Dataset, folder: RunFolder, *, resume: bool) -> None:
    """Check, before documents are ingested, that a run may be written to a folder.

    Raises:
        BadInputError: the folder has a run that is not resumed, or that has another configuration.
    """
    folder.require_free(_config_of_job(job, dataset), resume=resume)


def _config(job: Job, dataset: Dataset, corpus: Corpus, queries: Sequence[Query]) -> dict[str, Any]:
    return {
        **_config_of_job(job, dataset),
        "embedder": asdict(corpus.summary().embedder),
        "corpus": str(corpus.path),
        "git": git_state(),
        "command": list(job.command),
        "questions": [query.id for query in queries],
    }


def _config_of_job(job: Job, dataset: Dataset) -> dict[str, Any]:
    return {
        "suite": job.suite,
        "data": job.data,
        "dataset": dataset.hash,
        "strategy": job.strategy,
        "answerer": job.answerer,
        "task": job.task,
        "query": job.query,
        "negatives": job.negatives,
        "judge": {"name": job.judge_name, "model": job.judge_model},
        "evidence": job.evidence,
        "evidence_from": job.evidence_from,
        "model": None if job.model is None else dict(job.model),
        "k": list(job.ks),
        "every": job.every,
        "limit": job.limit,
        "as_of": format_day(job.as_of),
        "version": timelens.__version__,
        "code": code_hash(),
    }
