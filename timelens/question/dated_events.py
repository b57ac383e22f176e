"""Events that a question names with their date: "before the stop in 2020". Pure.

The word before the event bounds the time by the date. The day of the event in that year or month is not
known, so the bound includes the year or month: what came before the stop in 2020 may be of 2020.
"""

import re
from dataclasses import dataclass

from timelens.lexicon import HEARERS, OFFICES, TITLES, one_of
from timelens.question.distances import distance_before
from timelens.question.implicit_times import EVENT_RELATIONS
from timelens.question.tense import has_verb
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity
from timelens.temporal.vocabulary import UNIT
from timelens.words import CAPITAL

_RELATIONS = {
    **EVENT_RELATIONS,
    "up to": Relation.UNTIL,
    "up until": Relation.UNTIL,
    "till": Relation.UNTIL,
    "by the time of": Relation.BY,
    "from": Relation.SINCE,
}
_WORDS = one_of(_RELATIONS).replace(" ", r"\s+")
_FROM_DATE = re.compile(r"\bfrom\s+(?![12]\d{3}[/–-])[^,;:?]*\b[12]\d{3}\s+$", re.IGNORECASE)
"""What stands before the end of a time: "from the first hut in 1970 to the new hall in 1985"."""
_EVENT = re.compile(
    rf"\b(?:ever\s+|shortly\s+|just\s+|right\s+|soon\s+|immediately\s+)?(?P<relation>{_WORDS}|to)\s+(?P<event>"
    rf"(?:(?!(?:{_WORDS}|and|or|but|which|that|who|whose|when|while|do|did|does|[12]\d{{3}})\b)[\w'’-]+\s+){{1,8}})"
    r"(?:in|on|at)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_THING = re.compile(
    rf"(?:the|an?|its|their|his|her|our|my|your|this)\s(?!one\b)|[\w-]+ing\b|(?-i:{CAPITAL})[\w-]*['’]s?\s",
    re.IGNORECASE,
)
"""The beginning of the name of an event, without which only a clause is one: "before Ann left in 2015"."""
_NO_EVENT = re.compile(
    rf"(?:[\w'’-]+\s+){{0,2}}(?:{one_of({*HEARERS, *OFFICES, *TITLES})})s?\s+", re.IGNORECASE
)
"""Whom something comes before: "what was brought before the council in 1990"."""
_OF_VERB = re.compile(
    r"\b(?:look(?:s|ed|ing)?|nam(?:es?|ed|ing)|call(?:s|ed|ing)?|go(?:es|ing)?|went|tak(?:es?|ing)|took"
    r"|ask(?:s|ed|ing)?)\s+$",
    re.IGNORECASE,
)
"""A verb to which "after" belongs: "who looked after the garden in 2012"."""
_COUNTED = re.compile(rf"(?:\b{UNIT}|\b(?:long|soon|far|much|many))\s+$", re.IGNORECASE)
"""What stands before a relation whose distance is told or asked for: "the day after", "how long after"."""
_GOES_ON = re.compile(
    r"\s+(?:(?:up\s+to|until|till)\b|on(?:wards?)?\b|to\b(?=.*\b(?:[12]\d{3}|now|today|present)\b))",
    re.IGNORECASE,
)
"""What stands behind the date of a beginning: an end that is told, or "onwards"."""
_SIDES = re.compile(
    r"\b(?:before|prior\s+to)\b.*\bafter\b|\bafter\b.*\b(?:before|prior\s+to)\b", re.IGNORECASE
)
_UP_TO_NOW = re.compile(r"\s(?:to|until|till|on|onwards?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """The words of an event before its date."""

    relation: Relation
    start: int
    """Where its first word, that of the relation, stands."""
    is_one_side: bool
    """Whether the question asks about one side of it only, not about both."""

    def bound(self, unit: Granularity) -> Relation:
        """The relation to the date, in its unit: that of an event in a year or month includes it."""
        if unit is Granularity.DAY or not self.is_one_side:
            return self.relation
        return {Relation.BEFORE: Relation.BY, Relation.AFTER: Relation.SINCE}.get(
            self.relation, self.relation
        )


def dated_event(text: str, start: int, end: int, unit: Granularity) -> DatedEvent | None:
    """The event whose date is at ``start`` to ``end``, half-open; ``None`` if there is none.

    Behind "after", a date finer than a year is the time that is asked for: "after the vote in June 2016".
    """
    match = _EVENT.search(text[:start])
    if match is None:
        return None
    words = " ".join(match["relation"].lower().split())
    if words == "to" and not _FROM_DATE.search(text[: match.start()]):
        return None
    relation = _RELATIONS.get(words, Relation.UNTIL)
    event = match["event"]
    if not (_THING.match(event) or has_verb(event)) or _NO_EVENT.fullmatch(event):
        return None
    if relation is Relation.AFTER and unit.days < Granularity.YEAR.days:
        return None
    if words == "from" and not (_GOES_ON.match(text, end) or _UP_TO_NOW.search(text[start:end])):
        return None
    begin = match.start()
    if relation is Relation.AFTER and _OF_VERB.search(text[:begin]):
        return None
    if _COUNTED.search(text[:begin]) and distance_before(text, begin) is None:
        return None
    return DatedEvent(relation, begin, _SIDES.search(text) is None)
