"""Answers from the values that a language model read in the evidence.

The model says which words answer and where they stand; the rules date them and write the answer. Words that
are not in the evidence answer nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from timelens.answer.draft import Draft, Statement, Status
from timelens.answer.extractive.by_sentences import unclear
from timelens.answer.extractive.case import Case
from timelens.answer.extractive.point_in_time import from_pick
from timelens.answer.hit_times import start_of, time_of
from timelens.answer.relevance import said_by
from timelens.answer.rendering.timeline import label
from timelens.answer.text.picked_spans import Pick, is_sure, pick_of
from timelens.answer.text.sentence_match import AnswerType
from timelens.answer.text.value_statements import are_several, dated_statement, picks_at, values_over_time
from timelens.answer.text.yes_no import Verdict
from timelens.answer.writing.drafts import (
    from_sentences,
    from_telling,
    hedged,
    with_difference,
    with_events,
)
from timelens.answer.writing.reading_prompt import ModelReading
from timelens.question.parsed_question import Focus
from timelens.reader.passages import times_in
from timelens.reader.span_reader import AnswerSpan
from timelens.temporal.expressions import Expression
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

_YES_OR_NO = {"yes": True, "no": False}


def by_model(case: Case) -> Draft | None:
    """The answer in a model's reading, if it is sure enough; ``None`` without a reading.

    An unsure reading is a refusal: no other way reads the same texts better. A length may be subtracted.
    """
    reading = None if case.beside and case.asks_whether else case.model_reading
    if reading is None:
        return None
    draft = _drafted(case, reading)
    if draft is not None:
        return with_events(draft, case.events)
    return None if case.expected is AnswerType.LENGTH else unclear(case)


def _drafted(case: Case, reading: ModelReading) -> Draft | None:
    values = [one.value.casefold() for one in reading.readings]
    if len(values) > 1 and case.is_one and case.parsed.is_of_now and not case.parsed.implicit:
        return _standing(case, reading)
    if len(values) > 1 and _may_tell_a_course(case):
        return _course(case, reading) if reading.probability_of_each >= 1 - case.risk else None
    if reading.probability < 1 - case.risk or (not case.is_one and case.parsed.several):
        return None
    if len(values) == 1 and values[0] in _YES_OR_NO:
        return _told(case, reading, says_yes=_YES_OR_NO[values[0]])
    if case.parsed.focus is Focus.CHANGE_OVER_TIME:
        return None  # one value is no course
    found = [
        pick
        for pick in _picks(case, reading)
        if _may_hold(time_of(pick.hit), case.parsed.window) and not case.is_of_others(pick.hit)
    ]
    if not found:
        return None
    draft = from_pick(found, case.topic, case.expected, case.parsed)
    if not case.beside:
        return draft
    value, hit = draft.values[0].text, draft.citations[0].hit
    told = hedged(value, reading.probability)
    return replace(draft, text=f"{label(hit)}: {told} [1].", citations=draft.citations[:1])


def _standing(case: Case, reading: ModelReading) -> Draft | None:
    """The value in force on the question's reference day, of several that were read."""
    stated = [replace(one, probability=reading.probability_of_each) for one in _statements(case, reading)]
    found = picks_at(stated, case.parsed.reference_day)
    return from_pick(found, case.topic, case.expected, case.parsed) if is_sure(found, case.risk) else None


def _may_hold(time: Interval | None, window: Interval | None) -> bool:
    """Whether what a text says of ``time`` may answer a question about ``window``.

    An undated text says nothing about an asked time, and neither does one about a later time.
    """
    if window is None:
        return True
    return time is not None and time.bounds[0] < window.bounds[1]


def _may_tell_a_course(case: Case) -> bool:
    """Whether several values that were read may all be asked for, each at its time.

    The question asks for more than one, or its words leave it open: it names a stretch of time and no order.
    """
    if not case.is_one:
        return True
    window = case.parsed.window
    is_open = window is None or (window.start is not None and window.exceeds_unit)
    return is_open and not case.beside and case.parsed.ordinal is None


def _told(case: Case, reading: ModelReading, *, says_yes: bool) -> Draft:
    """Yes or no, with the sentence of each piece that tells it best."""
    hits = reading.readings[0].hits
    telling = [
        next((pick.hit for pick in case.telling if pick.hit.chunk.id == hit.chunk.id), hit) for hit in hits
    ]
    yes = float(says_yes)
    found = [Pick(case.parsed.question, hit, reading.score, hit.sentence or 0, yes=yes) for hit in telling]
    return from_telling(Verdict(says_yes, reading.probability), found, case.risk, case.topic)


def _course(case: Case, reading: ModelReading) -> Draft | None:
    """The dated sentences of several values, and the difference between numbers."""
    statements = sorted(_statements(case, reading), key=lambda one: start_of(one.hit))
    if not are_several(statements):
        return None
    sentences = {one.hit.key: one.hit for one in reversed(statements)}
    status = Status.PARTIAL if case.has_gaps and not case.parsed.several else Status.ANSWERED
    draft = from_sentences(list(sentences.values())[::-1], case.expected, case.topic, status)
    course = values_over_time(statements)
    return with_difference(replace(draft, series=tuple(course)), course)


def _statements(case: Case, reading: ModelReading) -> Iterator[Statement]:
    """A dated statement for each value in each piece that states it."""
    for pick, span, stated in _located(case, reading, None):
        yield dated_statement(pick, (span.start, span.end), (), stated)


def _picks(case: Case, reading: ModelReading) -> Iterator[Pick]:
    """Each value in each piece that states it."""
    for pick, _, _ in _located(case, reading, case.parsed.window):
        yield _as_asked(pick, case.expected)


def _located(
    case: Case, reading: ModelReading, window: Interval | None
) -> Iterator[tuple[Pick, AnswerSpan, Sequence[Expression]]]:
    """The best place of each value in each piece that states it, with the times of the piece.

    Places in the window are preferred, then those whose sentence has most words of the topic.
    """

    def fits(place: tuple[Pick, AnswerSpan]) -> tuple[bool, float]:
        hit = place[0].hit
        inside = window is None or (hit.interval is not None and hit.interval.intersects(window))
        return inside, case.topic.share(said_by(hit))

    for one in reading.readings:
        for hit in one.hits:
            stated = times_in(hit.chunk)
            spans = (AnswerSpan(0, *place, reading.score) for place in _places(one.value, hit.chunk.text))
            places = [(pick_of(span, hit, stated, window), span) for span in spans]
            if places:
                yield *max(places, key=fits), stated


def _as_asked(pick: Pick, expected: AnswerType) -> Pick:
    """A pick as the time of its sentence, if a time is asked for and its words are none."""
    time = pick.hit.interval
    if expected is not AnswerType.TIME or pick.days is not None or time is None:
        return pick
    return replace(pick, text=phrase(time), days=time)


def _places(value: str, text: str) -> Iterator[tuple[int, int]]:
    """The offsets of a value's words in a text."""
    words = r"\s+".join(map(re.escape, value.split()))
    for match in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE):
        yield match.span()
