"""Times of a question that are compared, or are two sides of one time."""

import pytest

from timelens.question.parse import parse, with_days
from timelens.temporal.calendar import day_number, format_day, parse_day
from timelens.temporal.interval import Interval

TODAY = day_number(2025, 6, 1)


def days(interval: Interval) -> str:
    return " ".join(".." if end is None else format_day(end) for end in (interval.start, interval.end))


@pytest.mark.parametrize(
    ("question", "core", "periods"),
    [
        ("Did she move here, before or after 1988?", "Did she move here?",
         [".. 1988-01-01", "1989-01-01 .."]),
        ("How did fares move after and before 1988?", "How did fares move?",
         [".. 1988-01-01", "1989-01-01 .."]),
        ("What was rent before and after the 1988 flood?", "What was rent before and after the flood?",
         [".. 1988-01-01", "1989-01-01 .."]),
        ("How did fares move after 1988 and before 1993?", "How did fares move?",
         ["1989-01-01 1993-01-01"]),
        ("What was the fare on 5 May compared to 7 June 2019?", "What was the fare?",
         ["2019-05-05 2019-05-06", "2019-06-07 2019-06-08"]),
        ("fares in February 2019 vs November", "fares",
         ["2019-02-01 2019-03-01", "2019-11-01 2019-12-01"]),
        ("contrast July with October 2019", "Contrast July with October 2019",
         ["2019-07-01 2019-08-01", "2019-10-01 2019-11-01"]),
        ("How did fares in the first and second halves of 2019 differ?", "How did fares differ?",
         ["2019-01-01 2019-07-01", "2019-07-01 2020-01-01"]),
        ("fares of the first quarter of 2019 with the third quarter", "fares",
         ["2019-01-01 2019-04-01", "2019-07-01 2019-10-01"]),
        ("How do fares of the last six months compare with the six months before?",
         "How do fares compare?", ["2024-12-01 2025-06-01", "2024-06-01 2024-12-01"]),
        ("fares 1900 vs 1950", "fares", ["1900-01-01 1901-01-01", "1950-01-01 1951-01-01"]),
        ("Who left six months before?", "Who left six months before?", []),
        ("the meeting with March in May 2019", "The meeting with March", ["2019-05-01 2019-06-01"]),
    ],
)  # fmt: skip
def test_both_times_are_read(question: str, core: str, periods: list[str]) -> None:
    parsed = parse(question, TODAY)
    assert (parsed.core, [days(one.interval) for one in parsed.periods]) == (core, periods)


def test_both_sides_of_an_event_are_asked_for() -> None:
    parsed = parse("Were fares higher before or after the strike?", TODAY)
    assert [one.text for one in parsed.implicit] == ["the strike", "the strike"]
    strike = Interval(parse_day("1988-03-04"), parse_day("1988-03-09"))
    dated = with_days(parsed, {"the strike": strike})
    assert dated.core == "Were fares higher?"
    assert [days(one.interval) for one in dated.periods] == [".. 1988-03-04", "1988-03-09 .."]
