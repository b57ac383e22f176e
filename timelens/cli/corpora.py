"""``corpora``."""

from typing import Annotated

import typer

from timelens import BadInputError, ExitCode, TimelensError
from timelens.cli.options import (
    EndOption,
    JsonOption,
    QuietOption,
    StartOption,
    agreed,
    corpus_name,
    finish,
    print_json,
)
from timelens.printable import printable_line

app = typer.Typer(
    help="The corpora that are stored: list, show, verify, compact, remove.", no_args_is_help=False
)

_NAME = typer.Argument(metavar="NAME", help="A corpus by name, path or address.", show_default=False)


@app.callback(invoke_without_command=True)
def corpora(context: typer.Context, *, as_json: JsonOption = False) -> None:
    """The stored corpora; without a command, list them."""
    if context.invoked_subcommand is None:
        list_all(as_json=as_json)
    elif as_json:
        command = context.invoked_subcommand
        raise BadInputError(
            f"--json stands before {command}", f"write it after it: timelens corpora {command} --json"
        )


@app.command("list")
def list_all(*, as_json: JsonOption = False) -> None:
    """List the corpora with their contents and the time they span."""
    from timelens import list_corpora
    from timelens.cli.corpora_display import show_corpora
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
            help="Columns of a table, separated by commas, that should determine all others at any "
            "day; every row that breaks this is counted. Repeatable; or set tables.keys.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show one corpus: its events over time, dependencies between columns, and rows that break them."""
    from timelens import open_corpus
    from timelens.cli.corpora_display import (
        HISTOGRAM_WIDTH,
        show_corpora,
        show_histogram,
        show_outlying,
        show_tables,
    )
    from timelens.contracts import corpus_json, histogram_json, tables_json

    corpus = open_corpus(corpus_name(name))
    histogram = corpus.histogram(HISTOGRAM_WIDTH)
    shown = {
        **corpus_json(corpus, corpus.summary(), None),
        **histogram_json(histogram),
        **tables_json(corpus.tables(key or ())),
    }
    if as_json:
        print_json(shown)
    else:
        show_corpora([shown])
        show_histogram(histogram)
        show_outlying(shown["outlying"])
        show_tables(shown["tables"], shown["tables_count"])


@app.command()
def verify(
    name: Annotated[str | None, _NAME] = None,
    *,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Read the files of damaged documents again, and rewrite the corpus with them."
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
    """Read a whole corpus and name what is damaged: files by their hashes, documents by their checksums.

    Exits with 4 if anything is damaged and was not repaired.
    """
    from timelens import Lost, TableColumns, open_corpus
    from timelens.cli.corpora_display import show_verification
    from timelens.cli.progress import steps_progress
    from timelens.contracts import verification_json

    if lost is not None and lost not in set(Lost):
        raise BadInputError(f"--lost is keep or remove, not {lost}", "name one of them")
    if not repair and (lost or start_col or end_col):
        raise BadInputError("--lost, --start-col and --end-col need --repair", "add --repair")
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
    """Merge what many runs wrote, and delete versions and files that are no longer needed.

    Running searches of other processes have up to 30 seconds to end.
    """
    from timelens import open_corpus
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
    """Delete a corpus with all its contents. The files it was made from stay."""
    from timelens import open_corpus, remove_corpus

    if not yes and open_corpus(name).exists() and not agreed(f"Delete the corpus {name}?"):
        raise BadInputError("nothing was removed", "answer y, or add --yes")
    remove_corpus(name)
    typer.echo(f"removed {printable_line(name)}", err=True)
