"""The values of an answer as context for a follow-up question. Pure."""

from collections.abc import Iterator, Sequence

from timelens.answer.draft import Citation, Value
from timelens.question.followup.conversation import AnsweredValue
from timelens.temporal.interval import Interval


def answered_values(values: Sequence[Value], citations: Sequence[Citation]) -> Iterator[AnsweredValue]:
    """The values of an answer with their times, and whether a value is from a fact."""
    facts = {citation.number for citation in citations if citation.hit.chunk.fact is not None}
    for value in values:
        yield AnsweredValue(value.text, _interval(value), held=not facts.isdisjoint(value.citations))


def _interval(value: Value) -> Interval | None:
    """The half-open interval of a value; a value that ends on its start covers that day."""
    start, end = value.start, value.end
    if start is None and end is None:
        return None
    return Interval(start, end if start is None or end is None else max(end, start + 1))
