"""The evidence of the last question as a list with dates and scores."""

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from timelens.answer.model import Citation
from timelens.answer.sentences import sentence_of
from timelens.answer.timeline import label
from timelens.documents import Scores
from timelens.printable import printable_line
from timelens.tui.kept import Evidence
from timelens.tui.wording import heading, nearest_words, shortened

_LONGEST_SENTENCE = 600
_LONGEST_PLACE = 40
MUTED = "$foreground-muted"
"""The style of a part of a text; in a part, ``$text-muted`` would be brighter than plain text."""


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
