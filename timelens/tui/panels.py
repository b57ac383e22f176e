"""The evidence of the last question: as bars on a time axis, and as a list with dates and scores."""

from typing import ClassVar

from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import MouseScrollDown, MouseScrollUp
from textual.widget import Widget
from textual.widgets import Static

from timelens.answer.model import Citation
from timelens.answer.sentences import sentence_of
from timelens.answer.timeline import Timeline, label
from timelens.documents import Scores
from timelens.printable import printable_line
from timelens.tui.bars import Row, RowKind, draw
from timelens.tui.kept import Evidence
from timelens.tui.wording import heading, nearest_words, shortened

_NOTHING = "No evidence."
_LONGEST_SENTENCE = 600
_LONGEST_PLACE = 40
_LIGHT = str.maketrans("━●", "─○")
"""The bars of what the answer does not cite: they are told apart without colours, too."""
MUTED = "$foreground-muted"
"""The style of a part of a text; in a part, ``$text-muted`` would be brighter than plain text."""


class TimelinePanel(Widget, can_focus=True):
    """The evidence on a time axis, with the asked periods marked; what has no room is scrolled to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_by(-1)", show=False),
        Binding("down", "scroll_by(1)", show=False),
        Binding("pageup", "scroll_by(-8)", show=False),
        Binding("pagedown", "scroll_by(8)", show=False),
    ]

    DEFAULT_CSS = """
    TimelinePanel { border: round $border-blurred; border-title-color: $text-muted; padding: 0 1; }
    TimelinePanel:focus { border: round $border; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.border_title = "timeline"
        self._evidence = Evidence(Timeline(()))
        self._top: int | None = None
        """Pieces that were scrolled past; ``None`` until somebody scrolls."""

    def show(self, evidence: Evidence) -> None:
        """Draw other evidence; what the answer cites is set off."""
        self._evidence = evidence
        self._top = None
        self.refresh(layout=True)

    def action_scroll_by(self, rows: int) -> None:
        """Scroll towards later evidence, or back."""
        pieces = len(self._evidence.timeline.citations)
        hidden = pieces - sum(row.kind is RowKind.BAR for row in self._rows())
        if hidden:
            self._top = min(max((self._top or 0) + rows, 0), hidden)
            self.refresh()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Towards later evidence."""
        event.stop()
        self.action_scroll_by(1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Towards earlier evidence."""
        event.stop()
        self.action_scroll_by(-1)

    def _rows(self) -> tuple[Row, ...]:
        """What there is room for."""
        shown, (width, height) = self._evidence, self.content_size
        return draw(shown.timeline, shown.asked, width, height, cited=shown.cited, top=self._top)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 -- Textual's signature
        """Rows for everything."""
        return max(1, len(draw(self._evidence.timeline, self._evidence.asked, width)))

    def render(self) -> RenderResult:
        """As many periods and bars as there are rows for."""
        rows = self._rows()
        if not rows:
            return Content(_NOTHING)
        return Content("\n").join([self._styled(row) for row in rows])

    def _styled(self, row: Row) -> Content:
        if row.kind is RowKind.BAR:
            cited = row.number in self._evidence.cited
            if not cited:
                return Content.assemble((f"{row.label}{row.drawing.translate(_LIGHT)}{row.note}", MUTED))
            return Content.assemble(
                (row.label, "bold $text-primary"), (row.drawing, "$text-primary"), row.note
            )
        colour = "$text-warning" if row.kind is RowKind.ASKED else MUTED
        return Content.assemble((row.text, colour))


class EvidencePanel(VerticalScroll):
    """The evidence by number: date, title, scores, sentence."""

    DEFAULT_CSS = """
    EvidencePanel { border: round $border-blurred; border-title-color: $text-muted; padding: 0 1;
        scrollbar-size-vertical: 1; }
    EvidencePanel:focus { border: round $border; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.border_title = "evidence"

    async def show(self, evidence: Evidence) -> None:
        """List other evidence; what the answer cites is set off."""
        citations = sorted(evidence.timeline.citations, key=lambda citation: citation.number)
        await self.remove_children()
        await self.mount(*(Entry(citation, _use(citation.number, evidence)) for citation in citations))
        self.scroll_home(animate=False)


class Entry(Vertical):
    """One piece of evidence."""

    DEFAULT_CSS = """
    Entry { height: auto; }
    Entry > Static { height: auto; }
    Entry > .detail { padding-left: 4; color: $text-muted; }
    Entry > .sentence { padding-left: 4; }
    """

    def __init__(self, citation: Citation, use: str) -> None:
        super().__init__()
        self._citation = citation
        self._use = use

    def compose(self) -> ComposeResult:
        """Number, date and title; scores; sentence."""
        hit = self._citation.hit
        head = Content.assemble(
            (f"[{self._citation.number}] ", "bold $text-primary" if self._use else "bold"),
            (label(hit), "$text-success"),
            (f" · {heading(hit)}", "bold" if self._use else ""),
            f" · {shortened(printable_line(hit.place), _LONGEST_PLACE)}" if hit.place else "",
        )
        yield Static(head)
        uses = [self._use, scores_words(hit.scores)]
        yield Static(Content(" · ".join(filter(None, uses))), classes="detail")
        sentence = shortened(printable_line(sentence_of(hit)), _LONGEST_SENTENCE)
        yield Static(Content(sentence), classes="sentence")


def _use(number: int, evidence: Evidence) -> str:
    """Whether the answer cites a piece of evidence, or names it as nearest for want of an answer."""
    if number in evidence.cited:
        return "cited"
    return nearest_words(evidence.nearest[number]) if number in evidence.nearest else ""


def scores_words(scores: Scores) -> str:
    """``score 0.45 (meaning 0.50, words 0.20, time 0.90)``, without those that the strategy does not have."""
    parts = {"meaning": scores.semantic, "words": scores.keyword, "time": scores.temporal}
    known = ", ".join(f"{name} {score:.2f}" for name, score in parts.items() if score is not None)
    final = "score –" if scores.final is None else f"score {scores.final:.2f}"
    return f"{final} ({known})" if known else final
