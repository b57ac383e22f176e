"""The command line: parse arguments, call the API, print, exit code."""

import gc
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from timelens import BadInputError, ExitCode, TimelensError, __version__
from timelens.cli.lazy_commands import LazyGroup
from timelens.cli.streams import NobodyReadsError, checked_output, give_up_output
from timelens.cli.unloaded import without_pandas

_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Threshold of the garbage collector: most loaded objects stay, so frequent collections waste time."""

app = typer.Typer(
    name="timelens",
    cls=LazyGroup,
    help="Answers to questions about time, from your own documents, on your own machine.",
    epilog="Exit codes: 0 done · 1 done with failures that are listed · 2 usage or bad input · "
    "3 missing corpus, model, server or data · 4 locked, corrupt or incompatible store · "
    "70 internal error in timelens · 74 output that cannot be written · 130 interrupted.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def timelens(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Log what is read, found and decided on standard error.")
    ] = False,
    log_file: Annotated[
        Path | None,
        typer.Option("--log-file", metavar="FILE", help="Add the same to a file that only you can read."),
    ] = None,
    log_texts: Annotated[
        bool,
        typer.Option("--log-texts", help="Log texts of questions, passages and answers too."),
    ] = False,
) -> None:
    """Answers to questions about time, from your own documents, on your own machine."""
    del debug  # :func:`main` looks for it in ``sys.argv``, because errors reach it from any command
    if version:
        typer.echo(f"timelens {__version__}")
        raise typer.Exit
    if verbose or log_file is not None:
        from timelens.cli.logs import keep_log

        keep_log(shown=verbose, file=log_file, texts=log_texts)
    elif log_texts:
        raise BadInputError("--log-texts needs a log", "add --verbose or --log-file FILE")
    if context.invoked_subcommand is None:
        from timelens.cli.machine import chat

        chat()


def main() -> None:
    """Run the command line and exit.

    Every error is shown as one line with its remedy, even an internal error; ``--debug`` also shows the
    traceback.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    sys.exit(run())


def run() -> int | str | None:
    """Run the command line. Returns the value for ``sys.exit``."""
    code: int | None = ExitCode.DONE
    try:
        with without_pandas(), checked_output():
            code = app(standalone_mode=False)
            return _interrupted() if code == ExitCode.INTERRUPTED else code
    except TimelensError as error:
        return _tell(error, error)
    except TyperException as error:
        return _tell(_usage_fault(error), error)
    except SystemExit as ended:
        return ended.code
    except KeyboardInterrupt:
        return _interrupted()
    except NobodyReadsError as error:
        give_up_output()
        return code or error.exit_code
    except BaseException as error:  # noqa: BLE001 -- native libraries may raise a BaseException
        from timelens.faults import fault_of

        return _tell(fault_of(error), error)


def _usage_fault(error: TyperException) -> BadInputError:
    """Arguments that Typer refuses, as a one-line error."""
    message = error.format_message().removesuffix(".") or "no command is named"
    context: typer.Context | None = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "timelens"
    return BadInputError(message[:1].lower() + message[1:], f"see: {command} --help")


def _tell(error: TimelensError, cause: BaseException) -> ExitCode:
    if "--debug" in sys.argv[1:]:
        import traceback

        _say("".join(traceback.format_exception(cause)))
    from timelens.printable import printable_line

    _say(f"timelens: {printable_line(error.message)}\n  {printable_line(error.hint)}")
    give_up_output()
    return error.exit_code


def _interrupted() -> ExitCode:
    _say("timelens: interrupted; what is stored stays, and the same command goes on from there")
    return ExitCode.INTERRUPTED


def _say(message: str) -> None:
    from timelens.printable import printable

    with suppress(OSError):  # if nothing can be written, the exit code remains
        print(printable(message), file=sys.stderr, flush=True)  # noqa: T201 -- last output, works in any state of the console
