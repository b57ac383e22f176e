"""The sentences of a stretch of time."""

import pytest
from evidence import hit
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.text.dated_sentences import dated_sentences
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval

TOLLS = [
    hit(f"toll {year}", [f"The toll of the bridge rose to {year % 100} crowns."], year)
    for year in range(2000, 2012)
]
EVER = Interval(None, None)


def test_what_is_outside_the_time_is_not_told() -> None:
    found = dated_sentences(TOLLS, year_interval(2002, 2005), 12)
    assert {one.chunk.id for one in found} == {f"toll {year}" for year in range(2002, 2006)}


def test_a_long_time_is_told_from_all_its_parts() -> None:
    found = dated_sentences(TOLLS, year_interval(2000, 2011), 4)
    starts = sorted(one.interval.bounds[0] for one in found if one.interval is not None)
    assert len(starts) == 4
    for part, start in enumerate(starts):
        assert day_number(2000 + 3 * part) <= start < day_number(2003 + 3 * part)


def test_a_sentence_that_denies_tells_nothing() -> None:
    denied = hit("denied", ["The toll of the bridge never rose."], 2003)
    assert dated_sentences([denied], EVER, 12) == []


@pytest.mark.parametrize(
    "sentence", ["Did the toll of the bridge rise?", "“Did the toll of the bridge rise?!”"]
)
def test_a_question_tells_nothing(sentence: str) -> None:
    assert dated_sentences([hit("asked", [sentence], 2003)], EVER, 12) == []
    assert len(dated_sentences([hit("told", ["The toll (for the bridge?) rose."], 2003)], EVER, 12)) == 1


def chunk_of(number: int, times: list[Interval]) -> Chunk:
    text = "The toll of the bridge rose."
    events = tuple(Event(time, 0, EventSource.STATED, 1.0) for time in times)
    return Chunk(f"c{number}", "c", number, "", "", text, None, ((0, len(text)),), events)


days = st.integers(-900_000, 40_000)
intervals = st.one_of(
    st.builds(lambda start, length: Interval(start, start + length), days, st.integers(1, 4000)),
    st.builds(Interval, days, st.none()),
    st.builds(Interval, st.none(), days),
    st.just(Interval(None, None)),
    days.map(day_interval),
)


@given(st.lists(st.lists(intervals, max_size=3), max_size=8), intervals, st.integers(1, 5))
def test_each_sentence_is_told_once_with_a_time_inside_the_window(
    times: list[list[Interval]], window: Interval, most: int
) -> None:
    hits = [Hit(chunk_of(number, of), Scores(0.9, 0.9, 1.0, 0.9), None, 0) for number, of in enumerate(times)]
    found = dated_sentences(hits, window, most)
    assert len(found) <= most
    assert len({(one.chunk.id, one.sentence) for one in found}) == len(found)
    for one in found:
        assert one.interval is not None
        assert one.interval in [event.interval for event in one.chunk.events]
        assert one.interval.intersects(window)
    inside = [of for of in times if any(time.intersects(window) for time in of)]
    assert len(found) == min(most, len(inside))
