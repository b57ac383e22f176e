"""Three hundred wordings of times, and as many of what is none."""

import pytest
from worded_times import PHRASINGS, TRAPS

from timelens.temporal.calendar import format_day, parse_day
from timelens.temporal.expressions import find_expressions

ALL = [(days, day, text) for days, day, texts in PHRASINGS for text in texts]


def last_date(text: str, day: str) -> str:
    dated = [found.interval for found in find_expressions(text, parse_day(day)) if found.interval]
    if not dated:
        return ""
    return " ".join(".." if end is None else format_day(end) for end in (dated[-1].start, dated[-1].end))


@pytest.mark.parametrize(("days", "day", "text"), ALL)
def test_wording(days: str, day: str, text: str) -> None:
    assert last_date(text, day) == days


@pytest.mark.parametrize("text", TRAPS)
def test_no_date_where_no_time_is_meant(text: str) -> None:
    assert last_date(text, "2021-06-15") == ""


def test_there_are_three_hundred_of_each() -> None:
    assert len({text for _, _, text in ALL}) >= 300
    assert len(set(TRAPS)) >= 300
