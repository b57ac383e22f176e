"""Dated statements proposed by a language model, if the passage supports them (TA-RAG, Section 4.1)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from timelens.documents import Chunk, Event, EventSource, QuotedTime
from timelens.ingest.annotate import AnnotatedDocument
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval

_PROPOSED = 0.6
"""Confidence of a time that a model assigns to a sentence."""


class Annotator(Protocol):
    """A language model that reads passages."""

    def propose(self, title: str, text: str) -> Sequence[QuotedTime] | None:
        """The dated statements of a passage; ``None`` if the model gives no usable answer."""


@dataclass(slots=True)
class Tally:
    """Counts of a model's proposals by outcome."""

    passages: int = 0
    fell_back: int = 0
    """Passages without a usable answer; they have only the times of the rules."""
    known: int = 0
    """Proposals that the rules had already found."""
    added: int = 0
    refused: int = 0
    """Proposals whose quote or whose time is not in the passage."""

    def note(self) -> str:
        """The counts in words."""
        proposed = self.known + self.added + self.refused
        return (
            f"the model proposed {proposed:,} dated statements for {self.passages:,} passages: "
            f"{self.known:,} were known to the rules, {self.added:,} were added, {self.refused:,} were "
            f"refused because the passage does not hold their words or their time; {self.fell_back:,} "
            f"passages fell back to the rules"
        )


def with_proposals(
    annotated: AnnotatedDocument, annotator: Annotator, tally: Tally, conventions: Conventions = USUAL
) -> AnnotatedDocument:
    """The document with the times that a model proposes for its passages, added to those of the rules.

    A proposal is accepted if its quote and its time are in the passage, word by word, and if the rules read
    that time as one that the passage states. Facts of tables are not changed.
    """
    chunks = tuple(
        chunk if chunk.fact is not None else _improved(chunk, annotator, tally, conventions)
        for chunk in annotated.chunks
    )
    return replace(annotated, chunks=chunks)


def _improved(chunk: Chunk, annotator: Annotator, tally: Tally, conventions: Conventions) -> Chunk:
    tally.passages += 1
    proposals = annotator.propose(chunk.title, chunk.text)
    if proposals is None:
        tally.fell_back += 1
        return chunk
    events = list(chunk.events)
    for proposal in proposals:
        found = list(_borne_out(proposal, chunk, conventions))
        if not found:
            tally.refused += 1
            continue
        news = [event for event in found if not any(_same(event, known) for known in events)]
        events += news
        tally.added += bool(news)
        tally.known += not news
    return replace(chunk, events=tuple(sorted(events, key=lambda event: event.sentence)))


def _borne_out(proposal: QuotedTime, chunk: Chunk, conventions: Conventions) -> Iterator[Event]:
    """The events of a proposal; none if the passage does not support it."""
    place = _find(proposal.quote, chunk.text)
    if place is None or _find(proposal.time, chunk.text) is None:
        return
    sentence = next((i for i, (_, end) in enumerate(chunk.sentences) if place < end), None)
    anchor = chunk.published.start if chunk.published else None
    stated = [event.interval for event in chunk.events if event.source is EventSource.STATED]
    for expression in find_expressions(proposal.time, anchor, conventions=conventions):
        time: Interval | None = expression.interval
        if time is not None and sentence is not None and any(time.same_days(other) for other in stated):
            yield Event(time, sentence, EventSource.ANCHORED, _PROPOSED)


def _same(event: Event, known: Event) -> bool:
    return event.sentence == known.sentence and event.interval.same_days(known.interval)


def _find(words: str, text: str) -> int | None:
    """The offset of words in a text, with any white space between them; ``None`` if absent."""
    if not words.strip():
        return None
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)"
    match = re.search(pattern, text)
    return None if match is None else match.start()
