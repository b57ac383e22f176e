"""Three hundred wordings of times, and as many of what is none."""

import pytest
from worded_times import PHRASINGS, TRAPS

from timelens.temporal.calendar import format_day, parse_day
from timelens.temporal.expressions import find_expressions

MISJUDGED = {
    "Due to fog on 3 August nobody sailed.",
    "It must have rained on 3 August.",
    "Snow expected by the coast in mid-November.",
    "It opens two hours a week on Friday.",
    "The bank opens once a week on Friday.",
    "The mill closes in ten days.",
    "In four years they have written once.",
}
"""What the model of :mod:`timelens.temporal.ahead_model` takes for the other side of the day of writing."""


def marked(text: str, *values: str) -> object:
    marks = [pytest.mark.xfail(reason="judged by its words", strict=True)] if text in MISJUDGED else []
    return pytest.param(*values, text, marks=marks)


ALL = [(days, day, text) for days, day, texts in PHRASINGS for text in texts]


def last_date(text: str, day: str) -> str:
    dated = [found.interval for found in find_expressions(text, parse_day(day)) if found.interval]
    if not dated:
        return ""
    return " ".join(".." if end is None else format_day(end) for end in (dated[-1].start, dated[-1].end))


@pytest.mark.parametrize(("days", "day", "text"), [marked(text, days, day) for days, day, text in ALL])
def test_wording(days: str, day: str, text: str) -> None:
    assert last_date(text, day) == days


@pytest.mark.parametrize("text", list(map(marked, TRAPS)))
def test_no_date_where_no_time_is_meant(text: str) -> None:
    assert last_date(text, "2021-06-15") == ""


def test_there_are_three_hundred_of_each() -> None:
    assert len({text for _, _, text in ALL}) >= 300
    assert len(set(TRAPS)) >= 300
