"""The text of a document in rows, with the citations marked and the dates that were read beside it."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content

from timelens import TimelensError
from timelens.temporal import MONTH_NAMES, Interval, phrase
from timelens.tui.document_rows import PageRow, RowKind, Spot, is_table, lay_out, row_of, table_head
from timelens.tui.rows_widget import MUTED, Rows
from timelens.tui.wrapping import fitted

if TYPE_CHECKING:
    from timelens import StoredDocument
    from timelens.ingest.date_provenance import DateRead
    from timelens.tui.document_loading import Fetcher

_MARGIN = 5
_WIDEST_TEXT = 100
_ROOM_FOR_DATES = 76
_WIDEST_DATES = 34
_NARROWEST_DATES = 28  # room for two days: 28 Jul 1973 to 25 Sep 1973
_ABOVE = 3
"""Rows shown above a cited sentence."""
_CITED = "bold on $primary-muted"
_ALSO_CITED = "on $surface-lighten-2"
_DATE = "underline $text-success"


class DocumentView(Rows):
    """A document in rows: citation numbers in the margin, and the days that were read on the right."""

    DEFAULT_CSS = """
    DocumentView { padding: 0 0 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "page_down", "A page down", show=False, id="document-page-down"),
        Binding("j", "scroll_down", "A row down", show=False, id="document-down"),
        Binding("k", "scroll_up", "A row up", show=False, id="document-up"),
    ]

    def __init__(self, fetcher: "Fetcher") -> None:
        super().__init__()
        self._fetcher = fetcher
        self._document: StoredDocument | None = None
        self._spots: dict[int, list[Spot]] = {}
        """Spots by chunk."""
        self._spot: Spot | None = None
        self._rows: list[PageRow] = []
        self._top: tuple[int, int] | None = None
        """Position (chunk, offset) to keep at the top when rows are laid out again."""
        self._wants_dates = True
        self._dates_width = 0
        self._text_width = 1
        self._dates: dict[int, tuple[DateRead, ...]] = {}
        self._wanted: list[int] = []
        """Chunks whose dates are still to be read; the last is read first."""

    def show(self, document: "StoredDocument | None", spots: Mapping[int, Spot], spot: Spot | None) -> None:
        """Show a cleaned document at one of its spots, or nothing."""
        self._document, self._spot = document, spot
        self._spots = {}
        for one in spots.values():
            self._spots.setdefault(one.chunk, []).append(one)
        self._rows, self._top = [], None
        self._dates, self._wanted = {}, []
        self.redo_layout()
        self.show_spot(spot)

    def show_spot(self, spot: Spot | None) -> None:
        """Highlight one of the spots and scroll to it; ``None`` scrolls to the beginning."""
        self._spot = spot
        if self._rows:
            row = 0 if spot is None else row_of(self._rows, spot.chunk, spot.at)
            self._go_to(max(0, row - _ABOVE))
        self.refresh()

    def toggle_dates(self) -> None:
        """Show the dates beside the text, or give their room to the text."""
        self._wants_dates = not self._wants_dates
        self.redo_layout()

    @property
    def table_head(self) -> Content:
        """The column names of a table, above their values."""
        head = "" if self._document is None else table_head(self._document, self._text_width)
        return Content(f"{' ' * _MARGIN}{head}")

    def lay_out(self, width: int) -> int:
        """Lay the text out in rows of a readable width."""
        self._measure(width)
        if self._rows:
            top = self._rows[min(int(self.scroll_offset.y), len(self._rows) - 1)]
            self._top = top.chunk, top.start
        elif self._spot is not None:
            self._top = self._spot.chunk, self._spot.at
        self._rows = [] if self._document is None else lay_out(self._document, self._text_width)
        return len(self._rows)

    def layout_changed(self) -> None:
        """Restore the scroll position."""
        if self._rows and self._top is not None:
            self._go_to(row_of(self._rows, *self._top))

    def _measure(self, width: int) -> None:
        is_text = self._document is not None and not is_table(self._document)
        room = is_text and self._wants_dates and width >= _ROOM_FOR_DATES
        self._dates_width = min(_WIDEST_DATES, max(_NARROWEST_DATES, width * 3 // 10)) if room else 0
        most = _WIDEST_TEXT if is_text else width
        self._text_width = max(1, min(most, width - _MARGIN - self._dates_width - (2 if room else 0)))

    def _go_to(self, row: int) -> None:
        self.scroll_to(y=row, animate=False, force=True, immediate=True)

    def draw(self, row: int) -> Content:
        """Margin, text and dates of a row."""
        shown = self._rows[row]
        if shown.kind is RowKind.PLACE:
            return self._rule(shown)
        spots = [
            spot
            for spot in self._spots.get(shown.chunk, ())
            if spot.start <= shown.start + len(shown.text) and shown.start < spot.end
        ]
        text = Content(shown.text)
        if shown.kind is RowKind.HEADING:
            text = text.stylize("bold")
        for spot in spots:
            style = _CITED if spot == self._spot else _ALSO_CITED
            text = text.stylize(style, max(0, spot.start - shown.start), spot.end - shown.start)
        dates = self._dates_of(shown)
        for date in dates:
            text = text.stylize(_DATE, max(0, date.start - shown.start), date.end - shown.start)
        parts = [self._margin(shown, spots), text]
        if self._dates_width:
            named = dict.fromkeys(_days(date.interval) for date in dates if date.start >= shown.start)
            parts += [
                Content(" " * max(0, self._text_width + 1 - cell_len(shown.text))),
                Content.styled("│", MUTED),
                Content.styled(fitted(f" {' · '.join(named)}", self._dates_width), "$text-success"),
            ]
        return Content("").join(parts)

    def _margin(self, shown: PageRow, spots: list[Spot]) -> Content:
        """The margin of a row: the number of a citation at its sentence, a bar at its other rows."""
        if not spots:
            return Content(" " * _MARGIN)
        is_shown = self._spot in spots
        begins = [spot for spot in spots if shown.start <= spot.at <= shown.start + len(shown.text)]
        spot = self._spot if self._spot in begins else begins[0] if begins else None
        mark = "▌" if spot is None else f"[{spot.number}]"
        return Content.styled(fitted(mark, _MARGIN), "bold $text-primary" if is_shown else MUTED)

    def _rule(self, shown: PageRow) -> Content:
        width = self._text_width
        named = fitted(shown.text, min(cell_len(shown.text), max(1, width - 6)))
        rule = f"── {named} ".ljust(1)
        return Content.styled(f"{rule}{'─' * max(0, width + _MARGIN - cell_len(rule))}", MUTED)

    # The dates

    def _dates_of(self, shown: PageRow) -> "Sequence[DateRead]":
        """The dates read in a row; none until its chunk is read, which is started here."""
        if self._document is None or shown.kind is RowKind.FACT:
            return []
        known = self._dates.get(shown.chunk)
        if known is None:
            self._want(shown.chunk)
            return []
        begun = bisect_left(known, shown.start + len(shown.text), key=lambda date: date.start)
        first = bisect_right(known, shown.start, key=lambda date: date.end)
        return known[first:begun]

    def _want(self, chunk: int) -> None:
        if chunk not in self._wanted:
            self._wanted.append(chunk)
            if len(self._wanted) == 1:
                self.call_next(self._begin_to_read)

    def _begin_to_read(self) -> None:
        self.run_worker(self._read_dates(), exclusive=True)

    async def _read_dates(self) -> None:
        document, dates, wanted = self._document, self._dates, self._wanted
        while document is not None and wanted and wanted is self._wanted:
            chunk = wanted[-1]
            try:
                dates[chunk] = await self._fetcher.dates(document.chunks[chunk])
            except TimelensError:  # the text is shown without dates; the fault is logged
                dates[chunk] = ()
            wanted.remove(chunk)
            self.refresh()


def _days(interval: Interval) -> str:
    """An interval in words, exact, with month names cut to three letters."""
    words = phrase(interval)
    for name in MONTH_NAMES:
        words = words.replace(name, name[:3])
    return words
