"""The numbered evidence of a question, to select from and open."""

from bisect import bisect_right
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message

from timelens import Citation, Hit, Scores, Timeline
from timelens.answer.rendering.labels import heading_beside, use_words
from timelens.answer.rendering.shown_evidence import ShownEvidence
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of, unmarked
from timelens.printable import printable_line, shortened
from timelens.tui.rows_widget import MUTED, Rows
from timelens.tui.wrapping import wrapped

_LONGEST_SENTENCE = 600
_LONGEST_PLACE = 40
_INDENT = 4
_SELECTED = "on $primary-muted"


class EvidencePanel(Rows):
    """Each piece of evidence with its date, title, scores and sentence; one of them may be selected."""

    DEFAULT_CSS = """
    EvidencePanel { border: round $border-blurred; border-title-color: $text-muted; padding: 0 1; }
    EvidencePanel:focus { border: round $border; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Previous", show=False, id="evidence-up"),
        Binding("down", "move(1)", "Next", show=False, id="evidence-down"),
        Binding("pageup", "move(-5)", show=False, id="evidence-page-up"),
        Binding("pagedown", "move(5)", show=False, id="evidence-page-down"),
        Binding("home", "move(-1000000)", show=False, id="evidence-first"),
        Binding("end", "move(1000000)", show=False, id="evidence-last"),
        Binding("enter", "open", "Open", id="evidence-open"),
    ]

    class Selected(Message):
        """A piece of evidence was selected."""

        def __init__(self, number: int | None) -> None:
            super().__init__()
            self.number = number

    class Opened(Message):
        """A piece of evidence was opened, to show its document."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self) -> None:
        super().__init__()
        self.border_title = "evidence"
        self._evidence = ShownEvidence(Timeline(()))
        self._citations: list[Citation] = []
        self._selected: int | None = None
        self._rows: list[Content] = []
        self._begins: list[int] = []
        """The first row of each piece."""

    def show(self, evidence: ShownEvidence) -> None:
        """List other evidence; pieces that the answer cites are highlighted."""
        self._evidence = evidence
        self._citations = sorted(evidence.timeline.citations, key=lambda citation: citation.number)
        self._selected = None
        self.redo_layout()
        self.scroll_home(animate=False)

    @property
    def selected(self) -> int | None:
        """The number of the piece that is selected."""
        return self._selected

    def select(self, number: int | None) -> None:
        """Select a piece of evidence and scroll to it; ``None`` or an unknown number clears the selection."""
        position = self._position(number)
        self._selected = None if position is None else number
        if position is not None and position < len(self._begins):
            first, end = self._begins[position], [*self._begins, len(self._rows)][position + 1]
            self.scroll_to_row(first, end - first)
        self.refresh()

    def _position(self, number: int | None) -> int | None:
        return next((n for n, citation in enumerate(self._citations) if citation.number == number), None)

    def lay_out(self, width: int) -> int:
        """Build the rows of all pieces."""
        self._rows, self._begins = [], []
        for citation in self._citations:
            self._begins.append(len(self._rows))
            self._rows += entry_rows(citation, use_words(citation.number, self._evidence), width)
        return len(self._rows)

    def draw(self, row: int) -> Content:
        """A row; those of the selected piece have a bar and another background."""
        content = self._rows[row]
        citation = self._citations[bisect_right(self._begins, row) - 1]
        if citation.number != self._selected:
            return Content(" ") + content
        padded = Content("▌") + content.pad_right(max(0, self.size.width - content.cell_length - 1))
        return padded.stylize(_SELECTED).stylize("$text-primary", 0, 1)

    def action_move(self, steps: int) -> None:
        """Move the selection down or up, at most to the first or last piece."""
        if not self._citations:
            return
        position = self._position(self._selected)
        if position is None:
            position = 0 if steps > 0 else len(self._citations) - 1
        else:
            position = min(max(position + steps, 0), len(self._citations) - 1)
        self._choose(self._citations[position].number)

    def action_open(self) -> None:
        """Open the document of the selected piece, or of the first."""
        number = self._selected if self._selected is not None else next(iter(self._numbers), None)
        if number is not None:
            self.post_message(self.Opened(number))

    def on_click(self, event: Click) -> None:
        """Select the clicked piece; a double click opens it."""
        offset = event.get_content_offset(self)
        row = -1 if offset is None else offset.y + self.scroll_offset.y
        if not 0 <= row < len(self._rows):
            return
        number = self._citations[bisect_right(self._begins, row) - 1].number
        if event.chain > 1:
            self.post_message(self.Opened(number))
        else:
            self._choose(number)

    @property
    def _numbers(self) -> list[int]:
        return [citation.number for citation in self._citations]

    def _choose(self, number: int) -> None:
        self.select(number)
        self.post_message(self.Selected(number))


def entry_rows(citation: Citation, use: str, width: int) -> list[Content]:
    """The rows of a piece: number, date, title and place; use and scores; its sentence."""
    hit = citation.hit
    named = heading_beside(hit)
    place = shortened(printable_line(hit.place), _LONGEST_PLACE)
    head = Content.assemble(
        (f"[{citation.number}] ", "bold $text-primary" if use else "bold"),
        (label(hit), "$text-success"),
        (f" · {named}" if named else "", "bold" if use else ""),
        f" · {place}" if place else "",
    )
    detail = Content.styled(" · ".join(filter(None, [use, scores_words(hit.scores)])), MUTED)
    sentence = Content(shortened(printable_line(_said(hit)), _LONGEST_SENTENCE))
    room = max(1, width - _INDENT - 1)
    indent = Content(" " * _INDENT)
    first, *rest = _cut(head, width - 1, room)
    return [
        first,
        *(indent + row for part in (rest, _cut(detail, room), _cut(sentence, room)) for row in part),
    ]


def _said(hit: Hit) -> str:
    """The sentence of a hit; a very long text is cut early, because only its beginning is shown."""
    endless = len(hit.said) > 4 * _LONGEST_SENTENCE
    return unmarked(hit.said[: 4 * _LONGEST_SENTENCE]) if endless else sentence_of(hit)


def _cut(content: Content, width: int, later: int | None = None) -> list[Content]:
    """Content split into rows of ``width`` cells; rows after the first have ``later`` cells if given."""
    spans = list(wrapped(content.plain, max(1, width)))
    if later is not None and len(spans) > 1:
        start = spans[1][0]
        spans = [spans[0], *wrapped(content.plain, max(1, later), start)]
    return [content[start:end] for start, end in spans]


def scores_words(scores: Scores) -> str:
    """``score 0.45 (meaning 0.50, words 0.20, time 0.90)``, without scores that the strategy lacks."""
    parts = {"meaning": scores.semantic, "words": scores.keyword, "time": scores.temporal}
    known = ", ".join(f"{name} {score:.2f}" for name, score in parts.items() if score is not None)
    final = "score –" if scores.final is None else f"score {scores.final:.2f}"
    return f"{final} ({known})" if known else final
