"""The dates that a phrase names, the days that they admit, and its kind."""

from dataclasses import replace

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import civil, julian_lag
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.grammar import Phrase
from timelens.temporal.interval import Granularity, Interval, hull
from timelens.temporal.rules.rule import Dates, ExpressionKind
from timelens.temporal.tokens import Atom

_LAST_JULIAN = 1930
"""The last year in which two dates joined by "/" may be one day in two calendars: Greece changed in 1923."""


def dates_of(phrase: Phrase, anchors: Anchors) -> Dates | None:
    """The dates that a phrase names; each end of a range completes the other.

    "Between 2019 and the year before" begins with that year.
    """
    first, last = phrase.first, phrase.last
    if phrase.within is not None:
        unit = phrase.within.dates(anchors)
        if not unit:
            return unit
        anchors = replace(anchors, within=unit[0])
    if last is None:
        completion = None if phrase.completion is None else phrase.completion.dates(anchors)
        if completion:
            anchors = replace(anchors, not_after=completion[0])
        return first.dates(anchors, as_limit=phrase.relation is not None)
    # If neither end has a year, a narrative finer than a year determines the last end more reliably.
    in_month = anchors.narrative is not None and anchors.narrative.granularity is not Granularity.YEAR
    from_the_end = in_month and first.rule.lacks_year and last.rule.lacks_year
    if first.rule.kind is ExpressionKind.ANCHORED and (
        from_the_end or last.rule.kind is not ExpressionKind.ANCHORED
    ):
        last_dates = last.dates(anchors, as_limit=True)
        before_last = replace(anchors, not_after=last_dates[0]) if last_dates else anchors
        first_dates = first.dates(before_last, as_limit=True)
    else:
        first_dates = first.dates(anchors, as_limit=True)
        if first_dates:
            anchors = replace(anchors, narrative=first_dates[-1], not_before=first_dates[-1])
        last_dates = last.dates(anchors, as_limit=True)
    if first_dates is None or last_dates is None:
        return first_dates or last_dates
    if phrase.is_dual and first_dates and last_dates and _is_same_day(first_dates[0], last_dates[0]):
        return last_dates
    if not (first_dates and last_dates):
        return ()
    ends = (first_dates[0], last_dates[-1])
    counts_back = phrase.relation is Relation.BETWEEN and last.rule.kind is ExpressionKind.ANCHORED
    return ends[::-1] if counts_back and ends[1].bounds[1] <= ends[0].bounds[0] else ends


def _is_same_day(julian: Interval, gregorian: Interval) -> bool:
    """Whether two dates are the same day in the Julian and the Gregorian calendar, while both were in use."""
    if julian.start is None or gregorian.start is None or gregorian.granularity is not Granularity.DAY:
        return False
    year = civil(julian.start)[0]
    return year <= _LAST_JULIAN and gregorian.start - julian.start == julian_lag(year)


def _admitting(relation: Relation, atom: Atom) -> Relation:
    """The relation that decides which days are admitted: "before the end of May" includes its last day."""
    if relation is Relation.BEFORE and atom.side == "end":
        return Relation.UNTIL
    return Relation.SINCE if relation is Relation.AFTER and atom.side == "start" else relation


def interval_of(stated: Relation | None, first: Atom, dates: Dates) -> Interval | None:
    """The days that a phrase admits; ``None`` for impossible dates and ranges that end before they start.

    ``stated`` is its relation, ``first`` its first atom.
    """
    if not dates:
        return None
    if stated is None:
        return dates[0]
    relation = _admitting(stated, first)
    try:
        if relation.takes_two_dates:
            return admitted(relation, dates[0], dates[-1])
        whole = hull(dates)
        return None if whole is None else admitted(relation, whole)
    except ValueError:
        return None


def kind_of(phrase: Phrase) -> ExpressionKind:
    """The kind of a phrase; an end completed by the other end of its range counts as explicit."""
    if phrase.within is not None:
        return phrase.within.rule.kind
    if phrase.last is None:
        return phrase.first.rule.kind
    kinds = [phrase.first.rule.kind, phrase.last.rule.kind]
    return next(
        (kind for kind in (ExpressionKind.RELATIVE, ExpressionKind.EXPLICIT) if kind in kinds), kinds[0]
    )
