"""Scans text for atoms: at each place the longest match of a rule that passes ``false_positives``."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from timelens.temporal.anchoring import Anchors
from timelens.temporal.conventions import Conventions
from timelens.temporal.false_positives import is_no_time, is_rest_of_number
from timelens.temporal.interval import Interval, hull
from timelens.temporal.rules import RULES
from timelens.temporal.rules.calendars import WORDS_AFTER_NUMBERS
from timelens.temporal.rules.modifier import Modifier
from timelens.temporal.rules.modifiers import MODIFIERS, OF_POSSESSIVE
from timelens.temporal.rules.narrowing import which_third
from timelens.temporal.rules.rule import Dates, ExpressionKind, Rule
from timelens.temporal.vocabulary import APOSTROPHE, CLOCK, MONTHS, UNIT, UNIT_WORDS, last_word

_LOOK_BACK = 64
"""Characters before an atom that are searched for its parts."""
_FIGURES = "0123456789"
KnownParts = dict[tuple[int, ExpressionKind], "tuple[Modifier, re.Match[str]] | None"]
_MOST_PARTS = 6
"""Most parts before an atom. It bounds the time for a text that repeats "two years before"."""


class Atom(NamedTuple):
    """A match of a rule with the parts that narrow it, innermost first."""

    rule: Rule
    match: re.Match[str]
    start: int
    end: int
    parts: tuple[tuple[Modifier, re.Match[str]], ...] = ()
    elided: bool = False
    """Whether it is an elided end of a range, completed with words of the other end."""

    @property
    def side(self) -> str | None:
        """``"start"`` or ``"end"`` if it names that side of a date ("the end of May"), else ``None``."""
        part, match = self.parts[-1] if self.parts else (None, None)
        if part is None or match is None or part.edge is None:
            return None
        return ("start", None, "end")[which_third(match)]

    def dates(self, anchors: Anchors, *, as_limit: bool = False) -> Dates | None:
        """The dates that it denotes: empty for an impossible date, ``None`` if it turns out to be no time.

        ``as_limit``: whether a relation word makes it a limit ("since the end of May" counts from one day).
        """
        try:
            dates = self.rule.build(self.match, anchors)
            if dates and self.parts:
                whole = hull(dates)
                if whole is not None:
                    return (self._narrowed(whole, anchors.conventions, as_limit=as_limit),)
        except ValueError:
            return ()
        return dates

    def _narrowed(self, date: Interval, conventions: Conventions, *, as_limit: bool) -> Interval:
        for index, (part, match) in enumerate(self.parts):
            following = self.parts[index + 1][0] if index + 1 < len(self.parts) else None
            is_limit = as_limit if following is None else following.counts_from_limit
            if part.by_convention is not None:
                date = part.by_convention(match, date, conventions)
            else:
                date = (part.edge if is_limit and part.edge is not None else part.narrow)(match, date)
        return date


def _by_first_token() -> dict[str, tuple[Rule, ...]]:
    index: dict[str, tuple[Rule, ...]] = {}
    for rule in RULES:
        for start in rule.starts:
            index[start] = (*index.get(start, ()), rule)
    return index


_RULES_BY_TOKEN = _by_first_token()
_FOLLOWING = dict.fromkeys(
    """a b c d e f g h i j k l m n o p q r s t u v w x y z am pm ad bc bce ce anno before hegira hijri and or
    to of through until more other day doy week quarter quarters half spring summer autumn winter fiscal
    financial accounting budget tax reporting calendar""".split(),
    "",
)
_FOLLOWING |= dict.fromkeys(
    {*UNIT_WORDS, "million", "billion", "full", "long", "whole"} - {*_FOLLOWING}, UNIT
)
_FOLLOWING |= dict.fromkeys(WORDS_AFTER_NUMBERS - {*_FOLLOWING}, "")
_FOLLOWING |= dict.fromkeys(MONTHS, "jan|feb")
"""By word after a number: a string in the pattern of every rule that matches the number and the word."""
_DECADE, _ORDINAL = r"?s\b", "st|nd|rd|th"
"""Strings in the patterns of rules that continue "1990s" and "19th"."""
_BEHIND = re.compile(
    rf"(?P<decade>(?<![0-9]{{5}}){APOSTROPHE}?s\b)|(?P<ordinal>(?:{_ORDINAL})\b)"
    rf"|(?P<rest>[a-z/~]|{APOSTROPHE}|,[0-9]|\.(?:[0-9]{{1,2}}\.[0-9]|[ ]?[ivx]{{1,4}}\.))|(?P<colon>:)"
    r"|[ \t\r\n\u00a0\u202f,]*"
    r"(?:(?P<sign>[-&\u2010-\u2015\u2212]|(?:[789]|10)be?r)|(?P<word>[a-z\u00c0-\u017f]+))",
    re.ASCII | re.IGNORECASE,
)
"""Text after a number that shows which rules may match more than the number."""
_SHORTENED = re.compile(rf"{APOSTROPHE}[0-9]{{2}}(?![0-9])")
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+")
"""A number or word. A sentence in which no rule starts costs only this scan."""


def atoms(text: str) -> list[Atom]:
    """Every atom of a text with its parts, in order, without overlaps."""
    found: list[Atom] = []
    known: KnownParts = {}
    for atom in _bare_atoms(text):
        extended = _with_part_after(text, with_parts(text, atom, found, known))
        while found and found[-1].start >= extended.start:
            found.pop()
        found.append(extended)
    return found


def _with_part_after(text: str, atom: Atom) -> Atom:
    part, pattern = OF_POSSESSIVE
    match = pattern.match(text, atom.end)
    return atom if match is None else atom._replace(end=match.end(), parts=(*atom.parts, (part, match)))


def read_start(text: str) -> Atom | None:
    """The atom at the start of a text, without parts and without the gate."""
    token = _TOKEN.match(text)
    return None if token is None else _longest(text, 0, _rules_at(text, token))


def read_first(text: str) -> Atom | None:
    """The atom that a text begins with, unless what stands behind it makes it something else."""
    atom = read_start(text)
    return None if atom is None or is_no_time(text, 0, atom.end, atom.rule.doubt) else atom


def read_whole(text: str) -> Atom | None:
    """The atom, with its parts, that spans the whole text; ``None`` if there is none."""
    found = atoms(text)
    return found[0] if len(found) == 1 and found[0].start == 0 and found[0].end == len(text) else None


def _rules_at(text: str, token: re.Match[str]) -> tuple[Rule, ...]:
    """The rules that may match from a token on, given the text after it."""
    word = token[0]
    if word[0] not in _FIGURES:
        return _RULES_BY_TOKEN.get(word.lower(), ())
    behind = _BEHIND.match(text, token.end())
    if behind is None:
        part = None
    elif behind["word"]:
        part = _FOLLOWING.get(behind["word"].lower())
    elif behind["colon"]:
        part = CLOCK
    else:
        part = _DECADE if behind["decade"] else _ORDINAL if behind["ordinal"] else ""
    return _rules_with(part, "9" * len(word))


@cache
def _rules_with(part: str | None, token: str) -> tuple[Rule, ...]:
    """The rules that start with a number and contain ``part`` in their pattern, or match a bare number."""
    return tuple(
        rule
        for rule in _RULES_BY_TOKEN.get(token, ())
        if rule.is_bare or (part is not None and part in rule.pattern.pattern)
    )


def _bare_atoms(text: str) -> Iterator[Atom]:
    end = 0
    for token in _TOKEN.finditer(text):
        if (start := token.start()) < end:
            continue
        if text[start] in _FIGURES and is_rest_of_number(text, start):
            continue
        if not (rules := _rules_at(text, token)):
            continue
        best = _longest(text, start, rules)
        if best is not None and not is_no_time(text, best.start, best.end, best.rule.doubt):
            end = best.end
            yield (
                Atom(best.rule, best.match, best.start - 1, best.end)
                if _is_shortened(text, best.start)
                else best
            )


def _is_shortened(text: str, start: int) -> bool:
    """Whether an apostrophe replaces the century of a year."""
    return _SHORTENED.match(text, start - 1) is not None if start else False


def _longest(text: str, start: int, rules: tuple[Rule, ...]) -> Atom | None:
    best: Rule | None = None
    found: re.Match[str] | None = None
    end = start
    for rule in rules:
        match = rule.pattern.match(text, start)
        if match is None or match.end() <= end:
            continue
        if rule.cue is not None and rule.cue.search(text, max(0, start - rule.cue_reach), start) is None:
            continue
        if rule.veto is not None and rule.veto.match(text, match.end()) is not None:
            continue
        best, found, end = rule, match, match.end()
        if rule.settled is not None and rule.settled.match(text, end) is not None:
            break
    return None if best is None or found is None else Atom(best, found, start, end)


def with_parts(text: str, atom: Atom, found: Sequence[Atom] = (), known: KnownParts | None = None) -> Atom:
    """The atom extended backwards over the parts before it, without overlapping an earlier atom.

    ``known`` caches the part before each place of the text, for later atoms.
    """
    known = {} if known is None else known
    whole = atom
    while len(atom.parts) < _MOST_PARTS:
        place = atom.start, atom.rule.kind
        if place not in known:
            before = text[max(0, atom.start - _LOOK_BACK) : atom.start]
            word, behind = last_word(before)
            may_end = word in _ENDS or ":" in behind
            known[place] = _part_before(before, atom.rule.kind) if may_end else None
        part = known[place]
        if part is None:
            break
        start = max(0, atom.start - _LOOK_BACK) + part[1].start()
        atom = atom._replace(start=start, parts=(*atom.parts, part))
        if not any(other.start < atom.start < other.end for other in found[-2:]):
            whole = atom
    return whole


@lru_cache(maxsize=4096)
def _part_before(before: str, kind: ExpressionKind) -> tuple[Modifier, re.Match[str]] | None:
    """The part at the end of the text before a date of a kind."""
    word, behind = last_word(before)
    words = set(_WORD.findall(before.lower()))
    for part in _parts_ending(word if word in _ENDS else "", has_colon=":" in behind):
        if kind not in part.kinds or (part.words and part.words.isdisjoint(words)):
            continue
        match = part.pattern.search(before)
        if match is not None and (part.veto is None or part.veto.search(before) is None):
            return part, match
    return None


_WORD = re.compile(r"[a-z]+")
_PART_WORDS = frozenset({"am", "pm", "m"}.union(*(part.words for part in MODIFIERS)))
_ENDS = frozenset(end for part in MODIFIERS for end in part.ends)


def may_have_parts(text: str) -> bool:
    """Whether a text contains a word of any part."""
    return ":" in text or not _PART_WORDS.isdisjoint(_WORD.findall(text.lower()))


@cache
def _parts_ending(word: str, *, has_colon: bool) -> tuple[Modifier, ...]:
    """The parts that may end with a word; ``has_colon``: also parts that may end with an hour in figures."""
    return tuple(part for part in MODIFIERS if word in part.ends or (has_colon and ":" in part.ends))
