"""Answers without a model: from facts by the solver, from text by its own sentences in order of time."""

import os
import sys
from collections.abc import Sequence

from timelens.answer.events import DatedEvent
from timelens.answer.model import Citation, Draft, Status, Value
from timelens.answer.reading import Expected, Reading, expected_of, quoted, read
from timelens.answer.solver import Solution, solve
from timelens.answer.timeline import label, start_of, time_of
from timelens.answer.topic import Topic, topic_of, words_of
from timelens.documents import Fact, Hit
from timelens.question.model import Intent, ParsedQuestion
from timelens.question.words import topic_words
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase, phrase_length

_ON_TOPIC = 0.2
"""Cosine similarity below which evidence is not about the question."""
_ON_TOPIC_WITHOUT_WORDS = 0.4
"""The same for evidence that is known to share no word with the question."""
_CLOSE_TO_BEST = 0.85
_MOST_POINT_SENTENCES = 3
_FACTS_FIRST = 0.1
_ENOUGH = 0.3


def answer_from(
    parsed: ParsedQuestion,
    hits: Sequence[Hit],
    pool: Sequence[Hit],
    events: Sequence[DatedEvent],
    gaps: Sequence[Interval],
    span: Interval | None,
) -> Draft:
    """An answer made of what the evidence says, word for word.

    ``hits`` are there to be cited, best first; the solver looks at the whole ``pool``. Facts answer where they
    account for the question's words as well as the text does.
    """
    topic = topic_of(parsed.core, pool)
    inside = [hit for hit in hits if _on_topic(hit) and _inside(hit, parsed.window)]
    expected = expected_of(parsed.question)
    readings = read(parsed, topic, inside, expected)
    solution = solve(parsed, pool)
    said = max((reading.share for reading in readings), default=0.0)
    if os.environ.get("DBG"):
        print("DBG", solution and (solution.fit, solution.missing, solution.column, solution.subject, len(solution.chosen)), said, [(r.score, r.share, topic.missing(topic_words(r.hit.chunk.content))) for r in readings][:3], file=sys.stderr)
    if solution is not None and not solution.missing and solution.fit >= said - _FACTS_FIRST:
        return _from_facts(parsed, solution, span)
    readings = [r for r in readings if r.share >= _ENOUGH and not topic.missing(words_of(r.hit))]
    if not readings:
        return _nothing(parsed, span)
    if parsed.is_point:
        return _from_point(readings, expected, topic, ordered=parsed.ordinal is not None)
    found = [reading.hit for reading in readings]
    return _quoted(found, expected, topic, Status.PARTIAL if gaps and not parsed.several else Status.ANSWERED)


def _from_facts(parsed: ParsedQuestion, solution: Solution, span: Interval | None) -> Draft:
    if not solution.chosen:
        first_days = [
            hit.chunk.fact.start for hit in solution.considered if hit.chunk.fact and hit.chunk.fact.start
        ]
        known = f" On {solution.subject} it holds {len(first_days)} facts." if first_days else ""
        return Draft(Status.NO_ANSWER, _nothing(parsed, span).text + known)
    lines = []
    values = []
    citations = []
    for number, hit in enumerate(solution.chosen, start=1):
        fact = hit.chunk.fact
        if fact is None:
            continue
        period = fact.period
        name = dict(fact.fields).get(solution.column, period) if solution.column else period
        length = f", {_length(fact, parsed)}" if parsed.intent is Intent.DURATION else ""
        subject = name if solution.column else solution.subject
        stated = ", ".join(filter(None, [solution.subject if solution.column else "", period]))
        lines.append(f"{subject}: {stated}{length} [{number}].")
        values.append(Value(name, fact.start, fact.end, (number,)))
        citations.append(Citation(number, hit))
    return Draft(Status.ANSWERED, "\n".join(lines), tuple(values), tuple(citations))


def _from_point(readings: Sequence[Reading], expected: Expected, topic: Topic, *, ordered: bool) -> Draft:
    """The best sentence, and those of other documents that come close to it.

    Where an order is asked for ("the last"), only those of the same day.
    """
    best = readings[0]
    chosen: list[Hit] = []
    for reading in readings:
        hit = reading.hit
        close = reading.score >= _CLOSE_TO_BEST * best.score
        same_day = not ordered or start_of(hit) == start_of(best.hit)
        other_document = all(hit.chunk.document_id != other.chunk.document_id for other in chosen)
        if close and same_day and other_document:
            chosen.append(hit)
    return _quoted(chosen[:_MOST_POINT_SENTENCES], expected, topic, Status.ANSWERED)


def _quoted(hits: Sequence[Hit], expected: Expected, topic: Topic, status: Status) -> Draft:
    citations = [Citation(number, hit) for number, hit in enumerate(hits, start=1)]
    in_time = sorted(citations, key=lambda citation: start_of(citation.hit))
    sentences = {citation.number: quoted(citation.hit, expected, topic) for citation in citations}
    lines = [f"{_dated(c.hit, sentences[c.number])} [{c.number}]" for c in in_time]
    values = tuple(_value(citation, sentences[citation.number]) for citation in citations)
    return Draft(status, "\n".join(lines), values, tuple(citations))


def _dated(hit: Hit, sentence: str) -> str:
    """The sentence of a hit with its time; a fact's sentence states it already."""
    return sentence if hit.chunk.fact is not None else f"{label(hit)}: {sentence}"


def _value(citation: Citation, sentence: str) -> Value:
    time = time_of(citation.hit)
    return Value(sentence, time.start if time else None, time.end if time else None, (citation.number,))


def _nothing(parsed: ParsedQuestion, span: Interval | None) -> Draft:
    asked = f" for {phrase(parsed.window)}" if parsed.window else ""
    held = f" It spans {phrase(span)}." if span else ""
    return Draft(Status.NO_ANSWER, f"The corpus holds nothing on this{asked}.{held}")


def _on_topic(hit: Hit) -> bool:
    if hit.scores.keyword:
        return True
    enough = _ON_TOPIC if hit.scores.keyword is None else _ON_TOPIC_WITHOUT_WORDS
    return (hit.scores.semantic or 0.0) >= enough


def _inside(hit: Hit, window: Interval | None) -> bool:
    if window is None:
        return True
    return any(event.interval.intersects(window) for event in hit.chunk.events)


def _length(fact: Fact, parsed: ParsedQuestion) -> str:
    """How long a fact held."""
    end: Day | None = fact.end
    if end is None and parsed.current and parsed.window and parsed.window.end:
        end = parsed.window.end - 1
    if fact.start is None or end is None or end < fact.start:
        return "without an end on record"
    return f"{phrase_length(fact.start, end)} ({end - fact.start:,} days)"
