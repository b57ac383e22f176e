"""The chat log: questions with the agent's steps and answers, and notices of the program itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from timelens import Claim, Coverage, Status, Support, Thought, TimeReference
from timelens.answer.rendering.labels import (
    CITED_NUMBER,
    SUPPORT_MARKS,
    SupportMark,
    date_marks,
    dates_line,
    line_marks,
    periods_words,
)
from timelens.answer.rendering.shown_evidence import ShownEvidence, asked_of, nearest_of
from timelens.history import KeptExchange
from timelens.printable import printable, printable_line, shortened
from timelens.temporal import Day, Interval
from timelens.tui import wording
from timelens.tui.stored_answer import read_stored_json, stored_json

if TYPE_CHECKING:
    from timelens import AgentEvent, Answer, Turn

_CITATION = "citation"
"""The key of a citation number in the style metadata of its text."""
_LONGEST_QUESTION = 300
_BETWEEN_DRAWINGS_SECONDS = 0.1
"""Delay between redraws while an answer arrives; redrawing for each piece would slow down typing."""
_STYLES = {
    Support.SUPPORTED: "$text-success",
    Support.CONTRADICTED: "bold $text-error",
    Support.UNSUPPORTED: "$text-warning",
}


@dataclass(frozen=True, slots=True)
class Stated:
    """The times and claims of an answer, with the evidence's verdict on each."""

    references: Sequence[TimeReference]
    claims: Sequence[Claim]


class State(StrEnum):
    """The progress of an exchange."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class Exchange(Vertical):
    """A question, the agent's steps, and the answer."""

    class CitationClicked(Message):
        """A citation ``[n]`` in the answer was clicked."""

        def __init__(self, exchange: "Exchange", number: int) -> None:
            super().__init__()
            self.exchange = exchange
            self.number = number

    class QuestionClicked(Message):
        """The question was clicked."""

        def __init__(self, exchange: "Exchange") -> None:
            super().__init__()
            self.exchange = exchange

    def __init__(
        self, number: int, question: str, *, show_steps: bool, kept: KeptExchange | None = None
    ) -> None:
        super().__init__()
        self.number = number
        self.question = question
        self.state = State.RUNNING
        self.evidence: ShownEvidence | None = None
        self.corpus = self.strategy = ""
        """Address of the asked corpus, and the strategy; empty until known."""
        self.turn: Turn | None = None
        """The turn that a follow-up question may refer to; ``None`` until the question is answered."""
        self._kept = kept
        self._answer: Answer | None = None
        self._show_steps = show_steps
        self._steps: list[str] = []
        self._read_as = ""
        self._step_count = self._hits = 0
        self._milliseconds = 0.0
        self._plan_steps = 0
        self._coverage: Coverage | None = None
        self._notes: list[str] = []
        self._pieces: list[str] = []
        self._marks: list[SupportMark] = []
        self._selected: int | None = None
        self._to_be_drawn = False
        """Whether pieces of the answer arrived that a pending redraw will show."""

    def compose(self) -> ComposeResult:
        """Question, steps, answer, notes."""
        yield Static(self._headed(">"), classes="question")
        yield Static(Content("waiting for the corpus …"), classes="steps")
        yield Static(classes="answer empty")
        yield Static(classes="notes empty")
        yield Static(classes="error empty")

    def _headed(self, sign: str) -> Content:
        lines = shortened(printable(self.question), _LONGEST_QUESTION).split("\n")
        return Content(f"{sign} " + "\n  ".join(lines))

    def mark(self, *, shown: bool) -> None:
        """Mark the exchange as the one whose evidence is shown, or unmark it."""
        self.query_one(".question", Static).update(self._headed("▶" if shown else ">"))

    def on_mount(self) -> None:
        """Restore a saved exchange of an earlier conversation."""
        if self._kept is not None:
            self._restore(self._kept)

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(self._pieces)

    @property
    def is_running(self) -> bool:
        """Whether it is still being answered."""
        return self.state is State.RUNNING

    @property
    def found(self) -> bool:
        """Whether there is any evidence."""
        return self.evidence is not None and bool(self.evidence.timeline.citations)

    def take(self, happened: "AgentEvent") -> None:
        """Show an event of the agent."""
        from timelens import Answered, Gathered, Token

        match happened:
            case Gathered(timeline, coverage, notes, periods):
                self.evidence = ShownEvidence(timeline, asked_of(periods), gaps=coverage.gaps)
                self._coverage = coverage
                self._steps += wording.coverage_lines(coverage)
                self._notes = _notes(notes, self._read_as)
                self._fill("notes", "\n".join(self._notes))
            case Token(text):
                self._pieces.append(text)
                if not self._to_be_drawn:
                    self._to_be_drawn = True
                    self.set_timer(_BETWEEN_DRAWINGS_SECONDS, self._draw_answer)
                return
            case Answered(answer):
                self._answer = answer
                self.turn = answer.turn
                if self.evidence is not None:
                    cited = frozenset(citation.number for citation in answer.citations)
                    near = nearest_of(answer.nearest)
                    self.evidence = replace(self.evidence, cited=cited, nearest=near, series=answer.series)
                self.state = State.DONE
                stated = Stated(answer.time_references, answer.claims)
                missing = answer.coverage.missing
                self._finish(answer.text, answer.status, stated, missing, answer.notes)
            case _:
                self._take_step(happened)
        self._draw_steps()

    def _take_step(self, happened: "AgentEvent") -> None:
        """Record a step on the way to the answer."""
        from timelens import Dated, Parsed, Planned, Reworded, StepDone

        match happened:
            case Reworded(question):
                self._read_as = wording.reworded_line(question)
                self._steps.append(self._read_as)
            case Parsed(parsed, notes):
                self._steps += [wording.parsed_line(parsed), *notes]
            case Planned(plan):
                self._plan_steps = sum(map(wording.is_search, plan.steps))
                self._steps.append(wording.plan_line(plan))
            case StepDone(step, hits, milliseconds):
                self._step_count += 1
                self._hits += hits
                self._milliseconds += milliseconds
                self._steps.append(wording.step_line(step, hits, milliseconds, self._plan_steps))
            case Dated(event):
                self._steps.append(wording.dated_line(event))
            case Thought(text):
                self._steps += [printable(f"noted: {line}") for line in text.splitlines()]

    def kept(self, *, corpus: str, as_of: Day, strategy: str, asked: datetime) -> KeptExchange:
        """The exchange as it is saved to the history."""
        status = str(self.state) if self._answer is None else str(self._answer.status)
        result = stored_json(self._answer, self.evidence)
        return KeptExchange(self.question, corpus, as_of, strategy, status, self.text, result, asked)

    def cancel(self) -> None:
        """Keep the partial answer, and say that it was cancelled."""
        self.state = State.CANCELLED
        self._notes.append("cancelled")
        self._fill("notes", "\n".join(self._notes))
        self._draw_steps()

    def fail(self, message: str, hint: str) -> None:
        """Keep the partial answer, and show the error."""
        self.state = State.FAILED
        self._fill("error", f"{message} – {hint}")
        self._draw_steps()

    def show_steps(self, show: bool) -> None:  # noqa: FBT001 -- the value itself
        """Show every step of an answered question, or a one-line summary."""
        self._show_steps = show
        self._draw_steps()

    def _restore(self, kept: KeptExchange) -> None:
        known = read_stored_json(kept.result)
        self.corpus, self.strategy = kept.corpus, kept.strategy
        self.evidence, self.turn = known.evidence, known.turn
        stopped = {
            State.CANCELLED: "cancelled",
            State.FAILED: "this question failed",
            State.RUNNING: "the chat ended before the answer",
        }
        self.state = State(kept.status) if kept.status in stopped else State.DONE
        periods = () if self.evidence is None else self.evidence.asked
        missing = [period.interval for period in periods]
        stated = Stated(known.references, known.claims)
        self._finish(kept.answer, kept.status, stated, missing, known.notes)
        if self.state in stopped:
            self._notes.append(stopped[self.state])
            self._fill("notes", "\n".join(self._notes))
        asked = wording.asked_line(f"asked {kept.asked.astimezone():%Y-%m-%d %H:%M}", kept)
        times = [f"time asked for: {periods_words(periods)}"] if periods else []
        self._fill("steps", "\n".join([asked, *times]))

    def _finish(
        self,
        text: str,
        status: str,
        stated: Stated,
        missing: Sequence[Interval],
        notes: Sequence[str],
    ) -> None:
        """Show the complete answer, with its times and lines marked by the evidence's verdicts."""
        self._pieces = [text]
        text = printable(text)
        if status == Status.NO_ANSWER:
            stated = Stated((), ())
        marks = date_marks(text, stated.references, missing)
        self._marks = [*marks, *line_marks(text, stated.claims, marks)]
        self._draw_answer()
        dates = dates_line(marks)
        self._notes = [*([dates] if dates else []), *_notes(notes, self._read_as)]
        self._fill("notes", "\n".join(self._notes))

    def select(self, number: int | None) -> None:
        """Highlight every ``[number]`` in the answer, and no other citation."""
        if number != self._selected:
            self._selected = number
            self._draw_answer()

    def on_click(self, event: Click) -> None:
        """Report a click on a citation or on the question."""
        if (number := event.style.meta.get(_CITATION)) is not None:
            event.stop()
            self.post_message(self.CitationClicked(self, number))
        elif event.widget is not None and event.widget.has_class("question"):
            event.stop()
            self.post_message(self.QuestionClicked(self))

    def _draw_answer(self) -> None:
        self._to_be_drawn = False
        self._fill("answer", _styled(printable(self.text), self._marks, self._selected))

    def _draw_steps(self) -> None:
        if self._kept is not None:
            return  # saved exchanges have no steps
        lines = self._steps
        if self.state is State.DONE and not self._show_steps:
            summary = wording.summary_line(self._step_count, self._hits, self._milliseconds, self._coverage)
            lines = [*filter(None, [self._read_as]), summary]
        self._fill("steps", "\n".join(lines))

    def _fill(self, part: str, content: str | Content) -> None:
        """Show text in one of the parts; strings are cleaned and never parsed as markup."""
        shown = (
            Content("\n".join(map(printable_line, content.split("\n"))))
            if isinstance(content, str)
            else content
        )
        static = self.query_one(f".{part}", Static)
        static.update(shown)
        static.set_class(not shown.plain, "empty")


def _notes(notes: Iterable[str], said: str) -> list[str]:
    """The notes without duplicates and without the note that the steps already show."""
    return [f"note: {note}" for note in dict.fromkeys(notes) if not said or not note.startswith(said[:-1])]


class Notice(Static):
    """A message of the program itself."""

    def __init__(self, text: str, *, error: bool = False, classes: str | None = None) -> None:
        super().__init__(Content(printable(text)), classes="error" if error else classes)


class ChatLog(VerticalScroll):
    """All exchanges and notices, newest last. A click into it does not move the focus."""

    FOCUS_ON_CLICK = False

    class TopReached(Message):
        """The log was scrolled to its top."""

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Report that the top was reached."""
        super().watch_scroll_y(old_value, new_value)
        if old_value > 0 >= new_value:
            self.post_message(self.TopReached())

    async def add_above(self, entries: Sequence[Exchange], *, left: int) -> None:
        """Add earlier entries above all others, without moving the view.

        Args:
            entries: the entries, in order.
            left: the number of entries that precede them; a line at the top shows it.
        """
        await self.query(".earlier").remove()
        height = self.virtual_size.height if self.children else 0
        above = [Notice(wording.earlier_line(left), classes="earlier"), *entries] if left else entries
        await self.mount_all(above, before=0 if self.children else None)
        if height:
            self.call_after_refresh(self._stay, height)
        else:
            self.anchor()

    def _stay(self, height: int) -> None:
        """Keep the view in place after the log grew above it; ``height`` is the height before."""
        self.scroll_to(y=self.scroll_y + self.virtual_size.height - height, animate=False)

    async def add(self, entry: Widget) -> None:
        """Add an entry at the end and scroll to it."""
        await self.mount(entry)
        self.anchor()

    def show(self, entry: Widget) -> None:
        """Scroll to an entry."""
        self.release_anchor()
        self.scroll_to_widget(entry, top=True, animate=False)

    def settle(self, entry: Widget) -> None:
        """Scroll to the beginning of an entry that does not fit the screen."""
        if entry.region.height > self.size.height:
            self.show(entry)


def _styled(text: str, marks: list[SupportMark], selected: int | None = None) -> Content:
    """An answer with its citations and stated times highlighted; doubtful parts carry a mark.

    It is not rendered as Markdown: a model writes it from documents, and with Markdown a document could
    create links, headings or tables, hide text, and shift the positions of the marks.
    """
    parts: list[Content | tuple[str, str]] = []
    position = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        parts += _with_citations(text[position : mark.start], selected)
        sign = "" if mark.support is Support.SUPPORTED else SUPPORT_MARKS[mark.support]
        parts.append((text[mark.start : mark.end] + sign, _STYLES[mark.support]))
        position = mark.end
    return Content.assemble(*parts, *_with_citations(text[position:], selected))


def _with_citations(text: str, selected: int | None) -> list[Content | tuple[str, str]]:
    parts: list[Content | tuple[str, str]] = []
    position = 0
    for match in CITED_NUMBER.finditer(text):
        number = int(match[1])
        style = "bold reverse $text-primary" if number == selected else "bold $text-primary"
        citation = Content.styled(match.group(), style).stylize(Style.from_meta({_CITATION: number}))
        parts += [(text[position : match.start()], ""), citation]
        position = match.end()
    return [*parts, (text[position:], "")]
