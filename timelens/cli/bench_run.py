"""The command ``bench run``: ask the questions of a suite and score the answers."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from timelens import BadInputError, ExitCode
from timelens.cli.bench_jobs import check_together, named_data, run_folder, sampling, with_models
from timelens.cli.bench_options import RunOptions
from timelens.cli.commands import command_of
from timelens.cli.model_options import with_model
from timelens.cli.options import day_of, finish, print_json
from timelens.folders import user_path

if TYPE_CHECKING:
    from timelens import Settings
    from timelens.bench.job import Job
    from timelens.bench.run_folder import RunFolder
    from timelens.bench.suite_data import Dataset
    from timelens.bench.suites import ReadingSuite, Suite
    from timelens.bench.workers import Spread
    from timelens.temporal import Day

_READING_OPTIONS = {"suite", "data", "out", "as_of", "limit", "quiet", "as_json"}
"""The options of suites that measure how texts and questions are read."""


@command_of(RunOptions)
def run_suite(asked: RunOptions) -> None:
    """Ask a suite's questions and score them; every question is stored when it is finished."""
    from timelens.bench.suites import ReadingSuite, suite_named

    suite = suite_named(asked.suite)
    data = named_data(asked.suite, asked.data)
    if isinstance(suite, ReadingSuite):
        _refuse_unused(asked)
        _run_reading(asked, suite, data)
    else:
        _run_asking(asked, suite, data)


def _run_asking(asked: RunOptions, suite: "Suite", data: Path) -> None:
    """Run a suite whose questions are asked of a corpus."""
    from timelens import Settings
    from timelens.bench.job import NO_ANSWERER
    from timelens.bench.run_folder import RunFolder
    from timelens.retrieval.strategies import strategy_named

    settings = with_model(Settings.load(), asked.model, asked.reading, answerer=asked.answerer)
    strategy, answerer = asked.strategy or settings.strategy, asked.answerer or NO_ANSWERER
    strategy_named(strategy)
    path = run_folder(asked.out, asked.suite, data, strategy, answerer, *asked.unusual, resume=asked.resume)
    runs = asked.runs
    folders = [RunFolder(path / f"run-{n}") for n in range(1, runs + 1)] if runs > 1 else [RunFolder(path)]
    begun_on = folders[0].recorded_day() if asked.resume else None
    job = _job(asked, str(data), strategy, answerer, day_of(asked.as_of or begun_on))
    spread = _spread(asked)
    judge = asked.judge or suite.judge
    check_together(job, asked, settings, judge, spreads=spread is not None)
    asking = _sampled(job, asked, settings, judge)
    dataset = _asked(job, suite, user_path(data), asked.split)
    failed, summaries = _run_all(list(zip(asking, folders, strict=True)), dataset, settings, asked, spread)
    _report(summaries, path, as_json=asked.as_json)
    if failed:
        finish(ExitCode.DONE_WITH_FAILURES)


def _job(asked: RunOptions, data: str, strategy: str, answerer: str, day: "Day") -> "Job":
    """The job of the options, before models are added."""
    from timelens.bench.job import Job

    return Job(
        suite=asked.suite,
        data=data,
        strategy=strategy,
        answerer=answerer,
        ks=asked.cut_offs,
        as_of=day,
        every=asked.every,
        limit=asked.limit,
        task=asked.task,
        query=asked.query,
        without_negatives=asked.without_negatives,
        evidence=asked.evidence,
        evidence_from=asked.evidence_from,
        command=tuple(argument for argument in sys.argv[1:] if argument != "--resume"),
    )


def _sampled(job: "Job", asked: RunOptions, settings: "Settings", judge: str) -> "list[Job]":
    """The job of each run with its models; runs with equal sampling settings share the models."""
    own = [sampling(settings, job.answerer, asked.temperature, n) for n in range(asked.runs)]
    if own[0] == own[-1]:
        return [with_models(job, asked, own[0], judge)] * asked.runs
    return [with_models(job, asked, each, judge) for each in own]


def _spread(asked: RunOptions) -> "Spread | None":
    """The function that spreads questions over other processes; ``None`` if this process asks them.

    Raises:
        BadInputError: there is no such engine, or ``--jobs`` is combined with a cluster.
        MissingError: the engine is not installed.
    """
    from timelens.cli.unloaded import let_pandas_in
    from timelens.cluster import is_on_ray

    if is_on_ray(asked.engine, asked.address):
        let_pandas_in()
        if asked.jobs > 1:
            raise BadInputError(
                f"--jobs does not go with --engine {asked.engine}", "leave it out: each core asks"
            )
        from timelens.bench.cluster_workers import ask_on_ray

        return partial(ask_on_ray, asked.address)
    if asked.jobs > 1:
        from timelens.bench.workers import ask_all

        return partial(ask_all, asked.jobs)
    return None


def _asked(job: "Job", suite: "Suite", data: Path, split: str | None) -> "Dataset":
    """The questions of a folder, in the wording and for the task of the job."""
    from timelens.bench.evidence_source import answerable
    from timelens.bench.retrieval_steps import TASKS, as_task
    from timelens.bench.suites import read
    from timelens.bench.variants import in_words_of

    whole = job.task == TASKS[0]  # the other tasks ask the steps of all questions
    worded = in_words_of(
        read(suite, data, split),
        job.query,
        data,
        split,
        job.as_of,
        every=job.every if whole else 1,
        limit=job.limit if whole else None,
    )
    dataset = answerable(as_task(worded, job.task), job.evidence_from, every=job.every, limit=job.limit)
    if job.without_negatives and not any(dataset.gold[query.id].barred for query in dataset.queries):
        note = "no question has negative_ids or excluded_ids, so nothing is taken out of the rankings"
        return replace(dataset, notes=(*dataset.notes, note))
    return dataset


def _run_all(
    runs: Sequence[tuple["Job", "RunFolder"]],
    dataset: "Dataset",
    settings: "Settings",
    asked: RunOptions,
    spread: "Spread | None",
) -> tuple[bool, list[dict[str, Any]]]:
    """Ingest the documents and run each job. Returns (whether anything failed, the summary of each run)."""
    from timelens.answer.lm import ModelAnswerer
    from timelens.bench import runner
    from timelens.cli.bench_display import question_progress, show_faults
    from timelens.cli.progress import ingest_progress

    begun = [asked.resume and (len(runs) == 1 or folder.recorded_day() is not None) for _, folder in runs]
    for (job, folder), resumed in zip(runs, begun, strict=True):
        runner.require_free(job, dataset, folder, resume=resumed)
    corpus = runner.corpus_of(dataset, settings)
    with ingest_progress(shown=not asked.quiet) as on_document:
        report = runner.ingest(dataset, corpus, on_document)
    failed, summaries = bool(report.failures), []
    for (job, folder), resumed in zip(runs, begun, strict=True):
        with _resumable(folder.path), question_progress(shown=not asked.quiet) as on_question:
            summary, results = runner.run(
                job,
                dataset,
                corpus,
                folder,
                resume=resumed,
                spread=spread,
                on_progress=on_question,
            )
        show_faults(report, results, dataset.notes)
        if isinstance(job.writer, ModelAnswerer) and job is not runs[-1][0]:
            job.writer.close()
        failed = failed or any(result.failed for result in results)
        summaries.append(summary)
    return failed, summaries


def _report(summaries: Sequence[dict[str, Any]], path: Path, *, as_json: bool) -> None:
    """Print the summary of a run, or the combined summary of several runs."""
    from timelens.bench.repeated_runs import together
    from timelens.bench.run_folder import write_summary
    from timelens.cli.bench_display import show_summary

    summary = summaries[0]
    if len(summaries) > 1:
        summary = together(summaries, path)
        write_summary(path, summary)
    if as_json:
        print_json(summary)
    else:
        show_summary(summary)


def _refuse_unused(asked: RunOptions) -> None:
    """Refuse options that a reading suite would ignore.

    Raises:
        BadInputError: such an option is given.
    """
    for option in asked.context.command.params:
        usual = {option.default, "none"} if option.name in {"answerer", "judge"} else {option.default}
        if option.name not in _READING_OPTIONS and asked.context.params.get(option.name or "") not in usual:
            raise BadInputError(
                f"{option.opts[0]} does not go with the suite {asked.suite}",
                "leave it out: texts and questions are read, nothing is searched or answered",
            )


def _run_reading(asked: RunOptions, suite: "ReadingSuite", data: Path) -> None:
    """Run a suite that measures how texts or questions are read."""
    from timelens.bench.reading_suites import run_reading
    from timelens.bench.run_folder import RunFolder

    day = day_of(asked.as_of)
    folder = RunFolder(run_folder(asked.out, asked.suite, data, resume=False))
    reading = suite.load(user_path(data), day)
    summary, _ = run_reading(
        asked.suite, data, reading, folder, as_of=day, limit=asked.limit, command=sys.argv[1:]
    )
    _report([summary], folder.path, as_json=asked.as_json)


@contextmanager
def _resumable(run: Path) -> Iterator[None]:
    """Context that tells how to resume if the run is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"the finished questions are kept: go on with --resume --out {run}", err=True)
        raise
