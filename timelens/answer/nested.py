"""Whether an answer is sure where its question puts an event in the place of a time. Pure.

Without the day of the event what the question shares words with may be of any time. What was found for the
event itself is no answer to what is asked of its day.
"""

from collections.abc import Sequence

from timelens.answer.events import DatedEvent
from timelens.answer.hops import UNDATED, NotFound
from timelens.answer.model import Draft, Status
from timelens.answer.topic import ASKING, LEADING, OFFICES, said_by, topic_of
from timelens.documents import Hit
from timelens.question.implicit import ImplicitTime
from timelens.question.model import ParsedQuestion, PeriodRole
from timelens.question.names import is_person, names_in
from timelens.words import topic_words

_TELLS = 0.8
"""The share of the words of a clause that a sentence must have to tell of it."""
_ON_TOPIC = 0.5
"""The share of a question's words that a sentence must have to answer it of the day of an event."""


def unsure(
    parsed: ParsedQuestion, draft: Draft, pool: Sequence[Hit], events: Sequence[DatedEvent]
) -> NotFound | None:
    """What stands in the way of an answer, where it is not told for the time that is asked about.

    An event without a day does, unless what is cited tells of it together with the rest; and so does a
    question that the cited sentences on the day of the event do not speak of.
    """
    cited = [citation.hit for citation in draft.citations if citation.hit.chunk.fact is None]
    told = draft.status is not Status.NO_ANSWER
    for implicit in parsed.implicit:
        exact = told and len(cited) < len(draft.citations)
        if implicit.is_clause and not (
            told and not exact and all(_has(hit, implicit, parsed) for hit in cited)
        ):
            return NotFound(implicit.text, UNDATED)
    of_events = {(event.hit.chunk.id, event.hit.sentence) for event in events}
    of_event = [period for period in parsed.periods if period.role is PeriodRole.EVENT]
    if told and of_event and draft.values and draft.beside is None:
        answering = {number for value in draft.values for number in value.citations}
        own = [c.hit for c in draft.citations if c.number in answering]
        if all(hit.chunk.fact is None for hit in own) and not any(
            _speaks(
                hit,
                parsed,
                pool,
                alone=(hit.chunk.id, hit.sentence) in of_events,
                names_somebody=is_person(draft.values[0].text),
            )
            for hit in own
        ):
            return NotFound(of_event[0].text, "the corpus does not say what is asked about that time")
    return None


def _has(hit: Hit, implicit: ImplicitTime, parsed: ParsedQuestion) -> bool:
    """Whether a sentence, with its title, tells what a clause does, together with what is asked."""
    words, wanted = said_by(hit), topic_words(implicit.text)
    asked = topic_words(parsed.core.replace(implicit.phrase, " ")) - ASKING
    return len(words & wanted) >= _TELLS * len(wanted) and len(words & asked) >= _ON_TOPIC * len(asked)


def _speaks(
    hit: Hit, parsed: ParsedQuestion, pool: Sequence[Hit], *, alone: bool, names_somebody: bool
) -> bool:
    """Whether a sentence, with its title, speaks of what is asked: the names, the office, most words.

    The sentence that tells of the event has to have all of them, where it answers ``alone``.
    """
    topic = topic_of(parsed.core, pool)
    words = said_by(hit)
    passage = words | topic_words(hit.chunk.content)
    if topic.missing(passage):
        return False
    if topic_words(parsed.core) & (OFFICES | LEADING) - ASKING:
        said = passage if names_somebody else words
        return bool(said & (OFFICES | LEADING))
    if alone:
        return topic.words <= words
    return topic.share(words) >= _ON_TOPIC or not names_in(parsed.core)
