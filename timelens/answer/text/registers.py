"""Texts that read like a register: "Ada Lind plays for FC Bern from Jan 2011 to Jan 2013." Pure.

A line that names a subject, says one thing of it and ends with when it was so is as good as a row of a
table: what held at a time, and what came before and after, follows from the lines alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.answer.draft import Statement
from timelens.answer.operations import after, before
from timelens.answer.relevance import ASKING
from timelens.answer.tables.columns import OF_ANY_FACT
from timelens.answer.tables.solver import select
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.text.sentence_match import denies
from timelens.documents import Fact, Hit
from timelens.lexicon import OFFICES, RELATIONS, one_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.constraints import Relation
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval
from timelens.words import topic_words

_IS = r"(?:is|was|has been|had been|were|are)"
_ARTICLE = r"(?:the |a |an )?"
_STANDING_FOR = {"is": rf"{_IS}(?: the| an?)?", "OFFICE": rf"(?:[\w-]+ ){{0,2}}(?:{one_of(OFFICES)})"}
"""What words of the lexicon's relations stand for."""


def _phrase(said: str) -> str:
    """The pattern of a phrase that states a relation."""
    return " ".join(_STANDING_FOR.get(word) or f"(?:{word.replace('/', '|')})" for word in said.split())


_RELATIONS: Sequence[tuple[re.Pattern[str], re.Pattern[str]]] = tuple(
    (
        re.compile(rf"\b(?:{'|'.join(asked).replace('OFFICE', one_of(OFFICES))})", re.IGNORECASE),
        re.compile(rf"^(?P<subject>.+?) (?:{'|'.join(map(_phrase, said))}) (?:(?:the|an?) )?(?P<object>.+)$"),
    )
    for asked, said in RELATIONS
)
"""How a question asks for a relation, and how a register states it."""
_HELD = re.compile(
    r"^(?P<holder>(?!(?:He|She|It|They|This|That|There|Who)\b)[^\W\d_a-z][^.;:]*?)"
    rf" {_IS} {_ARTICLE}(?P<office>.+)$"
)
_HOLDING = topic_words("become became earliest")
"""Words that a question has for the holding of an office, beside those of :data:`OF_ANY_FACT`."""
_LINE_END = re.compile(r"(?<=\d)\.(?=\s)|\n+")


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """One line: the value that it gives to what is asked, and for how long."""

    value: str
    interval: Interval
    line: str
    hit: Hit


def register_lines(
    parsed: ParsedQuestion, hits: Sequence[Hit], events: Sequence[DatedEvent] = ()
) -> list[RegisterLine]:
    """What lines say of the question's subject, in the relation asked for, in order of time."""
    asked = parsed.question
    for text, _ in _beside(parsed, events):
        asked = asked.replace(text, " ")
    question = topic_words(asked)
    patterns = [said for words, said in _RELATIONS if words.search(asked)]
    office = topic_words(parsed.core) - ASKING - OF_ANY_FACT - _HOLDING
    found: dict[tuple[str, tuple[float, float]], RegisterLine] = {}
    for hit in hits:
        for line in _LINE_END.split(hit.chunk.text):
            parted = _parted(line)
            if parted is None or denies(line):
                continue
            statement, interval, is_term = parted
            holders = _holder(statement, office) if is_term else ()
            for value in (*_values(statement, patterns, question), *holders):
                found.setdefault((value, interval.bounds), RegisterLine(value, interval, line.strip(), hit))
    return sorted(found.values(), key=lambda record: (record.interval.bounds, record.value))


def _parted(line: str) -> tuple[str, Interval, bool] | None:
    """What a line says and when it was so, where it ends with that; and whether it says from or to when."""
    line = line.strip().rstrip(".")
    if not line[-1:].isdigit() and not line.endswith(")"):
        return None
    for expression in reversed(find_expressions(line)):
        ends = line[expression.char_end :].strip(" )") == ""
        if not ends or expression.interval is None:
            return None
        statement = line[: expression.char_start].rstrip(" ,(")
        return statement, expression.interval, expression.relation is not None
    return None


def _values(statement: str, patterns: Sequence[re.Pattern[str]], question: frozenset[str]) -> Iterator[str]:
    """The side of a statement that the question does not name, where it names the other in full."""
    for pattern in patterns:
        match = pattern.match(statement)
        if match is None:
            continue
        subject, other = match["subject"], match["object"]
        if topic_words(subject) and topic_words(subject) <= question:
            yield other
        elif topic_words(other) and topic_words(other) <= question:
            yield subject
        return


def _holder(statement: str, office: frozenset[str]) -> Iterator[str]:
    """Who held an office, by its whole name and no longer one: "Ada Lind was Prime Minister of Arcadia"."""
    match = _HELD.match(statement)
    if match is not None and office and topic_words(match["office"]) == office:
        yield match["holder"]


def answering_lines(
    parsed: ParsedQuestion, records: Sequence[RegisterLine], events: Sequence[DatedEvent]
) -> list[RegisterLine] | None:
    """The records that answer: those that hold at the asked time, or the one next to a named one.

    Empty where none holds then; ``None`` where the question asks for something else of them.
    """
    for text, relation in _beside(parsed, events):
        named = [record for record in records if _same(record.value, text)]
        if named:
            return _next_to(named, records, relation)
    window = parsed.window
    if window is None or parsed.implicit:
        return None
    facts = [_as_fact(str(number), record) for number, record in enumerate(records)]
    chosen = {hit.chunk.id for hit in select(parsed, facts, inclusive=True)}
    holding = [record for fact, record in zip(facts, records, strict=True) if fact.chunk.id in chosen]
    return sorted(holding, key=lambda r: (-_days_shared(r.interval, window), -r.interval.bounds[0], r.value))


def _as_fact(name: str, record: RegisterLine) -> Hit:
    """A record as the row of a table whose ends are last days."""
    time = record.interval
    last = None if time.end is None else time.end - 1
    fact = Fact((("value", record.value),), time.start, last, time.granularity)
    return replace(record.hit, chunk=replace(record.hit.chunk, id=name, fact=fact))


def _beside(parsed: ParsedQuestion, events: Sequence[DatedEvent]) -> Iterator[tuple[str, Relation]]:
    """What the question says its answer comes before or after."""
    for implicit in parsed.implicit:
        yield implicit.text, implicit.relation
    for constraint in parsed.constraints:
        for event in events:
            if event.text in constraint.text and isinstance(constraint.relation, Relation):
                yield event.text, constraint.relation


def _same(value: str, text: str) -> bool:
    return bool(topic_words(text)) and topic_words(value) == topic_words(text)


def _next_to(
    named: Sequence[RegisterLine], records: Sequence[RegisterLine], relation: Relation
) -> list[RegisterLine] | None:
    """The record next to those of a value, in the order of their beginnings."""
    told = [_as_statement(record) for record in records]
    ends = sorted(map(_as_statement, named), key=lambda one: one.interval.bounds if one.interval else ())
    if relation is Relation.AFTER:
        found = after(told, ends[-1])[:1]
    elif relation is Relation.BEFORE:
        found = before(told, ends[0])[-1:]
    else:
        return None
    return [record for record, one in zip(records, told, strict=True) if one in found][:1]


def _as_statement(record: RegisterLine) -> Statement:
    return Statement("", "", record.value, record.interval, record.hit, 1.0)


def _days_shared(time: Interval, window: Interval) -> float:
    """The days of a time in a window; of a window open to the past its last day counts."""
    (start, end), (first, last) = time.bounds, window.bounds
    return min(end, last) - max(start, first, last - 1 if window.start is None else first)


def as_evidence(record: RegisterLine) -> Hit:
    """The hit of a record, by its sentence and with its time."""
    chunk = record.hit.chunk
    position = chunk.text.find(record.line)
    index = next(
        (i for i, (start, end) in enumerate(chunk.sentences) if start <= position < end), record.hit.sentence
    )
    return replace(record.hit, sentence=index, interval=record.interval)
