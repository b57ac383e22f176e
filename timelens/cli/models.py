"""``model``: language models on this machine and in the catalogue."""

from typing import TYPE_CHECKING, Annotated

import typer

from timelens import BadInputError, MissingError
from timelens.cli.options import JsonOption, QuietOption, print_json
from timelens.folders import user_path

if TYPE_CHECKING:
    from timelens.answer.models.inventory import Listed

app = typer.Typer(help="Local language models.", no_args_is_help=True)

_NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A name from the catalogue, or the file of a model.", show_default=False
    ),
]


@app.callback()
def models() -> None:
    """Local language models."""


@app.command("list")
def list_models(*, as_json: JsonOption = False) -> None:
    """List the models of the catalogue and those on this machine. Nothing is pulled."""
    from timelens import Settings
    from timelens.answer.models.inventory import inventory
    from timelens.cli.display import show_models

    listed = inventory(Settings.load().llama.model)
    if as_json:
        print_json({"models": [_listed_json(model) for model in listed]})
    else:
        show_models(listed)


def _listed_json(listed: "Listed") -> dict[str, object]:
    model, record = listed.model, listed.record
    return {
        "name": listed.name,
        "gigabytes": listed.gigabytes,
        "licence": model.licence if model else None,
        "good_for": model.good_for if model else None,
        "pinned_sha256": model.sha256 if model else None,
        "repository": model.repository if model else None,
        "file": listed.path.name,
        "path": str(listed.path) if listed.here else None,
        "used": listed.used,
        "sha256": record.sha256 if record else None,
        "stated_by": record.stated_by if record else None,
    }


@app.command()
def pull(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A name from the catalogue, or the https:// address of a GGUF file.",
            show_default=False,
        ),
    ],
    *,
    origin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="URL|FILE",
            help="Where to get a model of the catalogue: a mirror, the file's address, or a local file.",
        ),
    ] = None,
    sha256: Annotated[
        str | None, typer.Option("--sha256", metavar="HEX", help="The SHA-256 that the file must have.")
    ] = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Pull a model: state its size and licence first, go on after an interruption, and check the file."""
    from timelens import Settings
    from timelens.answer.models.catalogue import is_sha256, source_of
    from timelens.answer.models.download import pull as fetch
    from timelens.answer.models.incoming_file import Watcher
    from timelens.cli.display import show_offer
    from timelens.cli.progress import pull_progress

    if sha256 is not None and not is_sha256(sha256.lower()):
        raise BadInputError(f"--sha256 {sha256!r} is not a SHA-256", "write its 64 hexadecimal digits")
    source = source_of(name, Settings.load().llama.hub, origin)
    with pull_progress(shown=not quiet) as on_progress:
        record = fetch(
            source.origin,
            source.target,
            sha256=sha256.lower() if sha256 else None,
            model=source.model,
            watcher=Watcher(lambda offer: show_offer(source, offer), on_progress),
        )
    if as_json:
        print_json(
            {
                "path": str(source.target),
                "url": record.url,
                "size": record.size,
                "sha256": record.sha256,
                "stated_by": record.stated_by,
            }
        )
    else:
        typer.echo(f"{source.target}: {record.size / 1e6:,.1f} MB, {record.checked_words}")
        typer.echo(f"use it: timelens model use {name if '/' not in name else source.target.name}")


@app.command()
def use(name: _NameArgument) -> None:
    """Answer with a model from now on; the name none answers without one again."""
    from timelens.answer.models.catalogue import local_model
    from timelens.answer.models.gguf_header import describe_model
    from timelens.answer.models.inventory import choose_answerer

    if name == "none":
        path = choose_answerer("extractive")
        typer.echo(f"answers come without a language model ({path})")
        return
    model = local_model(name).resolve()
    description = describe_model(model)
    path = choose_answerer("llama", model)
    typer.echo(f"answers are written by {description.name or model.name} ({path})")


@app.command("show")
def show_model(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A name from the catalogue or a GGUF file (default: the configured one).",
            show_default=False,
        ),
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Describe a GGUF model without loading it, and what is known of its file."""
    from timelens import Settings
    from timelens.answer.models.catalogue import local_model, read_record
    from timelens.answer.models.gguf_header import describe_model
    from timelens.cli.display import show_description
    from timelens.contracts import model_json

    configured = Settings.load().llama.model
    path = local_model(name) if name else configured
    if path is None:
        raise MissingError("no model is configured", "name one, or choose one with: timelens model use NAME")
    description = describe_model(user_path(path))
    record = read_record(description.path)
    if as_json:
        known = {"sha256": record.sha256, "stated_by": record.stated_by} if record else {}
        print_json({**model_json(description), **known})
    else:
        show_description(description, record)
