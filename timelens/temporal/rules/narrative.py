"""Expressions relative to the last date of the text: the following year, two weeks earlier, the same day."""

import re
from collections.abc import Callable

from timelens.temporal.anchoring import Anchors, beside, nearest_year, shifted
from timelens.temporal.calendar import civil, weekday_beside
from timelens.temporal.interval import Granularity, Interval, day_interval, granule, month_interval
from timelens.temporal.rules.counting import LENGTH, LENGTH_OR_FORTNIGHT, LENGTH_STARTS, moved, stepped, steps
from timelens.temporal.rules.months import FALL_AS_VERB, season_interval
from timelens.temporal.rules.rule import Dates, Doubt, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import (
    CLAUSE_END,
    CLOCK,
    COUNTED_AFTER,
    MONTH,
    MONTHS,
    NAMED_TIME,
    SEASON,
    SEASONS,
    SPACE,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    month,
    unit,
    weekday_number,
)

_STEPS = {
    "following": 1, "next": 1, "subsequent": 1, "ensuing": 1, "succeeding": 1, "coming": 1,
    "previous": -1, "preceding": -1, "prior": -1,
    "same": 0, "that": 0, "very": 0,
}  # fmt: skip
_STEP = rf"(?P<step>that(?:{SPACE}(?:same|very))?|{'|'.join(step for step in _STEPS if step != 'that')})"
_PARTS_OF_DAY = r"(?:day|morning|afternoon|evening|night|dawn)\b"
_EARLIER = ("before", "preceding", "prior")
_DIRECTION = rf"(?P<direction>before|after|preceding|following|prior(?!{SPACE}to\b))"
_END = rf"(?={CLAUSE_END}|[?!])"
_LATER = ("later", "afterwards", "afterward", "thereafter", "after", "hence", "on")


def _step(match: re.Match[str]) -> int:
    return _STEPS[match["step"].lower().split()[0]]


def _named_day(match: re.Match[str], anchors: Anchors) -> Dates:
    return () if anchors.day is None else (shifted(anchors.day, _step(match), Granularity.DAY),)


def _this_day(_match: re.Match[str], anchors: Anchors) -> Dates:
    if anchors.day is None and anchors.creation is not None:
        return (day_interval(anchors.creation),)
    return () if anchors.day is None else (anchors.day,)


def _granule_of_narrative(granularity: Granularity, step: int, anchors: Anchors) -> Dates:
    """The unit that contains the narrative, shifted by ``step``; no date for a coarser narrative."""
    if anchors.period is not None and anchors.period.granularity is granularity:
        return (shifted(anchors.period, step, granularity),)
    day = anchors.creation if anchors.narrative is None else anchors.narrative.start
    if day is None or (
        anchors.narrative is not None and anchors.narrative.granularity.days > granularity.days
    ):
        return ()
    return (shifted(granule(day, granularity), step, granularity),)


def _running_unit(match: re.Match[str], anchors: Anchors) -> Dates:
    return _granule_of_narrative(unit(match["unit"]), 0, anchors)


def _stepped(match: re.Match[str], anchors: Anchors) -> Dates:
    step = _step(match)
    if match["unit"] is not None:
        return _granule_of_narrative(unit(match["unit"]), step, anchors)
    if match["season"] is not None:
        return _named(lambda year: season_interval(year, match["season"], anchors.conventions), step, anchors)
    if match["month"] is not None:
        return _named(lambda year: month_interval(year, month(match["month"])), step, anchors)
    day = anchors.creation if anchors.day is None else anchors.day.start
    return () if day is None else (day_interval(weekday_beside(day, weekday_number(match["weekday"]), step)),)


def _named(build: Callable[[int], Interval], step: int, anchors: Anchors) -> Dates:
    reference = anchors.reference
    if reference is None:
        return ()
    if step == 0:
        date = nearest_year(build, anchors)
        return () if date is None else (date,)
    year = civil(reference)[0]
    dates = [build(year + offset) for offset in (-2, -1, 0, 1, 2)]  # a winter ends in the next year
    return (beside(dates, step, reference),)


def _units_later(match: re.Match[str], anchors: Anchors) -> Dates:
    narrative, length = _running(anchors), steps(match)
    if narrative is None or length is None:
        return ()
    if length[-1][1].days < narrative.granularity.days and anchors.day is not None:
        narrative = anchors.day
    return (stepped(narrative, length, 1 if match["direction"].lower().split()[0] in _LATER else -1),)


def _next_units(match: re.Match[str], anchors: Anchors) -> Dates:
    narrative, length = _running(anchors), steps(match)
    if narrative is None or narrative.end is None or length is None:
        return ()
    granularity = length[-1][1]
    if granularity.days > narrative.granularity.days:
        return (Interval(narrative.end, moved(narrative.end, length, 1), granularity),)
    last = stepped(Interval(narrative.end - 1, narrative.end, granularity), length, 1).end
    return (Interval(narrative.end, last, granularity),)


def _running(anchors: Anchors) -> Interval | None:
    """The date of the narrative, else the day of writing."""
    if anchors.narrative is None and anchors.creation is not None:
        return day_interval(anchors.creation)
    return anchors.narrative


def _day_beside(match: re.Match[str], anchors: Anchors) -> Dates:
    step = -1 if match["direction"].lower() in _EARLIER else 1
    granularity = UNITS.get(match["unit"].lower(), Granularity.DAY)
    if granularity is Granularity.DAY:
        return () if anchors.day is None else (shifted(anchors.day, step, granularity),)
    return _granule_of_narrative(granularity, step, anchors)


def _name_beside(match: re.Match[str], anchors: Anchors) -> Dates:
    """The named day, month or season before or after the last date."""
    step = -1 if match["direction"].lower() in _EARLIER else 1
    if (season := match["season"]) is not None:
        return _named(lambda year: season_interval(year, season, anchors.conventions), step, anchors)
    if (name := match["month"]) is not None:
        return _named(lambda year: month_interval(year, month(name)), step, anchors)
    day = None if anchors.day is None else anchors.day.start
    return () if day is None else (day_interval(weekday_beside(day, weekday_number(match["weekday"]), step)),)


def _that_time(_match: re.Match[str], anchors: Anchors) -> Dates | None:
    return None if anchors.narrative is None else (anchors.narrative,)


def _clock(_match: re.Match[str], anchors: Anchors) -> Dates | None:
    return None if anchors.day is None else (anchors.day,)


RULES: tuple[Rule, ...] = (
    rule(
        "that-time",
        {"this", "that", "same"},
        rf"(?:this|that|same){SPACE}(?:very{SPACE})?(?:time|date|moment)\b",
        _that_time,
        ("that time", "1916-02-21 1916-02-22"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.4,
        cue=rf"\b(?:at|by|from|since|until|till|up{SPACE}to|during|before|after|around){SPACE}(?:the{SPACE})?",
    ),
    rule(
        "clock",
        {"9", "99"},
        CLOCK,
        _clock,
        ("10:57 a.m.", "1916-02-21 1916-02-22"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.6,
        cue=rf"\b(?:at|by|until|till|about|around|precisely|after|before|and){SPACE}",
        cue_reach=16,
    ),
    rule(
        "day-before",
        {"day", "night", "morning", "evening", "week", "month", "quarter", "year", "decade", "century"},
        rf"(?P<unit>day|night|morning|evening|week|month|quarter|year|decade|century){SPACE}{_DIRECTION}"
        rf"(?:{SPACE}that\b(?!{COUNTED_AFTER})|{_END})",
        _day_beside,
        ("day before", "1916-02-20 1916-02-21"),
        ("year after", "1917-01-01 1918-01-01"),
        ("year after that", "1917-01-01 1918-01-01"),
        ("night before", "1916-02-20 1916-02-21"),
        ("year following", "1917-01-01 1918-01-01"),
        ("year prior", "1915-01-01 1916-01-01"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.75,
        cue=rf"\bthe{SPACE}",
    ),
    rule(
        "name-before",
        {*SEASONS, *MONTHS, *WEEKDAYS},
        rf"(?:(?P<season>{SEASON})|(?P<month>{MONTH})|(?P<weekday>{WEEKDAY})){SPACE}{_DIRECTION}{_END}",
        _name_beside,
        ("summer before", "1915-06-01 1915-09-01"),
        ("March after", "1916-03-01 1916-04-01"),
        ("Monday before", "1916-02-14 1916-02-15"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.75,
        cue=rf"\bthe{SPACE}",
    ),
    rule(
        "morrow",
        {"morrow"},
        r"morrow\b",
        lambda _match, anchors: () if anchors.day is None else (shifted(anchors.day, 1, Granularity.DAY),),
        ("morrow", "1916-02-22 1916-02-23"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.75,
        cue=rf"\b(?:on|upon|by|until|till){SPACE}the{SPACE}",
    ),
    rule(
        "this-day",
        {"this"},
        rf"this{SPACE}(?:very{SPACE})?day\b",
        _this_day,
        ("this day", "1916-02-21 1916-02-22"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.7,
    ),
    rule(
        "following-day",
        _STEPS,
        rf"{_STEP}{SPACE}{_PARTS_OF_DAY}",
        _named_day,
        ("next day", "1916-02-22 1916-02-23"),
        ("previous night", "1916-02-20 1916-02-21"),
        ("that same day", "1916-02-21 1916-02-22"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.8,
        veto=rf"{SPACE}of\b",
    ),
    rule(
        "following-name",
        _STEPS,
        rf"{_STEP}{SPACE}{NAMED_TIME}(?(unit)(?!{SPACE}of\b))(?!(?<=fall){FALL_AS_VERB})",
        _stepped,
        ("following year", "1917-01-01 1918-01-01"),
        ("same month", "1916-02-01 1916-03-01"),
        ("following spring", "1916-03-01 1916-06-01"),
        ("that summer", "1916-06-01 1916-09-01"),
        ("following March", "1916-03-01 1916-04-01"),
        ("previous October", "1915-10-01 1915-11-01"),
        ("following Monday", "1916-02-28 1916-02-29"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.75,
        doubt=Doubt.VERB_AFTER_WORD,
    ),
    rule(
        "running-unit",
        {"month", "year", "day", "week", "decade", "century", "millennium"},
        r"(?P<unit>month|year|day|week|decade|century|millennium)\b",
        _running_unit,
        ("month", "1916-02-01 1916-03-01"),
        ("year", "1916-01-01 1917-01-01"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.65,
        cue=rf"\b(?:end|beginning|start|close|middle|half|rest|remainder|course|part|later{SPACE}in|earlier{SPACE}in"
        rf"|late{SPACE}in|early{SPACE}in|quarter|turn|later|earlier)(?:{SPACE}of)?{SPACE}"
        rf"(?:(?:the|that){SPACE}|(?<=end of ))",
        veto=rf"{SPACE}of\b|[-'\u2019]",
    ),
    rule(
        "units-later",
        LENGTH_STARTS,
        rf"{LENGTH}{SPACE}(?P<direction>later|earlier|afterwards?|thereafter|previously|hence|prior(?!{SPACE}to)\b"
        rf"|(?:after|before){SPACE}(?:that|this|then)\b(?!{COUNTED_AFTER})|(?:before|after|on){_END})",
        _units_later,
        ("two weeks earlier", "1916-02-07 1916-02-08"),
        ("A year later", "1917-01-01 1918-01-01"),
        ("several days later", ""),
        ("a fortnight later", "1916-03-06 1916-03-07"),
        ("two years after that", "1918-01-01 1919-01-01"),
        ("Four years on", "1920-01-01 1921-01-01"),
        ("48 hours later", "1916-02-23 1916-02-24"),
        ("half a century earlier", "1866-01-01 1867-01-01"),
        kind=ExpressionKind.ANCHORED,
        confidence=0.75,
        veto=rf"(?<=[rR]){SPACE}than\b",
    ),
    rule(
        "next-units",
        {"next", "following", "coming", "upcoming", "ensuing"},
        rf"(?:next|following|coming|upcoming|ensuing){SPACE}{LENGTH_OR_FORTNIGHT}",
        _next_units,
        ("next two days", "1916-02-22 1916-02-24"),
        ("following few weeks", ""),
        kind=ExpressionKind.ANCHORED,
        confidence=0.5,
    ),
)
