"""Versions that headings name with a number and a date, as those of a list of changes do. Pure."""

import re
from collections.abc import Sequence

from timelens.answer.draft import Statement
from timelens.answer.operations import in_order
from timelens.documents import Hit
from timelens.temporal.expressions import find_expressions

_NUMBER = r"\d+(?:\.\d+){1,3}"
_HEADING = re.compile(
    rf"(?:^|:\s)\W*(?:[^\W\d_]+\s+)?(?:v\.?\s?)?(?P<number>{_NUMBER})(?![\w.])(?P<rest>[^:]*)$", re.IGNORECASE
)
"""The last heading above a passage: "2.0.0 – 2025-11-13", "Version 1.4 (6 May 2019)"."""
_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})")
_NAMED = re.compile(
    r"\b(?:versions?|releases?|updates?|v)\.?\s?(?P<number>\d+(?:\.\d+){0,3})\b"
    r"|(?<![\w.])(?P<alone>\d+(?:\.\d+){2,3}|\d+\.\d+(?=\s+(?:versions?|releases?|updates?|(?:(?:was|is|be|came|come"
    r"|comes|get|got|go|went)\s+)?(?:out|released|launched|live))\b))(?![\w.%])"
    rf"|^\W*(?P<whole>{_NUMBER})\W*$",
    re.IGNORECASE,
)
_STATED = re.compile(rf"{_NAMED.pattern}|(?<![\w.])(?P<stated>{_NUMBER})(?![\w%]|\.\d)", re.IGNORECASE)
"""A number in a text that may be one of a version."""
_ENDS = re.compile(r"(?:\.0)+$")


def version_named(text: str) -> str | None:
    """The number of the version that a text names: "2.0" of "version 2.0"; ``None`` if it names none."""
    match = _NAMED.search(text)
    return None if match is None else next(filter(None, match.groups()))


def has_version(text: str, number: str) -> bool:
    """Whether a text names a version, in any form: "2.0.0" for "2.0"."""
    return any(is_same_version(match[match.lastgroup or 0], number) for match in _STATED.finditer(text))


def is_same_version(one: str, other: str) -> bool:
    """Whether two numbers are the same except for zeros at the end."""
    return _ENDS.sub("", one) == _ENDS.sub("", other)


def versions_in(hits: Sequence[Hit]) -> list[Statement]:
    """The versions that the headings of texts name, each with its first passage, in order of their dates."""
    found: dict[tuple[str, str], Statement] = {}
    for hit in sorted(hits, key=lambda hit: hit.chunk.ordinal):
        number = version_of(hit)
        if number is not None:
            place = (hit.chunk.document_id, number)
            made = Statement(hit.chunk.title, "", number, hit.chunk.published, hit, 1.0)
            found.setdefault(place, made)
    return in_order(list(found.values()))


def version_of(hit: Hit) -> str | None:
    """The number of the version under whose heading a passage stands; ``None`` without a date beside it."""
    chunk = hit.chunk
    heading = None if chunk.fact is not None or chunk.published is None else _HEADING.search(chunk.title)
    if heading is None or _DATE.fullmatch(heading["number"]) or not find_expressions(heading["rest"]):
        return None
    return heading["number"]
