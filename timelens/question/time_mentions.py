"""The offsets of the times in a question. Pure."""

import re
from collections.abc import Iterator

from timelens.question.parsed_question import ParsedQuestion

Span = tuple[int, int]


def mentions(parsed: ParsedQuestion) -> tuple[Span, ...]:
    """The spans of the times in a question, with their prepositions.

    Half-open offsets in characters of ``parsed.question``, in order, without overlaps.
    """
    return tuple(_apart(sorted(set(_found(parsed)))))


def _found(parsed: ParsedQuestion) -> Iterator[Span]:
    position = 0
    for constraint in parsed.constraints:
        if constraint.interval is None or not constraint.text.strip():
            continue
        words = r"\s+".join(map(re.escape, constraint.text.split()))
        pattern = re.compile(rf"(?<!\w){words}(?!\w)")
        match = pattern.search(parsed.question, position) or pattern.search(parsed.question)
        if match is not None:
            position = match.end()
            yield match.span()


def _apart(spans: list[Span]) -> Iterator[Span]:
    """Sorted spans without those that begin inside the previous one."""
    end = 0
    for span in spans:
        if span[0] >= end:
            yield span
            end = span[1]
