"""Joins atoms into phrases: closed ranges, open ends, and the relation word that belongs to the span.

This is syntax only: ``expressions`` resolves phrases to dates with the anchors, in narrative order.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from timelens.temporal.anchoring import Anchors
from timelens.temporal.constraints import Relation
from timelens.temporal.interval import Granularity
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules.bounds import (
    AND_NOW,
    LEADING,
    OPEN_LINE,
    PREFIX,
    RANGE_BEFORE,
    RANGE_GAP,
    THE,
    THROUGH_END,
    TO_NOW,
    TRAILING,
    may_close,
    may_open,
)
from timelens.temporal.rules.counting import steps
from timelens.temporal.rules.rule import Dates, ExpressionKind
from timelens.temporal.tokens import Atom
from timelens.temporal.vocabulary import ALIKE, IN_UNIT, SPACE
from timelens.temporal.vocabulary import unit as read_unit

_LOOK_BACK = 48
_FOLLOWING = "following"
_OF_HOUR = (Relation.AROUND, Relation.BEFORE, Relation.AFTER)
"""Relations to an hour that do not change the day: "shortly before noon on 3 May"."""
_ANYWHERE = Anchors(0)
_PLACELESS = (ExpressionKind.DURATION, ExpressionKind.SET)
_WHITE_SPACE = " \t\r\n\u00a0\u202f"


class Phrase(NamedTuple):
    """One or two atoms with the relation that joins or bounds them; offsets as in ``Expression``."""

    start: int
    end: int
    first: Atom
    last: Atom | None = None
    relation: Relation | None = None
    within: Atom | None = None
    """The unit that the phrase lies in: "last week" in "Monday to Wednesday of last week"."""
    is_dual: bool = False
    """Whether a slash separates its dates, so that they may be one day in two calendars."""
    completion: Atom | None = None
    """The full date that ends the list of a partial one: for "May" in "May and June 1940", "June 1940"."""
    aside: bool = False
    """Whether it is in brackets or modifies a noun ("the August 1792 uprising")."""


_IN_UNIT = Pattern(IN_UNIT)
_ON = Pattern(rf"\bon{SPACE}(?:the{SPACE})?\Z")
_AGO = "ago"
"""The rule of "two years ago"."""
_BEFORE_AGO = Pattern(rf",?{SPACE}")
_ALL_OF_BOTH = Pattern(rf"\b(?:throughout|across|spanning|over){SPACE}(?:the{SPACE})?\Z")
_DETERMINER = Pattern(rf"\bthe{SPACE}\Z")
_NOUN_AFTER = Pattern(
    rf"{SPACE}(?!(?:and|or|but|when|as|was|were|is|are|had|has|by|with|to|the|in|on|at|for|it|he|she|they|we|after"
    r"|before|until|from)\b)[a-z]"
)
"""A word that may be the noun of "the 2018 election", whose year is told in passing."""
_IS = Pattern(rf"\b(?:is|are|was|were){SPACE}\Z")
_LIST_GAP = Pattern(rf"(?:,|,?{SPACE}(?:and|or|&)){SPACE}(?:(?:in|on|of){SPACE})?{THE}")


def phrases(text: str, atoms: Sequence[Atom]) -> Iterator[Phrase]:
    """The phrases of a text, in order, without overlaps; every atom is in exactly one."""
    completions = _completions(text, atoms)
    index, end = 0, 0
    while index < len(atoms):
        atom = atoms[index]
        if atom.end <= end:
            index += 1
            continue
        phrase = None
        before = _before(text, atom)
        if atom.rule.kind not in _PLACELESS:
            following = atoms[index + 1] if index + 1 < len(atoms) else None
            phrase = (following and _closed(text, before, atom, following)) or _open(text, before, atom)
        phrase = phrase or _plain(text, before, atom)
        count = 1 if phrase.last is None else 2
        unit = atoms[index + count] if index + count < len(atoms) else None
        if unit is not None and _lies_in(text, phrase, unit):
            phrase, count = phrase._replace(end=unit.end, within=unit), count + 1
        if phrase.start < end:
            phrase = phrase._replace(start=atom.start)
        yield phrase if completions[index] is None else phrase._replace(completion=completions[index])
        end = phrase.end
        index += count


def _lies_in(text: str, phrase: Phrase, unit: Atom) -> bool:
    """Whether the atom after a phrase is the week or year that its dates lie in: "May two years ago"."""
    within = phrase.first.rule.lies_in
    last = within if phrase.last is None else phrase.last.rule.lies_in
    if within is None or within is not last or unit.parts:
        return False
    gap = (_BEFORE_AGO if unit.rule.name == _AGO else _IN_UNIT).match(text, phrase.end)
    return _unit_of(unit) is within and gap is not None and gap.end() == unit.start


def _unit_of(atom: Atom) -> Granularity | None:
    """The week or year that an atom names as a whole ("last week", "two years ago"), if it does."""
    if atom.rule.name == _AGO:
        units = [unit for _, unit in steps(atom.match) or ()]
        return Granularity.YEAR if units == [Granularity.YEAR] else None
    groups = atom.match.groupdict()
    named = groups.get("unit")
    return None if named is None or groups.get("step") is None else read_unit(named)


def _completions(text: str, atoms: Sequence[Atom]) -> list[Atom | None]:
    """For each atom without a year: the full date that ends its list, if there is one."""
    completions: list[Atom | None] = [None] * len(atoms)
    for index in range(len(atoms) - 2, -1, -1):
        atom, following = atoms[index], atoms[index + 1]
        if atom.rule.lacks_year and _LIST_GAP.fullmatch(text, atom.end, following.start) is not None:
            full = following.rule.kind is ExpressionKind.EXPLICIT and "month" in following.match.re.groupindex
            completions[index] = following if full else completions[index + 1]
    return completions


def _before(text: str, atom: Atom) -> str:
    return text[max(0, atom.start - _LOOK_BACK) : atom.start]


def _closed(text: str, before: str, first: Atom, last: Atom) -> Phrase | None:
    """A range of two neighbouring atoms, if the text between them joins them."""
    if last.start - first.end > _LOOK_BACK or last.rule.kind in _PLACELESS:
        return None
    gap = _joint(text[first.end : last.start])
    if gap is None:
        return None
    opening = _opening(before).range
    between = opening is not None and opening["between"] is not None
    if gap["and"] is not None and not (between or _adjoin(gap, before, first, last)):
        return None
    relation = Relation.BETWEEN if between else Relation.FROM_TO
    if opening is None:
        if _ON.search(before) and _is_coarser(last, first):
            return None  # "renewed on 3 March until August 2029": the day of an event, and an end
        return _plain(text, before, first, last.end)._replace(
            last=last, relation=relation, is_dual=gap[0] == "/"
        )
    return Phrase(first.start - len(before) + opening.start(), last.end, first, last, relation)


def _is_coarser(last: Atom, first: Atom) -> bool:
    """Whether a date names a month or a year, and the one before it a day without a year."""
    names_day = ["day" in atom.match.re.groupindex for atom in (first, last)]
    return first.rule.lacks_year and names_day == [True, False]


@lru_cache(maxsize=4096)
def _joint(gap: str) -> re.Match[str] | None:
    """The match of a text between two dates as a joint of a range."""
    return RANGE_GAP.fullmatch(gap)


def _adjoin(gap: re.Match[str], before: str, first: Atom, last: Atom) -> bool:
    """Whether two dates with "and" between them are adjacent; with "or" one unit may lie between them.

    "And" joins dates without a year or month ("July and August 1883", "4 and 5 May"), seasons, decades and
    longer periods; other dates only after a word such as "throughout" ("throughout 1887 and 1888").
    """
    either = gap["and"].strip(" ,\n").startswith("or")
    is_joined = either or first.rule.lacks_year or first.elided or last.elided
    is_joined = is_joined or _ALL_OF_BOTH.search(before) is not None
    if not is_joined and first.rule.stands_alone and not _goes_on(first.dates(_ANYWHERE)):
        return False
    last_dates = last.dates(_ANYWHERE)
    first_dates = first.dates(Anchors(0, not_after=last_dates[0])) if last_dates else None
    if not _are_neighbours(first_dates, last_dates, either=either):
        first_dates = first.dates(_ANYWHERE)
        bound = first_dates[-1] if first_dates else None
        last_dates = last.dates(Anchors(0, narrative=bound, not_before=bound))
    return _are_neighbours(first_dates, last_dates, either=either) and (is_joined or _goes_on(first_dates))


def _goes_on(dates: Dates | None) -> bool:
    """Whether "and" joins dates of this granularity: a season, a decade, or longer."""
    granularity = dates[0].granularity if dates else Granularity.DAY
    return granularity is Granularity.SEASON or granularity.days > Granularity.YEAR.days


def _are_neighbours(first: Dates | None, last: Dates | None, *, either: bool) -> bool:
    """Whether dates of the same unit are adjacent; with ``either``, one unit may lie between them."""
    if not first or not last or first[-1].granularity is not last[0].granularity:
        return False
    return 0 <= last[0].bounds[0] - first[-1].bounds[1] <= (last[0].days if either else 0)


@dataclass(frozen=True, slots=True)
class _Opening:
    """Matches in the text before a date: a relation word, "through" with an end, or a range's opening."""

    alone: re.Match[str] | None = None
    through: re.Match[str] | None = None
    range: re.Match[str] | None = None


_NOTHING = _Opening()


def _opening(before: str) -> _Opening:
    """The opening of a date, by the text before it, in which all digits are made alike (for the cache)."""
    return _words_before(before.translate(ALIKE)) if may_open(before) else _NOTHING


@lru_cache(maxsize=4096)
def _words_before(before: str) -> _Opening:
    return _Opening(
        PREFIX.search(before) or LEADING.search(before),
        THROUGH_END.search(before),
        RANGE_BEFORE.search(before),
    )


def _open(text: str, before: str, atom: Atom) -> Phrase | None:
    """An atom with a relation word before or after it that opens or widens it."""
    opens = _opening(before)
    opening = opens.alone
    if (
        opening is not None
        and (opening["after"] or "").lower() == _FOLLOWING
        and atom.rule.kind is not ExpressionKind.EXPLICIT
    ):
        opening = None
    if opening is None and atom.side == "end":
        opening = opens.through
    closing = _closing(text, atom, opens)
    if closing is None and atom.rule.names_range and opens.range is not None:
        relation = Relation.FROM_TO if opens.range["between"] is None else Relation.BETWEEN
        return Phrase(atom.start - len(before) + opens.range.start(), atom.end, atom, None, relation)
    named = opening if closing is None else closing
    if named is None or named.lastgroup is None or (named is opening and _is_origin(before, opening, atom)):
        return None
    if atom.parts and atom.parts[-1][0].within_day and Relation(named.lastgroup) in _OF_HOUR:
        return None
    opening = opening or (opens.range if closing is not None else None)
    start = atom.start if opening is None else atom.start - len(before) + opening.start()
    end = atom.end if closing is None else closing.end()
    return Phrase(start, end, atom, None, Relation(named.lastgroup))


def _is_origin(before: str, opening: re.Match[str], atom: Atom) -> bool:
    """Whether "from" states the origin of a thing and is no lower bound.

    So it is with long times ("pipes from the 1600s"), and with a month or year that something is from ("the
    post is from August 2009").
    """
    if re.fullmatch(r"from\s+(?:the\s+)?", opening[0]) is None:
        return False
    longest = max((date.granularity.days for date in atom.dates(_ANYWHERE) or ()), default=0)
    is_from = _IS.search(before, 0, opening.start()) is not None
    return longest > (Granularity.DAY if is_from else Granularity.YEAR).days


def _closing(text: str, atom: Atom, opens: _Opening) -> re.Match[str] | None:
    """The words after a date that open or widen it; "and now" only if "between" stands before the date."""
    if not may_close(text, atom.end):
        return None
    closing = TO_NOW.match(text, atom.end) or TRAILING.match(text, atom.end) or _open_line(text, atom)
    if closing is None and opens.range is not None and opens.range["between"]:
        return AND_NOW.match(text, atom.end)
    return closing


def _open_line(text: str, atom: Atom) -> re.Match[str] | None:
    """The dash at the end of a line after a date, which leaves it open unless the date begins the line."""
    closing = OPEN_LINE.match(text, atom.end)
    if closing is None:
        return None
    before = text[max(0, atom.start - _LOOK_BACK) : atom.start].rpartition("\n")[2]
    return closing if any(map(str.isalnum, before)) else None


def _plain(text: str, before: str, atom: Atom, end: int | None = None) -> Phrase:
    """An atom with its article, up to ``end`` if given."""
    end = atom.end if end is None else end
    is_led = before.rstrip(_WHITE_SPACE)[-3:].lower() == "the"
    determiner = _DETERMINER.search(before) if is_led else None
    start = atom.start if determiner is None else atom.start - len(determiner[0])
    named_thing = determiner is not None and _NOUN_AFTER.match(text, end) is not None
    bracketed = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
    return Phrase(start, end, atom, aside=named_thing or bracketed)
