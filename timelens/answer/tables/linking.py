"""Finds the facts of a table that a question is about, and the column that answers it.

What it asks of rows is told by :mod:`timelens.answer.tables.asked_rows`, and which rows may be meant by the
row reader (:mod:`timelens.answer.tables.row_selection`).
"""

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import IntEnum

from timelens.answer.scorecard import Features, probability_of, score_of
from timelens.answer.tables.asked_rows import AskedRows, asked_rows, covered_words
from timelens.answer.tables.column_choice import Wants
from timelens.answer.tables.columns import (
    OF_ANY_FACT,
    OF_ANY_NUMBER,
    PERSON,
    columns_of_names,
    fact_of,
    forms_among,
    heading_of,
    holds_numbers,
    holds_people,
    holds_prose,
    is_inclusive,
    is_mentioned,
    is_number,
    is_of_entries,
    is_periodic,
    is_stated,
    means,
    number_columns,
    same_value,
    value_of,
    values_named,
    values_stated,
    variety,
    words_for_columns,
    words_of_row,
)
from timelens.answer.tables.row_selection import RowSelection, select_rows
from timelens.documents import Hit
from timelens.question.asked_numbers import (
    TIMES,
    counted_noun,
    numbered_noun,
    things_changed,
    things_counted,
)
from timelens.question.intent import asks_for_overlap, asks_where
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.interval import Interval
from timelens.words import topic_words

_OFFERS = re.compile(r"\bor\b")
_OF_ANY_ROW = OF_ANY_FACT | OF_ANY_NUMBER
_CLEAREST = 6.0
"""Limit of the log odds of a row and of a column."""
_LONGEST_NAME = 4
"""Maximum number of words of a value that names a row."""
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_SURE, _POSSIBLE = 0.7, 0.4
"""Minimum probability of facts that are meant, and that may be meant."""
_WEIGHTS = {
    "all rows": 0.59,
    "all words": 0.11,
    "bias": -3.01,
    "column": 0.06,
    "conditions": 0.30,
    "missing": -0.41,
    "mixed": -0.83,
    "named": 0.88,
    "no column": 1.31,
    "others": -0.07,
    "rows": 0.55,
    "stated": 0.24,
    "words": 1.18,
}
"""Fitted by ``scripts/calibrate_rows.py``; its expected calibration error on folders left out is 0.02."""


class Match(IntEnum):
    """How well facts match a question."""

    NONE = 0
    """The facts lack a name of the question, or are unlikely to be meant."""
    POSSIBLE = 1
    """The facts may be meant."""
    SURE = 2
    """The facts are very likely meant."""


@dataclass(frozen=True, slots=True)
class FactKind:
    """Facts of one table that agree in all values that the question is about."""

    column: str | None
    """The answer column; ``None`` if the question asks for the time, or only whether there are such facts."""
    key: tuple[tuple[str, str], ...]
    """The (column, value) pairs that the facts share, in the order of the table."""
    table: tuple[Hit, ...]
    """All retrieved facts of the table."""
    facts: tuple[Hit, ...]
    match: Match
    fit: float
    """The probability that the question means these facts and this column, or the share of its words that the
    facts, their columns and the table's name cover, if that is higher; 0..1."""
    features: Features
    """What the probability is told by."""
    inclusive: bool
    """Whether the recorded end of a row is its last day, month or year."""

    @property
    def is_likely(self) -> bool:
        """Whether the likeliest of the rows is rather meant than not, by what was read alone."""
        return self.features["rows"] > 0

    def held(self, hit: Hit) -> Interval:
        """The days of a row of the table, half-open."""
        return fact_of(hit).held(inclusive=self.inclusive)


def find_kind(parsed: ParsedQuestion, hits: Sequence[Hit], *, joined: bool = False) -> FactKind | None:
    """The kind of facts that a question is about; ``None`` if the evidence contains no facts.

    Of the kinds of several tables, it is the likeliest. ``joined``: the facts agree with an event of the
    question, whose words no row needs to have. If no facts are likely for a question that counts things or
    changes, the reader is asked for the things, or the value, themselves.
    """
    asked = asked_rows(parsed, hits, joined=joined)
    if asked is None:
        return None
    best = _likeliest(asked, asked.wording)
    for wording in (things_counted(asked.parsed.core), things_changed(asked.parsed.core)):
        if wording is not None and best.match is Match.NONE:
            best = max(best, _likeliest(asked, wording), key=_rank)
    return best


def _likeliest(asked: AskedRows, wording: str) -> FactKind:
    """The likeliest kind of facts of all tables, if the reader is asked a question in this wording."""
    selections = select_rows(wording, asked.facts, asked.words, asked.wants)
    linked = (_linked(asked, chosen) for chosen in selections)
    best, _ = max(
        ((kind, chosen.odds) for kind, chosen in zip(linked, selections, strict=True)),
        key=lambda pair: (*_rank(pair[0]), pair[1]),
    )
    return best


def _rank(kind: FactKind) -> tuple[Match, float]:
    return kind.match, score_of(kind.features, _WEIGHTS)


def _linked(asked: AskedRows, chosen: RowSelection) -> FactKind:
    """The kind of the rows that were chosen in one table."""
    offered = _offered(asked.parsed, chosen, asked.topic.words)
    chosen = offered or chosen
    told = topic_words(" ".join(chosen.conditions.values())).union(
        asked.of_limit, covered_words(asked.parsed, chosen), _words_of_most(chosen.facts)
    )
    features = _features(asked, chosen, told)
    probability = probability_of(score_of(features, _WEIGHTS))
    if offered is not None:
        match = Match.SURE
    elif features["missing"] or not _may_answer(asked, chosen) or _has_no_topic(asked, chosen):
        match = Match.NONE
    elif probability >= _SURE:
        match = Match.SURE
    elif chosen.column is None and not _names_any(asked, chosen):
        match = Match.NONE
    else:
        has_all = features["all words"] == 1 and bool(chosen.conditions)
        is_likely = probability >= _POSSIBLE and not _counts_others(asked, chosen)
        match = Match.POSSIBLE if asked.joined or has_all or is_likely else Match.NONE
    key, fit = tuple(chosen.conditions.items()), max(probability, features["words"])
    inclusive = is_inclusive(chosen.table)
    return FactKind(chosen.column, key, chosen.table, chosen.facts, match, fit, features, inclusive)


def _names_any(asked: AskedRows, chosen: RowSelection) -> bool:
    """Whether the question has a word of a value in each of the rows, whose time it asks for.

    Words of remarks do not name a row.
    """
    words = asked.topic.words

    def is_named(hit: Hit) -> bool:
        names = [value for _, value in fact_of(hit).fields if len(value.split()) <= _LONGEST_NAME]
        return bool(forms_among(words, topic_words(" ".join(names))))

    return not chosen.conditions or all(map(is_named, chosen.facts))


def _words_of_most(facts: Sequence[Hit]) -> AbstractSet[str]:
    """The words that at least half of the facts have."""
    counts = Counter(word for hit in facts for word in words_of_row(hit))
    return {word for word, count in counts.items() if 2 * count >= len(facts)}


def _may_answer(asked: AskedRows, chosen: RowSelection) -> bool:
    """Whether the column may answer: a name needs one, and other things do not tell how many people.

    People do not tell where something is.
    """
    if chosen.column is None:
        return asked.wants not in (Wants.NAME, Wants.PERSON)
    if asks_where(asked.parsed.question) and holds_people(chosen.table, chosen.column):
        return False
    counted = counted_noun(asked.parsed.question)
    if means("person", topic_words(counted)) and not number_columns(chosen.table):
        return holds_people(chosen.table, chosen.column)
    return not counted or not holds_prose(chosen.table, chosen.column)


def _has_no_topic(asked: AskedRows, chosen: RowSelection) -> bool:
    """Whether nothing that is asked for chooses the table: "and in 2015?", "tell me more".

    The rows of a log may tell what happened.
    """
    words = asked.topic.words
    named = forms_among(words, heading_of(chosen.facts[0])) | words_for_columns(chosen.facts[0]) & words
    counted = counted_noun(asked.parsed.question)
    has_words = words - _OF_ANY_ROW or named or asked.of_limit or chosen.conditions or counted
    return not has_words and (is_periodic(chosen.table) or not is_of_entries(chosen.table))


def _counts_others(asked: AskedRows, chosen: RowSelection) -> bool:
    """Whether a number is asked for, of things that neither the table, its columns nor a condition names.

    "How many times" asks for no things.
    """
    counted = numbered_noun(asked.parsed.question)
    things = frozenset() if counted == TIMES else topic_words(counted) - OF_ANY_FACT - PERSON
    exemplar, conditions = chosen.facts[0], topic_words(" ".join(chosen.conditions.values()))
    return bool(things) and not forms_among(
        things, heading_of(exemplar) | words_for_columns(exemplar) | conditions
    )


def _features(asked: AskedRows, chosen: RowSelection, told: AbstractSet[str]) -> Features:
    """The features of what was chosen for a question; the facts cover those of its words that are told."""
    topic = asked.topic
    fit = topic.share(told)
    odds, column_odds = (max(-_CLEAREST, min(_CLEAREST, odds)) for odds in (chosen.odds, chosen.column_odds))
    return {
        "bias": 1.0,
        "rows": odds,
        "column": column_odds,
        "no column": float(chosen.column is None),
        "words": fit,
        "all words": float(fit == 1),
        "stated": float(_states_any(chosen, asked.words)),
        "missing": float(bool(topic.missing(told))),
        "conditions": float(len(chosen.conditions)),
        "named": float(chosen.column is not None and is_mentioned(chosen.column, topic.words)),
        "others": float(len(topic.words - told)),
        "mixed": float(_is_mixed(chosen)),
        "all rows": float(len(chosen.facts) == len(chosen.table)),
    }


def _is_mixed(chosen: RowSelection) -> bool:
    """Whether numbers of several things are chosen: no condition, though another column groups the rows."""
    column, table = chosen.column, chosen.table
    if column is None or chosen.conditions or not holds_numbers(table, column) or is_periodic(table):
        return False
    names = columns_of_names(table) - {column}
    return any(1 < variety(chosen.facts, name) < len(chosen.facts) for name in names)


def _states_any(chosen: RowSelection, words: frozenset[str]) -> bool:
    """Whether the words of a question state a condition in full, or there is no condition."""
    values = chosen.conditions.values()
    return not values or any(is_stated(value, words) for value in values)


def _offered(parsed: ParsedQuestion, chosen: RowSelection, words: frozenset[str]) -> RowSelection | None:
    """The rows of the values of one column that a question offers ("Was it Ann or Bo?"), if it does.

    Also of the values that it asks about together ("Were Ann and Bo captains at the same time?").
    """
    overlap = asks_for_overlap(parsed.core)
    if not overlap and not _OFFERS.search(parsed.question):
        return None
    for name, _ in fact_of(chosen.table[0]).fields:
        offered = (values_named if overlap else values_stated)(chosen.table, name, words)
        if len({topic_words(value) for value in offered}) > 1:
            rest = {
                key: value
                for key, value in chosen.conditions.items()
                if key != name and value in values_named(chosen.table, key, words)
            }
            met = tuple(hit for hit in chosen.table if value_of(hit, name) in offered)
            facts = tuple(hit for hit in met if all(same_value(value_of(hit, k), v) for k, v in rest.items()))
            return replace(chosen, column=name, conditions=rest, facts=facts or met)
    return None


def widened(kind: FactKind, core: str) -> FactKind:
    """The kind, extended by facts whose key values fit the question's ``core`` equally well.

    Two values fit equally well if they share the same words with the core and neither is contained in full:
    "transfers" matches "decision on transfers" and "decision on transfers to the United States" alike. So
    does a value fit that says more in brackets: "Chair (acting)" beside "Chair".
    """
    words = topic_words(core)

    def is_alike(value: str, other: str) -> bool:
        of_value, of_other = topic_words(value), topic_words(other)
        shared = of_value & words
        in_part = bool(shared) and shared not in (of_value, of_other)
        is_same = same_value(value, other) or same_value(value, _IN_BRACKETS.sub("", other).strip())
        return is_same or (in_part and of_other & words == shared)

    facts = [
        hit for hit in kind.table if all(is_alike(value, value_of(hit, name)) for name, value in kind.key)
    ]
    key = tuple(
        (name, value) for name, value in kind.key if all(same_value(value_of(h, name), value) for h in facts)
    )
    return replace(kind, key=key, facts=tuple(facts))


def identifies(kind: FactKind) -> bool:
    """Whether the question states what the facts are about: a value of the most varied column of names."""
    names = [name for name, value in fact_of(kind.table[0]).fields if not is_number(value)]
    return max(names, key=lambda name: variety(kind.table, name), default="") in dict(kind.key)
