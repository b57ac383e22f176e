"""A way to answer what replaced a thing of a table, or what was there before it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from timelens.answer.draft import Draft
from timelens.answer.extractive.case import Case
from timelens.answer.tables.columns import fact_of, heading_of, is_inclusive, means, words_of_row
from timelens.answer.tables.linking import FactKind, Match
from timelens.answer.tables.row_neighbours import RowPair, row_beside
from timelens.answer.tables.solver import Solution
from timelens.answer.text.event_dates import DatedEvent
from timelens.answer.writing.drafts import with_events
from timelens.answer.writing.fact_drafts import from_facts
from timelens.documents import Hit
from timelens.words import topic_words

_ASKED = re.compile(
    r"^\W*(?:and\s+)?(?:what|which\s+(?P<noun>(?:[^\W\d_]+\s)?[^\W\d_]+))\s+"
    r"(?:(?P<after>replaced|succeeded|followed|came\s+(?:(?:right|directly|immediately)\s+)?after|took\s+over\s+from)"
    r"|preceded|came\s+(?:(?:right|directly|immediately)\s+)?before)\s+(?:(?:the|our|my)\s+)?(?P<name>[^?,;]+?)\W*$",
    re.IGNORECASE,
)
"""A question for what took the place of a thing, or was there before it."""


def by_place(case: Case) -> Draft | None:
    """The thing whose row is next to that of the named one, among the rows in the same place."""
    asked = _ASKED.match(case.parsed.question)
    pair = None if asked is None else row_beside(asked["name"], case.pool, later=bool(asked["after"]))
    if asked is None or pair is None or not _is_called(asked["noun"], pair):
        return None
    inclusive = is_inclusive(pair.table)
    kind = FactKind(pair.column, pair.key, pair.table, (pair.found,), Match.SURE, 1.0, {}, inclusive)
    timeless = replace(case.parsed, periods=(), constraints=(), implicit=())
    draft = from_facts(timeless, Solution(kind, (pair.found,)), case.span)
    return with_events(draft, [DatedEvent(asked["name"], fact_of(pair.named).validity, pair.named)])


def is_of_named(question: str, rows: Sequence[Hit]) -> bool:
    """Whether a question asks what was before or after a thing, and rows are all of the thing itself."""
    asked = _ASKED.match(question)
    words = frozenset[str]() if asked is None else topic_words(asked["name"])
    return bool(words) and all(words <= words_of_row(hit) for hit in rows)


def _is_called(noun: str | None, pair: RowPair) -> bool:
    """Whether the question has no noun for the thing, or one for its column or its table."""
    words = topic_words(noun or "")
    return not words or means(pair.column, words) or bool(words & heading_of(pair.found))
