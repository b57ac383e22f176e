"""Full dates and months with a year in German, French, Spanish, Italian, Portuguese and Dutch.

Only what names its month and its year: nothing in a foreign text is guessed. Months are written as in their
language, with small letters except in German, so that "Mars 2020" is a mission and "mars 2020" a month.
"""

import re

from timelens.temporal.anchoring import Anchors
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import day_interval, month_interval
from timelens.temporal.rules.rule import Dates, Rule, rule
from timelens.temporal.vocabulary import PLAIN_YEAR, SPACE, digits

_BY_LANGUAGE = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
)
_MONTHS = {name: number for names in _BY_LANGUAGE for number, name in enumerate(names.split(), start=1)}
_MONTHS |= {"Jänner": 1, "setiembre": 9}
_MONTH = rf"(?P<month>(?-i:{'|'.join(sorted(_MONTHS, key=len, reverse=True))}))"
_OF = rf"(?:d(?:e|el|i|o){SPACE})?"
_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9])(?:\.|er|\u00ba|\u00b0)?"


def _day(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (day_interval(day_number(digits(match["y"]), _MONTHS[match["month"]], digits(match["day"]))),)


def _month(match: re.Match[str], _anchors: Anchors) -> Dates:
    return (month_interval(digits(match["y"]), _MONTHS[match["month"]]),)


RULES: tuple[Rule, ...] = (
    rule(
        "foreign-day",
        {"9", "99"},
        rf"{_DAY}{SPACE}{_OF}{_MONTH},?{SPACE}{_OF}(?P<y>{PLAIN_YEAR})",
        _day,
        ("3. Oktober 1990", "1990-10-03 1990-10-04"),
        ("14 juillet 1789", "1789-07-14 1789-07-15"),
        ("1er mai 2004", "2004-05-01 2004-05-02"),
        ("12 de octubre de 1492", "1492-10-12 1492-10-13"),
        ("2 giugno 1946", "1946-06-02 1946-06-03"),
        ("25 de abril de 1974", "1974-04-25 1974-04-26"),
        ("5 mei 1945", "1945-05-05 1945-05-06"),
        confidence=0.95,
    ),
    rule(
        "foreign-month",
        {name.lower() for name in _MONTHS},
        rf"{_MONTH}{SPACE}{_OF}(?P<y>{PLAIN_YEAR})",
        _month,
        ("März 2011", "2011-03-01 2011-04-01"),
        ("mars 2011", "2011-03-01 2011-04-01"),
        ("août 1914", "1914-08-01 1914-09-01"),
        ("mayo de 1968", "1968-05-01 1968-06-01"),
        ("maggio 1968", "1968-05-01 1968-06-01"),
        confidence=0.9,
    ),
)
