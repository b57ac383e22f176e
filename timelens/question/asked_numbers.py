"""What a question asks of numbers: counts, changes, extremes, and limits that a number is compared with."""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from timelens.lexicon import AUXILIARIES, one_of, ordinals
from timelens.question.intent import VERB, asks_whether, first_match, noun_at
from timelens.temporal.calendar import Day
from timelens.temporal.rules.counting import LENGTH, Steps, moved, steps
from timelens.temporal.vocabulary import CARDINALS, number

Extreme = Literal["highest", "lowest"]


_CHANGES = re.compile(
    rf"\b(?:every|each|first|last|latest|earliest|next|most recent|{'|'.join(ordinals(2, 5))}) change\b"
    r"|(?<!\bit )(?<!\bthis )(?<!\bthat )\bchanges\b",
    re.IGNORECASE,
)
Change = Literal["rise", "fall", "change"]
_BECOME = "(?:get|got|gotten|grow|grew|grown|become|became)"
_CHANGED: Sequence[tuple[Change, str]] = (
    (
        "rise",
        (
            r"\b(?:(?:go(?:es|ne|ing)?|went|put) up|rose|rise[ns]?|increase[ds]?|raised?"
            rf"|{_BECOME} (?:longer|bigger|larger|higher|dearer|more expensive))\b"
        ),
    ),
    (
        "fall",
        (
            r"\b(?:(?:go(?:es|ne|ing)?|went|come|came|put|brought) down|fell|falls?|fallen|decrease[ds]?"
            r"|drop(?:ped)?|lowered|reduced?|shr[aiu]nk"
            rf"|{_BECOME} (?:shorter|smaller|lower|cheaper|less expensive))\b"
        ),
    ),
    (
        "change",
        (
            r"\b(?:change[ds]?|moved?(?! (?:away|in|out|on)\b)|moves|switch(?:ed)?|swap(?:ped)?|replaced?"
            r"|relocated?)\b"
        ),
    ),
)
_ANY_CHANGE = "|".join(pattern for _, pattern in _CHANGED)
_HOW_OFTEN_CHANGED = re.compile(rf"\bhow (?:often|many times)\b[^?.;]*(?:{_ANY_CHANGE})", re.IGNORECASE)


def change_asked(question: str) -> Change | None:
    """What happened to a value, if a question has a verb for it: it rose, fell, or changed in any way."""
    return first_match(_CHANGED, question)


_PRONOUN = re.compile(r"(?:i|we|you|they|he|she|it)", re.IGNORECASE)
_HOW_MANY = re.compile(
    r"(?:\bhow many|^\W*(?:what (?:is|was) )?(?:the )?number of) (?:different |distinct |separate )?"
    r"(?P<noun>[^?.,;:]+?)"
    r"(?=\s+(?:did|do|does|was|were|is|are|has|have|had|can|could|will)\b|[?.,;:]|$)",
    re.IGNORECASE,
)


TIMES = "times"
"""The counted noun of "how many times" and "how often", which count how often something held."""
CHANGES = "changes"
"""The counted noun of "how often did it change", "rise" or "fall"."""
_HOW_OFTEN = re.compile(r"\bhow often\b", re.IGNORECASE)


def asks_for_changes(question: str) -> bool:
    """Whether a question asks for single changes ("the last change of the rate"), not for a course."""
    return _CHANGES.search(question) is not None or _HOW_OFTEN_CHANGED.search(question) is not None


def counted_noun(question: str) -> str:
    """The noun phrase after "how many" or a first "number of", up to a verb or pronoun; empty without one."""
    if _HOW_OFTEN_CHANGED.search(question):
        return CHANGES
    match = _HOW_MANY.search(question)
    if match is None:
        return TIMES if _HOW_OFTEN.search(question) else ""
    words = match["noun"].split()
    ends = (n for n, word in enumerate(words) if n and (VERB.fullmatch(word) or _PRONOUN.fullmatch(word)))
    return " ".join(words[: next(ends, len(words))])


_NUMBER_OF = re.compile(r"\bnumber of (?P<noun>[^?.,;:]+)", re.IGNORECASE)


def numbered_noun(question: str) -> str:
    """The noun phrase after "how many", or after "number of" in any place; empty without one."""
    match = _NUMBER_OF.search(question)
    return counted_noun(question) if match is None else noun_at(match["noun"])


_COUNTED = re.compile(
    r"\b(?:how many(?! times\b)|(?:the )?number of)(?: (?:different|distinct|separate))?(?= \w)",
    re.IGNORECASE,
)


def things_counted(question: str) -> str | None:
    """The question for the things themselves, if a question asks how many there are; ``None`` for others.

    "How many people have kept the keys?" becomes "which people have kept the keys?".
    """
    named, is_count = _COUNTED.subn("which", question, count=1)
    return named if is_count else None


_OF_A_COURSE = r"\b(?:develop(?:ed)?|evolved?|var(?:y|ied)|fared?|progress(?:ed)?|fluctuated?)\b"
_CHANGES_OF = re.compile(
    rf"^\W*(?:how (?:(?:often|many times)\s+)?)?(?:{one_of(AUXILIARIES)})\s+(?P<thing>[^?.;]*?)"
    rf"\s*(?:{_OF_A_COURSE}|{_ANY_CHANGE})(?P<rest>[^?.;]*)",
    re.IGNORECASE,
)
_DOER = re.compile(rf"^(?:{_PRONOUN.pattern}|there)\b\s*|\b(?:ever|been|being|once|at all)\b", re.IGNORECASE)


def things_changed(question: str) -> str | None:
    """The question for the value itself, if one asks how, how often or whether it changed; else ``None``.

    "How many times has the fee gone up?" becomes "what was the fee?", and "how often did we change supplier?"
    "what was supplier?".
    """
    match = _CHANGES_OF.match(question)
    if match is None:
        return None
    thing = " ".join(_DOER.sub(" ", f"{match['thing']} {match['rest']}").split())
    return f"what was {thing}?" if thing else None


_LARGE = "high|larg|bigg|great|dear|prici|costli|busi|full|strong|heavi|hott|warm|wett"
_SMALL = "low|small|cheap|quiet|empti|weak|light|cold|dri"
"""Adjectives without their ending, as before "-er" and "-est"."""
_EXTREMES: Sequence[tuple[Extreme, str]] = (
    (
        "highest",
        (
            rf"\b(?:{_LARGE})est\b"
            r"|\bbest\b|\bmost expensive\b|\bmaximum\b|\bpeak(?:ed)?\b|\bthe most\b(?! recent)"
            r"|\bmost(?= [a-z]+(?<!ou)s\b)"  # "when were most tickets sold"
        ),
    ),
    (
        "lowest",
        (
            rf"\b(?:{_SMALL})est\b|\bleast expensive\b"
            r"|\bminimum\b|\bthe least\b|\bfewest\b"
        ),
    ),
)


def extreme_asked(question: str) -> Extreme | None:
    """The end of a scale of numbers that a question asks for: "the cheapest fare" asks for the lowest."""
    return first_match(_EXTREMES, question)


_LENGTHS: Sequence[tuple[Extreme, str]] = (("highest", r"\blongest\b"), ("lowest", r"\bshortest\b"))


def length_extreme_asked(question: str) -> Extreme | None:
    """Whether a question asks for what lasted longest ("highest"), or shortest ("lowest")."""
    return first_match(_LENGTHS, question)


def asks_for_extreme(question: str) -> bool:
    """Whether a question asks for the highest or lowest number, or for what lasted longest or shortest."""
    return (extreme_asked(question) or length_extreme_asked(question)) is not None


Aggregate = Literal["total", "average"]
_IN_ALL = r"in total|al(?:l )?together|together|combined|in all"
_AGGREGATES: Sequence[tuple[Aggregate, str]] = (
    ("average", r"\b(?:on average|(?:the )?(?:average|mean))\b"),
    (
        "total",
        rf"\b(?:{_IN_ALL}|(?:the )?sum(?: total)?|(?:the )?total)\b",
    ),
)


def aggregate_asked(question: str) -> Aggregate | None:
    """Whether a question asks for the sum, or the mean, of several numbers."""
    return first_match(_AGGREGATES, question)


_OF_ALL_PERIODS = re.compile(rf"\b(?:{_IN_ALL}|all told)\b", re.IGNORECASE)


def asks_for_all(question: str) -> bool:
    """Whether a question about several periods asks for what they have together."""
    return _OF_ALL_PERIODS.search(question) is not None


_BY_HOW_MUCH = re.compile(r"\bhow much\b|\bby how many\b", re.IGNORECASE)


def difference_asked(question: str) -> bool:
    """Whether a question asks by how much a number rose, fell or changed."""
    return _BY_HOW_MUCH.search(question) is not None and change_asked(question) is not None


_SIZES: Sequence[tuple[Extreme, str]] = (
    ("highest", r"\b(?:more|higher|larger|bigger|greater|dearer|longer|above)\b.*\bthan\b"),
    ("lowest", r"\b(?:less|lower|smaller|fewer|cheaper|shorter|below)\b.*\bthan\b"),
)
_SIZES_OFFERED: Sequence[tuple[Extreme, str]] = (
    ("highest", rf"\b(?:(?:{_LARGE}|long)(?:er|est)|(?:more|most)(?! recent))\b.*\bor\b"),
    ("lowest", rf"\b(?:(?:{_SMALL}|short|few)(?:er|est)|less|least)\b.*\bor\b"),
)


def size_compared(question: str) -> Extreme | None:
    """Whether a yes-no question asks if a number is larger ("highest") or smaller ("lowest") than another."""
    return first_match(_SIZES, question) if asks_whether(question) else None


def size_offered(question: str) -> Extreme | None:
    """Whether a question asks which of the things it offers is largest ("highest") or smallest ("lowest").

    "Was the toll higher in 2005 or in 2010?"
    """
    return first_match(_SIZES_OFFERED, question)


_COMPARISONS: Sequence[tuple[Callable[[Decimal, Decimal], bool], str]] = (
    (operator.ge, r"at least|no less than|reach(?:ed)?|hit"),
    (operator.le, r"at most|no more than"),
    (
        operator.gt,
        (
            r"(?:more|higher|greater|larger|bigger|dearer|longer) than|over|above|past|beyond"
            r"|(?:exceed|topp|surpass)(?:ed)?|exceeds"
        ),
    ),
    (operator.lt, r"(?:less|lower|fewer|smaller|cheaper|shorter) than|under|below"),
)
_LIMIT = "|".join(f"(?P<r{n}>{pattern})" for n, (_, pattern) in enumerate(_COMPARISONS))
_CARDINAL = "|".join(CARDINALS)
_STATED_LIMIT = re.compile(
    rf"\b(?:{_LIMIT})\s+(?P<currency>[$£€¥])?(?:(?P<figures>\d[\d,]*+(?:\.\d+)?+)(?P<thousands>k\b)?"
    rf"|(?P<words>(?:{_CARDINAL})(?:[ -](?:and |{_CARDINAL}))*+)\b)"
    r"(?!\s+(?:years?|months?|weeks?|days?|decades?)\b)"
    r"(?:\s+(?:quid|pounds?|dollars?|euros?|bucks|percent|per cent)\b)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Limit:
    """A number that a yes-no question compares a value with: "more than £5"."""

    holds: Callable[[Decimal, Decimal], bool]
    """Whether a value and the number compare as asked."""
    number: Decimal
    currency: str = ""
    """The currency sign before the number."""
    text: str = ""
    """The words of the question for it."""


def limit_asked(question: str) -> Limit | None:
    """The number, other than a length of time, with which a question compares a value, if there is one."""
    match = _STATED_LIMIT.search(question)
    if match is None:
        return None
    holds = next(holds for n, (holds, _) in enumerate(_COMPARISONS) if match[f"r{n}"])
    if match["figures"]:
        stated = Decimal(match["figures"].replace(",", "")) * (1000 if match["thousands"] else 1)
        return Limit(holds, stated, match["currency"] or "", match[0])
    words = number(match["words"])
    return None if words is None else Limit(holds, Decimal(words), text=match[0])


_LENGTH_COMPARISONS: Sequence[tuple[Callable[[int, int], bool], str]] = (
    (operator.ge, r"at least|(?:no|not) (?:less|fewer|shorter) than|a minimum of"),
    (operator.le, r"at most|(?:no|not) (?:more|longer) than|up to|a maximum of"),
    (operator.gt, r"(?:more|longer|greater) than|over|exceeding|upwards of"),
    (operator.lt, r"(?:less|shorter|fewer) than|under"),
)
_LENGTH_LIMIT = "|".join(f"(?P<r{n}>{pattern})" for n, (_, pattern) in enumerate(_LENGTH_COMPARISONS))
_COUNTED_FROM = (
    "after|before|ago|back|earlier|later|from|of|prior|hence|old|older|younger|following|preceding|apart|away"
    "|ahead|behind|into|in advance|late|early|overdue|an? (?:day|week|month|year)|per|each|every"
)
_STATED_LENGTH = re.compile(
    rf"\b(?:{_LENGTH_LIMIT})\s+{LENGTH}(?!['’-]|\s+(?:{_COUNTED_FROM})\b)", re.IGNORECASE
)
_LENGTH_OR_MORE = re.compile(
    rf"\b{LENGTH}\s+or\s+(?:(?P<at_least>more|longer|over)|less|shorter|fewer|under)\b"
    rf"(?!\s+(?:{_COUNTED_FROM})\b)",
    re.IGNORECASE,
)


_FOR = re.compile(r"\bfor\s+(?:a\s+(?:period|total|time)\s+of\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LengthLimit:
    """A length of time with which a question compares how long something lasted: "more than ten years"."""

    holds: Callable[[int, int], bool]
    """Whether two lengths, that of a thing and the stated one, both in days, compare as asked."""
    length: Steps
    text: str
    """The words of the question for it."""

    def admits(self, start: Day, days: int) -> bool:
        """Whether something of ``days`` days in all, which began on the day ``start``, meets the limit."""
        return self.holds(days, moved(start, self.length, 1) - start)


def length_limit_asked(question: str) -> LengthLimit | None:
    """The length with which a question compares how long something lasted, if there is one.

    A length that is counted from a time ("more than ten years ago") is none, and neither is a vague one.
    """
    if (match := _STATED_LENGTH.search(question)) is not None:
        holds = next(holds for n, (holds, _) in enumerate(_LENGTH_COMPARISONS) if match[f"r{n}"])
    elif (match := _LENGTH_OR_MORE.search(question)) is not None:
        holds = operator.ge if match["at_least"] else operator.le
    else:
        return None
    length = steps(match)
    return None if length is None else LengthLimit(holds, length, match[0])


def without_length_limit(question: str) -> str:
    """The question without the length of :func:`length_limit_asked` and the "for" before it."""
    limit = length_limit_asked(question)
    if limit is None:
        return question
    before, _, behind = question.partition(limit.text)
    return f"{_FOR.sub('', before).rstrip()}{behind}"


_DISTINCT = re.compile(r"\bhow (?:many (?:different|distinct|separate|times)|often)\b", re.IGNORECASE)


def counts_distinct(question: str) -> bool:
    """Whether a question asks to count different things or occurrences."""
    return _DISTINCT.search(question) is not None


_OPERATIONS = re.compile(
    "|".join(
        [
            _CHANGES.pattern,
            _HOW_OFTEN.pattern,
            r"\bhow many times\b",
            _BY_HOW_MUCH.pattern,
            *(pattern for _, pattern in (*_CHANGED, *_EXTREMES, *_LENGTHS, *_AGGREGATES)),
        ]
    ),
    re.IGNORECASE,
)


def operation_words(question: str) -> str:
    """The words of a question that ask to compare, count or sum numbers: "the fewest", "gone up"."""
    return " ".join(match[0] for match in _OPERATIONS.finditer(question))
