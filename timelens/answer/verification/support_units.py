"""The unit of evidence that a statement is verified against: one sentence or one table row. Pure.

A sentence includes its heading, the sentences that its pronouns refer to, and its time; a row includes its
recorded days. A statement must be supported by a single unit, so that a name, a number and a date from three
sentences of a passage are not accepted as one statement.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from timelens.answer.sentences import points_back, unmarked
from timelens.answer.tables.columns import OF_ANY_FACT
from timelens.answer.text.sentence_match import denies
from timelens.answer.verification.stated_content import (
    StatedContent,
    acronyms,
    blanked,
    lengths_in,
    numbers_in,
    stated_content,
)
from timelens.documents import Chunk, EventSource, Fact
from timelens.question.names import is_person
from timelens.question.roles import Role
from timelens.reader.passages import times_in
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, find_expressions
from timelens.temporal.interval import Interval, day_interval, granule
from timelens.temporal.phrasing import phrase_length
from timelens.words import stems, topic_words

_ENOUGH = 0.65
"""Minimum share of a statement's plain words in a unit of evidence."""
_POINTED_TO = 0.5
"""Weight of a plain word that is only in the title or in a sentence that a pronoun refers to."""
_OF_ANY_ROW = OF_ANY_FACT | topic_words(
    "took take takes taken hold held holds holding serve served serves serving left leave leaves office "
    "became become since until still apply applied applies binding force effect"
)
"""Words that the days of a row cover."""
_PRONOUN = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|their)\b|^(?:this|these|that|those)\b", re.IGNORECASE
)
_DETERMINED = re.compile(r"\b(?:the|an?|this|that|its|their|his|her)\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SupportUnit:
    """A sentence or a row, with its context."""

    text: str
    """Its text on one line; for a row, with the lengths computed from its days."""
    sentence: str
    """Its text as it may be quoted: without the marks of a list or of emphasis."""
    title: str
    around: str
    """Its title and heading."""
    before: str
    """The sentences that its pronouns refer to."""
    passage: str
    """The content of the chunk."""
    times: tuple[Interval, ...]
    """Its stated times, or else those it inherits from its passage."""
    fact: Fact | None
    said: StatedContent
    """Its own content."""
    numbers: frozenset[str]
    """Its numbers outside time expressions; lengths of time are included."""
    published: Interval | None
    """The publication date of its document."""
    subject: frozenset[str]
    """The words of the name it begins with; empty if its subject may be named before it."""
    computed: tuple[str, ...] = ()
    """The lengths computed from the days of a row."""

    def states(self, said: StatedContent) -> bool:
        """Whether it has the names, the numbers and most of the plain words of a statement, or equals it.

        It does not state it if only one of them is negated, if only the statement is an order, or if one
        states a rise and the other a fall.
        """
        if said == self.said:
            return True
        if said.negated != self.said.negated and (said.negated or denies(self.text)):
            return False
        if (said.ordered and not self.said.ordered) or said.opposes(self.said):
            return False
        outside = not self.subject or self.subject <= said.words
        known = self.numbers | numbers_in(self.around)
        if not said.numbers <= known:
            return False
        return all(self._names(name, outside=outside) for name in said.names) and self._has_most(said)

    def dates(self, expression: Expression, role: Role = Role.HELD) -> bool:
        """Whether it has a time: in the same words, with the same days, or with a day of each date in it."""
        interval = expression.interval
        if interval is None:
            return False
        if len(expression.dates) == 1 and expression.relation is None and self._is_other_end(interval, role):
            return False
        words = re.compile(rf"(?<!\w){re.escape(expression.text)}(?!\w)")
        if words.search(self.text) or any(interval.same_days(time) for time in self.times):
            return True
        return bool(expression.dates) and all(map(self.has_day_of, expression.dates))

    def has_day_of(self, date: Interval) -> bool:
        """Whether it has a date, a day of it, or a longer time with an end in it."""
        return any(
            date.same_days(time) or (date.days > 1 and date.contains(time)) or _is_end_of(date, time)
            for time in self.times
        )

    def is_quoted_of(self, time: Expression) -> bool:
        """Whether a time may label a quote of it: it has that time, or was published in it."""
        written, interval = self.published, time.interval
        if written is not None and interval is not None:
            is_plain = time.relation is None
            if interval.same_days(written) or (is_plain and interval.contains(written)):
                return True
        return self.dates(time)

    def holds_through(self, time: Expression) -> bool:
        """Whether one of its longer times contains a time."""
        interval = time.interval
        return interval is not None and any(
            lasting.contains(interval) and lasting.exceeds_unit for lasting in self.times
        )

    def held_in(self, time: Expression) -> bool:
        """Whether it is a row that held for some of a time of several units."""
        interval = time.interval
        if interval is None or not interval.exceeds_unit or self.fact is None:
            return False
        return any(one.intersects(interval) for one in self.times)

    def precedes(self, interval: Interval) -> bool:
        """Whether it has times, and all of them start before an interval."""
        return bool(self.times) and all(time.bounds[0] < interval.bounds[0] for time in self.times)

    def excludes(self, interval: Interval) -> bool:
        """Whether it has times, and none of them intersects an interval."""
        return bool(self.times) and not any(time.intersects(interval) for time in self.times)

    def _is_other_end(self, date: Interval, role: Role) -> bool:
        """Whether the date of a statement on a row's start or end is not that of the row."""
        fact = self.fact
        if fact is None or role is Role.HELD:
            return False
        day = fact.start if role is Role.START else fact.end
        return day is not None and not date.intersects(granule(day, fact.granularity))

    def _names(self, name: str, *, outside: bool) -> bool:
        """Whether it has a name; ``outside``: its title, heading or earlier sentences may have it instead."""
        sources = [self.text, *([self.around, self.before] if outside else [])]
        if any(_has_name(name, source) for source in sources):
            return True
        if is_person(name):  # full name elsewhere in the passage, last name here
            return _has_name(name.rsplit(maxsplit=1)[-1], self.text) and _has_name(name, self.passage)
        return False

    def _has_most(self, said: StatedContent) -> bool:
        plain = said.plain if self.fact is None else said.plain - said.of_role - _OF_ANY_ROW
        near = topic_words(self.text)
        far = topic_words(f"{self.around} {self.before}") - near
        return len(plain & near) + _POINTED_TO * len(plain & far) >= _ENOUGH * len(plain)


def have_most(parts: Iterable[SupportUnit], plain: frozenset[str]) -> bool:
    """Whether several units together have most of the plain words of a statement on a range of time."""
    plain -= _OF_ANY_ROW
    words = topic_words(" ".join(part.text for part in parts))
    return len(plain & words) >= _ENOUGH * len(plain)


def support_units(chunk: Chunk, conventions: Conventions = USUAL) -> tuple[SupportUnit, ...]:
    """The sentences of a chunk, or its table row."""
    if chunk.fact is not None:
        return (_row(chunk, chunk.fact),)
    return tuple(_sentence(chunk, index, conventions) for index in range(len(chunk.sentences)))


def _row(chunk: Chunk, fact: Fact) -> SupportUnit:
    spans = _spans(find_expressions(chunk.text))
    computed = tuple(_computed(fact))
    return SupportUnit(
        text=f"{chunk.text} {'; '.join(computed)}",
        sentence=chunk.text,
        title=chunk.title,
        around=chunk.title,
        before="",
        passage=chunk.content,
        times=tuple(_recorded(fact)),
        fact=fact,
        said=stated_content(chunk.text, spans),
        numbers=numbers_in(blanked(chunk.text, spans)),
        published=chunk.published,
        subject=frozenset(),
        computed=computed,
    )


def _computed(fact: Fact) -> Iterator[str]:
    """The length of a row in words and in days, with and without its last day; or that it has no end."""
    if fact.end is None:
        yield "without an end on record"
    if fact.start is None or fact.end is None or fact.end < fact.start:
        return
    for end in (fact.end, fact.end + 1):
        yield f"{phrase_length(fact.start, end)} ({end - fact.start:,} days)"
        yield f"{end - fact.start:,} days"
        yield phrase_length(fact.start, end)


def _recorded(fact: Fact) -> Iterator[Interval]:
    for day in (fact.start, fact.end):
        if day is not None:
            yield granule(day, fact.granularity)
            yield day_interval(day)
    yield fact.recorded
    yield fact.validity


def _sentence(chunk: Chunk, index: int, conventions: Conventions) -> SupportUnit:
    text = " ".join(chunk.sentence(index).split())
    published = chunk.published.start if chunk.published else None
    found = find_expressions(text, published, conventions=conventions)
    said = stated_content(text, _spans(found))
    earlier = range(points_back(chunk, index), index)
    return SupportUnit(
        text=text,
        sentence=unmarked(chunk.sentence(index)),
        title=" ".join(chunk.title.split()),
        around=f"{chunk.title} {chunk.place(index)}",
        before=" ".join(map(chunk.sentence, earlier)),
        passage=chunk.content,
        times=tuple(_times(chunk, index, found, conventions)),
        fact=None,
        said=said,
        numbers=numbers_in(blanked(text, _spans(found))) | lengths_in(text),
        published=chunk.published,
        subject=_subject(text, said, chunk.content),
    )


def _spans(found: Iterable[Expression]) -> list[tuple[int, int]]:
    """The half-open offsets of expressions with an interval."""
    return [(e.char_start, e.char_end) for e in found if e.interval is not None]


def _times(
    chunk: Chunk, index: int, found: Sequence[Expression], conventions: Conventions
) -> Iterator[Interval]:
    """The stated times of a sentence; without any, those of its events, publication and title.

    Its events have the days that ingestion resolved; a date that they bound is stated as well ("after last
    week").
    """
    events = [event for event in chunk.events if event.sentence == index]
    stated = [event for event in events if event.source is EventSource.STATED]
    yield from (event.interval for event in stated or events)
    start, end = chunk.sentences[index]
    for expression in times_in(chunk):
        if start <= expression.char_start < end and any(_is_read_as(expression, e.interval) for e in stated):
            yield from expression.dates
    for expression in found:
        if expression.kind is ExpressionKind.EXPLICIT and expression.interval is not None:
            yield from (*expression.dates, expression.interval)
    if not stated:
        if chunk.published is not None:
            yield chunk.published
        for expression in find_expressions(chunk.title, conventions=conventions):
            if expression.interval is not None and expression.kind is ExpressionKind.EXPLICIT:
                yield expression.interval


def _is_read_as(expression: Expression, days: Interval) -> bool:
    """Whether ingestion resolved an expression to these days; it closes an open end."""
    interval = expression.interval
    if interval is not None and expression.open == "end" and interval.start == days.start:
        return True
    return any(days.same_days(time) for time in (interval, *expression.dates) if time is not None)


def _is_end_of(date: Interval, time: Interval) -> bool:
    """Whether a date equals or contains the first or the last granule of a longer time."""
    if time.start is None or time.end is None or not time.exceeds_unit:
        return False
    with suppress(ValueError):  # an era has no granules
        ends = (granule(time.start, time.granularity), granule(time.end - 1, time.granularity))
        return any(date.same_days(end) or date.contains(end) for end in ends)
    return False


def _subject(text: str, said: StatedContent, passage: str) -> frozenset[str]:
    """The words of the first name in a sentence, if no pronoun precedes it.

    A single capitalised word after an article is skipped, because it may refer to an earlier name ("the
    Committee"); so is a first word that also occurs in lower case in the passage.
    """
    pronoun = _PRONOUN.search(text)
    for name in said.names:
        place = text.find(name)
        if pronoun is not None and pronoun.start() < place:
            return frozenset()
        if " " not in name:
            if _DETERMINED.search(text[:place]):
                continue
            if place == 0 and re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", passage):
                continue
        return topic_words(name)
    return frozenset()


def _has_name(name: str, text: str) -> bool:
    """Whether a text has all words of a name (consecutive if it contains a number), or its initials."""
    if any(character.isdigit() for character in name):
        return f" {stems(name)} " in f" {stems(text)} "
    words = topic_words(name)
    if words <= topic_words(text):
        return True
    initials = "".join(word[0] for word in name.split() if word[:1].isupper())
    short = name.replace(".", "")
    if len(initials) > 1 and re.search(rf"(?<!\w){re.escape(initials)}(?!\w)", text.replace(".", "")):
        return True
    return short.isupper() and len(short) > 1 and short in acronyms(text)
