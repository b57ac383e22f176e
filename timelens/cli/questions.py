"""``ask``, ``search``, ``parse``, ``tag``."""

from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from timelens.cli.options import (
    AsOfOption,
    CorpusOption,
    CountOption,
    JsonOption,
    Line,
    LinesOption,
    StrategyOption,
    corpus_name,
    day_of,
    finish,
    print_json,
    read_lines,
    read_text,
    warn,
)
from timelens.errors import BadInputError, ExitCode, MissingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from timelens.agent import Answer, Answerer, Parser
    from timelens.answer.lm import ModelSession
    from timelens.asking import Askable
    from timelens.config import ModelSettings, Settings
    from timelens.ingest.proposals import Annotator

QuestionArgument = Annotated[
    str, typer.Argument(metavar="QUESTION", help="The question, or - for standard input.", show_default=False)
]
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
        help="How a model reads the evidence: direct (the default), cot, concat, unstructured, self-rag or "
        "time-cot.",
    ),
]
CautiousOption = Annotated[
    bool,
    typer.Option(
        "--cautious",
        help="Give an answer read in texts only if it is at most 30 % likely to be wrong "
        "(risk = 0.3 in the configuration); otherwise show the nearest passages.",
    ),
]
ParserOption = Annotated[
    str | None,
    typer.Option("--parser", help="rules (the default), or llm: a language model also reads the question."),
]

_CAUTIOUS = 0.3
"""The risk of ``--cautious``."""


def ask(
    question: QuestionArgument,
    *,
    corpus: CorpusOption = None,
    strategy: StrategyOption = None,
    k: CountOption = None,
    as_of: AsOfOption = None,
    answerer: AnswererOption = None,
    model: ModelOption = None,
    reading: ReadingOption = None,
    parser: ParserOption = None,
    cautious: CautiousOption = False,
    as_json: JsonOption = False,
    jsonl: LinesOption = False,
) -> None:
    """Answer a question from a corpus, with citations, and check every date of the answer.

    Counting from a date ("90 days before 1 March 2020") needs no corpus.
    """
    from timelens.asking import calculate
    from timelens.cli.display import show_answer
    from timelens.config import Settings
    from timelens.contracts import answer_json

    settings = with_model(Settings.load(), model, reading, answerer=answerer)
    if cautious:
        settings = settings.model_copy(update={"risk": min(settings.risk, _CAUTIOUS)})
    writer = make_answerer(settings, answerer, model=model, reading=reading)
    reader = make_parser(settings, parser, writer)

    @cache
    def opened() -> "Askable":
        found = _opened(corpus, settings)
        if jsonl:
            found.warm()
        return found

    def reply(text: str, day: int) -> "Answer":
        known = calculate(text, as_of=day, settings=settings)
        return known or opened().ask(text, as_of=day, strategy=strategy, k=k, answerer=writer, parser=reader)

    if jsonl:
        _ask_lines(reply, question, as_of)
        return
    text = read_text("-") if question == "-" else question
    answer = reply(text, day_of(as_of))
    if as_json:
        print_json(answer_json(answer))
    else:
        show_answer(answer)


def search(
    question: QuestionArgument,
    *,
    corpus: CorpusOption = None,
    strategy: StrategyOption = None,
    k: CountOption = None,
    as_of: AsOfOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the evidence for a question: right in topic and in time, with scores."""
    from timelens.cli.display import show_search
    from timelens.config import Settings
    from timelens.contracts import search_json
    from timelens.retrieval.model import summariser_in

    settings = Settings.load()
    text = read_text("-") if question == "-" else question
    writer = make_answerer(settings, None, model=None)
    result = _opened(corpus, settings).search(
        text,
        as_of=day_of(as_of),
        strategy=strategy,
        k=k,
        parser=make_parser(settings, answerer=writer),
        summariser=summariser_in(writer),
    )
    if as_json:
        print_json(search_json(result))
    else:
        show_search(result)


def parse(
    question: QuestionArgument,
    *,
    as_of: AsOfOption = None,
    parser: ParserOption = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="FILE", help="The GGUF model of --parser llm.")
    ] = None,
    as_json: JsonOption = False,
    jsonl: LinesOption = False,
) -> None:
    """Show how a question is understood: its topic, its time, its plan."""
    from timelens.cli.reading_display import show_question
    from timelens.config import Settings
    from timelens.contracts import question_json
    from timelens.question.merge import Reading
    from timelens.question.parse import parse as parse_question
    from timelens.question.parse import readable

    settings = with_model(Settings.load(), model)
    conventions = settings.time.conventions
    reader = make_parser(settings, parser)

    def reading(text: str, day: int) -> Reading:
        if reader is None:
            return Reading(parse_question(text, day, conventions))
        return reader.read(text, day, conventions)

    if jsonl:
        for line in read_lines(question):
            read = reading(line["text"], day_of(line.get("as_of") or as_of))
            print_json({"id": line["id"], **question_json(read)})
        return
    text = readable(read_text("-") if question == "-" else question)
    read = reading(text, day_of(as_of))
    if as_json:
        print_json(question_json(read))
    else:
        show_question(read)


def tag(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")
    ] = "-",
    anchor: Annotated[
        str | None, typer.Option("--anchor", metavar="DAY", help="The day the text was written, YYYY-MM-DD.")
    ] = None,
    *,
    as_json: JsonOption = False,
    jsonl: LinesOption = False,
) -> None:
    """Find the temporal expressions in a text and the days they stand for."""
    from timelens.cli.reading_display import show_expressions
    from timelens.config import Settings
    from timelens.contracts import expression_json
    from timelens.temporal.expressions import find_expressions

    conventions = Settings.load().time.conventions
    if jsonl:
        for line in read_lines(source):
            day = _anchor(line.get("anchor") or anchor)
            found = find_expressions(line["text"], day, conventions=conventions)
            print_json(
                {"id": line["id"], "expressions": [expression_json(expression) for expression in found]}
            )
        return
    text = read_text(source)
    found = find_expressions(text, _anchor(anchor), conventions=conventions)
    if as_json:
        for expression in found:
            print_json(expression_json(expression))
    else:
        show_expressions(text, found)


def with_model(
    settings: "Settings", model: str | None, reading: str | None = None, *, answerer: str | None = None
) -> "Settings":
    """Settings with the model and the reading mode that options name, if they name any.

    A model is that of ``answerer``; without one it is a GGUF model, whatever is configured.

    Raises:
        BadInputError: there is no such reading mode.
    """
    from pathlib import Path

    from timelens.config import READING_MODES

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
    """The answerer that options and settings name; whether there is such a one is not looked at."""
    return answerer or ("llama" if model else settings.answerer)


def make_answerer(
    settings: "Settings", name: str | None, *, model: str | None, reading: str | None = None
) -> "Answerer | None":
    """The answerer that options and settings (of :func:`with_model`) name; ``None`` is the extractive one.

    The file of a model that options ask for is looked at here, and whether a server is configured: an answer
    may turn out to have no need of it, and would hide that it is missing.

    Raises:
        BadInputError: there is no such answerer or reading mode for it, the file is no model, or the key to
            the server cannot be used.
        MissingError: there is no such model, or no server is configured.
    """
    from timelens.config import ANSWERERS

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
    from timelens.answer.configured import answerer_of, look_at_model

    chosen = settings.model_copy(update={"answerer": wanted})
    if name is not None or model is not None:
        look_at_model(chosen)
    return answerer_of(chosen)


def make_session(
    settings: "Settings", needed_by: str, option: str = "--model"
) -> "ModelSession[ModelSettings]":
    """A session with the model of settings (of :func:`with_model`): that of the server if it is the answerer.

    Raises:
        BadInputError: the key to the server cannot be used.
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
    """Say on standard error that texts go over the network as they are, where they do."""
    if settings.answerer == "server":
        from timelens.answer.server import endpoint_of

        if warning := endpoint_of(settings.server).warning:
            typer.echo(f"note: {warning}", err=True)


def make_parser(
    settings: "Settings", name: str | None = None, answerer: "Answerer | None" = None
) -> "Parser | None":
    """The parser that options and settings (of :func:`with_model`) name; ``None`` is the rules alone.

    It shares the model of an answerer that has one.

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
    """The annotator that options name; ``None`` is the rules alone, also where a model is configured.

    Raises:
        BadInputError: there is no such annotator, or a model is given that it has no use for.
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


def _opened(corpus: str | None, settings: "Settings") -> "Askable":
    """The corpus that an option names, or all of them; standard error says which are left out."""
    from timelens.api import open_to_ask

    found = open_to_ask(corpus_name(corpus), settings)
    for name, error in found.left_out:
        warn(error, f"left out: {name}")
    return found


def _ask_lines(reply: "Callable[[str, int], Answer]", source: str, as_of: str | None) -> None:
    """Answer each line by itself; a line that cannot be answered is named and the rest go on."""
    from timelens.answer.choices import choose
    from timelens.contracts import answer_json

    failed = False
    lines: list[Line] = list(read_lines(source))
    for line in lines:
        try:
            day = day_of(line.get("as_of") or as_of, "as_of")
            answer = reply(line["text"], day)
        except BadInputError as error:
            failed = True
            warn(error, f"question {line['id']}")
            continue
        result = {"id": line["id"], **answer_json(answer)}
        if line.get("choices"):
            result["choice"] = choose(answer.text, [str(choice) for choice in line["choices"]])
        print_json(result)
    if failed:
        finish(ExitCode.DONE_WITH_FAILURES)


def _anchor(day: str | None) -> int | None:
    return None if day is None else day_of(day, "--anchor")
