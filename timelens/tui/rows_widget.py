"""A widget with many rows, of which only the visible ones are drawn."""

from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

MUTED = "$foreground-muted"
"""Style for a part of a text; there, ``$text-muted`` would be brighter than plain text."""


class Rows(ScrollView, can_focus=True):
    """Rows of text with the width of the widget. Subclasses lay them out and draw single rows."""

    DEFAULT_CSS = """
    Rows { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
        text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def lay_out(self, width: int) -> int:
        """Split the content into rows of a width in cells; returns their number."""
        raise NotImplementedError

    def draw(self, row: int) -> Content:
        """A row by its index."""
        raise NotImplementedError

    def layout_changed(self) -> None:
        """Called after the rows were laid out, for instance at another width."""

    def on_resize(self) -> None:
        """Lay out the rows again if the width changed."""
        if self.scrollable_content_region.width != self.virtual_size.width:
            self.redo_layout()

    def redo_layout(self) -> None:
        """Lay out the current content."""
        width = self.scrollable_content_region.width
        self.virtual_size = Size(width, self.lay_out(width) if width else 0)
        self.layout_changed()
        self.refresh()

    def scroll_to_row(self, row: int, height: int = 1) -> None:
        """Scroll to a row with as many of the ``height`` rows as fit."""
        region = Region(0, row, self.virtual_size.width, height)
        self.scroll_to_region(region, animate=False, force=True, immediate=True)

    def render_line(self, y: int) -> Strip:
        """One row; blank below the last."""
        row, width = y + self.scroll_offset.y, self.size.width
        style = self.visual_style
        if not 0 <= row < self.virtual_size.height:
            return Strip.blank(width, style.rich_style)
        strips = Visual.to_strips(self, self.draw(row), width, 1, style, apply_selection=False)
        strip = strips[0] if strips else Strip.blank(width)
        return strip.adjust_cell_length(width, style.rich_style)
