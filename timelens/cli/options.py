"""Options and arguments that several commands share, and the functions that read them."""

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NoReturn

import typer

from timelens import BadInputError, ExitCode, MissingError, TimelensError
from timelens.errors import first_line
from timelens.folders import user_path
from timelens.printable import is_unicode, printable_line

if TYPE_CHECKING:
    from timelens.contracts import Json
    from timelens.temporal import Interval

CorpusOption = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        "-c",
        help="A corpus by name, path or address (s3://bucket/name), or '*' for all of them; "
        "not needed if there is only one.",
    ),
]
StrategyOption = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        "-s",
        metavar="NAME",
        help="bm25, naive, hybrid, tarag, mrag or timelens (default); +rerank also reads the best passages.",
    ),
]
CountOption = Annotated[
    int | None, typer.Option("-k", min=1, max=1000, help="How many pieces of evidence (default 10).")
]
AsOfOption = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DAY",
        help="The day that counts as today: 2021-05-06; or a time, whose last day is taken: 1990, last "
        "May (default: the current day).",
    ),
]
FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="DAY",
        help="Only about the time from that day on: 2021-05-06; of a time (1990, 2021-05), from its first "
        "day.",
    ),
]
ToOption = Annotated[
    str | None,
    typer.Option(
        "--to", metavar="DAY", help="Only about the time up to that day; of a time, to its last day."
    ),
]
StartOption = Annotated[
    str | None, typer.Option("--start-col", help="Column of a table with the start of a fact.")
]
EndOption = Annotated[str | None, typer.Option("--end-col", help="Column with the end of a fact.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
LinesOption = Annotated[
    bool, typer.Option("--jsonl", help="Read JSON Lines with id and text, and write one result per line.")
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine", metavar="NAME", help="Who does the work: local, or ray (which needs the extra ray)."
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="ADDRESS",
        help="The cluster of --engine ray: auto or HOST:PORT. Without it, a Ray of this "
        "machine is started, and ended with the run.",
        show_default=False,
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]

Line = dict[str, Any]
_OPTIONAL = {"as_of": str, "anchor": str, "choices": list}
_KINDS = {str: "text", list: "list"}


def day_of(text: str | None, option: str = "--as-of") -> int:
    """The day that an option names; today, by the clock, if it is not given."""
    from datetime import datetime

    from timelens import Settings
    from timelens.temporal import day_number

    now = datetime.now().astimezone()
    today = day_number(now.year, now.month, now.day)
    if text is None:
        return today
    from timelens.question.as_of_day import named_day

    return named_day(text, option, today, Settings.load().time.conventions)


def days_between(first: str | None, last: str | None, today: int, strategy: str) -> "Interval | None":
    """The days from ``--from`` to ``--to``; ``None`` if neither is given.

    Raises:
        BadInputError: an option is not a day, the period ends before it begins, or the strategy ignores
            times.
    """
    if first is None and last is None:
        return None
    from timelens.retrieval.strategies import strategy_named
    from timelens.temporal import Interval

    if not strategy_named(strategy).knows_time:
        raise BadInputError(
            f"--from and --to do not go with the strategy {strategy}, which ignores times",
            "choose the strategy timelens, tarag or mrag",
        )
    start = None if first is None else _time_of(first, "--from", today).start
    end = None if last is None else _time_of(last, "--to", today).end
    if start is not None and end is not None and start >= end:
        raise BadInputError(f"--to {last} is before --from {first}", "exchange the two days")
    return Interval(start, end)


def _time_of(text: str, option: str, today: int) -> "Interval":
    from timelens import Settings
    from timelens.question.as_of_day import time_meant

    try:
        return time_meant(text, today, Settings.load().time.conventions)
    except ValueError as error:
        raise BadInputError(f"{option}: {error}", "write a day or a time: 2021-05-06, 1990") from error


def corpus_name(name: str | None) -> str:
    """The named corpus, or the only one, which is then named on standard error.

    Raises:
        MissingError: no corpus is named, and there is not exactly one.
    """
    if name is not None:
        return name
    from timelens import list_corpora

    names = [corpus.name for corpus in list_corpora()]
    if len(names) == 1:
        typer.echo(f"corpus: {printable_line(names[0])}", err=True)
        return names[0]
    if not names:
        raise MissingError(
            "there is no corpus yet",
            "make one: timelens ingest FOLDER --corpus NAME; timelens chat offers some to try",
        )
    raise MissingError("there are several corpora", f"choose one with --corpus: {', '.join(names)}")


def read_text(source: str) -> str:
    """The text of a file, or of standard input for ``-``.

    Raises:
        MissingError: there is no such file.
        BadInputError: the file cannot be read, or is not UTF-8 text.
    """
    shown = "standard input" if source == "-" else source
    try:
        raw = standard_input().read() if source == "-" else user_path(source).read_bytes()
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{shown} is not UTF-8 text (byte {error.start})", "make it UTF-8") from error
    except FileNotFoundError as error:
        raise MissingError(
            f"there is no file {shown}", "check the path, or use - for standard input"
        ) from error
    except OSError as error:
        reason = error.strerror or first_line(error)
        raise BadInputError(f"{shown} cannot be read: {reason}", "name a text file") from error


def standard_input() -> BinaryIO:
    """Standard input.

    Raises:
        BadInputError: it is closed.
    """
    if sys.stdin is None:
        raise BadInputError("standard input is closed", "write to it through a pipe, or name a file")
    return sys.stdin.buffer


def answer_lines(source: str, reply: "Callable[[Line], Json]") -> None:
    """Print the reply to each record of JSON Lines; a line that fails is reported and the others go on.

    A record has at least ``id``, which is given back as it is, and ``text``. If a line fails, the command
    ends with code 1.

    Args:
        source: a file, or ``-`` for standard input.
        reply: gives the reply to a record; it fails by a :class:`BadInputError`.
    """
    failed = False
    for number, text in enumerate(read_text(source).split("\n"), start=1):
        if not text.strip():
            continue
        where = f"line {number}"
        try:
            line = _record(text)
            where = f"{where}, id {line['id']}"
            print_json({"id": line["id"], **reply(line)})
        except BadInputError as error:
            failed = True
            warn(error, where)
    if failed:
        finish(ExitCode.DONE_WITH_FAILURES)


def _record(text: str) -> Line:
    """The record of a line.

    Raises:
        BadInputError: it is no such record.
    """
    try:
        record = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        said = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise BadInputError(f"it is not JSON: {said}", "write one JSON object per line") from error
    if not isinstance(record, dict) or "id" not in record or not isinstance(record.get("text"), str):
        raise BadInputError("it has no id or no text", 'write {"id": "1", "text": "…"}')
    if isinstance(record["id"], bool) or not isinstance(record["id"], str | int | float):
        raise BadInputError("its id is neither a text nor a number", 'write {"id": "1", "text": "…"}')
    for name, kind in _OPTIONAL.items():
        if not isinstance(record.get(name), kind | None):
            raise BadInputError(f"its {name} is not a {_KINDS[kind]}", "correct it or leave it out")
    if not is_unicode(json.dumps(record, ensure_ascii=False)):
        raise BadInputError("it holds half a character (a lone surrogate)", "correct its text")
    return record


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads but JSON does not have."""
    raise ValueError(f"{name} is not a number of JSON")


def agreed(question: str) -> bool:
    """Ask a yes-or-no question on standard error; true if the user agrees.

    Raises:
        BadInputError: standard input is closed.
    """
    typer.echo(f"{printable_line(question)} [y/N] ", nl=False, err=True)
    return standard_input().readline().strip().lower() in {b"y", b"yes"}


def print_json(document: object) -> None:
    """Print a JSON document on one line of standard output."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    typer.echo(json.dumps(document, ensure_ascii=encoding.lower().replace("-", "") != "utf8"))


def warn(error: TimelensError, where: str) -> None:
    """Report an error of one part of a longer run on standard error."""
    from timelens.printable import printable_line

    typer.echo(printable_line(f"{where}: {error.message} ({error.hint})"), err=True)


def finish(code: int) -> NoReturn:
    """End the command with an exit code."""
    raise typer.Exit(code)
