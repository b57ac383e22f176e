"""Chooses the rows of one table that a question is about, and the column that answers it.

The row reader gives for each row the log odds that it meets the conditions of the question. The rows are
chosen by conditions, each on the value of a column: of all conjunctions of values of a likely row, the one
whose rows have the highest sum of log odds. This is the likeliest set if rows are independent. The condition
of a column is extended by values whose rows are likely too ("wheat": winter wheat and spring wheat).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations

from timelens.answer.tables.column_choice import (
    Fields,
    Wants,
    candidate_columns,
    likeliest_column,
    named_columns,
    shared_columns,
)
from timelens.answer.tables.columns import (
    OF_ANY_FACT,
    OF_ANY_NUMBER,
    PERIODS,
    by_table,
    fact_of,
    forms_among,
    heading_of,
    holds_numbers,
    is_filled,
    is_mentioned,
    is_number,
    is_stated,
    is_total,
    means,
    number_columns,
    words_for_columns,
    words_of_row,
)
from timelens.documents import Hit
from timelens.lexicon import one_of
from timelens.question.asked_numbers import counted_noun, extreme_asked, length_extreme_asked
from timelens.question.intent import asked_noun, asks_for_neighbour
from timelens.reader.row_reader import RowReading, bundled_row_reader, row_of
from timelens.words import topic_words

_MOST_READ = 16
"""Maximum number of different rows that are read; those with most words of the question come first."""
_MOST_TABLES = 8
"""Maximum number of further tables of which one row is read."""
_UNREAD = -0.5
"""Log odds of a row that was not read."""
_MOST_CONDITIONS = 3
_EXEMPLARS = 3
"""Number of the likeliest rows of each table whose values may be conditions."""
_SIMPLER = 0.3
"""Log odds that each condition costs."""
_STATED = 1.0
"""Log odds added for a value that the question states in full, and taken off the others of its column."""
_CLEAREST = 4.0
"""Maximum of the log odds of a row in a sum, so that no single row decides."""
_NAMED = 2.0
"""Log odds added for a column that the question names after "which", "what" or "how many"."""
_MENTIONED = 2.0
"""Log odds added for a column of whose name the question has a word."""
_REPEATED = 1.0
"""Log odds taken off a column whose value in the likeliest row has a word of the question."""
_UNCONDITIONAL = 4.0
"""Log odds of the rows of a table if the question only names it, its columns, and an operation on them."""
_NEAR = 2.0
"""Log odds below the likeliest row within which rows tell the answer column, and extend a condition."""

_WHICH_THING = re.compile(
    rf"\bwhich\s+(?!(?:of\s+\w+\s+)?(?:{one_of([*PERIODS, 'day'])})s?\b)", re.IGNORECASE
)
"""A question for a thing; "which year" and "which of the seasons" ask for a time."""

Told = tuple[str, Fields]
"""The document of a row, and those of its fields that may matter to a question."""
Values = Mapping[str, object]
"""The values of a row by column, as they are compared: without case and inflection."""
Conditions = Mapping[str, AbstractSet[object]]
"""For each column with a condition, the values that meet it."""


@dataclass(frozen=True, slots=True)
class RowSelection:
    """The rows that a question is about."""

    column: str | None
    """The answer column; ``None`` if no column answers."""
    conditions: Mapping[str, str]
    """The value that the rows share in each column with a condition, or that the question states in full."""
    table: tuple[Hit, ...]
    facts: tuple[Hit, ...]
    odds: float
    """Log odds that the likeliest of the rows meets the question, by what was read alone."""
    column_odds: float
    """Log odds that the answer column answers rather than none; 0 if no column answers."""


def select_rows(
    question: str, hits: Sequence[Hit], words: frozenset[str], wants: Wants
) -> list[RowSelection]:
    """The rows of each table that a question is about if it is about this table.

    Args:
        question: the question without its time.
        hits: rows of one or more tables, at least one.
        words: the topic words of the question.
        wants: what must answer.
    """
    readings = _read(question, hits, words)
    read = {document for document, _ in readings}
    return [
        _Table(question, rows, readings, words, wants).selection()
        for document, rows in by_table(hits).items()
        if document in read
    ]


def _read(question: str, hits: Sequence[Hit], words: frozenset[str]) -> dict[Told, RowReading]:
    """What was read of different rows; one row is read for all that differ only in numbers.

    Of a table that has none of the nearest rows, its nearest one is read.
    """
    nearest = sorted(
        hits, key=lambda hit: (-len(words & words_of_row(hit)), -(hit.scores.semantic or 0.0), hit.chunk.id)
    )
    different: dict[Told, Hit] = {}
    for hit in nearest:
        different.setdefault(_told(hit, words), hit)
    nearest_of: dict[str, Told] = {}
    for told in different:
        nearest_of.setdefault(told[0], told)
    chosen = list(different)[:_MOST_READ]
    chosen += [told for told in nearest_of.values() if told not in chosen][:_MOST_TABLES]
    rows = [row_of(different[told].chunk.title, fact_of(different[told]).fields) for told in chosen]
    return dict(zip(chosen, bundled_row_reader().tell(question, rows), strict=True))


def _told(hit: Hit, words: frozenset[str]) -> Told:
    """What a row tells to a question with these words: its document, and its fields without other numbers."""
    fields = fact_of(hit).fields
    told = ((name, value) for name, value in fields if not is_number(value) or is_stated(value, words))
    return hit.chunk.document_id, tuple(told)


class _Table:
    """The rows of one table, with what was read of them."""

    def __init__(
        self,
        question: str,
        rows: Sequence[Hit],
        readings: Mapping[Told, RowReading],
        words: frozenset[str],
        wants: Wants,
    ) -> None:
        self._rows = rows
        self._values: list[Values] = [
            {name: _plain(value) for name, value in fact_of(hit).fields if value} for hit in rows
        ]
        self._stated = _stated(rows, words)
        told = [_told(hit, words) for hit in rows]
        is_unconditional = _names_no_value(words, rows[0])
        self._odds, self._meets = [_UNREAD] * len(rows), [_UNREAD] * len(rows)
        read = [number for number, each in enumerate(told) if each in readings]
        for number in read:
            met = _UNCONDITIONAL if is_unconditional else readings[told[number]].meets
            self._meets[number], self._odds[number] = met, met + self._prior(self._values[number])
        self._likeliest = sorted(read, key=lambda number: -self._odds[number])
        likely = [told[number] for number in self._near(self._likeliest)]
        self._column, self._column_odds = self._answer_column(
            question, words, wants, [readings[each] for each in likely], likely
        )

    def _answer_column(
        self,
        question: str,
        words: frozenset[str],
        wants: Wants,
        readings: Sequence[RowReading],
        likely: Sequence[Told],
    ) -> tuple[str | None, float]:
        """The column that answers, by the ``readings`` of the ``likely`` rows, with its log odds."""
        asked = asked_noun(question)
        counted = topic_words(counted_noun(question))
        named = named_columns(self._rows, topic_words(asked) | counted, self._stated.keys())
        prior = {
            name: _NAMED * (name in named)
            + _MENTIONED * is_mentioned(name, words)
            - _REPEATED * (not words.isdisjoint(topic_words(value)))
            for name, value in fact_of(self._rows[self._likeliest[0]]).fields
        }
        shared = shared_columns({fields for _, fields in likely})
        candidates = candidate_columns(self._rows, wants) - (shared - named)
        if extreme_asked(question) or length_extreme_asked(question):
            things = candidates - set(number_columns(self._rows))
            if things and not named and _WHICH_THING.search(question):  # "which batch cost the most"
                naming = next(name for name, _ in fact_of(self._rows[0]).fields if name in things)
                _, odds = likeliest_column(readings, prior, {naming}, wants)
                return naming, max(odds, 0.0)
            candidates = things & named or candidates
        if by_name := {name for name in candidates if means(name, counted)}:
            candidates = by_name
        column, odds = likeliest_column(readings, prior, candidates, wants)
        if self._is_stated(column) and wants is Wants.NOTHING:  # "when did the ticket first cost £6?"
            return None, 0.0
        if self._is_stated(column) and not asks_for_neighbour(question):
            others = {name for name in candidates if not self._is_stated(name)}
            column, odds = likeliest_column(readings, prior, others, wants if asked else Wants.NOTHING)
        total = [name for name in candidates if is_total(name)]
        if column in number_columns(self._rows) and not is_mentioned(column, words) and len(total) == 1:
            return total[0], odds  # "pupils in 2019" are all of them, no part
        return column, odds

    def selection(self) -> RowSelection:
        """The rows that are likeliest to meet the question."""
        _, exemplar, names = max(self._conjunctions(), key=lambda one: one[0])
        values, fields = self._values[exemplar], dict(fact_of(self._rows[exemplar]).fields)
        facts = self._as_stated(self._meeting(self._extended({name: {values[name]} for name in names})))
        conditions = {
            name: fields[name]
            for name, value in values.items()
            if name != self._column
            and (name in names or value in self._stated.get(name, ()))
            and all(self._values[number].get(name) == value for number in facts)
        }
        chosen = tuple(self._rows[number] for number in facts)
        met = max(self._meets[number] for number in facts)
        return RowSelection(self._column, conditions, tuple(self._rows), chosen, met, self._column_odds)

    def _near(self, rows: Sequence[int]) -> list[int]:
        """Of rows, those that are nearly as likely as the likeliest row."""
        least = self._odds[self._likeliest[0]] - _NEAR
        return [number for number in rows if self._odds[number] >= least]

    def _is_stated(self, name: str | None) -> bool:
        """Whether the question states the value of the likeliest row in a column in full."""
        return name is not None and self._values[self._likeliest[0]].get(name) in self._stated.get(name, ())

    def _prior(self, values: Values) -> float:
        """Log odds of a row from the values that the question states in full."""
        return sum(
            _STATED if _has(values, name, stated) else -_STATED
            for name, stated in self._stated.items()
            if name in values
        )

    def _conjunctions(self) -> Iterator[tuple[float, int, tuple[str, ...]]]:
        """Conjunctions of values of a likely row: the sum of log odds, the row, and the columns."""
        different: dict[Fields, int] = {}
        for number in self._likeliest:
            different.setdefault(fact_of(self._rows[number]).fields, number)
        for exemplar in list(different.values())[:_EXEMPLARS]:
            values = self._values[exemplar]
            names = [name for name in values if name != self._column and self._may_restrict(name)]
            for count in range(min(len(names), _MOST_CONDITIONS) + 1):
                for chosen in combinations(names, count):
                    rows = self._meeting({name: {values[name]} for name in chosen})
                    yield self._sum(rows) - _SIMPLER * count, exemplar, chosen

    def _may_restrict(self, name: str) -> bool:
        """Whether a column may have a condition; numbers and notes have one only if they are stated."""
        return name in self._stated or not (
            holds_numbers(self._rows, name) or not is_filled(self._rows, name)
        )

    def _extended(self, conditions: Conditions) -> Conditions:
        """The conditions, with further values whose rows are likely to meet the question."""
        extended = {name: set(values) for name, values in conditions.items()}
        for name, meant in extended.items():
            others = self._stated.get(name, {values.get(name) for values in self._values})
            for value in others - meant:
                rows = self._meeting({**extended, name: {value}})
                if self._sum(rows) > 0 and self._near(rows):
                    meant.add(value)
        return extended

    def _as_stated(self, rows: list[int]) -> list[int]:
        """Of rows, those with all values that the question states in full; all if none has them."""
        stated = {name: values for name, values in self._stated.items() if name != self._column}
        return [
            number
            for number in rows
            if all(_has(self._values[number], name, values) for name, values in stated.items())
        ] or rows

    def _meeting(self, conditions: Conditions) -> list[int]:
        """The rows that meet conditions."""
        return [
            number
            for number, values in enumerate(self._values)
            if all(values.get(name) in meant for name, meant in conditions.items())
        ]

    def _sum(self, rows: Sequence[int]) -> float:
        return sum(min(max(self._odds[number], -_CLEAREST), _CLEAREST) for number in rows)


def _names_no_value(words: frozenset[str], row: Hit) -> bool:
    """Whether a question with these words only names the table, its columns, and an operation on its rows."""
    named = forms_among(words, heading_of(row) | words_for_columns(row))
    return words - OF_ANY_NUMBER - OF_ANY_FACT <= named


def _stated(rows: Sequence[Hit], words: frozenset[str]) -> dict[str, set[frozenset[str]]]:
    """For each column, the longest values that a question with these words states in full."""
    found: dict[str, set[frozenset[str]]] = {}
    for hit in rows:
        for name, value in fact_of(hit).fields:
            if is_stated(value, words):
                found.setdefault(name, set()).add(topic_words(value))
    return {
        name: {value for value in values if not any(value < other for other in values)}
        for name, values in found.items()
    }


def _has(values: Values, name: str, stated: AbstractSet[frozenset[str]]) -> bool:
    """Whether a row has one of the values that the question states of a column, there or within another.

    A number within another value ("6 April") is not the one that is stated.
    """
    texts = [value for value in stated if not all(map(is_number, value))]
    return values.get(name) in stated or any(
        value <= other for other in values.values() if isinstance(other, frozenset) for value in texts
    )


def _plain(value: str) -> object:
    """A value as it is compared."""
    return topic_words(value) or value
