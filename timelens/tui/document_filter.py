"""The document filter: a line with times, file types and words of titles. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from timelens.temporal import Day, Interval

if TYPE_CHECKING:
    from timelens.temporal import Conventions

_BETWEEN = re.compile(r"(?<=\w)\s*\.{2,3}\s*(?=\w)")
_SINCE = re.compile(r"(?<!\S)(\S+?)\.{2,3}(?=\s|$)")
_UNTIL = re.compile(r"(?<!\S)\.{2,3}(?=\w)")
_JOINING = {"and", "or"}
"""Words between two times, which are not words of a title."""
_KIND = re.compile(r"\*?\.(\w+)")


class Titled(Protocol):
    """The properties of a document that the filter uses."""

    @property
    def id(self) -> str:
        """Its path, or the id of its record."""

    @property
    def title(self) -> str:
        """Its own title."""

    @property
    def kind(self) -> str:
        """The suffix of its file."""


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """The conditions of a filter; each non-empty one must hold."""

    periods: tuple[Interval, ...] = ()
    """The document has a time that shares a day with one of these periods."""
    kinds: frozenset[str] = frozenset()
    """File suffixes, such as ``md``."""
    words: tuple[str, ...] = ()
    """Words in lower case that must all occur in the title or file name."""

    def admits(self, document: Titled) -> bool:
        """Whether a document matches kinds and words; its times are checked by the corpus."""
        if self.kinds and document.kind not in self.kinds:
            return False
        named = f"{document.title} {document.id}".casefold()
        return all(word in named for word in self.words)


def read_filter(line: str, today: Day, conventions: "Conventions") -> DocumentFilter:
    """Parse a filter such as ``1998..2002 .md crisis``; times are read as in a question.

    Args:
        line: times, file types such as ``.md``, and words, in any order.
        today: the reference day for relative times such as "last May".
        conventions: how dates are read.
    """
    from timelens import parse

    kinds = [match[1].lower() for word in line.split() if (match := _KIND.fullmatch(word))]
    rest = " ".join(word for word in line.split() if not _KIND.fullmatch(word))
    rest = _UNTIL.sub("until ", _SINCE.sub(r"since \1", _BETWEEN.sub(" to ", rest)))
    if not rest:
        return DocumentFilter(kinds=frozenset(kinds))
    periods = parse(rest, today, conventions).periods
    left = _without((constraint.text for one in periods for constraint in one.constraints), rest)
    words = tuple(word for word in left.casefold().split() if not (periods and word in _JOINING))
    return DocumentFilter(tuple(one.interval for one in periods), frozenset(kinds), words)


def _without(texts: Iterable[str], line: str) -> str:
    """A line without the given phrases."""
    for text in sorted(texts, key=len, reverse=True):
        line = re.sub(re.escape(text), " ", line, flags=re.IGNORECASE) if text else line
    return line
