"""A screen of the chat as text: what stands on it, and the style of every cell in several looks.

One file holds a screen in one size. The text comes first; then the runs of cells that have one style
in each look, row by row (``a12 b3`` is 12 cells of style a, then 3 of b; rows alike are one line); then what
each style is in each look.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from string import ascii_lowercase

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

FOLDER = Path(__file__).with_name("tui") / "snapshots"
FAILED = Path(__file__).parents[1] / "build" / "snapshots"
UPDATE = "make snapshots"
_ATTRIBUTES = ("bold", "dim", "italic", "underline", "reverse", "strike", "blink")


@dataclass(frozen=True)
class Look:
    """A screen in one look: its rows, and a style for each cell of each row."""

    rows: Sequence[str]
    styles: Sequence[Sequence[str]]
    written: frozenset[str]
    """The styles that letters and digits have."""


def look_at(app: App[None]) -> Look:
    """What is on the screen now."""
    strips = app.screen._compositor.render_strips()
    segments = [[(segment.text, style_words(segment.style)) for segment in strip] for strip in strips]
    return Look(
        [strip.text.rstrip() for strip in strips],
        [[style for text, style in row for _ in range(cell_len(text))] for row in segments],
        frozenset(style for row in segments for text, style in row if any(map(str.isalnum, text))),
    )


async def hold_still(pilot: Pilot[None]) -> None:
    """Let no cursor blink, and everything that changes settle."""
    screen = pilot.app.screen
    for widget in (*screen.query(Input), *screen.query(TextArea)):
        assert isinstance(widget, Input | TextArea)
        widget.cursor_blink = False
        widget._cursor_visible = True
    for _ in range(2):
        await pilot.pause()  # until the process is idle


def contrast(style: str) -> float:
    """The ratio of WCAG 2 between the colours of a style, such as ``#ffffff on #000000 bold``."""
    ink, _, ground, *_ = style.split()
    lighter, darker = sorted((_luminance(Color.parse(colour)) for colour in (ink, ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    parts = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def style_words(style: Style | None) -> str:
    """``#e0e0e0 on #121212 bold``."""
    if style is None:
        return "plain"
    ink, ground = (
        "default" if colour is None or colour.triplet is None else colour.triplet.hex
        for colour in (style.color, style.bgcolor)
    )
    return " ".join([f"{ink} on {ground}", *(name for name in _ATTRIBUTES if getattr(style, name))])


def as_text(looks: Mapping[str, Look]) -> str:
    """All looks of a screen as one text. The looks have to say the same; only styles may differ."""
    first = next(iter(looks.values()))
    for name, look in looks.items():
        assert look.rows == first.rows, f"the look {name} has another text"
    names: dict[tuple[str, ...], str] = {}
    rows = []
    for row in zip(*(look.styles for look in looks.values()), strict=True):
        runs = [(cell, len(list(cells))) for cell, cells in groupby(zip(*row, strict=True))]
        rows.append(" ".join(f"{names.setdefault(cell, _name(len(names)))}{length}" for cell, length in runs))
    lines = [*first.rows, "", "== styles"]
    position = 1
    for runs_of_row, alike in groupby(rows):
        last = position + len(list(alike)) - 1
        lines.append(f"{position if position == last else f'{position}-{last}'}: {runs_of_row}")
        position = last + 1
    for cell, name in names.items():
        lines += ["", f"== {name}", *(f"{look}: {style}" for look, style in zip(looks, cell, strict=True))]
    return "\n".join(lines) + "\n"


def _name(number: int) -> str:
    letters = ascii_lowercase
    return letters[number] if number < 26 else _name(number // 26 - 1) + letters[number % 26]


def check(name: str, actual: str, picture: str) -> None:
    """Compare a screen with the file of its name, or write that file where it is asked for.

    What differs is written into ``build/snapshots``: the text as it was expected and as it is, and a picture.
    """
    file = FOLDER / f"{name}.txt"
    if os.environ.get("TIMELENS_TEST_SNAPSHOTS") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(actual, encoding="utf-8")
        return
    expected = file.read_text(encoding="utf-8") if file.exists() else ""
    if actual == expected:
        return
    FAILED.mkdir(parents=True, exist_ok=True)
    (FAILED / f"{name}.expected.txt").write_text(expected, encoding="utf-8")
    (FAILED / f"{name}.actual.txt").write_text(actual, encoding="utf-8")
    (FAILED / f"{name}.svg").write_text(picture, encoding="utf-8")
    pytest.fail(
        f"the screen {name} looks different: compare {FAILED / name}.expected.txt with .actual.txt, "
        f"and see {name}.svg. If it is right as it is now: {UPDATE}",
        pytrace=False,
    )
