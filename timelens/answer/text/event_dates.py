"""Dates an event that a question names, from the facts or sentences found for it.

It asks the row reader (through the solver) and the moment reader.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from timelens.answer.relevance import Topic, said_by, topic_of, words_of
from timelens.answer.tables.columns import fact_of, heading_of, is_stated, words_for_columns, words_of_row
from timelens.answer.tables.linking import Match
from timelens.answer.tables.solver import solve
from timelens.answer.text.moments import moment_picks
from timelens.answer.text.picked_spans import Pick
from timelens.answer.text.plans import is_planned
from timelens.answer.text.versions import is_same_version, version_named, versions_in
from timelens.documents import Hit
from timelens.lexicon import ordinals
from timelens.question.parsed_question import Intent, ParsedQuestion
from timelens.question.periods import as_one
from timelens.question.roles import Role, role_of
from timelens.reader.passages import times_in
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval, granule
from timelens.temporal.vocabulary import in_roman
from timelens.words import CAPITAL, stem, topic_words

_NAMING = 2
"""Minimum number of a fact's words in an event that names it: "Sochi 2014", or "1948" and "summer"."""
_MOSTLY = 0.5
"""Minimum share of the event's words that such a fact covers."""
_LIKELY = 0.3
"""Minimum probability of a moment that dates an event. What is asked is often the same some time before and
after, so a doubtful day is better than none."""
_TOLD = 0.6
"""Minimum share of the event's words in a fact that dates it."""
_ORDINAL = re.compile(rf"\b(?:[1-9]\d?(?:st|nd|rd|th)|{'|'.join(ordinals(2, 10))})\b", re.IGNORECASE)
_NAME_ALONE = re.compile(rf"\W*(?:[Tt]he\s+)?{CAPITAL}[\w’'&.-]*(?:\s+{CAPITAL}[\w’'&.-]*)*\W*")
_LIMITS = frozenset({Relation.BEFORE, Relation.AFTER, Relation.BY})
"""Relations to a date on which nothing need have happened."""
_PLAIN_WORD = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event with its days and the evidence for them."""

    text: str
    interval: Interval
    """For a fact, the recorded days: from the first to the recorded end."""
    hit: Hit
    probability: float = 1.0
    """The probability, 0..1, that the days are right, if a text tells them."""


def days_of(events: Iterable[DatedEvent]) -> dict[str, Interval]:
    """The days of each event, by its text in the question."""
    return {event.text: event.interval for event in events}


def date_event(event: ParsedQuestion, hits: Sequence[Hit]) -> DatedEvent | None:
    """The event with its days, or ``None`` if the evidence does not state them.

    ``event`` is its name or clause, parsed as a question; ``hits`` are the hits retrieved for it.
    """
    event = as_one(event)
    version = version_named(event.question)
    if version is not None and (released := _released(event, version, hits)) is not None:
        return released
    moment = _moment(event, hits)
    fact = _fact_told(event, hits, moment)
    if fact is not None and not (moment is not None and _says_more(event, moment, fact)):
        return DatedEvent(event.question, _recorded(fact), fact)
    return moment


def _released(event: ParsedQuestion, version: str, hits: Sequence[Hit]) -> DatedEvent | None:
    """A version, with the date beside its number in a heading; ``None`` unless there is one such date."""
    found = [one for one in versions_in(hits) if is_same_version(one.value, version)]
    times = {one.interval for one in found}
    if len(times) != 1 or found[0].interval is None:
        return None
    return DatedEvent(event.question, found[0].interval, found[0].hit)


def _moment(event: ParsedQuestion, hits: Sequence[Hit]) -> DatedEvent | None:
    """The event with its likeliest moment by the texts among ``hits``; ``None`` with a name that they lack.

    A plan does not date it, nor a sentence without its number. Of the likely moments inside the likeliest
    one, the most precise is taken ("in August", "on 2 August").
    """
    texts = [hit for hit in hits if hit.chunk.fact is None]
    if not texts or topic_of(event.core, hits).unknown:
        return None
    asked = replace(event, question=f"When {event.question}?")
    happened = topic_words(_happened(event))
    found = [
        DatedEvent(event.question, pick.days, pick.hit, pick.probability)
        for pick in moment_picks(asked, texts)
        if pick.days is not None
        and pick.probability >= _LIKELY
        and not is_planned(pick.hit.said, happened)
        and _has_number(event.question, pick.hit.said)
        and _is_of_name(event.question, pick.hit)
        and not _is_bound(pick)
    ]
    inside = [one for one in found if found[0].interval.contains(one.interval)]
    return min(inside, key=lambda one: one.interval.days, default=None)


def _is_of_name(event: str, hit: Hit) -> bool:
    """Whether a passage or its title has a word of the event's name, if the event is a name alone."""
    name = _NAME_ALONE.fullmatch(event)
    words = frozenset[str]() if name is None else topic_words(event)
    return not words or bool(words & words_of(hit))


def _is_bound(pick: Pick) -> bool:
    """Whether a moment is only the limit that a sentence states: "must be replaced before 2025"."""
    chunk, sentence = pick.hit.chunk, pick.hit.sentence
    if sentence is None or pick.days is None:
        return False
    start, end = chunk.sentences[sentence]
    dating = [one for one in times_in(chunk) if start <= one.char_start < end and pick.days in one.dates]
    return bool(dating) and all(one.relation in _LIMITS for one in dating)


def _has_number(event: str, sentence: str) -> bool:
    """Whether a sentence has the event's ordinal in any form ("the 24th", XXIV), if it has one."""
    ordinal = _ORDINAL.search(event)
    if ordinal is None:
        return True
    number = int(stem(ordinal.group()))
    written = rf"\b(?:{number}(?:st|nd|rd|th)|{ordinal.group()}|{in_roman(number)})\b"
    return re.search(written, sentence, re.IGNORECASE) is not None


def _fact_told(event: ParsedQuestion, hits: Sequence[Hit], moment: DatedEvent | None) -> Hit | None:
    """The single fact that an event names, if it has no fewer of the event's words than the moment's text."""
    named = _named(event, hits)
    if named is not None:
        return named
    solution = solve(replace(event, intent=Intent.WHEN), hits)
    if solution is None or len(solution.chosen) != 1 or solution.match is Match.NONE:
        return None
    if solution.match is Match.POSSIBLE and solution.kind.features["all words"] < 1:
        return None
    share = 0.0 if moment is None else topic_of(event.core, hits).share(said_by(moment.hit))
    return solution.chosen[0] if solution.kind.fit >= max(_TOLD, share) else None


def _says_more(event: ParsedQuestion, moment: DatedEvent, fact: Hit) -> bool:
    """Whether the moment's sentence contains the event's verb, the fact does not, and their times differ.

    A verb for a beginning or an end counts as contained in every fact.
    """
    happened = _happened(event)
    after = event.question[event.question.find(happened) + len(happened) :].split()
    is_an_end_of_it = role_of(" ".join([happened, *after[:1]])) is not Role.HELD
    said_by_fact = is_an_end_of_it or topic_words(happened) <= words_of(fact)
    said_by_it = bool(topic_words(happened) & said_by(moment.hit))
    return said_by_it and not said_by_fact and not moment.interval.intersects(_recorded(fact))


def _happened(event: ParsedQuestion) -> str:
    """The event's verb: the first word in -ed, or else the first lower-case content word."""
    plain = [word for word in _PLAIN_WORD.findall(event.question) if topic_words(word)]
    return next((word for word in plain if word.endswith("ed")), plain[0] if plain else "")


def _named(event: ParsedQuestion, hits: Sequence[Hit]) -> Hit | None:
    """The single fact with most words of an event ("the 1932 Summer Games"), if it covers most of them.

    The event contains one of its values in full.
    """
    facts = [hit for hit in hits if hit.chunk.fact is not None]
    topic = Topic(event.question, map(words_of_row, facts))
    weights = [topic.weight(words_of_row(hit)) for hit in facts]
    if not facts or weights.count(max(weights)) > 1:
        return None
    fact = facts[weights.index(max(weights))]
    told, words = words_of_row(fact), topic_words(event.question)
    states = any(is_stated(value, words) for _, value in fact_of(fact).fields)
    share = topic.share(told | heading_of(fact) | words_for_columns(fact))
    return fact if states and len(told & words) >= _NAMING and share >= _MOSTLY else None


def _recorded(hit: Hit) -> Interval:
    """The recorded days of a fact, with its recorded end as the exclusive end; at least one granule long."""
    fact = fact_of(hit)
    if fact.start is not None and fact.end is not None and fact.end <= fact.start:
        return granule(fact.start, fact.granularity)
    return Interval(fact.start, fact.end, fact.granularity)
