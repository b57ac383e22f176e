"""Output of the commands: results on standard output, remarks on standard error."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from timelens.printable import printable_line

_PIPE_WIDTH = 1000
_OUT = Console(markup=False, highlight=False, emoji=False)
ERR = Console(stderr=True, markup=False, highlight=False, emoji=False)
"""For progress bars; use :func:`say` for text."""


def show(shown: Text | Table | str = "") -> None:
    """Print on standard output; wrapped for a terminal, unwrapped for a pipe or a file."""
    if not _OUT.is_terminal:
        _OUT.width = _PIPE_WIDTH
    _OUT.print(shown, soft_wrap=not _OUT.is_terminal and not isinstance(shown, Table))


def note(notes: Iterable[str]) -> None:
    """Print each note on a line of standard error."""
    for line in notes:
        say(f"note: {line}", "yellow")


def say(line: str, style: str = "default") -> None:
    """Print one line on standard error, made printable."""
    ERR.print(Text(printable_line(line), style=style), soft_wrap=not ERR.is_terminal)
