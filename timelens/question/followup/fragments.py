"""The times in a follow-up fragment: dates, shifts, and times relative to the previous ones. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from timelens.question.followup.conversation import Context
from timelens.question.followup.period_phrases import Spoken, again, beyond, listed, spoken, told_as
from timelens.question.parse import parse
from timelens.question.periods import CONTRAST
from timelens.temporal.calendar import Day, add_months, civil
from timelens.temporal.expressions import Expression, ExpressionKind, find_expressions
from timelens.temporal.interval import Interval, day_interval
from timelens.temporal.vocabulary import CARDINALS

_UNITS = {"day": 0, "week": 0, "month": 1, "year": 12, "decade": 120, "century": 1200}
_COUNTS = [word for word, value in CARDINALS.items() if 2 <= value <= 12]
SHIFT = re.compile(
    rf"(?:(?P<count>an?|the|one|{'|'.join(_COUNTS)}|\d{{1,4}}) )?(?P<unit>{'|'.join(_UNITS)}|centurie)s?"
    r" (?:(?P<later>later|after|on|further on)|(?P<earlier>earlier|before|prior))(?: that| this| then)?$",
    re.IGNORECASE,
)
AROUND = re.compile(
    r"\b(?:(?P<relation>since|from|after|before|until|up to) (?:then|that|this|those|them)(?: on)?"
    r"|(?:in|over|during|for)?\s?(?:the )?(?:(?:years?|time|period|gap) )?(?P<gap>in[- ]between"
    r"|between(?: (?:them|those|these|the two))?)|(?<!.)(?:ever )?(?P<ever>since))$",
    re.IGNORECASE,
)
PREPOSED = re.compile(
    r"(?:in|on|at|by|since|until|till|before|after|from|around|about|during|between|over|through|as)\b",
    re.IGNORECASE,
)
TIE = re.compile(
    r"\b(?:in|on|at|by|since|until|till|before|after|from|around|about|during|back|the|then|of|for|as"
    r"|over|through|only|and|or|both|also|too|well|again|instead|respectively)\b"
    r"|[\s,.;:'’?!()&-]+",
    re.IGNORECASE,
)
ENDING = re.compile(r"(?:\s+(?:in|on|at|by|during|around|about|for|of|the|back))+\s*$", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:compares?|differ(?:s|ed)?|contrasts?)\b(?!\s+(?:with|to|from|against)\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Fragment:
    """The times of a follow-up fragment, and its other words."""

    times: tuple[Spoken, ...]
    rest: str
    """The fragment without its times."""
    within: bool = False
    """Whether its times are compared with each other."""


def read_fragment(said: str, context: Context) -> Fragment | None:
    """The times of a fragment and its other words; ``None`` if it has no times.

    A shift applies to every current period; a part of a year ("March") is read in the year of each of them.
    """
    if shift := SHIFT.search(said):
        return _fragment(tuple(shifted(shift, context)), said[: shift.start()])
    if around := AROUND.search(said):
        words = around_words(around, context)
        return _fragment(words, said[: around.start()])
    found = find_expressions(said, context.reference_day, conventions=context.conventions)
    anchored = [one for one in found if one.kind is ExpressionKind.ANCHORED]
    starts = [one.interval.start for one in context.spoken_of if anchored]
    years = sorted({civil(start)[0] for start in starts if start is not None})
    times: tuple[Spoken, ...] = ()
    rest, within = said, False
    for text in [_in_year(said, anchored, year) for year in years] or [said]:
        parsed = parse(text, context.reference_day, context.conventions)
        times = united(times, spoken(parsed, context.conventions))
        rest, within = _without(text, [period.text for period in parsed.periods])
    return _fragment(times, rest, within=within)


def _in_year(said: str, found: Sequence[Expression], year: int) -> str:
    """A text with a year behind times that name none."""
    for one in reversed(found):
        said = f"{said[: one.char_end]} {year}{said[one.char_end :]}"
    return said


def with_times(said: str, context: Context) -> tuple[str, str]:
    """A fragment's other words and its times at the beginning or end, in words.

    The times are empty if there are none, or only inside a name: "the 1986 budget".
    """
    fragment = read_fragment(said, context)
    if fragment is None:
        return said, ""
    texts = [period.text for period in parse(said, context.reference_day, context.conventions).periods]
    parts = _parts(said, texts) if texts else [fragment.rest]
    filled = [bool(TIE.sub("", part)) for part in parts]
    ends_so, begins_so = not any(filled[1:]), not any(filled[:-1])
    if not ends_so and not (begins_so and PREPOSED.match(said)):
        return said, ""
    return ENDING.sub("", parts[0 if ends_so else -1]).strip(" ,"), listed(fragment.times)


def _fragment(times: tuple[Spoken, ...], rest: str, *, within: bool = False) -> Fragment | None:
    return Fragment(times, rest, within) if times else None


def _without(said: str, texts: Sequence[str]) -> tuple[str, bool]:
    """A fragment without its times, and whether its words compare these with each other.

    They do in "2005 versus 2010", "compare 2005 and 2010" and "how do 2005 and 2010 differ"; "compare with
    2005 and 2010" compares them with something else.
    """
    kept = _parts(said, texts)
    within = any(CONTRAST.search(words) for words in kept[1:-1])
    return " ".join(kept), within or any(_FINITE.search(words) for words in (kept[0], kept[-1]))


def _parts(said: str, texts: Sequence[str]) -> list[str]:
    """The parts of a fragment before, between and after its times."""
    position, kept = 0, list[str]()
    for text in dict.fromkeys(texts):
        start = said.find(text, position)
        if start >= 0:
            kept.append(said[position:start])
            position = start + len(text)
    return [*kept, said[position:]]


def around_words(around: re.Match[str], context: Context) -> tuple[Spoken, ...]:
    """The times of a match of :data:`AROUND`: after, before or between the periods asked before."""
    if around["gap"]:
        return tuple(told_as(gap) for gap in _gaps([one.interval for one in context.asked]))
    relation = relation_of(around)
    time = context.outermost(forward=relation in {"since", "after"})
    if time is None:
        return ()
    words = beyond(relation, time)
    read = parse(words, context.reference_day, context.conventions).periods
    return tuple(Spoken(words, one.interval, one.relation) for one in read)


def relation_of(around: re.Match[str]) -> str:
    """The relation word of a match of :data:`AROUND`; empty for "between"."""
    word = (around["relation"] or around["ever"] or "").lower()
    return {"from": "since", "up to": "until"}.get(word, word)


def _gaps(intervals: Sequence[Interval]) -> Iterator[Interval]:
    """The gaps between intervals, as intervals."""
    ordered = sorted(intervals, key=lambda interval: interval.bounds)
    for one, other in pairwise(ordered):
        if one.end is not None and other.start is not None and one.end < other.start:
            yield Interval(one.end, other.start, one.granularity)


def shifted(shift: re.Match[str], context: Context) -> Iterator[Spoken]:
    """The current periods, moved by a number of units; days count from the edge of a longer period."""
    word = (shift["count"] or "one").lower()
    number = int(word) if word.isdecimal() else CARDINALS.get(word, 1)
    number = -number if shift["earlier"] else number
    unit = shift["unit"].lower().replace("centurie", "century")

    def moved(day: Day) -> Day:
        days = number * (7 if unit == "week" else 1)
        return day + days if not _UNITS[unit] else add_months(day, number * _UNITS[unit])

    for one in context.spoken_of:
        interval = one.interval
        if unit == "day" and interval.start is not None and interval.end is not None and interval.days > 1:
            interval = day_interval(interval.start if shift["earlier"] else interval.end - 1)
        start, end = (None if day is None else moved(day) for day in (interval.start, interval.end))
        if (start, end) != (None, None):
            yield again(one, Interval(start, end, interval.granularity))


def united(one: Sequence[Spoken], other: Sequence[Spoken]) -> tuple[Spoken, ...]:
    """The union of two lists of periods, by their days."""
    return (*one, *others(other, one))


def others(some: Sequence[Spoken], taken: Sequence[Spoken]) -> tuple[Spoken, ...]:
    """The periods whose days differ from all ``taken`` ones."""
    return tuple(one for one in some if not any(one.interval.same_days(other.interval) for other in taken))
