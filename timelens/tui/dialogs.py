"""Screens over the chat: the list of conversations, a yes-or-no question, a choice."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from timelens import TimelensError
from timelens.history import Conversation
from timelens.printable import printable_line
from timelens.tui.footer import KeysFooter
from timelens.tui.history_thread import HistoryThread
from timelens.tui.rows_widget import MUTED
from timelens.tui.wording import corpus_words

T = TypeVar("T")

_MOST_SHOWN = 200
_WHILE_TYPING_SECONDS = 0.1


class HistoryScreen(ModalScreen[Conversation | None]):
    """The conversations, newest first, filtered while the user types; returns the chosen one."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", id="history-back"),
        Binding("up", "move(-1)", "Newer", priority=True, id="history-newer"),
        Binding("down", "move(1)", "Older", priority=True, id="history-older"),
        Binding("enter", "choose", "Resume", priority=True, id="history-resume"),
    ]

    def __init__(self, keeper: HistoryThread) -> None:
        super().__init__()
        self._keeper = keeper
        self._found: list[Conversation] = []

    def compose(self) -> ComposeResult:
        """The search field, the results, and their number."""
        with Vertical() as frame:
            frame.border_title = "conversations"
            yield Input(placeholder="Search: words in a title, a question or an answer", compact=True)
            yield OptionList()
            yield Static(id="found")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Start with all conversations."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter the conversations."""
        self._search(event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose with a click."""
        self.dismiss(self._found[event.option_index])

    def action_move(self, step: int) -> None:
        """Highlight the conversation above or below."""
        options = self.query_one(OptionList)
        (options.action_cursor_up if step < 0 else options.action_cursor_down)()

    def action_choose(self) -> None:
        """Return the highlighted conversation."""
        highlighted = self.query_one(OptionList).highlighted
        if highlighted is not None:
            self.dismiss(self._found[highlighted])

    def _search(self, words: str) -> None:
        self.run_worker(self._show(words), exclusive=True)

    async def _show(self, words: str) -> None:
        await asyncio.sleep(_WHILE_TYPING_SECONDS if words else 0)
        try:
            found = await self._keeper.conversations(words)
        except TimelensError as error:
            found, said = [], f"The history is off: {error.message} – {error.hint}"
        else:
            said = _counted(len(found), words)
        self._found = found[:_MOST_SHOWN]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(_line(conversation)) for conversation in self._found])
        options.highlighted = 0 if self._found else None
        self.query_one("#found", Static).update(Content(said))


class EndingScreen(ModalScreen[T]):
    """A screen about something that may end while the screen is open; it closes with that result."""

    _is_over = False
    _result: T | None = None

    def end(self, result: T) -> None:
        """Close with a result as soon as no other screen is above this one; later calls do nothing."""
        if not self._is_over:
            self._is_over, self._result = True, result
            self._leave()

    def on_screen_resume(self) -> None:
        """Close now, if closing had to wait."""
        self._leave()

    def _leave(self) -> None:
        if self._is_over and self.is_active:
            self.dismiss(self._result)


class ConfirmScreen(EndingScreen[bool]):
    """A yes-or-no question, with details that the user should know first."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Yes", id="confirm-yes"),
        Binding("n,escape", "dismiss(False)", "No", id="confirm-no"),
    ]

    def __init__(self, question: str, details: Sequence[str] = ()) -> None:
        super().__init__()
        self._question = question
        self._details = details

    def compose(self) -> ComposeResult:
        """The question, the details and the keys."""
        with Vertical():
            yield Static(Content(printable_line(self._question)))
            for detail in self._details:
                yield Static(Content(printable_line(detail)), classes="details")
            yield Static(Content("y: yes · n or Esc: no"), classes="keys")
        yield KeysFooter()


class ChoiceScreen(ModalScreen[str | None]):
    """A question with several choices; returns the chosen key, or ``None``."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Take the first", id="choose-first")
    ]

    def __init__(self, question: str, choices: Mapping[str, str]) -> None:
        """Ask a question.

        Args:
            question: one or two sentences.
            choices: for each key that the screen may return, the text to show.
        """
        super().__init__()
        self._question = question
        self._choices = choices

    def compose(self) -> ComposeResult:
        """The question and the choices."""
        with Vertical():
            yield Static(Content(printable_line(self._question)))
            yield OptionList(*(Option(Content(printable_line(name))) for name in self._choices.values()))
        yield KeysFooter()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the chosen key."""
        self.dismiss(list(self._choices)[event.option_index])


def _line(conversation: Conversation) -> Content:
    updated = f"{conversation.updated.astimezone():%Y-%m-%d %H:%M}"
    count = f"{conversation.exchanges} question{'' if conversation.exchanges == 1 else 's'}"
    return Content.assemble(
        (printable_line(conversation.title) or "untitled", "bold"),
        "\n",
        (f"  {updated} · {corpus_words(conversation.corpus) or 'no corpus'} · {count}", MUTED),
    )


def _counted(number: int, words: str) -> str:
    if number == 0:
        return (
            "Nothing was found. Try other words."
            if words.strip()
            else "There are no conversations yet. Ask a question."
        )
    if number > _MOST_SHOWN:
        return f"The newest {_MOST_SHOWN} of {number:,} conversations; type to find the others."
    return f"{number} conversation{'' if number == 1 else 's'}"
