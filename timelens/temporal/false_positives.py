"""Rejects false temporal expressions: quantities, references, prices, verbs, names with a number."""

import re

from timelens.temporal import year_model, year_network
from timelens.temporal.rules.bounds import TO_NOW
from timelens.temporal.rules.rule import Doubt
from timelens.temporal.vocabulary import DASH, IN_UNIT, MONTH, SPACE

_FIGURES = "0123456789"
_WINDOW = 40
_NEAR = 12
"""Characters before a number that are searched for signs and labels."""
_GLUED = re.compile(
    r"(?<=[a-z_$\u00a3\u20ac\u00a5#@\\.])|(?<=[0-9][,:])|(?<=\.[a-z]:)|(?<=\.[a-z]{2}:)|(?<=\.[a-z]{3}:)",
    re.ASCII | re.IGNORECASE,
)
"""Matches where digits are part of the word or number before them, or name the line of a file (a.c:1407)."""
_GLUES = frozenset("_$\u00a3\u20ac\u00a5#@\\.,:abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""The last character of each text that ``_GLUED`` matches behind."""
_BESIDE_SIGN = re.compile(
    r"(?<=[$\u00a3\u20ac\u00a5#\u00a7@=*^~+/])|(?<=[0-9][-\u2010-\u2015])|(?<=-)(?<![a-z]-)"
    r"|(?<=[0-9][x\u00d7*+])|(?<=[0-9]\s[x\u00d7*+])|(?<=[0-9][x\u00d7*+]\s)|(?<=[0-9]\s[x\u00d7*+]\s)"
    r"|(?<=[0-9][ ])(?<![0-9]{4}[ ])|(?<=\W[a-z]\s[=<>]\s)|(?<=\W[a-z]-)",
    re.ASCII | re.IGNORECASE,
)
"""Matches after signs of a price, a sum or a variable, or an identifier of several groups of digits."""
_FIGURE_AFTER = re.compile(
    r"[,.:][0-9]|[0-9]|[-\u2010-\u2015/][0-9]|\s?[x\u00d7+*=]\s?[0-9]|%|[a-z_]"
    r"|(?<![0-9]{8})[ ](?:0[0-9]{2,3}|[3-9][0-9]{2,3}[ ][0-9]{3,4})\b",
    re.ASCII | re.IGNORECASE,
)
_APOSTROPHES = ("'", "‘", "’")
"""Signs that replace the century of a short year and are no quotation marks there."""
_LABEL_BEFORE = re.compile(
    r"\b(?:pop|elev|alt|nos?|pp?|vols?|figs?|tel|ext|ref|cat|inv|reg|ser|art|sect?|nn?|fn)\.[ ]?\Z",
    re.ASCII | re.IGNORECASE,
)
"""Abbreviations before numbers that count, number or measure things."""
_YEAR_LED_IN = re.compile(
    r"(?:(?:\u00a9|\(c\)|\bcopyright|\b(?:circa|ca?\.|abt\.?))[ ]?|\b(?:start|end)-"
    r"|\b(?:early|late|mid)[ -]|\b(?:spring|summer|autumn|fall|winter),?[ ])\Z",
    re.ASCII | re.IGNORECASE,
)
"""Words and signs that stand before years and before no other numbers."""
_WITHIN_NUMBER = "-and-"
"""Joint inside a number in words: "one-and-twentieth"."""
_OF_FILE = re.compile(r"(?<=[A-Za-z0-9]_)(?:[12][0-9]{3}-[0-9]{2}|(?:19|20)[0-9]{6}(?![0-9]))", re.ASCII)
"""A date in the name of a file, as in report_2019-05."""
_TO_A_YEAR = re.compile(
    r"(?:(?:\sthrough)?\sto|(?<=between\s[0-9]{4})\sand)\s([0-9]{4})(?![0-9])", re.ASCII | re.IGNORECASE
)
_OPEN = (-1.5, 2.5)
"""Log odds of the linear model between which the network decides with it. Few numbers of a text lie there."""
_WHOLE_YEARS = re.compile(r"[0-9]{4}(?:[ \t]?[-\u2010-\u2015/][ \t]?[0-9]{2,4})?")
"""What the network was trained on: a year, and a range of years."""
LINEAR_WEIGHT, _CAUTION = 0.5, 1.0
"""The weight of the linear model's log odds beside the network's, and what is subtracted from their sum.

They were chosen on the sentences of four writers left out of training.
"""
LEAST_ODDS = 0.55
"""Least log odds for a number to be a year. It is above 0 because a false year is worse than a missed one."""
_LEAST_ODDS_OF_SHORT = -1.5
"""The same for a short year with an apostrophe, which quantities hardly have."""
_LEAST_ODDS_OF_DATE = -2.0
"""The same for numbers that look like a whole date, which are seldom anything else."""
_LEAST_ODDS_OF_FIRST = -4.0
"""The same for such numbers at the beginning of a line, as in diaries."""
_BEFORE_FIRST = re.compile(r"(?:^|\n)[ \t]*(?:[-*+•][ \t]+)?\Z")
_CENTURY_OF_NAME = re.compile(r"Century [A-Z][a-z]", re.ASCII)
_IN_CENTURY = re.compile(r"\b(?:in|of|from|the|early|late|mid|to|and)[ \t\n-]\Z", re.ASCII | re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:named?(?: is| was)?|called|mr\.?|mrs\.?|ms\.?|miss|king|queen|prince|princess|aunt|uncle|lady|lord"
    r"|cousin|dear|daughter|sister|wife|friend|niece)\s\Z",
    re.ASCII | re.IGNORECASE,
)
_SPEAKS = re.compile(r"\s(?:said|says|told|asked|replied|wrote|laughed|smiled)\b", re.ASCII)
"""Verbs of a person behind what may be a name."""
_IN_SPRING = re.compile(
    r"\b(?:in|by|during|until|till|since|of|for|from|throughout|over|before|after|that|this|early|late|mid|last"
    r"|next|following)[ \t\n](?:the[ \t\n])?\Z|[-\u2010-\u2015]\Z",
    re.ASCII | re.IGNORECASE,
)
_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "jan", "jun", "dec", "sep"})
_MONTH_CUE = re.compile(
    r"(?:\b(?:in|of|since|until|till|by|from|to|through|during|throughout|between|early|mid|late|last|next"
    r"|following|previous|preceding|every|each|before|after|around|and|or|on|that|this)[ \t\u00a0\n]{1,2}"
    r"(?:the[ \t\u00a0])?|[-\u2010-\u2015/(,])\Z",
    re.ASCII | re.IGNORECASE,
)
_PLACED = re.compile(
    rf"(?:{DASH}|{SPACE}(?:to|until|till|through|or|and){SPACE}){MONTH}|{IN_UNIT}(?:[a-z]+{SPACE}){{1,2}}year\b",
    re.ASCII | re.IGNORECASE,
)
"""Text after a word that makes the word a month: another month, or the year."""
_MONTH_CUE_ENOUGH = re.compile(
    r"\b(?:in|of|since|until|by|during|last|next|late|early|mid)[ \t\n]\Z", re.ASCII | re.IGNORECASE
)
_MARCH_AS_NOUN = re.compile(r"\s(?:on|to|against|towards?|through|into|of|from)\b", re.ASCII)
_VERB_AFTER = re.compile(
    r"\s(?:i|he|she|it|they|we|you|the|be|have|not|also|well|god|march)\b", re.ASCII | re.IGNORECASE
)


def is_rest_of_number(text: str, start: int) -> bool:
    """Whether a number that starts here belongs to the word or number before it, so that no time starts."""
    return _is_glued(text, start) and _OF_FILE.match(text, start) is None


def _is_glued(text: str, start: int) -> bool:
    return text[start - 1 : start] in _GLUES and _GLUED.match(text, start) is not None


def is_no_time(text: str, start: int, end: int, doubt: Doubt) -> bool:
    """Whether the match of a rule is no time, judged by the text around it."""
    if text.startswith(_WITHIN_NUMBER, start - len(_WITHIN_NUMBER)):
        return True
    if text[start] in _FIGURES and _is_glued(text, start):
        if _OF_FILE.match(text, start) is None:
            return True
        doubt = Doubt.NONE
    if doubt is Doubt.NONE:
        return _is_name_of_century(text, start, end)
    if doubt is Doubt.QUANTITY:
        return _is_figure(text, start, end, LEAST_ODDS)
    if doubt is Doubt.REFERENCE:
        is_first = _BEFORE_FIRST.search(text, max(0, start - _NEAR), start) is not None
        return _is_figure(text, start, end, _LEAST_ODDS_OF_FIRST if is_first else _LEAST_ODDS_OF_DATE)
    if doubt is Doubt.VERB_AFTER_WORD:
        return text[start:end].endswith(("may", "march"))
    before = text[max(0, start - _WINDOW) : start]
    if doubt is Doubt.SPRING:
        return text[start:end].lower() == "spring" and _IN_SPRING.search(before) is None
    return _is_verb(text, start, end, before)


def _is_figure(text: str, start: int, end: int, least: float) -> bool:
    """Whether the signs and words around a number show that it is no year or date."""
    if _BESIDE_SIGN.match(text, start) is not None or _FIGURE_AFTER.match(text, end) is not None:
        return True
    near = max(0, start - _NEAR)
    if "." in text[near:start] and _LABEL_BEFORE.search(text, near, start) is not None:
        return True
    if _YEAR_LED_IN.search(text, near, start) is not None:
        return False
    if end - start == 2 and text[start - 1 : start] in _APOSTROPHES:
        start, least = start - 1, _LEAST_ODDS_OF_SHORT
    if _log_odds(text, start, end) >= least or TO_NOW.match(text, end) is not None:
        return False
    last = _TO_A_YEAR.match(text, end) if end - start == 4 else None
    if last is None or text[start:end] >= last[1]:
        return True
    return _log_odds(text, *last.span(1)) < 0 or _log_odds(text, start, last.end()) < least


def _log_odds(text: str, start: int, end: int) -> float:
    """Log odds that a number means a year.

    The network is asked about numbers of four digits, and ranges of them, that the linear model leaves open.
    """
    odds = year_model.log_odds(text, start, end)
    if not _OPEN[0] < odds < _OPEN[1] or _WHOLE_YEARS.fullmatch(text, start, end) is None:
        return odds
    return year_network.log_odds(text, start, end) + LINEAR_WEIGHT * odds - _CAUTION


def _is_name_of_century(text: str, start: int, end: int) -> bool:
    """Whether a century is the beginning of a name, such as that of a film studio."""
    if _CENTURY_OF_NAME.match(text, max(0, end - len("Century"))) is None:
        return False
    return _IN_CENTURY.search(text, max(0, start - _NEAR), start) is None


def _is_verb(text: str, start: int, end: int, before: str) -> bool:
    word = text[start:end].rstrip(".")
    lower = word.lower()
    if _NAMED.search(before) is not None:
        return True
    if _SPEAKS.match(text, end) is not None and not _in_strictly(before):
        return True
    if lower == "august":
        return word == lower and (
            _MONTH_CUE.search(before) is None
            or re.match(r"\s(?!(?:and|to|or|of|the)\b)[a-z]", text[end:]) is not None
        )
    if lower not in _AMBIGUOUS_MONTHS:
        return False
    if word != lower and _PLACED.match(text, end) is not None:
        return False
    cued = _MONTH_CUE.search(before) is not None
    if not cued or (word == lower and not _in_strictly(before)):
        return True
    if lower == "march":
        return (
            _MARCH_AS_NOUN.match(text, end) is not None
            and re.search(r"(?:the|[A-Z][a-z]+)\s\Z", before) is not None
        )
    return lower == "may" and _VERB_AFTER.match(text, end) is not None and not _in_strictly(before)


def _in_strictly(before: str) -> bool:
    return _MONTH_CUE_ENOUGH.search(before) is not None
