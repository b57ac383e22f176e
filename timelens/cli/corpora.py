"""``ingest`` and ``corpora``."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from timelens.cli.options import JsonOption, QuietOption, agreed, corpus_name, finish, print_json
from timelens.cli.questions import make_annotator, with_model
from timelens.errors import BadInputError, ExitCode, TimelensError
from timelens.printable import printable_line

if TYPE_CHECKING:
    from timelens.api import Corpus
    from timelens.ingest.pipeline import IngestReport
    from timelens.ingest.proposals import Annotator
    from timelens.ingest.tables import TableColumns

app = typer.Typer(
    help="The corpora that are stored: list, show, verify, compact, remove.", no_args_is_help=False
)

_NAME = typer.Argument(metavar="NAME", help="A corpus by name or path.", show_default=False)
StartOption = Annotated[
    str | None, typer.Option("--start-col", help="Column of a table with the start of a fact.")
]
EndOption = Annotated[str | None, typer.Option("--end-col", help="Column with the end of a fact.")]


def ingest(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Files and folders.")] = None,
    corpus: Annotated[str, typer.Option("--corpus", "-c", help="The corpus to bring them into.")] = "",
    start_col: StartOption = None,
    end_col: EndOption = None,
    *,
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator",
            help="rules (the default), or llm: a language model proposes dated statements beside them.",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="FILE", help="The GGUF model of --annotator llm.")
    ] = None,
    sync: Annotated[
        bool,
        typer.Option(
            "--sync",
            help="Remove documents whose files are gone; none where anything could not be listed or read.",
        ),
    ] = False,
    remove_most: Annotated[
        bool,
        typer.Option(
            "--remove-most",
            help="With --sync, do so also where more than half of a place is gone, and more than five "
            "documents. Without this, a terminal asks, and elsewhere nothing is changed (exit code 2).",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be read and removed, and change nothing.")
    ] = False,
    reembed: Annotated[
        bool,
        typer.Option("--reembed", help="First embed what is stored again, with the configured embedder."),
    ] = False,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Bring new or changed files into a corpus. Unchanged ones cost nothing; interrupt and repeat at will."""
    from timelens.api import open_corpus
    from timelens.cli.display import show_report
    from timelens.config import Settings
    from timelens.contracts import ingest_json
    from timelens.ingest.tables import TableColumns

    if not corpus:
        raise BadInputError("no corpus is named", "add --corpus NAME")
    if not paths and not reembed:
        raise BadInputError(
            "there is nothing to ingest", "name files or folders: timelens ingest PATH --corpus NAME"
        )
    if remove_most and not sync:
        raise BadInputError("--remove-most does not go without --sync", "add --sync or leave it out")
    if dry_run and reembed:
        raise BadInputError("--dry-run does not go with --reembed", "leave one of them out")
    settings = with_model(Settings.load(), model)
    reader = make_annotator(settings, annotator, model=model)
    opened = open_corpus(corpus, settings)
    if reembed:
        opened.reembed()
    if not paths:
        return
    columns = TableColumns(start_col, end_col)
    if dry_run:
        report = opened.survey(paths, columns=columns, sync=sync)
    else:
        report = _ingested(opened, paths, columns, reader, sync=sync, remove_most=remove_most, quiet=quiet)
    if as_json:
        print_json(ingest_json(report))
    else:
        show_report(report)
    if report.failures:
        finish(ExitCode.DONE_WITH_FAILURES)


def _ingested(
    corpus: "Corpus",
    paths: Sequence[str],
    columns: "TableColumns",
    annotator: "Annotator | None",
    *,
    sync: bool,
    remove_most: bool,
    quiet: bool,
) -> "IngestReport":
    """Ingest; where that would remove most of a place, ask on a terminal first."""
    from timelens.cli.display import ingest_progress
    from timelens.ingest.places import MostlyGoneError

    try:
        with ingest_progress(shown=not quiet) as on_progress:
            return corpus.ingest(
                paths,
                columns=columns,
                sync=sync,
                remove_most=remove_most,
                annotator=annotator,
                on_progress=on_progress,
            )
    except MostlyGoneError as error:
        asks = sys.stdin is not None and sys.stdin.isatty()
        if not asks or not agreed(f"{error.message}. Remove them?"):
            raise
    return _ingested(corpus, paths, columns, annotator, sync=sync, remove_most=True, quiet=quiet)


@app.callback(invoke_without_command=True)
def corpora(context: typer.Context) -> None:
    """The corpora that are stored; without a command: list them."""
    if context.invoked_subcommand is None:
        list_all()


@app.command("list")
def list_all(*, as_json: JsonOption = False) -> None:
    """List the corpora with what they hold and the time they span."""
    from timelens.api import list_corpora
    from timelens.cli.display import show_corpora
    from timelens.contracts import corpus_json

    listed = []
    for corpus in list_corpora():
        try:
            listed.append(corpus_json(corpus, corpus.summary(), None))
        except TimelensError as error:
            listed.append(corpus_json(corpus, None, error))
    if as_json:
        print_json({"corpora": listed})
    else:
        show_corpora(listed)


@app.command()
def show(
    name: Annotated[str | None, _NAME] = None,
    *,
    key: Annotated[
        list[str] | None,
        typer.Option(
            "--key",
            metavar="COLUMNS",
            help="Columns of a table, with commas between them, that should determine all others at any "
            "day: every row that breaks this is counted. May be given again; or set tables.keys.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what one corpus holds, what determines what in its tables, and the rows that break it."""
    from timelens.api import open_corpus
    from timelens.cli.display import show_corpora, show_outlying, show_tables
    from timelens.contracts import corpus_json, tables_json

    corpus = open_corpus(corpus_name(name))
    shown = corpus_json(corpus, corpus.summary(), None) | tables_json(corpus.tables(key or ()))
    if as_json:
        print_json(shown)
    else:
        show_corpora([shown])
        show_outlying(shown["outlying"])
        show_tables(shown["tables"], shown["tables_count"])


@app.command()
def verify(
    name: Annotated[str | None, _NAME] = None,
    *,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Read the files of damaged documents again, and write the corpus anew with them."
        ),
    ] = False,
    lost: Annotated[
        str | None,
        typer.Option(
            "--lost",
            metavar="keep|remove",
            help="With --repair: what becomes of damaged documents that are in no file any more. keep leaves "
            "them damaged as they are. Without this nothing is changed if there are any.",
        ),
    ] = None,
    start_col: StartOption = None,
    end_col: EndOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Read all of a corpus and name what is damaged: files by their hashes, documents by their checksums.

    Exits with 4 where anything is damaged and was not repaired.
    """
    from timelens.api import open_corpus
    from timelens.cli.display import show_verification, steps_progress
    from timelens.contracts import verification_json
    from timelens.ingest.repair import Lost
    from timelens.ingest.tables import TableColumns

    if lost is not None and lost not in set(Lost):
        raise BadInputError(f"--lost takes keep or remove, not {lost}", "name one of them")
    if not repair and (lost or start_col or end_col):
        raise BadInputError("--lost, --start-col and --end-col go with --repair alone", "add --repair")
    corpus = open_corpus(corpus_name(name))
    with steps_progress(shown=not quiet) as on_step:
        if repair:
            columns = TableColumns(start_col, end_col)
            done = corpus.repair(columns=columns, lost=Lost(lost) if lost else None, on_step=on_step)
        else:
            done = corpus.verify(on_step)
    if as_json:
        print_json(verification_json(done))
    else:
        show_verification(done)
    if not done.is_fine:
        finish(ExitCode.STORE)


@app.command()
def compact(name: Annotated[str | None, _NAME] = None, *, as_json: JsonOption = False) -> None:
    """Merge what many runs wrote, and delete versions and files that nothing needs any more.

    Searches of other processes that have begun are given up to 30 seconds to end.
    """
    from timelens.api import open_corpus
    from timelens.contracts import compaction_json

    corpus = open_corpus(corpus_name(name))
    before, after = corpus.compact()
    if as_json:
        print_json(compaction_json(corpus.name, before, after))
    else:
        typer.echo(f"{printable_line(corpus.name)}: {before / 1e6:,.1f} MB before, {after / 1e6:,.1f} MB now")


@app.command()
def remove(
    name: Annotated[str, _NAME],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a corpus and all it holds. The files it was made from stay."""
    from timelens.api import open_corpus, remove_corpus

    if not yes and open_corpus(name).exists() and not agreed(f"Delete the corpus {name}?"):
        raise BadInputError("nothing was removed", "answer y, or add --yes")
    remove_corpus(name)
    typer.echo(f"removed {printable_line(name)}", err=True)
