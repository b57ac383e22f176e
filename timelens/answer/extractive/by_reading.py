"""Ways to answer from what the readers of spans, values and yes or no find in texts."""

import re
from dataclasses import replace

from timelens.answer.draft import Draft, Statement, Status
from timelens.answer.extractive.case import Case, inside_of, likeliest_of_sentences
from timelens.answer.extractive.point_in_time import from_pick
from timelens.answer.operations import has_ended, in_force, in_order
from timelens.answer.text.held_states import term_of
from timelens.answer.text.moments import moment_of, range_of
from timelens.answer.text.picked_spans import Pick, is_sure
from timelens.answer.text.sentence_match import AnswerType
from timelens.answer.text.value_statements import (
    agreed_picks,
    changes,
    neighbours,
    values_in,
    values_over_time,
)
from timelens.answer.text.yes_no import verdict
from timelens.answer.writing.drafts import (
    from_ends,
    from_neighbour,
    from_sentences,
    from_telling,
    with_events,
)
from timelens.question.intent import asks_for_state
from timelens.question.parsed_question import ParsedQuestion, PeriodRole
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity, Interval, last_day_of
from timelens.temporal.phrasing import phrase
from timelens.words import CAPITAL

_HOW_LONG = re.compile(
    r"\b(?:for )?(?:what length of time|how (?:long|many (?:\w+ )?(?:days|weeks|months|years|decades)))\b"
    r"(?: for\b)?"
    r"(?! (?:after|before|ago|until|till)\b)",
    re.IGNORECASE,
)
_TERM = re.compile(
    rf"\W*(?i:{_HOW_LONG.pattern}) (?:was|is|has|had|(?P<did>did)) (?P<name>{CAPITAL}\S*(?: {CAPITAL}\S*)*)"
    r" (?:been )?(?P<held>[^?]+)"
)
"""A question for the length of somebody's term; the state is behind the name."""
_NAME = 3
"""Maximum number of words of a name that "before" or "after" refers to."""


def by_term(case: Case) -> Draft | None:
    """All sure values of a time of more than a year that an event names, or that has a stated beginning.

    "While Ada Lind was chair", "from 2012 to 2024", "since 2012". The value in force when it began comes
    first; "since 2012" leaves it out if another one began in 2012. A value that did not change is told once.
    ``None`` unless there are two different values.
    """
    window, parsed = case.parsed.window, case.parsed
    if case.beside or not (case.is_one and case.is_read) or parsed.ordinal is not None:
        return None
    relation = _relation_of(parsed) if asks_for_state(parsed.core) else None
    has_beginning = relation is Relation.SINCE or (relation is not None and relation.takes_two_dates)
    is_named = len(case.events) == 1 or has_beginning
    if not is_named or window is None or window.days <= Granularity.YEAR.days + 1:
        return None
    sure = likeliest_of_sentences(case.sure(case.values))
    first = None if window.start is None else in_force(sure, Interval(window.start, window.start + 1))
    later = [one for one in inside_of(sure, window) if one is not first]
    if relation is Relation.SINCE and any(_begins_with(one, window) for one in later):
        first = None
    course = changes(values_over_time(in_order([*later, *filter(None, [first])])))
    if not course:
        return None
    draft = from_sentences([one.hit for one in course], case.expected, case.topic, Status.ANSWERED)
    return with_events(replace(draft, series=tuple(course)), case.events)


def _relation_of(parsed: ParsedQuestion) -> Relation | None:
    """The relation of the only time of a question."""
    (constraint, *others) = parsed.constraints or (None,)
    relation = None if constraint is None or others else constraint.relation
    return relation if isinstance(relation, Relation) else None


def _begins_with(one: Statement, window: Interval) -> bool:
    """Whether a statement begins in the unit of time with which a window begins: in 2012, of "since 2012"."""
    start = None if one.interval is None else one.interval.start
    if start is None or window.start is None:
        return False
    return window.start <= start <= last_day_of(window.start, window.granularity)


def by_reading(case: Case) -> Draft | None:
    """The reader's best span, with the sentences that state it."""
    if not case.is_one or not case.is_read or not is_sure(case.picks, case.risk):
        return None
    draft = from_pick(case.picks, case.topic, case.expected, case.parsed)
    if case.beside:  # in a comparison of periods, only the dated sentences are kept
        draft = replace(draft, text=draft.text.partition("\n")[2])
    return with_events(draft, case.events)


def by_telling(case: Case) -> Draft | None:
    """Yes or no, if the likeliest sentence that tells it says so with sufficient probability.

    A stretch of time that ended before the asked one allows no yes.
    """
    told = None if case.beside or case.topic.unknown else verdict(case.telling)
    if told is None or told.probability < 1 - case.risk:
        return None
    time, window = case.telling[0].hit.interval, case.parsed.window
    if told.says_yes and time is not None and window is not None and has_ended(time, window):
        return None
    draft = from_telling(told, case.telling, case.risk, case.topic)
    return with_events(draft, case.events)


def by_neighbour(case: Case) -> Draft | None:
    """The predecessor or successor of a named value, from the values read at all times, in order.

    "Who was treasurer before Ada Lind?" is read as "Who was treasurer?" without a time.
    """
    named = _beside_which(case) if case.is_read and case.parsed.is_point else None
    if named is None:
        return None
    name, relation, words = named
    core = " ".join(case.parsed.core.replace(words, " ").split())
    alone = replace(case.parsed, core=core, question=core, periods=(), implicit=())
    pair = neighbours(case.sure(values_in(alone, case.texts)), name, relation)
    return None if pair is None else from_neighbour(pair, case.expected, case.topic)


def _beside_which(case: Case) -> tuple[str, Relation, str] | None:
    """The name before or after which the question asks, the relation, and the question's words for both.

    The name may already have been resolved to the days of an event; both forms are recognised.
    """
    parsed = case.parsed
    named: tuple[str, Relation, str] | None = None
    if len(parsed.implicit) == 1 and not parsed.periods and not parsed.implicit[0].is_clause:
        time = parsed.implicit[0]
        named = time.text, time.relation, time.phrase
    elif len(parsed.periods) == 1 and len(case.events) == 1 and not parsed.implicit:
        period, relation = parsed.periods[0], parsed.periods[0].relation
        if period.role is PeriodRole.EVENT and isinstance(relation, Relation):
            named = case.events[0].text, relation, period.text
    if named is None or named[1] not in (Relation.BEFORE, Relation.AFTER):
        return None
    return named if len(named[0].split()) <= _NAME else None


def by_length(case: Case) -> Draft | None:
    """The length of a state, from the days read as answers to "since when" and "until when".

    Without both, that of a range which answers "when" ("it was shut from 3 March to 21 July"), or of a
    holder's term whose beginning and end are told: "How long was Bo chair?".
    """
    parsed = case.parsed
    asks = case.expected is AnswerType.LENGTH and parsed.is_point and not parsed.implicit
    if not asks or not case.is_read or case.beside or is_sure(case.picks, case.risk):
        return None
    return _between_ends(case) or _of_range(case) or _of_term(case)


def _of_term(case: Case) -> Draft | None:
    """The length of the term of the holder that the question names."""
    held = _TERM.match(case.parsed.core)
    if held is None:
        return None
    state = f"{held['did'] or 'was'} {held['held']}"
    term = term_of(case.parsed, held["name"], state, case.texts)
    if term is None or not term.is_whole:
        return None
    ends = [
        replace(one, value=phrase(moment_of(one.interval)))
        for one in (term.first, term.last)
        if one.interval is not None
    ]
    return from_ends(ends[0], ends[1], case.topic)


def _between_ends(case: Case) -> Draft | None:
    """The length between the days read as answers to "since when" and "until when"."""
    since = _read_when(case, "since when")
    until = None if since is None else _read_when(case, "until when")
    if since is None or until is None or since.days is None or until.days is None:
        return None
    return _length(case, (since, since.days), (until, until.days))


def _of_range(case: Case) -> Draft | None:
    """The length of the range of dates that was read as the answer to "when"."""
    when = _read_when(case, "when")
    ends = () if when is None else range_of(when)
    return _length(case, (when, ends[0]), (when, ends[1])) if when is not None and ends else None


def _read_when(case: Case, words: str) -> Pick | None:
    """What was read as the answer with ``words`` in place of "how long"; ``None`` if nothing is sure."""
    core, asked = _HOW_LONG.subn(words, case.parsed.core, count=1)
    found = agreed_picks(replace(case.parsed, core=core, question=core), case.texts) if asked else []
    return found[0] if is_sure(found, case.risk) else None


def _length(case: Case, *ends: tuple[Pick, Interval]) -> Draft | None:
    """The length between two days that were read."""
    first, last = (
        Statement(pick.hit.chunk.title, "", phrase(days), days, pick.hit, pick.probability)
        for pick, days in ends
    )
    return from_ends(first, last, case.topic)
