"""Dates a state that a question names ("while Ruth was chair"), from who held it over time.

The reader of values finds the holders.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from timelens.answer.draft import Statement
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.text.value_statements import values_in
from timelens.answer.values_at import is_same_value
from timelens.documents import Hit
from timelens.question.names import names_in
from timelens.question.parsed_question import ParsedQuestion
from timelens.question.roles import END_VERBS, START_VERBS, Role, role_of
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity, Interval
from timelens.words import topic_words

_OWN, _OTHER = 0.4, 0.5
"""Minimum probability of a statement that the named one, or another, held the state."""
_STATE = re.compile(
    r"\s*(?:(?:was|were|is|are|(?:had|has) been)\s+(?:in (?:the chair|charge|office|power|command)\b"
    r"|at the (?:head|helm)\b"
    r"|(?!(?:an?|o[nf]f?|at|in|to|with|from|by|near|under|out|not|still|also|so|too|very|one|there|here|away"
    r"|abroad|absent|alone|alive|dead|ill|sick|unwell|busy|free|late|\w+(?:ed|en|rn|ing))\b)[a-z])"
    r"|(?:had|has|held|led|ran|did|kept|served|chaired|headed|managed|edited|owned|looked after)\s+the\s"
    r"|did\s+(?:have|hold|lead|run|keep|serve|chair|head|manage|edit|own|look after)\s+the\s)",
)
"""A state that one holds after another, such as an office, behind the name of its holder."""


def date_state(event: ParsedQuestion, hits: Sequence[Hit]) -> DatedEvent | None:
    """The state with its days (:func:`term_of`).

    ``None`` if the event is no state of somebody, or the texts among ``hits`` do not tell the days.
    """
    named = next(iter(names_in(event.question)), None)
    if named is None or role_of(event.question) is not Role.HELD:
        return None
    term = term_of(event, named, event.question.partition(named)[2], hits)
    return None if term is None else DatedEvent(event.question, term.days, term.first.hit)


@dataclass(frozen=True, slots=True)
class Term:
    """How long somebody held a state, according to texts."""

    days: Interval
    first: Statement
    """The first statement of the holder."""
    last: Statement
    """That the holder left, or the first statement of the next holder, or else the last one of the holder."""
    is_whole: bool
    """Whether texts tell that it began with the first statement and ended with the last."""


def term_of(asked: ParsedQuestion, named: str, held: str, hits: Sequence[Hit]) -> Term | None:
    """The term of the holder ``named`` of a state, such as "was chair", which one holds after another.

    It goes from the first statement of the holder to the one that the holder left, or else to the first of
    the next holder. A holder who is first named together with a later one held the state until then. ``None``
    if ``held`` is no such state, or the texts do not tell the term.
    """
    if _STATE.match(held) is None:
        return None
    question = f"Who {held.strip()}?"
    texts = [hit for hit in hits if hit.chunk.fact is None]
    stated = [
        one
        for one in values_in(replace(asked, question=question, core=question), texts)
        if one.interval is not None and one.interval.start is not None
    ]
    own = [one for one in stated if one.probability >= _OWN and is_same_value(one.value, named)]
    others = [one for one in stated if one.probability >= _OTHER and not is_same_value(one.value, named)]
    return _term(own, others) if own else None


def _term(own: Sequence[Statement], others: Sequence[Statement]) -> Term | None:
    """The term of a holder with at least one statement; both sequences are in chronological order."""
    first, last = _start(own[0]), _start(own[-1])
    earlier = frozenset[str]().union(*(topic_words(one.value) for one in others if _start(one) < first))
    later = (one for one in others if _start(one) >= last and topic_words(one.value).isdisjoint(earlier))
    following, left = next(later, None), next(filter(_leaves, reversed(own[1:])), None)
    if left is not None and (following is None or _start(left) <= _start(following)):
        if first >= _start(left):
            return None
        return Term(Interval(first, _end(left), Granularity.DAY), own[0], left, is_whole=_begins(own[0]))
    if following is not None:
        begins, has_start = _start(following), first < _start(following)
        days = Interval(first if has_start else None, begins, Granularity.DAY)
        is_told = _begins(own[0]) and (_begins(following) or _ends(following))
        return Term(days, own[0], following, is_whole=has_start and is_told)
    if first == last:
        return None
    return Term(Interval(first, last + 1, Granularity.DAY), own[0], own[-1], is_whole=False)


def _begins(one: Statement) -> bool:
    """Whether a statement tells a beginning ("since 2017"), and not only that the state was held."""
    from_then_on = one.interval is not None and one.interval.end is None
    return from_then_on or START_VERBS.search(one.hit.said) is not None


def _leaves(one: Statement) -> bool:
    """Whether the sentence of a statement tells an end, and no beginning."""
    return _ends(one) and not _begins(one)


def _ends(one: Statement) -> bool:
    """Whether the sentence of a statement tells an end."""
    return END_VERBS.search(one.hit.said) is not None


def _end(one: Statement) -> Day:
    """The day after a statement's time, or its first day if that has no end."""
    end = None if one.interval is None else one.interval.end
    return _start(one) + 1 if end is None else end


def _start(one: Statement) -> Day:
    if one.interval is None or one.interval.start is None:
        raise AssertionError("only statements with a start are compared")
    return one.interval.start
