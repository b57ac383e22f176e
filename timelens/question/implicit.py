"""Times that a question names by an event: "when Merkel was chancellor", "after the merger". Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from timelens.question.olympiads import by_year
from timelens.question.roles import Role, role_of
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval, granule

_UNITS = {
    "day": Granularity.DAY,
    "week": Granularity.WEEK,
    "month": Granularity.MONTH,
    "quarter": Granularity.QUARTER,
    "year": Granularity.YEAR,
    "decade": Granularity.DECADE,
    "century": Granularity.CENTURY,
}
_RELATIONS = {
    "after": Relation.AFTER,
    "following": Relation.AFTER,
    "succeeding": Relation.AFTER,
    "before": Relation.BEFORE,
    "preceding": Relation.BEFORE,
    "prior to": Relation.BEFORE,
    "since": Relation.SINCE,
    "until": Relation.UNTIL,
}
_GATHERINGS = (
    "Games|Olympics|Cup|Championships?|Congress|Summit|Conference|Expo(?:sition)?|Exhibition|Festival"
    "|Elections?|War"
)
_CLAUSE = re.compile(
    r"(?<=\s)(?<!\bfrom\s)(?<!\bsince\s)(?<!\buntil\s)(?<!\bwent\s)(?<!\bnamed\s)(?<!\bcalled\s)(?<!\blooked\s)(?:"
    rf"(?:(?:in|during|on|of|within)\s+)?the\s+(?:same\s+)?(?P<unit>{'|'.join(_UNITS)})\s+(?:in\s+which|when|that|of)"
    r"|(?P<whole>during|throughout|when|while|at\s+the\s+(?:time|moment)\s+(?:of|when|that|at\s+which))"
    r"|(?:for|in|at|of|from|with|over)(?=\s+the\s"
    rf"(?:(?!\b(?:for|in|at|during|from|with|over|when|host)\b)(?:[^,?.;]|(?<=\bSt)\.)){{0,60}}\b(?:{_GATHERINGS})\b)"
    rf"|(?:(?:immediately|directly|right|just|shortly|soon)\s+)?(?P<relation>{'|'.join(_RELATIONS)})"
    r")\s+(?P<event>[^,?.;\s](?:[^,?;.]|\.(?=\S)|(?<=\b[A-Z])\.|(?<=\bSt)\.){1,118}[^,?.;\s])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ImplicitTime:
    """A time by the event that it is the time of, to be resolved from the corpus."""

    text: str
    """The event: "Angela Merkel became Chancellor of Germany"; Summer Olympics by their year."""
    phrase: str
    """As it stands in the question, with the words that tie it in: "when Angela Merkel became …"."""
    relation: Relation
    """``IN`` where what is asked for holds during the event."""
    role: Role
    """Which part of the event is meant."""
    unit: Granularity | None
    """The day, month or year of the event is meant as a whole."""

    def moment(self, event: Interval) -> Interval:
        """The days meant, once the days of the event are known: its beginning, its end, or its unit."""
        moment = event
        if self.role is Role.START and event.start is not None:
            moment = granule(event.start, event.granularity)
        if self.role is Role.END and event.end is not None:
            moment = granule(event.end - 1, event.granularity)
        if self.unit is not None and moment.start is not None:
            moment = granule(moment.start, self.unit)
        return moment


def is_free(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a span shares no character with any that is taken."""
    return not any(start < span[1] and span[0] < end for start, end in taken)


def implicit_times(
    text: str, taken: Sequence[tuple[int, int]]
) -> Iterator[tuple[ImplicitTime, tuple[int, int]]]:
    """The implicit times of a question with their spans, outside of the spans that are taken by dates."""
    for match in _CLAUSE.finditer(text):
        if not is_free(match.span(), taken):
            continue
        relation = (
            _RELATIONS[" ".join(match["relation"].lower().split())] if match["relation"] else Relation.IN
        )
        unit = _UNITS[match["unit"].lower()] if match["unit"] else None
        event = by_year(match["event"])
        yield ImplicitTime(event, match.group(), relation, role_of(event), unit), match.span()


_OFFERED = re.compile(
    r"[,:]\s*(?P<one>[^,:?]{2,80}?),?\s+or\s+(?P<other>[^,:?]{2,80}?)\s*\?*\s*$", re.IGNORECASE
)


def offered(text: str) -> tuple[str, ...]:
    """What a question offers to choose from, where it ends in that: "…, Spirit or Opportunity?"."""
    match = _OFFERED.search(text)
    return (match["one"], match["other"]) if match else ()


_DESCRIBED = re.compile(
    r"\b(?:of|in|for|from|at|by)\s+the\s+[a-z]+\s+(?P<told>(?:that|which|whose)\s+[^,?;]{3,118}?)"
    r"(?=\s*[,?;]|\s*$|\s+(?:when|while|during|after|before|at\s+the\s+(?:time|moment))\b)",
    re.IGNORECASE,
)


def described(text: str) -> str:
    """What tells a thing that a question does not name: "that held the fair" of the town that did."""
    match = _DESCRIBED.search(text)
    return match["told"] if match else ""
