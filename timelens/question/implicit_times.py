"""Implicit times, named by an event: "when Merkel was chancellor", "after the merger". Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from timelens.lexicon import TIMES_OF_DAY, one_of
from timelens.question.distances import Distance, Reach, distance_before
from timelens.question.editions import by_year
from timelens.question.exclusions import time_left_out
from timelens.question.roles import Role, role_of
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.rules.counting import LENGTH, steps
from timelens.temporal.vocabulary import COUNTED_UNITS, UNIT
from timelens.words import CAPITAL

EVENT_RELATIONS = {
    "after": Relation.AFTER,
    "following": Relation.AFTER,
    "succeeding": Relation.AFTER,
    "before": Relation.BEFORE,
    "preceding": Relation.BEFORE,
    "prior to": Relation.BEFORE,
    "since": Relation.SINCE,
    "until": Relation.UNTIL,
}
"""The temporal relations of words before an event."""
_ONCE = r"once(?=\s+(?:[\w'’-]+\s+){1,6}?(?:had|has|have|was|were|is|are)\b)"
"""The conjunction "once" before a clause: "once Tom had given it up"."""
_GATHERINGS = (
    "Games|Olympics|Cup|Championships?|Congress|Summit|Conference|Expo(?:sition)?|Exhibition|Festival"
    "|Elections?|War"
)
_BARE = r"(?=(?:the|an?|his|her|its|their|(?-i:[A-Z])\S*)\s+\S+)"
"""The start of a clause without a conjunction: "on the day Merkel resigned"."""
_TYING = rf"(?:(?:in|on|at|during)\s+which\b|when\b|that\b|of\b|{_BARE})"
_ASKED_BEHIND = r"[^?]*,\s+(?:\w+\s+){0,2}(?:who|whom|whose|which|what|how|where|when)\b"
_AUXILIARY = r"(?:did|do|does|was|were|is|are|has|have|had|will|would|can|could|should|in|on)\b"
_NOW = (
    r"\s+(?:up\s+)?(?:to|until|till)\s+(?:now|today|this\s+day|the\s+present(?:\s+day)?)(?=\s*(?:[?.!,;]|$))"
)
_CLAUSE = re.compile(
    rf"(?:(?<=\s)|^(?!when\s+{_AUXILIARY})(?={_ASKED_BEHIND}))"
    r"(?<!\bfrom\s)(?<!\bsince\s)(?<!\buntil\s)(?<!\bwent\s)(?<!\bnamed\s)(?<!\bcalled\s)(?<!\blooked\s)"
    r"(?<!\blooking\s)(?<!\blook\s)(?<!\blooks\s)(?:"
    rf"(?:(?:in|during|on|of|within)\s+)?the\s+(?:(?:very\s+)?same\s+|very\s+)?(?P<unit>{'|'.join(COUNTED_UNITS)})\s+{_TYING}"
    rf"|(?P<moment>(?:at|by)\s+the\s+(?:very\s+|same\s+)?(?:time|moment)\s+(?:at\s+which\b|{_TYING}))"
    r"|(?P<whole>during|throughout|when(?!\s+(?:did|do|does|will)\b)|while)"
    r"|(?:for|in|at|of|from|with|over)(?=\s+the\s"
    rf"(?:(?!\b(?:for|in|at|during|from|with|over|when|host|that|which|who|whose|once)\b)(?:[^,?.;]|(?<=\bSt)\.)){{0,60}}\b(?:{_GATHERINGS})\b"
    r"(?!\s+(?:once|when|while)\b))"
    rf"|(?:(?:immediately|directly|right|just|shortly|soon)\s+)?(?P<relation>{'|'.join(EVENT_RELATIONS)}|{_ONCE}"
    rf"|from(?=\s+(?:the|its|their)\s(?!first\b|very\b|start\b|beginning\b)[^,?.;]{{1,80}}?{_NOW}))"
    r")\s*(?P<event>(?<=\s)[^,?.;\s](?:[^,?;.]|\.(?=\S)|(?<=\b[A-Z])\.|(?<=\bSt)\.){1,118}[^,?.;\s])",
    re.IGNORECASE,
)
_NEAR = re.compile(
    rf"\b(?:within|inside)\s+{LENGTH}\s+of\s+(?P<event>(?:the|an?|his|her|its|their|our|my|(?-i:[A-Z]))"
    r"[^,?;.]{1,118}[^,?.;\s])",
    re.IGNORECASE,
)
_TO_NOW = re.compile(_NOW, re.IGNORECASE)
"""The end of a time that begins with an event: "from the opening up to now"."""
_OTHER_SIDE = re.compile(r"(?:and|or)\s+(?P<relation>before|after)\s+", re.IGNORECASE)
"""The second relation to one event: "before or after the merger"."""
_POINTING = re.compile(
    r"(?:(?:that|this|these|those|it|which|then)\b(?:\s+\w+)?|him|her|them|us|me)\s*$", re.IGNORECASE
)
"""An event that only refers to earlier words: "after that cut", "after her"."""
_STRETCH = re.compile(rf"(?:the|an?|each|every)\s+(?:{one_of(TIMES_OF_DAY)}|{UNIT})\s*$", re.IGNORECASE)
"""A part of any day, week or year, which is no event: "during the day"."""
_ARRIVED = re.compile(
    r"\b(?P<verb>moved|came|went|arrived|entered|returned|walked|left)\s+(?:in|into|to|at|back\s+to)?\s*(?:the\s+)?"
    rf"(?-i:{CAPITAL})[\w’'-]*(?:\s+(?-i:{CAPITAL})[\w’'-]*)*\s+as\s+(?P<office>(?!an?\s)\S+)",
    re.IGNORECASE,
)
_NAMING = re.compile(r"(?:\bof|\bduring|\bthroughout)\s+$", re.IGNORECASE)
"""Words that introduce the name of an event rather than a clause."""


@dataclass(frozen=True, slots=True)
class ImplicitTime:
    """A time named by an event, to be resolved from the corpus."""

    text: str
    """The event: "Angela Merkel became Chancellor of Germany"; some editions by their year."""
    phrase: str
    """Its words in the question, with the conjunction: "when Angela Merkel became …"."""
    relation: Relation
    """``IN`` if the question asks about the time during the event."""
    role: Role
    """The part of the event that is meant: its start, its end, or all of it."""
    unit: Granularity | None
    """The whole day, month or year of the event that is meant, if any."""
    is_clause: bool = False
    """Whether it is a clause rather than a name; a clause must be dated before the question is answered."""
    distance: Distance | None = None
    """How far from the event the meant time lies: "less than five years after the merger"."""
    left_out: bool = False
    """Whether the question leaves its days out: "except during the merger"."""

    def admitted(self, event: Interval) -> Interval | None:
        """The days that the question admits, given the days of the event; ``None`` if there are none."""
        moment = self.moment(event)
        if self.distance is not None:
            return self.distance.window(self.relation, moment)
        if (self.relation is Relation.AFTER and moment.end is None) or (
            self.relation is Relation.BEFORE and moment.start is None
        ):
            return None
        return admitted(self.relation, moment)

    def moment(self, event: Interval) -> Interval:
        """The days that are meant, given the days of the event: its start, its end, or its unit."""
        moment = event
        if self.role is Role.START and event.start is not None:
            moment = granule(event.start, event.granularity)
        if self.role is Role.END and event.end is not None:
            moment = granule(event.end - 1, event.granularity)
        if self.unit is not None and moment.start is not None:
            moment = granule(moment.start, self.unit)
        return moment


def is_free(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a half-open span overlaps none of the taken spans."""
    return not any(start < span[1] and span[0] < end for start, end in taken)


def implicit_times(
    text: str, taken: Sequence[tuple[int, int]]
) -> Iterator[tuple[ImplicitTime, tuple[int, int]]]:
    """The implicit times of a question with their half-open spans, outside the ``taken`` spans of dates."""
    for match in _CLAUSE.finditer(text):
        place = (match.start("event"), match.end())  # "the same month" alone would be a time
        tied = match["unit"] or match["moment"]
        if not is_free(place if tied else match.span(), taken):
            continue
        if _POINTING.match(match["event"]) or _STRETCH.match(match["event"]):
            continue
        if taken and not (tied or match["whole"] or match["relation"]) and match["event"].islower():
            continue  # "the price of the festival in 2013": the event is unnamed, and a date is given
        relation = _relation_of(match["relation"])
        unit = COUNTED_UNITS[match["unit"].lower()] if match["unit"] else None
        words, relations = match["event"], [relation]
        if (other := _OTHER_SIDE.match(words)) and match["relation"]:
            words = words[other.end() :]
            relations.append(_relation_of(other["relation"]))
        words = _TO_NOW.sub("", words)
        event = by_year(_ARRIVED.sub(_in_office, words))
        lead = text[match.start() : match.start("event")]
        is_clause = bool(tied or match["whole"]) and not _NAMING.search(lead)
        begin, distance = match.start(), None
        if relation in (Relation.AFTER, Relation.BEFORE) and (counted := distance_before(text, begin)):
            distance, begin = counted
        left_out = time_left_out(text, begin, match.end())
        begin = begin if left_out is None else left_out
        phrase = text[begin : match.end()]
        for one in relations:
            yield (
                ImplicitTime(
                    event, phrase, one, role_of(event), unit, is_clause, distance, left_out is not None
                ),
                (begin, match.end()),
            )
    yield from _near(text, taken)


def _near(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[ImplicitTime, tuple[int, int]]]:
    """Times near an event: "within three years of the merger"."""
    for match in _NEAR.finditer(text):
        length = steps(match)
        if length is None or not is_free(match.span(), taken):
            continue
        event, distance = match["event"], Distance(length, Reach.UP_TO)
        yield (
            ImplicitTime(event, match.group(), Relation.IN, role_of(event), None, distance=distance),
            match.span(),
        )


def _relation_of(words: str | None) -> Relation:
    """The temporal relation of the words before an event."""
    plain = " ".join((words or "").lower().split())
    if plain == "from":
        return Relation.SINCE
    return Relation.AFTER if plain == "once" else EVENT_RELATIONS.get(plain, Relation.IN)


def _in_office(match: re.Match[str]) -> str:
    """Rewrite an arrival in office: "moved into the Palace as president" becomes "became president"."""
    return f"{'left office as' if match['verb'].lower() == 'left' else 'became'} {match['office']}"


_OFFERED = re.compile(
    r"[,:]\s*(?P<one>[^,:?]{2,80}?),?\s+or\s+(?P<other>[^,:?]{2,80}?)\s*\?*\s*$", re.IGNORECASE
)


def offered(text: str) -> tuple[str, ...]:
    """The two alternatives at the end of a question: "…, Spirit or Opportunity?"; empty if there are none."""
    match = _OFFERED.search(text)
    return (match["one"], match["other"]) if match else ()


_DESCRIBED = re.compile(
    r"\b(?:of|in|for|from|at|by)\s+the\s+[a-z]+\s+(?P<told>(?:that|which|whose)\s+[^,?;]{3,118}?)"
    r"(?=\s*[,?;]|\s*$|\s+(?:when|while|during|after|before|at\s+the\s+(?:time|moment))\b)",
    re.IGNORECASE,
)


def reaches_now(phrase: str) -> bool:
    """Whether the words of an implicit time tell that it goes on: "from the opening up to now"."""
    return _TO_NOW.search(phrase) is not None


def describing_words(text: str) -> str:
    """The relative clause that identifies an unnamed thing: "that held the fair"; empty if there is none."""
    match = _DESCRIBED.search(text)
    return match["told"] if match else ""
