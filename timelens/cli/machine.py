"""``chat`` and ``doctor``: commands that depend on this machine."""

from typing import Annotated

import typer

from timelens import ExitCode
from timelens.cli.model_options import (
    AnswererOption,
    ModelOption,
    ReadingOption,
    make_answerer,
    make_parser,
    wanted_answerer,
    with_model,
)
from timelens.cli.options import (
    AsOfOption,
    CorpusOption,
    CountOption,
    JsonOption,
    StrategyOption,
    day_of,
    finish,
    print_json,
)

InlineOption = Annotated[
    bool,
    typer.Option("--inline", help="Draw below the shell's prompt, and leave the last screen there."),
]


def chat(
    *,
    corpus: CorpusOption = None,
    strategy: StrategyOption = None,
    k: CountOption = None,
    as_of: AsOfOption = None,
    answerer: AnswererOption = None,
    model: ModelOption = None,
    reading: ReadingOption = None,
    inline: InlineOption = False,
) -> None:
    """Open the full-screen chat. Ctrl+Q quits."""
    from timelens.tui.launch import Beginning, run_chat

    if strategy is not None:
        from timelens.retrieval.strategies import strategy_named

        strategy_named(strategy)
    day, today = day_of(as_of), day_of(None)

    def begin() -> Beginning:
        from timelens import Settings
        from timelens.answer.models.inventory import is_undecided
        from timelens.tui.options import Options

        settings = with_model(Settings.load(), model, reading, answerer=answerer)
        writer = make_answerer(settings, answerer, model=model, reading=reading)
        return Beginning(
            corpus,
            Options(day, strategy or settings.strategy, k),
            today,
            settings.model_copy(update={"answerer": wanted_answerer(settings, answerer, model)}),
            writer,
            make_parser(settings, answerer=writer),
            offers=answerer is None and is_undecided(settings),
        )

    finish(run_chat(begin, inline=inline))


def doctor(*, as_json: JsonOption = False) -> None:
    """Check what works on this machine, and how to fix what does not."""
    from timelens.cli.display import show_checks
    from timelens.contracts import check_json
    from timelens.doctor import Health, examine

    checks = examine()
    if as_json:
        print_json({"checks": [check_json(check) for check in checks]})
    else:
        show_checks(checks)
    if any(check.health is Health.BROKEN for check in checks):
        finish(ExitCode.DONE_WITH_FAILURES)
