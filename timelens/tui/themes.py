"""Themes of the chat: a high-contrast theme, and the user's own themes in TOML files in the timelens home.

``themes/NAME.toml`` has the fields of :class:`textual.theme.Theme` except its name: colours such as
``primary = "#88c0d0"``, ``dark = true``, and a table ``[variables]``.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from timelens import BadInputError
from timelens.errors import reason_of

DEFAULT = "textual-dark"
"""The theme if none was chosen."""
HIGH_CONTRAST = Theme(
    "high-contrast",
    primary="#7cc7ff",
    secondary="#9ad9ff",
    warning="#ffd75f",
    error="#ffab9f",
    success="#8af0a0",
    accent="#ffd75f",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    boost="#1a1a1a",
    variables={
        "text": "auto 100%",
        "text-muted": "auto 85%",
        "text-disabled": "auto 80%",
        "foreground-muted": "#d8d8d8",
        "foreground-disabled": "#c8c8c8",
        "block-cursor-background": "#003a70",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-blurred-background": "#003a70",
        "block-cursor-blurred-foreground": "#ffffff",
        "border": "#ffffff",
        "border-blurred": "#a8a8a8",
        "scrollbar": "#a8a8a8",
        "scrollbar-hover": "#d8d8d8",
        "scrollbar-active": "#ffffff",
        "scrollbar-background": "#1a1a1a",
        "input-cursor-background": "#ffffff",
        "input-cursor-foreground": "#000000",
        "input-selection-background": "#ffffff",
        "input-selection-foreground": "#000000",
        "screen-selection-background": "#ffffff",
        "screen-selection-foreground": "#000000",
        "footer-key-foreground": "#ffd75f",
    },
)
"""All text at a contrast of 7:1 or more (WCAG 2, level AAA)."""
BUNDLED = {**BUILTIN_THEMES, HIGH_CONTRAST.name: HIGH_CONTRAST}
"""Textual's own themes, and the high-contrast theme."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_SHARE = re.compile(r" \d{1,3}%")
_STYLE_WORDS = {"bold", "b", "dim", "italic", "i", "underline", "u", "strike", "reverse", "not", "none"}
_FIELDS = {field.name: field.type for field in fields(Theme) if field.name != "name"}
_REMEDY = "correct or remove the file"


def theme_names(folder: Path) -> list[str]:
    """The bundled themes and the theme files in a folder, valid or not."""
    return sorted({*BUNDLED, *(file.stem for file in folder.glob("*.toml"))})


def theme_named(name: str, folder: Path) -> Theme:
    """A bundled theme, or one of the user's own.

    Raises:
        BadInputError: there is no such theme, or its file cannot be used.
    """
    if name in BUNDLED:
        return BUNDLED[name]
    file = folder / f"{name}.toml"
    if not _NAME.fullmatch(name) or not file.exists():
        raise BadInputError(f"there is no theme {name}", "/theme lists them")
    return read_theme(file)


def own_themes(folder: Path) -> tuple[list[Theme], list[BadInputError]]:
    """The valid themes in the files ``NAME.toml`` of a folder, and the errors of the others."""
    themes, errors = [], []
    try:
        files = sorted(folder.glob("*.toml"))
    except OSError:
        files = []
    for file in files:
        try:
            themes.append(read_theme(file))
        except BadInputError as error:
            errors.append(error)
    return themes, errors


def read_theme(file: Path) -> Theme:
    """The theme in a file.

    Raises:
        BadInputError: the file cannot be read, or is not a valid theme.
    """
    import tomllib

    try:
        if file.stem in BUNDLED:
            raise ValueError("a bundled theme has that name")  # noqa: TRY301 -- reported like the other errors
        return theme_of(file.stem, tomllib.loads(file.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise BadInputError(f"the theme {file} cannot be used: {reason_of(error)}", _REMEDY) from error


def theme_of(name: str, values: Mapping[str, Any]) -> Theme:
    """A theme from the fields of a file.

    Raises:
        ValueError: a field is unknown, missing or of another type, or a colour is invalid.
    """
    if not _NAME.fullmatch(name):
        raise ValueError("its name may only have letters, digits, - and _")
    if unknown := sorted(set(values) - set(_FIELDS)):
        raise ValueError(f"there is no field {unknown[0]}; the fields are {', '.join(_FIELDS)}")
    if "primary" not in values:
        raise ValueError('primary is missing; write one, as in primary = "#88c0d0"')
    for field, value in values.items():
        _check(field, value)
    theme = Theme(name, **values)
    system = theme.to_color_system()
    if unknown := sorted(set(theme.variables) - set(system.generate())):
        raise ValueError(f"there is no variable {unknown[0]}")
    return theme


def _check(field: str, value: object) -> None:
    kind = str(_FIELDS[field])
    if kind == "bool":
        if not isinstance(value, bool):
            raise ValueError(f"{field} must be true or false")
    elif kind == "float":
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise ValueError(f"{field} must be a number from 0 to 1")
    elif field == "variables":
        if not isinstance(value, dict):
            raise ValueError("variables must be a table")
        for name, given in value.items():
            _check_variable(name, given)
    else:
        _check_colour(field, value)


def _check_variable(name: str, value: object) -> None:
    """A colour or ``auto`` (contrasting), with an optional share such as ``30%``; or a text style."""
    if name.endswith("style") or "-style-" in name:
        if not isinstance(value, str) or not set(value.split()) <= _STYLE_WORDS:
            raise ValueError(f"{name} must be a style, such as bold or underline")
    elif (colour := _SHARE.sub("", value) if isinstance(value, str) else value) != "auto":
        _check_colour(name, colour)


def _check_colour(name: str, value: object) -> None:
    try:
        Color.parse(value if isinstance(value, str) else "")
    except ColorParseError as error:
        raise ValueError(f"{name} must be a colour such as #88c0d0, not {value!r}") from error
