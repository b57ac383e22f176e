"""What a free-text answer names, the times it gives, and whether it refuses. Pure.

Names are those known to the data, right ones and rivals; other names that an answer lists beside a right name
count as named too. The times of a name are those of its sentence and of the text after it, up to the next
name; in a sentence with several names, each name has the text that follows it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from timelens.bench.measures import Named, StatedDay, Unstated, plain_words
from timelens.bench.suite_data import Gold, TimedAnswer
from timelens.ingest.chunking import split_sentences
from timelens.temporal import Day, Expression, Interval, find_expressions

_REFUSALS = (
    "no answer",
    "there is no answer",
    "no one",
    "nobody",
    "none",
    "unsure",
    "i do not know",
    "i don t know",
    "evidence does not",
)
"""Openings of a refusal in plain words: from timelens' prompt, TDBench's prompt and models' own wording."""

_NAME = r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*)*"
_LISTED = re.compile(rf"{_NAME}(?:, {_NAME})*,? (?:and|or|&) {_NAME}")
_BULLET = re.compile(rf"^\s*(?:[-*•–]|\d+[.)])\s+\W*({_NAME})", re.MULTILINE)
_BETWEEN = re.compile(r",? (?:and|or|&) |, ")
_ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_WORD = re.compile(r"[^\W_]+")


def refuses(text: str) -> bool:
    """Whether an answer begins by saying that there is no answer, or that it does not know."""
    said = f"{plain_words(text)} "
    return any(said.startswith(f"{opening} ") for opening in _REFUSALS)


def named_in(text: str, question: str, gold: Gold, now: Day) -> tuple[Named, ...]:
    """The names of :attr:`Gold.timed` and :attr:`Gold.rivals` in a text, each with the days it gives.

    Args:
        text: an answer without citations.
        question: the question; a rival that occurs in it is not an answer.
        gold: the right answers and the rivals.
        now: the reference day.

    Returns:
        One entry for each time stated of a name, or one without days for a name without times. A day is the
        recorded day if the stated time contains it, else the first day of the stated time; a time coarser
        than :attr:`Gold.unit` counts as unstated. A fact that is said to go on has ``None`` as its end.
    """
    facts: dict[str, list[TimedAnswer]] = {}
    for fact in gold.timed or ():
        facts.setdefault(plain_words(fact.text), []).append(fact)
    right, asked = frozenset(facts), f" {plain_words(question)} "
    rivals = frozenset(
        name
        for name in _plain(gold.rivals)
        if f" {name} " not in asked and not any(_nested(name, other) for other in right)
    )
    found = [
        Named(name, *days)
        for name, own in _own_texts(text, right | rivals)
        for days in _days(own, facts.get(name, ()), gold, now)
    ]
    added = (name for name in _listed(text, right) if f" {name} " not in asked)
    told = {one.text for one in found}
    found += [Named(name, *_NOWHEN) for name in dict.fromkeys(added) if name not in told]
    return tuple(dict.fromkeys(found))


_NOWHEN = (Unstated.UNSTATED, Unstated.UNSTATED)


@lru_cache(maxsize=64)
def _plain(names: tuple[str, ...]) -> frozenset[str]:
    """Names in plain words; cached, because all questions about one column share them."""
    return frozenset(filter(None, map(plain_words, names)))


def _nested(one: str, other: str) -> bool:
    """Whether one name contains the other, as two spellings of the same name do."""
    return f" {one} " in f" {other} " or f" {other} " in f" {one} "


@dataclass(frozen=True, slots=True)
class _Mention:
    name: str
    start: int
    end: int


def _own_texts(text: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Each name in a text with the part of the text about it, one pair for each mention."""
    mentions = list(_mentions(text, names))
    starts = [start for start, _ in split_sentences(text)]
    cuts = [
        max((start for start in starts if before <= start <= mention.start), default=mention.start)
        for before, mention in zip((0, *(m.end for m in mentions)), mentions, strict=False)
    ]
    for mention, start, end in zip(mentions, cuts, (*cuts[1:], len(text)), strict=False):
        yield mention.name, text[start:end]


def _mentions(text: str, names: frozenset[str]) -> Iterator[_Mention]:
    """Mentions of names as whole words, in text order; of nested names, the longest."""
    words = [(plain, found) for found in _WORD.finditer(text) if (plain := plain_words(found[0]))]
    by_first: dict[str, list[list[str]]] = {}
    for parts in sorted((name.split() for name in names), key=len, reverse=True):
        by_first.setdefault(parts[0], []).append(parts)
    at = 0
    while at < len(words):
        here = by_first.get(words[at][0], ())
        parts = next((p for p in here if [word for word, _ in words[at : at + len(p)]] == p), [])
        if parts:
            last = words[at + len(parts) - 1][1]
            yield _Mention(" ".join(parts), words[at][1].start(), last.end())
        at += len(parts) or 1


def _days(
    text: str, facts: Sequence[TimedAnswer], gold: Gold, now: Day
) -> Iterator[tuple[StatedDay, StatedDay]]:
    """Start and end of each time that a text states; both unstated if it states none."""
    times = [days for time in find_expressions(text, now) if (days := _told(time, facts, gold)) is not None]
    yield from times or [_NOWHEN]


def _told(time: Expression, facts: Sequence[TimedAnswer], gold: Gold) -> tuple[StatedDay, StatedDay] | None:
    """Start and end of one stated time. A single date is the end of a fact if it is recorded as its end."""

    def recorded(date: Interval, end: str) -> Day | None:
        days = (getattr(fact, end) for fact in facts)
        return next((day for day in days if day is not None and date.start <= day < date.end), None)

    def told(date: Interval, end: str) -> StatedDay:
        if date.granularity.days > gold.unit.days:
            return Unstated.UNSTATED
        day = recorded(date, end)
        return date.start if day is None else day

    dates = [date for date in time.dates if date.start is not None and date.end is not None]
    if not dates:
        return None
    if len(dates) > 1:
        return told(dates[0], "start"), told(dates[1], "end")
    [date] = dates
    start, end = told(date, "start"), told(date, "end")
    if time.open == "end":
        return start, None
    is_end = recorded(date, "end") is not None
    if time.open == "start" or (is_end and recorded(date, "start") is None):
        return Unstated.UNSTATED, end
    return start, end if is_end else Unstated.UNSTATED


def _listed(text: str, right: frozenset[str]) -> Iterator[str]:
    """Names listed together with a right one ("A, B and C", or one bullet each), in plain words."""
    plain = _ASIDE.sub("", text)
    lists = [_BETWEEN.split(found[0]) for found in _LISTED.finditer(plain)]
    for items in (*lists, _BULLET.findall(plain)):
        names = [plain_words(item) for item in items]
        if any(_nested(name, one) for name in names for one in right):
            yield from (name for name in names if name and not any(_nested(name, one) for one in right))
