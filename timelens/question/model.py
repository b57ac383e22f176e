"""What a question asks for, as data."""

from dataclasses import dataclass
from enum import StrEnum

from timelens.question.implicit import ImplicitTime
from timelens.question.roles import Role
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval

Ordinal = str | int
"""``"first"``, ``"last"``, or n for the n-th; -2 is the second to last."""


def index_of(ordinal: Ordinal) -> int:
    """Where what is asked for stands in a list from early to late; negative from the end, as in Python."""
    if isinstance(ordinal, str):
        return {"first": 0, "last": -1}[ordinal]
    return ordinal - (ordinal > 0)


Window = Interval
"""Days that a question admits."""


class Intent(StrEnum):
    """TEMPO's temporal intents (Appendix B)."""

    WHEN = "when"
    DURATION = "duration"
    ORDER = "order"
    BEFORE_AFTER = "before_after"
    ONGOING_STATUS = "ongoing_status"
    PERIOD_DEFINITION = "period_definition"
    TIMELINE = "timeline"
    NONE = "none"


class Focus(StrEnum):
    """What the answer has to state about time."""

    DURATION = "duration"
    SPECIFIC_TIME = "specific_time"
    RECENCY = "recency"
    CHANGE_OVER_TIME = "change_over_time"
    NONE = "none"


class ReasoningClass(StrEnum):
    """TEMPO's ten classes of temporal reasoning (Appendix E)."""

    EVENT_ANALYSIS = "EAL"
    TIME_PERIOD_CONTEXT = "TPC"
    ORIGINS_EVOLUTION = "OEC"
    TRENDS_CROSS_PERIOD = "TCP"
    EVENT_VERIFICATION = "EVA"
    MATERIALS_PROVENANCE = "MAP"
    SOURCES_METHODS = "SMD"
    CAUSATION = "CAU"
    HISTORICAL_ATTRIBUTION = "HAC"
    OTHER = "OTH"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One temporal condition (MRAG's TC): a relation, the days it admits, and the order it asks for."""

    relation: Relation | Allen | None
    """``None`` where only an order is asked for ("the first president")."""
    ordinal: Ordinal | None
    role: Role
    interval: Interval | None
    text: str
    """As it stands in the question."""


class PeriodRole(StrEnum):
    """What a period is to its question."""

    ASKED = "asked"
    BASELINE = "baseline"
    """The first of the periods to be set against each other (TEMPO's baseline)."""
    COMPARISON = "comparison"
    EVENT = "event"
    """It is the time of an event that the question names, found out by a lookup."""


@dataclass(frozen=True, slots=True)
class Period:
    """One of the times that a question asks about."""

    interval: Interval
    """The days that all its constraints admit together."""
    relation: Relation | Allen
    role: PeriodRole
    text: str
    """The words of the question that name it."""
    constraints: tuple[Constraint, ...]
    """What restricts it, in the order of the question; at least one has an interval."""


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question taken apart into topic and time."""

    question: str
    core: str
    """The question with its time taken out, still a readable sentence (TA-RAG's q_core)."""
    constraints: tuple[Constraint, ...]
    periods: tuple[Period, ...]
    """The times that it asks about, in its order; none where it names no time. All that looks for evidence,
    answers or measures reads these, each for itself (:func:`timelens.question.periods.at`)."""
    current: bool
    """It asks for the state on the reference day."""
    comparison: tuple[Interval, ...]
    """What is set against each other: the periods, or both ends of a range of which a change is asked."""
    anchors: tuple[str, ...]
    """Its key times, in order; the first two are TEMPO's baseline and comparison."""
    expected_granularity: Granularity | None
    intent: Intent
    focus: Focus
    reasoning_class: ReasoningClass
    signals: tuple[str, ...]
    implicit: tuple[ImplicitTime, ...]
    """Events that stand for a time ("the 7th Winter Olympics"), not yet resolved."""
    offered: tuple[str, ...] = ()
    """What it offers to choose from by order: "…, Spirit or Opportunity?"."""
    reference_day: Day = 0
    """"Now" for the question."""
    several: bool = False
    """It asks for a list ("on which dates", "the last three")."""
    count: int = 1
    """How many are asked for of those at the first or last place ("the last three")."""
    present: bool = False
    """It names no time and is put in the present tense: with facts, what holds now is meant."""

    @property
    def window(self) -> Window | None:
        """The days that a question about one time admits; ``None`` if it names no time.

        Raises:
            ValueError: it asks about several periods, of which each is to be looked at for itself.
        """
        if len(self.periods) > 1:
            raise ValueError(f"{self.question!r} asks about {len(self.periods)} periods, not one")
        return self.periods[0].interval if self.periods else None

    @property
    def ordinal(self) -> Ordinal | None:
        """The order asked for; "as of" and "current" want the last."""
        for constraint in self.constraints:
            if constraint.ordinal is not None:
                return constraint.ordinal
        if any(constraint.relation is Relation.AS_OF for constraint in self.constraints):
            return "last"
        return None

    @property
    def is_point(self) -> bool:
        """Whether one thing at one time is asked about, rather than a list or a course of time."""
        return (
            not self.several
            and self.focus is not Focus.CHANGE_OVER_TIME
            and self.intent is not Intent.TIMELINE
        )


class StepKind(StrEnum):
    """What a step of a plan is for."""

    HOP = "hop"
    """Who or what a description stands for: "the successor of Merkel"."""
    EVENT = "event"
    """When an event was that the question names."""
    PERIOD = "period"
    """Evidence for one of several periods."""
    CHANGE = "change"
    """What lies between the periods."""
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
    """Numbers of the steps whose results it needs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to gather the evidence for a question."""

    steps: tuple[Step, ...]
