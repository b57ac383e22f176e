"""Opens the chat in this terminal."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from timelens import BadInputError
from timelens.folders import home
from timelens.tui.app import ChatApp
from timelens.tui.terminal import leave_quickly, noise_to
from timelens.tui.waiting import configured_theme

if TYPE_CHECKING:
    from timelens import Answerer, Parser, Settings
    from timelens.tui.options import Options
    from timelens.tui.screen import ChatScreen


@dataclass(frozen=True, slots=True)
class Beginning:
    """The initial state of a chat."""

    corpus: str | None
    """A name or path; ``None`` is the corpus that was asked last, or a choice of the bundled ones."""
    options: "Options"
    """The options of questions."""
    today: int
    """The day that /asof without an argument goes back to."""
    settings: "Settings"
    """Settings of this machine, with the answerer in use."""
    answerer: "Answerer | None" = None
    """Writes answers with a model; without one, answers quote the evidence."""
    parser: "Parser | None" = None
    """Reads questions with a model in addition to the rules; ``None`` uses only the rules."""
    offers: bool = False
    """Whether to offer a first model, if the user was never asked."""


def run_chat(begin: Callable[[], Beginning], *, inline: bool = False) -> int:
    """Open the chat in this terminal until the user quits.

    Args:
        begin: reads settings and makes the answerer; called on a thread after the first paint.
        inline: draw below the shell's prompt and leave the last screen there, instead of full screen.

    Returns:
        The exit code: 0.

    Raises:
        BadInputError: this is not a terminal, or the timelens home cannot be written.
        Exception: any error of ``begin``, or the unexpected exception that ended the chat.
    """
    if sys.stdin is None or not sys.stdin.isatty() or not sys.stderr.isatty():
        raise BadInputError("the chat needs a terminal", 'in a script, use: timelens ask "…" --corpus NAME')
    app = ChatApp(lambda: make_screen(begin()), configured_theme(home() / "config.toml"))
    with noise_to(home() / "log" / "chat.log"):
        app.run(inline=inline, inline_no_clear=True)
    code = app.return_code or 0
    leave_quickly(app.is_busy, code)
    if app.fault is not None:
        raise app.fault
    return code


def make_screen(beginning: Beginning) -> "ChatScreen":
    """The chat over the corpora of this machine."""
    from timelens.tui.screen import ChatScreen
    from timelens.tui.worker import ApiLibrary

    return ChatScreen(
        beginning.corpus,
        beginning.options,
        ApiLibrary(beginning.settings),
        home() / "conversations.sqlite",
        beginning.answerer,
        parser=beginning.parser,
        settings=beginning.settings,
        offers=beginning.offers and sys.stdout.isatty(),
        today=beginning.today,
    )
