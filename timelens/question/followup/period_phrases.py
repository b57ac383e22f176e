"""The periods of a question in words, for use in another question. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from timelens.question.dated_phrases import CURRENT
from timelens.question.parsed_question import ParsedQuestion, Period
from timelens.temporal.allen import Allen
from timelens.temporal.constraints import Relation
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import ExpressionKind, find_expressions
from timelens.temporal.interval import Interval, day_interval, granule
from timelens.temporal.phrasing import enumerated, phrase

_TIED = re.compile(
    r"(?:in|on|at|by|since|until|till|before|after|from|around|about|circa|near|during|between|over|through"
    r"|throughout|within|as of|up to|prior to|immediately|right|directly|just|entirely|only|for)\b",
    re.IGNORECASE,
)
_PLACED = re.compile(r"(?:in|on|from|during)\s+(?=\S)", re.IGNORECASE)
_LOOSE = re.compile(r"^(?:of|for)\s+", re.IGNORECASE)
"""Prepositions that attach a time to a noun, which another question may lack."""
_STRETCH = re.compile(r"\sto\s")
_BOUNDED = frozenset({Relation.AS_OF, Relation.BY, Relation.UNTIL})
"""Relations to the end of a time, which cannot be recovered from the admitted days."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A period in words."""

    words: str
    """Its words with a preposition: "in 2005", "since 1995", "now"."""
    interval: Interval
    relation: Relation | Allen = Relation.IN

    @property
    def bare(self) -> str:
        """The words without a plain preposition, for a comparison: "compared with 2005"."""
        return _PLACED.sub("", self.words, count=1)


def spoken(parsed: ParsedQuestion, conventions: Conventions = USUAL) -> tuple[Spoken, ...]:
    """The periods of a question in its own words, or as dates if the words depend on the question."""
    texts = [period.text for period in parsed.periods]
    return tuple(
        _spoken(period, parsed, conventions, alone=texts.count(period.text) == 1) for period in parsed.periods
    )


def told_as(interval: Interval) -> Spoken:
    """A period in words made from its days."""
    return Spoken(in_words(interval), interval)


def listed(parts: Sequence[Spoken], joint: str = "and", *, bare: bool = False) -> str:
    """Periods as a list in words: "in 2005, in 2010 and in 2015"."""
    return enumerated([part.bare if bare else part.words for part in parts], joint)


def in_words(time: Interval) -> str:
    """A time in words with a preposition."""
    if time.start is None or time.end is None:
        return phrase(time)
    words = phrase(time)
    if " to " in words:
        return f"from {words}"
    return f"on {words}" if time.end - time.start == 1 else f"in {words}"


def edge_of(time: Interval, *, forward: bool) -> str:
    """The last (``forward``) or the first granule of a time, in words."""
    day = time.end if forward else time.start
    if day is None:
        day = time.start if forward else time.end
    if day is None:
        return phrase(time)
    last = day - 1 if forward and time.end is not None else day
    return phrase(granule(last, time.granularity))


def beyond(relation: str, time: Interval) -> str:
    """The time "after", "since", "before", "until" or "by" a time, in words; "since" begins at its end."""
    if relation == "since" and time.end is not None:
        return phrase(Interval(time.end, None, time.granularity))
    return f"{relation} {edge_of(time, forward=relation in {'after', 'since'})}"


def again(part: Spoken, interval: Interval) -> Spoken:
    """A period with other days and the same relation: "as of 2019" a year later is "as of 2020"."""
    if part.relation in _BOUNDED and interval.start is None and interval.end is not None:
        last = phrase(granule(interval.end - 1, interval.granularity))
        return Spoken(f"{str(part.relation).replace('_', ' ')} {last}", interval, part.relation)
    return Spoken(in_words(interval), interval, part.relation)


def _spoken(period: Period, parsed: ParsedQuestion, conventions: Conventions, *, alone: bool) -> Spoken:
    if CURRENT.fullmatch(period.text):
        return Spoken("now", day_interval(parsed.reference_day))
    dated = [constraint for constraint in period.constraints if constraint.interval is not None]
    restricted = len(dated) > 1 and not isinstance(period.relation, Allen)
    if not alone or restricted or not _says_itself(period, parsed, conventions):
        return Spoken(in_words(period.interval), period.interval, period.relation)
    words = period.text if isinstance(period.relation, Allen) else _LOOSE.sub("", period.text)
    if _TIED.match(words):
        return Spoken(words[:1].lower() + words[1:], period.interval, period.relation)
    tie = "on" if period.relation is Relation.ON else "during" if _STRETCH.search(words) else "in"
    return Spoken(f"{tie} {words}", period.interval, period.relation)


def _says_itself(period: Period, parsed: ParsedQuestion, conventions: Conventions) -> bool:
    """Whether the words of a period give its days without the rest of the question and the reference day."""
    found = find_expressions(period.text, parsed.reference_day, conventions=conventions)
    explicit = bool(found) and all(one.kind is ExpressionKind.EXPLICIT for one in found)
    plain = period.relation in (Relation.IN, Relation.ON)
    read = found[0].interval if found else None
    return explicit and not (plain and (read is None or not read.same_days(period.interval)))
