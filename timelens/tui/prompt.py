"""The prompt for questions and commands."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.events import Key, Paste
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import TextArea

from timelens import TimelensError
from timelens.answer.rendering.shown_evidence import AskedPeriod
from timelens.printable import printable
from timelens.tui.completion import Completion, Suggestion
from timelens.tui.dropped import paths_in
from timelens.tui.live_times import LiveTimes, Times
from timelens.tui.past_lines import PastLines
from timelens.tui.waiting import PLACEHOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from timelens.tui.suggestions import Suggestions

_WHILE_TYPING_SECONDS = 0.15
_MOST_FOUND = 50
_EDITS = ("delete", "cut", "undo", "redo")
"""Prefixes of the names of actions that change the text."""
_MEANT = {"shift+\r": "shift+enter"}
"""Textual's key names for sequences of xterm's modifyOtherKeys, which tmux sends with extended-keys."""

Complete = Callable[[str, int], Completion | None]
"""Completions for a line at a cursor position, in characters."""


class Prompt(TextArea):
    """One to six lines of input.

    Enter sends; Shift+Enter or Ctrl+J starts another line. In the first and the last line, Up and Down step
    through earlier input. The times in a question are underlined while it is typed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Ask", show=False, id="prompt-ask"),
        Binding("shift+enter,ctrl+j", "break_line", "New line", show=False, id="prompt-new-line"),
        Binding("up", "cursor_up", "Line above, or earlier input", show=False, id="prompt-up"),
        Binding("down", "cursor_down", "Line below, or later input", show=False, id="prompt-down"),
        Binding("tab", "complete", "Complete a command", show=False, id="prompt-complete"),
        Binding("escape", "close_list", "Close the list", show=False, id="prompt-close-list"),
        Binding("ctrl+r", "search", "Search earlier input", show=False, id="prompt-search"),
        Binding("f6", "edit", "Open your own editor", show=False, id="prompt-editor"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--time"}

    class Submitted(Message):
        """Enter was pressed. The prompt is already empty, ready for more input."""

        def __init__(self, prompt: "Prompt", value: str) -> None:
            super().__init__()
            self.prompt = prompt
            self.value = value

    class PathsDropped(Message):
        """Paths of files and folders were pasted, as terminals do for dropped files."""

        def __init__(self, paths: "tuple[Path, ...]", text: str) -> None:
            super().__init__()
            self.paths = paths
            self.text = text

    class TimesRead(Message):
        """The times of the question that is being typed; empty if it names none."""

        def __init__(self, periods: tuple[AskedPeriod, ...]) -> None:
            super().__init__()
            self.periods = periods

    class _Read(Message):
        """The thread has read the times of a text."""

        def __init__(self, text: str, times: Times) -> None:
            super().__init__()
            self.text = text
            self.times = times

    def __init__(self, read: Callable[[str], Times] | None = None, complete: Complete | None = None) -> None:
        """Make an empty prompt.

        Args:
            read: reads the times of a question; called in a thread.
            complete: completes the beginning of a command.
        """
        super().__init__(
            compact=True,
            highlight_cursor_line=False,
            placeholder=PLACEHOLDER,
        )
        self.match_cursor_bracket = False
        self._past = PastLines()
        self._live = None if read is None else LiveTimes(read, self._tell)
        self._times = Times()
        self._read_text = ""
        """The text that the times belong to."""
        self._later: Timer | None = None
        self._complete_by = complete
        self._completion: Completion | None = None
        self._sought_from: str | None = None
        """The text when a search began; ``None`` if there is no search."""
        self._list: Suggestions | None = None

    # The text

    @property
    def value(self) -> str:
        """The whole text."""
        return self.text

    @value.setter
    def value(self, text: str) -> None:
        """Replace the whole text, with the cursor at its end; the list is closed."""
        self._close()
        self.replace(text, (0, 0), self.document.end)
        self.move_cursor(self.document.end)

    def put_back(self, text: str) -> None:
        """Put back a sent line that could not be used, before the text typed since."""
        self.value = f"{text}\n{self.text}" if self.text else text

    def recall(self, lines: Iterable[str]) -> None:
        """Insert the lines of earlier runs before those of this run."""
        self._past.put_before(printable(line).strip("\n") for line in lines)

    def remember(self, line: str) -> None:
        """Append a line to the history, and move after it."""
        self._past.append(line)

    def _on_paste(self, event: Paste) -> None:  # type: ignore[override] # nothing here waits
        """Insert pasted text with all its lines, without control characters."""
        event.prevent_default()
        event.stop()
        self._close()
        if not self.text.strip() and (paths := paths_in(event.text)):
            self.post_message(self.PathsDropped(paths, event.text))
            return
        put = self.replace(printable(event.text).strip("\n"), *self.selection)
        self.move_cursor(put.end_location)

    def action_break_line(self) -> None:
        """Start another line at the cursor."""
        self._close()
        put = self.replace("\n", *self.selection)
        self.move_cursor(put.end_location)

    def action_copy(self) -> None:
        """Copy the selection; without one, Ctrl+C goes to the chat."""
        if self.selection.is_empty:
            raise SkipAction
        super().action_copy()

    def action_submit(self) -> None:
        """Send the text, or insert the highlighted list entry."""
        chosen = self._open_list.chosen if self._open_list is not None else None
        if chosen is not None:
            self._take(chosen)
        elif self._sought_from is None:
            text = self.text
            self.value = ""
            self.post_message(self.Submitted(self, text))

    def action_edit(self) -> None:
        """Edit the text in the user's own editor."""
        from timelens.tui.editor import edited

        self._close()
        try:
            self.value = edited(self.app, self.text)
        except TimelensError as error:
            self.notify(f"{error.message} – {error.hint}", severity="error", markup=False)

    # Earlier input

    def action_cursor_up(self, select: bool = False) -> None:  # noqa: FBT001, FBT002 -- as Textual has it
        """Move up a line; from the first line to earlier input; in a list to the row above."""
        if self._open_list is not None:
            self._open_list.move(-1)
        elif select or not self.navigator.is_first_wrapped_line(self.cursor_location):
            super().action_cursor_up(select)
        else:
            self._step(-1)

    def action_cursor_down(self, select: bool = False) -> None:  # noqa: FBT001, FBT002
        """Move down a line; from the last line to later input; in a list to the row below."""
        if self._open_list is not None:
            self._open_list.move(1)
        elif select or not self.navigator.is_last_wrapped_line(self.cursor_location):
            super().action_cursor_down(select)
        else:
            self._step(1)

    def action_cursor_page_up(self) -> None:
        """Leave the key to the log, which scrolls."""
        raise SkipAction

    def action_cursor_page_down(self) -> None:
        """Leave the key to the log, which scrolls."""
        raise SkipAction

    def _step(self, count: int) -> None:
        line = self._past.step(count, self.text)
        if line is not None:
            self.value = line
            if count < 0 and self.wrapped_document.height > 1:
                self.move_cursor((0, 0))

    def action_search(self) -> None:
        """Search earlier input while the user types; pressed again, move to the next result."""
        if self._sought_from is not None:
            if self._open_list is not None:
                self._open_list.move(1)
            return
        self._close()
        self._sought_from = self.text
        self._search()
        if self._open_list is None:
            self.select_all()  # words that are typed now are searched for by themselves

    def _search(self) -> None:
        found = [Suggestion(line) for line in self._past.search(self.text, _MOST_FOUND)]
        listed = self._suggestions
        title = "earlier input · Enter takes it · Ctrl+R next · Esc back"
        listed.show(found, self.region, title if found else "earlier input: no match · Esc back", empty=True)
        if found:
            listed.move(1)

    # Completion

    async def _on_key(self, event: Key) -> None:
        """Insert the key, and show suggestions.

        Keys with an action run it here instead of after bubbling, because later keys would overtake them.
        """
        if event.is_printable:
            await super()._on_key(event)
            self._suggest()
            return
        active = self.screen.active_bindings.get(_MEANT.get(event.key, event.key))
        if active is None or active.node is not self:
            return
        if await self.app.run_action(active.binding.action, self):
            event.stop()
            event.prevent_default()
            if active.binding.action.startswith(_EDITS):
                self._suggest()

    def action_complete(self) -> None:
        """Insert the highlighted or the first list entry; without a list Tab moves to the next widget."""
        if self._open_list is None:
            raise SkipAction
        if self._open_list.chosen is None:
            self._open_list.move(1)
        if self._open_list.chosen is not None:
            self._take(self._open_list.chosen)

    def action_close_list(self) -> None:
        """Close the list, and restore the text before a search. Without a list Esc goes to the chat."""
        if self._sought_from is not None:
            self.value = self._sought_from
        elif self._open_list is not None:
            self._close()
        else:
            raise SkipAction

    def _suggest(self) -> None:
        if self._sought_from is not None:
            self._search()
            return
        completion = None
        if self._complete_by is not None and self.text.startswith("/"):
            row, column = self.cursor_location
            completion = self._complete_by(self.text, column) if row == 0 else None
        if completion is None:
            self._close()
            return
        self._completion = completion
        self._suggestions.show(completion.suggestions, self.region, "Tab completes · Esc closes")

    def _take(self, chosen: Suggestion) -> None:
        if self._sought_from is not None or self._completion is None:
            self.value = chosen.text
            return
        line, cursor = self._completion.put_into(self.text, chosen)
        self.value = line
        self.move_cursor((0, cursor))
        if chosen.goes_on:
            self._suggest()

    def _close(self) -> None:
        self._sought_from = self._completion = None
        if self._list is not None:
            self._list.close()

    def on_blur(self) -> None:
        """Close the list when the focus leaves the prompt."""
        self._close()

    def _keep_above(self, _: Screen[Any]) -> None:
        """Keep the list above the prompt when the layout changes."""
        if self._open_list is not None:
            self._open_list.place(self.region)

    @property
    def _open_list(self) -> "Suggestions | None":
        return self._list if self._list is not None and self._list.is_open else None

    @property
    def _suggestions(self) -> "Suggestions":
        if self._list is None:
            from timelens.tui.suggestions import Suggestions

            self._list = Suggestions(self._take)
            self.screen.mount(self._list)
            self.screen.screen_layout_refresh_signal.subscribe(self, self._keep_above)
        return self._list

    # The times of a question

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Read the times after a short pause in typing."""
        event.stop()
        if self._later is not None:
            self._later.stop()
        if self.text.startswith("/") or not self.text.strip():
            self._show(self.text, Times())
        elif self._live is not None:
            self._later = self.set_timer(_WHILE_TYPING_SECONDS, self._read_now)

    def _read_now(self) -> None:
        if self._live is not None:
            self._live.want(self.text)

    def _tell(self, text: str, times: Times) -> None:
        self.post_message(self._Read(text, times))

    def on_prompt__read(self, message: _Read) -> None:
        """Show the times of the text, if it did not change meanwhile."""
        message.stop()
        if message.text == self.text:
            self._show(message.text, message.times)

    def _show(self, text: str, times: Times) -> None:
        before, self._times, self._read_text = self._times, times, text
        if times.periods != before.periods:
            self.post_message(self.TimesRead(times.periods))
        if times.spans or before.spans:
            self.notify_style_update()
            self.refresh()

    def get_line(self, line_index: int) -> Text:
        """A line with its times underlined, except times whose text was changed or moved since."""
        line = super().get_line(line_index)
        if self._times.spans:
            text = self.text
            start = sum(len(self.document.get_line(row)) + 1 for row in range(line_index))
            style = self.get_component_rich_style("prompt--time", partial=True)
            for first, end in self._times.spans:
                is_there = text[first:end] == self._read_text[first:end]
                if is_there and first < start + len(line) and end > start:
                    line.stylize(style, max(first - start, 0), end - start)
        return line
