"""Finds the facts of a table that a question is about, and the column that answers it. Pure."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import IntEnum

from timelens.answer.relevance import Topic
from timelens.answer.tables.columns import (
    OF_ANY_NUMBER,
    PERSON,
    QUANTITIES,
    WHERE,
    WHO,
    answer_column,
    fact_of,
    heading_of,
    is_number,
    is_of_entries,
    is_place,
    means,
    names_row,
    same_value,
    share_stated,
    subject_column,
    value_of,
    variety,
    words_for_columns,
    words_of_row,
)
from timelens.documents import Hit
from timelens.question.intent import (
    TIMES,
    asked_noun,
    asks_whether,
    counted_noun,
    extreme_asked,
    is_change,
    state_verbs,
    subject_of,
)
from timelens.question.names import is_person
from timelens.question.parsed_question import Intent, ParsedQuestion
from timelens.question.roles import Role, role_verbs
from timelens.words import topic_words

OF_ANY_FACT = topic_words(
    "start started starting begin began beginning commence commenced end ended ending finish finished "
    "conclude concluded complete completed continue continued period tenure duration change changed"
)
"""Words covered by the start and the end of any fact."""
_CLEARLY = 0.85
"""A value is clearly nearest if no other reaches this share of its similarity to the question."""
_WHO_DID = re.compile(
    r"\W*whom? (?:(?:did|do|does) (?:we|you|they|i|he|she|it) )?"
    r"(?!(?:is|was|are|were|has|had|have|did|do|does)\b)(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_HEADING = 0.5
"""Weight of a word in the heading of a table, relative to one in a row; all its rows have the heading."""
_OFFERS = re.compile(r"\bor\b")
_JOINS = re.compile(r"\b(?:and|both)\b", re.IGNORECASE)
_OF_TIME = frozenset({Intent.WHEN, Intent.DURATION})
"""Intents that ask for the time of a named fact."""
_MOSTLY = 0.5
"""Minimum share of the words of an asked noun in the facts."""


class Match(IntEnum):
    """How well facts match the answer type and topic of a question."""

    NONE = 0
    """The facts lack a name of the question, or cannot hold the answer."""
    POSSIBLE = 1
    """Nothing excludes the facts."""
    STATED = 2
    """The table's words contain the asked noun, or the question asks for the time of a fact it names."""


@dataclass(frozen=True, slots=True)
class FactKind:
    """Facts of one table that agree in all values that the question states."""

    column: str | None
    """The answer column; ``None`` if the question asks for the time."""
    key: tuple[tuple[str, str], ...]
    """The (column, value) pairs that the facts share, in the order of the table."""
    table: tuple[Hit, ...]
    """All retrieved facts of the table."""
    facts: tuple[Hit, ...]
    match: Match
    fit: float
    """The share of the question's words covered by the facts, their columns and the table's name, 0..1."""
    unknown: frozenset[str] = frozenset()
    """The words of the question that these do not cover."""
    is_clear: bool = True
    """Whether the answer column is clear; see :func:`~timelens.answer.tables.columns.answer_column`."""


def find_kind(parsed: ParsedQuestion, hits: Sequence[Hit], *, named: bool = False) -> FactKind | None:
    """The kind of facts that a question is about; ``None`` if the evidence contains no facts.

    ``named``: ``parsed`` is the name of a fact ("the 1932 Summer Games") and asks for no column.

    The exemplar is the fact with most of the question's words. The answer column is one that the question
    does not state. The facts of the kind agree with the exemplar in every other column that the question
    states; if the exemplar lacks one of its nouns, also in those in which its value is clearly nearest
    to the question ("King" for "Monarch").
    """
    facts = [hit for hit in hits if hit.chunk.fact is not None]
    if not facts:
        return None
    topic = Topic(subject_of(parsed), map(words_of_row, facts))

    def nearness(hit: Hit) -> tuple[float, float, float]:
        heading = heading_of(hit)
        stated = sum(share_stated(value, topic.words, heading)[0] for _, value in fact_of(hit).fields)
        words = words_of_row(hit)
        told = topic.weight(words) + _HEADING * topic.weight(heading - words)
        return told, stated, hit.scores.semantic or 0.0

    exemplar = max(facts, key=nearness)
    table = [hit for hit in facts if hit.chunk.document_id == exemplar.chunk.document_id]
    alternatives = _alternatives(table, topic.words) if _OFFERS.search(parsed.question) else None
    column: str | None
    is_clear = True
    if alternatives is not None:
        column, table = alternatives
        exemplar = max(table, key=nearness)
    elif named or _asks_for_time_of(exemplar, table, parsed, topic):
        column = None
    else:
        column, is_clear = answer_column(exemplar, table, topic.words, parsed.question)
    verb = _verb_of(parsed.core)
    others = topic_words(" ".join([*state_verbs(parsed.core), *role_verbs(parsed.core)]))
    nouns = frozenset[str]() if asks_whether(parsed.core) else topic.words - verb - others
    asked = _AskedWords(topic.words, nouns)
    key, agreeing = _agreeing(exemplar, table, column, asked, several=_wants_several(parsed))
    told = topic_words(" ".join(key.values())).union(
        _covered(parsed, exemplar, table, column), *map(words_of_row, agreeing)
    )
    if alternatives is not None:
        match = Match.STATED
    elif topic.missing(told):
        match = Match.NONE
    else:
        match = _match(parsed, column, frozenset(key), table, _FactWords(topic, told))
    return FactKind(
        column,
        tuple(key.items()),
        tuple(table),
        tuple(agreeing),
        match,
        topic.share(told),
        topic.words - told - verb,
        is_clear,
    )


def _covered(
    parsed: ParsedQuestion, exemplar: Hit, table: Sequence[Hit], column: str | None
) -> frozenset[str]:
    """The words of a question that the facts of a table cover without stating them."""
    told = heading_of(exemplar) | OF_ANY_FACT | words_for_columns(exemplar)
    if asks_whether(parsed.core):
        told |= topic_words(" ".join([*state_verbs(parsed.core), "still already yet ever"]))
        told |= PERSON if is_person(value_of(exemplar, subject_column(table))) else frozenset()
    if _starts_or_ends(parsed) or parsed.several or counted_noun(parsed.question):
        told |= topic_words(" ".join(role_verbs(parsed.core)))  # a fact covers the verbs for its start or end
    numbers = {name for name, value in fact_of(exemplar).fields if is_number(value)}
    if column in numbers or (numbers and extreme_asked(parsed.question)):
        told |= OF_ANY_NUMBER
    return told


def widened(kind: FactKind, core: str) -> FactKind:
    """The kind, extended by facts whose key values fit the question's ``core`` equally well.

    Two values fit equally well if they share the same words with the core and neither is contained in full:
    "transfers" matches "decision on transfers" and "decision on transfers to the United States" alike.
    """
    words = topic_words(core)

    def is_alike(value: str, other: str) -> bool:
        of_value, of_other = topic_words(value), topic_words(other)
        shared = of_value & words
        in_part = bool(shared) and shared not in (of_value, of_other)
        return same_value(value, other) or (in_part and of_other & words == shared)

    facts = [
        hit for hit in kind.table if all(is_alike(value, value_of(hit, name)) for name, value in kind.key)
    ]
    key = tuple(
        (name, value) for name, value in kind.key if all(same_value(value_of(h, name), value) for h in facts)
    )
    return replace(kind, key=key, facts=tuple(facts))


@dataclass(frozen=True, slots=True)
class _FactWords:
    """The words of facts, compared with the topic of a question."""

    topic: Topic
    words: AbstractSet[str]

    def of(self, asked: str) -> bool:
        """Whether the facts contain most of the asked noun phrase, outside the names in the question.

        For "which American state", the "states" of "United States" does not count.
        """
        plain = topic_words(" ".join(word for word in asked.split() if word.islower())) & self.topic.words
        known = self.topic.weight(plain & (self.words - self.topic.in_names))
        return bool(asked) and known >= _MOSTLY * self.topic.weight(plain)


def _match(
    parsed: ParsedQuestion, column: str | None, key: AbstractSet[str], table: Sequence[Hit], told: _FactWords
) -> Match:
    """How well the answer column, or the time of the facts, matches the answer type of the question.

    A "who" question needs a column with names. If the question already states the subject, a coarser column,
    such as its country, matches only if the question names that column. Entries answer for no noun that they
    do not have.
    """
    if column is None:
        of_time = parsed.intent in _OF_TIME or _counts_times(parsed)
        return Match.STATED if of_time else Match.NONE
    named = means(column, topic_words(parsed.question))
    named = named or (WHERE.search(parsed.question) is not None and is_place(column))
    of_all = not key and column == subject_column(table) and _starts_or_ends(parsed)
    if parsed.intent in _OF_TIME or not (named or of_all or (key and subject_column(table) not in key)):
        return Match.NONE
    if WHO.search(parsed.question) and not named:
        values = {value_of(hit, column) for hit in table}
        persons = any(is_person(value) or re.fullmatch(r"[^\W\d_a-z]\w*", value) for value in values)
        return Match.POSSIBLE if persons else Match.NONE
    asked = asked_noun(parsed.question)
    if told.of(asked):
        return Match.STATED
    is_unknown = not topic_words(asked).isdisjoint(told.topic.words - QUANTITIES)
    return Match.NONE if is_unknown and is_of_entries(table) else Match.POSSIBLE


def _asks_for_time_of(row: Hit, table: Sequence[Hit], parsed: ParsedQuestion, topic: Topic) -> bool:
    """Whether a question asks when or how long a row it names held, or how many times rows like it did."""
    if not _counts_times(parsed):
        return parsed.intent in _OF_TIME and names_row(row, subject_column(table), topic.words)
    columns = {name: names_row(row, name, topic.words) for name, _ in fact_of(row).fields}
    told = frozenset().union(*(topic_words(value_of(row, name)) for name, named in columns.items() if named))
    others = topic_words(" ".join(name for name, named in columns.items() if not named))
    return any(columns.values()) and others.isdisjoint(topic.words - told)


def _counts_times(parsed: ParsedQuestion) -> bool:
    """Whether the occurrences of a state are counted, and not its changes."""
    return counted_noun(parsed.question) == TIMES and not is_change(parsed.question)


def _starts_or_ends(parsed: ParsedQuestion) -> bool:
    """Whether a time of the question is that of a start or an end: "Who left in 2017?"."""
    return any(constraint.role is not Role.HELD for constraint in parsed.constraints)


def _wants_several(parsed: ParsedQuestion) -> bool:
    """Whether a question may be about several kinds of facts: a course, a list, or values joined by "and"."""
    return not parsed.is_point or _JOINS.search(parsed.core) is not None


@dataclass(frozen=True, slots=True)
class _AskedWords:
    """The topic words of a question."""

    all: frozenset[str]
    nouns: frozenset[str]
    """Those that are not the verb of a state, a start or an end: "worked" of "Who worked in Sales?".

    Empty for a yes-no question: it must state what it means.
    """


def _verb_of(core: str) -> frozenset[str]:
    """The stem of the verb behind "who": of "get" in "Who did we get the paper from?"; else empty."""
    found = _WHO_DID.match(core)
    return frozenset() if found is None else topic_words(found["verb"])


def _agreeing(
    exemplar: Hit, table: Sequence[Hit], column: str | None, asked: _AskedWords, *, several: bool
) -> tuple[dict[str, str], list[Hit]]:
    """The (column, value) pairs that the facts of the exemplar's kind share, and these facts.

    Columns are compared in decreasing order of how much the question states of their values; each column
    filters the facts for the next. With ``several``, all values that the question states in full are kept.
    A word of the table's heading, or of a value stated in full, does not state a part of another value: for
    "the ferry from Hexley" in a table of ferries, it means neither "Blue Ferries" nor "Council of Hexley".
    """
    words = asked.all
    key: dict[str, str] = {}
    agreeing = list(table)
    taken = heading_of(exemplar)
    unknown = asked.nouns.difference(taken, OF_ANY_FACT, words_of_row(exemplar))
    fields = sorted(
        fact_of(exemplar).fields, key=lambda field: share_stated(field[1], words, taken), reverse=True
    )
    for name, value in fields:
        if name != column and value and _is_meant(agreeing, name, value, words, taken, guess=bool(unknown)):
            in_full = share_stated(value, words)[0] == 1
            stated = several and in_full
            alike = [
                hit
                for hit in agreeing
                if same_value(value_of(hit, name), value)
                or (stated and share_stated(value_of(hit, name), words)[0] == 1)
            ]
            if all(same_value(value_of(hit, name), value) for hit in alike):
                key[name] = value
            agreeing = alike
            if in_full:
                taken |= topic_words(value)
    return {name: key[name] for name, _ in fact_of(exemplar).fields if name in key}, agreeing


def _is_meant(
    facts: Sequence[Hit],
    name: str,
    value: str,
    words: frozenset[str],
    taken: AbstractSet[str],
    *,
    guess: bool,
) -> bool:
    """Whether a question means this value of a column rather than any other.

    It states more of this value than of any other; or, if a ``guess`` is allowed, it states none, and this
    value is clearly nearest. ``taken``: see :func:`share_stated`.
    """
    stated, nearest, nearest_other = (0.0, 0), 0.0, 0.0
    for hit in facts:
        other, similarity = value_of(hit, name), hit.scores.semantic or 0.0
        if same_value(other, value):
            nearest = max(nearest, similarity)
        else:
            nearest_other = max(nearest_other, similarity)
            stated = max(stated, share_stated(other, words, taken))
    own = share_stated(value, words, taken)
    if own[0] > 0 or stated[0] > 0:
        return own > stated
    return guess and nearest_other <= _CLEARLY * nearest


def _alternatives(table: Sequence[Hit], words: frozenset[str]) -> tuple[str, list[Hit]] | None:
    """The column of which the question offers several values, and the facts with these values."""
    for name, _ in fact_of(table[0]).fields:
        offered = [hit for hit in table if share_stated(value_of(hit, name), words)[0] == 1]
        if len({topic_words(value_of(hit, name)) for hit in offered}) > 1:
            return name, offered
    return None


def identifies(kind: FactKind) -> bool:
    """Whether the question states what the facts are about: a value of the most varied column of names."""
    names = [name for name, value in fact_of(kind.table[0]).fields if not is_number(value)]
    return max(names, key=lambda name: variety(kind.table, name), default="") in dict(kind.key)
