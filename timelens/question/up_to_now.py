"""Whether a question asks about a time that ends with the day that counts as today. Pure."""

import re

from timelens.question.asked_numbers import asks_for_extreme
from timelens.question.parsed_question import Constraint, ParsedQuestion
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import granule

_UP_TO_NOW = frozenset({Relation.SINCE, Relation.FROM_TO, Relation.BETWEEN})
_BY_DAY = re.compile(r"\b(?:latest|newest|most\s+recent(?:ly)?|earliest|oldest)\b", re.IGNORECASE)


def reaches_today(parsed: ParsedQuestion) -> bool:
    """Whether a question asks for a time up to today, or for an order of all, and not for a time after today.

    "Since 2005" and "the last mayor" do not reach into the future, as "after 2005" may.
    """
    if any(is_ahead(constraint, parsed.reference_day) for constraint in parsed.constraints):
        return False
    up_to_now = any(
        one.relation in _UP_TO_NOW and one.interval is not None and one.interval.end is None
        for one in parsed.constraints
    )
    of_all = all(one.interval is None for one in parsed.constraints)
    ordered = parsed.ordinal is not None or asks_for_extreme(parsed.question)
    return up_to_now or (of_all and ordered)


def is_ahead(constraint: Constraint, today: Day) -> bool:
    """Whether all days of a constraint are later than ``today``."""
    window = constraint.interval
    if window is None:
        return False
    as_of = constraint.relation is Relation.AS_OF and window.end is not None
    asked = granule(window.end - 1, window.granularity) if as_of and window.end is not None else window
    return asked.start is not None and asked.start > today


def asks_for_newest(parsed: ParsedQuestion) -> bool:
    """Whether a question without a time orders things by their days: "the latest announcement on fees".

    "First" and "last" may be a part of what a text states: "the first treasurer", "the last king".
    """
    orders = (one.text for one in parsed.constraints if one.ordinal is not None)
    return not parsed.periods and any(_BY_DAY.search(words) for words in orders)
