"""Time itself: days, intervals, relations between them, and how text states them.

Of timelens it imports only the lexicon and, for the judge of years, :mod:`timelens.bert`. It reads no clock.
A day is a whole number, 0 for 1 January 1970; an interval begins with its start and ends before its end. Each
name is loaded when it is first used:

>>> from timelens.temporal import day_number, granule, phrase, Granularity
>>> phrase(granule(day_number(2001, 9, 11), Granularity.MONTH))
'September 2001'

Days
    Day, day_number, civil, parse_day, format_day, add_months, days_in_month
Intervals
    Interval, Granularity, granule, last_day_of, hull, day_interval, iso_week, month_interval, year_interval
Relations
    Allen, Relation, admitted
Expressions in text
    find_expressions, Expression, ExpressionKind, Conventions
Words
    phrase, phrase_day, phrase_granule, phrase_recorded, phrase_year, MONTH_NAMES
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from timelens.temporal.allen import Allen
    from timelens.temporal.calendar import (
        Day,
        add_months,
        civil,
        day_number,
        days_in_month,
        format_day,
        parse_day,
    )
    from timelens.temporal.constraints import Relation, admitted
    from timelens.temporal.conventions import Conventions
    from timelens.temporal.expressions import Expression, find_expressions
    from timelens.temporal.interval import (
        Granularity,
        Interval,
        day_interval,
        granule,
        hull,
        iso_week,
        last_day_of,
        month_interval,
        year_interval,
    )
    from timelens.temporal.phrasing import (
        MONTH_NAMES,
        phrase,
        phrase_day,
        phrase_granule,
        phrase_recorded,
        phrase_year,
    )
    from timelens.temporal.rules.rule import ExpressionKind

__all__ = [
    "MONTH_NAMES",
    "Allen",
    "Conventions",
    "Day",
    "Expression",
    "ExpressionKind",
    "Granularity",
    "Interval",
    "Relation",
    "add_months",
    "admitted",
    "civil",
    "day_interval",
    "day_number",
    "days_in_month",
    "find_expressions",
    "format_day",
    "granule",
    "hull",
    "iso_week",
    "last_day_of",
    "month_interval",
    "parse_day",
    "phrase",
    "phrase_day",
    "phrase_granule",
    "phrase_recorded",
    "phrase_year",
    "year_interval",
]

_NAMES = {
    "allen": "Allen",
    "calendar": "Day add_months civil day_number days_in_month format_day parse_day",
    "constraints": "Relation admitted",
    "conventions": "Conventions",
    "expressions": "Expression find_expressions",
    "interval": "Granularity Interval day_interval granule hull iso_week last_day_of month_interval "
    "year_interval",
    "phrasing": "MONTH_NAMES phrase phrase_day phrase_granule phrase_recorded phrase_year",
    "rules.rule": "ExpressionKind",
}
"""The names by the module that each comes from."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:  # noqa: ANN401 -- the type of each name stands above
    """Load a name (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
