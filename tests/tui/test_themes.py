"""Themes: the contrast of the bundled one, and those of a user."""

import tomllib
from pathlib import Path

import pytest
from screens import contrast
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from timelens.tui.themes import DEFAULT, HIGH_CONTRAST, own_themes, theme_of

GROUNDS = ("background", "surface", "panel", "boost")
TEXTS = (
    "text",
    "text-muted",
    "text-disabled",
    "text-primary",
    "text-secondary",
    "text-warning",
    "text-error",
    "text-success",
    "text-accent",
    "foreground",
    "foreground-muted",
    "foreground-disabled",
    "footer-key-foreground",
    "footer-description-foreground",
    "markdown-h1-color",
    "markdown-h2-color",
    "markdown-h3-color",
    "markdown-h6-color",
    "border",
    "border-blurred",
)
PAIRS = (
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    ("input-selection-foreground", "input-selection-background"),
    ("input-cursor-foreground", "input-cursor-background"),
    ("screen-selection-foreground", "screen-selection-background"),
)
"""What is not written on the ground of the screen."""


def ratio(text: str, ground: str) -> float:
    """The contrast of a colour as a theme has it, which may be made of the ground."""
    below = Color.parse(ground)
    if text.startswith("auto"):
        above = below.get_contrast_text(float(text.removeprefix("auto ").rstrip("%")) / 100)
    else:
        above = Color.parse(text)
    return contrast(f"{(below + above).hex6} on {below.hex6}")


def test_the_formula_is_that_of_the_standard() -> None:
    assert ratio("#ffffff", "#000000") == pytest.approx(21)
    assert ratio("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", TEXTS)
def test_all_text_of_the_theme_of_high_contrast_is_at_seven_to_one(text: str, ground: str) -> None:
    colours = HIGH_CONTRAST.to_color_system().generate()
    assert ratio(colours[text], colours[ground]) >= 7


@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_what_is_selected_is_at_seven_to_one(text: str, ground: str) -> None:
    colours = HIGH_CONTRAST.to_color_system().generate()
    assert ratio(colours[text], colours[ground]) >= 7


def test_the_default_theme_would_not_pass() -> None:
    colours = BUILTIN_THEMES[DEFAULT].to_color_system().generate()
    assert ratio(colours["text-muted"], colours["panel"]) < 7


async def test_a_theme_of_a_file_is_used(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'primary = "#88c0d0"\nbackground = "black"\ndark = true\nluminosity_spread = 0.2\n'
        '[variables]\nborder = "red"\n"text-muted" = "auto 70%"\n"link-style" = "bold not underline"\n'
    )
    [theme], errors = own_themes(tmp_path)
    assert errors == []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.register_theme(theme)
        app.theme = "mine"
        await pilot.pause()
        assert app.get_css_variables()["border"] == "red"
        assert app.screen.styles.background == Color.parse("black")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dark = true", "primary is missing"),
        ('primary = "no colour"', "primary must be a colour such as #88c0d0, not 'no colour'"),
        ("primary = 3", "primary must be a colour"),
        ('primary = "red"\ncolour = "red"', "there is no field colour; the fields are primary,"),
        ('name = "x"\nprimary = "red"', "there is no field name"),
        ('primary = "red"\ndark = "yes"', "dark must be true or false"),
        ('primary = "red"\ntext_alpha = 7', "text_alpha must be a number from 0 to 1"),
        ('primary = "red"\nvariables = 3', "variables must be a table"),
        ('primary = "red"\n[variables]\nno-such = "red"', "there is no variable no-such"),
        ('primary = "red"\n[variables]\nborder = "; }"', "border must be a colour"),
        ('primary = "red"\n[variables]\nlink-style = "loud"', "link-style must be a style"),
        ("primary = ", "Invalid value"),
        ("\udcff", "codec can't decode"),
    ],
)
def test_a_file_that_is_no_theme_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    (tmp_path / "good.toml").write_text('primary = "red"')
    themes, [error] = own_themes(tmp_path)
    assert [theme.name for theme in themes] == ["good"]
    assert error.message.startswith(f"the theme {file} cannot be used: ")
    assert said in error.message
    assert "\n" not in error.message


def test_a_name_is_a_plain_word(tmp_path: Path) -> None:
    (tmp_path / "a b.toml").write_text('primary = "red"')
    [], [error] = own_themes(tmp_path)
    assert "its name may only have letters" in error.message
    assert own_themes(tmp_path / "nowhere") == ([], [])


@pytest.mark.parametrize("name", sorted(BUILTIN_THEMES))
def test_every_bundled_theme_could_be_written_as_a_file(name: str) -> None:
    theme = BUILTIN_THEMES[name]
    values = {key: value for key, value in vars(theme).items() if key != "name" and value is not None}
    assert theme_of(name, values) == theme


def test_the_example_of_the_manual_is_a_theme() -> None:
    manual = (Path(__file__).resolve().parents[2] / "docs" / "chat.md").read_text(encoding="utf-8")
    [example] = [
        block.split("```")[0] for block in manual.split("```toml\n")[1:] if block.startswith("# themes/")
    ]
    assert theme_of("night", tomllib.loads(example)).primary
