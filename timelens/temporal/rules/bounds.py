"""Words that bound a date or join two dates: one table of wordings for each position.

:func:`timelens.temporal.constraints.admitted` defines the days of a relation: *since*, *until*, *by* and
*as of* include the date, *after* and *before* exclude it. A new wording is one more entry of a table.
"""

import re

from timelens.temporal.constraints import Relation
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.vocabulary import APOSTROPHE, CLAUSE_END, DASH, MONTH, SPACE, last_word

_LEADING = {
    Relation.SINCE: "since, ever since, from, as from, from on, with effect from, wef, w.e.f., "
    "effective, eff., effective from, starting, starting from, starting with, beginning, beginning with, "
    "commencing, commencing from, not until, not before, from and including",
    Relation.UNTIL: "until, till, 'til, up to, down to, right up to, up until, up till, up through, "
    "through, thru, through to, "
    "until and including, up to and including, up until and including, to and including, "
    "at least until, at least through, until as late as",
    Relation.BEFORE: "before, bef., prior to, previous to, preceding, antedating, "
    "anterior to, ahead of, in advance of, predating, "
    "pre-dating, predates, until just before, until shortly before, up to but excluding, "
    "up to but not including, until but excluding, to but excluding",
    Relation.AFTER: "after, aft., subsequent to, posterior to, beyond, past, following, "
    "postdating, post-dating, "
    "postdates, only after, not until after, from after",
    Relation.BY: "by, nlt, at the latest by, at the latest in, at the latest on, at latest, not after, "
    "not beyond, not past",
    Relation.AS_OF: "as of, as at, as on, a/o",
    Relation.AROUND: "circa, c., ca., about, abt., round, round about, roundabout, around, "
    "approximately, approx., roughly, some time around",
}
"""Wordings before a date; a full stop at the end of a word is optional."""

_EARLIER, _LATER = "earlier, older, sooner", "later, newer, younger, more recent"
"""Comparatives: "older than" excludes the date, "no older than" includes it."""
_AND = rf"(?:{SPACE}(?:or|and){SPACE}|/)"

_TRAILING = {
    Relation.SINCE: "onwards, onward, forward, and later, or later, and after, or after, and afterwards, "
    "or afterwards, and beyond, or beyond, and onwards, and onward, and thereafter, "
    "and newer, or newer, and up, and since, at the earliest",
    Relation.UNTIL: "and earlier, or earlier, and before, or before, and older, or older, and prior, "
    "or prior",
    Relation.BY: "at the latest, or sooner",
    Relation.AROUND: "or so, or thereabouts, or thereabout, give or take",
}
"""Wordings after a date."""

_NOW = (
    "present, present day, present time, today, now, date, this day, current date, current day, current time"
)

_VETOES = {
    "from": "date, dates, dated, dating, hail, hails, hailing, stem, stems, survives, surviving",
    "about": "how, what",
    "past": "half, quarter",
    "through": "all, halfway, midway, partway",
}
"""Words before a wording that change its meaning: "it dates from 1140" is only 1140, not later."""
_STRANDED = dict.fromkeys(("from", "by"), rf"(?!{SPACE}(?:in|on|during){SPACE})")
"""Text that must not follow a wording before a date: "where it came from in 2012" is only 2012."""

THE = rf"(?:the{SPACE})?"
_HEDGE = (
    rf"(?:(?:at{SPACE}least|as{SPACE}(?:early|late|recently|far{SPACE}back){SPACE}as|about|abt\.?|around|approximately|roughly|circa|ca?\.|like|even|(?:more{SPACE})?(?:perhaps|probably|maybe|possibly|likely|conceivably)"
    rf"|some{SPACE}?time|in|on|at){SPACE}){{0,2}}"
)
"""Hedges of a bound, which do not change it ("since about 1990")."""


def _wording(words: str) -> str:
    plain = words.strip()
    pattern = re.escape(plain).replace(r"\ ", SPACE).replace(r"\.", r"\.?").replace("'", APOSTROPHE)
    pattern = pattern.replace(f"{SPACE}and{SPACE}including", rf",?{SPACE}and{SPACE}incl(?:uding|\.)?,?")
    vetoes = "".join(rf"(?<!\b{word} )" for word in _VETOES.get(plain, "").split(", ") if word)
    vetoes += "(?<![0-9] )" if plain == "by" else ""  # 1600 by 1200
    return vetoes + pattern + _STRANDED.get(plain, "")


def _any_of(wordings: str) -> str:
    return "|".join(_wording(words) for words in sorted(wordings.split(","), key=len, reverse=True))


def _by_relation(table: dict[Relation, str], others: dict[Relation, str]) -> str:
    return "|".join(
        rf"(?P<{relation}>{_any_of(wordings)}{others.get(relation, '')})"
        for relation, wordings in table.items()
    )


def _or_on(wordings: str) -> str:
    """The pattern of bounds that include the date explicitly: "on or after", "before or on"."""
    bound = _any_of(wordings)
    return rf"(?:on|in|at|by){_AND}(?:{bound})|(?:{bound}){_AND}(?:on|in|at)"


_THAN = rf"{SPACE}than"
_COMPOSED = {
    Relation.SINCE: rf"|{_or_on('after, from, since')}|(?:no|not){SPACE}(?:{_any_of(_EARLIER)}){_THAN}",
    Relation.BY: rf"|{_or_on('before, prior to')}|(?:no|not){SPACE}(?:{_any_of(_LATER)}){_THAN}",
    Relation.BEFORE: rf"|(?:{_any_of(_EARLIER)}){_THAN}",
    Relation.AFTER: rf"|(?:{_any_of(_LATER)}){_THAN}|(?<=year )greater{_THAN}",
}
_TO_WORDS = (
    "to, until, till, 'til, through, thru, through to, into, up to, up until, up to and including, "
    "to as late as"
)
_TO = _any_of(_TO_WORDS)
_LAST_WORD = re.compile(r"[a-z]+(?=[^a-z]*\Z)")


def _last_words(wordings: str) -> frozenset[str]:
    return frozenset(found[0] for words in wordings.split(",") for found in _LAST_WORD.finditer(words))


_BEFORE_DATES = _last_words(
    "at least, as, about, abt, around, approximately, roughly, circa, ca, c, like, even, perhaps, probably, "
    "maybe, possibly, likely, conceivably, time, sometime, in, on, at, the, incl"
)
"""Last words of text that may stand between a wording and a date: ``_HEDGE``, and an article."""
_OPENINGS = _BEFORE_DATES.union(
    *map(_last_words, _LEADING.values()),
    _last_words("after, from, since, before, prior to, by, than, pre, ante, post, between, bet, betw, btwn"),
)
_JOINTS = _BEFORE_DATES | _last_words(_TO_WORDS) | {"and", "or"}
_JOINT = re.compile(
    rf"[&/\u2010-\u2015\u2212-]|\b(?:and|or|{'|'.join(sorted(_last_words(_TO_WORDS)))})\b",
    re.ASCII | re.IGNORECASE,
)
_BEHIND_WORDS = " \t\r\n\u00a0\u202f.,-"
_JOINING_SIGNS = frozenset("&/-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")


def may_open(before: str) -> bool:
    """Whether a text may end with a wording before a date, by its last word; a cheap test before matching."""
    return _word_at_end(before) in _OPENINGS


def may_join(before: str) -> bool:
    """Whether a text may end with a joint of a range; a cheap test before matching."""
    if before.rstrip()[-1:] in _JOINING_SIGNS:
        return True
    word = _word_at_end(before)
    return word in _JOINTS and (word not in _BEFORE_DATES or _JOINT.search(before) is not None)


def _word_at_end(before: str) -> str:
    """The word that a text ends with, in small letters; empty where another sign stands behind the word."""
    upto = before.rstrip(_BEHIND_WORDS)
    if not upto[-1:].isalpha():
        return ""
    word, behind = last_word(upto)
    return "" if behind else word


_CLOSING = {words.split()[0] for row in (*_TRAILING.values(), _TO_WORDS) for words in row.split(",")}
_MAY_CLOSE = re.compile(
    rf",?{SPACE}?(?:[/\u2010-\u2015\u2212-]|(?:{'|'.join(sorted(_CLOSING))}|{APOSTROPHE}til|on|and)(?![a-z]))",
    re.ASCII | re.IGNORECASE,
)


def may_close(text: str, end: int) -> bool:
    """Whether a wording may follow a date that ends at ``end``; a cheap test before matching."""
    return _MAY_CLOSE.match(text, end) is not None


RANGE_GAP = Pattern(
    rf"-?(?:(?P<to>,?{SPACE}(?:and{SPACE})?(?:{_TO}){SPACE}{_HEDGE}|{DASH}|/)"
    rf"|(?P<and>,?{SPACE}(?:and|or|&){SPACE}{_HEDGE})){THE}"
)
"""Joints of ranges; "and" needs "between" before the range, or an elided end."""
RANGE_BEFORE = Pattern(
    rf"\b(?:(?P<from>(?:(?:starting|as){SPACE})?from)|(?P<between>(?:in{SPACE})?(?:between|betw?\.?|btwn\.?)))"
    rf"{SPACE}{_HEDGE}{THE}\Z"
)
PREFIX = Pattern(r"\b(?:(?P<before>pre|ante)|(?P<after>post))[ -]\Z")
LEADING = Pattern(
    rf"(?<![a-z0-9/-])(?:{_by_relation(_LEADING, _COMPOSED)})"
    rf"{SPACE}{_HEDGE}(?:(?<!\bthrough\s)the{SPACE})?\Z"
)
THROUGH_END = Pattern(rf"\b(?P<until>through){SPACE}the{SPACE}\Z")
"""The bound of "through the end of May"; without an end, "through the 1990s" means during them."""
TRAILING = Pattern(
    rf"{SPACE}(?:{_by_relation(_TRAILING, {Relation.SINCE: rf'|on(?={CLAUSE_END}|[?!])'})})\b"
    rf"(?:(?<=ward)|(?<=wards)|(?!{SPACE}(?:the|[0-9]|{MONTH})))"
)
TO_NOW = Pattern(
    rf"(?P<since>(?:{DASH}|{SPACE}(?:{_TO}){SPACE}){THE}(?:{_any_of(_NOW)})\b"
    r"|[ \t]?[-\u2010-\u2015][ \t]?(?=[);,])|/\.\.)"
)
"""The open end of "1998 to the present" and of "(1998-)"."""
OPEN_LINE = Pattern(r"(?P<since>[ \t]?[-\u2010-\u2015])(?=[ \t]*(?:\Z|\n(?![ \t]*(?-i:[a-z0-9]))))")
"""A dash at the end of a line that nothing continues: "Director, 2016\u2013"."""
AND_NOW = Pattern(rf"(?P<since>,?{SPACE}and{SPACE}{THE}(?:{_any_of(_NOW)}))\b")
"""The end of "between X and now"."""
