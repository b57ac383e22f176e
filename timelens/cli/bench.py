"""``bench``: run suites of questions, compare runs; ``bench make`` is in a file of its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from timelens.cli import bench_make
from timelens.cli.options import (
    AsOfOption,
    JsonOption,
    QuietOption,
    StrategyOption,
    day_of,
    finish,
    print_json,
)
from timelens.cli.questions import ReadingOption, make_answerer, with_model
from timelens.errors import BadInputError, ExitCode

if TYPE_CHECKING:
    from timelens.bench.runner import Job
    from timelens.bench.suites import ReadingSuite
    from timelens.config import Settings

app = typer.Typer(help="Measure retrieval and answers on suites of questions.", no_args_is_help=True)
app.add_typer(bench_make.app, name="make")

SuiteArgument = Annotated[
    str, typer.Argument(metavar="SUITE", help="A suite: see timelens bench list.", show_default=False)
]
DataOption = Annotated[
    Path, typer.Option("--data", metavar="DIR", help="The folder with documents and questions.")
]
AnswererOption = Annotated[
    str | None,
    typer.Option(
        "--answerer", help="none (evidence alone, the default), extractive or llama (a GGUF model)."
    ),
]
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="FILE", help="A GGUF model to answer with, for llama.")
]


@app.command("run")
def run_suite(
    suite: SuiteArgument,
    *,
    data: DataOption,
    strategy: StrategyOption = None,
    answerer: AnswererOption = None,
    model: ModelOption = None,
    reading: ReadingOption = None,
    k: Annotated[
        str | None, typer.Option("--k", metavar="N,N…", help="Cut-offs, 1,5,10,20 unless given.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first questions.")] = None,
    as_of: AsOfOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RUN", help="A new folder for the run.", show_default=False),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that is in RUN.")] = False,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Ask a suite's questions and score them; every question is written down as it is finished."""
    from timelens.bench import runner
    from timelens.bench.runs import RunFolder
    from timelens.bench.suites import ReadingSuite, suite_named
    from timelens.cli.bench_display import question_progress, show_faults, show_summary
    from timelens.cli.display import ingest_progress
    from timelens.config import Settings
    from timelens.retrieval.strategies import strategy_named

    named = suite_named(suite)
    if isinstance(named, ReadingSuite):
        wanted = None if answerer == runner.NO_ANSWERER else answerer
        given = {
            "--strategy": strategy,
            "--answerer": wanted,
            "--model": model,
            "--reading": reading,
            "--k": k,
            "--resume": resume,
        }
        _refuse(suite, [option for option, value in given.items() if value])
        _run_reading(suite, named, data, out, as_of=as_of, limit=limit, as_json=as_json)
        return
    settings = with_model(Settings.load(), model, reading)
    chosen, writer = strategy or settings.strategy, answerer or runner.NO_ANSWERER
    strategy_named(chosen)
    folder = RunFolder(_run_folder(out, suite, data, chosen, writer, resume=resume))
    job = _job(
        settings,
        suite=suite,
        data=data,
        strategy=chosen,
        answerer=writer,
        model=model,
        reading=reading,
        ks=_cut_offs(k or "1,5,10,20"),
        as_of=day_of(as_of or (folder.recorded_day() if resume else None)),
        limit=limit,
    )
    dataset = named.load(data.expanduser())
    corpus = runner.corpus_of(dataset, settings)
    with ingest_progress(shown=not quiet) as on_document:
        report = runner.ingest(dataset, corpus, on_document)
    with _resumable(folder.path), question_progress(shown=not quiet) as on_question:
        summary, results = runner.run(job, dataset, corpus, folder, resume=resume, on_progress=on_question)
    show_faults(report, results, dataset.notes)
    if as_json:
        print_json(summary)
    else:
        show_summary(summary)
    if report.failures or any(result.failed for result in results):
        finish(ExitCode.DONE_WITH_FAILURES)


@app.command()
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Show the metrics of runs side by side."""
    from timelens.bench.compare import compare as compare_runs
    from timelens.cli.bench_display import show_comparison

    comparison = compare_runs(runs)
    if as_json:
        print_json(
            {
                "runs": list(comparison.summaries),
                "labels": list(comparison.labels),
                "metrics": comparison.metrics,
                "notes": list(comparison.notes),
            }
        )
    else:
        show_comparison(comparison)


@app.command("list")
def list_suites(*, as_json: JsonOption = False) -> None:
    """List the suites and what their folders hold."""
    from timelens.bench.suites import SUITES
    from timelens.cli.bench_display import show_suites

    if as_json:
        suites = [
            {"name": name, "data": suite.layout, "purpose": suite.purpose} for name, suite in SUITES.items()
        ]
        print_json({"suites": suites})
    else:
        show_suites(SUITES)


def _refuse(suite: str, options: Sequence[str]) -> None:
    """Nothing that is asked for is ignored.

    Raises:
        BadInputError: an option is given that the suite has no use for.
    """
    if options:
        raise BadInputError(
            f"{options[0]} does not go with the suite {suite}",
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
    from timelens.cli.bench_display import show_summary

    day = day_of(as_of)
    folder = RunFolder(_run_folder(out, suite, data, resume=False))
    reading = named.load(data.expanduser(), day)
    summary, _ = run_reading(suite, data, reading, folder, as_of=day, limit=limit)
    if as_json:
        print_json(summary)
    else:
        show_summary(summary)


@contextmanager
def _resumable(run: Path) -> Iterator[None]:
    """Say how an interrupted run goes on."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"the finished questions are kept: go on with --resume --out {run}", err=True)
        raise


def _job(
    settings: "Settings",
    *,
    answerer: str,
    model: str | None,
    reading: str | None,
    **what: Any,  # noqa: ANN401
) -> "Job":
    """The job with its answerer.

    Raises:
        BadInputError: there is no such answerer, or an option does not go with it.
        MissingError: there is no such model.
    """
    from timelens.bench.runner import NO_ANSWERER, Job
    from timelens.bench.runs import file_hash

    if answerer not in {NO_ANSWERER, "extractive", "llama"}:
        raise BadInputError(f"there is no answerer {answerer!r}", "choose none, extractive or llama")
    for option, value in (("--model", model), ("--reading", reading)):
        if answerer != "llama" and value is not None:
            raise BadInputError(f"{option} does not go with --answerer {answerer}", "add --answerer llama")
    writer = None if answerer == NO_ANSWERER else make_answerer(settings, answerer, model=model)
    path = None if settings.llama.model is None else settings.llama.model.expanduser()
    described = None
    if writer is not None and path is not None:
        kept = settings.llama.model_dump(mode="json", exclude={"model", "gpu_layers"})
        described = {"path": str(path), "sha256": file_hash(path), **{n: str(v) for n, v in kept.items()}}
    return Job(
        answerer=answerer,
        writer=writer,
        model=described,
        **{**what, "data": str(what["data"])},
    )


def _cut_offs(text: str) -> tuple[int, ...]:
    try:
        ks = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError as error:
        raise BadInputError(f"--k {text!r} is no list of numbers", "write --k 1,5,10,20") from error
    if ks[0] < 1 or ks[-1] > 1000:
        raise BadInputError(f"--k {text!r} is out of range", "cut-offs are from 1 to 1000")
    return ks


def _run_folder(out: Path | None, suite: str, data: Path, *made_with: str, resume: bool) -> Path:
    """The folder named, or a new one under the timelens home."""
    if out is not None:
        return out.expanduser()
    if resume:
        raise BadInputError("no run is named to go on with", "add --out RUN")
    from datetime import datetime

    from timelens.config import home

    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    name = "-".join((suite, data.expanduser().resolve().name, *made_with, stamp))
    return home() / "bench" / "runs" / name
