"""A parsed question and the plan of its retrieval, as data."""

from dataclasses import dataclass
from enum import StrEnum

from timelens.question.implicit_times import ImplicitTime
from timelens.question.roles import Role
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval, day_interval

Ordinal = str | int
"""``"first"``, ``"last"``, or n for the n-th; -2 is the second to last."""


def index_of(ordinal: Ordinal) -> int:
    """The index of an ordinal in a chronological list; negative from the end, as in Python."""
    if isinstance(ordinal, str):
        return {"first": 0, "last": -1}[ordinal]
    return ordinal - (ordinal > 0)


Window = Interval
"""The days that a question admits, half-open."""


class Intent(StrEnum):
    """TEMPO's temporal intents (Appendix B)."""

    WHEN = "when"
    """A date or another point in time."""
    DURATION = "duration"
    """A length of time."""
    ORDER = "order"
    """What came first, or in which order."""
    BEFORE_AFTER = "before_after"
    """What was before, after, or in a place of an order."""
    ONGOING_STATUS = "ongoing_status"
    """What is so now."""
    PERIOD_DEFINITION = "period_definition"
    """Which period something was, or from when to when."""
    TIMELINE = "timeline"
    """A development over time."""
    NONE = "none"
    """None of these."""


class Focus(StrEnum):
    """TEMPO's temporal focus: what the answer states about time."""

    DURATION = "duration"
    """A length of time."""
    SPECIFIC_TIME = "specific_time"
    """A date, or what was so at one."""
    RECENCY = "recency"
    """What is so now."""
    CHANGE_OVER_TIME = "change_over_time"
    """How something changed or differed."""
    NONE = "none"
    """Nothing about time."""


class ReasoningClass(StrEnum):
    """TEMPO's ten classes of temporal reasoning (Appendix E)."""

    EVENT_ANALYSIS = "EAL"
    """Analysis and localisation of an event; any question with a time that is none of the others."""
    TIME_PERIOD_CONTEXT = "TPC"
    """The context of a period ("during the war")."""
    ORIGINS_EVOLUTION = "OEC"
    """Origins and evolution."""
    TRENDS_CROSS_PERIOD = "TCP"
    """Trends and comparisons of periods."""
    EVENT_VERIFICATION = "EVA"
    """Verification of an event: a yes-or-no question."""
    MATERIALS_PROVENANCE = "MAP"
    """Materials and provenance of artefacts."""
    SOURCES_METHODS = "SMD"
    """Sources and methods."""
    CAUSATION = "CAU"
    """Causes and effects."""
    HISTORICAL_ATTRIBUTION = "HAC"
    """Historical attribution: who invented, founded or wrote something."""
    OTHER = "OTH"
    """Another question, without a time."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A temporal constraint (MRAG's TC): a relation, the days it admits, and an order."""

    relation: Relation | Allen | None
    """``None`` if the question has only an order ("the first president")."""
    ordinal: Ordinal | None
    role: Role
    interval: Interval | None
    text: str
    """Its words in the question."""


class PeriodRole(StrEnum):
    """The role of a period in its question."""

    ASKED = "asked"
    BASELINE = "baseline"
    """The first of several compared periods (TEMPO's baseline)."""
    COMPARISON = "comparison"
    EVENT = "event"
    """The time of an event that the question names, resolved by a lookup."""


@dataclass(frozen=True, slots=True)
class Period:
    """A time that a question asks about."""

    interval: Interval
    """The days that its constraints admit together."""
    relation: Relation | Allen
    role: PeriodRole
    text: str
    """Its words in the question."""
    constraints: tuple[Constraint, ...]
    """Its constraints, in the order of the question; at least one has an interval."""

    @property
    def moment(self) -> Interval:
        """Its days; of one "as of" a day, which reaches back without end, that day."""
        end = self.interval.end
        return self.interval if self.relation is not Relation.AS_OF or end is None else day_interval(end - 1)


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question divided into topic and time."""

    question: str
    core: str
    """The question without its time, still a readable sentence (TA-RAG's q_core)."""
    constraints: tuple[Constraint, ...]
    periods: tuple[Period, ...]
    """The times that it asks about, in order; empty if it names no time. Search, answer and measures use one
    period at a time (:func:`timelens.question.periods.at`)."""
    current: bool
    """Whether it asks for the state on the reference day."""
    comparison: tuple[Interval, ...]
    """The compared intervals: the periods, or both ends of a range whose change is asked for."""
    anchors: tuple[str, ...]
    """Its named dates in words, in order; the first two are TEMPO's baseline and comparison."""
    expected_granularity: Granularity | None
    intent: Intent
    focus: Focus
    reasoning_class: ReasoningClass
    signals: tuple[str, ...]
    implicit: tuple[ImplicitTime, ...]
    """Events in place of a time ("the 7th Winter Olympics"), not yet resolved."""
    offered: tuple[str, ...] = ()
    """The alternatives that it offers for an order: "…, Spirit or Opportunity?"."""
    reference_day: Day = 0
    """The day that counts as now."""
    several: bool = False
    """Whether it asks for a list ("on which dates", "the last three")."""
    count: int = 1
    """How many it asks for from the first or last place ("the last three")."""
    left_out: tuple[Constraint, ...] = ()
    """The times that it leaves out ("except in 2005"), each with an interval; its periods lack their days."""
    told: str | None = None
    """A value that is no answer, because the question asks what came before or after it."""
    present: bool = False
    """Whether it names no time and is in the present tense; for facts, it then asks for the current state."""

    @property
    def window(self) -> Window | None:
        """The days that a question about one time admits; ``None`` if it names no time.

        Raises:
            ValueError: it asks about several periods; use :func:`timelens.question.periods.at` for each.
        """
        if len(self.periods) > 1:
            raise ValueError(f"{self.question!r} asks about {len(self.periods)} periods, not one")
        return self.periods[0].interval if self.periods else None

    @property
    def ordinal(self) -> Ordinal | None:
        """The order that it asks for; "as of" and "current" ask for the last."""
        for constraint in self.constraints:
            if constraint.ordinal is not None:
                return constraint.ordinal
        if any(constraint.relation is Relation.AS_OF for constraint in self.constraints):
            return "last"
        return None

    @property
    def is_of_now(self) -> bool:
        """Whether it asks for the present state: it names no time in the present tense, or says "now"."""
        return self.present or self.current

    @property
    def is_point(self) -> bool:
        """Whether it asks for one thing at one time, rather than a list or a course."""
        return (
            not self.several
            and self.focus is not Focus.CHANGE_OVER_TIME
            and self.intent is not Intent.TIMELINE
        )


class StepKind(StrEnum):
    """The purpose of a step of a plan."""

    HOP = "hop"
    """Resolve a description: "the successor of Merkel"."""
    EVENT = "event"
    """Date an event that the question names."""
    PERIOD = "period"
    """Find evidence for one of several periods."""
    CHANGE = "change"
    """Find what changed between the periods."""
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan (TEMPO's step-wise planning)."""

    number: int
    query: str
    window: Window | None
    purpose: str
    kind: StepKind = StepKind.EVIDENCE
    needs: tuple[int, ...] = ()
    """The numbers of the steps that it depends on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps that gather the evidence for a question."""

    steps: tuple[Step, ...]
