"""Rejects uncertain answers to questions with an event in place of a time. Pure.

If the day of the event is unknown, evidence that matches the question may be of any time. Evidence on the
event itself does not answer what else happened on its day.
"""

from collections.abc import Sequence

from timelens.answer.draft import Draft, Status
from timelens.answer.hops.resolved_hop import UNDATED, UnresolvedHop
from timelens.answer.relevance import ASKING, LEADING, OFFICES, said_by, topic_of
from timelens.answer.text.event_dates import DatedEvent
from timelens.documents import Hit
from timelens.question.implicit_times import ImplicitTime
from timelens.question.names import is_person, names_in
from timelens.question.parsed_question import ParsedQuestion, PeriodRole
from timelens.words import topic_words

_TELLS = 0.8
"""Minimum share of a clause's words in a sentence about it."""
_ON_TOPIC = 0.5
"""Minimum share of the question's words in a sentence that answers for the day of an event."""


def unsure(
    parsed: ParsedQuestion, draft: Draft, pool: Sequence[Hit], events: Sequence[DatedEvent]
) -> UnresolvedHop | None:
    """The reason why a draft does not answer for the asked time; ``None`` if it does.

    Two reasons exist: an event is undated, and the cited sentences do not mention it together with the rest
    of the question; or the cited sentences on the day of the event are not about the question.
    """
    cited = [citation.hit for citation in draft.citations if citation.hit.chunk.fact is None]
    told = draft.status is not Status.NO_ANSWER
    for implicit in parsed.implicit:
        exact = told and len(cited) < len(draft.citations)
        if implicit.is_clause and not (
            told and not exact and all(_has(hit, implicit, parsed) for hit in cited)
        ):
            return UnresolvedHop(implicit.text, UNDATED)
    of_events = {event.hit.key for event in events}
    of_event = [period for period in parsed.periods if period.role is PeriodRole.EVENT]
    if told and of_event and draft.values and draft.beside is None:
        answering = {number for value in draft.values for number in value.citations}
        own = [c.hit for c in draft.citations if c.number in answering]
        if all(hit.chunk.fact is None for hit in own) and not any(
            _speaks(
                hit,
                parsed,
                pool,
                alone=hit.key in of_events,
                names_somebody=is_person(draft.values[0].text),
            )
            for hit in own
        ):
            return UnresolvedHop(of_event[0].text, "the corpus does not say what is asked about that time")
    return None


def _has(hit: Hit, implicit: ImplicitTime, parsed: ParsedQuestion) -> bool:
    """Whether a sentence with its title covers both the clause of an event and the rest of the question."""
    words, wanted = said_by(hit), topic_words(implicit.text)
    asked = topic_words(parsed.core.replace(implicit.phrase, " ")) - ASKING
    return len(words & wanted) >= _TELLS * len(wanted) and len(words & asked) >= _ON_TOPIC * len(asked)


def _speaks(
    hit: Hit, parsed: ParsedQuestion, pool: Sequence[Hit], *, alone: bool, names_somebody: bool
) -> bool:
    """Whether a sentence with its title is about the question: its names, its office, most of its words.

    ``alone``: it is also the sentence that dates the event; it then needs all words. ``names_somebody``: the
    answer is a person, whose office may be named elsewhere in the passage.
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
