"""Chooses the column of a table that answers a question, by what the row reader tells of its rows. Pure."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto

import numpy as np

from timelens.answer.tables.columns import (
    columns_of_names,
    fact_of,
    holds_people,
    is_filled,
    means,
    number_columns,
    value_of,
)
from timelens.documents import Hit
from timelens.reader.row_reader import RowReading
from timelens.words import topic_words

Fields = tuple[tuple[str, str], ...]


class Wants(Enum):
    """What a question needs as its answer."""

    NOTHING = auto()
    """No column, unless one is likelier than none."""
    COLUMN = auto()
    NUMBER = auto()
    """A column of numbers, if there is one."""
    NAME = auto()
    """A column of other values than numbers, if there is one; not one that is mostly empty, nor of prose."""
    PERSON = auto()
    """A column of names of people, if there is one, else as :attr:`NAME`."""


def named_columns(rows: Sequence[Hit], asked: AbstractSet[str], stated: AbstractSet[str]) -> frozenset[str]:
    """The columns that an asked noun names, by their name or by a word in most of their values ("Rack 5").

    A column of which a value is ``stated`` is not named by its values.
    """
    named = set()
    for name in dict(fact_of(rows[0]).fields):
        values = [topic_words(value) for hit in rows if (value := value_of(hit, name))]
        in_values = sum(not asked.isdisjoint(value) for value in values)
        if means(name, asked) or (name not in stated and 2 * in_values > len(values)):
            named.add(name)
    return frozenset(named)


def candidate_columns(rows: Sequence[Hit], wants: Wants) -> AbstractSet[str]:
    """The columns that may answer."""
    columns = set(dict(fact_of(rows[0]).fields))
    numbers = set(number_columns(rows))
    match wants:
        case Wants.NUMBER:
            return numbers or columns
        case Wants.NAME:
            filled = {name for name in columns - numbers if is_filled(rows, name)}
            return columns_of_names(rows) or filled or columns - numbers or columns
        case Wants.PERSON:
            people = {name for name in columns - numbers if holds_people(rows, name)}
            return people or candidate_columns(rows, Wants.NAME)
        case _:
            return columns


def shared_columns(likely: AbstractSet[Fields]) -> AbstractSet[str]:
    """The columns with the same value in all of several likely rows; they hardly ever answer.

    Of the questions of ``scripts/reading/tables`` that three or more different rows answer, 2 of 426 ask for
    such a column.
    """
    return {name for name, _ in frozenset.intersection(*map(frozenset, likely))} if len(likely) > 2 else set()


def likeliest_column(
    readings: Sequence[RowReading], prior: Mapping[str, float], candidates: AbstractSet[str], wants: Wants
) -> tuple[str | None, float]:
    """The candidate with the highest mean log odds over the rows, with the prior added, and these log odds.

    ``None`` and 0 if none is likelier than no column, unless one must answer.
    """
    odds = {}
    for name in dict.fromkeys(name for reading in readings for name in reading.asked if name in candidates):
        told = [reading.asked[name] for reading in readings if name in reading.asked]
        odds[name] = float(np.mean(told)) + prior.get(name, 0.0)
    best = max(odds, key=lambda name: odds[name], default=None)
    if best is None or (wants is Wants.NOTHING and odds[best] <= 0):
        return None, 0.0
    return best, odds[best]
