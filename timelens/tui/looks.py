"""The part of the chat screen about its theme and its keys."""

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App

from timelens import BadInputError
from timelens.folders import home
from timelens.tui.keymap import faults_of, read_keymap
from timelens.tui.themes import DEFAULT, HIGH_CONTRAST, own_themes, theme_named

if TYPE_CHECKING:
    from timelens import ChatSettings
    from timelens.tui.screen import ChatScreen


class Looks:
    """The theme and the keys of the chat, as configured and chosen."""

    def __init__(self, screen: "ChatScreen", settings: "ChatSettings") -> None:
        self._screen = screen
        self._theme = settings.theme
        self.keymap, self._faults = read_keymap(settings.keys)

    def dress(self, app: App[None]) -> None:
        """Set the theme and the keys of the app before the first paint."""
        app.register_theme(HIGH_CONTRAST)
        app.set_keymap(self.keymap)
        if self._theme is not None:
            try:
                self._take(app, self._theme)
            except BadInputError as error:
                self._faults.append(f"{error.message} – {error.hint}")

    def begin(self) -> None:
        """Register the user's own themes, report faults of the configuration, and save later choices."""
        for theme in own_themes(_folder())[0]:
            self._screen.app.register_theme(theme)
        self._screen.app.theme_changed_signal.subscribe(self._screen, lambda theme: self._keep(theme.name))
        if self._faults or self.keymap:
            self._screen.meanwhile(self._say_faults)

    async def choose(self, name: str) -> None:
        """List the themes, or apply one and save the choice."""
        app = self._screen.app
        if name:
            self._take(app, name)
            return
        own, errors = own_themes(_folder())
        for theme in own:
            app.register_theme(theme)
        names = ", ".join(sorted(app.available_themes))
        await self._screen.say(f"The theme is {app.theme}. Themes: {names}. Choose one with /theme NAME.")
        for error in errors:
            await self._screen.complain(error)

    @staticmethod
    def _take(app: App[None], name: str) -> None:
        """Apply a theme.

        Raises:
            BadInputError: there is no such theme, or its file is not a valid theme.
        """
        theme = theme_named(name, _folder())
        app.register_theme(theme)
        app.theme = theme.name

    def _keep(self, name: str) -> None:
        """Write the choice to the configuration, also a choice from the palette."""
        if name != (self._theme or DEFAULT):
            self._theme = name
            self._screen.meanwhile(partial(self._write, name))

    async def _write(self, name: str) -> None:
        from timelens import configure

        configure({"chat.theme": name})

    async def _say_faults(self) -> None:
        wrong = await asyncio.to_thread(faults_of, self.keymap) if self.keymap else []
        for line in [*self._faults, *wrong]:
            await self._screen.say(line, error=True)


def _folder() -> Path:
    return home() / "themes"
