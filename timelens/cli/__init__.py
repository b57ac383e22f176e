"""The command line: parse arguments, call the API, print, exit code."""

import gc
import os
import sys
from typing import Annotated

import typer

from timelens import __version__
from timelens.cli import bench, corpora, machine, models, questions
from timelens.errors import ExitCode, TimelensError

_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""What a command loads stays, so that looking through it for garbage as often as usual is lost time."""

app = typer.Typer(
    name="timelens",
    help="Answers to questions about time, from your own documents, on your own machine.",
    epilog="Exit codes: 0 done · 1 done with failures that are listed · 2 usage or bad input · "
    "3 missing corpus, model, server or data · 4 locked, corrupt or incompatible store · 130 interrupted.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def timelens(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    """Answers to questions about time, from your own documents, on your own machine."""
    del debug  # :func:`main` looks for it, because errors reach it from any command
    if version:
        typer.echo(f"timelens {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        machine.chat()


app.command()(machine.chat)
app.command()(questions.ask)
app.command()(questions.search)
app.command()(corpora.ingest)
app.add_typer(corpora.app, name="corpora")
app.command()(questions.parse)
app.command()(questions.tag)
app.add_typer(models.app, name="model")
app.add_typer(bench.app, name="bench")
app.command()(machine.doctor)


def main() -> None:
    """Run the command line and exit.

    Every error is one line with its remedy; ``--debug`` shows where it came from.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    debug = "--debug" in sys.argv[1:]
    try:
        app()
    except TimelensError as error:
        if debug:
            raise
        _say(f"timelens: {error.message}\n  {error.hint}")
        sys.exit(error.exit_code)
    except SystemExit as ended:
        if ended.code == ExitCode.INTERRUPTED:  # which Typer ends with, silently
            _say("timelens: interrupted; what was stored stays, and the same command goes on from there")
        raise
    except BrokenPipeError:  # whoever read our output has stopped, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.DONE)


def _say(message: str) -> None:
    from timelens.printable import printable

    print(printable(message), file=sys.stderr)  # noqa: T201 -- the last word, whatever state a console is in
