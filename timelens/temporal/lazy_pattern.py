"""Regular expressions compiled on first use, because a text needs only few of them."""

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
        """:meth:`re.Pattern.match`."""
        return self._compiled.match

    @cached_property
    def fullmatch(self) -> Matcher:
        """:meth:`re.Pattern.fullmatch`."""
        return self._compiled.fullmatch

    @cached_property
    def search(self) -> Matcher:
        """:meth:`re.Pattern.search`."""
        return self._compiled.search
