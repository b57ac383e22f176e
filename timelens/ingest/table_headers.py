"""The head of a table: the text above it, and the names of its columns."""

import re
from collections.abc import Sequence

from timelens.errors import BadInputError
from timelens.ingest.period_columns import is_time
from timelens.ingest.table_dates import MOSTLY, YEAR, Row

NO_NAMES = "its first row does not name its columns"
_NUMBER = re.compile(r"[+-]?\d[\d.,]*\s?%?")
_SEPARATOR = re.compile(r"\s*sep=(.)\r?\n", re.IGNORECASE)
_DELIMITERS = ",;\t|"
_SNAKE_CASE = re.compile(r"[^\W_]+(?:_[^\W_]+)+")
_BETWEEN_FIGURES = re.compile(r"(?<=\d)_(?=\d)")


def stated_delimiter(content: str) -> tuple[str | None, str]:
    """(delimiter that Excel states in a first line "sep=;", text with that line blank)."""
    stated = _SEPARATOR.match(content)
    return (stated[1], "\n" + content[stated.end() :]) if stated else (None, content)


def likely_delimiter(content: str) -> str:
    """The most frequent delimiter of the first line that has one."""
    lines = (re.sub(r'"[^"]*"', "", line) for line in content.split("\n", 20))
    first = next((line for line in lines if any(mark in line for mark in _DELIMITERS)), "")
    return max(_DELIMITERS, key=first.count)


def below_title(rows: Sequence[Row]) -> tuple[str, Sequence[Row]]:
    """(text above the table, rows from the header on); rows of one cell above those of several are text.

    Cells with the same text are one, which covers several columns.
    """

    def is_wide(row: Row) -> bool:
        return len(set(map(str.strip, row[1])) - {""}) > 1

    first = next((at for at, row in enumerate(rows) if is_wide(row)), 0)
    if not any(map(is_wide, rows[first + 1 :])):
        return "", rows
    titles = dict.fromkeys(cell.strip() for _, row in rows[:first] for cell in row if cell.strip())
    return " ".join(titles), rows[first:]


def in_words(name: str) -> str:
    """The name of a column with its words apart: "birds ringed" for "birds_ringed", "2014-15" for "2014_15".

    Only names in small letters are in snake case; other names are returned unchanged.
    """
    if _SNAKE_CASE.fullmatch(name) is None or name != name.lower():
        return name
    return _BETWEEN_FIGURES.sub("-", name).replace("_", " ")


def distinct_names(names: Sequence[str]) -> list[str]:
    """The names of columns, each only once: a second "Name" becomes "Name 2".

    Raises:
        BadInputError: several columns have no name, or all the same.
    """
    header = [name.strip() for name in names]
    if header and len(set(header)) == len(header):
        return header
    if len(set(filter(None, header))) <= 1:
        raise BadInputError(NO_NAMES, "give it a header with distinct names")
    distinct: list[str] = []
    for place, stated in enumerate(header, start=1):
        name = stated or f"column {place}"
        others = (f"{name} {count}" for count in range(2, len(header) + 2))
        free = (other for other in others if other not in {*header, *distinct})
        distinct.append(next(free) if name in distinct else name)
    return distinct


def are_names(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a first row names the columns of the others.

    It does not if it has a date or a period as nearly all cells below it, or numbers as all below them.
    Numbers that count on ("2001, 2002, 2003") are names of columns.
    """
    numbers = [int(cell) for cell in first if cell.strip().isdecimal()]
    counts_on = len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    of_numbers: list[bool] = []
    for at, cell in enumerate(map(str.strip, first)):
        below = [row[at].strip() for row in rows if at < len(row) and row[at].strip()]
        pattern = next((each for each in (YEAR, _NUMBER) if each.fullmatch(cell)), None)
        if pattern is not YEAR and is_time(cell):
            if sum(map(is_time, below)) >= max(MOSTLY * len(below), 1):
                return False
        elif pattern is not None:
            of_numbers.append(bool(below) and all(map(pattern.fullmatch, below)))
    return counts_on or not of_numbers or not all(of_numbers)
