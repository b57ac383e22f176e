"""The line of keys at the bottom of a screen."""

from textual.widgets import Footer


class KeysFooter(Footer):
    """The keys of the screen and of what has the focus; those without room are left out, not cut."""

    def __init__(self) -> None:
        super().__init__(compact=True)

    async def recompose(self) -> None:
        """Show other keys."""
        await super().recompose()
        self.call_after_refresh(self._leave_out)

    def on_resize(self) -> None:
        """Show the keys that fit the new width."""
        self.call_after_refresh(self._leave_out)

    def _leave_out(self) -> None:
        palette = self.query(".-command-palette")
        room = self.size.width - sum(key.outer_size.width for key in palette)
        for part in self.children:
            part.visible = part in palette or part.virtual_region.right <= room
