"""Patterns that are compiled when they are first used: of all there are, a text meets few."""

import re
from collections.abc import Callable
from functools import cached_property

Matcher = Callable[..., re.Match[str] | None]


class Pattern:
    """A regular expression with the methods of :class:`re.Pattern` that are used here.

    It ignores case and reads letters, digits and word edges as ASCII.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.ASCII | re.IGNORECASE)

    @cached_property
    def match(self) -> Matcher:
        """At a place of a text."""
        return self._compiled.match

    @cached_property
    def fullmatch(self) -> Matcher:
        """The whole of a text."""
        return self._compiled.fullmatch

    @cached_property
    def search(self) -> Matcher:
        """Anywhere in a text."""
        return self._compiled.search
