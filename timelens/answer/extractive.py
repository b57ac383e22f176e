"""Answers without a model: from facts by the solver, from text by its own sentences in order of time."""

import re
from collections.abc import Sequence
from dataclasses import replace

from timelens.answer.events import DatedEvent
from timelens.answer.holders import Holder, holder_of
from timelens.answer.kinds import Match, fact_of
from timelens.answer.model import Citation, Draft, Status, Value
from timelens.answer.picking import Pick, is_sure, picks
from timelens.answer.reading import Expected, Reading, expected_of, quoted, read, sentence_of
from timelens.answer.records import Record, as_evidence, choose, records_of
from timelens.answer.solver import Solution, solve
from timelens.answer.timeline import label, start_of, time_of
from timelens.answer.topic import Topic, topic_of
from timelens.answer.wanted import wanted_by
from timelens.documents import Fact, Hit
from timelens.question.intent import asks_for_state
from timelens.question.model import Intent, Ordinal, ParsedQuestion, index_of
from timelens.question.names import is_person
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase, phrase_length
from timelens.words import topic_words

_ON_TOPIC = 0.2
"""Cosine similarity below which evidence is not about the question."""
_ON_TOPIC_WITHOUT_WORDS = 0.4
"""The same for evidence that is known to share no word with the question."""
_CLOSE_TO_BEST = 0.85
_MOST_POINT_SENTENCES = 3
_STATED_BEHIND, _POSSIBLY_BEHIND = 0.4, 0.1
"""How far facts may lag behind a text in the share of the question's words, by how well they match it."""
_TOLD = 0.8
"""The share of the question's words by which a sentence is taken to tell what is asked."""
_NAMED = (Expected.PERSON, Expected.NAME, Expected.ANY)
"""Kinds of answer that a text names."""
_ENOUGH = 0.3
"""The share of the question's words that evidence needs to be about it."""


def answer_from(
    parsed: ParsedQuestion,
    hits: Sequence[Hit],
    pool: Sequence[Hit],
    *,
    events: Sequence[DatedEvent] = (),
    gaps: Sequence[Interval] = (),
    span: Interval | None = None,
) -> Draft:
    """An answer made of what the evidence says, word for word.

    ``hits`` are there to be cited, best first; the solver looks at the whole ``pool``. ``events``
    are those that the question names, ``gaps`` the stretches of the asked time without evidence, and ``span``
    is that of the corpus.
    """
    # without a time to order by, the order is part of the topic: texts say of a thing that it was the first
    ordered = parsed.ordinal is not None and parsed.window is None
    topic = topic_of(parsed.question if ordered else parsed.core, pool)
    texts = [hit for hit in hits if hit.chunk.fact is None or not parsed.is_point]
    if not asks_for_state(parsed.core):  # what happened earlier did not happen then
        texts = [hit for hit in texts if "validity" not in hit.passed]
    inside = [hit for hit in texts if _on_topic(hit) and _inside(hit, parsed.window)]
    expected = expected_of(parsed.question)
    readings = read(parsed, topic, inside, expected)
    solution = solve(parsed, pool, [event.hit for event in events])
    said = max(((reading.said, reading.share) for reading in readings), key=sum, default=(0.0, 0.0))
    if solution is not None and not parsed.implicit and _may_answer(parsed, solution, said):
        return _with_events(_from_facts(parsed, solution, span), events)
    if parsed.offered and len(events) == len(parsed.offered):
        return _in_order(parsed, events)
    records = records_of(parsed, pool, events) if parsed.is_point and expected in _NAMED else []
    stated = choose(parsed, records, events) if records else None
    if stated:
        return _with_events(_from_records(stated), events)
    holder = holder_of(parsed, pool) if parsed.is_point and expected is Expected.PERSON else None
    if holder is not None:
        return _with_events(_from_holder(holder, expected, topic), events)
    if stated is not None:
        return _nothing(parsed, span)
    readings = [reading for reading in readings if reading.share >= _ENOUGH]
    wanted = wanted_by(parsed.question)
    short = parsed.is_point and not parsed.several and wanted.is_named and expected in _NAMED
    if topic.unknown or not (readings or short):
        return _nothing(parsed, span)
    if short:
        named = picks(parsed, wanted, topic, [hit for hit in pool if hit.chunk.fact is None])
        draft = _named(parsed, readings, named, topic, expected)
        return _nothing(parsed, span) if draft is None else _with_events(draft, events)
    if parsed.is_point:
        return _with_events(_from_point(readings, expected, topic, parsed.ordinal), events)
    found = [reading.hit for reading in readings]
    return _quoted(found, expected, topic, Status.PARTIAL if gaps and not parsed.several else Status.ANSWERED)


def _may_answer(parsed: ParsedQuestion, solution: Solution, said: tuple[float, float]) -> bool:
    """Whether facts answer rather than text: ``said`` is what its sentence and its passage have of the words.

    Facts that hold what is asked for may lag behind the text; others must not. A fact without an end has no
    length but up to now.
    """
    if re.match(r"\s*why\b", parsed.question, re.IGNORECASE):
        return False  # facts have no reasons
    if solution.kind.column is None and not solution.subject:
        return False
    lasting = parsed.intent is Intent.DURATION and not parsed.current
    if lasting and all(fact_of(hit).end is None for hit in solution.chosen):
        return False
    match solution.match:
        case Match.NONE:
            return False
        case Match.POSSIBLE if not solution.chosen or _names_no_person(parsed, solution):
            return solution.kind.fit >= max(_ENOUGH, *said)
        case Match.POSSIBLE:
            return solution.kind.fit >= max(_ENOUGH, sum(said) / 2 - _POSSIBLY_BEHIND)
        case Match.STATED:
            return solution.kind.fit >= max(said) - _STATED_BEHIND


def _names_no_person(parsed: ParsedQuestion, solution: Solution) -> bool:
    """Whether a person is asked for, and the values that answer do not look like one."""
    if expected_of(parsed.question) is not Expected.PERSON or solution.kind.column is None:
        return False
    values = (dict(fact_of(hit).fields).get(solution.kind.column, "") for hit in solution.chosen)
    return not any(map(is_person, values))


def _from_facts(parsed: ParsedQuestion, solution: Solution, span: Interval | None) -> Draft:
    column = solution.kind.column
    if not solution.chosen:
        count = len(solution.kind.facts)
        known = f" On {solution.subject} it holds {count} facts." if count and solution.subject else ""
        return Draft(Status.NO_ANSWER, _nothing(parsed, span).text + known)
    lines = []
    values = []
    citations = []
    for number, hit in enumerate(solution.chosen, start=1):
        fact = fact_of(hit)
        name = dict(fact.fields).get(column, fact.period) if column else fact.period
        length = _length(fact, parsed, inclusive=solution.inclusive)
        stated = [solution.subject] if column else []
        stated += [fact.period, *([length] if parsed.intent is Intent.DURATION else [])]
        lines.append(f"{name if column else solution.subject}: {', '.join(filter(None, stated))} [{number}].")
        values.append(Value(name, fact.start, fact.end, (number,)))
        citations.append(Citation(number, hit))
    return Draft(Status.ANSWERED, "\n".join(lines), tuple(values), tuple(citations))


def _from_records(records: Sequence[Record]) -> Draft:
    """What lines of a register state, each value before its line."""
    citations = tuple(Citation(number, as_evidence(record)) for number, record in enumerate(records, start=1))
    lines = [f"{record.value}: {record.line} [{n}]" for n, record in enumerate(records, start=1)]
    values = tuple(
        _value(citation, record.value) for citation, record in zip(citations, records, strict=True)
    )
    return Draft(Status.ANSWERED, "\n".join(lines), values, citations)


def _from_holder(holder: Holder, expected: Expected, topic: Topic) -> Draft:
    """Who held an office, before the sentences that tell it."""
    draft = _quoted(holder.hits, expected, topic, Status.ANSWERED)
    marks = "".join(f"[{citation.number}]" for citation in draft.citations)
    numbers = tuple(citation.number for citation in draft.citations)
    value = Value(holder.name, holder.interval.start, holder.interval.end, numbers)
    return replace(draft, text=f"{holder.name} {marks}.\n{draft.text}", values=(value,))


def _in_order(parsed: ParsedQuestion, events: Sequence[DatedEvent]) -> Draft:
    """Which of the things offered came first, or last; both stand with their days, the answer first."""
    pairs = list(zip(parsed.offered, events, strict=True))
    pairs.sort(key=lambda pair: pair[1].interval.bounds, reverse=parsed.ordinal == "last")
    answer, event = pairs[0]
    lines = [f"{thing}: {sentence_of(e.hit)} [{n}]" for n, (thing, e) in enumerate(pairs, start=1)]
    return Draft(
        Status.ANSWERED,
        "\n".join(lines),
        (Value(answer, event.interval.start, event.interval.end, (1,)),),
        tuple(Citation(number, event.hit) for number, (_, event) in enumerate(pairs, start=1)),
    )


def _with_events(draft: Draft, events: Sequence[DatedEvent]) -> Draft:
    """The answer with the days of the events that the question names, each with its evidence."""
    if draft.status is Status.NO_ANSWER:
        return draft
    cited = {citation.hit.chunk.id: citation.number for citation in draft.citations}
    citations, lines = list(draft.citations), [draft.text]
    for event in events:
        number = cited.setdefault(event.hit.chunk.id, len(citations) + 1)
        if number > len(citations):
            citations.append(Citation(number, event.hit))
        fact = event.hit.chunk.fact
        days = phrase(event.interval) if fact is None else fact.period
        lines.append(f"{event.text[:1].upper()}{event.text[1:]}: {days} [{number}].")
    return replace(draft, text="\n".join(lines), citations=tuple(citations))


def _from_point(
    readings: Sequence[Reading], expected: Expected, topic: Topic, ordinal: Ordinal | None
) -> Draft:
    """The best sentence, and those of other documents that come close to it.

    Where an order is asked for ("the last", "as of"), what comes close stands in time, and its place counts.
    """
    close = [reading.hit for reading in readings if reading.score >= _CLOSE_TO_BEST * readings[0].score]
    if ordinal is not None and not _says(close[0], ordinal):
        days = sorted({start_of(hit) for hit in close})
        index = index_of(ordinal)
        day = days[index] if -len(days) <= index < len(days) else start_of(close[0])
        close = [hit for hit in close if start_of(hit) == day]
    chosen: dict[str, Hit] = {}
    for hit in close:
        chosen.setdefault(hit.chunk.document_id, hit)
    return _quoted(list(chosen.values())[:_MOST_POINT_SENTENCES], expected, topic, Status.ANSWERED)


def _shortened(draft: Draft, found: Sequence[Pick]) -> Draft:
    """The same sentences, each value cut down to the name in its sentence that answers best."""
    cited = {citation.number: citation.hit for citation in draft.citations}
    short = [
        next((pick.text for pick in found if pick.is_in(cited[value.citations[0]])), value.text)
        for value in draft.values
    ]
    values = (replace(value, text=text) for value, text in zip(draft.values, short, strict=True))
    return replace(draft, values=tuple(values))


def _named(
    parsed: ParsedQuestion,
    readings: Sequence[Reading],
    found: Sequence[Pick],
    topic: Topic,
    expected: Expected,
) -> Draft | None:
    """A name for an answer, with the sentences that tell it; ``None`` where none is likely to.

    What was so is told by many a sentence, and the name that answers best leads to the right one. Of what
    happened, or stands at a place in an order, the sentence that tells it comes first.
    """
    draft = _from_point(readings, expected, topic, parsed.ordinal) if readings else None
    best = next(iter(found), None)
    if best is None or not is_sure(found):
        if draft is None or not _is_told(parsed, readings[0], topic):
            return None
        return _shortened(draft, found)
    if draft is not None and (parsed.ordinal or not asks_for_state(parsed.core)):
        return _shortened(draft, found)
    others = [] if draft is None else [c.hit for c in draft.citations if c.hit.chunk.id != best.hit.chunk.id]
    hits = [best.hit, *others][:_MOST_POINT_SENTENCES]
    lines = [f"{_dated(hit, quoted(hit, expected, topic))} [{n}]" for n, hit in enumerate(hits, start=1)]
    citations = tuple(Citation(number, hit) for number, hit in enumerate(hits, start=1))
    text = "\n".join([f"{best.text} [1].", *lines])
    return Draft(Status.ANSWERED, text, (_value(citations[0], best.text),), citations)


def _is_told(parsed: ParsedQuestion, best: Reading, topic: Topic) -> bool:
    """Whether the best sentence tells what is asked, though no name in it is sure to answer.

    What was so it tells in most of the question's words, what happened as of its own time; but what happened
    in a span does not tell what was so over it.
    """
    if _spans(parsed):
        return False
    if parsed.window is None or parsed.ordinal is not None:
        return True
    return _tells(best, topic) if asks_for_state(parsed.core) else _is_brief(best.hit)


def _spans(parsed: ParsedQuestion) -> bool:
    """Whether a question names the first and the last day of a stay ("from 1999 to 2004")."""
    relations = (constraint.relation for constraint in parsed.constraints)
    return any(isinstance(relation, Relation) and relation.takes_two_dates for relation in relations)


def _tells(reading: Reading, topic: Topic) -> bool:
    """Whether a sentence of the asked time itself has most of the question's words."""
    hit = reading.hit
    if hit.sentence is None or "validity" in hit.passed:
        return False
    return topic.share(topic_words(f"{hit.chunk.title} {hit.chunk.sentence(hit.sentence)}")) >= _TOLD


def _is_brief(hit: Hit) -> bool:
    """Whether the time of a sentence is that of something that happened: no longer than it is exact."""
    return hit.interval is not None and hit.interval.days <= hit.interval.granularity.days


def _says(hit: Hit, ordinal: Ordinal) -> bool:
    """Whether a sentence itself says of something that it was the first, or the third."""
    word = "first" if ordinal == "first" else str(ordinal)
    return ordinal != "last" and word in topic_words(sentence_of(hit))


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
    if window is None or "validity" in hit.passed:
        return True
    return any(event.interval.intersects(window) for event in hit.chunk.events)


def _length(fact: Fact, parsed: ParsedQuestion, *, inclusive: bool) -> str:
    """How long a fact held; ``inclusive``: the recorded end is its last day."""
    end: Day | None = fact.end
    if end is not None and inclusive:
        end += 1
    if end is None and parsed.current and parsed.window and parsed.window.end:
        end = parsed.window.end - 1
    if fact.start is None or end is None or end < fact.start:
        return "without an end on record"
    return f"{phrase_length(fact.start, end)} ({end - fact.start:,} days)"
