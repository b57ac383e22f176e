"""The rows of a table: their values, and the columns that a question names or asks for. Pure."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from timelens.documents import Fact, Hit
from timelens.lexicon import COLUMN_NOUNS
from timelens.question.intent import asked_noun, counted_noun, is_change
from timelens.question.names import names_in
from timelens.reader.encoding import Passage
from timelens.reader.span_reader import bundled_reader
from timelens.words import topic_words

_MOSTLY = 0.5
"""Minimum share of the words of a value named in part ("Merkel" for "Angela Merkel")."""
_ROWS_READ = 6
"""Number of rows in which the reader looks for the answer column."""
_LEAST_READ, _CLEARER = -5.0, 0.7
"""Minimum log odds of a column in which the reader finds the answer, and by how much those of one that it
chooses exceed those of the usual one."""
OF_ANY_NUMBER = topic_words(
    "level value amount figure number quantity size height "
    "highest largest biggest greatest dearest most expensive maximum peak "
    "lowest smallest cheapest least fewest minimum"
)
"""Words covered by any number: "which levels did Bank Rate have"."""
QUANTITIES = OF_ANY_NUMBER | topic_words("rate price cost fee toll fare tariff wage salary tax share index")
"""Words that ask for a number: unlike "which rate", "what was the rate" does not ask for a name."""
_NUMBER = r"[-+−]?[$£€¥]?[\d., ]+%?"
_NUMBERS = re.compile(rf"{_NUMBER}(?:to{_NUMBER})?")
_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)
WHO = re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)
ALIKE = tuple(topic_words(" ".join(nouns)) for nouns in COLUMN_NOUNS)
"""The stems of words for one thing that a column may be named after."""
PERSON = next(alike for alike in ALIKE if topic_words("person") <= alike)
WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)


def fact_of(hit: Hit) -> Fact:
    """The fact of a hit.

    Raises:
        ValueError: the hit is text.
    """
    if hit.chunk.fact is None:
        raise ValueError(f"{hit.chunk.id} is not a fact")
    return hit.chunk.fact


def is_of_entries(table: Sequence[Hit]) -> bool:
    """Whether each row of a table has a single date, as entries of a log have, rather than a period."""
    return all(fact_of(hit).start == fact_of(hit).end for hit in table)


def answer_column(
    exemplar: Hit, table: Sequence[Hit], words: frozenset[str], question: str
) -> tuple[str | None, bool]:
    """The answer column: one named after "which", one of numbers that is named, or the most varied.

    With it, whether it is clear: named, the only one, or one in which the reader finds an answer.

    A column is named by its name, or by a word in most of its values ("rack" for "Rack 5"). If none is named,
    the reader may decide (see :func:`_odds`). A column in which the question names a part of the value
    ("Hexley" of "Pellworth to Hexley") comes last.

    Words of a stated value ("Bank Rate") do not name a column ("Bank"); words that ask for a number do not
    name a column of names; "who", and a noun for which there is no column, ask for no number.
    """
    fields = [(name, value) for name, value in fact_of(exemplar).fields if value]
    open_columns = [name for name, value in fields if share_stated(value, words)[0] < 1]
    if not open_columns:
        return None, True
    told = [topic_words(value) for _, value in fields if share_stated(value, words)[0] == 1]
    asked = topic_words(f"{asked_noun(question)} {counted_noun(question)}")
    free = (asked & words.union(*ALIKE)).difference(*told)
    numbers = {name for name, value in fields if is_number(value)}.intersection(open_columns)
    if numbers and not _WHICH.search(question):
        open_columns = [
            name
            for name in open_columns
            if name in numbers or topic_words(name).isdisjoint(free & QUANTITIES)
        ]
    named = [name for name in open_columns if share_stated(name, free)[0] == 1]
    named += [name for name in open_columns if means(name, free)]
    named += [name for name in open_columns if _is_in_values(asked.difference(*told), table, name)]
    if WHERE.search(question):
        named += [name for name in open_columns if is_place(name)]
    others = topic_words(question).difference(*told)
    named += [name for name in open_columns if name in numbers and share_stated(name, others)[0] == 1]
    if is_change(question):
        of_names = [name for name in open_columns if name not in numbers]
        named += [
            name for name in of_names if topic_words(name).isdisjoint(QUANTITIES) and means(name, others)
        ]
    if named:
        return named[0], True
    if WHO.search(question) or (free and free.isdisjoint(QUANTITIES)):
        open_columns = [name for name in open_columns if name not in numbers] or open_columns
    open_columns = [name for name in open_columns if not _is_of_remarks(table, name)] or open_columns
    usual = _most_varied(
        exemplar, table, open_columns, topic_words(" ".join(names_in(question))).difference(*told)
    )
    heading = heading_of(exemplar)
    unstated = [
        name for name in open_columns if not share_stated(value_of(exemplar, name), words, heading)[1]
    ]
    if unstated == [usual]:
        return usual, True
    odds = _odds(question, [exemplar, *table])
    if usual in unstated:
        stated = [name for name, _ in fields if names_row(exemplar, name, words)]
        alike = [hit for hit in table if all(value_of(hit, n) == value_of(exemplar, n) for n in stated)]
        varied = [name for name in unstated if variety(alike, name) > 1]
        read = max(varied or unstated, key=lambda name: odds.get(name, _LEAST_READ))
        usual = read if odds.get(read, _LEAST_READ) > odds.get(usual, _LEAST_READ) + _CLEARER else usual
    return usual, usual in odds


def _most_varied(
    exemplar: Hit, table: Sequence[Hit], columns: Sequence[str], in_names: AbstractSet[str]
) -> str:
    """The most varied column; those with a word of a name that the question does not state in full come last.

    Of equally varied columns, it is the last: tables go from the general to the particular.
    """

    def openness(name: str) -> tuple[bool, int]:
        return topic_words(value_of(exemplar, name)).isdisjoint(in_names), variety(table, name)

    return max(reversed(columns), key=openness)


def _is_of_remarks(table: Sequence[Hit], column: str) -> bool:
    """Whether most rows have nothing in a column, as in one for remarks."""
    return 2 * sum(not value_of(hit, column) for hit in table) > len(table)


def _is_in_values(asked: AbstractSet[str], table: Sequence[Hit], column: str) -> bool:
    """Whether most values of a column have an asked word."""
    values = [topic_words(value) for hit in table if (value := value_of(hit, column))]
    return bool(asked) and sum(not asked.isdisjoint(value) for value in values) > _MOSTLY * len(values)


def _odds(question: str, rows: Sequence[Hit]) -> dict[str, float]:
    """The log odds, above ``_LEAST_READ``, that the reader finds the answer in a column of the first rows.

    Each row is read as a text of its names and values; of the spans in a column, the likeliest counts.
    """
    read = [_as_text(row) for row in rows[:_ROWS_READ]]
    found: dict[str, float] = {}
    for span in bundled_reader().read(question, None, [passage for passage, _ in read]):
        for name, (start, end) in read[span.passage][1].items():
            if start <= span.start < end and span.score > found.get(name, _LEAST_READ):
                found[name] = span.score
    return found


def _as_text(row: Hit) -> tuple[Passage, dict[str, tuple[int, int]]]:
    """A row as a passage, with the offsets of its values by column."""
    text, places = "", {}
    for name, value in fact_of(row).fields:
        if value:
            text += f"{', ' if text else ''}{name} "
            places[name] = len(text), len(text) + len(value)
            text += value
    return Passage(Path(row.chunk.document_id).stem, text, None, ()), places


def means(column: str, words: AbstractSet[str]) -> bool:
    """Whether words name a column, by its own name or by a word for the same thing ("job" for "position").

    Of a name of several words the last one counts: "rent" for "Monthly rent".
    """
    own, head = topic_words(column), topic_words(column.rsplit(maxsplit=1)[-1] if column.split() else "")
    return bool(own) and (own <= words or any(head <= alike and words & alike for alike in ALIKE if head))


def words_for_columns(hit: Hit) -> frozenset[str]:
    """The words by which a question may name the columns of a row's table, besides their own."""
    columns = dict(fact_of(hit).fields)
    return frozenset().union(*(alike for alike in ALIKE if any(means(name, alike) for name in columns)))


def is_place(column: str) -> bool:
    """Whether a column is named after a place."""
    return means(column, topic_words("place"))


def subject_column(table: Sequence[Hit]) -> str:
    """The column that identifies the facts: the one with most different values."""
    return max(
        (name for name, _ in reversed(fact_of(table[0]).fields)), key=lambda name: variety(table, name)
    )


def variety(table: Sequence[Hit], column: str) -> int:
    """The number of different values of a column."""
    return len({value_of(hit, column) for hit in table})


def names_row(exemplar: Hit, column: str, words: frozenset[str]) -> bool:
    """Whether the question contains at least ``_MOSTLY`` of the fact's value in a column."""
    return share_stated(value_of(exemplar, column), words)[0] >= _MOSTLY


def is_number(value: str) -> bool:
    """Whether a value is a number or a range of numbers."""
    return _NUMBERS.fullmatch(value) is not None


def heading_of(hit: Hit) -> frozenset[str]:
    """The words of the table's name and of its columns."""
    return topic_words(" ".join([Path(hit.chunk.document_id).stem, *dict(fact_of(hit).fields)]))


def words_of_row(hit: Hit) -> frozenset[str]:
    """The words of all values of a row."""
    return topic_words(" ".join(value for _, value in fact_of(hit).fields))


def share_stated(
    value: str, words: AbstractSet[str], taken: AbstractSet[str] = frozenset()
) -> tuple[float, int]:
    """Share (0..1) and number of a value's words that are in the question.

    ``taken``: words that do not count for a value stated in part.
    """
    of_value = topic_words(value)
    if not of_value:
        return 0.0, 0
    count = len(of_value) if of_value <= words else len(of_value & words - taken)
    return count / len(of_value), count


def same_value(one: str, other: str) -> bool:
    """Whether two values are equal except for case and inflection."""
    return one == other or (topic_words(one) == topic_words(other) != frozenset())


def value_of(hit: Hit, column: str) -> str:
    """The value of a fact in a column; empty if it has no such column."""
    return dict(fact_of(hit).fields).get(column, "")
