"""The day or month that a title, a page header or a file name gives its document: "The Bell, May 2011"."""

import re
from functools import lru_cache

from timelens.ingest.metadata_dates import date_in_name
from timelens.lexicon import MONTH_FORMS, one_of
from timelens.temporal.constraints import Relation
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, find_expressions
from timelens.temporal.interval import Granularity, Interval, hull, month_interval

LONGEST_TITLE = 120
"""Characters of a line that may state the date of its document."""
_ISSUE = frozenset({Granularity.DAY, Granularity.MONTH, Granularity.SEASON, Granularity.QUARTER})
"""Units of the days of issue; a year alone is mostly what a text is about ("History of 1848")."""
_LONGEST_ISSUE = 93
"""Most days from the first to the last day of an issue ("May/June 2011")."""
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_KIND = (
    r"(?:agenda|bulletin|chronicle|circular|diary|digest|edition|gazette|issue|journal|letter|log|magazine"
    r"|minutes|news|newsletter|newsheet|newssheet|notes|notice|paper|proceedings|record|report|review"
    r"|update)s?"
)
"""Kinds of documents that carry the day of their issue."""
_ISSUED = r"(?:dated|held|issued|meetings?|published|printed|written)"
_OF_KIND = re.compile(rf"\b(?:{_KIND}|{_ISSUED})\b", re.IGNORECASE)
_LED_BY_KIND = re.compile(
    rf"\b(?:{_KIND}\W+(?:of|for|from)|{_ISSUED}\W+(?:of|in|on|for))\W*\Z", re.IGNORECASE
)
_ABOUT = re.compile(
    r"\b(?:of|in|on|for|from|since|until|till|to|by|before|after|between|during|about|at|around|and|the|that"
    r"|est|established|founded|born|died|is|was|today)\W*\Z",
    re.IGNORECASE,
)
"""Words before a date that is part of what the text is about."""
_ARTICLE = re.compile(r"the\s+", re.IGNORECASE)
_CONTINUED = re.compile(r"\W*(?:in|at|on|of|to|and|until|till|or|as|was|is|were)\b", re.IGNORECASE)
"""Words after such a date."""
_SENTENCE = 5
"""Least number of words before a date at the end of a line with a full stop that make it a sentence."""
_STOPS, _CLOSING = (".", "!", "?"), " *_\"'\u201d\u2019)"
_APART_BEFORE = re.compile(r"(?:\A|[^\w\s'\u2019&]|\s{2})\s*\Z")
_APART_AFTER = re.compile(r"\s*(?:\Z|[^\w\s'\u2019&]|\s{2})")

_MONTH_IN_NAME = re.compile(r"(?<!\d)(?<!\d[-_.])(1[5-9]\d\d|20\d\d)[-_.](0[1-9]|1[0-2])(?![-_.]?\d)")
_MONTH_WORD = rf"(?:{one_of((*MONTH_FORMS, *(form for forms in MONTH_FORMS.values() for form in forms)))})"
_WORD_BOUNDS = re.compile(rf"(?<=[^\W\d_])(?=\d)|(?<=\d)(?={_MONTH_WORD}(?![^\W\d_]))", re.IGNORECASE)
_SIGNS_IN_NAME = re.compile(r"_+|(?<!\d)[-.]+|[-.]+(?!\d)")
_MONTH = re.compile(rf"(?<![^\W\d_]){_MONTH_WORD}(?![^\W\d_])", re.IGNORECASE)
_YEAR_FIRST = re.compile(rf"(?<!\d)([12]\d{{3}}) ({_MONTH_WORD})(?![^\W\d_])(?! \d{{4}})", re.IGNORECASE)
_VERSION = re.compile(
    r"(?:\s+(?:v ?\d+|draft|final|copy|scan|signed|approved|rev ?\d*|\(\w+\)))+\s*\Z", re.IGNORECASE
)
"""Words at the end of a file name that tell one copy from another."""


@lru_cache(maxsize=64)
def time_in_name(name: str) -> Interval | None:
    """The day in a file name, else the month in figures, else the day or month in words.

    "2011-12" may be a season or a fiscal year, so it is a month only beside a word such as "minutes".
    """
    if (day := date_in_name(name)) is not None:
        return day
    months = list(_MONTH_IN_NAME.finditer(name))
    if months:
        year, month = int(months[0][1]), int(months[0][2])
        may_be_years = month == (year + 1) % 100 and _OF_KIND.search(_SIGNS_IN_NAME.sub(" ", name)) is None
        return None if may_be_years or len(months) > 1 else month_interval(year, month)
    words = _WORD_BOUNDS.sub(" ", _SIGNS_IN_NAME.sub(" ", name))
    if _MONTH.search(words) is None:
        return None
    stated = _stated(_VERSION.sub("", _YEAR_FIRST.sub(r"\2 \1", words)), USUAL)
    if stated is None:
        return None
    time, before, after = stated
    is_at_end = not before.strip() or not after.strip()
    return time if is_at_end or _OF_KIND.search(f"{before} {after}") else None


def date_of_title(title: str, conventions: Conventions = USUAL, *, apart: bool = False) -> Interval | None:
    """The only day, month, season or quarter that a title states, if it reads as the day of issue.

    It does at the beginning or the end, or between signs, unless the words around it make it a part of what
    the text is about ("The election of May 1997", "May 1968 in France").

    Args:
        title: a title or a line of its own.
        conventions: how its dates are read.
        apart: whether signs must separate the date from other words, or a word for a kind of document be
            there, as in a line of which nothing shows that it is a title.
    """
    stated = _stated(title, conventions)
    if stated is None:
        return None
    time, before, after = stated
    begins, ends = _APART_BEFORE.search(before), _APART_AFTER.match(after)
    of_kind = _OF_KIND.search(f"{before} {after}")
    if not apart:
        return time if ends or (begins and of_kind) else None
    has_words = len(before.split()) >= _SENTENCE or after.strip(_CLOSING + ".") != ""
    is_sentence = after.rstrip(_CLOSING).endswith(_STOPS) and has_words
    return time if ((begins and ends) or of_kind) and not is_sentence else None


def _stated(title: str, conventions: Conventions) -> tuple[Interval, str, str] | None:
    """The only time of issue that a title states, with the text before and after it."""
    if len(title) > LONGEST_TITLE or _YEAR.search(title) is None:
        return None
    stated = [one for one in find_expressions(title, conventions=conventions) if _is_of_issue(one)]
    time = hull(stated[0].dates) if len(stated) == 1 else None
    if time is None:
        return None
    article = _ARTICLE.match(stated[0].text)
    start = stated[0].char_start + (article.end() if article else 0)
    before, after = title[:start], title[stated[0].char_end :]
    if _CONTINUED.match(after) or (_ABOUT.search(before) and not _LED_BY_KIND.search(before)):
        return None
    return time, before, after


def _is_of_issue(stated: Expression) -> bool:
    """Whether an expression names a day or month in full, or a few months."""
    if stated.kind is not ExpressionKind.EXPLICIT or stated.relation not in (None, Relation.FROM_TO):
        return False
    days = hull(stated.dates)
    is_short = days is not None and days.bounds[1] - days.bounds[0] <= _LONGEST_ISSUE
    return is_short and all(date.granularity in _ISSUE for date in stated.dates)
