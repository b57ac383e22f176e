"""The moments that sentences tell: the time of each, what supports it, and what is left out."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from evidence import hit

from timelens.answer.text import moments
from timelens.answer.text.moments import moment_picks
from timelens.answer.text.picked_spans import Pick
from timelens.documents import Event, EventSource, Hit
from timelens.question.parse import parse
from timelens.reader.encoding import Passage
from timelens.reader.moment_reader import Span
from timelens.temporal.calendar import day_number
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import day_interval

TODAY = day_number(2021, 5, 6)
SURE = 6.0


class Scripted:
    """A reader that is sure of the sentences and the dates that contain given words.

    ``other`` are the log odds of the other ones.
    """

    def __init__(self, words: str, date: str, other: float = -SURE) -> None:
        self._words, self._date, self._other = words, date, other

    def odds(
        self,
        question: str,
        passages: Sequence[Passage],
        sentences: Sequence[Sequence[Span]],
        times: Sequence[Sequence[Span]],
    ) -> list[tuple[list[float], list[float]]]:
        del question

        def odds(passage: Passage, spans: Sequence[Span], words: str) -> list[float]:
            said = [passage.text[start:end] for start, end in spans]
            return [SURE if words and words in text else self._other for text in said]

        read = zip(passages, sentences, times, strict=True)
        return [(odds(p, own, self._words), odds(p, dated, self._date)) for p, own, dated in read]


def paper(text: str, *more: str, year: int = 2015) -> Hit:
    """Sentences with the times that they state; the document is of 4 May of a year."""
    day = day_interval(day_number(year, 5, 4))
    one = hit("a", [text, *more], year)
    events = []
    for index, sentence in enumerate((text, *more)):
        stated = [e.interval for e in find_expressions(sentence, day.start) if e.interval is not None]
        events += [Event(days, index, EventSource.STATED, 1.0) for days in stated]
        if not stated:
            events.append(Event(day, index, EventSource.PUBLISHED, 1.0))
    return replace(one, chunk=replace(one.chunk, published=day, events=tuple(events)))


def told(
    monkeypatch: pytest.MonkeyPatch, question: str, evidence: Hit, words: str, date: str = ""
) -> list[Pick]:
    monkeypatch.setattr(moments, "bundled_moment_reader", lambda: Scripted(words, date))
    return moment_picks(parse(question, TODAY), [evidence])


@pytest.mark.parametrize(
    ("question", "text", "date", "when"),
    [
        ("When was the kiln lit?", "The kiln was lit on 3/5/2016.", "3/5", "3/5/2016"),
        ("When was the kiln lit?", "The kiln was lit at last.", "", "4 May 2015"),
        ("When was the kiln lit?", "The kiln was lit yesterday.", "yesterday", "3 May 2015"),
        ("When was the kiln lit?", "It was due on 3 May 2016; the kiln was lit now.", "", "4 May 2015"),
        ("Since when is the kiln lit?", "The kiln is lit since March 2012.", "March", "March 2012"),
        ("When was the kiln lit?", "The kiln was lit from 2001 to 2004.", "2001", "2001"),
        ("Until when was the kiln lit?", "The kiln was lit from 2001 to 2004.", "2001", "2004"),
        ("When did the firing of the kiln end?", "The kiln was lit from 2001 to 2004.", "2001", "2004"),
        ("When was the kiln lit?", "The kiln was lit in the summer of 1998.", "summer", "the summer of 1998"),
    ],
)
def test_a_moment_has_the_time_that_dates_it_or_that_of_its_paper(
    monkeypatch: pytest.MonkeyPatch, question: str, text: str, date: str, when: str
) -> None:
    (found,) = told(monkeypatch, question, paper(text), "kiln", date)
    assert found.text == when
    assert found.hit.interval == found.days
    assert found.hit.said == text


def test_a_moment_outside_the_asked_time_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lit = paper("The kiln was lit on 3 May 2016.", "The kiln was lit again on 9 July 2017.")
    (found,) = told(monkeypatch, "On which day in 2017 was the kiln lit?", lit, "kiln", "20")
    assert found.text == "9 July 2017"


def test_headings_and_questions_tell_no_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    lit = paper("## The kiln", "When was the kiln lit?", "The kiln was lit.")
    (found,) = told(monkeypatch, "When was the kiln lit?", lit, "kiln")
    assert found.hit.said == "The kiln was lit."


def test_without_a_day_no_moment_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    undated = hit("a", ["The kiln was lit."], 2015)
    undated = replace(undated, chunk=replace(undated.chunk, published=None, events=()))
    assert told(monkeypatch, "When was the kiln lit?", undated, "kiln") == []


def test_a_moment_is_likelier_where_another_sentence_tells_its_year(monkeypatch: pytest.MonkeyPatch) -> None:
    lit = paper("The kiln was lit on 3 May 2016.")
    (alone,) = told(monkeypatch, "When was the kiln lit?", lit, "kiln", "3 May")
    for year, supports in (("2016", True), ("2014", False)):
        both = paper("The kiln was lit on 3 May 2016.", f"We lit the kiln in {year}.")
        found = told(monkeypatch, "When was the kiln lit?", both, "kiln", "20")
        exact = next(one for one in found if one.text == "3 May 2016")
        assert (exact.score >= alone.score) is supports


def test_of_sentences_of_one_day_the_likeliest_to_the_reader_is_told_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    day = paper("The fee for the pump is 3.", "It broke this morning.", year=2020)
    monkeypatch.setattr(moments, "bundled_moment_reader", lambda: Scripted("broke", "morning", other=-1.0))
    first, second = moment_picks(parse("When did the pump break?", TODAY), [day])
    assert (first.hit.said, second.hit.said) == ("It broke this morning.", "The fee for the pump is 3.")
    assert first.text == second.text == "4 May 2020"
    assert first.score == second.score


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("When was the sauna closed?", [(2015, 5, 4)]),
        ("When the sauna was closed?", [(2015, 5, 4)]),
        ("When was the sauna reopened?", [(2016, 6, 1)]),
        ("When did the sauna open again?", [(2016, 6, 1)]),
        ("Until when was the sauna closed?", [(2015, 5, 4), (2016, 6, 1)]),
        ("When was the sauna last open?", [(2015, 5, 4), (2016, 6, 1)]),
        ("When was the sauna opened and closed?", [(2015, 5, 4), (2016, 6, 1)]),
        ("When was the sauna painted?", [(2015, 5, 4), (2016, 6, 1)]),
    ],
)
def test_what_undoes_the_asked_thing_is_not_its_moment(
    monkeypatch: pytest.MonkeyPatch, question: str, days: list[tuple[int, int, int]]
) -> None:
    closed = paper("The sauna is closed for now.", "The sauna reopened on 1 June 2016.")
    found = told(monkeypatch, question, closed, "sauna", "June")
    assert sorted(pick.days.bounds[0] for pick in found if pick.days) == [day_number(*day) for day in days]
