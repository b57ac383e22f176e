"""What the stream of a question says as it goes on, and who reads questions and writes answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from timelens.answer.events import DatedEvent
from timelens.answer.hops import Found, NotFound
from timelens.answer.model import (
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
from timelens.answer.timeline import Timeline, in_order
from timelens.answer.told import told_by
from timelens.documents import Hit
from timelens.question.conversation import Turn
from timelens.question.merge import Reading
from timelens.question.model import ParsedQuestion, Period, Plan, Step
from timelens.retrieval.model import Coverage
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Interval

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Reworded:
    """The question is read as another one: it follows up on what was said before."""

    question: str
    """What is answered, standing by itself."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The question was understood."""

    parsed: ParsedQuestion
    notes: tuple[str, ...] = ()
    """Where a model's reading differs from the rules', or adds to it."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The steps were laid out."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step of the plan was retrieved."""

    step: Step
    hits: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Dated:
    """It was found out when an event was that the question names."""

    event: DatedEvent


@dataclass(frozen=True, slots=True)
class Gathered:
    """All evidence is there, numbered for citation."""

    timeline: Timeline
    coverage: Coverage
    notes: tuple[str, ...]
    periods: tuple[Period, ...] = ()
    """Those of the question, with the days of the events that were looked up."""
    pool: tuple[Hit, ...] = ()
    """All that was found, best first."""
    decisions: tuple[Decision, ...] = ()
    """How the answer without a model was decided on, for each period of the question."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer's text, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer, with every time and every line that it states checked."""

    question: str
    status: Status
    text: str
    values: tuple[Value, ...]
    citations: tuple[Citation, ...]
    time_references: tuple[TimeReference, ...]
    plan: Plan
    coverage: Coverage
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]
    read_as: str | None = None
    """What was answered in place of the question, where it follows up on what was said before."""
    claims: tuple[Claim, ...] = ()
    """The lines of the text that state something, each checked as a whole."""
    periods: tuple[Period, ...] = ()
    """The times that the question asks about, with the days of the events that were looked up."""
    nearest: tuple[Nearest, ...] = ()
    """For a question, or a period of it, without an answer: the passages nearest to it, by their numbers."""
    written: str | None = None
    """What the model wrote, word for word, before anything took its place; ``None`` where none was asked."""

    series: tuple[Value, ...] = ()
    """The values that it states over time, read from what it cites, from early to late."""

    @property
    def turn(self) -> Turn:
        """What a question that comes after it may point back to."""
        return Turn(self.read_as or self.question, tuple(told_by(self.values, self.citations)))

    @property
    def timeline(self) -> Timeline:
        """What it cites, and what it names as nearest for want of an answer, from early to late."""
        near = (one.citation for one in self.nearest)
        return in_order({one.number: one for one in (*self.citations, *near)}.values())

    def to_arrow(self) -> "pa.Table":
        """A row for each of its values, by the schema :data:`timelens.answer.tables.VALUES`."""
        from timelens.answer.tables import values_table

        cited = {one.number: one.hit for one in self.citations}
        return values_table(self.question, self.status, self.values, cited)

    def to_pandas(self) -> "pd.DataFrame":
        """As :meth:`to_arrow`, with days as ``datetime64[ms]``.

        Raises:
            MissingError: pandas is not installed.
        """
        from timelens.answer.tables import as_pandas

        return as_pandas(self.to_arrow())

    def _repr_html_(self) -> str:
        """What a notebook shows: question, answer with its marks, timeline and evidence."""
        from timelens.answer.article import Article, as_output
        from timelens.answer.evidence import Evidence, asked_of, nearest_of

        cited = frozenset(citation.number for citation in self.citations)
        evidence = Evidence(
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
        """Pieces of text in order; citations stand as ``[n]`` with the numbers of the timeline.

        Thoughts come before the text.
        """

    def cancel(self) -> None:
        """End what is being written, from any thread; the stream of text ends early."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of the last answer, such as evidence that did not fit."""


class Parser(Protocol):
    """Reads a question; the rules alone do where there is none."""

    def read(self, question: str, reference_day: Day, conventions: Conventions) -> Reading:
        """The question taken apart, as by :func:`timelens.question.parse.parse`."""

    def cancel(self) -> None:
        """End what is being read, from any thread; a reading is returned early."""


@dataclass(frozen=True, slots=True)
class Part:
    """The evidence for one period of a question, or for one that names at most one."""

    parsed: ParsedQuestion
    """The question about this period alone."""
    hits: tuple[Hit, ...]
    """The k best, best first."""
    pool: tuple[Hit, ...]
    """All that was found, the k best first."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What retrieval brought for a question."""

    parsed: ParsedQuestion
    read_as: str | None
    """The question that was answered, where it is not the one that was asked."""
    plan: Plan
    parts: tuple[Part, ...]
    """One for each period of the question in its order; a single one where it has no more than one."""
    hits: tuple[Hit, ...]
    """The k best of all parts, those of several periods by turns."""
    pool: tuple[Hit, ...]
    """All that was found, the k best first."""
    coverage: Coverage
    span: Interval | None
    """From the first to the last day of the corpus."""
    events: tuple[DatedEvent, ...]
    """What the question names, with its days."""
    notes: tuple[str, ...]
    timings_ms: Mapping[str, float]
    hops: tuple[Found, ...] = ()
    """What the descriptions of the question stand for."""
    broken: NotFound | None = None
    """A description that stands for nothing sure; the question then has no answer."""
    hop_answers: bool = False
    """Whether what the last description stands for is what was asked."""


GatherEvent = Reworded | Parsed | Planned | StepDone | Dated | Evidence
