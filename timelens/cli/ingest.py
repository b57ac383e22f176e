"""The command ``ingest``."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from timelens import BadInputError, ExitCode
from timelens.cli.commands import command_of
from timelens.cli.ingest_options import IngestOptions
from timelens.cli.model_options import make_annotator, with_model
from timelens.cli.options import agreed, finish, print_json, standard_input
from timelens.cli.streams import unread_ends_with
from timelens.cli.watch import keep_up
from timelens.printable import is_unicode, printable_line

if TYPE_CHECKING:
    from timelens import Annotator, Corpus, IngestReport, SourceFile
    from timelens.ingest.watching import Watch

_BLOCK = 2**20  # bytes
_LARGEST_INPUT = 16 * 2**30  # bytes
_LONGEST_NAME = 200  # bytes


@command_of(IngestOptions)
def ingest(asked: IngestOptions) -> None:
    """Read new or changed files into a corpus. Unchanged files cost nothing; you can interrupt and repeat.

    A document that takes more time or memory than its budget is listed and left out: ingest.cpu_seconds,
    ingest.seconds and ingest.memory_mib in config.toml.
    """
    from timelens import Settings, open_corpus

    _require_engine(asked)
    settings = with_model(Settings.load(), asked.model)
    reader = make_annotator(settings, asked.annotator, model=asked.model)
    corpus = open_corpus(asked.corpus, settings)
    if asked.reembed:
        corpus.reembed()
    if not asked.paths:
        return
    watched = _watch(asked) if asked.watch else None
    with _standard_input(asked) as given:
        report = _surveyed(asked, corpus, given) if asked.dry_run else _ingested(asked, corpus, given, reader)
    if watched is None:
        _show(report, as_json=asked.as_json)
    else:
        _keep_up(watched, asked, corpus, reader, report)


def _require_engine(asked: IngestOptions) -> None:
    """Check that the engine is available and fits the other options.

    Raises:
        BadInputError: there is no such engine, or it cannot be used with another option.
        MissingError: the engine is not installed.
    """
    if (asked.engine, asked.address) == ("local", None):
        return
    from timelens.cli.unloaded import let_pandas_in
    from timelens.cluster import is_on_ray

    if is_on_ray(asked.engine, asked.address):
        let_pandas_in()
    if asked.engine != "local" and asked.watch:
        raise BadInputError(
            f"--watch does not go with --engine {asked.engine}",
            "leave one of them out: what changes is little",
        )


def _watch(asked: IngestOptions) -> "Watch":
    """A watch of the files and folders, starting from their current state."""
    from timelens.folders import user_path
    from timelens.ingest.readers import READERS
    from timelens.ingest.watching import Watch

    return Watch([user_path(path) for path in asked.files], READERS, asked.selection)


def _surveyed(asked: IngestOptions, corpus: "Corpus", given: "Sequence[SourceFile]") -> "IngestReport":
    """Dry run: report what an ingest would change."""
    from timelens.cli.progress import ingest_progress

    with ingest_progress(shown=not asked.quiet) as on_progress:
        return corpus.survey(
            asked.files,
            selection=asked.selection,
            given=given,
            columns=asked.columns,
            sync=asked.sync,
            engine=asked.engine,
            address=asked.address,
            on_progress=on_progress,
        )


def _ingested(
    asked: IngestOptions,
    corpus: "Corpus",
    given: "Sequence[SourceFile]",
    annotator: "Annotator | None",
    *,
    agreed_to_remove: bool = False,
) -> "IngestReport":
    """Ingest; before most documents of a folder are removed, ask for confirmation on a terminal."""
    from timelens import MostlyGoneError
    from timelens.cli.progress import ingest_progress

    try:
        with ingest_progress(shown=not asked.quiet) as on_progress:
            return corpus.ingest(
                asked.files,
                selection=asked.selection,
                given=given,
                columns=asked.columns,
                sync=asked.sync,
                remove_most=asked.remove_most or agreed_to_remove,
                annotator=annotator,
                engine=asked.engine,
                address=asked.address,
                on_progress=on_progress,
            )
    except MostlyGoneError as error:
        asks = sys.stdin is not None and sys.stdin.isatty()
        if not asks or not agreed(f"{error.message}. Remove them?"):
            raise
    return _ingested(asked, corpus, given, annotator, agreed_to_remove=True)


def _show(report: "IngestReport", *, as_json: bool) -> None:
    """Print the report; exit with code 1 if anything failed."""
    from timelens.cli.display import show_report
    from timelens.contracts import ingest_json

    failed = not all(failure.skipped for failure in report.failures)
    code = ExitCode.DONE_WITH_FAILURES if failed else ExitCode.DONE
    with unread_ends_with(code):
        if as_json:
            print_json(ingest_json(report))
        else:
            show_report(report)
    if failed:
        finish(code)


def _keep_up(
    watched: "Watch",
    asked: IngestOptions,
    corpus: "Corpus",
    annotator: "Annotator | None",
    first: "IngestReport",
) -> None:
    """Ingest files as they change."""
    bring = partial(
        corpus.ingest,
        asked.files,
        selection=asked.selection,
        columns=asked.columns,
        remove_most=asked.remove_most,
        annotator=annotator,
    )
    keep_up(watched, corpus, bring, first, sync=asked.sync, as_json=asked.as_json, quiet=asked.quiet)


@contextmanager
def _standard_input(asked: IngestOptions) -> "Iterator[Sequence[SourceFile]]":
    """Standard input as a temporary file of the requested kind; nothing if it is not requested.

    Its origin is ``stdin`` rather than a path, so that a later sync does not remove it.

    Raises:
        BadInputError: there is no such kind, the name is invalid, or standard input is closed or too large.
    """
    from timelens import SourceFile
    from timelens.ingest.readers import READERS

    if not asked.takes_input:
        yield ()
        return
    kind = asked.kind or "txt"
    suffix = f".{kind.lower().removeprefix('.')}"
    if suffix not in READERS:
        known = " ".join(each[1:] for each in READERS)
        raise BadInputError(
            f"there is no reader for {printable_line(kind)}", f"the readable kinds are {known}"
        )
    called = ("stdin" if asked.name is None else asked.name).strip().removesuffix(suffix)
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
        yield (SourceFile(path, called + suffix, "stdin", is_named=True),)
