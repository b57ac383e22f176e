"""The chat, opened in this terminal."""

import sys
from typing import TYPE_CHECKING

from timelens.errors import BadInputError
from timelens.temporal.calendar import Day
from timelens.tui.app import ChatApp
from timelens.tui.options import Options
from timelens.tui.terminal import leave_quickly, noise_to
from timelens.tui.worker import ApiLibrary

if TYPE_CHECKING:
    from timelens.agent import Answerer, Parser
    from timelens.config import Settings


def run_chat(
    corpus: str | None,
    *,
    as_of: Day,
    today: Day,
    strategy: str | None,
    k: int | None,
    settings: "Settings",
    answerer: "Answerer | None",
    parser: "Parser | None" = None,
    offers: bool = False,
    inline: bool = False,
) -> int:
    """Open the chat in this terminal until the user quits.

    Args:
        corpus: a name or path; by default the first there is, and with none a choice of the bundled ones.
        as_of: the day that counts as today.
        today: the day that /asof without a day goes back to.
        strategy: how evidence is found; the configured way by default.
        k: pieces of evidence for an answer; the configured number by default.
        settings: of this machine, with the answerer that is in use.
        answerer: writes answers with a model; without one the evidence speaks for itself.
        parser: reads questions with a model beside the rules; without one they read them alone.
        offers: whether to ask for a first model, where nobody was ever asked.
        inline: draw below the shell's prompt and leave the last screen there, not in full screen.

    Returns:
        The exit code: 0.

    Raises:
        BadInputError: this is not a terminal, or the timelens home cannot be written.
        Exception: whatever the chat was left with.
    """
    from timelens.folders import home

    if sys.stdin is None or not sys.stdin.isatty() or not sys.stderr.isatty():
        raise BadInputError("the chat needs a terminal", 'in a script, use: timelens ask "…" --corpus NAME')
    options = Options(as_of, strategy or settings.strategy, k)
    app = ChatApp(
        corpus,
        options,
        ApiLibrary(settings),
        home() / "conversations.sqlite",
        answerer,
        parser=parser,
        settings=settings,
        offers=offers and sys.stdout.isatty(),
        today=today,
    )
    with noise_to(home() / "log" / "chat.log"):
        app.run(inline=inline, inline_no_clear=True)
    code = app.return_code or 0
    leave_quickly(lambda: app.chat.worker.thread.is_alive() or app.chat.ingests.is_busy, code)
    if app.fault is not None:
        raise app.fault
    return code
