"""Fragments of time after a question: what they make of the periods that it asks about. Pure.

A comparison word with times adds periods to those asked about, times alone take their place, a shift moves
every one of them, and "since then", "before that" and "in between" lie around them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from timelens.question.conversation import Context
from timelens.question.model import PeriodRole
from timelens.question.parse import parse
from timelens.question.periods import CONTRAST
from timelens.question.spoken import Spoken, again, beyond, edge_of, listed, spoken, told_as
from timelens.temporal.calendar import Day, add_months
from timelens.temporal.expressions import Kind, find_expressions
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.vocabulary import CARDINALS
from timelens.words import STOP_WORDS

_UNITS = {"day": 0, "week": 0, "month": 1, "year": 12, "decade": 120, "century": 1200}
_COUNTS = [word for word, value in CARDINALS.items() if 2 <= value <= 12]
_SHIFT = re.compile(
    rf"(?:(?P<count>an?|the|one|{'|'.join(_COUNTS)}|\d{{1,4}}) )?(?P<unit>{'|'.join(_UNITS)}|centurie)s?"
    r" (?:(?P<later>later|after|on|further on)|(?P<earlier>earlier|before|prior))(?: that| this| then)?$",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?:right )?now(?:adays)?|today|currently|these days|at the moment|at present", re.IGNORECASE
)
_AROUND = re.compile(
    r"\b(?:(?P<relation>since|from|after|before|until|up to) (?:then|that|this|those|them)(?: on)?"
    r"|(?:in|over|during|for)?\s?(?:the )?(?:(?:years?|time|period|gap) )?(?P<gap>in[- ]between"
    r"|between(?: (?:them|those|these|the two))?)|(?<!.)(?:ever )?(?P<ever>since))$",
    re.IGNORECASE,
)
_PREPOSED = re.compile(
    r"(?:in|on|at|by|since|until|till|before|after|from|around|about|during|between|over|through|as)\b",
    re.IGNORECASE,
)
_TIE = re.compile(
    r"\b(?:in|on|at|by|since|until|till|before|after|from|around|about|during|back|the|then|of|for|as"
    r"|over|through|only|and|or|both|also|too|well|again|instead|respectively)\b"
    r"|[\s,.;:'’?!()&-]+",
    re.IGNORECASE,
)
_POINTER = r"(?:it|that|this|they|those|these|them)"
_POINTS = re.compile(rf"\b{_POINTER}\b", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:compares?|differ(?:s|ed)?|contrasts?)\b(?!\s+(?:with|to|from|against)\b)", re.IGNORECASE
)
_FUNCTION = STOP_WORDS.union(
    "more less higher lower both same similar alike equal unchanged too well only again now then or but than "
    "against just two three".split()
)
_NO_DEGREE = (
    r"(?!(?:over|ever|never|under|after|other|another|either|neither|rather|whether|together|later)\b)"
)
_MORE = rf"(?:(?:more|less) (?!than)\w+|more|less|{_NO_DEGREE}\w{{2,}}er|worse)"
_PLAIN_DEGREE = re.compile(
    rf"(?P<aux>is|was|were|are|did|has|have|had|does|do) {_POINTER} (?:(?:been|be|become) )?"
    rf"(?P<degree>(?:(?:much|any|even|far) )?{_MORE})(?P<than> than)?",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?:in |at )?(?:which|when|what)"
    r"(?: (?:one|ones|time|times|years?|periods?|of|the|these|those|them|two|three|both))*"
    rf" (?:was|were|is|are|had)(?: {_POINTER})? (?:the )?"
    rf"(?P<degree>(?:most|least) \w+|{_MORE}|\w{{2,}}est|worst)"
    r"(?: (?:one|of (?:the )?(?:two|three|them|these|those)))?",
    re.IGNORECASE,
)
_SAME = re.compile(
    rf"(?:what|how) (?:is|was|were|are|did|has|have|had|does|do) {_POINTER}(?: (?:been|be|look))?(?: like)?",
    re.IGNORECASE,
)
"""The question before, asked again in short."""
_ALIKE = re.compile(r"\b(?:the same|similar|alike|equal|unchanged)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"(?P<new>.+?)\s+(?:instead of|rather than)\s+(?P<old>.+)", re.IGNORECASE)
_FROM_THEN = re.compile(
    r"(?<=\bfrom )(?:then|that)(?= (?:until|till|to|up to)\b)|(?<=\bbetween )(?:then|that)(?= and\b)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?:in )?(?:the )?other(?: (?:one|ones|period|year|time|date|day|month|decade))?", re.IGNORECASE
)
_ENDING = re.compile(r"(?:\s+(?:in|on|at|by|during|around|about|for|of|the|back))+\s*$", re.IGNORECASE)
_POLAR = re.compile(rf"(?P<clause>(?:was|were|is|are)\s+.+?)(?:\s+(?:{_MORE}|\w{{3,}}))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Fragment:
    """A fragment of a follow-up, read for its times."""

    times: tuple[Spoken, ...]
    rest: str
    """Its other words."""
    within: bool = False
    """Whether its times are set against each other."""


def from_then(said: str, context: Context) -> str:
    """A fragment with the last period of the conversation for the "then" that a stretch begins with."""
    time = context.outermost(forward=True)
    return said if time is None else _FROM_THEN.sub(edge_of(time, forward=True), said)


def among_periods(said: str, context: Context) -> str | None:
    """What adds to the periods of the question before, or picks among them, or lies around several."""
    if (picked := _picked(said, context)) is not None:
        return picked
    around = _AROUND.fullmatch(said)
    if around is not None:
        return _around(around, context)
    if instead := _INSTEAD.fullmatch(said):
        return _instead(instead, context)
    fragment = _read(said, context)
    if fragment is None:
        together = len(context.asked) > 1 and _is_comparison(said)
        return _against(context, context.asked[:1], context.asked[1:]) if together else None
    degree = _PLAIN_DEGREE.fullmatch(_words(_ENDING.sub("", fragment.rest)))
    if degree is not None and context.spoken_of and not context.asks_who:
        return _compared_by(degree, fragment.times, context)
    return _compared(fragment, context)


def other_time(said: str, context: Context) -> str | None:
    """Times alone, which take the place of those asked about; fewer than are compared keep the baseline."""
    if shift := _SHIFT.fullmatch(said):
        moved = tuple(_shifted(shift, context))
        return _asked(context, moved) if moved else None
    if _NOW.fullmatch(said) and not _compares(context):
        return f"{context.timeless} now"
    fragment = _read(said, context)
    if fragment is None or not _is_time_alone(fragment, context):
        return None
    times = fragment.times
    if len(times) == 1 and _is_choice(context):
        return _asked(context, _united(context.asked, times))
    if len(times) == 1 and _compares(context):
        whole = f"{context.timeless} {said}"
        if len(parse(whole, context.reference_day, context.conventions).periods) > 1:
            return whole  # "the difference … between 2003 and 2007"
        return _asked(context, _united(context.asked[:1], times))
    if len(times) > 1 or len(context.asked) > 1:
        return _asked(context, times)
    return f"{context.timeless} {_as_said(said, times[0], context)}"


def _is_time_alone(fragment: _Fragment, context: Context) -> bool:
    """Whether a fragment has no words but those that tie a time to the question before."""
    rest = _words(_ENDING.sub("", fragment.rest))
    if _compares(context):
        rest = re.sub(r"^(?:with|to|from|than)\b", "", rest, flags=re.IGNORECASE)
    return _SAME.fullmatch(rest) is not None or not _TIE.sub("", rest)


def _read(said: str, context: Context) -> _Fragment | None:
    """The times of a fragment and its other words; ``None`` where it has no times.

    A shift counts from every period asked about; a part of a year is one of the year of each of them.
    """
    if shift := _SHIFT.search(said):
        return _fragment(tuple(_shifted(shift, context)), said[: shift.start()])
    if around := _AROUND.search(said):
        words = _around_words(around, context)
        return _fragment(words, said[: around.start()])
    anchors = {context.reference_day}
    found = find_expressions(said, context.reference_day, conventions=context.conventions)
    if any(one.kind is Kind.ANCHORED for one in found):
        starts = [one.interval.start for one in context.spoken_of]
        years = [granule(start, Granularity.YEAR).end for start in starts if start is not None]
        anchors = {end - 1 for end in years if end is not None} or anchors
    times: tuple[Spoken, ...] = ()
    rest, within = said, False
    for anchor in sorted(anchors):
        parsed = parse(said, anchor, context.conventions)
        times = _united(times, spoken(parsed, context.conventions))
        rest, within = _without(said, [period.text for period in parsed.periods])
    return _fragment(times, rest, within=within)


def _fragment(times: tuple[Spoken, ...], rest: str, *, within: bool = False) -> _Fragment | None:
    return _Fragment(times, rest, within) if times else None


def _without(said: str, texts: Sequence[str]) -> tuple[str, bool]:
    """A fragment without its times, and whether its words set these against each other.

    "2005 versus 2010", "compare 2005 and 2010" and "how do 2005 and 2010 differ" do; "compare with 2005 and
    2010" sets them against something else.
    """
    position, kept = 0, list[str]()
    for text in dict.fromkeys(texts):
        start = said.find(text, position)
        if start >= 0:
            kept.append(said[position:start])
            position = start + len(text)
    kept.append(said[position:])
    within = any(CONTRAST.search(words) for words in kept[1:-1])
    return " ".join(kept), within or any(_FINITE.search(words) for words in (kept[0], kept[-1]))


def _compared(fragment: _Fragment, context: Context) -> str | None:
    """Periods set against those asked about: "compare that with 2010", "and versus today?"."""
    if not _is_comparison(fragment.rest):
        return None
    if fragment.within and len(fragment.times) > 1 and not _POINTS.search(fragment.rest):
        return _against(context, fragment.times[:1], fragment.times[1:])
    events = [event.phrase for event in context.parsed.implicit]
    if events and not context.asked:  # what was told holds for longer than the event
        return f"{context.timeless} {listed(fragment.times)} and {' and '.join(events)}"
    base = _others(context.spoken_of, fragment.times)
    if not base:
        return _against(context, fragment.times[:1], fragment.times[1:]) if context.spoken_of else None
    return _against(context, base, fragment.times)


def _is_comparison(words: str) -> bool:
    """Whether words only set something against what was spoken of: "how does that compare with"."""
    alike = _ALIKE.search(words) is not None and _POINTS.search(words) is not None
    left = CONTRAST.sub(" ", words)
    only = all(word in _FUNCTION for word in re.findall(r"\w+", left.casefold()))
    return only and (alike or left != words)


def _instead(instead: re.Match[str], context: Context) -> str | None:
    """Some of the periods with others in their place: "2015 instead of 2010"."""
    new, old = (_read(instead[part], context) for part in ("new", "old"))
    if new is None or old is None or not all(_is_time_alone(one, context) for one in (new, old)):
        return None
    kept = _others(context.asked, old.times)
    return _asked(context, new.times if len(kept) == len(context.asked) else _united(kept, new.times))


def _compared_by(degree: re.Match[str], times: Sequence[Spoken], context: Context) -> str:
    """Whether it was more at a time: "was it higher in 2015?", "is that more than in 1995?".

    What was so at each of the times tells it; a question for yes or no asks for more or less itself.
    """
    base = _others(context.spoken_of, times) or context.spoken_of
    polar = _POLAR.fullmatch(context.timeless)
    if polar is None:
        return _against(context, base, times)
    first, second = (base, times) if degree["than"] else (times, base)
    return f"{polar['clause']} {degree['degree'].lower()} {listed(first)} than {listed(second)}"


def _picked(said: str, context: Context) -> str | None:
    """One among several periods: that of which more holds, or the one that was not told of."""
    if len(context.asked) < 2:
        return None
    if _OTHER.fullmatch(said):
        told = [one.interval for one in context.turn.told if one.interval is not None]
        missed = [one for one in context.asked if not any(one.interval.intersects(other) for other in told)]
        return f"{context.timeless} {missed[0].words}" if len(missed) == 1 else None
    if _WHICH.fullmatch(said) is None or context.asks_who:
        return None
    return context.whole if _is_choice(context) else _against(context, context.asked[:1], context.asked[1:])


def _around(around: re.Match[str], context: Context) -> str | None:
    """What lies after the last period, before the first, or between them."""
    if _relation(around) in {"before", "after", "until"} and len(context.asked) < 2:
        return None  # before or after what was answered
    words = _around_words(around, context)
    return f"{context.timeless} {listed(words)}" if words else None


def _around_words(around: re.Match[str], context: Context) -> tuple[Spoken, ...]:
    if around["gap"]:
        return tuple(told_as(gap) for gap in _gaps([one.interval for one in context.asked]))
    relation = _relation(around)
    time = context.outermost(forward=relation in {"since", "after"})
    if time is None:
        return ()
    words = beyond(relation, time)
    read = parse(words, context.reference_day, context.conventions).periods
    return tuple(Spoken(words, one.interval, one.relation) for one in read)


def _relation(around: re.Match[str]) -> str:
    word = (around["relation"] or around["ever"] or "").lower()
    return {"from": "since", "up to": "until"}.get(word, word)


def _gaps(intervals: Sequence[Interval]) -> Iterator[Interval]:
    """The stretches between intervals that none of them covers."""
    ordered = sorted(intervals, key=lambda interval: interval.bounds)
    for one, other in pairwise(ordered):
        if one.end is not None and other.start is not None and one.end < other.start:
            yield Interval(one.end, other.start, one.granularity)


def _shifted(shift: re.Match[str], context: Context) -> Iterator[Spoken]:
    """Every period of the conversation, moved by a number of units."""
    word = (shift["count"] or "one").lower()
    number = int(word) if word.isdecimal() else CARDINALS.get(word, 1)
    number = -number if shift["earlier"] else number
    unit = shift["unit"].lower().replace("centurie", "century")

    def moved(day: Day) -> Day:
        days = number * (7 if unit == "week" else 1)
        return day + days if not _UNITS[unit] else add_months(day, number * _UNITS[unit])

    for one in context.spoken_of:
        start, end = (None if day is None else moved(day) for day in (one.interval.start, one.interval.end))
        if (start, end) != (None, None):
            yield again(one, Interval(start, end, one.interval.granularity))


def _asked(context: Context, times: Sequence[Spoken]) -> str:
    """The question before about other periods, joined as its own are."""
    if _compares(context) and len(times) > 1:
        return _against(context, times[:1], times[1:])
    joint = "or" if _is_choice(context) else "and"
    return _certain(context, times, lambda parts: listed(parts, joint))


def _is_choice(context: Context) -> bool:
    """Whether the question before asks at which of its periods something was so."""
    between = context.whole[context.times[0][1] : context.times[-1][0]] if len(context.times) > 1 else ""
    return re.search(r"\bor\b", between, re.IGNORECASE) is not None


def _against(context: Context, base: Sequence[Spoken], times: Sequence[Spoken]) -> str:
    """The question before about periods that are set against each other, which its topic may say itself."""
    if not times or CONTRAST.search(context.timeless):
        return _certain(context, (*base, *times), listed)
    first = len(base)
    return _certain(
        context,
        (*base, *times),
        lambda parts: f"{listed(parts[:first])} compared with {listed(parts[first:], bare=True)}",
    )


def _certain(context: Context, parts: Sequence[Spoken], put: Callable[[Sequence[Spoken]], str]) -> str:
    """The question before with periods put in words: their own where these are read as the days meant.

    Words that say little by themselves ("the 90s") may mean other days beside other times.
    """
    question = f"{context.timeless} {put(parts)}"
    read = parse(question, context.reference_day, context.conventions).periods
    meant = [part.interval for part in parts]
    if len(read) == len(meant) and all(
        any(one.interval.same_days(interval) for one in read) for interval in meant
    ):
        return question
    return f"{context.timeless} {put([told_as(interval) for interval in meant])}"


def _compares(context: Context) -> bool:
    """Whether the question before sets its periods against each other."""
    return any(period.role is PeriodRole.BASELINE for period in context.parsed.periods)


def _united(one: Sequence[Spoken], other: Sequence[Spoken]) -> tuple[Spoken, ...]:
    return (*one, *_others(other, one))


def _others(some: Sequence[Spoken], taken: Sequence[Spoken]) -> tuple[Spoken, ...]:
    """The periods that have other days than those taken."""
    return tuple(one for one in some if not any(one.interval.same_days(other.interval) for other in taken))


def _as_said(said: str, time: Spoken, context: Context) -> str:
    """One time in the words of the fragment; what hangs on the question before is said in full."""
    found = find_expressions(said, context.reference_day, conventions=context.conventions)
    if any(one.kind is not Kind.EXPLICIT for one in found):
        return again(time, time.interval).words
    words = re.sub(r"^(?:back|and|also|both|or)\s+", "", said, flags=re.IGNORECASE)
    return words if _PREPOSED.match(words) else time.words


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))
