"""Texts that are a date and nothing else."""

import pytest

from timelens.temporal.calendar import day_number, format_day
from timelens.temporal.interval import month_interval
from timelens.temporal.stated import day_meant, whole_date

TODAY = day_number(2021, 6, 15)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2021-05-06", "2021-05-06"),
        ("6 May 2021", "2021-05-06"),
        ("May 2021", "2021-05-31"),
        ("1990", "1990-12-31"),
        ("last May", "2021-05-31"),
        ("44 BC", "-0043-12-31"),
    ],
)
def test_a_reference_day_is_the_last_of_what_is_named(text: str, day: str) -> None:
    assert format_day(day_meant(text, TODAY)) == day


@pytest.mark.parametrize(
    "text", ["", "2021-02-30", "soon", "since 1990", "1990 and 1995", "hello 2012 world"]
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a date|does not exist"):
        day_meant(text, TODAY)


def test_what_differs_in_its_figures_alone_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from dateparser.date import DateDataParser

    assert whole_date("Październik 1990") is not None
    made: list[object] = []
    initialise = DateDataParser.__init__

    def counted(self: DateDataParser, **options: object) -> None:
        made.append(options.get("locales"))
        initialise(self, **options)

    monkeypatch.setattr(DateDataParser, "__init__", counted)
    assert whole_date("Październik 1991") == month_interval(1991, 10)
    assert made == [["pl"]]
