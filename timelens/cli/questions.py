"""``ask``, ``search``, ``parse``, ``tag``."""

from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from timelens import BadInputError
from timelens.cli.model_options import (
    AnswererOption,
    ModelOption,
    ParserOption,
    ReadingOption,
    make_answerer,
    make_parser,
    with_model,
)
from timelens.cli.options import (
    AsOfOption,
    CorpusOption,
    CountOption,
    FromOption,
    JsonOption,
    Line,
    LinesOption,
    StrategyOption,
    ToOption,
    answer_lines,
    corpus_name,
    day_of,
    days_between,
    print_json,
    read_text,
    warn,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from timelens import Answer, Askable, Settings
    from timelens.contracts import Json

QuestionArgument = Annotated[
    str, typer.Argument(metavar="QUESTION", help="The question, or - for standard input.", show_default=False)
]
CautiousOption = Annotated[
    bool,
    typer.Option(
        "--cautious",
        help="Give an answer read in texts only if it is at most 30 % likely to be wrong "
        "(risk = 0.3 in the configuration); otherwise show the nearest passages.",
    ),
]


def ask(
    question: QuestionArgument,
    *,
    corpus: CorpusOption = None,
    strategy: StrategyOption = None,
    k: CountOption = None,
    as_of: AsOfOption = None,
    from_: FromOption = None,
    to: ToOption = None,
    answerer: AnswererOption = None,
    model: ModelOption = None,
    reading: ReadingOption = None,
    parser: ParserOption = None,
    cautious: CautiousOption = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Before the answer, show how the question is read, what was found with which scores, "
            "and how it was decided.",
        ),
    ] = False,
    as_json: JsonOption = False,
    jsonl: LinesOption = False,
) -> None:
    """Answer a question from a corpus, with citations, and check every date of the answer.

    Counting from a date ("90 days before 1 March 2020") needs no corpus.
    """
    from timelens import Settings, calculate
    from timelens.cli.display import show_answer
    from timelens.contracts import answer_json
    from timelens.question.named_periods import within

    if explain and (as_json or jsonl):
        raise BadInputError("--explain is for people and does not go with JSON", "leave out --explain")
    settings = with_model(Settings.load(), model, reading, answerer=answerer)
    if cautious:
        settings = settings.cautious()
    writer = make_answerer(settings, answerer, model=model, reading=reading)
    reader = make_parser(settings, parser, writer)

    @cache
    def opened() -> "Askable":
        found = _opened(corpus, settings)
        if jsonl:
            found.warm()
        return found

    def asked(text: str, day: int) -> str:
        days = days_between(from_, to, day, strategy or settings.strategy)
        return text if days is None else within(text, days, day, settings.time.conventions)

    def reply(text: str, day: int) -> "Answer":
        text = asked(text, day)
        known = calculate(text, as_of=day, settings=settings)
        return known or opened().ask(text, as_of=day, strategy=strategy, k=k, answerer=writer, parser=reader)

    if jsonl:
        _ask_lines(reply, question, as_of)
        return
    text = read_text("-") if question == "-" else question
    if explain:
        from timelens.cli.explanation import calendar_events, show_explained

        day = day_of(as_of)
        text = asked(text, day)
        events = calendar_events(text, day, settings) or opened().stream(
            text, as_of=day, strategy=strategy, k=k, answerer=writer, parser=reader
        )
        show_answer(show_explained(events))
        return
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
    from_: FromOption = None,
    to: ToOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the evidence for a question: right in topic and in time, with scores."""
    from timelens import Settings, summariser_in
    from timelens.cli.display import show_search
    from timelens.contracts import search_json
    from timelens.question.named_periods import within

    settings = Settings.load()
    text, day = read_text("-") if question == "-" else question, day_of(as_of)
    days = days_between(from_, to, day, strategy or settings.strategy)
    writer = make_answerer(settings, None, model=None)
    result = _opened(corpus, settings).search(
        text if days is None else within(text, days, day, settings.time.conventions),
        as_of=day,
        strategy=strategy,
        k=k,
        parser=make_parser(settings, answerer=writer),
        summariser=summariser_in(writer),
    )
    if days is not None:
        inside = (hit for hit in result.pool if hit.reaches(days))
        result = replace(result, hits=tuple(islice(inside, k or settings.k)))
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
    from timelens import Reading, Settings
    from timelens.cli.reading_display import show_question
    from timelens.contracts import question_json
    from timelens.question.parse import readable

    settings = with_model(Settings.load(), model)
    conventions = settings.time.conventions
    reader = make_parser(settings, parser)

    def reading(text: str, day: int) -> Reading:
        if reader is None:
            return Reading.by_rules(text, day, conventions)
        return reader.read(text, day, conventions)

    if jsonl:
        today = day_of(as_of)
        answer_lines(question, lambda line: question_json(reading(line["text"], _day_in(line, today))))
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
    """Find the temporal expressions in a text and the days they stand for.

    In a text with dated entries, such as a diary, those of an entry count from its day.
    """
    from timelens import Settings
    from timelens.cli.reading_display import show_expressions
    from timelens.contracts import expression_json
    from timelens.ingest.entry_times import expressions_of

    conventions = Settings.load().time.conventions
    written = None if anchor is None else day_of(anchor, "--anchor")
    if jsonl:

        def tagged(line: Line) -> "Json":
            day = day_of(line["anchor"], "anchor") if line.get("anchor") else written
            found = expressions_of(line["text"], day, conventions)
            return {"expressions": [expression_json(expression) for expression in found]}

        answer_lines(source, tagged)
        return
    text = read_text(source)
    found = expressions_of(text, written, conventions, "" if source == "-" else source)
    if as_json:
        for expression in found:
            print_json(expression_json(expression))
    else:
        show_expressions(text, found)


def _opened(corpus: str | None, settings: "Settings") -> "Askable":
    """The named corpus, or all corpora; those that cannot be asked are named on standard error."""
    from timelens import open_to_ask

    found = open_to_ask(corpus_name(corpus), settings)
    for name, error in found.left_out:
        warn(error, f"left out: {name}")
    return found


def _ask_lines(reply: "Callable[[str, int], Answer]", source: str, as_of: str | None) -> None:
    """Answer each line separately; a line that fails is reported and the others continue."""
    from timelens.answer.stated_choice import stated_choice
    from timelens.contracts import answer_json

    today = day_of(as_of)

    def answered(line: Line) -> "Json":
        answer = reply(line["text"], _day_in(line, today))
        result = answer_json(answer)
        if line.get("choices"):
            result["choice"] = stated_choice(answer.text, [str(choice) for choice in line["choices"]])
        return result

    answer_lines(source, answered)


def _day_in(line: Line, today: int) -> int:
    """The day that a line counts as today; ``today`` if it names none."""
    return day_of(line["as_of"], "as_of") if line.get("as_of") else today
