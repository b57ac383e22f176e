"""Deictic expressions, relative to the day of writing: yesterday, last month, on Friday."""

import re

from timelens.temporal.anchoring import Anchors, beside, shift_day, shifted
from timelens.temporal.calendar import civil, day_number, weekday, weekday_beside
from timelens.temporal.interval import Granularity, Interval, day_interval, granule, month_interval
from timelens.temporal.rules.months import season_interval
from timelens.temporal.rules.rule import Dates, Doubt, ExpressionKind, Rule, rule
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    CLAUSE_END,
    COUNTED_AFTER,
    MONTH,
    MONTHS,
    NAMED_TIME,
    ORDINAL,
    ORDINAL_STARTS,
    SEASON,
    SEASONS,
    SPACE,
    UNIT,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    month,
    number,
    unit,
    weekday_number,
)

_DAY_WORDS = {"to": 0, "today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "this": 0, "last": -1}
_STEPS = {
    "last": -1,
    "past": -1,
    "gone": -1,
    "previous": -1,
    "this": 0,
    "current": 0,
    "present": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
}
_NOT_OF_ITS_OWN = (
    r"(?<!\ba )(?<!\bfor one )(?<!\bmy )(?<!\bhis )(?<!\bits )(?<!\btheir )(?-i:(?<!\bHer ))"
    r"(?<!\bin her )(?<!\bon her )(?<!\bduring her )(?<!\bis her )(?<!\bwas her )(?<!\bbe her )"
)
"""No word before "last year" by which it is the last one of several: "a last year", "in her last season".

"Her" is also an object ("we met her last year").
"""
_NOBODYS = rf"(?<!'s )(?<!’s )(?<!\bour ){_NOT_OF_ITS_OWN}"
"""No possessive before "last evening": "her last evening" is not yesterday's."""
_FINAL_DAY = rf"(?<!\bin the )(?<!\bover the )(?<!\bwithin the )last{SPACE}day\b"
"""The last of several days: "her last day was Friday"."""
_HOURS = rf"(?:{SPACE}(?:morning|lunchtime|afternoon|evening|night)\b)?"
"""A part of a day, which does not change the day."""
_STEP = "|".join(step for step in _STEPS if step != "gone")


def _day_word(match: re.Match[str], anchors: Anchors) -> Dates:
    if anchors.creation is None:
        return ()
    offset = _DAY_WORDS[match["word"].lower().replace("to-", "to").split()[0]]
    if "beyond" in match.re.groupindex:
        offset *= 2
    return (day_interval(anchors.creation + offset),)


def _stepped(match: re.Match[str], anchors: Anchors) -> Dates:
    creation, step = anchors.creation, _STEPS[match["step"].lower()]
    if creation is None:
        return ()
    if (named := match.groupdict().get("unit")) is not None:
        granularity = unit(named)
        if match["rolls"] is not None:
            return (Interval(shift_day(creation, -1, granularity), creation, granularity),)
        return (shifted(granule(creation, granularity), step, granularity),)
    if match["weekday"] is not None:
        return (day_interval(weekday_beside(creation, weekday_number(match["weekday"]), step)),)
    years = range(civil(creation)[0] - 2, civil(creation)[0] + 3)
    if match["season"] is not None:
        return (
            beside([season_interval(y, match["season"], anchors.conventions) for y in years], step, creation),
        )
    return (beside([month_interval(y, month(match["month"])) for y in years], step, creation),)


def _beyond(match: re.Match[str], anchors: Anchors) -> Dates:
    """The unit before the last one, or after the next one."""
    if anchors.creation is None:
        return ()
    step = _STEPS[match["step"].lower()]
    if match["weekday"] is not None:
        day = weekday_beside(anchors.creation, weekday_number(match["weekday"]), step)
        return (day_interval(day + 7 * step),)
    if match["season"] is not None:
        years = range(civil(anchors.creation)[0] - 3, civil(anchors.creation)[0] + 4)
        seasons = [season_interval(y, match["season"], anchors.conventions) for y in years]
        nearest = beside(seasons, step, anchors.creation)
        return (seasons[seasons.index(nearest) + step],)
    if match["unit"].lower() == "weekend":
        saturday = anchors.creation - weekday(anchors.creation) + 5 + 14 * step
        return (Interval(saturday, saturday + 2),)
    granularity = UNITS.get(match["unit"].lower(), Granularity.DAY)
    return (shifted(granule(anchors.creation, granularity), 2 * step, granularity),)


def _day_of_month(match: re.Match[str], anchors: Anchors) -> Dates:
    if anchors.creation is None:
        return ()
    step = (
        _STEPS_OF_MONTH[match["month"].lower()[:4].rstrip(".")]
        if match["month"]
        else _STEPS[match["step"].lower()]
    )
    first = shifted(granule(anchors.creation, Granularity.MONTH), step, Granularity.MONTH).start or 0
    return (day_interval(day_number(*civil(first)[:2], number(match["day"]) or 0)),)


_STEPS_OF_MONTH = {"ult": -1, "ulti": -1, "inst": 0, "prox": 1}
"""Months in commercial letters: ultimo, instant, proximo."""


def _week_from(match: re.Match[str], anchors: Anchors) -> Dates:
    """Weeks after the next given weekday, today or tomorrow; weeks before yesterday or a last weekday."""
    if anchors.creation is None:
        return ()
    groups, word = match.groupdict(), match["day"].lower().removeprefix("on").split()[0]
    days = (number(groups.get("n") or "one") or 1) * (14 if "fortnight" in match["weeks"].lower() else 7)
    if word in _DAY_WORDS:
        offset = _DAY_WORDS[word]
        return (day_interval(anchors.creation + offset + (days if offset >= 0 else -days)),)
    behind = (weekday(anchors.creation) - weekday_number(word)) % 7
    if groups.get("last"):
        return (day_interval(anchors.creation - (behind or 7) - days),)
    return (day_interval(anchors.creation + (7 - behind) % 7 + days),)


def _to_date(match: re.Match[str], anchors: Anchors) -> Dates:
    if anchors.creation is None:
        return ()
    whole = granule(
        anchors.creation,
        _UNITS_BY_LETTER[match["letter"].lower()] if match["letter"] else unit(match["unit"]),
    )
    return (Interval(whole.start, anchors.creation + 1, Granularity.DAY),)


_UNITS_BY_LETTER = {"y": Granularity.YEAR, "q": Granularity.QUARTER, "m": Granularity.MONTH}


def _weekend(match: re.Match[str], anchors: Anchors) -> Dates:
    """A weekend; without a step the last one begun, or the next one not over if the sentence looks ahead."""
    if anchors.creation is None:
        return ()
    saturday = anchors.creation - weekday(anchors.creation) + 5
    weekends = [Interval(saturday + 7 * week, saturday + 7 * week + 2) for week in range(-2, 3)]
    if "step" in match.re.groupindex:
        return (beside(weekends, _STEPS[match["step"].lower()], anchors.creation),)
    if anchors.ahead > 0:
        return (next(one for one in weekends if one.bounds[1] > anchors.creation),)
    return (next(one for one in reversed(weekends) if one.bounds[0] <= anchors.creation),)


def _overnight(_match: re.Match[str], anchors: Anchors) -> Dates:
    return () if anchors.creation is None else (Interval(anchors.creation - 1, anchors.creation + 1),)


def _weekday(match: re.Match[str], anchors: Anchors) -> Dates:
    """The last such day by the day of writing, or the next; without that day, the next after the last one."""
    if (within := anchors.within) is not None and within.start is not None:
        return (day_interval(within.start + (weekday_number(match[0]) - weekday(within.start)) % 7),)
    if anchors.creation is None:
        if anchors.day is None or anchors.day.start is None:
            return ()
        return (day_interval(weekday_beside(anchors.day.start, weekday_number(match[0]), 1)),)
    behind = (weekday(anchors.creation) - weekday_number(match[0])) % 7
    ahead = 7 if behind and anchors.ahead > 0 else 0
    return (day_interval(anchors.creation - behind + ahead),)


RULES: tuple[Rule, ...] = (
    rule(
        "day-word",
        _DAY_WORDS,
        rf"(?P<word>(?:to-?day|yesterday|to-?morrow){_HOURS}|to-?night|this{SPACE}(?:morning|afternoon|evening)"
        rf"|{_NOBODYS}last{SPACE}(?:night|evening))\b",
        _day_word,
        ("yesterday", "2021-06-14 2021-06-15"),
        ("Today", "2021-06-15 2021-06-16"),
        ("last night", "2021-06-14 2021-06-15"),
        ("this morning", "2021-06-15 2021-06-16"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.9,
    ),
    rule(
        "day-word-beyond",
        {"day"},
        rf"(?P<beyond>day{SPACE}(?:before|after)){SPACE}(?P<word>yesterday|to-?morrow)\b",
        _day_word,
        ("day before yesterday", "2021-06-13 2021-06-14"),
        ("day after to-morrow", "2021-06-17 2021-06-18"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.9,
    ),
    rule(
        "last-of-a-name",
        _STEPS,
        rf"(?!present{SPACE}day)(?!{_FINAL_DAY})(?:(?!last\b)|{_NOT_OF_ITS_OWN})"
        rf"(?P<rolls>(?:(?=past)|(?<=\bover the )(?=last))(?=[a-z]+{SPACE}(?!quarter){UNIT}))?"
        rf"(?P<step>{_STEP}){SPACE}(?:(?:fiscal|calendar|financial){SPACE})?{NAMED_TIME}"
        rf"(?(unit)(?!{SPACE}of\b|-|{APOSTROPHE}(?!s\b)))"
        rf"(?(month)(?!{SPACE}(?:[0-9]{{1,2}},?{SPACE})?[0-9]{{4}}\b))",
        _stepped,
        ("last month", "2021-05-01 2021-06-01"),
        ("this year", "2021-01-01 2022-01-01"),
        ("next quarter", "2021-07-01 2021-10-01"),
        ("last decade", "2010-01-01 2020-01-01"),
        ("past year", "2020-06-15 2021-06-15"),
        ("last summer", "2020-06-01 2020-09-01"),
        ("next winter", "2021-12-01 2022-03-01"),
        ("last March", "2021-03-01 2021-04-01"),
        ("last June", "2020-06-01 2020-07-01"),
        ("next March", "2022-03-01 2022-04-01"),
        ("last Tuesday", "2021-06-08 2021-06-09"),
        ("next Friday", "2021-06-18 2021-06-19"),
        ("next Tues", "2021-06-22 2021-06-23"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.85,
        doubt=Doubt.VERB_AFTER_WORD,
    ),
    rule(
        "week-from-day",
        frozenset(_DAY_WORDS) | frozenset(WEEKDAYS),
        rf"(?P<last>last{SPACE})?(?P<day>today|this{SPACE}day|tomorrow|yesterday|{WEEKDAY}){SPACE}(?P<weeks>week|se(?:{APOSTROPHE}n)?nnight|fortnight)\b(?![-'\u2019])",
        _week_from,
        ("Friday week", "2021-06-25 2021-06-26"),
        ("tomorrow fortnight", "2021-06-30 2021-07-01"),
        ("yesterday week", "2021-06-07 2021-06-08"),
        ("last Monday week", "2021-06-07 2021-06-08"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.8,
        veto=rf"{SPACE}(?:of|in)\b",
    ),
    rule(
        "weeks-from-day",
        {"a", "two", "three", "four"},
        rf"(?P<n>a|two|three|four){SPACE}(?P<weeks>weeks?|fortnights?){SPACE}(?P<day>today|tomorrow|yesterday|(?:on{SPACE})?{WEEKDAY})\b",
        _week_from,
        ("a week on Friday", "2021-06-25 2021-06-26"),
        ("a week tomorrow", "2021-06-23 2021-06-24"),
        ("three weeks today", "2021-07-06 2021-07-07"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.7,
        cue=r"(?<!\bfor )(?<!\bspent )(?<!\btook )(?<!\bonce )(?<!\btwice )"
        r"(?<!\bdays )(?<!\btimes )(?<!\bhours )(?<![0-9] )",
        cue_reach=0,
    ),
    rule(
        "name-last",
        {*MONTHS, *WEEKDAYS, *SEASONS},
        rf"(?=(?-i:[A-Z])|(?:winter|summer|autumn))(?:(?P<weekday>{WEEKDAY})|(?P<month>{MONTH})|(?P<season>{SEASON})){SPACE}(?P<step>last|gone|past|next)(?={CLAUSE_END}|{SPACE}(?:(?:in|on|by|at|and|to|we|he|she|they|i|it|the|for|with|from|was|were|is|will|when|there)\b))",
        _stepped,
        ("Friday last", "2021-06-11 2021-06-12"),
        ("May last", "2021-05-01 2021-06-01"),
        ("Monday next", "2021-06-21 2021-06-22"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.8,
    ),
    rule(
        "to-date",
        {"year", "month", "quarter", "week", "so", "ytd", "mtd", "qtd"},
        rf"(?:(?P<so>so{SPACE}far{SPACE}this{SPACE})?"
        rf"(?P<unit>year|month|quarter|week)(?(so)|[ -]to[ -]date)\b"
        r"|(?P<letter>[ymq])td\b)",
        _to_date,
        ("year to date", "2021-01-01 2021-06-16"),
        ("so far this month", "2021-06-01 2021-06-16"),
        ("YTD", "2021-01-01 2021-06-16"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.8,
    ),
    rule(
        "until-now",
        {"to"},
        rf"to{SPACE}date\b",
        lambda _match, anchors: () if anchors.creation is None else (Interval(None, anchors.creation + 1),),
        ("to date", ".. 2021-06-16"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.7,
        veto=rf"(?!{SPACE}(?:is|are|was|were|has|have)\b|(?<=(?-i:To).date),)",
    ),
    rule(
        "unit-before-last",
        {"night", "week", "weekend", "month", "quarter", "year", "decade", *WEEKDAYS, *SEASONS},
        rf"(?:(?P<unit>night|weekend|week|month|quarter|year|decade)|(?P<weekday>{WEEKDAY})|(?P<season>{SEASON})){SPACE}(?:before|after){SPACE}(?P<step>last|next)\b",
        _beyond,
        ("week before last", "2021-05-31 2021-06-07"),
        ("year after next", "2023-01-01 2024-01-01"),
        ("Tuesday before last", "2021-06-01 2021-06-02"),
        ("Friday after next", "2021-06-25 2021-06-26"),
        ("winter before last", "2019-12-01 2020-03-01"),
        ("weekend after next", "2021-07-03 2021-07-05"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.85,
        cue=rf"\bthe{SPACE}",
        veto=COUNTED_AFTER,
    ),
    rule(
        "day-of-last-month",
        ORDINAL_STARTS,
        rf"(?P<day>{ORDINAL})(?:{SPACE}of{SPACE}(?:the{SPACE})?(?P<step>{_STEP}){SPACE}month\b|,?{SPACE}(?P<month>inst(?:\.|ant\b)|ult(?:\.|imo\b)|prox(?:\.|imo\b)))",
        _day_of_month,
        ("28th of last month", "2021-05-28 2021-05-29"),
        ("first of this month", "2021-06-01 2021-06-02"),
        ("thirty-first of last month", "2021-05-31 2021-06-01"),
        ("15th inst.", "2021-06-15 2021-06-16"),
        ("3rd ultimo", "2021-05-03 2021-05-04"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.85,
    ),
    rule(
        "weekend",
        {"weekend"},
        r"weekend\b",
        _weekend,
        ("weekend", "2021-06-12 2021-06-14"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.7,
        cue=rf"\b(?:at|over|during|for|since|by){SPACE}the{SPACE}",
        veto=rf"{SPACE}(?:of\b|[a-z]+s\b)|-",
    ),
    rule(
        "last-weekend",
        _STEPS,
        rf"(?P<step>{_STEP}){SPACE}weekend\b",
        _weekend,
        ("last weekend", "2021-06-12 2021-06-14"),
        ("next weekend", "2021-06-19 2021-06-21"),
        ("this weekend", "2021-06-19 2021-06-21"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.85,
        veto=rf"{SPACE}of\b|-",
    ),
    rule(
        "overnight",
        {"overnight"},
        r"(?-i:Overnight)\b",
        _overnight,
        ("Overnight", "2021-06-14 2021-06-16"),
        kind=ExpressionKind.RELATIVE,
        confidence=0.7,
        veto=rf"{SPACE}[a-z]+s\b",
    ),
    rule(
        "weekday",
        WEEKDAYS,
        rf"{WEEKDAY}{_HOURS}",
        _weekday,
        ("Friday", "2021-06-11 2021-06-12"),
        ("Tuesday", "2021-06-15 2021-06-16"),
        cue=r"(?<!\ba )(?<!\bany )(?<!\bone )(?<!\bevery )(?<!\blast )",
        cue_reach=0,
        kind=ExpressionKind.RELATIVE,
        lies_in=Granularity.WEEK,
        confidence=0.75,
    ),
)
