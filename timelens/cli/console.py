"""Where commands speak to people: results on standard output, remarks on standard error."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from timelens.printable import printable_line

_PIPE_WIDTH = 1000
_OUT = Console(markup=False, highlight=False, emoji=False)
ERR = Console(stderr=True, markup=False, highlight=False, emoji=False)
"""For bars of progress; :func:`say` is for words."""


def show(shown: Text | Table | str = "") -> None:
    """On standard output; broken into lines for a terminal, and left whole for a pipe or a file."""
    if not _OUT.is_terminal:
        _OUT.width = _PIPE_WIDTH
    _OUT.print(shown, soft_wrap=not _OUT.is_terminal and not isinstance(shown, Table))


def note(notes: Iterable[str]) -> None:
    """Each on a line of standard error, marked as a note."""
    for line in notes:
        say(f"note: {line}", "yellow")


def say(line: str, style: str = "default") -> None:
    """One line on standard error, made printable."""
    ERR.print(Text(printable_line(line), style=style), soft_wrap=not ERR.is_terminal)
