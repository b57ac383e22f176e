"""Every time that an answer states, checked against the evidence it cites. Pure."""

import re
from collections.abc import Iterator, Sequence

from timelens.answer.model import Citation, Draft, Support, TimeReference
from timelens.documents import Chunk
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Interval, day_interval, granule

_CITED = re.compile(r"\[(\d{1,6})\]", re.ASCII)


def verify(draft: Draft, conventions: Conventions = USUAL) -> tuple[TimeReference, ...]:
    """The times of an answer's text, line by line, with what the citations of their line say of them.

    A time is supported when a cited piece of evidence states it, or states a day of it, both ends in the
    case of a range; contradicted when all that is cited is dated and lies elsewhere; otherwise unsupported.
    """
    evidence = {citation.number: citation for citation in draft.citations}
    references: list[TimeReference] = []
    for line in draft.text.splitlines():
        cited = [evidence[int(n)] for n in dict.fromkeys(_CITED.findall(line)) if int(n) in evidence]
        anchor = next((c.hit.chunk.published.start for c in cited if c.hit.chunk.published), None)
        references.extend(
            _checked(expression, cited)
            for expression in find_expressions(
                _CITED.sub(lambda m: " " * len(m.group()), line), anchor, conventions=conventions
            )
            if expression.interval is not None
        )
    return tuple(references)


def doubts(references: Sequence[TimeReference]) -> Iterator[str]:
    """What the user should know of the times of an answer: none that is contradicted passes for a fact."""
    wrong = dict.fromkeys(r.text for r in references if r.support is Support.CONTRADICTED)
    if wrong:
        yield f"the evidence cited for it contradicts what the answer says of {', '.join(wrong)}"


def _checked(expression: Expression, cited: Sequence[Citation]) -> TimeReference:
    interval = expression.interval
    if interval is None:
        raise ValueError(f"{expression.text!r} states no time")
    supporting = _supporting(expression, interval, cited)
    if supporting:
        numbers = tuple(c.number for c in cited if c.number in supporting)
        return TimeReference(expression.text, interval, Support.SUPPORTED, numbers)
    dated = [c for c in cited if c.hit.chunk.events]
    elsewhere = [c for c in dated if not any(time.intersects(interval) for time in _times(c.hit.chunk))]
    support = Support.CONTRADICTED if dated and len(elsewhere) == len(cited) else Support.UNSUPPORTED
    return TimeReference(expression.text, interval, support, tuple(c.number for c in cited))


def _supporting(expression: Expression, interval: Interval, cited: Sequence[Citation]) -> set[int]:
    """Numbers of the citations that state an expression: in its words, as a whole, or each end by one."""
    words = re.compile(rf"(?<!\w){re.escape(expression.text)}(?!\w)")
    whole = {
        c.number
        for c in cited
        if words.search(c.hit.chunk.text) or any(interval.same_days(time) for time in _times(c.hit.chunk))
    }
    if whole:
        return whole
    by_date = [{c.number for c in cited if _states(c.hit.chunk, date)} for date in expression.dates]
    return set().union(*by_date) if all(by_date) else set()


def _states(chunk: Chunk, date: Interval) -> bool:
    return any(date.same_days(time) or (date.days > 1 and date.contains(time)) for time in _times(chunk))


def _times(chunk: Chunk) -> Iterator[Interval]:
    """All times that a chunk states: its events, its day, and the recorded days of a fact."""
    yield from (event.interval for event in chunk.events)
    if chunk.published is not None:
        yield chunk.published
    if chunk.fact is not None:
        for day in (chunk.fact.start, chunk.fact.end):
            if day is not None:
                yield granule(day, chunk.fact.granularity)
                yield day_interval(day)
        if chunk.fact.start is not None and chunk.fact.end is not None:
            yield Interval(chunk.fact.start, chunk.fact.end + 1, chunk.fact.granularity)
