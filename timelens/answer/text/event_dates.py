"""Dates an event that a question names, from the facts or sentences found for it. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.answer.relevance import Topic, said_by, topic_of, words_of
from timelens.answer.tables.columns import fact_of, heading_of, is_stated, words_for_columns, words_of_row
from timelens.answer.tables.linking import Match
from timelens.answer.tables.solver import solve
from timelens.answer.text.context_dates import anchored_times, is_planned
from timelens.answer.text.sentence_match import AnswerType, matched_sentences
from timelens.documents import EventSource, Hit
from timelens.lexicon import SEASONS, ordinals
from timelens.question.names import names_in
from timelens.question.parsed_question import Intent, ParsedQuestion
from timelens.question.periods import as_one
from timelens.question.roles import Role, role_of
from timelens.temporal.calendar import day_number
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Granularity, Interval, granule
from timelens.temporal.vocabulary import in_roman
from timelens.words import WORD, stem, topic_words

_CLOSE = 0.9
"""Minimum score, as a share of the best, of a sentence that may refine the best's month to a day."""
_NAMING = 2
"""Minimum number of a fact's words in an event that names it: "Sochi 2014", or "1948" and "summer"."""
_MOSTLY = 0.5
"""Minimum share of the event's words that such a fact covers."""
_TOLD = 0.6
"""Minimum share of the event's words in evidence that dates it."""
_DOUBTED = 0.6
"""Score multiplier for each doubt: the verb or number is missing, or the date belongs to something else."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_ORDINAL = re.compile(rf"\b(?:[1-9]\d?(?:st|nd|rd|th)|{'|'.join(ordinals(2, 10))})\b", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")
_THING_OF = re.compile(
    r"\b(?!(?:end|beginning|start|middle|turn|close|night|morning|evening|day|week|weekend|month"
    rf"|{'|'.join(SEASONS)}|course) of)(?P<thing>[^\W\d_]+) of (?:the )?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event with its days and the evidence for them."""

    text: str
    interval: Interval
    """For a fact, the recorded days: from the first to the recorded end."""
    hit: Hit


def days_of(events: Iterable[DatedEvent]) -> dict[str, Interval]:
    """The days of each event, by its text in the question."""
    return {event.text: event.interval for event in events}


def date_event(event: ParsedQuestion, hits: Sequence[Hit]) -> DatedEvent | None:
    """The event with its days, or ``None`` if the evidence does not state them.

    ``event`` is its name or clause, parsed as a question; ``hits`` are the hits retrieved for it.
    """
    event = as_one(event)
    told = _told(event, hits)
    fact = _fact_told(event, hits, told.best_share if told is not None else 0.0)
    if fact is not None and not (told is not None and _says_more(event, told, fact)):
        return DatedEvent(event.question, _recorded(fact), fact)
    return None if told is None else DatedEvent(event.question, told.interval, told.hit)


def _fact_told(event: ParsedQuestion, hits: Sequence[Hit], share: float) -> Hit | None:
    """The single fact that an event names; ``share`` is the best share of the event's words in a text."""
    named = _named(event, hits)
    if named is not None:
        return named
    solution = solve(replace(event, intent=Intent.WHEN), hits)
    if solution is None or len(solution.chosen) != 1 or solution.match is not Match.STATED:
        return None
    return solution.chosen[0] if solution.kind.fit >= max(_TOLD, share) else None


@dataclass(frozen=True, slots=True)
class _SentenceDate:
    """The time of an event according to a sentence."""

    interval: Interval
    hit: Hit
    says_it: bool
    """Whether the sentence or its title contains the event's verb."""
    best_share: float
    """The largest share of the event's words in any passage that may date it."""


def _told(event: ParsedQuestion, hits: Sequence[Hit]) -> _SentenceDate | None:
    """The time of the event from the best sentence, or from a more exact one with a score close to the best.

    A sentence with the event's verb may lack one of several names ("Britain" in a passage on the Bank of
    England).
    """
    topic = topic_of(event.core, hits)
    happened = topic_words(_happened(event))
    may_tell = [
        hit for hit in hits if hit.chunk.fact is None and _may_tell(topic.missing(words_of(hit)), topic)
    ]
    told: list[tuple[float, Interval, Hit, bool]] = []
    best_share = 0.0
    for reading in matched_sentences(event, topic, may_tell, AnswerType.TIME):
        says_it = bool(happened & said_by(reading.hit))
        if reading.share < _TOLD or not (says_it or not topic.missing(words_of(reading.hit))):
            continue
        if is_planned(reading.hit.said, happened) or is_of_others(
            reading.hit.said, reading.hit.chunk.title, topic
        ):
            continue
        best_share = max(best_share, reading.share)
        for interval, is_of_another in _stated(reading.hit, event, topic)[:1]:
            doubts = [not says_it, is_of_another, *_other_numbers(event.question, reading.hit, interval)]
            told.append((reading.score * _DOUBTED ** sum(doubts), interval, reading.hit, says_it))
    if not any(says_it for *_, says_it in told):
        anchored = next(anchored_times(event.question, happened, topic, may_tell), None)
        if anchored is not None:
            return _SentenceDate(*anchored, says_it=True, best_share=best_share)
    if not told:
        return None
    best, when, _, _ = max(told, key=lambda entry: entry[0])
    close = [entry for entry in told if entry[0] >= _CLOSE * best and when.contains(entry[1])]
    _, interval, hit, says_it = min(close, key=lambda entry: (entry[1].days, -entry[0]))
    return _SentenceDate(interval, hit, says_it, best_share)


def is_of_others(sentence: str, title: str, topic: Topic) -> bool:
    """Whether a sentence contains names, but none of the topic's, although it has some.

    ``title`` is that of its document, whose names do not count.
    """
    if topic_words(sentence) & topic.in_names or not topic.in_names:
        return False
    others = (name for name in names_in(sentence) if not find_expressions(name))
    return any(topic_words(name).isdisjoint(topic_words(title)) for name in others)


def _other_numbers(event: str, hit: Hit, interval: Interval) -> tuple[bool, bool]:
    """Whether a sentence lacks the event's ordinal ("the 24th", XXIV), and whether its year differs."""
    ordinal = _ORDINAL.search(event)
    number = int(stem(ordinal.group())) if ordinal else 0
    written = rf"\b(?:{number}(?:st|nd|rd|th)|{ordinal.group()}|{in_roman(number)})\b" if ordinal else ""
    years = [granule(day_number(int(year)), Granularity.YEAR) for year in _YEAR.findall(event)]
    return (
        re.search(written, hit.said, re.IGNORECASE) is None,
        bool(years) and not any(year.contains(interval) for year in years),
    )


def _says_more(event: ParsedQuestion, told: "_SentenceDate", fact: Hit) -> bool:
    """Whether a sentence contains the event's verb, the fact does not, and their times are disjoint.

    A verb for a beginning or an end counts as contained in every fact.
    """
    happened = _happened(event)
    after = event.question[event.question.find(happened) + len(happened) :].split()
    is_an_end_of_it = role_of(" ".join([happened, *after[:1]])) is not Role.HELD
    said_by_fact = is_an_end_of_it or topic_words(happened) <= words_of(fact)
    return told.says_it and not said_by_fact and not told.interval.intersects(_recorded(fact))


def _may_tell(missing: Sequence[str], topic: Topic) -> bool:
    """Whether a passage lacks none of the event's names, or only one of several."""
    return not missing or (len(missing) == 1 and len(topic.names) > 1)


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


def _stated(hit: Hit, event: ParsedQuestion, topic: Topic) -> list[tuple[Interval, bool]]:
    """Bounded times stated by the hit's sentence, likeliest first; with each, whether it dates another thing.

    Order: the distance to the event's verb; without the verb, dates of a thing that the event names ("the
    referendum of 23 June 2016") first and dates of another thing ("the decision of 26 July 2000") last; then
    the shorter time. For an event that is a beginning, "since" a day means that day.
    """
    sentence = hit.said
    marked = {time: (place, thing) for time, place, thing in _marked(hit, sentence)}
    happened = topic_words(_happened(event))
    places = [word.start() for word in WORD.finditer(sentence) if topic_words(word.group()) & happened]
    ranked = []
    for stated in hit.chunk.events:
        if stated.sentence != hit.sentence or stated.source is EventSource.PUBLISHED:
            continue
        time = stated.interval
        place, thing = marked.get(time, (len(sentence), ""))
        if role_of(event.question) is Role.START and time.start is not None and time.end is None:
            time = granule(time.start, time.granularity)
        if time.start is None or time.end is None:
            continue
        away = min((abs(place - word) for word in places), default=0)
        owned = 0 if not thing or places else 1 if topic_words(thing).isdisjoint(topic.words) else -1
        ranked.append((away, owned, time.days, time))
    return [(time, owned > 0) for _, owned, _, time in sorted(ranked, key=lambda entry: entry[:3])]


def _marked(hit: Hit, sentence: str) -> Iterator[tuple[Interval, int, str]]:
    """Times of a sentence, each with its offset and the noun it dates: "the decision of 26 July"."""
    published = hit.chunk.published
    for expression in find_expressions(sentence, published.start if published else None):
        thing = _THING_OF.search(sentence[: expression.char_start])
        if expression.interval is not None:
            yield expression.interval, expression.char_start, thing["thing"] if thing else ""
