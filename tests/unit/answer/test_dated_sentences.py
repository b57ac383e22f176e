"""The sentences that tell a stretch of time."""

from dataclasses import replace

import pytest
from evidence import hit, year
from hypothesis import given
from hypothesis import strategies as st

from timelens.answer.draft import Statement
from timelens.answer.relevance import Topic, topic_of
from timelens.answer.text.dated_sentences import dated_sentences
from timelens.answer.text.sentence_match import AnswerType
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.temporal.calendar import day_number
from timelens.temporal.interval import Interval, day_interval, year_interval

TOLLS = [
    hit(f"toll {year}", [f"The toll of the bridge rose to {year % 100} crowns."], year)
    for year in range(2000, 2012)
]
FAIR = hit("fair", ["A fair was held in the meadows."], 2003)
FAIR = Hit(FAIR.chunk, Scores(0.1, 0.0, 1.0, 0.9), FAIR.interval, 0)


def told(hits: list[Hit], window: Interval | None, most: int = 12) -> list[Hit]:
    return dated_sentences(
        topic_of("How did the bridge toll rise?", hits), hits, window, AnswerType.ANY, most
    )


def test_what_is_off_topic_or_outside_the_time_is_not_told() -> None:
    found = told([*TOLLS, FAIR], year_interval(2002, 2005))
    assert {one.chunk.id for one in found} == {f"toll {year}" for year in range(2002, 2006)}


def test_a_long_course_is_told_from_all_its_parts() -> None:
    found = told(TOLLS, year_interval(2000, 2011), 4)
    starts = sorted(one.interval.bounds[0] for one in found if one.interval is not None)
    assert len(starts) == 4
    for part, start in enumerate(starts):
        assert day_number(2000 + 3 * part) <= start < day_number(2003 + 3 * part)


def test_a_sentence_that_denies_tells_nothing() -> None:
    denied = hit("denied", ["The toll of the bridge never rose."], 2003)
    assert told([denied], None) == []


@pytest.mark.parametrize(
    "sentence", ["Did the toll of the bridge rise?", "“Did the toll of the bridge rise?!”"]
)
def test_a_question_tells_nothing(sentence: str) -> None:
    assert told([hit("asked", [sentence], 2003)], None) == []
    assert len(told([hit("told", ["The toll (for the bridge?) rose."], 2003)], None)) == 1


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


@given(
    st.lists(st.lists(intervals, max_size=3), max_size=8), st.one_of(st.none(), intervals), st.integers(1, 5)
)
def test_each_sentence_is_told_once_with_a_time_inside_the_window(
    times: list[list[Interval]], window: Interval | None, most: int
) -> None:
    hits = [Hit(chunk_of(number, of), Scores(0.9, 0.9, 1.0, 0.9), None, 0) for number, of in enumerate(times)]
    found = told(hits, window, most)
    assert len(found) <= most
    assert len({(one.chunk.id, one.sentence) for one in found}) == len(found)
    for one in found:
        assert one.interval is not None
        assert one.interval in [event.interval for event in one.chunk.events]
        assert window is None or one.interval.intersects(window)
    inside = [of for of in times if any(window is None or time.intersects(window) for time in of)]
    assert len(found) == min(most, len(inside))


@pytest.mark.parametrize("question", ["", "?", "How did it change?"])
def test_a_question_without_a_topic_has_no_course_of_its_own(question: str) -> None:
    assert dated_sentences(Topic(question, []), [], None, AnswerType.ANY, 3) == []


def test_sentences_that_state_a_value_are_told_whatever_their_words() -> None:
    rent = hit("rent", ["The rent rose to £438."], 2017)
    other = hit("flat", ["It went for £412 then.", "The rent office closed."], 2014)
    topic = topic_of("What was the rent?", [rent, other])
    said = Statement("", "", "£412", year(2014), replace(other, sentence=0), 0.9)
    plain, with_values = (
        dated_sentences(topic, [rent, other], None, AnswerType.ANY, 12, values=values)[0]
        for values in ((), (said,))
    )
    assert plain.said == "The rent rose to £438."
    assert with_values.said == "It went for £412 then."


def test_values_of_another_time_are_not_told() -> None:
    other = hit("flat", ["It went for £412 then."], 2014)
    topic = topic_of("What was the rent?", [other])
    said = Statement("", "", "£412", year(2014), other, 0.9)
    assert dated_sentences(topic, [other], year(2016), AnswerType.ANY, 12, values=[said]) == []
