"""Texts that are a date and nothing else."""

import pytest

from timelens.temporal.interval import month_interval
from timelens.temporal.whole_date import whole_date


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
