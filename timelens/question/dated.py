"""The dated phrases of a question, each with the relation that its words name. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.question.implicit import EVENT_RELATIONS
from timelens.question.intent import is_change
from timelens.question.model import Constraint, Ordinal
from timelens.question.periods import Stated, is_beside
from timelens.question.relations import Apart, cue_before, set_apart
from timelens.question.roles import Role, role_of
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import Day, civil
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, Kind, find_expressions
from timelens.temporal.interval import Granularity, Interval, day_interval, granule
from timelens.words import STOP_WORDS

Span = tuple[int, int]
_Find = Callable[[str], list[Expression]]

CURRENT = re.compile(
    r"\b(?:current(?:ly)?|(?:right )?now|nowadays"
    r"|(?:at|during) (?:present|this (?:moment|time)|the (?:present|current) (?:moment|time))"
    r"|at the moment(?!\s+(?:of|when|that)\b)|presently|today|these days"
    r"|(?<=\bthe )(?:present|ongoing|reigning|incumbent)(?! day)(?=\s+\w))\b",
    re.IGNORECASE,
)
PREPOSITION = re.compile(
    r"\b(?:(?P<in>in|during|within|throughout|over|for|of|from)|(?P<on>on|at)|(?P<around>around|about|circa|near))"
    r"(?:\s+the)?\s*$",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"(?P<word>\w+)\s$")
_NO_NAME = STOP_WORDS.union(
    "each every any all no some which what whose my our your his her its their list show name find give "
    "neither nor either both than with against versus vs only unlike again compare comparing contrast".split()
)
"""Words that a year may follow without being a part of a name."""
_NAME_OF = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w-]+ of (?:the )?$")
_EVENT_OF = re.compile(
    rf"\b(?P<relation>{'|'.join(map(re.escape, EVENT_RELATIONS))})\s+(?:the|an?|its|their)\s+"
    r"(?:(?!\b(?:and|or|but|which|that|who)\b)[\w'’-]+\s+){1,6}?of\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""An event that is named with its date, which says when it was: "after the referendum of 23 June 2016"."""
_STARTING = re.compile(r"(?:starting|beginning|commencing)\b(?!\s+(?:from|with)\b)", re.IGNORECASE)
_LED_IN = re.compile(r"(?:\w+\s+)?(?:from|between)\b", re.IGNORECASE)
"""A range that has a preposition of its own."""
_JOINT = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|nor|to|than|versus|vs\.?|against|&)\s+)"
_TIES = r"(?:(?:in|on|of|for|during|the)\s+)*"
_LEFT = re.compile(rf"(?P<word>[^\s,;:?!]+){_JOINT}{_TIES}$", re.IGNORECASE)
_RIGHT = re.compile(rf"{_JOINT}{_TIES}(?P<word>[^\s,;:?!.]+)", re.IGNORECASE)
_AND = re.compile(r"\s(?:and|&)\s", re.IGNORECASE)
_FROM_SOMETHING = re.compile(r"\bfrom\s[^,;:?]+\s(?P<to>to\s+(?:the\s+)?)$", re.IGNORECASE)
"""A range that begins with no date: "from the founding of the club to"."""
_WHOLE = re.compile(r"\b(?:throughout|across|spanning|over)\s+(?:the\s+)?$", re.IGNORECASE)
_EACH = re.compile(
    r"(?P<within>\b(?:in|for|during|of|on|at)\s+)?\b(?:each|every)\s+(?P<unit>\w+)\s*$", re.IGNORECASE
)
_RATES = frozenset({"day", "week", "month", "quarter"})
"""Units by which things are paid or counted: "paid each month in 1998" asks of one period, 1998."""
_OF_YEAR = re.compile(r"(?P<part>.+?\b(?:of|in)\s+)\d{4}", re.IGNORECASE)
_SET_APART = re.compile(
    r"\b(?:differ(?:s|ed|ing|ences?)?|how different(?:ly)?|compar\w*|contrast\w*|gap)\b[^?.;]*$",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"['’](?P<figures>\d\d)")
_LENGTH_BEFORE = re.compile(
    r"(?P<length>(?:[\w-]+ ){1,3}(?:days?|weeks?|months?|years?|decades?)) $", re.IGNORECASE
)
_UNITS = {str(unit): unit for unit in Granularity if unit is not Granularity.ERA}
_MOST_UNITS = 24
"""Periods that "each year from … to …" may stand for; of more the whole stretch is asked about."""


@dataclass(frozen=True, slots=True)
class Dated:
    """An expression in a question, with the relation word that stands before it."""

    expression: Expression
    relation: Relation
    span: Span
    """With the words that tie it in: "in 2015"."""
    named: bool
    """The date belongs to a name ("super bowl 2018"): it constrains, and stays in the core."""
    allen: Allen | None = None
    """The relation that words before the date name ("for the whole of 1999")."""
    several: tuple[Interval, ...] = ()
    """The periods that "each" sets apart."""


def dated_phrases(text: str, reference_day: Day, conventions: Conventions = USUAL) -> list[Dated]:
    """The dated phrases of a question in order, with the words that belong to them.

    A part that one conjunct leaves out is taken from its neighbour ("Q1 and Q3 2019", "the 50s and 60s",
    "March of 2001 and 2002"); "each year from … to …" is set apart into its years, and "the difference
    between 2016 and 2020" into both.
    """

    def found(words: str) -> list[Expression]:
        every = find_expressions(words, reference_day, conventions=conventions)
        return [one for one in every if one.interval is not None and not CURRENT.fullmatch(one.text)]

    reader = _Reader(text, found)
    items: list[Dated] = []
    course = is_change(text)
    for expression in reader.completed([one for one in found(text) if not _begins_name(one, text)]):
        item = _with_preposition(text, expression if course else _started(expression))
        cue = cue_before(text, item.span)
        if cue is not None:
            item = replace(item, span=(cue.start, item.span[1]), allen=cue.relation, named=False)
        items.append(_with_conjuncts(reader.each(reader.offset(item), reference_day), text))
    items = _without_mentions(items, text)
    return [reader.set_apart(item) for item in items] if len(items) == 1 else items


def _with_conjuncts(item: Dated, text: str) -> Dated:
    """Two months, quarters or seasons that "and" joins are periods of their own: "in April and May 2016"."""
    expression = item.expression
    joined = (
        expression.relation is Relation.FROM_TO
        and _AND.search(expression.text)
        and len(expression.dates) == 2
    )
    if not joined or _LED_IN.match(expression.text) or _WHOLE.search(text[: expression.char_start]):
        return item
    if not Granularity.DAY.days < expression.dates[0].granularity.days < Granularity.YEAR.days:
        return item
    return replace(item, several=expression.dates)


def _without_mentions(items: Sequence[Dated], text: str) -> list[Dated]:
    """Without what has no year of its own and is named rather than asked about, where others have a year.

    Such a month or feast is a part of the topic: "who sang the Christmas oratorio in 2011". One that a
    preposition leads in, that has a relation of its own or that a joint ties to another time is asked about.
    """
    whole = [item.expression.kind is not Kind.ANCHORED for item in items]
    if not any(whole):
        return list(items)
    kept = [own or _leads_in(item, text) for own, item in zip(whole, items, strict=True)]
    for step in (1, -1):  # what is tied to a time that is kept is kept, from either side
        for index in range(len(items))[::step]:
            near = index - step
            if 0 <= near < len(items) and kept[near] and _are_tied(items[index], items[near], text):
                kept[index] = True
    return [item for item, keep in zip(items, kept, strict=True) if keep]


def _leads_in(item: Dated, text: str) -> bool:
    """Whether words before a date tie it to the question, and it belongs to no noun behind it."""
    expression = item.expression
    if expression.relation is not None:
        return True
    behind = re.match(r"\s+(?P<word>[\w'’-]+)", text[expression.char_end :])
    is_led = item.span[0] < expression.char_start
    return is_led and (behind is None or behind["word"].casefold() in _NO_NAME)


def _are_tied(one: Dated, other: Dated, text: str) -> bool:
    between = text[min(one.span[1], other.span[1]) : max(one.span[0], other.span[0])]
    return is_beside(text, one.span, other.span) or between.strip() == ","


def current_phrase(match: re.Match[str], reference_day: Day) -> Dated:
    """The reference day, where "now" stands beside other times."""
    day = day_interval(reference_day)
    expression = Expression(match.group(), *match.span(), day, Kind.RELATIVE, 1.0, None, (day,))
    return Dated(expression, Relation.ON, match.span(), named=False)


def is_in_a_name(item: Dated, text: str) -> bool:
    """Whether a date is a part of a name: "the Paris 1900 Games", "the 2018 World Cup"."""
    expression = item.expression
    if expression.relation is not None or expression.granularity not in (
        Granularity.YEAR,
        Granularity.SEASON,
    ):
        return False
    return item.named or re.match(r"\s+[A-Z]", text[expression.char_end :]) is not None


def constraints_of(
    text: str, items: Sequence[Dated], ordinal: Ordinal | None, *, begins: bool = False
) -> list[Stated]:
    """What each dated phrase demands; one with "each" stands for several.

    ``begins``: of what the question names no part of, its beginning is meant.
    """
    made = []
    previous = 0
    for item in items:
        relation = item.relation
        if relation is Relation.ON and ordinal == "last":
            relation = Relation.AS_OF  # the latest on a day is the latest known on it
        interval = item.expression.interval
        if item.expression.relation is None and interval is not None:
            interval = admitted(relation, interval)
        role = Role.START if _STARTING.match(text, item.span[0]) else role_of(text[previous : item.span[0]])
        if begins and role is Role.HELD:
            role = Role.START
        words = text[item.span[0] : item.span[1]]
        if item.several:
            each = (Constraint(Relation.IN, None, role, one, words) for one in item.several)
            made += [Stated(item.span, (one,)) for one in each]
        else:
            apart = [Constraint(item.allen, None, of, days, words) for of, days in _set_apart(item, role)]
            made.append(
                Stated(item.span, tuple(apart) or (Constraint(relation, None, role, interval, words),))
            )
        previous = item.span[1]
    return made


def _begins_name(expression: Expression, text: str) -> bool:
    """Whether a season without a year is the beginning of a name: "the Winter Games"."""
    is_season = expression.granularity is Granularity.SEASON and expression.kind is Kind.ANCHORED
    is_capital = expression.text.split()[-1][:1].isupper()
    return is_season and is_capital and re.match(r"\s+[A-Z]", text[expression.char_end :]) is not None


def _set_apart(item: Dated, role: Role) -> tuple[Apart, ...]:
    """The ends of the fact apart, where a relation names them; a verb for one end says enough itself."""
    if item.allen is None or (role is not Role.HELD and item.allen in (Allen.MEET, Allen.MET_BY)):
        return ()
    return set_apart(item.allen, item.expression.dates)


def _started(expression: Expression) -> Expression:
    """The date alone of "starting in May 1994", which says when a term began rather than bounds it."""
    if expression.relation is not Relation.SINCE or not _STARTING.match(expression.text):
        return expression
    return replace(expression, relation=None, interval=expression.dates[0])


def _with_preposition(text: str, expression: Expression) -> Dated:
    start, end = expression.char_start, expression.char_end
    preposition = PREPOSITION.search(text[:start])
    if expression.relation is not None:
        is_range = expression.relation is Relation.FROM_TO and not _LED_IN.match(expression.text)
        if is_range and preposition is not None:
            start = preposition.start()  # "in 1914-1918"
        return Dated(expression, expression.relation, (start, end), named=False)
    event = _EVENT_OF.search(text[:start])
    if event is not None and not _NAME_OF.search(text[:start]):
        relation = EVENT_RELATIONS[" ".join(event["relation"].lower().split())]
        return Dated(expression, relation, (event.start(), end), named=False)
    upward = _FROM_SOMETHING.search(text[:start])
    if upward is not None:
        return Dated(expression, Relation.UNTIL, (upward.start("to"), end), named=False)
    relation = Relation.ON if expression.granularity is Granularity.DAY else Relation.IN
    if preposition:
        if expression.granularity is Granularity.YEAR and _NAME_OF.search(text[:start]):
            return Dated(expression, relation, (start, end), named=True)  # "the Clean Air Act of 1970"
        relation = Relation.AROUND if preposition["around"] else relation
        return Dated(expression, relation, (preposition.start(), end), named=False)
    written = expression.granularity is Granularity.YEAR and expression.text[:4].isdigit()
    before = _WORD_BEFORE.search(text[:start])
    named = before is not None and before["word"].casefold() not in _NO_NAME
    named = named and written and not text[end:].startswith(("'", "’"))
    return Dated(expression, relation, (start, end), named=named)


class _Reader:
    """Reads what the expressions of a text leave out by their neighbours."""

    def __init__(self, text: str, found: _Find) -> None:
        self._text = text
        self._found = found

    def completed(self, expressions: Sequence[Expression]) -> list[Expression]:
        """With the conjuncts that lack what their neighbour has.

        A word beyond a joint is one if it reads as a time of the same unit in the place of a word of the
        expression beside it.
        """
        every = list(expressions)
        complete: list[Expression] = []
        for index, expression in enumerate(every):
            model = self._with_part(expression, complete)
            earlier: list[Expression] = []
            while (left := self._left_of(model, (earlier or [model])[-1].char_start, complete)) is not None:
                earlier.append(left)
            read = {left.char_start for left in earlier}
            complete = [one for one in complete if one.char_start not in read]
            complete += [*reversed(earlier), model]
            after = every[index + 1].char_start if index + 1 < len(every) else len(self._text)
            while (right := self._right_of(model, complete[-1].char_end, after)) is not None:
                complete.append(right)
        return complete

    def _left_of(self, model: Expression, start: int, taken: Sequence[Expression]) -> Expression | None:
        """The conjunct before ``start`` that lacks the end of an expression: "Q1" before "and Q3 2019"."""
        match = _LEFT.search(self._text[:start])
        if match is None:
            return None
        start, end = match.span("word")
        for one in taken:
            is_part = one.kind is Kind.ANCHORED and (one.char_start, one.char_end) == (start, end)
            if one.char_start < end and start < one.char_end and not is_part:
                return None  # it has its own year, or more words
        words = model.text.split()
        lead = 1 if words[0].lower() == "the" and len(words) > 1 else 0
        if len(words) <= lead + 1:
            return None
        candidate = " ".join([*words[:lead], match["word"], *words[lead + 1 :]])
        return self._read(model, candidate, match.span("word"))

    def _right_of(self, model: Expression, end: int, limit: int) -> Expression | None:
        """The conjunct after ``end`` that lacks an expression's beginning: "60s" behind "the 50s and"."""
        match = _RIGHT.match(self._text[:limit], end)
        if match is None:
            return None
        word = match["word"].removesuffix("'s").removesuffix("’s")
        span = (match.start("word"), match.start("word") + len(word))
        short = _SHORT_YEAR.fullmatch(word)
        first = None if model.interval is None else model.interval.start
        if short and model.granularity is Granularity.YEAR and first is not None:
            return self._read(model, f"{civil(first)[0] // 100}{short['figures']}", span)
        words = model.text.split()
        return self._read(model, " ".join([*words[:-1], word]), span) if len(words) > 1 else None

    def _with_part(self, expression: Expression, before: Sequence[Expression]) -> Expression:
        """A year with the part of a year that the one before it has: "March of 2001 and 2002"."""
        match = _OF_YEAR.fullmatch(before[-1].text) if before else None
        if match is None or not re.fullmatch(r"\d{4}", expression.text) or before[-1].relation is not None:
            return expression
        joint = re.fullmatch(_JOINT, self._text[before[-1].char_end : expression.char_start], re.IGNORECASE)
        span = (expression.char_start, expression.char_end)
        read = self._read(before[-1], f"{match['part']}{expression.text}", span) if joint else None
        return read or expression

    def _read(self, model: Expression, candidate: str, span: Span) -> Expression | None:
        """A time in other words, at its place in the text, if it is one of the same unit on other days."""
        read = self._found(candidate)
        if model.relation or len(read) != 1 or read[0].text != candidate or read[0].relation:
            return None
        other, interval = read[0].interval, model.interval
        if other is None or interval is None or other.same_days(interval):
            return None
        if other.granularity is not interval.granularity:
            return None
        return replace(read[0], text=self._text[slice(*span)], char_start=span[0], char_end=span[1])

    def set_apart(self, item: Dated) -> Dated:
        """Two periods for "between A and B", where the question asks for their difference."""
        expression = item.expression
        if (
            expression.relation is Relation.BETWEEN
            and len(expression.dates) == 2
            and _SET_APART.search(self._text[: item.span[0]])
        ):
            return replace(item, several=expression.dates)
        return item

    def offset(self, item: Dated) -> Dated:
        """The day that a length leads to from an event with its date: "six years after the count of 2009"."""
        if item.relation not in (Relation.AFTER, Relation.BEFORE):
            return item
        lengths = _LENGTH_BEFORE.search(self._text[: item.span[0]])
        if lengths is None:
            return item
        words = lengths["length"].split()
        for first in range(len(words) - 1):
            length = " ".join(words[first:])
            counted = self._found(f"{length} {item.relation} {item.expression.text}")
            if len(counted) == 1 and counted[0].char_start == 0:
                start = lengths.end() - 1 - len(length)
                return Dated(counted[0], Relation.IN, (start, item.span[1]), named=False)
        return item

    def each(self, item: Dated, reference_day: Day) -> Dated:
        """The phrase set apart into the units that "each" or "every" before it names."""
        cue = _EACH.search(self._text[: item.span[0]])
        interval = item.expression.interval
        if cue is None or interval is None or interval.start is None:
            return item
        end = reference_day + 1 if interval.end is None else interval.end
        unit = cue["unit"].lower()
        is_rate = unit in _RATES and cue["within"] is None
        several = [] if is_rate else list(self._units(unit, interval.start, end))
        if not 2 <= len(several) <= _MOST_UNITS:
            return item
        return replace(item, span=(cue.start(), item.span[1]), named=False, several=tuple(several))

    def _units(self, unit: str, start: Day, end: Day) -> Iterator[Interval]:
        """The units of a stretch, whole ones only where a name ("December") tells them."""
        plain = _UNITS.get(unit)
        day = start
        while day < end and plain is not None:
            part = granule(day, plain)
            yield part
            day = part.end or end
        year = granule(start, Granularity.YEAR) if plain is None else None
        while year is not None and year.start is not None and year.end is not None and year.start < end:
            named = self._found(f"{unit} {_number_of(year)}")
            if len(named) == 1 and named[0].interval is not None:
                found = named[0].interval
                if found.start is not None and start <= found.start < end:
                    yield found
            year = granule(year.end, Granularity.YEAR)


def _number_of(year: Interval) -> int:
    return civil(year.start or 0)[0]
