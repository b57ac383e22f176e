"""``bench``: data, comparisons and reports; ``bench run`` and ``bench make`` are in separate modules."""

from pathlib import Path
from typing import Annotated

import typer

from timelens.cli import bench_make, bench_run
from timelens.cli.bench_options import (
    CUT_OFFS,
    CutOffsOption,
    DataOption,
    SplitOption,
    SuiteArgument,
    cut_offs,
)
from timelens.cli.options import (
    JsonOption,
    QuietOption,
    print_json,
)
from timelens.folders import user_path

app = typer.Typer(help="Measure retrieval and answers on suites of questions.", no_args_is_help=True)
app.command("run")(bench_run.run_suite)
app.add_typer(bench_make.app, name="make")


@app.command()
def fetch(
    suite: SuiteArgument,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to fetch into.")],
    split: SplitOption = None,
    query: Annotated[
        list[str] | None,
        typer.Option(
            "--query",
            metavar="NAME",
            help="For tempo, also the questions as a model reworded them: gpt4o_reason, qwen72b_reason, "
            "deepseek_reason or llama70b_reason; repeatable.",
        ),
    ] = None,
    corpus: Annotated[
        bool, typer.Option("--corpus", help="For temprageval, also the Wikipedia passages (33 million).")
    ] = False,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Fetch a suite's official data from a hub, a repository or the web, only when you ask for it.

    Files with a known hash are verified, and go on from where they stopped if they were interrupted.
    """
    from timelens.bench.fetch import fetch as fetch_files
    from timelens.bench.official_sources import sources_of
    from timelens.cli.bench_display import fetch_progress, show_fetched

    sources = sources_of(suite, split, queries=query or (), corpus=corpus)
    with fetch_progress(shown=not quiet) as on_progress:
        files = fetch_files(sources, user_path(out), on_progress=on_progress, quiet=quiet)
    if as_json:
        print_json(
            {
                "suite": suite,
                "files": [
                    {"path": str(file.path), "sha256": file.sha256, "verified": file.verified}
                    for file in files
                ],
            }
        )
    else:
        show_fetched(files)


@app.command()
def score(
    run: Annotated[Path, typer.Argument(metavar="RUN.trec", help="A run file in TREC's format.")],
    *,
    data: DataOption = None,
    suite: Annotated[
        str,
        typer.Option("--suite", metavar="SUITE", help="The suite of the data: beir, corpus, diachronic …"),
    ] = "beir",
    split: SplitOption = None,
    k: CutOffsOption = CUT_OFFS,
    as_json: JsonOption = False,
) -> None:
    """Score the ranking of a retriever of your own with the retrieval measures of a suite.

    A line has six columns: query-id Q0 document-id rank score name. The ids are those of the suite,
    with white space as %20. The score decides the order, the rank among equal scores. A question
    without a line counts as nothing found.
    """
    from timelens.bench.run_scoring import read_run, score_run
    from timelens.bench.suites import read, retrieval_suite
    from timelens.cli.bench_display import show_summary
    from timelens.cli.bench_jobs import named_data
    from timelens.cli.console import note

    path, folder = user_path(run), named_data(suite, data)
    named = retrieval_suite(suite)
    ranked = read_run(path)
    dataset = read(named, user_path(folder), split)
    summary, notes = score_run(ranked, dataset, suite=suite, data=str(folder), ks=cut_offs(k), path=path)
    note((*dataset.notes, *notes))
    if as_json:
        print_json(summary)
    else:
        show_summary(summary, ended="scored")


@app.command()
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Folders of finished runs.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Show the metrics of runs side by side, and how much each run differs from the first.

    The differences are over the questions that have a score in both runs, paired by question:
    in points of percent, with a 95 % interval (bootstrap) and the p of a randomisation test, both with 10,000
    samples of a fixed seed. p is not corrected for the number of comparisons.
    """
    from dataclasses import asdict

    from timelens.bench.run_comparison import compare as compare_runs
    from timelens.cli.bench_display import show_comparison

    comparison = compare_runs(runs)
    if as_json:
        print_json(
            {
                "runs": list(comparison.summaries),
                "labels": list(comparison.labels),
                "metrics": comparison.metrics,
                "differences": [
                    {"run": label, "metrics": {name: asdict(one) for name, one in found.items()}}
                    for label, found in zip(comparison.labels[1:], comparison.differences, strict=True)
                ],
                "notes": list(comparison.notes),
            }
        )
    else:
        show_comparison(comparison)


@app.command()
def report(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN", help="Folders of finished runs, or files of --keep.")
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write report.md, report.json and plots there; a name that ends in .md writes that "
            "document only.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="DIR",
            help="Write each run as a small file without this machine's paths, for reports elsewhere.",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            help="The measure of groups, differences and plots (default: A, else Right, else nDCG@10).",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Report finished runs: metrics, ablations (NAME beside NAME-STAGE), groups, coverage, published figures.

    Runs are named after their folders. Figures from papers are in separate tables. Plots
    need matplotlib, which comes with the extra "plots" of timelens.
    """
    from timelens.bench import saved_run
    from timelens.bench.report import sections
    from timelens.bench.report_files import as_json as report_json
    from timelens.bench.report_files import write_report
    from timelens.cli.bench_display import show_report, show_written

    found = sections([saved_run.read_run(user_path(path)) for path in runs], metric)
    if as_json:
        print_json(report_json(found))
    else:
        show_report(found)
    if keep is not None:
        folder = user_path(keep)
        show_written([saved_run.keep(run, part.metric, folder) for part in found for run in part.runs], [])
    if out is not None:
        show_written(*write_report(found, user_path(out)))


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
