"""The rows of a table: their values, and the columns that a question names or asks for. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from timelens.documents import Fact, Hit
from timelens.lexicon import COLUMN_NOUNS, CURRENCIES, MEASURES, one_of
from timelens.question.names import is_person
from timelens.temporal.interval import Granularity, granule
from timelens.words import topic_words

OF_ANY_FACT = topic_words(
    "start started starting begin began beginning commence commenced end ended ending finish finished "
    "conclude concluded complete completed continue continued period tenure duration change changed "
    "longest shortest year month day date"
)
"""Words covered by the start and the end of any fact."""
OF_ANY_NUMBER = topic_words(
    "level value amount figure number quantity size height "
    "highest largest biggest greatest dearest most expensive maximum peak "
    "lowest smallest cheapest least fewest minimum "
    "average mean total sum together altogether combined more less fewer over above below under"
)
"""Words covered by any number: "which levels did Bank Rate have"."""
_SIGNS = ("$", "£", "€", "¥")
_CODE = rf"(?:{one_of(CURRENCIES)})"
_NUMBER = rf"(?:{_CODE} ?)?[-+−]?[{''.join(_SIGNS)}]?[\d., ]+(?:%|{_CODE})?"
_NUMBERS = re.compile(rf"{_NUMBER}(?:to{_NUMBER})?")
_NEARLY_ALL = 0.8
"""Minimum share of numbers among the filled cells of a column of numbers, which may have remarks, too."""
_SENTENCE = 7
"""Least number of words of a cell that is a sentence rather than a name."""
_SHORT_FORM = 4
"""Minimum number of letters of a short form of a word."""
_TOTAL = re.compile(r"\b(?:total|all|altogether|overall|sum)\b", re.IGNORECASE)
_NO_VALUES = frozenset({"-", "–", "—", "--", "---", ".", "..", "...", "…", "/", "?"})
"""Cells that state nothing."""
_VACANT = re.compile(
    r"\W*(?:(?:nobody|no one|none|empty)\W*|(?:\w+\s+)?(?:vacan(?:t|cy)|unfilled)\b.*)", re.IGNORECASE
)
_CODE_PER = re.compile(r"[A-Z]{3} (?:per|an?) [a-z]+")
_LONGEST_YEAR = 366
_SERIES = 3
"""Minimum number of rows that make a series."""
_UNIT = re.compile(r"(?:[(\[](?:in )?(?P<within>[^()\[\]]{1,8})[)\]]|(?<=\s)(?P<last>\S{1,7}))\s*$")
"""The unit at the end of a column's name."""
PERIODS = ("year", "month", "quarter", "season", "term", "session", "week")
"""Words for the rows of a table with one for each year or month."""
_ALIKE = tuple(
    (topic_words(" ".join(nouns)), topic_words(" ".join(narrow))) for nouns, narrow in COLUMN_NOUNS
)
"""The stems of words for one thing that a column may be named after, and of narrower words."""
PERSON = next(alike for alike, _ in _ALIKE if topic_words("person") <= alike)
_OR_PLACES = topic_words("office")
"""Words for a post that are also words for a place, which a column of posts does not tell."""


def fact_of(hit: Hit) -> Fact:
    """The fact of a hit.

    Raises:
        ValueError: the hit is text.
    """
    if hit.chunk.fact is None:
        raise ValueError(f"{hit.chunk.id} is not a fact")
    return hit.chunk.fact


def by_table(facts: Iterable[Hit]) -> dict[str, list[Hit]]:
    """The rows of each table, by the document that it is."""
    tables: dict[str, list[Hit]] = {}
    for hit in facts:
        tables.setdefault(hit.chunk.document_id, []).append(hit)
    return tables


def is_of_entries(table: Sequence[Hit]) -> bool:
    """Whether each row of a table has a single date, as entries of a log have, rather than a period."""
    return all(fact_of(hit).start == fact_of(hit).end for hit in table)


def is_inclusive(table: Sequence[Hit]) -> bool:
    """Whether the recorded end of a row is its last day (month or year), and the next row starts after it.

    So it is if rows rather start after the recorded end of another one than with it. If neither is so, the
    last month or year is taken to be its own, but not the last day.
    """
    starts = Counter(fact_of(hit).start for hit in table)
    terms = [fact for fact in map(fact_of, table) if fact.end != fact.start]
    ends = [granule(fact.end, fact.granularity) for fact in terms if fact.end is not None]
    after = sum(starts[end.end] for end in ends) - sum(starts[end.start] for end in ends)
    return after > 0 or (after == 0 and all(fact.granularity is not Granularity.DAY for fact in terms))


def is_series(table: Sequence[Hit]) -> bool:
    """Whether the rows of a table follow each other in time, such as the holders of one office."""
    return _follow_each_other([fact_of(hit).validity.bounds for hit in table])


def _follow_each_other(bounds: Collection[tuple[float, float]]) -> bool:
    in_order = sorted(bounds)
    return len(in_order) >= _SERIES and all(one[1] <= other[0] + 1 for one, other in pairwise(in_order))


def is_periodic(table: Sequence[Hit]) -> bool:
    """Whether each row of a table is about one month, quarter or year, or a year such as 2015/16.

    Several rows may be about the same one. Months that are years apart are those of changes, as of prices.
    """
    bounds = {fact_of(hit).validity.bounds for hit in table}
    if is_of_entries(table):
        units = _units(table)
        is_one = len(units) == 1 and Granularity.DAY not in units
        return is_one and (units == {Granularity.YEAR} or _is_dense(table))
    lengths = [end - start for start, end in bounds]
    return max(lengths) <= _LONGEST_YEAR and max(lengths) - min(lengths) <= 1 and _follow_each_other(bounds)


def is_of_every_year(table: Sequence[Hit]) -> bool:
    """Whether a table has a row for each year from the first to the last, and for no other time."""
    starts = {fact_of(hit).validity.bounds[0] for hit in table}
    return len(starts) > 1 and _units(table) == {Granularity.YEAR} and _is_dense(table)


def _units(table: Sequence[Hit]) -> AbstractSet[Granularity]:
    """The units in which the dates of a table are stated."""
    return {fact_of(hit).granularity for hit in table}


def _is_dense(table: Sequence[Hit]) -> bool:
    """Whether each row but the first begins at most a year after the one before it."""
    starts = sorted({fact_of(hit).validity.bounds[0] for hit in table})
    return all(later - start <= _LONGEST_YEAR for start, later in pairwise(starts))


def means(column: str, words: AbstractSet[str]) -> bool:
    """Whether words name a column, by its own name or by a word for the same thing ("job" for "position").

    Of a name of several words the last one counts: "rent" for "Monthly rent". A word for more names a column
    of less, but not the other way round: "cost" names "Rent", "rent" does not name "Price".
    """
    thing, _ = _parted(column)
    own, head = topic_words(thing), topic_words(thing.rsplit(maxsplit=1)[-1] if thing.split() else "")
    alike = ((nouns, nouns | narrow) for nouns, narrow in _ALIKE if head)
    return bool(own) and (own <= words or any(head <= every and words & nouns for nouns, every in alike))


def is_mentioned(column: str, words: AbstractSet[str]) -> bool:
    """Whether words have one of a column's name, or a form of it: "electricity" for "Elec used"."""
    return bool(forms_among(words, topic_words(_parted(column)[0])))


def forms_among(words: AbstractSet[str], names: AbstractSet[str]) -> frozenset[str]:
    """The words that are among ``names``, or forms of one of these: "rehearse" of "rehearsal"."""

    def is_form(word: str) -> bool:
        begins = (own for own in names if word.startswith(own) or own.startswith(word))
        return any(min(len(word), len(own)) >= _SHORT_FORM for own in begins)

    return frozenset(word for word in words if word in names or is_form(word))


def words_for_columns(hit: Hit) -> frozenset[str]:
    """The words by which a question may name a row's table ("prices") or its columns, besides their own."""
    names = [hit.chunk.title, *dict(fact_of(hit).fields)]
    found = (nouns for nouns, _ in _ALIKE if any(means(name, nouns) for name in names))
    return frozenset().union(*found) - _OR_PLACES


def subject_column(table: Sequence[Hit]) -> str:
    """The column that identifies the facts: the one with most different values."""
    return max(
        (name for name, _ in reversed(fact_of(table[0]).fields)), key=lambda name: variety(table, name)
    )


def variety(table: Sequence[Hit], column: str) -> int:
    """The number of different values of a column."""
    return len({value_of(hit, column) for hit in table})


def is_number(value: str) -> bool:
    """Whether a value is a number or a range of numbers."""
    return _NUMBERS.fullmatch(value) is not None


def holds_numbers(rows: Sequence[Hit], column: str) -> bool:
    """Whether nearly all filled cells of a column are numbers, and at least one is filled."""
    values = [value for hit in rows if (value := value_of(hit, column))]
    return bool(values) and sum(map(is_number, values)) >= _NEARLY_ALL * len(values)


def is_filled(rows: Sequence[Hit], column: str) -> bool:
    """Whether at least half of the cells of a column are filled, as notes seldom are."""
    return 2 * sum(bool(value_of(hit, column)) for hit in rows) >= len(rows)


def holds_people(rows: Sequence[Hit], column: str) -> bool:
    """Whether most filled cells of a column may be the names of people."""
    values = [value for hit in rows if (value := value_of(hit, column))]
    return 2 * sum(map(is_person, values)) > len(values) and is_filled(rows, column)


def holds_prose(rows: Sequence[Hit], column: str) -> bool:
    """Whether most filled cells of a column are sentences or longer, as remarks are."""
    lengths = [len(value.split()) for hit in rows if (value := value_of(hit, column))]
    return 2 * sum(length >= _SENTENCE for length in lengths) > len(lengths)


def number_columns(rows: Sequence[Hit]) -> list[str]:
    """The columns of numbers, in the order of the table; none if there are no rows."""
    return [name for name in dict(fact_of(rows[0]).fields) if holds_numbers(rows, name)] if rows else []


def columns_of_names(rows: Sequence[Hit]) -> AbstractSet[str]:
    """The columns that hold neither numbers nor prose, and are not mostly empty."""
    columns = dict(fact_of(rows[0]).fields).keys() - set(number_columns(rows))
    return {name for name in columns if is_filled(rows, name) and not holds_prose(rows, name)}


def with_unit(column: str, value: str) -> str:
    """A number with the unit in the name of its column: "55 kg" under "Potatoes (kg)", "£4" under "Fee £"."""
    unit = _parted(column)[1] if is_number(value) else ""
    if not unit or unit in value:
        return value
    return f"{unit}{value}" if unit in _SIGNS else f"{value} {unit}"


def _parted(column: str) -> tuple[str, str]:
    """(name of a column without the unit at its end, unit); the unit of another kind in brackets is empty.

    "EUR per month" is a name and a unit.
    """
    if _CODE_PER.fullmatch(column):
        return column, column
    stated = _UNIT.search(column)
    if stated is None:
        return column, ""
    within, unit = stated["within"], stated["within"] or stated["last"]
    is_measure = unit in _SIGNS or (unit.casefold() in MEASURES and (len(unit) > 1 or unit.islower()))
    if within is None and not is_measure:
        return column, ""
    is_code = within is not None and unit.isalpha() and unit.isupper()
    return column[: stated.start()].strip() or column, unit if is_measure or is_code else ""


def heading_of(hit: Hit) -> frozenset[str]:
    """The words of the table's name and of its columns."""
    return topic_words(" ".join([hit.chunk.title, *dict(fact_of(hit).fields)]))


def words_of_row(hit: Hit) -> frozenset[str]:
    """The words of all values of a row."""
    return topic_words(" ".join(value for _, value in fact_of(hit).fields))


def is_stated(value: str, words: AbstractSet[str]) -> bool:
    """Whether a question with these words states a value in full."""
    of_value = topic_words(value)
    return bool(of_value) and of_value <= words


def values_stated(rows: Sequence[Hit], column: str, words: AbstractSet[str]) -> frozenset[str]:
    """The values of a column that a question with these words states in full."""
    return frozenset(value for hit in rows if is_stated(value := value_of(hit, column), words))


def values_named(rows: Sequence[Hit], column: str, words: AbstractSet[str]) -> frozenset[str]:
    """The values of a column that a question with these words states in full, or names by a word of its own.

    "Rhona" names "Rhona Keskey" if no other value of the column has this word. Numbers and prose are only
    stated in full.
    """
    in_full = values_stated(rows, column, words)
    if holds_prose(rows, column) or holds_numbers(rows, column):
        return in_full
    values = {value for hit in rows if (value := value_of(hit, column))}
    shared = Counter(word for own in {topic_words(value) for value in values} for word in own)
    return in_full.union(v for v in values if any(shared[w] == 1 for w in topic_words(v) & words))


def same_value(one: str, other: str) -> bool:
    """Whether two values are equal except for case and inflection."""
    return one == other or (topic_words(one) == topic_words(other) != frozenset())


def is_total(column: str) -> bool:
    """Whether a column is named as the total of others."""
    return _TOTAL.search(column) is not None


def is_vacant(value: str) -> bool:
    """Whether a value says that a post or a place is vacant: "(vacant)", "post vacant", "nobody"."""
    return _VACANT.fullmatch(value) is not None


def value_of(hit: Hit, column: str) -> str:
    """The value of a fact in a column; empty if it has no such column, or a sign that stands for nothing."""
    value = dict(fact_of(hit).fields).get(column, "")
    return "" if value in _NO_VALUES else value
