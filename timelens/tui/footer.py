"""The line of keys at the bottom of a screen."""

from textual.binding import Binding
from textual.widgets import Footer


class KeysFooter(Footer):
    """The keys of the screen and of what has the focus; those without room are left out, not cut."""

    def __init__(self) -> None:
        super().__init__(compact=True)
        self._shown: list[tuple[Binding, bool, str]] | None = None
        """The keys as they were shown last."""

    async def recompose(self) -> None:
        """Show other keys. Textual asks for it at every change of focus, which often has the same keys."""
        if not self._bindings_ready or not self.is_attached:
            await super().recompose()
            return
        keys = [
            (one.binding, one.enabled, one.tooltip)
            for key, one in self.screen.active_bindings.items()
            if one.binding.show or key == self.app.COMMAND_PALETTE_BINDING
        ]
        if keys == self._shown:
            return
        await super().recompose()
        self._shown = keys
        self.call_after_refresh(self._leave_out)

    def on_resize(self) -> None:
        """Show the keys that fit the new width."""
        self.call_after_refresh(self._leave_out)

    def _leave_out(self) -> None:
        palette = self.query(".-command-palette")
        room = self.size.width - sum(key.outer_size.width for key in palette)
        for part in self.children:
            part.visible = part in palette or part.virtual_region.right <= room
