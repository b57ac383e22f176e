"""Applies the times of a follow-up fragment to the periods of the previous question. Pure.

A comparison word with times adds periods, bare times replace the periods, a shift moves all of them, and
"since then", "before that" and "in between" are relative to them.
"""

import re
from collections.abc import Callable, Sequence

from timelens.lexicon import BE, DO, HAVE, one_of
from timelens.question.followup.conversation import Context
from timelens.question.followup.fragments import (
    AROUND,
    ENDING,
    PREPOSED,
    SHIFT,
    TIE,
    Fragment,
    around_words,
    others,
    read_fragment,
    relation_of,
    shifted,
    united,
)
from timelens.question.followup.period_phrases import Spoken, again, edge_of, listed, told_as
from timelens.question.parse import parse
from timelens.question.parsed_question import PeriodRole
from timelens.question.periods import CONTRAST
from timelens.temporal.expressions import ExpressionKind, find_expressions
from timelens.temporal.interval import Interval, granule
from timelens.words import STOP_WORDS

NOW = re.compile(
    r"(?:right )?now(?:adays)?|today|currently|these days|at the moment|at present", re.IGNORECASE
)
_POINTER = r"(?:it|that|this|they|those|these|them)"
_POINTS = re.compile(rf"\b{_POINTER}\b", re.IGNORECASE)
_FUNCTION = STOP_WORDS.union(
    "more less higher lower both same similar alike equal unchanged too well only again now then or but than "
    "against just two three".split()
)
_NO_DEGREE = (
    r"(?!(?:over|ever|never|under|after|other|another|either|neither|rather|whether|together|later)\b)"
)
_ONE_MORE = rf"(?:(?:more|less) (?!than|or\b)\w+|more|less|{_NO_DEGREE}\w{{2,}}er|worse)"
_MORE = rf"{_ONE_MORE}(?: or {_ONE_MORE})?"
_AUX = one_of((*BE, *DO, *HAVE))
_PLAIN_DEGREE = re.compile(
    rf"(?P<aux>{_AUX}) {_POINTER} (?:(?:been|be|become) )?"
    rf"(?P<degree>(?:(?:much|any|even|far) )?{_MORE})(?P<than> than)?",
    re.IGNORECASE,
)
_HOW_MUCH_MORE = re.compile(
    rf"(?:by )?how (?:much|many)(?: of {_POINTER})? {_MORE}"
    rf"(?: (?:is|was|were|are|did|has)(?: {_POINTER})?)?(?: than)?",
    re.IGNORECASE,
)
"""A question for the difference to another time: "how many more than in 2012?"."""
_BARE_DEGREE = re.compile(rf"(?:(?:is|was|were) (?:that|it|this|they) )?{_MORE} than", re.IGNORECASE)
_WHICH = re.compile(
    r"(?:in |at )?(?:which|when|what)"
    r"(?: (?:one|ones|time|times|years?|periods?|of|the|these|those|them|two|three|both))*"
    rf" (?:was|were|is|are|had)(?: {_POINTER})? (?:the )?"
    rf"(?P<degree>(?:most|least) \w+|{_MORE}|\w{{2,}}est|worst)"
    r"(?: (?:one|of (?:the )?(?:two|three|them|these|those)))?",
    re.IGNORECASE,
)
_SAME = re.compile(
    rf"(?:what|how) (?:{_AUX}) {_POINTER}(?: (?:been|be|look))?(?: like)?",
    re.IGNORECASE,
)
"""The previous question, repeated in short form."""
_ALIKE = re.compile(r"\b(?:the same|similar|alike|equal|unchanged)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"(?P<new>.+?)\s+(?:instead of|rather than)\s+(?P<old>.+)", re.IGNORECASE)
_FROM_THEN = re.compile(
    r"(?<=\bfrom )(?:then|that)(?= (?:until|till|to|up to)\b)|(?<=\bbetween )(?:then|that)(?= and\b)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?:in )?(?:the )?other(?: (?:one|ones|period|year|time|date|day|month|decade))?", re.IGNORECASE
)
_POLAR = re.compile(rf"(?P<clause>(?:{one_of(BE)})\s+.+?)(?:\s+(?:{_MORE}|\w{{3,}}))?", re.IGNORECASE)


def from_then(said: str, context: Context) -> str:
    """A fragment whose range begins with "then", with the last period of the conversation in its place."""
    time = context.outermost(forward=True)
    return said if time is None else _FROM_THEN.sub(edge_of(time, forward=True), said)


def among_periods(said: str, context: Context) -> str | None:
    """The question for a fragment that adds to the asked periods, selects one or is relative to several."""
    if (picked := _picked(said, context)) is not None:
        return picked
    around = AROUND.fullmatch(said)
    if around is not None:
        return _around(around, context)
    if instead := _INSTEAD.fullmatch(said):
        return _instead(instead, context)
    fragment = read_fragment(said, context)
    if fragment is None and _HOW_MUCH_MORE.fullmatch(_words(said)):
        return _more_than_before(context)
    if fragment is None:
        together = len(context.asked) > 1 and _is_comparison(said)
        return _against(context, context.asked[:1], context.asked[1:]) if together else None
    rest = _words(ENDING.sub("", fragment.rest))
    degree = _PLAIN_DEGREE.fullmatch(rest)
    if degree is not None and context.spoken_of and not context.asks_who:
        return _compared_by(degree, fragment.times, context)
    if (_HOW_MUCH_MORE.fullmatch(rest) or _BARE_DEGREE.fullmatch(rest)) and context.spoken_of:
        return _against(context, others(context.spoken_of, fragment.times), fragment.times)
    return _compared(fragment, context)


def other_time(said: str, context: Context) -> str | None:
    """The question for bare times, which replace the asked ones; a single time keeps the baseline."""
    if shift := SHIFT.fullmatch(said):
        moved = tuple(shifted(shift, context))
        return _asked(context, moved) if moved else None
    if NOW.fullmatch(said) and not _compares(context):
        return f"{context.timeless} now"
    fragment = read_fragment(said, context)
    if fragment is None or not _is_time_alone(fragment, context):
        return None
    times = fragment.times
    if len(times) == 1 and _is_choice(context):
        return _asked(context, united(context.asked, times))
    if len(times) == 1 and _compares(context):
        whole = f"{context.timeless} {said}"
        if len(parse(whole, context.reference_day, context.conventions).periods) > 1:
            return whole  # "the difference … between 2003 and 2007"
        return _asked(context, _two_ends(said, context) or united(context.asked[:1], times))
    if len(times) > 1 or len(context.asked) > 1:
        return _asked(context, times)
    return f"{context.timeless} {_as_said(said, times[0], context)}"


def _two_ends(said: str, context: Context) -> tuple[Spoken, ...]:
    """The two dates of a fragment that replaces both sides of a comparison: "2003 to 2004"."""
    if not all(_is_granule(one.interval) for one in context.asked):
        return ()
    found = find_expressions(said, context.reference_day, conventions=context.conventions)
    dates = found[0].dates if len(found) == 1 else ()
    return tuple(map(told_as, dates)) if len(dates) == 2 else ()


def _is_granule(interval: Interval) -> bool:
    """Whether a time is a single calendar unit: a day, a year, a decade."""
    return interval.start is not None and granule(interval.start, interval.granularity).same_days(interval)


def _is_time_alone(fragment: Fragment, context: Context) -> bool:
    """Whether a fragment contains only times and words that connect them to the previous question."""
    rest = _words(ENDING.sub("", fragment.rest))
    if _compares(context):
        rest = re.sub(r"^(?:with|to|from|than)\b", "", rest, flags=re.IGNORECASE)
    return _SAME.fullmatch(rest) is not None or not TIE.sub("", rest)


def _compared(fragment: Fragment, context: Context) -> str | None:
    """The question for periods compared with the asked ones: "compare that with 2010", "and vs. today?"."""
    if not _is_comparison(fragment.rest):
        return None
    if fragment.within and len(fragment.times) > 1 and not _POINTS.search(fragment.rest):
        return _against(context, fragment.times[:1], fragment.times[1:])
    events = [event.phrase for event in context.parsed.implicit]
    if events and not context.asked:  # the answer may hold for longer than the event
        return f"{context.timeless} {listed(fragment.times)} and {' and '.join(events)}"
    base = others(context.spoken_of, fragment.times)
    if not base:
        return _against(context, fragment.times[:1], fragment.times[1:]) if context.spoken_of else None
    return _against(context, base, fragment.times)


def _is_comparison(words: str) -> bool:
    """Whether words only compare something with the previous topic: "how does that compare with"."""
    alike = _ALIKE.search(words) is not None and _POINTS.search(words) is not None
    left = CONTRAST.sub(" ", words)
    only = all(word in _FUNCTION for word in re.findall(r"\w+", left.casefold()))
    return only and (alike or left != words)


def _instead(instead: re.Match[str], context: Context) -> str | None:
    """The question with some periods replaced: "2015 instead of 2010"."""
    new, old = (read_fragment(instead[part], context) for part in ("new", "old"))
    if new is None or old is None or not all(_is_time_alone(one, context) for one in (new, old)):
        return None
    kept = others(context.asked, old.times)
    return _asked(context, new.times if len(kept) == len(context.asked) else united(kept, new.times))


def _compared_by(degree: re.Match[str], times: Sequence[Spoken], context: Context) -> str:
    """The question for a comparison of degree: "was it higher in 2015?", "is that more than in 1995?".

    It asks for the value at each time; a previous yes-no question is repeated with the comparative.
    """
    base = others(context.spoken_of, times) or context.spoken_of
    polar = _POLAR.fullmatch(context.timeless)
    if polar is None:
        return _against(context, base, times)
    first, second = (base, times) if degree["than"] else (times, base)
    return f"{polar['clause']} {degree['degree'].lower()} {listed(first)} than {listed(second)}"


def _more_than_before(context: Context) -> str | None:
    """The question for the difference between the asked periods, or to that of the question before."""
    asked = _with_earlier(context)
    return _against(context, asked[:1], asked[1:]) if len(asked) > 1 else None


def _with_earlier(context: Context) -> tuple[Spoken, ...]:
    """The asked periods; a single one together with that of the same question before it."""
    asked, earlier = context.asked, context.earlier
    is_same = earlier is not None and earlier.timeless.casefold() == context.timeless.casefold()
    if len(asked) != 1 or earlier is None or not is_same:
        return asked
    return (*others(earlier.asked, asked), *asked)


def _picked(said: str, context: Context) -> str | None:
    """The question for a choice among the periods: by degree, or "the other" that the answer left out."""
    asked = _with_earlier(context)
    if len(asked) < 2:
        return None
    if _OTHER.fullmatch(said) and len(context.asked) > 1:
        told = [one.interval for one in context.turn.told if one.interval is not None]
        missed = [one for one in context.asked if not any(one.interval.intersects(other) for other in told)]
        return f"{context.timeless} {missed[0].words}" if len(missed) == 1 else None
    if _WHICH.fullmatch(said) is None or context.asks_who:
        return None
    return context.whole if _is_choice(context) else _against(context, asked[:1], asked[1:])


def _around(around: re.Match[str], context: Context) -> str | None:
    """The question for the time after the last period, before the first, or between them."""
    if relation_of(around) in {"before", "after", "until"} and len(context.asked) < 2:
        return None  # relative to the answer, which another rule handles
    words = around_words(around, context)
    return f"{context.timeless} {listed(words)}" if words else None


def _asked(context: Context, times: Sequence[Spoken]) -> str:
    """The previous question about other periods, joined in the same way."""
    if _compares(context) and len(times) > 1:
        return _against(context, times[:1], times[1:])
    joint = "or" if _is_choice(context) else "and"
    return _certain(context, times, lambda parts: listed(parts, joint))


def _is_choice(context: Context) -> bool:
    """Whether the previous question joins its periods by "or"."""
    between = context.whole[context.times[0][1] : context.times[-1][0]] if len(context.times) > 1 else ""
    return re.search(r"\bor\b", between, re.IGNORECASE) is not None


def _against(context: Context, base: Sequence[Spoken], times: Sequence[Spoken]) -> str:
    """The previous question about compared periods; "compared with" is added unless the topic compares."""
    if not times or CONTRAST.search(context.timeless):
        return _certain(context, (*base, *times), listed)
    first = len(base)
    return _certain(
        context,
        (*base, *times),
        lambda parts: f"{listed(parts[:first])} compared with {listed(parts[first:], bare=True)}",
    )


def _certain(context: Context, parts: Sequence[Spoken], put: Callable[[Sequence[Spoken]], str]) -> str:
    """The previous question with periods in their own words if these parse to the same days, else in full.

    Ambiguous words ("the 90s") may have other days beside other times.
    """
    question = f"{context.timeless} {put(parts)}"
    read = parse(question, context.reference_day, context.conventions).periods
    meant = [part.interval for part in parts]
    if len(read) == len(meant) and all(
        any(interval.same_days(one.interval) or interval.same_days(one.moment) for one in read)
        for interval in meant
    ):
        return question
    return f"{context.timeless} {put([told_as(interval) for interval in meant])}"


def _compares(context: Context) -> bool:
    """Whether the previous question compares its periods."""
    return any(period.role is PeriodRole.BASELINE for period in context.parsed.periods)


def _as_said(said: str, time: Spoken, context: Context) -> str:
    """A time in the words of the fragment; a time relative to the previous question is written in full."""
    found = find_expressions(said, context.reference_day, conventions=context.conventions)
    if any(one.kind is not ExpressionKind.EXPLICIT for one in found):
        return again(time, time.interval).words
    words = re.sub(r"^(?:back|and|also|both|or)\s+", "", said, flags=re.IGNORECASE)
    return words if PREPOSED.match(words) else time.words


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))
