"""Answers from texts to a question about one point in time: its best sentences, or the name in them. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from timelens.answer.drafts import from_name, from_sentences
from timelens.answer.model import Draft, Status
from timelens.answer.picking import Pick, is_sure
from timelens.answer.reading import Expected, Reading, sentence_of
from timelens.answer.timeline import start_of
from timelens.answer.topic import Topic, said_by
from timelens.documents import Hit
from timelens.question.intent import asks_for_state
from timelens.question.model import Ordinal, ParsedQuestion, index_of
from timelens.question.names import names_in
from timelens.temporal.constraints import Relation
from timelens.words import topic_words

_CLOSE_TO_BEST = 0.85
_MOST_POINT_SENTENCES = 3
_TOLD = 0.8
"""The share of the question's words by which a sentence is taken to tell what is asked."""


def from_point(
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
    return from_sentences(list(chosen.values())[:_MOST_POINT_SENTENCES], expected, topic, Status.ANSWERED)


def _shortened(draft: Draft, found: Sequence[Pick]) -> Draft:
    """The same sentences, each value cut down to the name in its sentence that answers best."""
    cited = {citation.number: citation.hit for citation in draft.citations}
    short = [
        next((pick.text for pick in found if pick.is_in(cited[value.citations[0]])), value.text)
        for value in draft.values
    ]
    values = (replace(value, text=text) for value, text in zip(draft.values, short, strict=True))
    return replace(draft, values=tuple(values))


def from_named(
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
    draft = from_point(readings, expected, topic, parsed.ordinal) if readings else None
    best = next(iter(found), None)
    if expected is Expected.PERSON and best is not None and not names_in(best.text):
        return None  # no name at all answers "who"
    if best is None or not is_sure(found):
        if draft is None or not _is_told(parsed, readings[0], topic):
            return None
        return _shortened(draft, found)
    if draft is not None and (parsed.ordinal or not asks_for_state(parsed.core)):
        return _shortened(draft, found)
    others = [] if draft is None else [c.hit for c in draft.citations if c.hit.chunk.id != best.hit.chunk.id]
    hits = [best.hit, *others][:_MOST_POINT_SENTENCES]
    return from_name(best.text, hits, expected, topic)


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
    return topic.share(said_by(hit)) >= _TOLD


def _is_brief(hit: Hit) -> bool:
    """Whether the time of a sentence is that of something that happened: no longer than it is exact."""
    return hit.interval is not None and hit.interval.days <= hit.interval.granularity.days


def _says(hit: Hit, ordinal: Ordinal) -> bool:
    """Whether a sentence itself says of something that it was the first, or the third."""
    word = "first" if ordinal == "first" else str(ordinal)
    return ordinal != "last" and word in topic_words(sentence_of(hit))
