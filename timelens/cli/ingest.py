"""``ingest``."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from timelens import BadInputError, ExitCode
from timelens.cli.model_options import make_annotator, with_model
from timelens.cli.options import (
    AddressOption,
    EndOption,
    EngineOption,
    JsonOption,
    QuietOption,
    StartOption,
    agreed,
    finish,
    print_json,
    standard_input,
)
from timelens.cli.watch import keep_up
from timelens.printable import is_unicode, printable_line

if TYPE_CHECKING:
    from timelens import IngestReport, Selection, SourceFile
    from timelens.ingest.watching import Watch

_BLOCK = 2**20  # bytes
_LARGEST_INPUT = 16 * 2**30  # bytes
_LONGEST_NAME = 200  # bytes


def ingest(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH", help="Files, folders, or patterns such as 'a/*.md'; - is standard input."
        ),
    ] = None,
    corpus: Annotated[str, typer.Option("--corpus", "-c", help="The corpus to read them into.")] = "",
    start_col: StartOption = None,
    end_col: EndOption = None,
    *,
    kind: Annotated[
        str | None,
        typer.Option(
            "--type", help="The kind of text on standard input: txt (the default), md, jsonl, eml, …"
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="Its name (default: stdin); it replaces an earlier document of this name.",
        ),
    ] = None,
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator",
            help="rules (the default), or llm: a language model also proposes dated statements.",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="FILE", help="The GGUF model of --annotator llm.")
    ] = None,
    sync: Annotated[
        bool,
        typer.Option(
            "--sync",
            help="Remove documents whose files are gone or now excluded; none if anything could not be "
            "listed or read.",
        ),
    ] = False,
    remove_most: Annotated[
        bool,
        typer.Option(
            "--remove-most",
            help="With --sync, remove them even if they are more than half of a named folder, and more "
            "than five "
            "documents. Without this, the command asks on a terminal, and elsewhere changes nothing "
            "(exit code 2).",
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Say what would be read, changed, removed and left out, and change nothing."
        ),
    ] = False,
    reembed: Annotated[
        bool,
        typer.Option("--reembed", help="First embed what is stored again with the configured embedder."),
    ] = False,
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include",
            metavar="GLOB",
            help="Read only files that match, as in .gitignore ('*.md', /2024/, 'a/**/*.txt'); repeatable.",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="GLOB", help="Leave out files and folders that match; repeatable."),
    ] = None,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Read hidden files and folders too, except .git.")
    ] = False,
    no_ignore_files: Annotated[
        bool,
        typer.Option("--no-ignore-files", help="Also read what a .gitignore or .timelensignore names."),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Then keep watching, and ingest what changes, until Ctrl+C or SIGTERM (exit code 0). "
            "With --sync, also "
            "remove documents whose files go.",
        ),
    ] = False,
    engine: EngineOption = "local",
    address: AddressOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Read new or changed files into a corpus. Unchanged files cost nothing; you can interrupt and repeat.

    A document that takes more time or memory than its budget is listed and left out: ingest.cpu_seconds,
    ingest.seconds and ingest.memory_mib in config.toml.
    """
    from timelens import Selection, Settings, TableColumns, open_corpus
    from timelens.cli.display import ingest_progress, show_report
    from timelens.contracts import ingest_json

    _require_sense(
        corpus, paths, sync=sync, remove_most=remove_most, dry_run=dry_run, reembed=reembed, watch=watch
    )
    _require_engine(engine, address, watch=watch)
    if (kind is not None or name is not None) and "-" not in (paths or ()):
        raise BadInputError(
            "--type and --name are for standard input", "add - to the paths, or leave them out"
        )
    selection = Selection(tuple(include or ()), tuple(exclude or ()), hidden, not no_ignore_files)
    settings = with_model(Settings.load(), model)
    reader = make_annotator(settings, annotator, model=model)
    opened = open_corpus(corpus, settings)
    if reembed:
        opened.reembed()
    if not paths:
        return
    columns = TableColumns(start_col, end_col)
    files = [path for path in paths if path != "-"]
    watched = _watch(files, selection) if watch else None
    with _standard_input(kind or "txt", name, wanted=len(files) < len(paths)) as given:
        bring = partial(opened.ingest, files, selection=selection, columns=columns, annotator=reader)
        if dry_run:
            with ingest_progress(shown=not quiet) as on_progress:
                report = opened.survey(
                    files,
                    selection=selection,
                    given=given,
                    columns=columns,
                    sync=sync,
                    engine=engine,
                    address=address,
                    on_progress=on_progress,
                )
        else:
            report = _ingested(
                partial(bring, given=given, engine=engine, address=address),
                sync=sync,
                remove_most=remove_most,
                quiet=quiet,
            )
    if watched is not None:
        bring = partial(bring, remove_most=remove_most)
        keep_up(watched, opened, bring, report, sync=sync, as_json=as_json, quiet=quiet)
        return
    if as_json:
        print_json(ingest_json(report))
    else:
        show_report(report)
    if report.failures:
        finish(ExitCode.DONE_WITH_FAILURES)


def _require_sense(
    corpus: str,
    paths: Sequence[str] | None,
    *,
    sync: bool,
    remove_most: bool,
    dry_run: bool,
    reembed: bool,
    watch: bool,
) -> None:
    """Make sure that what is asked for goes together.

    Raises:
        BadInputError: it does not.
    """
    if not corpus:
        raise BadInputError("no corpus is named", "add --corpus NAME")
    if not paths and not reembed:
        raise BadInputError(
            "there is nothing to ingest", "name files or folders: timelens ingest PATH --corpus NAME"
        )
    if remove_most and not sync:
        raise BadInputError("--remove-most needs --sync", "add --sync or leave it out")
    if dry_run and (reembed or watch):
        other = "--reembed" if reembed else "--watch"
        raise BadInputError(f"--dry-run does not go with {other}", "leave one of them out")
    if watch and set(paths or ()) <= {"-"}:
        raise BadInputError("there is nothing to watch", "name files or folders, or leave out --watch")


def _require_engine(engine: str, address: str | None, *, watch: bool) -> None:
    """Make sure that the engine is there, and goes with what is asked for.

    Raises:
        BadInputError: there is no such engine, or it does not.
        MissingError: it is not installed.
    """
    if (engine, address) == ("local", None):
        return
    from timelens.cli.unloaded import let_pandas_in
    from timelens.cluster import is_on_ray

    if is_on_ray(engine, address):
        let_pandas_in()
    if engine != "local" and watch:
        raise BadInputError(
            f"--watch does not go with --engine {engine}", "leave one of them out: what changes is little"
        )


def _watch(paths: Sequence[str], selection: "Selection") -> "Watch":
    """Files and folders as they are now."""
    from timelens.folders import user_path
    from timelens.ingest.readers import READERS
    from timelens.ingest.watching import Watch

    return Watch([user_path(path) for path in paths], READERS, selection)


def _ingested(
    bring: "Callable[..., IngestReport]", *, sync: bool, remove_most: bool, quiet: bool
) -> "IngestReport":
    """Ingest; where that would remove most of a place, ask on a terminal first."""
    from timelens import MostlyGoneError
    from timelens.cli.display import ingest_progress

    try:
        with ingest_progress(shown=not quiet) as on_progress:
            return bring(sync=sync, remove_most=remove_most, on_progress=on_progress)
    except MostlyGoneError as error:
        asks = sys.stdin is not None and sys.stdin.isatty()
        if not asks or not agreed(f"{error.message}. Remove them?"):
            raise
    return _ingested(bring, sync=sync, remove_most=True, quiet=quiet)


@contextmanager
def _standard_input(kind: str, name: str | None, *, wanted: bool) -> "Iterator[Sequence[SourceFile]]":
    """What comes on standard input as a file of a kind, for as long as it is read; none if it is not wanted.

    It stands nowhere, so that no sync takes it for gone.

    Raises:
        BadInputError: there is no such kind, the name is none, or standard input is closed or too large.
    """
    from timelens import SourceFile
    from timelens.ingest.readers import READERS

    if not wanted:
        yield ()
        return
    suffix = f".{kind.lower().removeprefix('.')}"
    if suffix not in READERS:
        known = " ".join(each[1:] for each in READERS)
        raise BadInputError(
            f"there is no reader for {printable_line(kind)}", f"the readable kinds are {known}"
        )
    called = ("stdin" if name is None else name).strip().removesuffix(suffix)
    if not called or len(called.encode(errors="replace")) > _LONGEST_NAME or not is_unicode(called):
        raise BadInputError("--name is empty, too long, or not UTF-8", "choose another")
    with tempfile.TemporaryDirectory(prefix="timelens-") as folder:
        path = Path(folder, called.replace("/", " ").replace("\0", " ") + suffix)
        stream = standard_input()
        with path.open("wb") as file:
            while block := stream.read(_BLOCK):
                file.write(block)
                if file.tell() > _LARGEST_INPUT:
                    said = f"standard input is larger than {_LARGEST_INPUT // 2**30} GB"
                    raise BadInputError(said, "write it into a file, and ingest that")
        yield (SourceFile(path, called + suffix, "stdin"),)
