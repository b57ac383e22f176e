"""The sentences of an answer over time, with the real readers."""

from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.text.course_sentences import course_sentences, spread_over_time, timed_in
from timelens.answer.text.picked_spans import Pick
from timelens.documents import Chunk, Event, EventSource, Hit, Scores
from timelens.question.parse import parse
from timelens.temporal.calendar import parse_day
from timelens.temporal.interval import Interval, year_interval

NOW = parse_day("2024-01-01")
HITS = [
    hit("sale", ["In 2004 Tidd and Sons sold the ferry to Holmlink.", "Was the ferry ever painted?"], 2004),
    hit("tea", ["Tea was served at four.", "## The ferry"], 2005),
    hit("strike", ["Holmlink gave the ferry up in 2011, and the council runs it."], 2011),
]


def test_what_tells_comes_first_and_headings_and_questions_tell_nothing() -> None:
    found = course_sentences(parse("Into whose hands did the ferry pass?", NOW), HITS, ())
    assert {found[0].hit.chunk.id, found[1].hit.chunk.id} == {"sale", "strike"}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert {one.text for one in found}.isdisjoint({"## The ferry", "Was the ferry ever painted?"})


def pick_of(*events: Event, published: Interval | None = None) -> Pick:
    text = "The ferry was sold."
    chunk = Chunk("c", "c", 0, "", "", text, published, ((0, len(text)),), events)
    return Pick(text, Hit(chunk, Scores(0.9, 0.9, 1.0, 0.9), None, 0), 0.0, 0)


YEAR, MONTH = year_interval(2004), Interval(12_500, 12_530)


@pytest.mark.parametrize("turned", [False, True])
def test_of_several_times_the_strongest_and_shortest_is_taken(*, turned: bool) -> None:
    events = [
        Event(year_interval(2004, 2006), 0, EventSource.STATED, 1.0),
        Event(YEAR, 0, EventSource.STATED, 1.0),
        Event(MONTH, 0, EventSource.ANCHORED, 1.0),
    ]
    pick = pick_of(*(events[::-1] if turned else events))
    found = timed_in(pick, year_interval(2000, 2010))
    assert found is not None
    assert found.hit.interval == YEAR


def test_a_sentence_of_another_time_is_left_out() -> None:
    pick = pick_of(Event(YEAR, 0, EventSource.STATED, 1.0), published=year_interval(2015))
    assert timed_in(pick, year_interval(2015)) is None


def test_a_sentence_without_a_time_has_that_of_its_document() -> None:
    found = timed_in(pick_of(published=YEAR), year_interval(2004))
    assert found is not None
    assert found.hit.interval == YEAR
    assert timed_in(pick_of(), year_interval(2004)) is None
    assert timed_in(pick_of(), None) is not None


def test_many_sentences_are_spread_over_their_time() -> None:
    times = [YEAR, YEAR, MONTH, YEAR, None, year_interval(2011)]
    found = [replace(pick_of(), score=-number) for number in range(len(times))]
    picks = [
        replace(one, hit=replace(one.hit, interval=time)) for one, time in zip(found, times, strict=True)
    ]
    assert [-one.score for one in spread_over_time(picks, 4)] == [0, 2, 4, 5]
    assert [-one.score for one in spread_over_time(picks, 5)] == [0, 1, 2, 4, 5]
    assert spread_over_time(picks, 9) == picks
