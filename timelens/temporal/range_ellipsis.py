"""Elided ends of ranges: "4 to 7 March", "the 12th to the 14th century".

An elided end is read with the words of the other end: "12th" with "century". If the same rule matches the
result, the elided end becomes an atom.
"""

import re
from collections.abc import Sequence

from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules.bounds import RANGE_BEFORE, RANGE_GAP, THE, may_join
from timelens.temporal.tokens import Atom, may_have_parts, read_start, read_whole, with_parts
from timelens.temporal.vocabulary import DAY_OF_MONTH, MONTH, ORDINAL, SEASON, SPACE, WEEKDAY_PREFIX

_LOOK_BACK = 48
_LOOK_AHEAD = 32
_IN_POINTS = tuple(Pattern(rf"(?:[0-9]{{1,2}}\.){{{points}}}") for points in (1, 2))
"""The day in "12.–14.10.2014", the day and month in "12.4.–3.10.2014"."""
_HEAD = Pattern(
    rf"(?:{WEEKDAY_PREFIX}(?:{ORDINAL}|{DAY_OF_MONTH})|[qh][1-4]|(?:[0-9]{{1,2}}\.){{1,2}}|[0-9]{{1,5}}|{MONTH}|{SEASON}|weeks?{SPACE}[0-9]{{1,2}})"
)
_BEGUN = rf"(?=[a-z0-9])(?<![\w.,:$\u00a3\u20ac/])(?<![0-9]-)(?P<head>{_HEAD.pattern})"
_FIRST_END = Pattern(rf"{_BEGUN}{RANGE_GAP.pattern}\Z")
_LISTED = Pattern(rf"{_BEGUN},{SPACE}{THE}\Z")
_ONE_OF_SEVERAL = Pattern(rf"[qh]|{MONTH}|{SEASON}")
"""Ends that "and" joins to a range only if they are adjacent: not "Q1 and Q3 2019"."""
_MONTH = Pattern(MONTH)
_DAY_AT_END = Pattern(rf"{DAY_OF_MONTH}\Z")
_LAST_END = Pattern(rf"{DAY_OF_MONTH}(?!{SPACE}(?:of{SPACE})?{MONTH})")


def with_elided(text: str, atoms: Sequence[Atom]) -> list[Atom]:
    """The atoms and the elided ends beside them, in order; an elided end replaces an atom inside it."""
    found: list[Atom] = []
    for atom in atoms:
        if found and atom.start < found[-1].end:
            continue
        for first in reversed(_first_ends(text, atom)):
            _put(found, first)
        found.append(atom)
        last = _last_end(text, atom)
        if last is not None:
            found.append(last)
    return found


def _put(found: list[Atom], end: Atom) -> None:
    """Adds an elided end. It replaces an atom inside it, except a date without a year."""
    last = found[-1] if found else None
    if last is None or last.end <= end.start:
        found.append(end)
    elif last.start >= end.start and not last.rule.lacks_year:
        found[-1] = end


def _first_ends(text: str, atom: Atom) -> list[Atom]:
    """The elided first end before an atom, which lacks the words at the end of the atom, last one first.

    Before one that "and" joins there may be further ones: "4, 5 and 9 May".
    """
    before = text[max(0, atom.start - _LOOK_BACK) : atom.start]
    match = _FIRST_END.search(before) if may_join(before) else None
    if match is None:
        return []
    several = match["and"] and _ONE_OF_SEVERAL.match(match["head"]) and not _is_between(before, match)
    listed, found = match["and"] is not None, []
    while match is not None and not (several and _MONTH.match(match["head"])):
        start = atom.start - len(before) + match.start()
        if (end := _completed(text, atom, match["head"], start, elided=not several)) is None:
            break
        found.append(end)
        match = _LISTED.search(before, 0, match.start()) if listed else None
    return found


def _completed(text: str, atom: Atom, head: str, start: int, *, elided: bool) -> Atom | None:
    """A beginning such as "4" with the words at the end of an atom."""
    of_hour = bool(atom.parts) and atom.parts[-1][0].within_day
    wholes = [text[atom.start : atom.end]]
    if not of_hour and atom.match[0] != wholes[0]:
        wholes.insert(0, atom.match[0])
    for whole in wholes:
        in_points = head.endswith(".") and head[0].isdigit()
        own = (_IN_POINTS[head.count(".") - 1] if in_points else _HEAD).match(whole)
        if own is None or own.end() == len(whole):
            continue
        completed = head + whole[own.end() :]
        if (bare := atom.rule.pattern.fullmatch(completed)) is not None:
            return with_parts(text, Atom(atom.rule, bare, start, start + len(head), elided=elided))
        read = read_whole(completed) if may_have_parts(completed) else None
        if read is not None and read.rule is atom.rule:
            return read._replace(start=start, end=start + len(head), elided=elided)
    return None


def _is_between(before: str, match: re.Match[str]) -> bool:
    opening = RANGE_BEFORE.search(before[: match.start()])
    return opening is not None and opening["between"] is not None


def _last_end(text: str, atom: Atom) -> Atom | None:
    """The elided last end after an atom: a day that lacks the month before it ("March 4 to 7")."""
    own = _DAY_AT_END.search(atom.match[0]) if atom.rule.lacks_year else None
    gap = None if own is None else RANGE_GAP.match(text, atom.end)
    if own is None or gap is None or _LAST_END.match(text, gap.end()) is None:
        return None
    month = atom.match[0][: own.start()]
    read = read_start(month + text[gap.end() : gap.end() + _LOOK_AHEAD])
    if read is None or read.end <= len(month):
        return None
    return read._replace(start=gap.end(), end=gap.end() + read.end - len(month), elided=True)
