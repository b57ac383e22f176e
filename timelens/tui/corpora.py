"""The corpora of this machine: the periods they cover, and their documents."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from rich.text import Text
from textual import work
from textual.app import ComposeResult, RenderResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import DataTable, Input, Static

from timelens import Histogram, TimelensError
from timelens.folders import ALL_CORPORA
from timelens.printable import counted, printable_line
from timelens.store.histogram import FEWEST
from timelens.temporal import Day, Interval
from timelens.tui.document_filter import DocumentFilter, read_filter
from timelens.tui.footer import KeysFooter
from timelens.tui.histogram import caption, columns_within, draw
from timelens.tui.rows_widget import MUTED
from timelens.tui.timeline.axis import short_phrase

if TYPE_CHECKING:
    from timelens import CorpusSummary, DocumentOverview
    from timelens.temporal import Conventions

_MOST_SHOWN = 1_000
"""Maximum number of documents in the list; the others are found with the filter."""
_WHILE_TYPING_SECONDS = 0.15
_WIDTHS = {"day": 11, "events": 7, "span": 18, "file": 32}
"""Column widths of the document list; the title gets the rest."""
_WIDE = 110
"""Minimum screen width that leaves room for the file name."""


class ShownCorpus(Protocol):
    """The methods of a corpus that the screen uses: :class:`timelens.corpus.Corpus`."""

    def summary(self) -> "CorpusSummary":
        """The content of the corpus, summarised."""

    def documents(self, within: Interval | None = None) -> "Sequence[DocumentOverview]":
        """Its documents, or only those with a time in an interval."""

    def histogram(self, bins: int) -> Histogram:
        """The number of events over time."""


class HistogramView(Widget):
    """A histogram that fills the width, with the asked periods highlighted."""

    class Widened(Message):
        """There is room for another number of bars."""

        def __init__(self, columns: int) -> None:
            super().__init__()
            self.columns = columns

    def __init__(self) -> None:
        super().__init__()
        self._histogram: Histogram | None = None
        self._asked: tuple[Interval, ...] = ()

    def show(self, histogram: Histogram | None) -> None:
        """Draw another histogram; ``None`` while it is being computed."""
        self._histogram = histogram
        self.refresh()

    def set_off(self, asked: Sequence[Interval]) -> None:
        """Highlight the bars of some periods."""
        self._asked = tuple(asked)
        self.refresh()

    def on_resize(self, event: Resize) -> None:
        """Report the new width, because the number of bars depends on it."""
        self.post_message(self.Widened(max(event.size.width, FEWEST)))

    def render(self) -> RenderResult:
        """Bars, axis and caption."""
        histogram, (width, height) = self._histogram, self.content_size
        if histogram is None:
            return Content("")
        drawing = draw(histogram, width, height - 2)
        columns = {c for period in self._asked for c in columns_within(histogram, drawing, period)}
        lines = [_two_coloured(row, columns) for row in drawing.rows]
        if lines:
            lines.append(Content.assemble((drawing.axis, MUTED)))
        return Content("\n").join([*lines, Content.assemble((caption(histogram), MUTED))])


def _two_coloured(row: str, columns: set[int]) -> Content:
    """A row of bars, with some columns highlighted."""
    plain, off = "$text-primary", "bold $text-warning"
    parts: list[tuple[str, str]] = []
    for column, cell in enumerate(row):
        style = off if column in columns else plain
        if parts and parts[-1][1] == style:
            parts[-1] = parts[-1][0] + cell, style
        else:
            parts.append((cell, style))
    return Content.assemble(*parts)


class CorporaScreen(Screen[str | None]):
    """All corpora, with a histogram and the documents of the highlighted one. Returns the corpus to ask."""

    CSS_PATH = "corpora.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f5", "dismiss(None)", "Back", id="corpora-back"),
        Binding("slash", "filter", "Filter", id="corpora-filter"),
        Binding("a", f"dismiss('{ALL_CORPORA}')", "Ask all", id="corpora-ask-all"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (28, "-middle"), (44, "-high")]  # noqa: RUF012 -- as Textual has it

    class DocumentChosen(Message):
        """A document was chosen, to be shown with the dates read in it."""

        def __init__(self, corpus: str, document: "DocumentOverview") -> None:
            super().__init__()
            self.corpus = corpus
            self.document = document

    def __init__(
        self,
        names: Callable[[], Sequence[str]],
        opened: Callable[[str], ShownCorpus],
        *,
        asked: str | None,
        today: Day,
        conventions: "Conventions",
    ) -> None:
        """Start with the corpus that is being asked.

        Args:
            names: returns the names of all corpora; called on another thread.
            opened: opens a corpus by name; called on another thread.
            asked: the name of the corpus that questions go to, or :data:`ALL_CORPORA`.
            today: the reference day for relative times such as "last May".
            conventions: how dates are read.
        """
        super().__init__()
        self._list_names = names
        self._open = opened
        self._asked = asked
        self._today = today
        self._conventions = conventions
        self._names: list[str] = []
        self._corpora: dict[str, ShownCorpus] = {}
        self._chosen: str | None = None
        self._bars = 0
        self._documents: Sequence[DocumentOverview] = ()
        self._shown: list[DocumentOverview] = []

    def compose(self) -> ComposeResult:
        """Corpora, histogram, filter, documents."""
        names: DataTable[Text] = DataTable(id="names", cursor_type="row")
        names.border_title = "corpora"
        yield names
        yield HistogramView()
        yield Input(placeholder="Filter documents: 1998..2002, 1990s, .md, words in a title", compact=True)
        yield Static(id="said")
        documents: DataTable[Text] = DataTable(id="documents", cursor_type="row")
        documents.border_title = "documents"
        yield documents
        yield KeysFooter()

    def on_mount(self) -> None:
        """List the corpora."""
        self._table("names").focus()
        self._list()

    # The corpora

    def renew(self, name: str) -> None:
        """Show the new content of a corpus after documents were added; the corpus may be new."""
        self._corpora.pop(name, None)
        self._list()
        if name == self._chosen:
            self._load()

    @work(group="corpora", exclusive=True)
    async def _list(self) -> None:
        names = await asyncio.to_thread(lambda: list(self._list_names()))
        rows = [await asyncio.to_thread(self._row, name) for name in names]
        self._names = names
        at = self._chosen or self._asked
        table = self._table("names")
        with self.prevent(DataTable.RowHighlighted):
            table.clear(columns=True)
            for label in ("", "corpus", "documents", "passages", "from", "to"):
                table.add_column(label)
            for name, row in zip(names, rows, strict=True):
                table.add_row(*row, key=name)
            table.move_cursor(row=names.index(at) if at in names else 0)
        if not names:
            self._say("There is no corpus yet: /ingest makes one.")
        else:
            self._choose(at if at in names else names[0])

    def _row(self, name: str) -> list[Text]:
        mark = "●" if self._asked in {name, ALL_CORPORA} else " "
        try:
            summary = self._corpus(name).summary()
        except TimelensError as error:
            return _cells(mark, name, printable_line(error.message), "", "", "")
        start, end = _ends(summary.span)
        return _cells(mark, name, f"{summary.documents:,}", f"{summary.chunks:,}", start, end)

    def _corpus(self, name: str) -> ShownCorpus:
        if name not in self._corpora:
            self._corpora[name] = self._open(name)
        return self._corpora[name]

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Show the corpus at the cursor."""
        if event.data_table.id == "names":
            self._choose(event.row_key.value)

    def _choose(self, name: str | None) -> None:
        if name != self._chosen:
            self._chosen = name
            self.query_one(HistogramView).show(None)
            self._load()

    def dismiss(self, result: str | None = None) -> AwaitComplete:
        """Close with a result. Running work is cancelled first: it would look for widgets being removed."""
        self.workers.cancel_node(self)
        return super().dismiss(result)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Ask a corpus from now on, or open a document."""
        if event.data_table.id == "names":
            self.dismiss(event.row_key.value)
        elif self._chosen is not None and event.cursor_row < len(self._shown):
            self.post_message(self.DocumentChosen(self._chosen, self._shown[event.cursor_row]))

    # The chosen corpus

    def on_histogram_view_widened(self, event: HistogramView.Widened) -> None:
        """Recompute the histogram with the new number of bars."""
        if event.columns != self._bars:
            self._bars = event.columns
            self._load()

    def _load(self) -> None:
        if self._chosen is not None and self._bars:
            self._show(self._chosen, self._bars)

    @work(group="corpus", exclusive=True)
    async def _show(self, name: str, bars: int) -> None:
        view = self.query_one(HistogramView)
        view.border_title = f"events of {printable_line(name)} over time"
        try:
            corpus = await asyncio.to_thread(self._corpus, name)
            histogram = await asyncio.to_thread(corpus.histogram, bars)
            self._documents = sorted(await asyncio.to_thread(corpus.documents), key=_first_day)
        except TimelensError as error:
            self._documents = ()
            view.show(None)
            self._say(f"{error.message} – {error.hint}")
        else:
            view.show(histogram)
            self._say("")
        self._sift(0)

    # The documents

    def on_input_changed(self) -> None:
        """Filter the documents while the user types."""
        self._sift(_WHILE_TYPING_SECONDS)

    def on_input_submitted(self) -> None:
        """Move to the filtered documents."""
        self._table("documents").focus()

    def action_filter(self) -> None:
        """Move to the filter."""
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        """Recompute the column widths."""
        self._sift(_WHILE_TYPING_SECONDS)

    @work(group="documents", exclusive=True)
    async def _sift(self, wait_seconds: float) -> None:
        """Show the documents that match the filter."""
        await asyncio.sleep(wait_seconds)
        name, line = self._chosen, self.query_one(Input).value
        if name is None:
            return
        sieve = await asyncio.to_thread(read_filter, line, self._today, self._conventions)
        try:
            admitted = await asyncio.to_thread(self._within, name, sieve)
        except TimelensError as error:
            self._say(f"{error.message} – {error.hint}")
            return
        found = [one for one in self._documents if sieve.admits(one) and one.id in admitted]
        self._shown = found[:_MOST_SHOWN]
        self.query_one(HistogramView).set_off(sieve.periods)
        self._fill()
        documents = self._table("documents")
        documents.border_title = _counted(len(found), len(self._documents), narrowed=bool(line.strip()))

    def _within(self, name: str, sieve: DocumentFilter) -> set[str]:
        """Ids of the documents with a time in one of the periods; of all documents without periods."""
        if not sieve.periods:
            return {one.id for one in self._documents}
        corpus = self._corpus(name)
        return {one.id for period in sieve.periods for one in corpus.documents(period)}

    def _fill(self) -> None:
        """Fill the document list, with columns that fit the screen."""
        table = self._table("documents")
        table.clear(columns=True)
        wide = self.size.width >= _WIDE
        widths = dict(_WIDTHS) if wide else {name: n for name, n in _WIDTHS.items() if name != "file"}
        room = self.size.width - 7 - sum(widths.values()) - 2 * (len(widths) + 1)
        for label, width in {"title": max(room, 12), **widths}.items():
            table.add_column(label, width=width)
        for one in self._shown:
            own = "" if one.published is None else short_phrase(one.published)
            span = "" if one.span is None else short_phrase(one.span)
            cells = _cells(one.title or one.id, own, f"{one.events:,}", span, one.id)
            table.add_row(*cells[: len(widths) + 1])

    def _say(self, text: str) -> None:
        said = self.query_one("#said", Static)
        said.update(Content(printable_line(text)))
        said.set_class(bool(text), "shown")

    def _table(self, name: str) -> "DataTable[Text]":
        return self.query_one(f"#{name}", DataTable)


def _cells(*texts: str) -> list[Text]:
    return [Text(printable_line(text), no_wrap=True, overflow="ellipsis") for text in texts]


def _ends(span: Interval | None) -> tuple[str, str]:
    """The first and the last day of a span, short."""
    if span is None or span.start is None or span.end is None:
        return "", ""
    return short_phrase(Interval(span.start, span.start + 1)), short_phrase(Interval(span.end - 1, span.end))


def _first_day(document: "DocumentOverview") -> tuple[bool, float]:
    """For the order: by day, then those without one by the first day that they speak of."""
    time = document.published or document.span
    return document.published is None, float("inf") if time is None else time.bounds[0]


def _counted(found: int, number: int, *, narrowed: bool) -> str:
    if found > _MOST_SHOWN:
        return f"the first {_MOST_SHOWN:,} of {found:,} documents; narrow them down"
    if narrowed:
        return f"{found:,} of {number:,} documents"
    return counted(number, "document")
