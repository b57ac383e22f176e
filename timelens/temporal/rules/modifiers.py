"""Parts: words before a date that narrow or shift it ("late", "the day after")."""

from timelens.lexicon import DECADES, TIMES_OF_DAY
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules import narrowing
from timelens.temporal.rules.counting import LENGTH, LENGTH_OR_UNIT
from timelens.temporal.rules.modifier import Modifier, part
from timelens.temporal.rules.rule import ExpressionKind
from timelens.temporal.vocabulary import (
    APOSTROPHE,
    CARDINAL,
    CLOCK,
    DASH,
    ORDINAL,
    SEASON,
    SEASONS,
    SPACE,
    UNIT,
    UNIT_WORDS,
    WEEKDAY,
    WEEKDAYS,
)

_OF = rf"(?:{SPACE}(?:of|in))(?:{SPACE}the)?{SPACE}(?:year{SPACE})?"
_OF_ONLY = rf"{SPACE}of(?:{SPACE}the)?{SPACE}(?:year{SPACE})?"
_EXACTLY = r"(?:exactly|precisely|just|about|around|roughly|approximately|some|nearly|almost|only|fully)"
_ENDED = rf"(?:(?:that|which){SPACE})?(?:ended|ending|ends|closing|closed)"
_BEGINNING = rf"(?:(?:that|which){SPACE})?(?:beginning|began|starting|started|commencing)"
_UP_TO = rf"(?:(?:leading|running|right){SPACE})?(?:up{SPACE}(?:to|until)|to)|until|through"
_BESIDE = rf"before|after|prior{SPACE}to|preceding|previous{SPACE}to|following|from"
_ON = rf"(?:(?:on|in|with){SPACE})?"
_TO_THE_DAY = rf"to{SPACE}the{SPACE}(?:very{SPACE})?(?:day|week|month|year)"
_SHORT_OF = rf"(?:short|shy){SPACE}of"
_DEFINITE = rf"(?:(?:the|these|those){SPACE}|(?<=\bfor )|(?<=\bover )|(?<=\bduring ))"
_ALL_OF = r"(?:entire|whole|full|first|last|final|next)"
_NTH_LAST = rf"(?:(?P<from_last>{ORDINAL})(?:{SPACE}|-)(?:to(?:{SPACE}|-))?last|(?P<penultimate>penultimate))"
_BEFORE_DATE = rf"(?:{_OF}|{SPACE}|-)"
_OF_ENDS = "of in the year"
_UNITS = " ".join(UNIT_WORDS)
_WEEKDAYS = " ".join(WEEKDAYS)
_BESIDE_ENDS = "before after to preceding following from the"
_SEASON_ENDS = " ".join(f"{name} mid{name}" for name in SEASONS)
_HOURS = " ".join([*TIMES_OF_DAY, "hours", "day", "dark"])
_FRACTION = (
    rf"(?P<n>{ORDINAL}|last|final|latter|later|closing|back|front|opening|early|earlier|former|middle)"
    rf"(?:{SPACE}(?:fiscal|financial|calendar))?[ -](?P<unit>half|halves|thirds?|quarters?|qtr)"
)
_BEFORE_WEEK_YEAR = rf"(?:{_OF_ONLY}|{SPACE}in{SPACE}|,?{SPACE}|/)"


_DUE = (
    rf"(?:[$£€¥]{SPACE}?\d[\d.,]*(?:{SPACE}[^\W\d]+){{0,3}}|\d[\d.,]*(?:{SPACE}[^\W\d]+)?)"
    rf"{SPACE}an?{SPACE}{UNIT}{SPACE}from{SPACE}(?:the{SPACE})?"
)
"""An amount due in each unit, before its first date: "£12 a month from May 2021"."""

MODIFIERS: tuple[Modifier, ...] = (
    part(
        "third",
        "early late mid middle",
        f"early late mid middle {_OF_ENDS}",
        rf"(?:very{SPACE})?(?P<part>early|late|mid|middle)(?:(?:-|-?{SPACE})to(?:-|{SPACE})(?P<to>mid|late))?{_BEFORE_DATE}",
        narrowing.third,
        ("early 2003", "2003-01-01 2003-05-01"),
        ("mid-2008", "2008-05-01 2008-09-01"),
        ("late in 2003", "2003-09-01 2004-01-01"),
        ("mid-to-late 2003", "2003-05-01 2004-01-01"),
    ),
    part(
        "named-third",
        "beginning start onset opening outset dawn middle midst height end close closing",
        _OF_ENDS,
        rf"(?:(?:very|tail|back|front){SPACE})?(?P<part>beginning|start|onset|opening|outset|dawn|middle|midst|height|end|close|closing)"
        rf"{_OF_ONLY}",
        narrowing.third,
        ("end of 2003", "2003-09-01 2004-01-01"),
        ("start of the year 2020", "2020-01-01 2020-05-01"),
        edge=narrowing.edge,
    ),
    part(
        "end-without-of",
        "end start beg",
        "end start beg",
        rf"(?:year-|month-)?(?P<part>end|start|beg\.)(?:-|{SPACE})",
        narrowing.third,
        ("end-2003", "2003-09-01 2004-01-01"),
        edge=narrowing.edge,
    ),
    part(
        "law-term",
        "term",
        f"term {_OF_ENDS}",
        rf"(?P<term>michaelmas|hilary|lent|trinity|easter){SPACE}term(?:{_BEFORE_DATE}|,{SPACE})",
        narrowing.law_term,
        ("Michaelmas term 1927", "1927-10-01 1928-01-01"),
    ),
    part(
        "vague-third",
        "part days weeks months years stages decades",
        _OF_ENDS,
        rf"(?P<part>early|first|opening|middle|later?|latter|last|final|closing|dying){SPACE}(?:few{SPACE})?"
        rf"(?P<units>part|days|weeks|months|years|stages|decades){_OF}",
        narrowing.vague_third,
        ("latter part of 2003", "2003-09-01 2004-01-01"),
        ("early months of 2003", "2003-01-01 2003-05-01"),
        ("last days of 1999", "1999-12-22 2000-01-01"),
    ),
    part(
        "season",
        _SEASON_ENDS,
        f"{_SEASON_ENDS} term semester {_OF_ENDS}",
        rf"(?:(?P<south>austral|antipodean|antarctic|southern){SPACE})?(?P<mid>mid-?)?(?P<season>{SEASON})"
        rf"(?:{SPACE}(?:term|semester))?(?:{_BEFORE_DATE}|,{SPACE})",
        narrowing.unchanged,
        ("spring of 1968", "1968-03-01 1968-06-01"),
        ("winter 1941", "1941-12-01 1942-03-01"),
        ("austral winter of 1911", "1911-06-01 1911-09-01"),
        ("summer of 1958-59", "1958-12-01 1959-03-01"),
        ("mid-winter 1962", "1963-01-01 1963-02-01"),
        ("springtime 1914", "1914-03-01 1914-06-01"),
        ("Fall semester, 2014", "2014-09-01 2014-12-01"),
        by_convention=narrowing.season,
    ),
    part(
        "turn",
        "turn",
        _OF_ENDS,
        rf"turn{_OF_ONLY}",
        narrowing.turn,
        ("turn of the twentieth century", "1895-01-01 1906-01-01"),
        ("turn of the 1970s", "1968-01-01 1972-01-01"),
        ("turn of the year 1946/47", "1946-12-25 1947-01-08"),
    ),
    part(
        "roman-day",
        "ides nones kalends calends",
        _OF_ENDS,
        rf"(?P<name>ides|nones|[ck]alends){_OF_ONLY}",
        narrowing.roman_day,
        ("Ides of March, 44 BC", "-0043-03-15 -0043-03-16"),
        ("Kalends of May 1350", "1350-05-01 1350-05-02"),
    ),
    part(
        "abbreviated-stretch",
        "e c b ye fye fy",
        "e c b ye fye ended ending on",
        rf"(?:(?:(?P<n>[0-9]{{1,2}}){SPACE}?)?(?P<unit>[wyqmhf])[/.](?P<end>[ecb])\.?|(?-i:F?YE|FY{SPACE}end(?:ed|ing)))(?:{SPACE}on)?{SPACE}",
        narrowing.abbreviated_stretch,
        ("w/e 14 February 1976", "1976-02-08 1976-02-15"),
        ("w/c 5 Mar 2012", "2012-03-05 2012-03-12"),
        ("y/e 31 March 1976", "1975-04-01 1976-04-01"),
        ("FYE June 2012", "2011-07-01 2012-07-01"),
        ("4 w/e 28 February 1976", "1976-02-01 1976-02-29"),
    ),
    part(
        "fraction",
        "half halves third thirds quarter quarters qtr",
        f"half halves third thirds quarter quarters qtr year years {_OF_ENDS}",
        rf"{_FRACTION}\.?(?:[ -]years?)?(?:{_OF}|,?{SPACE})",
        narrowing.fraction,
        ("first half of 2017", "2017-01-01 2017-07-01"),
        ("second quarter of 2019", "2019-04-01 2019-07-01"),
        ("third quarter 2008", "2008-07-01 2008-10-01"),
        ("back half of 2022", "2022-07-01 2023-01-01"),
        ("last third of the fifteenth century", "1467-09-01 1501-01-01"),
    ),
    part(
        "numbered-fraction",
        "quarter half",
        f"one two three four {_OF_ENDS}",
        rf"(?P<unit>quarter|half){SPACE}(?P<n>one|two|three|four)(?:{_OF}|,?{SPACE})",
        narrowing.fraction,
        ("half two of 2020", "2020-07-01 2021-01-01"),
    ),
    part(
        "quarter-to",
        "quarter qtr",
        f"quarter qtr {_OF_ENDS}",
        rf"(?P<month>mar(?:ch)?|june?|sept?(?:ember)?|dec(?:ember)?)\.?{SPACE}(?:quarter|qtr\.?)(?:{_OF}|,?{SPACE})",
        narrowing.quarter_to,
        ("September quarter of 2020", "2020-07-01 2020-10-01"),
        ("Dec. quarter 1871", "1871-10-01 1872-01-01"),
    ),
    part(
        "decade-of",
        f"s {' '.join(DECADES)}",
        _OF_ENDS,
        rf"(?P<decade>{'|'.join(DECADES)}|[1-9]0{APOSTROPHE}?s){_OF}",
        narrowing.decade_of,
        ("twenties of the nineteenth century", "1820-01-01 1830-01-01"),
    ),
    part(
        "nth-last-unit",
        _UNITS,
        _OF_ENDS,
        rf"{_NTH_LAST}{SPACE}(?P<unit>{UNIT}){_OF}",
        narrowing.nth_unit,
        ("third last week of 2018", "2018-12-10 2018-12-17"),
        ("penultimate day of May 1940", "1940-05-30 1940-05-31"),
    ),
    part(
        "first-units",
        _UNITS,
        _OF_ENDS,
        rf"(?P<end>first|opening|last|final|closing)(?:{SPACE}(?P<n>{CARDINAL}))?{SPACE}(?P<unit>{UNIT})(?:{SPACE}or{SPACE}(?:so|two))?{_OF}",
        narrowing.first_units,
        ("first three months of 1915", "1915-01-01 1915-04-01"),
        ("last week of August 1914", "1914-08-25 1914-09-01"),
        ("first day of 2020", "2020-01-01 2020-01-02"),
    ),
    part(
        "nth-unit",
        _UNITS,
        _OF_ENDS,
        rf"(?P<n>{ORDINAL}|[1-3][0-9]{{2}}(?:st|nd|rd|th)){SPACE}(?P<unit>{UNIT}){_OF}",
        narrowing.nth_unit,
        ("200th day of 2015", "2015-07-19 2015-07-20"),
        ("second week of May 1940", "1940-05-08 1940-05-15"),
        ("second week of 2021", "2021-01-11 2021-01-18"),
    ),
    part(
        "numbered-week",
        "week weeks wk wks cw",
        f"week weeks wk wks cw to and {_OF_ENDS}",
        rf"(?:(?:calendar|iso){SPACE})?(?:weeks?|wks?|cw){SPACE}?(?P<n>[0-5]?[0-9])"
        rf"(?:(?:{DASH}|{SPACE}(?:to|and){SPACE})(?P<last>[0-5]?[0-9]))?{_BEFORE_WEEK_YEAR}",
        narrowing.numbered_week,
        ("week 12 of 2019", "2019-03-18 2019-03-25"),
        ("weeks 3-5 of 1990", "1990-01-15 1990-02-05"),
    ),
    part(
        "nth-weekday",
        _WEEKDAYS,
        _OF_ENDS,
        rf"(?:{_NTH_LAST}|(?P<n>{ORDINAL})|last|final){SPACE}(?P<weekday>{WEEKDAY}){_OF}",
        narrowing.nth_weekday,
        ("second Wednesday of October 2014", "2014-10-08 2014-10-09"),
        ("last Sunday in March 2014", "2014-03-30 2014-03-31"),
        ("second to last Sunday of March 2014", "2014-03-23 2014-03-24"),
    ),
    part(
        "weekday-beside",
        _WEEKDAYS,
        "before after following the",
        rf"(?:(?P<n>{ORDINAL}){SPACE})?(?P<weekday>{WEEKDAY}){SPACE}(?:next{SPACE})?(?P<direction>before|after|following){SPACE}(?:the{SPACE})?",
        narrowing.weekday_beside,
        ("Monday after 3 May 1940", "1940-05-06 1940-05-07"),
        ("third Tuesday after 25 December 2014", "2015-01-13 2015-01-14"),
        ("Friday before 1 May 2019", "2019-04-26 2019-04-27"),
    ),
    part(
        "part-of-day",
        _HOURS,
        f"{_HOURS} of on the",
        rf"(?:(?:early|late|small|first){SPACE})?(?:{'|'.join(_HOURS.split())})(?:{SPACE}(?:of|on)|,){SPACE}(?:the{SPACE}(?![0-9]))?",
        narrowing.unchanged,
        ("night of 20 June 1791", "1791-06-20 1791-06-21"),
        ("noon, 20 June 1791", "1791-06-20 1791-06-21"),
        ("small hours of 20 June 1791", "1791-06-20 1791-06-21"),
        within_day=True,
    ),
    part(
        "clock",
        "",
        ": m am pm on the",
        rf"{CLOCK}(?:,?{SPACE}(?:on{SPACE})?(?:the{SPACE})?)",
        narrowing.unchanged,
        ("11 a.m. on 11 November 1918", "1918-11-11 1918-11-12"),
        within_day=True,
    ),
    part(
        "within",
        "within inside",
        "of after from following before to the",
        rf"(?:within|inside){SPACE}(?:(?:about|the{SPACE}(?:first|next)?){SPACE})?{LENGTH}{SPACE}"
        rf"(?P<direction>of|after|from|following|before|prior{SPACE}to){SPACE}(?:the{SPACE})?",
        narrowing.within,
        ("within thirty days of 10 June 1995", "1995-06-10 1995-07-11"),
        ("within a month before 10 June 1995", "1995-05-10 1995-06-11"),
        ("within a year of 1960", "1959-01-01 1962-01-01"),
        counts_from_limit=True,
    ),
    part(
        "unit-of",
        "month months year years",
        "month months year years of the",
        rf"(?<!\bnew )(?:months?|years?){SPACE}(?:of{SPACE})?(?:the{SPACE})?",  # "Chinese New Year 2020"
        narrowing.unchanged,
        ("year 1914", "1914-01-01 1915-01-01"),
        ("month of May 1940", "1940-05-01 1940-06-01"),
    ),
    part(
        "whole",
        "rest remainder whole course entirety most much all",
        _OF_ENDS,
        rf"(?:(?:rest|remainder|whole|course|entirety){_OF}|(?:most|much|all){_OF_ONLY})",
        narrowing.unchanged,
        ("rest of 1916", "1916-01-01 1917-01-01"),
    ),
    part(
        "week-of",
        "week weekend",
        "of the",
        rf"(?P<unit>week|weekend){SPACE}of{SPACE}(?:the{SPACE})?",
        narrowing.week,
        ("week of 3 May 1940", "1940-04-29 1940-05-06"),
        ("weekend of 3 June 1995", "1995-06-03 1995-06-05"),
    ),
    part(
        "bounded-length",
        _UNITS,
        "ended ending ends closing closed beginning began starting"
        " started commencing to until through on in with the",
        rf"(?<!\beach )(?<!\bevery )(?:the{SPACE})?(?!day\b){LENGTH_OR_UNIT}(?:{SPACE}period)?{SPACE}"
        rf"(?P<direction>{_ENDED}|{_BEGINNING}|{_UP_TO}){SPACE}{_ON}(?:the{SPACE})?",
        narrowing.stretch,
        ("the year ended 31 March 1998", "1997-04-01 1998-04-01"),
        ("nine months to 31 December 2004", "2004-04-01 2005-01-01"),
        ("52 weeks ended 28 March 2010", "2009-03-30 2010-03-29"),
        ("the decade to 2010", "2001-01-01 2011-01-01"),
        ("week ending 8 May 1940", "1940-05-02 1940-05-09"),
        ("financial year beginning 6 April 2009", "2009-04-06 2010-04-06"),
        ("half-year to June 2009", "2009-01-01 2009-07-01"),
        counts_from_limit=True,
    ),
    part(
        "offset-to-the-day",
        _UNITS,
        _BESIDE_ENDS,
        rf"(?:{_EXACTLY}{SPACE})?{LENGTH}{SPACE}{_TO_THE_DAY}{SPACE}(?P<direction>{_BESIDE}){SPACE}(?:the{SPACE})?",
        narrowing.offset,
        ("ten years to the day after 11 September 2001", "2011-09-11 2011-09-12"),
        counts_from_limit=True,
    ),
    part(
        "length-beside",
        _UNITS,
        _BESIDE_ENDS,
        rf"{_DEFINITE}(?:{_ALL_OF}{SPACE})?{LENGTH_OR_UNIT}(?:{SPACE}period)?{SPACE}(?P<direction>{_BESIDE})"
        rf"{SPACE}(?:the{SPACE})?",
        narrowing.stretch,
        ("the day after 3 May 1940", "1940-05-04 1940-05-05"),
        ("the three months before 1 June 2001", "2001-03-01 2001-06-01"),
        ("the year after 2008", "2009-01-01 2010-01-01"),
        ("the first two weeks after 3 May 1940", "1940-05-04 1940-05-18"),
        ("the six months from May 2015", "2015-05-01 2015-11-01"),
        counts_from_limit=True,
    ),
    part(
        "offset",
        _UNITS,
        f"of {_BESIDE_ENDS}",
        rf"(?:{_EXACTLY}{SPACE})?{LENGTH}{SPACE}(?P<direction>{_BESIDE}|{_SHORT_OF}){SPACE}(?:the{SPACE})?",
        narrowing.offset,
        ("four months before 1 May 2019", "2019-01-01 2019-01-02"),
        ("11 months before June 30, 2010", "2009-07-30 2009-07-31"),
        ("half a year before 1 May 2019", "2018-11-01 2018-11-02"),
        ("a year and a half before 1 May 2019", "2017-11-01 2017-11-02"),
        ("two years and three months after 1 May 2019", "2021-08-01 2021-08-02"),
        ("a quarter of a century after 1950", "1975-01-01 1976-01-01"),
        ("a hundred years after 31 BC", "0070-01-01 0071-01-01"),
        ("72 hours before 3 May 1940", "1940-04-30 1940-05-01"),
        ("two days short of 3 May 1940", "1940-05-01 1940-05-02"),
        counts_from_limit=True,
        veto=_DUE,
    ),
    part(
        "from-day-of-writing",
        _UNITS,
        "ago",
        rf"(?:{_EXACTLY}{SPACE})?(?:{LENGTH}{SPACE}(?P<direction>ago){SPACE})",
        narrowing.offset,
        ("three weeks ago last Friday", "2021-05-21 2021-05-22"),
        kinds=(ExpressionKind.RELATIVE,),
    ),
)
"""All parts, tried in this order, repeatedly outwards from the date."""
OF_POSSESSIVE = (
    next(part for part in MODIFIERS if part.narrow is narrowing.fraction),
    Pattern(rf"{APOSTROPHE}s?{SPACE}{_FRACTION}\b"),
)
"""The part that may also stand behind its date, with what joins it: "the 1990s' first half"."""
