"""Parses a question into topic and time, by rules.

Whether several dated statements are asked for is told by a network: :mod:`timelens.reader.course_questions`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from timelens.errors import BadInputError
from timelens.lexicon import one_of
from timelens.printable import is_unicode
from timelens.question.asked_numbers import asks_for_changes, counted_noun
from timelens.question.core_query import with_connections, without
from timelens.question.dated_phrases import (
    CURRENT,
    PREPOSITION,
    STILL,
    WHOLE_TIME,
    constraints_of,
    current_phrase,
    dated_phrases,
    is_in_a_name,
)
from timelens.question.implicit_times import ImplicitTime, implicit_times, is_free, offered, reaches_now
from timelens.question.intent import (
    asks_for_length,
    asks_for_time,
    expected_granularity_of,
    focus_of,
    imperative_of,
    intent_of,
    is_change,
    reasoning_class_of,
    tells_course,
    wants_several,
)
from timelens.question.names import opened
from timelens.question.orders import Order, listing_of, order_of, time_beside
from timelens.question.own_words import in_own_words
from timelens.question.parsed_question import Constraint, Focus, Intent, Ordinal, ParsedQuestion, Period
from timelens.question.periods import StatedTime, is_beside, periods_of, with_event, without_times
from timelens.question.phrase_ellipsis import DatedPhrase
from timelens.question.roles import Role, role_of
from timelens.question.tense import is_present
from timelens.question.time_spelling import mended_times
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import times_in_english
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.phrasing import phrase

Span = tuple[int, int]

LONGEST = 2_000
"""Maximum number of characters of a question that are read."""

_LAST_PARSED = 16
"""How many questions are remembered with their parse."""
_COURSE = 2.5
"""Minimum log odds of a question for a course: few questions about one thing have more."""
_NOT_WITHOUT = re.compile(r"\s+(?:time\b|to\s+(?!the\b|last\b)[a-z]+)", re.IGNORECASE)
"""What stands behind an order that it cannot do without: "the last time we met", "the last to leave"."""
_DOING = {"was": "did", "were": "did", "is": "does", "are": "do"}
_AS_SUBJECT = re.compile(
    r"\W*(?:(?:how|what|why)\s+)?(?:was|were|is|are|did|does|do|has|have|had|will)\s+$", re.IGNORECASE
)
_NO_TOPIC = re.compile(r"(?:\w+\s+(?:me|us)|compare|contrast|the)\W*", re.IGNORECASE)
"""What is left of a question that names only times: "tell me about 1914"."""
_ORDERING = frozenset({Relation.BEFORE, Relation.AFTER, Relation.BY, Relation.UNTIL, Relation.SINCE})


def readable(question: str) -> str:
    """The question unchanged, if it can be read.

    Raises:
        BadInputError: it is empty, has no words, or is not valid UTF-8.
    """
    if not any(map(str.isalnum, question)):
        fault = "has no words" if question.strip() else "is empty"
        raise BadInputError(f"the question {fault}", 'write one, such as "Who was … in 2015?"')
    if not is_unicode(question):
        raise BadInputError("the question is not UTF-8 text", "write it in UTF-8")
    return question


def parse(question: str, reference_day: Day, conventions: Conventions = USUAL) -> ParsedQuestion:
    """Parse a question into core query, constraints and intent.

    ``reference_day`` is "now" for "current", "last year" and the like; ``conventions`` define how seasons,
    fiscal years and numeric dates are read. For a question in another language, only its times are parsed;
    misspelt words of time are mended.
    """
    return _parsed(question, reference_day, conventions)


@lru_cache(maxsize=_LAST_PARSED)
def _parsed(question: str, reference_day: Day, conventions: Conventions) -> ParsedQuestion:
    """:func:`parse`; the calendar, the split into clauses, follow-ups and the search read the same words."""
    text = one_line(question)
    times = times_in_english(text, reference_day, conventions) or mended_times(
        text, reference_day, conventions
    )
    if not times:
        return _parse(question, text, reference_day, conventions)
    english, position = "", 0
    for start, end, words in times:
        english += text[position:start] + words
        position = end
    english += text[position:]
    parsed = _parse(question, english, reference_day, replace(conventions, english=True))
    return in_own_words(parsed, text, [(words, text[start:end]) for start, end, words in times])


@dataclass(frozen=True, slots=True)
class _Mentions:
    """The times and the order that a question names."""

    dated: Sequence[DatedPhrase]
    left_out: Sequence[DatedPhrase]
    """Times that the question leaves out."""
    events: Sequence[tuple[ImplicitTime, Span]]
    """Events in place of a time."""
    current: re.Match[str] | None
    """A word for now."""
    order: Order | None
    sorting: Sequence[Span]
    """Words that only sort a list: "the oldest first"."""
    whole: Sequence[Span]
    """Words for all time: "of all time"."""
    is_list: bool
    """Whether a list is asked for."""
    is_course: bool
    """Whether the answer has several dated statements."""

    @property
    def ordinal(self) -> Ordinal | None:
        """The asked place in an order."""
        return self.order.ordinal if self.order else None

    @property
    def count(self) -> int:
        """How many are asked for from the first or last place."""
        return self.order.count if self.order else 1

    @property
    def is_timeless(self) -> bool:
        """Whether there is neither a date nor an event."""
        return not (self.dated or self.left_out or self.events)

    def spans(self, beside: Sequence[Span], text: str) -> tuple[list[Span], list[Span]]:
        """The spans to cut from the topic: of times, and of orders including "now"."""
        spans = [*self.sorting, *beside, *self.whole]
        if self.current:
            spans.append(self.current.span())
        if self.order and not _NOT_WITHOUT.match(text, self.order.span[1]):
            spans.append(self.order.span)  # "the last time we met" is no phrase without it
        return _time_to_cut([*self.dated, *self.left_out], spans, counted=self.count > 1)


def _parse(question: str, text: str, reference_day: Day, conventions: Conventions) -> ParsedQuestion:
    """Parse ``text``, a question whose times are in English."""
    found = _mentions(text, reference_day, conventions)
    changes = asks_for_changes(text)
    several = found.is_list or found.count > 1 or (changes and counted_noun(text) != "")
    beside = time_beside(text) if several else ()
    begins = found.count > 1 or (changes and (several or found.order is not None))
    periods = periods_of(text, _stated(text, found, reference_day, begins=begins), found.ordinal)
    left_out = _left_out(text, found, begins=begins)
    periods = without_times(periods, left_out, found.ordinal)
    constraints = [constraint for period in periods for constraint in period.constraints]
    if found.order and not constraints:
        constraints = [Constraint(None, found.ordinal, Role.HELD, None, found.order.text)]
    times, orders = found.spans(beside, text)
    timeless = found.is_timeless and is_present(text, is_one=False)
    is_current = found.current is not None or (timeless and STILL.search(text) is not None)
    ordered = found.ordinal is not None or any(item.relation in _ORDERING for item in found.dated)
    plain = without(text, beside) or text
    intent = intent_of(plain, current=is_current, ordered=ordered)
    focus = focus_of(plain, intent, current=is_current, constrained=bool(constraints))
    over_range = found.ordinal is None and intent is Intent.NONE and _is_course(text, periods, found.dated)
    is_course = found.is_course or over_range
    if is_course:
        focus, intent = Focus.CHANGE_OVER_TIME, Intent.TIMELINE if intent is Intent.NONE else intent
    return ParsedQuestion(
        question=question,
        core=_as_doing(_core(text, times, orders), found.order),
        constraints=tuple(constraints),
        periods=periods,
        current=is_current,
        comparison=_comparison(text, found.dated, [period.interval for period in periods]),
        anchors=_anchors(found.dated),
        expected_granularity=expected_granularity_of(text),
        intent=intent,
        focus=focus,
        reasoning_class=reasoning_class_of(text, temporal=bool(constraints or found.events)),
        signals=tuple(_signals(text, [*times, *orders], found.dated)),
        left_out=left_out,
        implicit=tuple(time for time, _ in found.events),
        offered=offered(text) if found.ordinal is not None else (),
        reference_day=reference_day,
        count=found.count,
        several=several,
        present=not constraints and is_present(text, is_one=not (several or is_course)),
    )


def _mentions(text: str, reference_day: Day, conventions: Conventions) -> _Mentions:
    """The times and the order of a question whose times are in English."""
    dated = dated_phrases(text, reference_day, conventions)
    sorting = [span for span in listing_of(text) if is_free(span, [item.span for item in dated])]
    no_events = [*(item.span for item in dated if not is_in_a_name(item, text)), *sorting]
    is_list = wants_several(text) or bool(sorting)
    if is_list:
        no_events += time_beside(text)
    events = list(implicit_times(text, no_events))
    of_events = [span for _, span in events]
    whole = [match.span() for match in WHOLE_TIME.finditer(text)]
    dated = [item for item in dated if is_free(item.span, [*of_events, *whole])]
    left_out = [item for item in dated if item.left_out]
    dated = [item for item in dated if not item.left_out]
    ongoing = [span for span in of_events if reaches_now(text[slice(*span)])]
    current = _search_outside(CURRENT, text, [*(item.span for item in dated), *whole, *ongoing])
    if current and any(is_beside(text, current.span(), item.span) for item in dated):
        dated = sorted([*dated, current_phrase(current, reference_day)], key=lambda item: item.span)
    taken = [item.span for item in (*dated, *left_out)]
    order = order_of(text, [*taken, *of_events, *sorting])
    is_course = current is None and _asks_for_course(text, order)
    if is_course:  # "the oldest first" only sorts its statements
        order = None
    return _Mentions(dated, left_out, events, current, order, sorting, whole, is_list, is_course)


def _stated(text: str, found: _Mentions, reference_day: Day, *, begins: bool) -> list[StatedTime]:
    """The stated times with their constraints; ``begins``: the starts of several things are asked for."""
    of_time = asks_for_time(text) or asks_for_length(text)  # then the year of a name is not a constraint
    stated = constraints_of(text, _asked(text, found.dated, of_time=of_time), found.ordinal, begins=begins)
    if found.current is None:
        return stated
    today = Interval(None, reference_day + 1, Granularity.DAY)
    as_of = Constraint(Relation.AS_OF, None, Role.HELD, today, found.current.group())
    now = StatedTime(found.current.span(), (as_of,))
    return [now if one.span == now.span else one for one in stated] or [now]


def _left_out(text: str, found: _Mentions, *, begins: bool) -> tuple[Constraint, ...]:
    """The constraints of the times that a question leaves out."""
    stated = constraints_of(text, found.left_out, None, begins=begins)
    return tuple(one for time in stated for one in time.constraints if one.interval is not None)


def one_line(question: str) -> str:
    """A question on one line, cut to the maximum length."""
    return " ".join(question.split())[:LONGEST]


def resolved(parsed: ParsedQuestion, time: ImplicitTime, event: Interval) -> ParsedQuestion | None:
    """The question with an event replaced by its days; ``None`` if it then admits no day.

    If the question asks for one thing after an event, it is the first; before an event, the last.
    """
    days = time.admitted(event)
    if days is None:
        return None
    ordinal: Ordinal | None = None
    if parsed.is_point and parsed.ordinal is None and not (time.distance or time.left_out):
        ordinal = {Relation.AFTER: "first", Relation.BEFORE: "last"}.get(time.relation)
    role = role_of(parsed.core.replace(time.phrase, ""))
    is_counted = time.distance is not None and days.start is not None and days.end is not None
    relation = Relation.IN if is_counted else time.relation
    constraint = Constraint(relation, ordinal, role, days, time.phrase)
    position = parsed.core.find(time.phrase)
    spans = [(position, position + len(time.phrase))] if position >= 0 else []
    phrased = parsed.question.find(time.phrase)
    beside = phrased > 0 and is_beside(parsed.question, None, (phrased, phrased + len(time.phrase)))
    constraints = (*parsed.constraints, constraint)
    if time.left_out:
        periods = without_times(parsed.periods, [constraint], parsed.ordinal)
        constraints = tuple(one for period in periods for one in period.constraints)
    else:
        periods = with_event(parsed.periods, constraint, beside=beside)
    return replace(
        parsed,
        core=without(parsed.core, spans) or parsed.core,
        constraints=constraints,
        periods=periods,
        left_out=(*parsed.left_out, constraint) if time.left_out else parsed.left_out,
        implicit=tuple(other for other in parsed.implicit if other != time),
        present=False,
    )


def with_days(parsed: ParsedQuestion, known: Mapping[str, Interval]) -> ParsedQuestion:
    """The question with its events replaced by their days, as far as ``known`` (by the event's text)."""
    for implicit in parsed.implicit:
        if implicit.text in known:
            parsed = resolved(parsed, implicit, known[implicit.text]) or parsed
    return parsed


def _asked(text: str, dated: Sequence[DatedPhrase], *, of_time: bool) -> list[DatedPhrase]:
    """The dated phrases that are constraints.

    The year of a name is one if there is no other time, or if it is joined to another time ("super bowl 2018
    versus 2019"); never if the question asks for a time (``of_time``).
    """
    plain = [item for item in dated if not item.named]
    return [
        item
        for item in dated
        if not item.named
        or (not of_time and (not plain or any(is_beside(text, item.span, one.span) for one in plain)))
    ]


def _time_to_cut(
    dated: Sequence[DatedPhrase], orders: Sequence[Span], *, counted: bool
) -> tuple[list[Span], list[Span]]:
    """The spans to cut from the topic: times, and orders including "now".

    "As of" only sets the day of knowledge; then the order and the other dates stay in the topic ("who won the
    cup in 2016 as of 2020", "the latest rules as of May 2021"), unless the question asks for a number of
    things (``counted``).
    """
    as_of = [] if counted else [item.span for item in dated if item.relation is Relation.AS_OF]
    spans = dict.fromkeys(item.span for item in dated if not item.named)
    return (as_of, []) if as_of else (list(spans), list(orders))


def _anchors(dated: Sequence[DatedPhrase]) -> tuple[str, ...]:
    """The named dates in words, without "now"."""
    expressions = [item.expression for item in dated if not CURRENT.fullmatch(item.expression.text)]
    return tuple(phrase(date) for expression in expressions for date in expression.dates)


def _core(text: str, times: Sequence[Span], orders: Sequence[Span]) -> str:
    """The question without its times and its order, and without an imperative such as "Tell me"."""
    subject = next((span for span in times if _is_subject(text, span)), None)
    cut = [span for span in with_connections(text, times) if span != subject]
    core = without(text, [*cut, *orders]) or without(text, [*times, *orders])
    if not core or _NO_TOPIC.fullmatch(core):  # "tell me about 1914"
        core = text
    order = imperative_of(core)
    if order and not is_change(order):
        core = core[core.index(order) + len(order) :].strip()
    return opened(core)


def _as_doing(core: str, order: Order | None) -> str:
    """The core without an order before an infinitive: "who was the last to leave" asks who did leave."""
    if order is None:
        return core
    words = r"\s+".join(map(re.escape, order.text.split()))
    match = re.search(
        rf"\b(?P<be>{one_of(_DOING)})\s+{words}\s+to\s+(?P<passive>be\s+)?(?=[a-z])", core, re.IGNORECASE
    )
    if match is None:
        return core
    verb = match["be"] if match["passive"] else _DOING[match["be"].lower()]
    return f"{core[: match.start()]}{verb} {core[match.end() :]}"


def _is_subject(text: str, span: Span) -> bool:
    """Whether a time is the subject of a question, which has none without it: "was 2019 better?"."""
    first = text[slice(*span)].split(maxsplit=1)[0]
    return _AS_SUBJECT.fullmatch(text[: span[0]]) is not None and PREPOSITION.fullmatch(first) is None


def _asks_for_course(text: str, order: Order | None) -> bool:
    """Whether the answer has several dated statements: not one place in an order, nor "the last three"."""
    which = intent_of(text, current=False, ordered=False)
    if order is not None and (order.count > 1 or which is Intent.ORDER):
        return False
    from timelens.reader.course_questions import course_odds

    return course_odds(text) > _COURSE


def _is_course(text: str, periods: Sequence[Period], dated: Sequence[DatedPhrase]) -> bool:
    """Whether the question asks for the course over one range of time."""
    stretch = any(item.relation.takes_two_dates and len(item.expression.dates) > 1 for item in dated)
    return len(periods) == 1 and tells_course(text, of_range=stretch)


def _comparison(text: str, dated: Sequence[DatedPhrase], periods: Sequence[Interval]) -> tuple[Interval, ...]:
    """The periods if there are several, or the two ends of a range whose change is asked for."""
    if len(periods) > 1:
        return tuple(periods)
    if is_change(text) or tells_course(text):
        for item in dated:
            if item.relation.takes_two_dates and len(item.expression.dates) == 2:
                return item.expression.dates
    return ()


def _signals(text: str, cut: Sequence[Span], dated: Sequence[DatedPhrase]) -> Iterator[str]:
    for start, end in sorted({*cut, *(item.span for item in dated)}):
        yield re.sub(r"^the\s+", "", text[start:end], flags=re.IGNORECASE)


def _search_outside(pattern: re.Pattern[str], text: str, taken: Sequence[Span]) -> re.Match[str] | None:
    """The first match that overlaps no taken span."""
    for match in pattern.finditer(text):
        if is_free(match.span(), taken):
            return match
    return None
