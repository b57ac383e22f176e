"""The evidence and the verification of an answer, in words shared by all interfaces. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from timelens.answer.citation_numbers import without_citations
from timelens.answer.draft import Claim, Support, TimeReference
from timelens.answer.rendering.shown_evidence import AskedPeriod, ShownEvidence
from timelens.answer.rendering.timeline import label
from timelens.documents import Fact, Hit
from timelens.printable import printable, printable_line, shortened
from timelens.question.parsed_question import Period, PeriodRole
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

CITED_NUMBER = re.compile(r"\[(\d{1,9})\]")
"""A citation in an answer that an interface shows."""
_LONGEST_HEADING = 200

SUPPORT_MARKS = {Support.SUPPORTED: "✓", Support.CONTRADICTED: "✗", Support.UNSUPPORTED: "?"}


@dataclass(frozen=True, slots=True)
class SupportMark:
    """The half-open offsets of a time in an answer's text, with its support.

    An empty mark at the end of a line is about the whole line.
    """

    start: int
    end: int
    support: Support


def heading(hit: Hit) -> str:
    """The heading of a piece of evidence: its document's title, or the fields of a fact.

    Fields are reversed, because tables go from the general to the particular: ``Salyut 1, Soviet Union``. A
    number stands with the name of its column, and numbers alone in the order of the table: ``members 131,
    boats 8``. If several corpora are asked, the name of its corpus comes last.
    """
    fact = hit.chunk.fact
    named = _fields(fact) if fact else hit.chunk.title
    of_corpus = f" ({printable_line(hit.chunk.corpus)})" if hit.chunk.corpus else ""
    named = printable_line(named) or printable_line(hit.chunk.document_id)
    return shortened(named, _LONGEST_HEADING) + of_corpus


def _fields(fact: Fact) -> str:
    stated = [(name, value) for name, value in fact.fields if value]
    has_words = [any(map(str.isalpha, value)) for _, value in stated]
    told = [
        value if is_word else f"{name} {value}"
        for (name, value), is_word in zip(stated, has_words, strict=True)
    ]
    return ", ".join(reversed(told) if any(has_words) else told)


def heading_beside(hit: Hit) -> str:
    """The heading of a piece of evidence beside its time; empty if it says no more than the time."""
    named = heading(hit)
    return "" if named == label(hit) else named


def periods_words(periods: Iterable[Period | AskedPeriod]) -> str:
    """The periods with their roles, unless merely asked for: ``2004 (baseline); 2009 (comparison)``."""
    return "; ".join(
        phrase(period.interval) + ("" if period.role is PeriodRole.ASKED else f" ({period.role})")
        for period in periods
    )


def nearest_words(periods: Sequence[Interval]) -> str:
    """The label of a nearest passage in a refusal, with the periods that it is nearest to."""
    return "nearest passage" + (f" ({'; '.join(map(phrase, periods))})" if periods else "")


def use_words(number: int, evidence: ShownEvidence) -> str:
    """Whether the answer cites a piece, or names it as nearest because it found no answer; else empty."""
    if number in evidence.cited:
        return "cited"
    return nearest_words(evidence.nearest[number]) if number in evidence.nearest else ""


def date_marks(
    text: str, references: Sequence[TimeReference], missing: Iterable[Interval]
) -> list[SupportMark]:
    """The marks of the times that an answer states, in order.

    ``missing`` are times that the answer names because there is no evidence for them; they get no mark.
    """
    marks = []
    position = 0
    unstated = list(missing)
    for reference in references:
        start = text.find(reference.text, position)
        if start < 0:
            continue
        position = start + len(reference.text)
        interval = reference.interval
        if interval is None or reference.citations or not any(interval.same_days(t) for t in unstated):
            marks.append(SupportMark(start, position, reference.support))
    return marks


def line_marks(text: str, claims: Sequence[Claim], dates: Sequence[SupportMark]) -> list[SupportMark]:
    """Marks at the ends of the lines that the evidence does not support, in order.

    A line whose dates are all marked as doubtful gets no mark of its own.
    """
    marks = []
    left = [claim for claim in claims if claim.support is not Support.SUPPORTED]
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        stated = without_citations(line)
        claim = next((claim for claim in left if printable(claim.text) == stated), None)
        if claim is not None:
            left.remove(claim)
            own = [mark.support for mark in dates if start <= mark.start < end]
            if not own or Support.SUPPORTED in own:
                marks.append(SupportMark(end, end, claim.support))
        start += len(line)
    return marks


def dates_line(marks: Sequence[SupportMark]) -> str | None:
    """The numbers of marked times by support, in words; ``None`` without marks."""
    if not marks:
        return None
    counts = Counter(mark.support for mark in marks)
    words = [f"{SUPPORT_MARKS[s]} {counts[s]} {s}" for s in Support if counts[s]]
    return "dates: " + " · ".join(words)
