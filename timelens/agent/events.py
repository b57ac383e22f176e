"""The events of a question's stream, and the protocols of parsers and answerers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from timelens.agent.shown import shown_first
from timelens.answer.answered_values import answered_values
from timelens.answer.draft import (
    Citation,
    Claim,
    Decision,
    Draft,
    Nearest,
    Status,
    Thought,
    TimeReference,
    Value,
)
from timelens.answer.hops.resolved_hop import ResolvedHop, UnresolvedHop
from timelens.answer.rendering.timeline import Timeline, in_order
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.writing.reading_prompt import ModelReading
from timelens.documents import Hit
from timelens.question.followup.conversation import Turn
from timelens.question.merge import Reading
from timelens.question.parsed_question import ParsedQuestion, Period, Plan, Step
from timelens.retrieval.request import Coverage
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Reworded:
    """The question was rewritten, because it is a follow-up."""

    question: str
    """The self-contained question that is answered."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The question was parsed."""

    parsed: ParsedQuestion
    notes: tuple[str, ...] = ()
    """Differences between the readings of a model and of the rules, and additions by the model."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The retrieval was planned."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step of the plan was retrieved, with ``hits`` hits."""

    step: Step
    hits: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Dated:
    """An event of the question was dated."""

    event: DatedEvent


@dataclass(frozen=True, slots=True)
class Gathered:
    """All evidence was gathered and numbered for citation."""

    timeline: Timeline
    coverage: Coverage
    notes: tuple[str, ...]
    periods: tuple[Period, ...] = ()
    """The periods of the question, with the days of resolved events."""
    pool: tuple[Hit, ...] = ()
    """All hits, best first."""
    decisions: tuple[Decision, ...] = ()
    """The decisions behind the answer without a model, one for each period of the question."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer's text, as it is generated."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer, with all its times and lines verified."""

    question: str
    """The question as it was asked."""
    status: Status
    """Whether it was answered."""
    text: str
    """The answer in plain text, one statement a line, with citations such as ``[1]``."""
    values: tuple[Value, ...]
    """The values that answer; empty if sentences are quoted."""
    citations: tuple[Citation, ...]
    """The evidence that the text cites."""
    time_references: tuple[TimeReference, ...]
    """The times that the text states, each verified."""
    plan: Plan
    """The steps of the retrieval."""
    coverage: Coverage
    """The coverage of the asked time by the evidence."""
    notes: tuple[str, ...]
    """Notes for the user, such as a corrected word or a widened time."""
    timings_ms: Mapping[str, float]
    """Elapsed milliseconds by the name of a step."""
    read_as: str | None = None
    """The self-contained question that was answered instead, for a follow-up."""
    claims: tuple[Claim, ...] = ()
    """The lines of the text that are claims, each verified as a whole."""
    periods: tuple[Period, ...] = ()
    """The times that the question asks about, with the days of resolved events."""
    nearest: tuple[Nearest, ...] = ()
    """The nearest passages for a question, or a period of it, without an answer."""
    written: str | None = None
    """The verbatim output of the model, before any replacement; ``None`` without a model."""

    series: tuple[Value, ...] = ()
    """The values over time that it states and cites, in chronological order."""
    follows: Turn | None = None
    """The turn before it in the conversation."""

    @property
    def turn(self) -> Turn:
        """The context for a follow-up question."""
        told = tuple(answered_values(self.values, self.citations))
        shown = shown_first(self.values, self.citations, self.nearest)
        return Turn(self.read_as or self.question, told, shown=shown).after(self.follows)

    @property
    def timeline(self) -> Timeline:
        """Its citations and nearest passages, in chronological order."""
        near = (one.citation for one in self.nearest)
        return in_order({one.number: one for one in (*self.citations, *near)}.values())

    def to_arrow(self) -> "pa.Table":
        """A row for each of its values, in the schema :data:`timelens.answer.rendering.arrow.VALUES`."""
        from timelens.answer.rendering.arrow import values_table

        cited = {one.number: one.hit for one in self.citations}
        return values_table(self.question, self.status, self.values, cited)

    def to_pandas(self) -> "pd.DataFrame":
        """As :meth:`to_arrow`, with days as ``datetime64[ms]``.

        Raises:
            MissingError: pandas is not installed.
        """
        from timelens.answer.rendering.arrow import as_pandas

        return as_pandas(self.to_arrow())

    def _repr_html_(self) -> str:
        """The HTML for a notebook: question, answer with marks, timeline and evidence."""
        from timelens.answer.rendering.html import Article, as_output
        from timelens.answer.rendering.shown_evidence import ShownEvidence, asked_of, nearest_of

        cited = frozenset(citation.number for citation in self.citations)
        evidence = ShownEvidence(
            self.timeline, asked_of(self.periods), cited, nearest_of(self.nearest), self.coverage.gaps
        )
        answered = self.status is not Status.NO_ANSWER
        return as_output(
            Article(
                evidence,
                self.question,
                "" if self.read_as is None else f"Read as: {self.read_as}",
                self.text,
                self.time_references if answered else (),
                self.claims if answered else (),
                tuple(f"note: {note}" for note in self.notes),
            )
        )


@dataclass(frozen=True, slots=True)
class Answered:
    """The last event of every stream."""

    answer: Answer


AgentEvent = Reworded | Parsed | Planned | StepDone | Dated | Gathered | Thought | Token | Answered


class Answerer(Protocol):
    """Writes the answer's text from a timeline of evidence."""

    def write(self, parsed: ParsedQuestion, timeline: Timeline, draft: Draft) -> Iterator[str | Thought]:
        """Pieces of text in order, after any thoughts; citations are ``[n]``, numbered as in the timeline."""

    def cancel(self) -> None:
        """End the current answer, from any thread; its stream ends early."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user on the last answer, such as evidence that did not fit."""


@runtime_checkable
class ValueReader(Answerer, Protocol):
    """An answerer that can also read values in evidence, from which the answer is then written by rules."""

    def read_values(self, parsed: ParsedQuestion, hits: Sequence[Hit]) -> ModelReading | None:
        """What it reads in ``hits``, best first; ``None`` if it does not read before it writes."""


def value_reader_in(answerer: object) -> ValueReader | None:
    """The answerer, if it can also read values; else ``None``."""
    return answerer if isinstance(answerer, ValueReader) else None


class Parser(Protocol):
    """Parses questions; without a parser, the rules alone do."""

    def read(self, question: str, reference_day: Day, conventions: Conventions) -> Reading:
        """The parsed question, as of :func:`timelens.question.parse.parse`, with notes."""

    def cancel(self) -> None:
        """End the current reading, from any thread; it returns early."""


@dataclass(frozen=True, slots=True)
class PeriodEvidence:
    """The evidence for one period of a question, or for a whole question with at most one period."""

    parsed: ParsedQuestion
    """The question about this period alone."""
    hits: tuple[Hit, ...]
    """The k best hits, best first."""
    pool: tuple[Hit, ...]
    """All hits, the k best first."""


@dataclass(frozen=True, slots=True)
class GatheredEvidence:
    """The retrieved evidence for a question."""

    parsed: ParsedQuestion
    read_as: str | None
    """The question that is answered, if it differs from the asked one."""
    plan: Plan
    parts: tuple[PeriodEvidence, ...]
    """One for each period of the question, in order; a single one if it has at most one period."""
    hits: tuple[Hit, ...]
    """The k best hits of all parts; several periods alternate."""
    pool: tuple[Hit, ...]
    """All hits, the k best first."""
    coverage: Coverage
    span: Interval | None
    """The interval from the first to the last day of the corpus."""
    events: tuple[DatedEvent, ...]
    """The dated events that the question names."""
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]
    hops: tuple[ResolvedHop, ...] = ()
    """The resolved hops of the question."""
    broken: UnresolvedHop | None = None
    """An unresolved hop or event, which makes the question unanswerable."""
    hop_answers: bool = False
    """Whether the last hop is the answer."""


GatherEvent = Reworded | Parsed | Planned | StepDone | Dated | GatheredEvidence
