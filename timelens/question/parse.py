"""From a question to its topic and its time, by rule."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.errors import BadInputError
from timelens.printable import is_unicode
from timelens.question.implicit import ImplicitTime, implicit_times, is_free, offered
from timelens.question.intent import (
    asks_for_length,
    asks_for_time,
    expected_granularity_of,
    focus_of,
    intent_of,
    is_change,
    reasoning_class_of,
    wants_several,
)
from timelens.question.model import Constraint, Ordinal, ParsedQuestion
from timelens.question.relations import Apart, cue_before, set_apart
from timelens.question.roles import Role, role_of
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, find_expressions
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.phrasing import phrase

Span = tuple[int, int]

_PREPOSITION = re.compile(
    r"\b(?:(?P<in>in|during|within|throughout|over|for|of|from)|(?P<on>on|at)|(?P<around>around|about|circa|near))"
    r"(?:\s+the)?\s*$",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"\b(?!(?:and|or|to|than|with|versus|vs)\s)\w+\s$", re.IGNORECASE)
_CURRENT = re.compile(
    r"\b(?:current(?:ly)?|(?:right )?now|nowadays"
    r"|(?:at|during) (?:present|this (?:moment|time)|the (?:present|current) (?:moment|time))"
    r"|at the moment(?!\s+(?:of|when|that)\b)|presently|today|these days"
    r"|(?<=\bthe )(?:present|ongoing|reigning|incumbent)(?! day)(?=\s+\w))\b",
    re.IGNORECASE,
)
_NUMBER_WORDS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_NTH = "|".join(_NUMBER_WORDS)
_ORDINAL = re.compile(
    rf"\b(?:the\s+)?(?:(?P<from_last>{_NTH}|[1-9]\d*(?:st|nd|rd|th))[\s-]+to[\s-]+last|(?P<penultimate>penultimate)"
    rf"|(?P<last>most\s+recent(?:ly)?|last|latest|newest|final|later(?=.*\sor\s))"
    r"|(?P<first>very\s+first|first|earliest|earlier(?=.*\sor\s))"
    rf"|(?P<nth>{_NTH}|[1-9]\d*(?:st|nd|rd|th)))\b(?!\s+(?:lady|name|world|quarter|half|time\s+zone|century))",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:how long|how many (?:\w+ )?(?:days|weeks|months|years|decades))\b[^?.;]*\blast\b"
    r"(?=\s*(?:[?.!,;]|$))"
    r"|\blast\b(?=\s+(?:for|from|until|longer)\b)",
    re.IGNORECASE,
)
"""The verb "last", which is no order."""
_TITLE = re.compile(r"[A-Z][\w.'’-]*,\s+(?P<nth>(?:the\s+)?[1-9]\d*(?:st|nd|rd|th))\s(?=[A-Z])")
"""The number in a title behind a name, which is no order: "John Manners, 2nd Duke of Rutland"."""
_PRESENT_TENSE = re.compile(
    r"^\s*(?:who|what|which|whose)\b[^?]*?\b(?:is|are|holds?|leads?|does)\b", re.IGNORECASE
)
_STARTING = re.compile(r"(?:starting|beginning|commencing)\b", re.IGNORECASE)
_LONGEST = 2_000  # characters of a question that are parsed; a longer text is no question

_ORDERING = frozenset({Relation.BEFORE, Relation.AFTER, Relation.BY, Relation.UNTIL, Relation.SINCE})


@dataclass(frozen=True, slots=True)
class _Dated:
    """An expression in a question, with the relation word that stands before it."""

    expression: Expression
    relation: Relation
    span: Span
    named: bool
    """The date belongs to a name ("super bowl 2018"): it constrains, and stays in the core."""
    allen: Allen | None = None
    """The relation that words before the date name ("for the whole of 1999")."""


def readable(question: str) -> str:
    """The question as it is, if there is one.

    Raises:
        BadInputError: it is empty, or was put in bytes that are not UTF-8.
    """
    if not question.strip():
        raise BadInputError("the question is empty", 'write one, such as "Who was … in 2015?"')
    if not is_unicode(question):
        raise BadInputError("the question is not UTF-8 text", "write it in UTF-8")
    return question


def parse(question: str, reference_day: Day, conventions: Conventions = USUAL) -> ParsedQuestion:
    """Take a question apart into core query, constraints and intent.

    ``reference_day`` is "now" for "current", "last year" and the like; ``conventions`` say how seasons,
    fiscal years and dates in figures are read.
    """
    text = one_line(question)
    dated = list(_dated(text, reference_day, conventions))
    implicit = list(implicit_times(text, [item.span for item in dated if not _is_in_a_name(item, text)]))
    events = [span for _, span in implicit]
    dated = [item for item in dated if is_free(item.span, events)]
    taken = [item.span for item in dated]
    current = _search_outside(_CURRENT, text, taken)
    lasting = [(match.end() - len("last"), match.end()) for match in _LASTING.finditer(text)]
    titles = [match.span("nth") for match in _TITLE.finditer(text)]
    ordinal = _search_outside(_ORDINAL, text, [*taken, *lasting, *titles, *events])
    asked_order = _ordinal(ordinal) if ordinal else None
    of_time = asks_for_time(text) or asks_for_length(text)  # the year of a name is no time to look in then
    constraints = _constraints(text, [d for d in dated if not (of_time and d.named)], asked_order)
    if current and not constraints:
        today = Interval(None, reference_day + 1, Granularity.DAY)
        constraints = [Constraint(Relation.AS_OF, asked_order, Role.HELD, today, current.group())]
    if ordinal and asked_order is not None and not constraints:
        constraints = [Constraint(None, asked_order, Role.HELD, None, ordinal.group())]
    cut = _time_to_cut(dated, [match.span() for match in (current, ordinal) if match])
    is_current = current is not None
    ordered = asked_order is not None or any(item.relation in _ORDERING for item in dated)
    intent = intent_of(text, current=is_current, ordered=ordered)
    return ParsedQuestion(
        question=question,
        core=_without(text, cut) or text,
        constraints=tuple(constraints),
        current=is_current,
        comparison=_comparison(text, dated),
        anchors=tuple(phrase(date) for item in dated for date in item.expression.dates),
        expected_granularity=expected_granularity_of(text),
        intent=intent,
        focus=focus_of(text, intent, current=is_current, constrained=bool(constraints)),
        reasoning_class=reasoning_class_of(text, temporal=bool(constraints or implicit)),
        signals=tuple(_signals(text, cut, dated)),
        implicit=tuple(time for time, _ in implicit),
        offered=offered(text) if asked_order is not None else (),
        reference_day=reference_day,
        several=wants_several(text),
        present=not constraints and _PRESENT_TENSE.search(text) is not None,
    )


def one_line(question: str) -> str:
    """What of a question is read: on one line, up to the length that a question may have."""
    return " ".join(question.split())[:_LONGEST]


def knows_order(words: str) -> bool:
    """Whether words have one that can name an order, so that the rules decide what it means."""
    return any(_ORDINAL.search(part) for part in (words, *words.split()))


def without_time(core: str, words: str) -> str:
    """A topic without words of time that stand in it, and the preposition before them."""
    position = core.casefold().find(words.casefold())
    if position < 0:
        return core
    preposition = _PREPOSITION.search(core[:position])
    start = preposition.start() if preposition else position
    return _without(core, [(start, position + len(words))]) or core


def resolved(parsed: ParsedQuestion, time: ImplicitTime, event: Interval) -> ParsedQuestion | None:
    """The question with the days of an event in the place of its name; ``None`` if it then admits no day.

    What comes after an event, where one thing is asked for, is the first that does; before it, the last.
    """
    moment = time.moment(event)
    if (time.relation is Relation.AFTER and moment.end is None) or (
        time.relation is Relation.BEFORE and moment.start is None
    ):
        return None
    ordinal: Ordinal | None = None
    if parsed.is_point and parsed.ordinal is None:
        ordinal = {Relation.AFTER: "first", Relation.BEFORE: "last"}.get(time.relation)
    constraint = Constraint(
        time.relation,
        ordinal,
        role_of(parsed.core.replace(time.phrase, "")),
        admitted(time.relation, moment),
        time.phrase,
    )
    position = parsed.core.find(time.phrase)
    spans = [(position, position + len(time.phrase))] if position >= 0 else []
    return replace(
        parsed,
        core=_without(parsed.core, spans) or parsed.core,
        constraints=(*parsed.constraints, constraint),
        implicit=tuple(other for other in parsed.implicit if other != time),
        present=False,
    )


def _time_to_cut(dated: Sequence[_Dated], orders: Sequence[Span]) -> list[Span]:
    """What of a question is time and no topic.

    "As of" moves the day of knowledge; the order and the other dates of such a question then belong to the
    thing itself ("who won the cup in 2016 as of 2020", "the latest rules as of May 2021").
    """
    as_of = [item.span for item in dated if item.relation is Relation.AS_OF]
    return as_of or [*(item.span for item in dated if not item.named), *orders]


def _dated(text: str, reference_day: Day, conventions: Conventions) -> Iterator[_Dated]:
    """The dates of a question with the words that belong to them."""
    for item in _with_prepositions(text, reference_day, conventions):
        cue = cue_before(text, item.span)
        if cue is None:
            yield item
        else:
            yield replace(item, span=(cue.start, item.span[1]), allen=cue.relation, named=False)


def _with_prepositions(text: str, reference_day: Day, conventions: Conventions) -> Iterator[_Dated]:
    for expression in find_expressions(text, reference_day, conventions=conventions):
        if expression.interval is None or _CURRENT.fullmatch(expression.text):
            continue
        start, end = expression.char_start, expression.char_end
        if expression.relation is not None:
            yield _Dated(expression, expression.relation, (start, end), named=False)
            continue
        preposition = _PREPOSITION.search(text[:start])
        day = expression.granularity is Granularity.DAY
        relation = Relation.ON if day else Relation.IN
        if preposition:
            relation = Relation.AROUND if preposition["around"] else relation
            yield _Dated(expression, relation, (preposition.start(), end), named=False)
        else:
            written = expression.granularity is Granularity.YEAR and expression.text[:4].isdigit()
            after_a_name = written and _WORD_BEFORE.search(text[:start])
            yield _Dated(expression, relation, (start, end), named=bool(after_a_name))


def _is_in_a_name(item: _Dated, text: str) -> bool:
    """Whether a date is a part of a name: "the Paris 1900 Games", "the 2018 World Cup"."""
    expression = item.expression
    if expression.relation is not None or expression.granularity not in (
        Granularity.YEAR,
        Granularity.SEASON,
    ):
        return False
    return item.named or re.match(r"\s+[A-Z]", text[expression.char_end :]) is not None


def _constraints(text: str, dated: Sequence[_Dated], ordinal: Ordinal | None) -> list[Constraint]:
    made = []
    previous = 0
    for index, item in enumerate(dated):
        relation = item.relation
        if relation is Relation.ON and ordinal == "last":
            relation = Relation.AS_OF  # the latest on a day is the latest known on it
        interval = item.expression.interval
        if item.expression.relation is None and interval is not None:
            interval = admitted(relation, interval)
        role = Role.START if _STARTING.match(text, item.span[0]) else role_of(text[previous : item.span[0]])
        words = text[item.span[0] : item.span[1]]
        asked = ordinal if index == 0 else None
        apart = _set_apart(item, role)
        made += [Constraint(item.allen, asked, of, days, words) for of, days in apart]
        if not apart:
            made.append(Constraint(relation, asked, role, interval, words))
        previous = item.span[1]
    return made


def _set_apart(item: _Dated, role: Role) -> tuple[Apart, ...]:
    """The ends of the fact apart, where a relation names them; a verb for one end says enough itself."""
    if item.allen is None or (role is not Role.HELD and item.allen in (Allen.MEET, Allen.MET_BY)):
        return ()
    return set_apart(item.allen, item.expression.dates)


def _ordinal(match: re.Match[str]) -> Ordinal:
    if match["first"]:
        return "first"
    if match["last"]:
        return "last"
    if match["penultimate"]:
        return -2
    word = (match["from_last"] or match["nth"]).lower()
    number = _NUMBER_WORDS.index(word) + 2 if word in _NUMBER_WORDS else int(word[:-2])
    if match["from_last"]:
        return -number
    return "first" if number == 1 else number


def _comparison(text: str, dated: Sequence[_Dated]) -> tuple[Interval, ...]:
    """Two ends of a range of which a change is asked, or two dates set side by side."""
    if not is_change(text):
        return ()
    for item in dated:
        if item.relation.takes_two_dates and len(item.expression.dates) == 2:
            return item.expression.dates
    if len(dated) >= 2:
        return tuple(item.expression.interval for item in dated[:2] if item.expression.interval is not None)
    return ()


def _signals(text: str, cut: Sequence[Span], dated: Sequence[_Dated]) -> Iterator[str]:
    for start, end in sorted({*cut, *(item.span for item in dated)}):
        yield re.sub(r"^the\s+", "", text[start:end], flags=re.IGNORECASE)


def _search_outside(pattern: re.Pattern[str], text: str, taken: Sequence[Span]) -> re.Match[str] | None:
    """The first match that does not touch a taken span."""
    for match in pattern.finditer(text):
        if is_free(match.span(), taken):
            return match
    return None


def _without(text: str, spans: Sequence[Span]) -> str:
    """The text without the spans, as a tidy sentence."""
    kept = []
    position = 0
    for start, end in sorted(spans):
        kept.append(text[position : max(start, position)])
        # an article that belongs to what is cut is needed by what follows it
        if re.match(r"the\s", text[start:end], re.IGNORECASE) and re.match(r"\s\w", text[end:]):
            kept.append(text[start : start + 3] + " ")
        position = max(end, position)
    kept.append(text[position:])
    core = re.sub(r"\s+", " ", "".join(kept))
    core = re.sub(r"(?:^|\s)['’]s\b", "", core)  # "the 19th century's"
    core = re.sub(r"\s+(?:and|or|to|with|versus|vs\.?)(?=\s*(?:[?.!,;]|$))", "", core, flags=re.IGNORECASE)
    core = re.sub(r"\s+([,?.!;:])", r"\1", core)
    core = re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", core)
    core = re.sub(r"[,;:]\s*(?=[?.!]|$)", "", core)
    core = core.strip(" ,;:")
    return core[:1].upper() + core[1:] if re.search(r"\w", core) else ""
