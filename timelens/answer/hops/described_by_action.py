"""Resolves descriptions by an action: "the scheme brought down by the court". Pure.

A table row records when something began or ended, and a text with the same day names who caused it. The
description is resolved if both agree on exactly one name.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from timelens.answer.hops.resolved_hop import SILENT, ResolvedHop, UnresolvedHop
from timelens.answer.relevance import words_of
from timelens.answer.tables.columns import fact_of
from timelens.documents import Event, EventSource, Hit
from timelens.question.hops.hop import Hop
from timelens.question.names import names_in
from timelens.question.roles import Role, role_of
from timelens.temporal.calendar import Day
from timelens.temporal.interval import Granularity, Interval
from timelens.words import topic_words

_FIRST = re.compile(r"\b(?:first|earliest|earlier)\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:last|latest|later)\b", re.IGNORECASE)


def described_by_action(hop: Hop, hits: Sequence[Hit], words: str) -> ResolvedHop | UnresolvedHop:
    """The only thing that began or ended on a day for which a text names the cause.

    If there are several, an order in the description ("their first case") selects one.
    """
    role = role_of(hop.being)
    texts = [hit for hit in hits if hit.chunk.fact is None]
    counts = Counter(v for hit in hits if hit.chunk.fact is not None for _, v in hit.chunk.fact.fields)
    candidates: dict[str, tuple[Day, Hit, Hit]] = {}
    for row in (hit for hit in hits if hit.chunk.fact is not None):
        day = fact_of(row).start if role is Role.START else fact_of(row).end
        for text in texts if day is not None and role is not Role.HELD else ():
            name = _named(row, text, counts)
            if day is not None and name and _tells(text, hop.being, day):
                candidates.setdefault(name, (day, row, text))
    ordered = sorted(candidates, key=lambda name: candidates[name][0])
    if len(ordered) > 1 and _FIRST.search(hop.being):
        ordered = ordered[:1]
    if len(ordered) > 1 and _LAST.search(hop.being):
        ordered = ordered[-1:]
    if len(ordered) != 1:
        why = f"more than one is possible ({', '.join(ordered)})" if ordered else SILENT
        return UnresolvedHop(words, why)
    _, row, text = candidates[ordered[0]]
    fact = fact_of(row)
    term = Interval(fact.start, fact.validity.end, fact.granularity)
    return ResolvedHop(hop, words, ordered[0], term, row, (text,))


def _named(row: Hit, text: Hit, counts: Mapping[str, int]) -> str:
    """The rarest value of a row in the table, if the text contains it; else empty."""
    values = [value for _, value in fact_of(row).fields if value]
    rare = min(values, key=lambda value: counts[value], default="")
    return rare if topic_words(rare) <= words_of(text) else ""


def _tells(text: Hit, being: str, day: Day) -> bool:
    """Whether a passage contains all names of the description and states the day."""
    words = words_of(text)
    for name in names_in(being):
        if (
            name.split()[-1].casefold() not in text.chunk.content.casefold()
            and not topic_words(name) <= words
        ):
            return False
    return bool(names_in(being)) and any(_is_of(event.interval, day) for event in _stated(text))


def _is_of(interval: Interval, day: Day) -> bool:
    return interval.granularity is Granularity.DAY and interval.start == day


def _stated(text: Hit) -> Iterator[Event]:
    return (event for event in text.chunk.events if event.source is EventSource.STATED)
