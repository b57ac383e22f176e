"""Answers from texts about one point in time: the span that the reader found, or the best sentences."""

import re
from collections.abc import Sequence
from dataclasses import replace

from timelens.answer.draft import Draft, Status
from timelens.answer.hit_times import start_of, time_of
from timelens.answer.relevance import Topic, said_by
from timelens.answer.sentences import sentence_of
from timelens.answer.text.picked_spans import Pick
from timelens.answer.text.plans import is_planned
from timelens.answer.text.sentence_match import AnswerType, SentenceMatch
from timelens.answer.writing.drafts import from_name, from_sentences
from timelens.documents import Hit
from timelens.question.intent import asks_for_state
from timelens.question.parsed_question import Ordinal, ParsedQuestion, index_of
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.phrasing import phrase
from timelens.words import topic_words

_CLOSE_TO_BEST = 0.85
_MOST_POINT_SENTENCES = 3
_PLAIN = (Granularity.DAY, Granularity.MONTH, Granularity.YEAR)
"""Granularities of dates that are written in one normal form."""
_LONGER = 13
"""Longest time of a sentence, as a multiple of the asked time: a year for a month."""
_TELLS = 0.45
"""Minimum cosine similarity to the question and share of its words in a sentence that answers it."""
_SAYS_IT = 0.6
"""The minimum share of words if there is no similarity."""
_BESIDE_LIKELIEST = 1.2
"""Maximum distance in log odds from the likeliest answer for an answer that counts as equally sure.

These thresholds were chosen on nine collections and the questions on the bundled documents and the Fed's
statements; none of them is held out.
"""


def from_point(
    readings: Sequence[SentenceMatch], expected: AnswerType, topic: Topic, ordinal: Ordinal | None
) -> Draft:
    """A draft of the best sentence and of close ones from other documents.

    If the question asks for an order ("the last", "as of"), the close sentences are ordered by their starts,
    and those at the asked place are used, unless the best sentence itself states the ordinal.
    """
    close = [reading.hit for reading in readings if reading.score >= _CLOSE_TO_BEST * readings[0].score]
    if ordinal is not None and not _says(close[0], ordinal):
        day = _day_of_turn(close, ordinal)
        close = [hit for hit in close if start_of(hit) == day]
    return from_sentences(_of_each_document(close), expected, topic, Status.ANSWERED)


_DONE = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
"""Verbs of a question about the past."""


def from_pick(found: Sequence[Pick], topic: Topic, expected: AnswerType, parsed: ParsedQuestion) -> Draft:
    """A draft of the likeliest pick at the asked time or place in order, and the sentences that state it."""
    best = _in_turn(found, parsed)
    told = _agreeing(best, found, parsed)
    happened = topic_words(parsed.core)
    planned = bool(_DONE.search(parsed.question)) and all(is_planned(hit.said, happened) for hit in told)
    draft = from_name(_named(best, expected), told, expected, topic, best.probability, planned=planned)
    if planned or best.days is not None:  # neither a plan nor a date is a value over time
        return draft
    return replace(draft, series=draft.statements)


def _in_turn(found: Sequence[Pick], parsed: ParsedQuestion) -> Pick:
    """The likeliest pick inside the asked time; for an order, the pick at the asked place.

    The reader scores the values of one thing over time about equally; their times decide between them.
    """
    inside = [pick for pick in _close(found) if _is_inside(pick.hit, parsed.window)]
    if parsed.ordinal is not None and inside and not _says(inside[0].hit, parsed.ordinal):
        day = _day_of_turn([pick.hit for pick in inside], parsed.ordinal)
        inside = [pick for pick in inside if start_of(pick.hit) == day]
    return [*inside, *found][0]


def _day_of_turn(hits: Sequence[Hit], ordinal: Ordinal) -> float:
    """The start of the hits at the asked place in time; if there is no such place, that of the first hit."""
    days = sorted({start_of(hit) for hit in hits})
    index = index_of(ordinal)
    return days[index] if -len(days) <= index < len(days) else start_of(hits[0])


def _agreeing(best: Pick, found: Sequence[Pick], parsed: ParsedQuestion) -> list[Hit]:
    """The hit of a pick, and hits of other documents that state the same inside the asked time."""
    same = [pick.hit for pick in _close(found) if pick.plain == best.plain]
    return _of_each_document([best.hit, *(hit for hit in same if _is_inside(hit, parsed.window))])


def _of_each_document(hits: Sequence[Hit]) -> list[Hit]:
    """The first hit of each document, at most ``_MOST_POINT_SENTENCES``."""
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(hit.chunk.document_id, hit)
    return list(first.values())[:_MOST_POINT_SENTENCES]


def _close(found: Sequence[Pick]) -> list[Pick]:
    return [pick for pick in found if pick.score >= found[0].score - _BESIDE_LIKELIEST]


def _is_inside(hit: Hit, window: Interval | None) -> bool:
    time = time_of(hit)
    return window is None or (time is not None and time.intersects(window))


def _named(best: Pick, expected: AnswerType) -> str:
    """The text of a pick in self-contained form: a date with its year."""
    has_figures = any(map(str.isdigit, best.text))
    if (
        best.days is not None
        and best.days.granularity in _PLAIN
        and (expected is AnswerType.TIME or has_figures)
    ):
        return phrase(best.days)
    if (
        expected is AnswerType.TIME
        and best.hit.interval is not None
        and best.days is None
        and not has_figures
    ):
        return phrase(best.hit.interval)  # an event under a date heading
    return best.text


def is_told(best: SentenceMatch, topic: Topic, parsed: ParsedQuestion) -> bool:
    """Whether the best sentence answers the question, although no span in it is sure."""
    share, semantic = topic.share(said_by(best.hit)), best.hit.scores.semantic
    tells = share >= _SAYS_IT if semantic is None else min(share, semantic) >= _TELLS
    return tells and not is_longer(best.hit, parsed)


def is_longer(hit: Hit, parsed: ParsedQuestion) -> bool:
    """Whether the question asks for an event and the sentence's time far exceeds the asked one."""
    time, window = hit.interval, parsed.window
    if time is None or window is None or asks_for_state(parsed.core):
        return False
    return time.contains(window) and time.days > _LONGER * window.days


def _says(hit: Hit, ordinal: Ordinal) -> bool:
    """Whether a sentence itself contains the ordinal, such as "first" or "third"."""
    word = "first" if ordinal == "first" else str(ordinal)
    return ordinal != "last" and word in topic_words(sentence_of(hit))
