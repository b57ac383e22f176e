"""``serve``: timelens as a server for other programs."""

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from timelens import BadInputError, MissingError
from timelens.cli.options import day_of

if TYPE_CHECKING:
    from pathlib import Path

TOKEN_VARIABLE = "TIMELENS_SERVE_TOKEN"  # noqa: S105 -- the name of a variable, not its value
_SHORTEST_TOKEN = 16


def serve(
    *,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Speak the Model Context Protocol (required; the only protocol).")
    ] = False,
    http: Annotated[
        int | None,
        typer.Option(
            "--http",
            metavar="PORT",
            min=0,
            max=65535,
            help="Serve over HTTP on this port of 127.0.0.1, not over standard input and output; 0 "
            "takes a free port.",
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            "--corpus", "-c", help="A corpus that clients may ask, by name; repeatable (default: all)."
        ),
    ] = None,
) -> None:
    """Let other programs search and ask the corpora, read-only, over the Model Context Protocol.

    Over HTTP each request has to bring a token: that of the environment variable TIMELENS_SERVE_TOKEN, else
    one that is made at the first start and kept in serve.token of the timelens home.
    """
    if not mcp:
        raise BadInputError("no protocol is named", "write: timelens serve --mcp")
    from timelens import Settings, list_corpora

    settings = Settings.load()
    names = [one.name for one in list_corpora(settings)]
    for name in corpus or ():
        if name not in names:
            known = (
                f"the corpora are: {', '.join(names)}"
                if names
                else "make one: timelens ingest FOLDER --corpus NAME"
            )
            raise MissingError(f"there is no corpus {name}", known)
    try:
        from timelens.serve.server import HOST, PATH, serve_http, serve_stdio
    except ModuleNotFoundError as error:
        raise MissingError(
            "the package mcp is not installed", 'install it: pip install "timelens[mcp]"'
        ) from error
    from timelens.serve.tools import Tools

    tools = Tools(settings, lambda: day_of(None), corpus or ())
    if http is None:
        if not all(hasattr(stream, "buffer") for stream in (sys.stdin, sys.stdout)):
            raise BadInputError(
                "standard input or output is closed", "let a client start it, or add --http PORT"
            )
        serve_stdio(tools)
        return
    token, origin = _token()

    def tell(port: int) -> None:
        typer.echo(
            f"timelens: http://{HOST}:{port}{PATH}, with the token of {origin}; Ctrl+C ends it", err=True
        )

    try:
        serve_http(tools, http, token, tell)
    except OSError as error:
        raise BadInputError(
            f"port {http} of {HOST} cannot be used: {error.strerror}", "name another, or 0 for a free one"
        ) from error


def _token() -> "tuple[str, str]":
    """The token that requests must have, and its origin."""
    if given := os.environ.get(TOKEN_VARIABLE, "").strip():
        if len(given) < _SHORTEST_TOKEN:
            raise BadInputError(
                f"{TOKEN_VARIABLE} has fewer than {_SHORTEST_TOKEN} characters", "set a longer token"
            )
        return given, TOKEN_VARIABLE
    from timelens.folders import home

    file = home() / "serve.token"
    return _kept_token(file), str(file)


def _kept_token(file: "Path") -> str:
    """The token in a file that only its owner can read; created if missing."""
    import secrets

    try:
        if kept := file.read_text(encoding="ascii").strip():
            return kept
    except FileNotFoundError:
        pass
    made = secrets.token_urlsafe(32)
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as out:
        out.write(f"{made}\n")
    return made
