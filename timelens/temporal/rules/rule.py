"""What a rule is: a name, the words it starts with, a pattern, a pure builder, and examples that prove it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from timelens.temporal.anchoring import Anchors
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.pattern import Pattern


class Kind(StrEnum):
    """How an expression gets its time (SPEC, normalisation)."""

    EXPLICIT = "explicit"
    """It names its time in full."""
    RELATIVE = "relative"
    """It counts from the anchor day ("last month", "yesterday")."""
    ANCHORED = "anchored"
    """A part that it leaves out comes from the last date in the text ("in March", "the following year")."""
    DURATION = "duration"
    """A length of time, without a place on the calendar ("three years")."""
    SET = "set"
    """A recurring time ("every Monday")."""


class Doubt(StrEnum):
    """What else the text of a rule may well be, so that what stands beside it must decide."""

    NONE = "none"
    QUANTITY = "quantity"
    """A bare number counts or numbers things as often as years."""
    SPRING = "spring"
    """A spring is also a well and a part of a watch."""
    REFERENCE = "reference"
    """Figures that may be the number of a thing."""
    VERB = "verb"
    """"May" and "march" are verbs, "March" and "Jan" also names of other things."""
    VERB_AFTER_WORD = "verb_after_word"
    """The same after a word that settles the rest: "this May" is a month, "this may" is not."""


Dates = tuple[Interval, ...]
"""What an atom stands for: nothing (it has no place on the calendar), one date, or both ends of a range."""

Builder = Callable[[re.Match[str], Anchors], Dates | None]
"""From a match and the anchors to dates, and nothing else.

``None``: no time after all. May raise ``ValueError`` for an impossible date.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A phrase that a rule matches as a whole, and what it stands for in a text written on 2021-06-15.

    ``dates`` are ``start/end`` in ISO form, end exclusive, separated by a space; empty for none.
    """

    text: str
    dates: str
    narrative: str = "1916-02-21"
    """The last day that the text before it named."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to name a time.

    ``starts`` holds the possible first tokens of its text: lower-case words, and nines for a number of as
    many digits. The scanner tries a rule only there. ``cue``, where given, must match the text that ends
    where the rule's text starts; ``veto`` must not match the text that starts where the rule's text ends.
    """

    name: str
    starts: frozenset[str]
    pattern: Pattern
    build: Builder
    kind: Kind
    confidence: float
    examples: tuple[Example, ...]
    names_range: bool = False
    """Whether ``build`` gives both ends of a range."""
    is_completed: bool = False
    """Whether an explicit time leaves a part to the anchors all the same ("the fifties")."""
    doubt: Doubt = Doubt.NONE
    lacks_year: bool = False
    """Whether it names a day or month of a year that stands elsewhere, as in "in May and June 1940"."""
    lies_in: Granularity | None = None
    """The unit that words behind it place it in: a year ("May last year"), a week ("Friday last week")."""
    cue: Pattern | None = None
    veto: Pattern | None = None
    settled: Pattern | None = None
    """What follows its text where no other rule matches more, so that no other is tried."""
    is_bare: bool = False
    """Whether its text may be a number and nothing more."""

    @property
    def stands_alone(self) -> bool:
        """Whether ``build`` looks at the match and the conventions alone."""
        return self.kind is not Kind.RELATIVE and self.kind is not Kind.ANCHORED and not self.is_completed


def rule(
    name: str,
    starts: Iterable[str],
    pattern: str,
    build: Builder,
    *examples: tuple[str, str] | tuple[str, str, str],
    kind: Kind = Kind.EXPLICIT,
    confidence: float = 0.99,
    names_range: bool = False,
    is_completed: bool = False,
    doubt: Doubt = Doubt.NONE,
    lacks_year: bool = False,
    lies_in: Granularity | None = None,
    cue: str | None = None,
    veto: str | None = None,
    settled: str | None = None,
    is_bare: bool = False,
) -> Rule:
    """A rule from plain strings: patterns ignore case and read letters, digits and word edges as ASCII."""
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
        veto=None if veto is None else Pattern(veto),
        settled=None if settled is None else Pattern(settled),
        is_bare=is_bare,
    )
