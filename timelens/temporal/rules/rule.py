"""Definition of a rule: name, first tokens, pattern, pure builder, and examples as tests."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from timelens.temporal.anchoring import Anchors
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.lazy_pattern import Pattern


class ExpressionKind(StrEnum):
    """How an expression is resolved to a time; ``docs/temporal.md`` has the conventions."""

    EXPLICIT = "explicit"
    """It names its time in full."""
    RELATIVE = "relative"
    """It counts from the anchor day ("last month", "yesterday")."""
    ANCHORED = "anchored"
    """A missing part comes from the last date in the text ("in March", "the following year")."""
    DURATION = "duration"
    """A length of time, without a place on the calendar ("three years")."""
    SET = "set"
    """A recurring time ("every Monday")."""


class Doubt(StrEnum):
    """Other meanings of the text of a rule, which the gate must rule out by the context."""

    NONE = "none"
    QUANTITY = "quantity"
    """A bare number, which may count or number things."""
    SPRING = "spring"
    """The word "spring", which is also a well and a part of a watch."""
    REFERENCE = "reference"
    """Numbers that may be an identifier."""
    VERB = "verb"
    """"May" and "march" are also verbs, "March" and "Jan" also names."""
    VERB_AFTER_WORD = "verb_after_word"
    """The same after a word that leaves only the case open: "this May" is a month, "this may" is not."""


Dates = tuple[Interval, ...]
"""Dates of an atom: none (no place on the calendar), one date, or both ends of a range."""

Builder = Callable[[re.Match[str], Anchors], Dates | None]
"""A pure function from a match and the anchors to dates.

``None`` means that the text is no time after all. May raise ``ValueError`` for an impossible date.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A phrase that a rule matches completely, and its dates in a text written on 2021-06-15.

    ``dates`` are ``start/end`` in ISO form, end exclusive, separated by a space; empty for none.
    """

    text: str
    dates: str
    narrative: str = "1916-02-21"
    """The last day named before the phrase."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to express a time.

    ``starts`` holds the possible first tokens of its text: lower-case words, and "99" for a number of two
    digits and so on. The scanner tries a rule only at these tokens. ``cue``, if given, must match the text
    before the rule's text; ``veto`` must not match the text after it.
    """

    name: str
    starts: frozenset[str]
    pattern: Pattern
    build: Builder
    kind: ExpressionKind
    confidence: float
    examples: tuple[Example, ...]
    names_range: bool = False
    """Whether ``build`` gives both ends of a range."""
    is_completed: bool = False
    """Whether an explicit time still needs the anchors for a part ("the fifties")."""
    doubt: Doubt = Doubt.NONE
    lacks_year: bool = False
    """Whether it names a day or month without a year, as in "in May and June 1940"."""
    lies_in: Granularity | None = None
    """The unit that words after it may place it in: a year ("May last year"), a week ("Friday last week")."""
    cue: Pattern | None = None
    cue_reach: int = 64
    """Most characters that ``cue`` matches. A text of numbers is searched for it at each of them."""
    veto: Pattern | None = None
    settled: Pattern | None = None
    """Text after a match that shows that no later rule matches more, so that none is tried."""
    is_bare: bool = False
    """Whether its text may be just a number."""
    stands_alone: bool = True
    """Whether ``build`` depends only on the match and the conventions."""


def rule(
    name: str,
    starts: Iterable[str],
    pattern: str,
    build: Builder,
    *examples: tuple[str, str] | tuple[str, str, str],
    kind: ExpressionKind = ExpressionKind.EXPLICIT,
    confidence: float = 0.99,
    names_range: bool = False,
    is_completed: bool = False,
    doubt: Doubt = Doubt.NONE,
    lacks_year: bool = False,
    lies_in: Granularity | None = None,
    cue: str | None = None,
    cue_reach: int = 64,
    veto: str | None = None,
    settled: str | None = None,
    is_bare: bool = False,
) -> Rule:
    """A rule from plain strings; patterns ignore case and use ASCII classes of characters."""
    return Rule(
        name=name,
        starts=frozenset(starts),
        pattern=Pattern(pattern),
        build=build,
        kind=kind,
        confidence=confidence,
        examples=tuple(Example(*example) for example in examples),
        names_range=names_range,
        is_completed=is_completed,
        doubt=doubt,
        lacks_year=lacks_year,
        lies_in=lies_in,
        cue=None if cue is None else Pattern(rf"{cue}\Z"),
        cue_reach=cue_reach,
        veto=None if veto is None else Pattern(veto),
        settled=None if settled is None else Pattern(settled),
        is_bare=is_bare,
        stands_alone=kind not in (ExpressionKind.RELATIVE, ExpressionKind.ANCHORED) and not is_completed,
    )
