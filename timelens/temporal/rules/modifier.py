"""Definition of a part: words before a date, their meaning, and examples as tests."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from timelens.temporal.conventions import Conventions
from timelens.temporal.interval import Interval
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules.rule import Example, ExpressionKind

Narrow = Callable[[re.Match[str], Interval], Interval]
"""From a match and a date to the narrowed date. May raise ``ValueError`` if the date has no such part."""


@dataclass(frozen=True, slots=True)
class Modifier:
    """One way to narrow or shift the date that follows; ``pattern`` ends where the date starts.

    ``ends`` holds the possible last words of its text, in lower case, and a colon if it may end with an hour
    in figures. If ``words`` is not empty, its text contains one of them. A part is tried only if both hold.
    """

    name: str
    words: frozenset[str]
    ends: frozenset[str]
    pattern: Pattern
    narrow: Narrow
    examples: tuple[Example, ...]
    edge: Narrow | None = None
    """Replaces ``narrow`` in a limit: "since the end of May" is since its last day, not its last third."""
    by_convention: Callable[[re.Match[str], Interval, Conventions], Interval] | None = None
    """Replaces ``narrow`` if the meaning depends on conventions."""
    counts_from_limit: bool = False
    """Whether the date after it is a limit: "a year before the start of 1970"."""
    kinds: tuple[ExpressionKind, ...] = tuple(ExpressionKind)
    """The kinds of date that it may stand before."""
    within_day: bool = False
    """Whether it names an hour of the day: "about noon on" widens the hour, not the day."""
    veto: Pattern | None = None
    """Pattern that the text before the date must not match."""


def part(
    name: str,
    words: str,
    ends: str,
    pattern: str,
    narrow: Narrow,
    *examples: tuple[str, str],
    edge: Narrow | None = None,
    by_convention: Callable[[re.Match[str], Interval, Conventions], Interval] | None = None,
    counts_from_limit: bool = False,
    within_day: bool = False,
    kinds: tuple[ExpressionKind, ...] = tuple(ExpressionKind),
    veto: str | None = None,
) -> Modifier:
    """A part from plain strings; its pattern begins at the edge of a word."""
    return Modifier(
        name=name,
        words=frozenset(words.split()),
        ends=frozenset(ends.split()),
        pattern=Pattern(rf"(?<![a-z0-9])(?<![^0-9]-){pattern}\Z"),
        narrow=narrow,
        examples=tuple(Example(*example) for example in examples),
        edge=edge,
        by_convention=by_convention,
        counts_from_limit=counts_from_limit,
        within_day=within_day,
        kinds=kinds,
        veto=None if veto is None else Pattern(rf"{veto}\Z"),
    )
