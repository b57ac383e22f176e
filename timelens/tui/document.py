"""A screen with a whole document, opened at the sentence that an answer cites."""

import asyncio
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from timelens import Citation, TimelensError
from timelens.answer.rendering.labels import heading
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.sentences import sentence_of
from timelens.printable import printable_line, shortened
from timelens.tui.copying import copied_evidence, copy
from timelens.tui.document_rows import Spot, columns, day_line, fields_of, is_table
from timelens.tui.document_view import DocumentView
from timelens.tui.footer import KeysFooter
from timelens.tui.opening import Opening, file_of, opening
from timelens.tui.rows_widget import MUTED
from timelens.tui.wrapping import fitted

if TYPE_CHECKING:
    from timelens import Chunk, StoredDocument
    from timelens.tui.document_loading import Fetcher, Page

_LONGEST_QUOTE = 200
_LONGEST_TITLE = 120
_LONGEST_PLACE = 60
_LONGEST_VALUE = 300


class DocumentScreen(Screen[None]):
    """The document of a piece of evidence. It opens at once, and fills when the document is read."""

    CSS_PATH = Path(__file__).with_name("document.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Back", id="document-back"),
        Binding("n", "walk(1)", "Next", id="document-next"),
        Binding("p", "walk(-1)", "Previous", id="document-previous"),
        Binding("c", "to_citation", "Citation", id="document-to-citation"),
        Binding("d", "toggle_dates", "Dates", id="document-dates"),
        Binding("o", "open_file", "Open file", id="document-open-file"),
        Binding("y", "copy", "Copy", id="document-copy"),
    ]

    def __init__(
        self, evidence: ShownEvidence, number: int, fetcher: "Fetcher", *, is_cited: bool = True
    ) -> None:
        """Open at a piece of evidence.

        Args:
            evidence: the evidence of the answer; the user can step through its citations.
            number: the number of the piece to show first; it must exist.
            fetcher: reads documents of the corpus that was asked.
            is_cited: whether to highlight the piece; if not, it only names the document to show.
        """
        super().__init__()
        self._is_cited = is_cited
        self._citations = {citation.number: citation for citation in evidence.timeline.citations}
        cited = {*evidence.cited, *evidence.nearest} & set(self._citations)
        self._order = sorted({number, *cited} if cited else self._citations)
        self.number = number
        self._fetcher = fetcher
        self._page: Page | None = None
        """``None`` while the document is being read."""

    def compose(self) -> ComposeResult:
        """Title, day and path; the row of a table; the document; error messages."""
        yield Static(id="head")
        yield Static(id="row", classes="empty")
        yield Static(id="columns", classes="empty")
        yield DocumentView(self._fetcher)
        yield Static(id="said", classes="empty")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Start reading."""
        self.query_one(DocumentView).focus()
        self._show()

    @property
    def citation(self) -> Citation:
        """The piece of evidence that is shown."""
        return self._citations[self.number]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 -- Textual's
        """Disable the keys that need a citation if there is none."""
        return self._is_cited or action not in {"walk", "to_citation", "copy"}

    def action_walk(self, steps: int) -> None:
        """Show the next or the previous piece of evidence that the answer cites."""
        position = self._order.index(self.number) + steps
        if 0 <= position < len(self._order):
            self.number = self._order[position]
            self._show()
        else:
            self.notify("That was the last one." if steps > 0 else "That was the first one.")

    def action_to_citation(self) -> None:
        """Go back to the cited sentence."""
        self.query_one(DocumentView).show_spot(self._spot)

    def action_toggle_dates(self) -> None:
        """Show or hide the dates read in the text."""
        self.query_one(DocumentView).toggle_dates()

    async def action_copy(self) -> None:
        """Copy the piece of evidence that is shown."""
        await copy(self.app, copied_evidence(self.citation))

    async def action_open_file(self) -> None:
        """Open the file in the user's own program."""
        try:
            opened = await asyncio.to_thread(self._opening)
        except TimelensError as error:
            self._say(f"{error.message} – {error.hint}")
        except OSError as error:
            self._say(f"the file cannot be read: {error.strerror} – read it here")
        else:
            self._run(opened)

    # Display

    @property
    def _spot(self) -> Spot | None:
        return None if self._page is None else self._page.spots.get(self.number)

    def _show(self) -> None:
        """Show the current piece of evidence in its document."""
        document_id = self.citation.hit.chunk.document_id
        for part in ("row", "columns", "said"):
            self.query_one(f"#{part}").add_class("empty")
        if self._page is not None and self._page.stored.id == document_id:
            self._show_page(self._page)
            return
        self._page = None
        self._head(["reading …"])
        self.query_one(DocumentView).show(None, {}, None)
        self.run_worker(self._fetch(document_id), exclusive=True)

    async def _fetch(self, document_id: str) -> None:
        try:
            self._page = await self._fetcher.page(document_id, list(self._citations.values()))
        except TimelensError as error:
            self._head([])
            self._say(f"{error.message} – {error.hint}")
            if self._is_cited:
                self._fill("row", Content(f"The cited text: {self._quote()}"))
        else:
            self._show_page(self._page)

    def _show_page(self, page: "Page") -> None:
        document = page.shown
        spot, spots = (self._spot, page.spots) if self._is_cited else (None, {})
        chunk = document.chunks[spot.chunk] if spot is not None else None
        self._head([f"day: {day_line(document, chunk)}", printable_line(document.uri)])
        if is_table(document):
            self._show_row(document, chunk)
        self.query_one(DocumentView).show(document, spots, spot)
        if spot is None and self._is_cited:
            self._say(f"The cited text is not in the document any more: {self._quote()}")

    def _show_row(self, document: "StoredDocument", row: "Chunk | None") -> None:
        """Show the fields of the cited row, and the column names above the rows."""
        self.call_after_refresh(self._show_columns)
        if row is None or row.fact is None:
            return
        fields = fields_of(row.fact, columns(document))
        width = max(cell_len(name) for name, _ in fields)
        lines = [
            Content.assemble((fitted(name, width), MUTED), "  ", shortened(value, _LONGEST_VALUE))
            for name, value in fields
        ]
        self._fill("row", Content("\n").join(lines))

    def _show_columns(self) -> None:
        if self._page is not None and is_table(self._page.shown):
            self._fill("columns", self.query_one(DocumentView).table_head)

    def on_resize(self) -> None:
        """Recompute the column widths."""
        self.call_after_refresh(self._show_columns)

    def _head(self, lines: Sequence[str]) -> None:
        hit = self.citation.hit
        title = "" if self._page is None else printable_line(self._page.shown.title)
        named = [shortened(title or heading(hit), _LONGEST_TITLE)]
        number = position = ""
        if self._is_cited:
            named.append(shortened(printable_line(hit.place), _LONGEST_PLACE))
            number = f"[{self.number}] "
            position = f" · {self._order.index(self.number) + 1} of {len(self._order)}"
        first = Content.assemble(
            (number, "bold $text-primary"), (" · ".join(filter(None, named)), "bold"), (position, MUTED)
        )
        self.query_one("#head", Static).update(Content("\n").join([first, *map(Content, lines)]))

    def _quote(self) -> str:
        return f"“{shortened(printable_line(sentence_of(self.citation.hit)), _LONGEST_QUOTE)}”"

    def _say(self, text: str) -> None:
        self._fill("said", Content(printable_line(text)))

    def _fill(self, part: str, content: Content) -> None:
        static = self.query_one(f"#{part}", Static)
        static.update(content)
        static.remove_class("empty")

    # The file

    def _opening(self) -> Opening:
        """How to open the shown document's file; reads the file."""
        page, spot = self._page, self._spot
        path = file_of(page.stored.uri if page is not None else self.citation.hit.chunk.uri)
        if page is None or spot is None:
            return opening(path, None, 0, os.environ)
        chunk = page.stored.chunks[spot.chunk]
        offset = chunk.sentences[spot.sentence][0] if chunk.sentences else 0
        return opening(path, chunk, offset, os.environ)

    def _run(self, opened: Opening) -> None:
        """Run a program; the chat is suspended if the program uses the terminal."""
        try:
            if opened.waits:
                with self.app.suspend():
                    subprocess.run(opened.command, check=False)  # noqa: S603 -- the user's own program
            else:
                subprocess.Popen(  # noqa: S603 -- the desktop's own program
                    opened.command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
        except SuspendNotSupported:
            self._say("another program cannot use this terminal – open the file in another terminal")
        except OSError as error:
            self._say(f"{opened.command[0]} cannot be started: {error.strerror} – set $EDITOR or $PAGER")
