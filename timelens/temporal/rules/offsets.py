"""Lengths of time counted from the day of writing: three years ago, in two weeks' time, the last months."""

import re

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import civil, weekday, weekday_beside
from timelens.temporal.interval import Interval, day_interval
from timelens.temporal.rules.counting import LENGTH, LENGTH_OR_FORTNIGHT, LENGTH_STARTS, moved, stepped, steps
from timelens.temporal.rules.months import season_interval
from timelens.temporal.rules.rule import Dates, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import CARDINAL, CLAUSE_END, SPACE, WEEKDAYS, number, weekday_number

_SEASONS = "(?:winter|spring|summer|autumn|fall)s"
_MOST_NAMED = 100
"""Maximum number of weekdays, weekends or seasons that are counted back."""


def _ago(match: re.Match[str], anchors: Anchors) -> Dates:
    return _counted(match, anchors, -1)


def _named_ago(match: re.Match[str], anchors: Anchors) -> Dates:
    """The n-th weekday, weekend or season before the day of writing; one that is not over counts as none."""
    count, creation = number(match["n"]), anchors.creation
    if creation is None or not count or count > _MOST_NAMED:
        return ()
    if match["weekday"] is not None:
        return (
            day_interval(weekday_beside(creation, weekday_number(match["weekday"]), -1) - 7 * (count - 1)),
        )
    if match["season"] is not None:
        named, year = match["season"].removesuffix("s"), civil(creation)[0]
        seasons = [season_interval(y, named, anchors.conventions) for y in range(year - count - 1, year + 1)]
        return ([one for one in seasons if one.bounds[1] <= creation][-count],)
    saturday = creation - weekday(creation) + 5 - 7 * count
    return (Interval(saturday, saturday + 2),)


def _ahead(match: re.Match[str], anchors: Anchors) -> Dates:
    return _counted(match, anchors, 1)


def _counted(match: re.Match[str], anchors: Anchors, sign: int) -> Dates:
    length = steps(match)
    if anchors.creation is None or length is None:
        return ()
    return (stepped(day_interval(anchors.creation), length, sign),)


def _in_units(match: re.Match[str], anchors: Anchors) -> Dates:
    """A time after the day of writing if the sentence looks ahead; otherwise a duration, without dates."""
    if match["time"] is None and anchors.ahead <= 0:
        return ()
    return _ahead(match, anchors)


def _last_units(match: re.Match[str], anchors: Anchors) -> Dates:
    length = steps(match)
    if anchors.creation is None or length is None:
        return ()
    return (Interval(moved(anchors.creation, length, -1), anchors.creation, length[-1][1]),)


RULES: tuple[Rule, ...] = (
    rule(
        "ago",
        LENGTH_STARTS,
        rf"{LENGTH}{SPACE}(?:ago\b|(?:back|since)(?={CLAUSE_END}))",
        _ago,
        ("three years ago", "2018-01-01 2019-01-01"),
        ("a week ago", "2021-06-08 2021-06-09"),
        ("several years ago", ""),
        ("a fortnight ago", "2021-06-01 2021-06-02"),
        ("a couple of months back", "2021-04-01 2021-05-01"),
        ("6 mos ago", "2020-12-01 2021-01-01"),
        ("a year and a half ago", "2019-12-01 2020-01-01"),
        ("a quarter of a century ago", "1996-01-01 1997-01-01"),
        ("48 hours ago", "2021-06-13 2021-06-14"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.85,
    ),
    rule(
        "named-ago",
        LENGTH_STARTS,
        rf"(?P<n>{CARDINAL}){SPACE}(?:(?P<weekday>{'|'.join(WEEKDAYS)})s|weekends|(?P<season>{_SEASONS})){SPACE}ago\b",
        _named_ago,
        ("three Fridays ago", "2021-05-28 2021-05-29"),
        ("two Tuesdays ago", "2021-06-01 2021-06-02"),
        ("two weekends ago", "2021-06-05 2021-06-07"),
        ("a couple of weekends ago", "2021-06-05 2021-06-07"),
        ("two summers ago", "2019-06-01 2019-09-01"),
        ("three winters ago", "2018-12-01 2019-03-01"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.85,
    ),
    rule(
        "from-now",
        LENGTH_STARTS,
        rf"{LENGTH}{SPACE}(?:from{SPACE}(?:now|today)|hence)\b",
        _ahead,
        ("two weeks from now", "2021-06-29 2021-06-30"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.85,
    ),
    rule(
        "in-units",
        {"in"},
        rf"in{SPACE}{LENGTH}(?P<time>['\u2019]?s?['\u2019]?{SPACE}time\b)?",
        _in_units,
        ("in two weeks\u2019 time", "2021-06-29 2021-06-30"),
        ("in two weeks", ""),
        kind=ExpressionKind.RELATIVE,
        confidence=0.7,
        veto=rf"['\u2019]?{SPACE}(?:of|ago|before|after|later|earlier|from|since|prior|following|preceding)\b|[-'\u2019]",
    ),
    rule(
        "last-units",
        {"last", "past", "previous"},
        rf"(?:last|past|previous){SPACE}{LENGTH_OR_FORTNIGHT}",
        _last_units,
        ("last three years", "2018-06-15 2021-06-15"),
        ("past few weeks", ""),
        ("past fortnight", "2021-06-01 2021-06-15"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.8,
        veto=rf"{SPACE}of\b|-",
        cue=rf"\b(?:the|these|those|over|in|for|during|of|his|her|its|their|our|my){SPACE}",
    ),
)
