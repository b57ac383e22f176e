"""The list above the prompt: completions, or earlier input."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Offset, Region
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from timelens.printable import printable_line
from timelens.tui.completion import Suggestion

_MOST_ROWS = 8
_MOST_COLUMNS = 100


class Suggestions(OptionList, can_focus=False):
    """A list that overlays the screen above the prompt; the focus stays in the prompt."""

    def __init__(self, taken: Callable[[Suggestion], object]) -> None:
        """``taken`` is called with a suggestion that is clicked."""
        super().__init__()
        self._taken = taken
        self._shown: tuple[Suggestion, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether there are suggestions to take."""
        return bool(self._shown)

    @property
    def chosen(self) -> Suggestion | None:
        """The highlighted suggestion."""
        return None if self.highlighted is None or not self._shown else self._shown[self.highlighted]

    def show(
        self, suggestions: Sequence[Suggestion], prompt: Region, title: str, *, empty: bool = False
    ) -> None:
        """Show suggestions above the region of the prompt; none is highlighted yet.

        Without suggestions the list is hidden, or with ``empty`` only its title is shown.
        """
        self._shown = tuple(suggestions)
        self.clear_options()
        if not self._shown and not empty:
            self.display = False
            return
        column = max((cell_len(printable_line(one.text)) for one in self._shown), default=0)
        self.add_options(Option(_row(one, column)) for one in self._shown)
        self.border_title = title
        self.place(prompt)
        self.display = True
        self.scroll_to(y=0, animate=False)

    def place(self, prompt: Region) -> None:
        """Place the list above the prompt's region, aligned with the prompt's text."""
        self.styles.width = min(_MOST_COLUMNS, prompt.right)
        self.styles.padding = (0, 1, 0, prompt.x)
        self.absolute_offset = Offset(0, prompt.y - min(len(self._shown), _MOST_ROWS) - 1)

    def close(self) -> None:
        """Close the list."""
        self._shown = ()
        self.display = False

    def move(self, step: int) -> None:
        """Highlight the next or the previous suggestion; the first step goes to the nearest end."""
        last = len(self._shown) - 1
        if self.highlighted is None:
            self.highlighted = 0 if step > 0 else last
        else:
            self.highlighted = (self.highlighted + step) % (last + 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click takes a suggestion."""
        event.stop()
        if event.option_index < len(self._shown):
            self._taken(self._shown[event.option_index])


def _row(one: Suggestion, column: int) -> Content:
    text = printable_line(one.text)
    if not one.about:
        return Content(text).truncate(_MOST_COLUMNS, ellipsis=True)
    gap = " " * (column - cell_len(text) + 2)
    return Content.assemble(text, (f"{gap}{printable_line(one.about)}", "$text-muted"))
