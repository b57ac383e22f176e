"""``bench run``: ask a suite's questions and score them."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from timelens import BadInputError, ExitCode
from timelens.cli.bench_jobs import (
    check_together,
    cut_offs,
    named_data,
    run_folder,
    sampling,
    with_models,
)
from timelens.cli.model_options import ReadingOption, with_model
from timelens.cli.options import (
    AddressOption,
    AsOfOption,
    EngineOption,
    JsonOption,
    QuietOption,
    StrategyOption,
    day_of,
    finish,
    print_json,
)
from timelens.folders import user_path

if TYPE_CHECKING:
    from timelens import Settings
    from timelens.bench.data import Dataset
    from timelens.bench.job import Job
    from timelens.bench.runs import RunFolder
    from timelens.bench.suites import ReadingSuite, Suite
    from timelens.bench.workers import Spread

SuiteArgument = Annotated[
    str, typer.Argument(metavar="SUITE", help="A suite: see timelens bench list.", show_default=False)
]
SplitOption = Annotated[
    str | None,
    typer.Option("--split", metavar="NAME", help="A split of data that has several (TEMPO's domains)."),
]
DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="The folder with documents and questions.", show_default=False
    ),
]
AnswererOption = Annotated[
    str | None,
    typer.Option(
        "--answerer", help="none (only evidence, the default), extractive, llama (a GGUF model) or server."
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", metavar="FILE", help="A GGUF model to answer with; for server, its name there."),
]

_JOBS = (
    "Ask with N processes; worth it for hundreds of questions on many cores. Each process loads the "
    "embedder for itself (seconds, and about 700 MB). The results are the same as with one process. Not "
    "with a model."
)

_OF_READING = {"suite", "data", "out", "as_of", "limit", "quiet", "as_json"}
"""What suites have a use for that measure how texts and questions are read."""


def run_suite(
    context: typer.Context,
    suite: SuiteArgument,
    *,
    data: DataOption = None,
    split: SplitOption = None,
    task: Annotated[
        str,
        typer.Option(
            "--task", metavar="NAME", help="documents, or by steps: step-only, query+step, query+all."
        ),
    ] = "documents",
    query: Annotated[
        str,
        typer.Option(
            "--query",
            metavar="NAME",
            help="How questions are worded: baseline, strip (without their time), temporal-only, normalised "
            "(time in tags), or a folder of reformulations in DIR (TEMPO's gpt4o_reason).",
        ),
    ] = "baseline",
    without_negatives: Annotated[
        bool,
        typer.Option("--without-negatives", help="Take negative_ids and excluded_ids out of the rankings."),
    ] = False,
    strategy: StrategyOption = None,
    answerer: AnswererOption = None,
    model: ModelOption = None,
    reading: ReadingOption = None,
    k: Annotated[str, typer.Option("--k", metavar="N,N…", help="Cut-offs.")] = "1,5,10,20",
    evidence: Annotated[
        int | None,
        typer.Option("--evidence", min=1, max=1000, help="How many pieces of evidence are answered from."),
    ] = None,
    evidence_from: Annotated[
        str,
        typer.Option(
            "--evidence-from",
            metavar="NAME",
            help="What answers are based on: retrieved, oracle (the gold passages) or none (what a "
            "model knows).",
        ),
    ] = "retrieved",
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="NAME",
            help="What judges evidence by its time: none, rules or llm (default for tempo: rules).",
        ),
    ] = None,
    judge_model: Annotated[
        str | None, typer.Option("--judge-model", metavar="FILE", help="The GGUF model of the judge llm.")
    ] = None,
    runs: Annotated[
        int,
        typer.Option(
            "--runs", min=1, max=100, help="The number of runs; mean and standard deviation are reported."
        ),
    ] = 1,
    temperature: Annotated[
        float | None,
        typer.Option(
            "--temperature",
            metavar="T",
            help="Sample a model's answers, 0 to 2; each of several --runs has a seed of its own.",
        ),
    ] = None,
    every: Annotated[
        int,
        typer.Option(
            "--every", min=1, metavar="N", help="Ask only every N-th question; every kind of question stays."
        ),
    ] = 1,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Ask only the first N questions.")
    ] = None,
    as_of: AsOfOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RUN", help="A new folder for the run.", show_default=False),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that is in RUN.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, metavar="N", help=_JOBS)] = 1,
    engine: EngineOption = "local",
    address: AddressOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Ask a suite's questions and score them; every question is stored when it is finished."""
    from timelens import Settings
    from timelens.bench.job import NO_ANSWERER, Job
    from timelens.bench.runs import RunFolder
    from timelens.bench.suites import ReadingSuite, suite_named
    from timelens.retrieval.strategies import strategy_named

    named = suite_named(suite)
    data = named_data(suite, data)
    if isinstance(named, ReadingSuite):
        _refuse_unused(context, suite)
        _run_reading(suite, named, data, out, as_of=as_of, limit=limit, as_json=as_json)
        return
    settings = with_model(Settings.load(), model, reading, answerer=answerer)
    chosen, writer = strategy or settings.strategy, answerer or NO_ANSWERER
    strategy_named(chosen)
    unusual = [one for one in (query, evidence_from) if one not in {"baseline", "retrieved"}]
    path = run_folder(out, suite, data, chosen, writer, *unusual, resume=resume)
    folders = [RunFolder(path / f"run-{n}") for n in range(1, runs + 1)] if runs > 1 else [RunFolder(path)]
    begun_on = folders[0].recorded_day() if resume else None
    job = Job(
        suite=suite,
        data=str(data),
        strategy=chosen,
        answerer=writer,
        ks=cut_offs(k),
        as_of=day_of(as_of or begun_on),
        every=every,
        limit=limit,
        task=task,
        query=query,
        without_negatives=without_negatives,
        evidence=evidence,
        evidence_from=evidence_from,
        command=tuple(argument for argument in sys.argv[1:] if argument != "--resume"),
    )
    judge = judge or named.judge
    spread = _spread(jobs, engine, address)
    check_together(
        job,
        settings,
        model=model,
        reading=reading,
        temperature=temperature,
        judge=judge,
        judge_model=judge_model,
        spread_by=None if spread is None else "--jobs" if jobs > 1 else "--engine",
    )
    own = [sampling(settings, writer, temperature, n) for n in range(runs)]
    own = own if own[0] != own[-1] else own[:1]
    asking = [with_models(job, each, model=model, judge=judge, judge_model=judge_model) for each in own]
    dataset = _asked(job, named, user_path(data), split)
    planned = list(zip(asking if len(asking) == runs else asking * runs, folders, strict=True))
    failed, summaries = _run_all(planned, dataset, settings, resume=resume, spread=spread, quiet=quiet)
    _report(summaries, path, as_json=as_json)
    if failed:
        finish(ExitCode.DONE_WITH_FAILURES)


def _spread(jobs: int, engine: str, address: str | None) -> "Spread | None":
    """Who else asks questions, if not this process alone.

    Raises:
        BadInputError: there is no such engine, or what does not go together is named.
        MissingError: the engine is not installed.
    """
    from timelens.cli.unloaded import let_pandas_in
    from timelens.cluster import is_on_ray

    if is_on_ray(engine, address):
        let_pandas_in()
        if jobs > 1:
            raise BadInputError(f"--jobs does not go with --engine {engine}", "leave it out: each core asks")
        from timelens.bench.distributed import ask_on_ray

        return partial(ask_on_ray, address)
    if jobs > 1:
        from timelens.bench.workers import ask_all

        return partial(ask_all, jobs)
    return None


def _asked(job: "Job", suite: "Suite", data: Path, split: str | None) -> "Dataset":
    """The questions of a folder in the words, and as the task, that the job asks for."""
    from timelens.bench.given import answerable
    from timelens.bench.steps import as_task
    from timelens.bench.suites import read
    from timelens.bench.variants import in_words_of

    worded = in_words_of(read(suite, data, split), job.query, data, split, job.as_of)
    return answerable(as_task(worded, job.task), job.evidence_from)


def _run_all(
    runs: Sequence[tuple["Job", "RunFolder"]],
    dataset: "Dataset",
    settings: "Settings",
    *,
    resume: bool,
    spread: "Spread | None",
    quiet: bool,
) -> tuple[bool, list[dict[str, Any]]]:
    """Bring the documents in, run each job into its folder, and say what failed."""
    from timelens.answer.lm import ModelAnswerer
    from timelens.bench import runner
    from timelens.cli.bench_display import question_progress, show_faults
    from timelens.cli.display import ingest_progress

    corpus = runner.corpus_of(dataset, settings)
    with ingest_progress(shown=not quiet) as on_document:
        report = runner.ingest(dataset, corpus, on_document)
    failed, summaries = bool(report.failures), []
    for job, folder in runs:
        begun = resume and folder.recorded_day() is not None
        with _resumable(folder.path), question_progress(shown=not quiet) as on_question:
            summary, results = runner.run(
                job,
                dataset,
                corpus,
                folder,
                resume=begun or (resume and len(runs) == 1),
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
    """Print a run, or what several come to together."""
    from timelens.bench.repeated import together
    from timelens.bench.runs import write_summary
    from timelens.cli.bench_display import show_summary

    summary = summaries[0]
    if len(summaries) > 1:
        summary = together(summaries, path)
        write_summary(path, summary)
    if as_json:
        print_json(summary)
    else:
        show_summary(summary)


def _refuse_unused(context: typer.Context, suite: str) -> None:
    """Nothing that is asked for is ignored.

    Raises:
        BadInputError: an option is given that the suite has no use for.
    """
    for option in context.command.params:
        usual = {option.default, "none"} if option.name in {"answerer", "judge"} else {option.default}
        if option.name not in _OF_READING and context.params.get(option.name or "") not in usual:
            raise BadInputError(
                f"{option.opts[0]} does not go with the suite {suite}",
                "leave it out: texts and questions are read, nothing is searched or answered",
            )


def _run_reading(
    suite: str,
    named: "ReadingSuite",
    data: Path,
    out: Path | None,
    *,
    as_of: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    from timelens.bench.reading import run_reading
    from timelens.bench.runs import RunFolder

    day = day_of(as_of)
    folder = RunFolder(run_folder(out, suite, data, resume=False))
    reading = named.load(user_path(data), day)
    summary, _ = run_reading(suite, data, reading, folder, as_of=day, limit=limit, command=sys.argv[1:])
    _report([summary], folder.path, as_json=as_json)


@contextmanager
def _resumable(run: Path) -> Iterator[None]:
    """Say how an interrupted run goes on."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"the finished questions are kept: go on with --resume --out {run}", err=True)
        raise
