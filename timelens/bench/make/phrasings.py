"""Questions in words: several phrasings of conditions, of "now" and of chains of facts.

The meaning of a table's columns is taken from their names: a role column and a person column give "who was
President of Italy", all others "which team of X".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from timelens.bench.make.sql_conditions import Condition, EndPosition
from timelens.bench.make.temporal_database import START
from timelens.bench.make.temporal_dependencies import Dependency, Group, role_column
from timelens.temporal import Granularity, Interval, phrase_granule

_VERBS = (
    ("started", "ended"),
    ("began", "finished"),
    ("commenced", "concluded"),
    ("got under way", "came to an end"),
)
_BEFORE = ("before {0}", "earlier than {0}", "prior to {0}", "before {0}")
_AFTER = ("after {0}", "later than {0}", "after {0}", "after {0}")
_BETWEEN = (
    "between {0} and {1}",
    "at some time between {0} and {1}",
    "between {0} and {1}",
    "in the time from {0} to {1}",
)
_OFF = ("exactly {0} {1} {2}", "{0} {1} {2} to the day", "just {0} {1} {2}", "exactly {0} {1} {2}")
_COARSELY_OFF = "{0} {1} {2}"
PHRASINGS = len(_VERBS)


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a group in words."""

    noun: str
    """``President of Italy``, or ``team of Neymar``."""
    is_post: bool
    """Whether it is a post held by a person."""

    @property
    def article(self) -> str:
        """The noun, with "the" unless it is a post."""
        return self.noun if self.is_post else f"the {self.noun}"


def label(column: str) -> str:
    """The name of a column as words."""
    return re.sub(r"[\s_-]+", " ", column).strip().lower()


def subject_of(group: Group) -> Subject:
    """The subject of a group in words."""
    return subject(group.dependency, group.where)


def subject(dependency: Dependency, where: Mapping[str, str]) -> Subject:
    """The subject given by the values of X, in words."""
    role = role_column(dependency.asked, dependency.given)
    others = ", ".join(value for column, value in where.items() if column != role)
    if role is not None:
        return Subject(f"{where[role]} of {others}" if others else where[role], is_post=True)
    return Subject(f"{label(dependency.asked)} of {others}", is_post=False)


def condition_questions(group: Group, conditions: Sequence[Condition]) -> list[str]:
    """A question about the facts of a group that satisfy some conditions, in every phrasing."""
    of = subject_of(group)
    return [
        _framed(of, style, " and ".join(_part(condition, style) for condition in conditions))
        for style in range(PHRASINGS)
    ]


def _framed(of: Subject, style: int, condition: str) -> str:
    posts = (
        f"Who was {of.noun} for a term that {condition}?",
        f"Which person's time as {of.noun} {condition}?",
        f"Can you name whoever served as {of.noun} in a term that {condition}?",
        f"Whose tenure as {of.noun} {condition}?",
    )
    things = (
        f"Which {of.noun} {condition}?",
        f"What was {of.article} that {condition}?",
        f"Can you name {of.article} that {condition}?",
        f"What is recorded as {of.article} that {condition}?",
    )
    return (posts if of.is_post else things)[style]


def _part(condition: Condition, style: int) -> str:
    verb = _VERBS[style][condition.end != START]
    first = named(condition.first)
    match condition.kind:
        case EndPosition.BEFORE:
            return f"{verb} {_BEFORE[style].format(first)}"
        case EndPosition.AFTER:
            return f"{verb} {_AFTER[style].format(first)}"
        case EndPosition.BETWEEN:
            return f"{verb} {_BETWEEN[style].format(first, named(condition.last or condition.first))}"
        case EndPosition.IN:
            return f"{verb} {'on' if condition.unit is Granularity.DAY else 'in'} {first}"
        case EndPosition.OFF:
            side = "before" if condition.months < 0 else "after"
            months = length(abs(condition.months))
            off = _OFF[style] if condition.unit is Granularity.DAY else _COARSELY_OFF
            return f"{verb} {off.format(months, side, first)}"


def named(unit: Interval) -> str:
    """A day, month or year in words."""
    return phrase_granule(unit.start or 0, unit.granularity)


def length(months: int) -> str:
    """A number of months in words: ``2 years``, ``1 month``, ``18 months``."""
    count, unit = (months // 12, "year") if months % 12 == 0 else (months, "month")
    return f"{count} {unit}{'s' if count != 1 else ''}"


def current_questions(group: Group) -> list[str]:
    """A question about the current value, in every phrasing."""
    of = subject_of(group)
    if of.is_post:
        return [
            f"Who is {of.noun} now?",
            f"Who is currently {of.noun}?",
            f"Which person serves as {of.noun} at present?",
            f"Can you name the current {of.noun}?",
        ]
    return [
        f"What is the current {of.noun}?",
        f"What is {of.article} now?",
        f"Can you name the present {of.noun}?",
        f"At present, what is {of.article}?",
    ]


def holding(group: Group, answer: str) -> str:
    """A fact as a clause that stands for its time: ``Angela Merkel was Chancellor of Germany``."""
    return f"{answer} was {subject_of(group).article}"


def chain_questions(clause: str, middle: Subject | None, asked: Subject) -> list[str]:
    """A question about the value at the time of ``clause``, or of an intermediate fact (``middle``)."""
    who = "Who" if asked.is_post else "What"
    told = f"{who.lower()} was {asked.article}"
    if middle is None:
        return [
            f"{who} was {asked.article} while {clause}?",
            f"While {clause}, {told}?",
            f"In the time when {clause}, {told}?",
        ]
    if middle.is_post:
        return [
            f"Take whoever was {middle.noun} while {clause}: {told} during that term?",
            f"{who} was {asked.article} in the term of the {middle.noun} of the days when {clause}?",
            f"While {clause}, somebody was {middle.noun}; {told} in that person's term?",
        ]
    return [
        f"Take the {middle.noun} while {clause}: {told} as long as it stayed so?",
        f"{who} was {asked.article} in the time of the {middle.noun} that held while {clause}?",
        f"While {clause}, there was one {middle.noun}; {told} as long as that lasted?",
    ]


def bridge_questions(key: str, asked: Subject, short: Subject) -> list[str]:
    """A question about the value during an event, for an entity that the event's row names.

    ``asked`` names that entity in full ("the country of Athens 1896"), ``short`` as "its country".
    """
    who = "Who" if asked.is_post else "What"
    return [
        f"{who} was {asked.article} at that time?",
        f"At the time of {key}, {who.lower()} was {short.article}?",
        f"{who} was {asked.article} while {key} lasted?",
    ]
