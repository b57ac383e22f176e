"""The options of ``ingest``."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from timelens import BadInputError
from timelens.cli.options import (
    AddressOption,
    EndOption,
    EngineOption,
    JsonOption,
    QuietOption,
    StartOption,
)

if TYPE_CHECKING:
    from timelens import Selection, TableColumns


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestOptions:
    """The arguments and options of ``ingest``, checked for combinations that are not allowed.

    Raises:
        BadInputError: two of them cannot be used together.
    """

    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH", help="Files, folders, or patterns such as 'a/*.md'; - is standard input."
        ),
    ] = None
    corpus: Annotated[str, typer.Option("--corpus", "-c", help="The corpus to read them into.")] = ""
    start_col: StartOption = None
    end_col: EndOption = None
    kind: Annotated[
        str | None,
        typer.Option(
            "--type", help="The kind of text on standard input: txt (the default), md, jsonl, eml, …"
        ),
    ] = None
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="Its name (default: stdin); it replaces an earlier document of this name.",
        ),
    ] = None
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator",
            help="rules (the default), or llm: a language model also proposes dated statements.",
        ),
    ] = None
    model: Annotated[
        str | None, typer.Option("--model", metavar="FILE", help="The GGUF model of --annotator llm.")
    ] = None
    sync: Annotated[
        bool,
        typer.Option(
            "--sync",
            help="Remove documents whose files are gone or now excluded; none if anything could not be "
            "listed or read.",
        ),
    ] = False
    remove_most: Annotated[
        bool,
        typer.Option(
            "--remove-most",
            help="With --sync, remove them even if they are more than half of a named folder, and more "
            "than five "
            "documents. Without this, the command asks on a terminal, and elsewhere changes nothing "
            "(exit code 2).",
        ),
    ] = False
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Say what would be read, changed, removed and left out, and change nothing."
        ),
    ] = False
    reembed: Annotated[
        bool,
        typer.Option("--reembed", help="First embed what is stored again with the configured embedder."),
    ] = False
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include",
            metavar="GLOB",
            help="Read only files that match, as in .gitignore ('*.md', /2024/, 'a/**/*.txt'); repeatable.",
        ),
    ] = None
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="GLOB", help="Leave out files and folders that match; repeatable."),
    ] = None
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Read hidden files and folders too, except .git.")
    ] = False
    no_ignore_files: Annotated[
        bool,
        typer.Option("--no-ignore-files", help="Also read what a .gitignore or .timelensignore names."),
    ] = False
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Then keep watching, and ingest what changes, until Ctrl+C or SIGTERM (exit code 0). "
            "With --sync, also "
            "remove documents whose files go.",
        ),
    ] = False
    engine: EngineOption = "local"
    address: AddressOption = None
    quiet: QuietOption = False
    as_json: JsonOption = False

    def __post_init__(self) -> None:
        """Check the combination of options."""
        if not self.corpus:
            raise BadInputError("no corpus is named", "add --corpus NAME")
        if not self.paths and not self.reembed:
            raise BadInputError(
                "there is nothing to ingest", "name files or folders: timelens ingest PATH --corpus NAME"
            )
        if self.remove_most and not self.sync:
            raise BadInputError("--remove-most needs --sync", "add --sync or leave it out")
        if self.dry_run and (self.reembed or self.watch):
            other = "--reembed" if self.reembed else "--watch"
            raise BadInputError(f"--dry-run does not go with {other}", "leave one of them out")
        if self.watch and not self.files:
            raise BadInputError("there is nothing to watch", "name files or folders, or leave out --watch")
        if (self.kind is not None or self.name is not None) and not self.takes_input:
            raise BadInputError(
                "--type and --name are for standard input", "add - to the paths, or leave them out"
            )

    @property
    def files(self) -> list[str]:
        """The paths without standard input."""
        return [path for path in self.paths or () if path != "-"]

    @property
    def takes_input(self) -> bool:
        """Whether standard input is read."""
        return "-" in (self.paths or ())

    @property
    def selection(self) -> "Selection":
        """The selection of files below folders."""
        from timelens import Selection

        include, exclude = tuple(self.include or ()), tuple(self.exclude or ())
        return Selection(include, exclude, self.hidden, not self.no_ignore_files)

    @property
    def columns(self) -> "TableColumns":
        """The columns of tables that hold times."""
        from timelens import TableColumns

        return TableColumns(self.start_col, self.end_col)
