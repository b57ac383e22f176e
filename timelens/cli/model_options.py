"""The options that choose an answerer, a parser or an annotator, and the objects they select."""

from typing import TYPE_CHECKING, Annotated

import typer

from timelens import BadInputError, MissingError

if TYPE_CHECKING:
    from timelens import Annotator, Answerer, ModelSettings, Parser, Settings
    from timelens.answer.lm import ModelSession

AnswererOption = Annotated[
    str | None,
    typer.Option(
        "--answerer",
        metavar="NAME",
        help="extractive (no model, the default), llama (a GGUF model) or server (the one configured).",
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="FILE",
        help="A GGUF model to answer with (implies llama); with --answerer server, the name of a model "
        "on that server.",
    ),
]
ReadingOption = Annotated[
    str | None,
    typer.Option(
        "--reading",
        metavar="MODE",
        help="How a model reads the evidence: adapter (the default; direct if none fits the model), direct, "
        "cot, concat, unstructured, self-rag or time-cot.",
    ),
]
ParserOption = Annotated[
    str | None,
    typer.Option("--parser", help="rules (the default), or llm: a language model also reads the question."),
]


def with_model(
    settings: "Settings", model: str | None, reading: str | None = None, *, answerer: str | None = None
) -> "Settings":
    """Settings with the model and the reading mode that options name, if any.

    The model belongs to ``answerer``; without an answerer it is a GGUF model, whatever is configured.

    Raises:
        BadInputError: there is no such reading mode.
    """
    from pathlib import Path

    from timelens import READING_MODES

    if reading is not None and reading not in READING_MODES:
        raise BadInputError(f"there is no reading mode {reading!r}", f"choose {', '.join(READING_MODES)}")
    wanted = wanted_answerer(settings, answerer, model)
    table = settings.server if wanted == "server" else settings.llama
    changed: dict[str, object] = {} if reading is None else {"reading": reading}
    if model is not None:
        changed["model"] = model if wanted == "server" else Path(model)
    update: dict[str, object] = {table.table: table.model_copy(update=changed)}
    if model is not None:
        update["answerer"] = wanted
    return settings.model_copy(update=update)


def wanted_answerer(settings: "Settings", answerer: str | None, model: str | None) -> str:
    """The name of the answerer in options or settings; it is not checked."""
    return answerer or ("llama" if model else settings.answerer)


def make_answerer(
    settings: "Settings", name: str | None, *, model: str | None, reading: str | None = None
) -> "Answerer | None":
    """The answerer in options and settings (of :func:`with_model`); ``None`` is the extractive one.

    If options ask for a model, its file or the configured server is checked here: the answer might not need
    the model, which would hide that it is missing.

    Raises:
        BadInputError: the answerer is unknown or has no such reading mode, the file is not a model, or the
            key of the server cannot be used.
        MissingError: there is no such model, or no server is configured.
    """
    from timelens import ANSWERERS

    wanted = wanted_answerer(settings, name, model)
    if wanted not in ANSWERERS:
        raise BadInputError(f"there is no answerer {wanted!r}", f"choose {', '.join(ANSWERERS)}")
    if wanted == "extractive":
        if reading is not None:
            raise BadInputError(
                "--reading does not go with the extractive answerer",
                "add --answerer llama, --answerer server or --model FILE",
            )
        return None
    from timelens.answer.configured_answerer import answerer_of, look_at_model

    chosen = settings.model_copy(update={"answerer": wanted})
    if name is not None or model is not None:
        look_at_model(chosen)
    return answerer_of(chosen)


def make_session(
    settings: "Settings", needed_by: str, option: str = "--model"
) -> "ModelSession[ModelSettings]":
    """A session with the model of settings (of :func:`with_model`): the server's if it is the answerer.

    Raises:
        BadInputError: the key of the server cannot be used.
        MissingError: no model is given, or no server is configured.
    """
    if settings.answerer == "server":
        from timelens.answer.server import ServerSession, endpoint_of

        endpoint_of(settings.server)
        return ServerSession(settings.server)
    from timelens.answer.llama import Session

    if settings.llama.model is None:
        raise MissingError(
            f"{needed_by} needs a language model",
            f"add {option} FILE.gguf, or choose one: timelens model use NAME",
        )
    return Session(settings.llama)


def warn_of_open_server(settings: "Settings") -> None:
    """Warn on standard error if texts are sent over the network unencrypted."""
    if settings.answerer == "server":
        from timelens.answer.server import endpoint_of

        if warning := endpoint_of(settings.server).warning:
            typer.echo(f"note: {warning}", err=True)


def make_parser(
    settings: "Settings", name: str | None = None, answerer: "Answerer | None" = None
) -> "Parser | None":
    """The parser in options and settings (of :func:`with_model`); ``None`` uses only the rules.

    It shares the model of the answerer, if that has one.

    Raises:
        BadInputError: there is no such parser.
        MissingError: no model is given.
    """
    wanted = name or settings.parser
    if wanted == "rules":
        return None
    if wanted != "llm":
        raise BadInputError(f"there is no parser {wanted!r}", "choose rules or llm")
    from timelens.answer.lm import ModelAnswerer, ModelParser

    shared = answerer.session if isinstance(answerer, ModelAnswerer) else None
    return ModelParser(shared or make_session(settings, "the parser llm"))


def make_annotator(settings: "Settings", name: str | None, *, model: str | None) -> "Annotator | None":
    """The annotator in the options; ``None`` uses only the rules, even if a model is configured.

    Raises:
        BadInputError: the annotator is unknown, or a model is given that it does not use.
        MissingError: no model is given.
    """
    if name not in {None, "rules", "llm"}:
        raise BadInputError(f"there is no annotator {name!r}", "choose rules or llm")
    if name != "llm":
        if model is not None:
            raise BadInputError("--model does not go with --annotator rules", "add --annotator llm")
        return None
    from timelens.answer.lm import ModelAnnotator

    session = make_session(settings, "the annotator llm")
    warn_of_open_server(settings)
    return ModelAnnotator(session)
