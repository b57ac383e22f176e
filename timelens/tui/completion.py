"""Completion of commands and their arguments.

Pure, except :func:`files`, which lists a folder.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from timelens.printable import printable_line
from timelens.temporal import Day, Interval, civil, day_number, days_in_month, format_day, phrase_day
from timelens.tui.as_of_input import BETWEEN_DAYS

_MOST_ENTRIES = 2_000
"""Maximum number of entries read from a folder."""
_MOST_YEARS = 300


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that may be inserted, with a description."""

    text: str
    about: str = ""
    goes_on: bool = False
    """Whether more follows it: the argument of a command, or the content of a folder."""


Completer = Callable[[str], Iterable[Suggestion]]
"""Suggestions for the typed part of an argument; suggestions that do not match are filtered out later."""


@dataclass(frozen=True, slots=True)
class Completion:
    """Suggestions to replace characters ``start`` to ``end`` (half-open) of the line."""

    start: int
    end: int
    suggestions: tuple[Suggestion, ...]

    def put_into(self, line: str, chosen: Suggestion) -> tuple[str, int]:
        """The line with the chosen suggestion inserted, and the cursor position after it."""
        space = " " if chosen.goes_on and not chosen.text.endswith("/") else ""
        before = line[: self.start] + chosen.text + space
        return before + line[self.end :].lstrip(), len(before)


def completion_of(
    line: str,
    cursor: int,
    commands: Sequence[Suggestion],
    completers: Mapping[str, Completer],
) -> Completion | None:
    """Completions at the cursor of a command; ``None`` in a question or if nothing matches.

    Args:
        line: the content of the prompt.
        cursor: the number of characters before the cursor.
        commands: the commands, each with its "/".
        completers: completers of arguments, by command name without "/".
    """
    if not line.startswith("/") or "\n" in line:
        return None
    name, space, argument = line.partition(" ")
    if cursor <= len(name):
        return _fitting(line[:cursor], commands, 0, len(name))
    completer = completers.get(name[1:].lower())
    if completer is None:
        return None
    start = len(name + space) + len(argument) - len(argument.lstrip())
    start = max((cut + start for cut in _cuts(name, line[start:cursor])), default=start)
    typed = line[start:cursor]
    return _fitting(typed, tuple(completer(typed)), start, len(line))


def _cuts(name: str, argument: str) -> list[int]:
    """The positions where the second of two days begins."""
    return [match.end() for match in BETWEEN_DAYS.finditer(argument)] if name.lower() == "/asof" else []


def _fitting(typed: str, offered: Sequence[Suggestion], start: int, end: int) -> Completion | None:
    """Suggestions that start with the typed text, then those that contain it; ``None`` if it is complete."""
    folded = typed.casefold()
    first = [one for one in offered if one.text.casefold().startswith(folded)]
    then = [one for one in offered if folded.lstrip("/") in one.text.casefold() and one not in first]
    found = first + then if folded.strip("/") else first
    if not found or (len(found) == 1 and found[0].text.casefold() == folded):
        return None
    return Completion(start, end, tuple(found))


def days(typed: str, today: Day, span: Interval | None) -> Iterable[Suggestion]:
    """Days for /asof: some phrases and the years of a corpus, or the months of a typed year.

    ``span`` is the period that the corpus covers; its open ends count as today.
    """
    year = int(typed[:4]) if typed[:4].isdecimal() and typed[4:5] == "-" else None
    if year is not None and year > 0:
        for month in range(1, 13):
            day = day_number(year, month, days_in_month(year, month))
            yield Suggestion(format_day(day), phrase_day(day))
        return
    this_year, _, day_of_month = civil(today)
    yield Suggestion("today", phrase_day(today))
    yield Suggestion("last month", phrase_day(today - day_of_month))
    yield Suggestion("last year", phrase_day(day_number(this_year - 1, 12, 31)))
    for one in _years(span, today):
        yield Suggestion(str(one), phrase_day(min(day_number(one, 12, 31), today)))


def files(typed: str, suffixes: Sequence[str]) -> Iterable[Suggestion]:
    """Folders, and files with one of the suffixes (any file if there are none), that complete a path."""
    folder, slash, name = typed.rpartition("/")
    try:
        base = Path(folder + slash).expanduser() if slash else Path()
        with os.scandir(base) as entries:
            found = [entry for entry, _ in zip(entries, range(_MOST_ENTRIES), strict=False)]
    except (OSError, RuntimeError, ValueError):  # missing folder, unknown home, or a null character
        return
    for entry in sorted(found, key=lambda entry: entry.name.casefold()):
        if entry.name.startswith(".") != name.startswith(".") or printable_line(entry.name) != entry.name:
            continue
        if entry.is_dir():
            yield Suggestion(f"{folder}{slash}{entry.name}/", "folder", goes_on=True)
        elif not suffixes or entry.name.lower().endswith(tuple(suffixes)):
            yield Suggestion(f"{folder}{slash}{entry.name}", "file")


def _years(span: Interval | None, today: Day) -> range:
    """The years that a corpus covers, up to the year of ``today``, newest first."""
    this_year = civil(today)[0]
    first, last = this_year - 10, this_year
    if span is not None and span.start is not None:
        first = civil(span.start)[0]
    if span is not None and span.end is not None:
        last = min(civil(span.end - 1)[0], this_year)
    return range(last, max(first, last - _MOST_YEARS, 1) - 1, -1)
