"""The input of the ways to answer: a question about one time or none, with its evidence.

The bundled networks are asked when a way first needs what they read; their results are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from timelens.answer.draft import Candidate, Statement
from timelens.answer.operations import in_order
from timelens.answer.relevance import Topic, said_by, topic_of
from timelens.answer.scorecard import log_odds_of, probability_of
from timelens.answer.tables.solver import Solution, solve
from timelens.answer.text.course_sentences import course_sentences, timed_in
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.text.event_lists import listed
from timelens.answer.text.picked_spans import Pick
from timelens.answer.text.registers import RegisterLine, answering_lines, register_lines
from timelens.answer.text.sentence_match import (
    AnswerType,
    SentenceMatch,
    answer_type_of,
    has_length,
    has_number,
    is_of_others,
    matched_sentences,
    quoted,
)
from timelens.answer.text.value_statements import agreed_picks, values_in, values_over_time
from timelens.answer.text.yes_no import yes_no_sentences
from timelens.answer.values_at import is_same_value
from timelens.answer.writing.reading_prompt import ModelReading
from timelens.config import CAUTIOUS_RISK
from timelens.documents import Hit
from timelens.question.asked_numbers import things_counted
from timelens.question.intent import asks_for_state, asks_whether, either_of, subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.question.tense import has_verb
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Interval
from timelens.words import topic_words

ReadByModel = Callable[[ParsedQuestion, Sequence[Hit]], ModelReading | None]
"""Reads a question's answer in hits, best first, with a model; ``None`` if none can."""

_ON_TOPIC = 0.2
"""Minimum cosine similarity of evidence that is about the question."""
_ON_TOPIC_WITHOUT_WORDS = 0.4
"""The same for evidence that shares no word with the question."""
_NAMED = (AnswerType.PERSON, AnswerType.NAME, AnswerType.ANY)
"""Answer types that a register line can name."""
BESIDE = 3
"""Maximum number of sentences for each of several periods."""
_CONTINUES, _CLOSE = 0.15, 0.3
"""Minimum probability of a sentence in an answer over time, and its minimum share of the likeliest one's."""
_SUPPORTED = 0.7
"""Reduction of the threshold, in log odds, for a reading that other answers or a sentence's words support."""
_BESIDE_IT = frozenset({Relation.BEFORE, Relation.AFTER})
ENOUGH = 0.3
"""Minimum share of the question's words in evidence about it."""


def supported_risk(risk: float) -> float:
    """The accepted risk, 0..1, for a reading that other answers or a sentence's words support."""
    return probability_of(log_odds_of(risk) + _SUPPORTED)


@dataclass(frozen=True)
class Case:
    """A question about one time or none, with its evidence; derived evidence is computed when first used."""

    parsed: ParsedQuestion
    pool: Sequence[Hit]
    events: Sequence[DatedEvent]
    span: Interval | None
    beside: bool
    has_gaps: bool
    topic: Topic
    inside: Sequence[Hit]
    """Quotable evidence on topic and inside the asked time."""
    expected: AnswerType
    readings: Sequence[SentenceMatch]
    risk: float
    hits: Sequence[Hit] = ()
    """Citable evidence, best first."""
    read_by_model: ReadByModel | None = None

    @cached_property
    def model_reading(self) -> ModelReading | None:
        """What a language model reads in the texts; ``None`` without one."""
        texts = self._texts(self.hits)
        if self.read_by_model is None or not texts:
            return None
        # of several periods, each is asked about by itself
        asked = replace(self.parsed, question=self.parsed.core) if self.beside else self.parsed
        return self.read_by_model(asked, texts)

    @cached_property
    def solution(self) -> Solution | None:
        """The solver's result over table rows."""
        return solve(self.parsed, self.pool, [event.hit for event in self.events])

    @cached_property
    def records(self) -> Sequence[RegisterLine] | None:
        """The answering register lines; empty if none fits the time, ``None`` if lines cannot answer."""
        if not self.parsed.is_point or self.asks_whether or self.expected not in _NAMED:
            return None
        found = register_lines(self.parsed, self.pool, self.events)
        return answering_lines(self.parsed, found, self.events) if found else None

    @cached_property
    def listed(self) -> Sequence[Hit]:
        """Events told by texts, oldest first; empty unless the question asks for a list."""
        return listed(self.parsed, self.topic, self.pool) if self.parsed.several else ()

    @cached_property
    def told(self) -> Sequence[SentenceMatch]:
        """The readings with at least the share ``ENOUGH`` of the question's words."""
        return [reading for reading in self.readings if reading.share >= ENOUGH]

    @cached_property
    def picks(self) -> Sequence[Pick]:
        """The reader's answers in the texts that have the form asked for; empty for a yes-no question."""
        found = () if self.asks_whether else agreed_picks(self.parsed, self.texts)
        return [
            pick
            for pick in found
            if self._has_form(pick.text)
            and not self.is_of_others(pick.hit)
            and not self._is_of_another_time(pick.hit)
            and not self._is_told(pick.text)
            and not self._is_beside_another(pick.hit)
        ]

    def _is_beside_another(self, hit: Hit) -> bool:
        """Whether what is asked was before or after a thing without a date, which a hit does not name."""
        things = [
            time.text for time in self.parsed.implicit if time.relation in _BESIDE_IT and not time.is_clause
        ]
        told = said_by(hit)
        return any(not topic_words(thing) & told for thing in things)

    def _is_told(self, text: str) -> bool:
        """Whether a value is the one whose neighbour is asked for."""
        return self.parsed.told is not None and is_same_value(text, self.parsed.told)

    def _has_form(self, text: str) -> bool:
        """Whether a text has what the question asks for: a length of time, a number, one of two names."""
        names = either_of(self.parsed.core)
        if names and not any(is_same_value(text, name) for name in names):
            return False
        if self.expected is AnswerType.LENGTH:
            return has_length(text) and not has_verb(text)  # "six months and took ten" are two
        return things_counted(self.parsed.core) is None or has_number(text)

    def is_of_others(self, hit: Hit) -> bool:
        """Whether a length is asked for, and a hit tells one of somebody else.

        The sentence alone tells it ("She follows Bo Falk, who led it for nine years"), or the one before it,
        to which a pronoun refers ("Bo Falk resigned. We thanked him for nine years' work").
        """
        if self.expected is not AnswerType.LENGTH:
            return False
        title = hit.chunk.title
        told = (f"{title}: {hit.said}", quoted(hit, AnswerType.ANY, self.topic))
        return any(is_of_others(text, title, self.topic) for text in told)

    def _is_of_another_time(self, hit: Hit) -> bool:
        """Whether a length is asked for, and a hit tells one of something outside the asked time."""
        window, time = self.parsed.window, hit.interval
        if self.expected is not AnswerType.LENGTH or window is None or time is None:
            return False
        return not time.intersects(window)

    @cached_property
    def telling(self) -> Sequence[Pick]:
        """The sentences that tell yes or no, likeliest first; empty for other questions."""
        return yes_no_sentences(self.parsed, self.texts) if self.asks_whether else ()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates read so far, likeliest first; this property itself triggers no reading."""
        read: Sequence[Pick] = vars(self).get("telling") or vars(self).get("picks") or ()
        return tuple(Candidate(pick.text, pick.hit, pick.probability) for pick in read)

    @cached_property
    def values(self) -> Sequence[Statement]:
        """All values that the reader finds in the texts, at any time and with any probability."""
        found = values_in(self.parsed, self.texts)
        return [one for one in found if not self._is_told(one.value)]

    @cached_property
    def course(self) -> Sequence[Statement]:
        """The sure values of one kind in the asked time; empty unless there are at least two different ones.

        Of the values in one sentence, only the likeliest counts.
        """
        if not self.is_read:
            return ()
        inside = inside_of(self.sure(self.values), self.parsed.window)
        return values_over_time(in_order(likeliest_of_sentences(inside)))

    @cached_property
    def counted(self) -> Sequence[Statement]:
        """The sure things in the asked time that the question asks to count, each once; empty for others."""
        named = things_counted(self.parsed.core)
        if named is None or not self.is_read:
            return ()
        found = self.sure(values_in(replace(self.parsed, core=named, question=named), self.texts))
        kept: list[Statement] = []
        for one in sorted(inside_of(found, self.parsed.window), key=lambda one: -one.probability):
            if not any(is_same_value(one.value, other.value) for other in kept):
                kept.append(one)
        return in_order(kept)

    @cached_property
    def over_time(self) -> Sequence[Pick]:
        """The sentences that belong in an answer over the asked time, likeliest first, each with its time.

        Empty for a question about one thing, and unless sentences are sure (a probability of at least 1 -
        ``risk``): two, or one for one of several periods, or one at ``CAUTIOUS_RISK``.
        """
        is_one = self.is_one or self.asks_whether
        if (is_one and not self.beside) or self.topic.unknown or not self.texts:
            return ()
        read = course_sentences(self.parsed, self.texts, self.values)
        dated = [timed_in(pick, self.parsed.window) for pick in read if pick.probability >= _CONTINUES]
        found = [pick for pick in dated if pick is not None]
        sure = [pick.probability for pick in found if pick.probability >= 1 - self.risk]
        if not sure or not (self.beside or len(sure) > 1 or sure[0] >= 1 - CAUTIOUS_RISK):
            return ()
        return [pick for pick in found if pick.probability >= _CLOSE * found[0].probability]

    def sure(self, values: Sequence[Statement]) -> list[Statement]:
        """The values with a probability of at least 1 - ``risk``."""
        return [one for one in values if one.probability >= 1 - self.risk]

    @property
    def asks_whether(self) -> bool:
        """Whether this is a yes-no question."""
        return asks_whether(self.parsed.core)

    @property
    def is_read(self) -> bool:
        """Whether the reader may answer: not a yes-no question, texts, no register lines, no unknown name."""
        known = self.records is None and not self.topic.unknown
        return known and bool(self.texts) and not self.asks_whether

    @property
    def is_one(self) -> bool:
        """Whether the question asks for one thing at one time."""
        return (self.parsed.is_point or self.beside) and not self.parsed.several

    @property
    def texts(self) -> Sequence[Hit]:
        """The evidence that is not a table row, best first."""
        return self._texts(self.pool)

    def _texts(self, hits: Sequence[Hit]) -> list[Hit]:
        """The hits that are not table rows; for "now" as of a day, without what was written after it."""
        texts = [hit for hit in hits if hit.chunk.fact is None]
        if not self.parsed.is_of_now:
            return texts
        now = self.parsed.reference_day
        return [hit for hit in texts if hit.chunk.published is None or hit.chunk.published.bounds[0] <= now]


def case_of(
    parsed: ParsedQuestion,
    hits: Sequence[Hit],
    pool: Sequence[Hit],
    events: Sequence[DatedEvent],
    span: Interval | None,
    *,
    beside: bool,
    has_gaps: bool,
    risk: float,
    read_by_model: ReadByModel | None = None,
) -> Case:
    """The case of a question; for the arguments see :func:`~timelens.answer.extractive.ways.answer_from`."""
    # without a time, the order is part of the topic: a text states that something was the first
    ordered = parsed.ordinal is not None and parsed.window is None and parsed.count == 1
    topic = topic_of(parsed.question if ordered else subject_of(parsed), pool)
    texts = [hit for hit in hits if hit.chunk.fact is None or not parsed.is_point]
    if not asks_for_state(parsed.core):  # an event, unlike a state, does not persist
        texts = [hit for hit in texts if not hit.is_older]
    window = parsed.window
    inside = [hit for hit in texts if _on_topic(hit) and (window is None or hit.reaches(window))]
    expected = answer_type_of(parsed.question)
    readings = matched_sentences(parsed, topic, inside, expected)
    return Case(
        parsed,
        pool,
        events,
        span,
        beside,
        has_gaps,
        topic,
        inside,
        expected,
        readings,
        risk,
        hits,
        read_by_model,
    )


def likeliest_of_sentences(statements: Sequence[Statement]) -> list[Statement]:
    """The likeliest statement of each sentence."""
    likeliest: dict[tuple[str, int | None], Statement] = {}
    for one in sorted(statements, key=lambda one: -one.probability):
        likeliest.setdefault(one.hit.key, one)
    return list(likeliest.values())


def inside_of(statements: Sequence[Statement], window: Interval | None) -> list[Statement]:
    """The statements whose time intersects the window; all if there is no window."""
    if window is None:
        return list(statements)
    return [one for one in statements if one.interval is not None and one.interval.intersects(window)]


def _on_topic(hit: Hit) -> bool:
    if hit.scores.keyword:
        return True
    enough = _ON_TOPIC if hit.scores.keyword is None else _ON_TOPIC_WITHOUT_WORDS
    return (hit.scores.semantic or 0.0) >= enough
