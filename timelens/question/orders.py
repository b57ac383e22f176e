"""Orders in a question: "the first", "the second to last", "the last three". Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from timelens.lexicon import ordinals
from timelens.question.implicit_times import is_free
from timelens.question.parsed_question import Ordinal
from timelens.temporal.vocabulary import CARDINALS, UNITS, WEEKDAY, number

Span = tuple[int, int]

_NUMBER_WORDS = ordinals(2, 10)
_NTH = "|".join(_NUMBER_WORDS)
_LAST = r"most\s+recent(?:ly)?|last|latest|newest|final"
_FIRST = r"very\s+first|first|earliest"
_ORDINAL = re.compile(
    rf"\b(?:the\s+)?(?:(?P<from_last>{_NTH}|[1-9]\d*(?:st|nd|rd|th))[\s-]+to[\s-]+last"
    rf"|(?P<penultimate>penultimate|(?<=\bthe )previous(?=\s+[a-z])(?!\s+(?:to|one|{'|'.join(UNITS)})s?\b))"
    rf"|(?P<last>{_LAST}|later(?=.*\sor\s))|(?P<first>{_FIRST}|earlier(?=.*\sor\s))"
    rf"|(?P<nth>{_NTH}|[1-9]\d*(?:st|nd|rd|th)))\b(?!-)"
    rf"(?!\s+(?:lady|name|world|quarter|half|time\s+zone|century|division|floor|storey|tier|violin|{WEEKDAY}))",
    re.IGNORECASE,
)
_MANY = "|".join(sorted((word for word, value in CARDINALS.items() if value > 1), key=len, reverse=True))
_NUMBER = rf"(?P<{{}}>{_MANY}|[1-9]\d?)"
_THINGS = rf"(?!\s*(?:[-–%]|[.,:]\d))(?!\s+(?:and|or|to)\s+\d)(?!\s+(?:{'|'.join(UNITS)})s?\b)"
_COUNTED = re.compile(
    rf"\b(?:the\s+)?(?:top\s+)?(?:"
    rf"(?P<last>{_LAST}|previous|preceding)|(?P<first>{_FIRST}|next|following))\s+{_NUMBER.format('number')}\b"
    rf"{_THINGS}"
    rf"|(?:\b(?:the|top)\s+(?:top\s+)?|(?<=\bwhich\s)|(?<=\bwhat\s)){_NUMBER.format('number_before')}\s+"
    rf"(?:(?P<last_behind>{_LAST})|(?P<first_behind>{_FIRST}))\b{_THINGS}",
    re.IGNORECASE,
)
"""Several from one end of an order: "the first three", "the three most recent", "the top five earliest"."""
_LASTING = re.compile(
    r"\b(?:how long|how many (?:\w+ )?(?:days|weeks|months|years|decades))\b[^?.;]*\blast\b"
    r"(?=\s*(?:[?.!,;]|$))"
    r"|\blast\b(?=\s+(?:for|from|until|longer)\b)",
    re.IGNORECASE,
)
"""The verb "last", which is not an order."""
_TITLE = re.compile(
    r"[A-Z][\w.'’-]*(?:,\s+(?P<nth>(?:the\s+)?[1-9]\d*(?:st|nd|rd|th))\s(?=[A-Z])"
    rf"|\s+(?P<regnal>the\s+(?:{'|'.join(map(str.capitalize, ordinals(1, 10)))})\b))"
)
"""A number behind a name, which is not an order: "John Manners, 2nd Duke of Rutland", "Henry the Second"."""
_COMPARED = re.compile(
    rf"\bbetween\s+(?:the\s+)?(?:{_NTH}|{_FIRST}|{_LAST})\b[^,;:?]*?\band\s+(?:the\s+)?(?:{_NTH}|{_FIRST}|{_LAST})\b",
    re.IGNORECASE,
)
"""Places in an order that are set side by side: "between the first and the second edition"."""
_LISTED = re.compile(
    r",?\s*\b(?:listed\s+|arranged\s+|sorted\s+)?(?:in|by)\s+(?:the\s+|their\s+)?(?:chronological\s+|time\s+)?"
    r"(?:order|sequence)(?:\s+(?:of|by)\s+(?:date|time|year)s?"
    r"|\s+(?:in\s+which\s+|that\s+)?(?:it|they|we|I|he|she)\s+[^,?.;]+)?"
    r"(?=\s*(?:[,?.;:]|$)|\s+(?:the|all|each|every|of|with)\b),?"
    r"|,?\s*\b(?:chronologically|one (?:after|by) (?:the other|another|one))\b,?"
    r"|,?\s*\b(?:(?:the\s+)?(?:oldest|earliest|newest|latest|most\s+recent)\s+first"
    r"|(?:from\s+)?(?:the\s+)?(?:very\s+)?(?:first|earliest|oldest)\s+to\s+(?:the\s+)?"
    r"(?:last|latest|newest|most\s+recent|present))\b(?=\s*(?:[,?.;:]|$))",
    re.IGNORECASE,
)
"""Phrases for sorting a list: "in chronological order", "oldest first", "in the order they took effect"."""


_TIME_BESIDE = re.compile(
    r"[\s,;–—-]+(?:and\s+(?:since\s+)?(?:when\b|(?:on|in)\s+(?:what|which)\s+(?:day|date|month|year)s?\b"
    r"|the\s+(?:day|date|month|year|time)s?\s+(?:we|they|I|he|she|it|each)\b)[^?;]*"
    r"|(?:each\s+)?with\s+(?:the|their|its|all)?\s*(?:\w+\s+)?(?:dates?|days?|months?|years?)"
    r"(?:\s+(?:of|on|in|when|that|they|he|she|it|each|every\w*)\b[^?;]*?)?)(?=\s*[?.!;]*\s*$)",
    re.IGNORECASE,
)
"""An additional request for the time: "who took over, and when?"; every line of a list states it anyway."""


@dataclass(frozen=True, slots=True)
class Order:
    """A place in chronological order, or several from one end of it."""

    ordinal: Ordinal
    count: int
    """How many the question asks for; above 1 only for the first or the last."""
    span: Span
    text: str


def order_of(text: str, taken: Sequence[Span]) -> Order | None:
    """The first order in a question outside the ``taken`` spans; ``None`` if there is none."""
    lasting = [(match.end() - len("last"), match.end()) for match in _LASTING.finditer(text)]
    titles = [match.span(match.lastgroup or 0) for match in _TITLE.finditer(text)]
    free = [*taken, *lasting, *titles, *(match.span() for match in _COMPARED.finditer(text))]
    counted = next((match for match in _COUNTED.finditer(text) if is_free(match.span(), free)), None)
    single = next((match for match in _ORDINAL.finditer(text) if is_free(match.span(), free)), None)
    if counted is not None and (single is None or counted.start() <= single.start()):
        count = number(counted["number"] or counted["number_before"]) or 1
        from_end = counted["last"] or counted["last_behind"]
        order = Order("last" if from_end else "first", count, counted.span(), counted.group())
        return _with_partitive(order, text)
    return Order(_ordinal(single), 1, single.span(), single.group()) if single else None


def knows_order(words: str) -> bool:
    """Whether the rules recognise an order in the words, and therefore decide its meaning."""
    return any(_ORDINAL.search(part) for part in (words, *words.split()))


def listing_of(text: str) -> tuple[Span, ...]:
    """The spans that only say how to sort a list; they are not part of the topic."""
    return tuple(match.span() for match in _LISTED.finditer(text))


def time_beside(text: str) -> tuple[Span, ...]:
    """The span at the end of a question that additionally asks for the times of a list."""
    match = _TIME_BESIDE.search(text)
    return (match.span(),) if match and match.start() > 0 else ()


def _with_partitive(order: Order, text: str) -> Order:
    """The order with a following "of": "the first three of the flights"."""
    match = re.compile(r"\s+of(?:\s+the\b|(?=\s+(?:all|these|those|its|their)\b))").match(text, order.span[1])
    return order if match is None else replace(order, span=(order.span[0], match.end()))


def _ordinal(match: re.Match[str]) -> Ordinal:
    if match["first"]:
        return "first"
    if match["last"]:
        return "last"
    if match["penultimate"]:
        return -2
    word = (match["from_last"] or match["nth"]).lower()
    nth = _NUMBER_WORDS.index(word) + 2 if word in _NUMBER_WORDS else int(word[:-2])
    if match["from_last"]:
        return -nth
    return "first" if nth == 1 else nth
