"""Writes resolved descriptions of a question (hops) as lines of its answer, with their evidence. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from timelens.answer.citation_numbers import cite, marks
from timelens.answer.draft import Citation, Derived, Draft, Statement, Status, Value
from timelens.answer.hit_times import time_of
from timelens.answer.hops.resolved_hop import ResolvedHop, UnresolvedHop
from timelens.answer.rendering.timeline import label
from timelens.answer.sentences import sentence_of
from timelens.answer.tables.columns import fact_of
from timelens.documents import Fact, Hit
from timelens.words import topic_words

_MOST_VALUES = 3
_CERTAIN = 1.0


def answer_of(one: ResolvedHop) -> Draft:
    """The draft if the resolved description itself is the answer, with the rows that it rests on."""
    fact = one.hit.chunk.fact
    said = sentence_of(one.hit) if fact is None else _recorded(fact_of(one.hit), one.name)
    start, end = (fact.start, fact.end) if fact is not None else (None, None)
    value = Value(one.name, start, end, (1,))
    lines, citations = [f"{one.name}: {said} [1]."], [Citation(1, one.hit)]
    for number, hit in enumerate((hit for hit in one.rests_on if hit.chunk.fact is not None), start=2):
        name = _value(hit, one.hop.of)
        lines.append(f"{name}: {_recorded(fact_of(hit), name)} [{number}].")
        citations.append(Citation(number, hit))
    return Draft(Status.ANSWERED, "\n".join(lines), (value,), tuple(citations))


def with_hops(draft: Draft, found: Sequence[ResolvedHop]) -> Draft:
    """The draft with a derived line for each resolved description, citing all evidence that it rests on.

    The line on a successor, for example, rests on the rows of both.
    """
    if draft.status is Status.NO_ANSWER:
        return draft
    citations, lines, derived = list(draft.citations), [draft.text], list(draft.derived)
    for one in found:
        numbers = [cite(citations, hit) for hit in (one.hit, *one.rests_on)]
        said = (
            f"{label(one.hit)}: {sentence_of(one.hit)}"
            if one.hit.chunk.fact is None
            else _recorded(fact_of(one.hit), one.name)
        )
        lines.append(f"{one.words[:1].upper()}{one.words[1:]}: {one.name}, {said} {marks(numbers)}.")
        derived.append(Derived(lines[-1], tuple(_operands(one))))
    return replace(draft, text="\n".join(lines), citations=tuple(citations), derived=tuple(derived))


def refusal(not_found: UnresolvedHop) -> Draft:
    """A refusal that names the unresolved description."""
    return Draft(Status.NO_ANSWER, f"The question cannot be answered. {not_found.text}")


def _operands(found: ResolvedHop) -> Iterator[Statement]:
    """The statements that a line is derived from: of the resolved description, and of what it rests on."""
    yield _statement(found.hit, found.name)
    for hit in found.rests_on:
        yield _statement(hit, _value(hit, found.words))


def _statement(hit: Hit, value: str) -> Statement:
    fact = hit.chunk.fact
    interval = time_of(hit) if fact is None else fact.validity
    return Statement(hit.chunk.title, "", value, interval, hit, _CERTAIN)


def _value(hit: Hit, words: str) -> str:
    """The value of a row with most words of a description; for a text, its sentence."""
    if hit.chunk.fact is None:
        return sentence_of(hit)
    wanted = topic_words(words)
    return max((value for _, value in fact_of(hit).fields), key=lambda v: len(topic_words(v) & wanted))


def _recorded(fact: Fact, name: str) -> str:
    """The values of a row and its days, without the ``name`` that stands before them.

    Of a row of many values only the days are told: most of them are not about the name.
    """
    others = [value for _, value in fact.fields if value and value != name]
    return ", ".join([*(others if len(others) <= _MOST_VALUES else ()), fact.period])
