"""Groups the times of a question into periods. Pure.

Times that a question coordinates, compares or contrasts are separate periods ("in 1995 and in 2005", "since
1995 compared with 2010", "before 2008 and after 2012"). Times that restrict each other are one period ("after
2005 but before 2010", "in March of 2001"): they have days in common, and are bounds from opposite sides or
have no conjunction between them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from timelens.question.exclusions import denies_fact
from timelens.question.intent import intent_of, is_change
from timelens.question.parsed_question import Constraint, Focus, Ordinal, ParsedQuestion, Period, PeriodRole
from timelens.question.roles import Role
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.interval import Granularity, Interval, day_interval
from timelens.temporal.phrasing import phrase

_COMPARED = (
    r"\b(?:(?:as|when|if)?\s*compared?\s+(?:with|to|against)|in\s+comparison\s+(?:with|to)|comparing|compared"
    r"|versus|vs\b\.?|against|relative\s+to"
    r"|(?<!later )(?<!earlier )(?<!sooner )(?<!more )(?<!less )(?<!longer )than"
    r"|(?:as\s+)?opposed\s+to|(?:in|by)\s+contrast(?:\s+(?:to|with))?"
    r"|contrasted\s+with|rather\s+than)(?!\w)"
)
_CONTRASTING = r"compares?|differ\w*|unlike|whereas|while|contrast|set\s+beside|next\s+to"
CONTRAST = re.compile(rf"{_COMPARED}|\b(?:{_CONTRASTING})\b", re.IGNORECASE)
"""Words that compare or contrast two times."""
_JOINING = re.compile(_COMPARED, re.IGNORECASE)
_SET_AGAINST = re.compile(
    r"^how\s+(?:do|does|did|has|have|is|was|were)\s+(?P<thing>.+?)\s+(?:compared?|differ(?:ed|s)?|different)\b"
    r"|^(?:please\s+)?(?:compare|contrast)\s+(?P<named>.+?)(?=[?.!]*$)"
    r"|^(?:what\s+(?:is|was)\s+)?(?:the\s+)?(?:difference|contrast|comparison)\s+(?:in|of|between)\s+(?P<of>.+?)(?=[?.!]*$)",
    re.IGNORECASE,
)
_THAN = re.compile(r"\s+(?:than|as opposed to|compared (?:with|to))\b[^?.,;]*", re.IGNORECASE)
"""The other side of a comparison, after its time is cut."""
_MORE_THAN = re.compile(
    r"^(?:by )?how (?:much|many) (?:more|less|fewer|\w+er)\s+(?=(?:was|were|is|are)\b)", re.IGNORECASE
)
"""A question for a difference: "how much lower was the rate" asks for the rate at each time."""
_JOINT = re.compile(r"(?:\b(?:and|or|nor|then|respectively)\b|[&/;])", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:,|(?:,\s*)?\b(?:and|or)\b|[&/;])\s*", re.IGNORECASE)
"""What stands between the times of a list, which have one predicate."""
_PREDICATE = re.compile(
    r"\W*\b(?:and|but)\s+(?:(?:still|also|then|later|only|who)\s+)*"
    r"(?:whose\b|(?:was|were|is|are|has|had|did|does|remain\w*|continu\w+|stay\w*|serv\w+|held|last\w*|extend\w*)\b"
    r"(?!\s+(?:it|he|she|they|the|this|that|these|those|there)\b))",
    re.IGNORECASE,
)
"""A second predicate on the same fact: "before 2020, and whose term lasted beyond 2025"."""
_LOOK_BACK = 3
"""How many words before an event's phrase may join it to another time."""
_OTHER_HAND = re.compile(r",?\s*\bon the (?:one|other)(?: hand)?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedTime:
    """The constraints of one dated phrase, with its half-open offsets."""

    span: tuple[int, int]
    constraints: tuple[Constraint, ...]

    @property
    def interval(self) -> Interval | None:
        """The days that its constraints admit together."""
        return _admitted(self.constraints)


def periods_of(text: str, stated: Sequence[StatedTime], ordinal: Ordinal | None = None) -> tuple[Period, ...]:
    """The periods of dated phrases, in the order of the question ``text``.

    ``ordinal`` is the order that the question asks for in each period.
    """
    groups: list[list[StatedTime]] = []
    for one in stated:
        if one.interval is None:
            continue
        if groups and not _is_apart(text, groups[-1], one):
            groups[-1].append(one)
        else:
            groups.append([one])
    compared = len(groups) > 1 and (is_change(text) or _contrasts(text, groups))
    made = []
    for index, group in enumerate(groups):
        role = PeriodRole.ASKED
        if compared:
            role = PeriodRole.COMPARISON if index else PeriodRole.BASELINE
        words = text[group[0].span[0] : max(one.span[1] for one in group)]
        first, *rest = chain.from_iterable(one.constraints for one in group)
        made.append(_period((replace(first, ordinal=ordinal), *rest), role, words))
    return tuple(made)


def without_times(
    periods: Sequence[Period], left_out: Sequence[Constraint], ordinal: Ordinal | None = None
) -> tuple[Period, ...]:
    """The periods without times that the question leaves out ("from 2000 to 2008 except 2005").

    A period is cut into what lies before such a time and what lies after it. Without periods, all other times
    are asked for: those before and those after it. A time outside all periods ("in 2004 but not in 2005")
    holds for the facts of the periods, which end before it or start after it. A state "as of" a day, and
    periods that would be left out altogether, stay as they are; see :func:`not_left_out`.

    Args:
        periods: the asked periods.
        left_out: the constraints of the phrases that name the times, each with an interval.
        ordinal: the order that the question asks for, if it names no periods.
    """
    for one in left_out:
        periods = _without(tuple(periods), one, ordinal)
    if len({period.role for period in periods} & {PeriodRole.BASELINE, PeriodRole.COMPARISON}) == 1:
        periods = [replace(period, role=PeriodRole.ASKED) for period in periods]  # no other side is left
    return tuple(periods)


def not_left_out(periods: Sequence[Period], left_out: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """The times to be left out of which the ``periods`` of :func:`without_times` still have days."""
    return tuple(
        one
        for one in left_out
        if one.interval is not None and any(each.interval.intersects(one.interval) for each in periods)
    )


def _without(
    periods: tuple[Period, ...], left_out: Constraint, ordinal: Ordinal | None
) -> tuple[Period, ...]:
    time = left_out.interval
    if time is None:
        return periods
    ends = ((Relation.BEFORE, time.start), (Relation.AFTER, time.end))
    bounds = [
        replace(left_out, relation=side, interval=admitted(side, time))
        for side, day in ends
        if day is not None
    ]
    if not periods:
        return tuple(
            _period((replace(bound, ordinal=ordinal),), PeriodRole.ASKED, bound.text) for bound in bounds
        )
    if not any(period.interval.intersects(time) for period in periods):
        is_condition = denies_fact(left_out.text)
        return tuple(_apart_from(period, bounds) for period in periods) if is_condition else periods
    kept: list[Period] = []
    for period in periods:
        if not period.interval.intersects(time) or period.relation is Relation.AS_OF:
            kept.append(period)
        else:
            kept += _parts(period, bounds)
    return tuple(kept) or periods


def _parts(period: Period, bounds: Sequence[Constraint]) -> Iterator[Period]:
    """The parts of a period on each side of a time that is left out; none if that is all of it.

    What holds until the end of a whole period need only hold by the end of its part.
    """
    asked = tuple(
        replace(one, relation=Relation.BY) if one.relation is Relation.UNTIL else one
        for one in period.constraints
    )
    for bound in bounds:
        if bound.interval is not None and period.interval.intersects(bound.interval):
            constraints = (*asked, replace(bound, role=asked[0].role))
            yield _period(constraints, period.role, f"{period.text} {bound.text}")


def _apart_from(period: Period, bounds: Sequence[Constraint]) -> Period:
    """A period whose facts must not hold at a later or an earlier time."""
    roles = {Relation.BEFORE: Role.END, Relation.AFTER: Role.START}
    for bound in bounds:
        inside = bound.interval is not None and bound.interval.contains(period.interval)
        held = all(one.role is Role.HELD for one in period.constraints)
        if inside and held and isinstance(bound.relation, Relation):
            condition = replace(bound, role=roles[bound.relation])
            return replace(
                period,
                constraints=(*period.constraints, condition),
                text=f"{period.text} {bound.text}",
            )
    return period


def is_beside(text: str, one: tuple[int, int] | None, other: tuple[int, int]) -> bool:
    """Whether words between two spans of a text coordinate or contrast them.

    If ``one`` is ``None``, whether the words right before ``other`` do.
    """
    if one is None:
        before = " ".join(text[: other[0]].split()[-_LOOK_BACK:])
        return _JOINT.search(before) is not None or CONTRAST.search(before) is not None
    between = text[min(one[1], other[1]) : max(one[0], other[0])]
    return CONTRAST.search(between) is not None or _JOINT.search(between) is not None


def with_event(periods: Sequence[Period], event: Constraint, *, beside: bool) -> tuple[Period, ...]:
    """The periods with the constraint of a resolved event.

    The event restricts the periods if it shares days with all of them; otherwise, or if it is coordinated
    with them (``beside``), it is a separate period.
    """
    if event.interval is None:
        return tuple(periods)
    meets = [period.interval.intersects(event.interval) for period in periods]
    if beside or not all(meets) or not periods:
        return (*periods, _period((event,), PeriodRole.EVENT, event.text))
    return tuple(
        _period((*period.constraints, event), period.role, f"{period.text} {event.text}")
        for period in periods
    )


def at(parsed: ParsedQuestion, period: Period) -> ParsedQuestion:
    """The question about a single one of its periods.

    A comparison becomes a question for the value: "How did the toll in 2005 compare with 2010?" asks for the
    toll in 2005.
    """
    if len(parsed.periods) <= 1:
        return parsed
    core = _plain(parsed.core)
    texts = [one.text for one in parsed.periods]
    changes = is_change(core)
    current = parsed.current and period.interval.intersects(day_interval(parsed.reference_day))
    intent = intent_of(core, current=current, ordered=parsed.ordinal is not None)
    return replace(
        parsed,
        question=f"{core.rstrip(' ?.!')} {_tied(period, alone=texts.count(period.text) == 1)}?",
        core=core,
        constraints=period.constraints,
        periods=(period,),
        current=current,
        comparison=(),
        intent=parsed.intent if changes else intent,
        focus=parsed.focus if changes or parsed.focus is Focus.DURATION else Focus.SPECIFIC_TIME,
    )


def as_one(parsed: ParsedQuestion) -> ParsedQuestion:
    """The question with its periods merged into one, from the first to the last day."""
    interval = hull_of(parsed.periods)
    if interval is None or len(parsed.periods) <= 1:
        return parsed
    first = parsed.periods[0]
    words = " ".join(dict.fromkeys(period.text for period in parsed.periods))
    stretch = Period(interval, first.relation, PeriodRole.ASKED, words, parsed.constraints)
    return replace(parsed, periods=(stretch,), comparison=())


def with_its_days(parsed: ParsedQuestion) -> ParsedQuestion:
    """The question with the days of its only, resolved event in place of the event's words."""
    if len(parsed.periods) != 1 or parsed.periods[0].role is not PeriodRole.EVENT or parsed.implicit:
        return parsed
    period = parsed.periods[0]
    if period.relation not in (Relation.IN, Relation.ON):
        return parsed
    tie = "on" if period.interval.granularity is Granularity.DAY else "in"
    question = f"{parsed.core.rstrip(' ?.!')} {tie} {phrase(period.interval)}?"
    return replace(parsed, question=question)


def hull_of(periods: Iterable[Period]) -> Interval | None:
    """The interval from the first to the last day of periods; ``None`` without any."""
    intervals = [period.interval for period in periods]
    return _spanned(intervals) if intervals else None


def _period(constraints: tuple[Constraint, ...], role: PeriodRole, words: str) -> Period:
    interval = _admitted(constraints)
    first = next(constraint for constraint in constraints if constraint.interval is not None)
    if interval is None or first.relation is None:
        raise ValueError(f"{words!r} names no time")
    return Period(interval, first.relation, role, words, constraints)


def _is_apart(text: str, group: Sequence[StatedTime], one: StatedTime) -> bool:
    """Whether a dated phrase is a separate period rather than a restriction of the group before it."""
    constraints = tuple(chain.from_iterable(member.constraints for member in group))
    before, after = _admitted(constraints), one.interval
    if before is None or after is None:
        return False
    between = text[group[-1].span[1] : one.span[0]]
    if CONTRAST.search(between) or (_LISTED.fullmatch(between) and not before.intersects(after)):
        return True
    if len({constraint.role for constraint in (*constraints, *one.constraints)}) > 1:
        return False  # start, end and course of one fact
    if _PREDICATE.match(between):
        return False
    if not before.intersects(after) or _are_alike(before, after):
        return True
    is_state = any(each.relation is Relation.AS_OF for each in (*constraints, *one.constraints))
    bounds = _are_opposite(before, after) or _is_looser(before, after) or _is_looser(after, before)
    return _JOINT.search(between) is not None and (is_state or not bounds)


def _are_opposite(one: Interval, other: Interval) -> bool:
    """Whether one interval is unbounded in the past and the other in the future."""
    return (one.start is None and other.end is None) or (one.end is None and other.start is None)


def _is_looser(one: Interval, other: Interval) -> bool:
    """Whether a half-bounded interval contains a bounded one: "after 1999 and during 2009"."""
    is_open = (one.start is None) != (one.end is None)
    return is_open and other.start is not None and other.end is not None and one.contains(other)


def _are_alike(one: Interval, other: Interval) -> bool:
    """Whether both are unbounded on the same side and differ: "as of 2019, as of 2021"."""
    if one.same_days(other):
        return False
    return (one.start is None and other.start is None) or (one.end is None and other.end is None)


def _contrasts(text: str, groups: Sequence[Sequence[StatedTime]]) -> bool:
    """Whether words between two groups, or before the first group, compare or contrast them."""
    edges = [(groups[i][-1].span[1], groups[i + 1][0].span[0]) for i in range(len(groups) - 1)]
    return any(CONTRAST.search(text[start:end]) for start, end in edges) or (
        CONTRAST.search(text[: groups[0][0].span[0]]) is not None
    )


def _admitted(constraints: Iterable[Constraint]) -> Interval | None:
    """The days that constraints admit together; ``None`` if none has an interval.

    The result is the intersection. If it is empty, as it may be for constraints on the start and on the end
    of a fact, the result spans all of them.
    """
    admitted: Interval | None = None
    for interval in (constraint.interval for constraint in constraints):
        if interval is None:
            continue
        if admitted is None:
            admitted = interval
            continue
        admitted = admitted.intersection(interval) or _spanned([admitted, interval])
    return admitted


def _spanned(intervals: Sequence[Interval]) -> Interval:
    """The interval from the first to the last day of intervals, with the granularity of the first."""
    return Interval(
        min(intervals, key=lambda interval: interval.bounds[0]).start,
        max(intervals, key=lambda interval: interval.bounds[1]).end,
        intervals[0].granularity,
    )


def _plain(core: str) -> str:
    """A topic without words that only compare its periods.

    "How does the toll compare?" becomes "What was the toll?".
    """
    plain = _OTHER_HAND.sub("", core)
    against = _SET_AGAINST.match(plain)
    if against is not None:
        thing = against["thing"] or against["named"] or against["of"]
        plain = f"What was {thing}{plain[against.end() :]}"
    plain = _MORE_THAN.sub("What ", _THAN.sub("", plain))
    plain = re.sub(r"\s+([,?.!;:])", r"\1", " ".join(_JOINING.sub(" ", plain).split())).strip(" ,;:")
    return plain[:1].upper() + plain[1:] if re.search(r"\w", plain) else core


def _tied(period: Period, *, alone: bool) -> str:
    """A period in words with a preposition: its own words if they are unique (``alone``), else its days."""
    opened = re.match(r"[a-z]", period.text) is not None
    worded = period.relation not in (Relation.IN, Relation.ON) or (opened and " " in period.text)
    if alone and worded:
        return period.text
    days = phrase(period.interval)
    if period.interval.start is None or period.interval.end is None:
        return days  # "since 2011"
    return f"{'on' if period.relation is Relation.ON else 'in'} {days}"
