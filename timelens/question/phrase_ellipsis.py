"""Completes elided parts of dated phrases from their neighbours. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from timelens.question.distances import REACH, distance_before
from timelens.question.implicit_times import EVENT_RELATIONS
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import Day, civil
from timelens.temporal.constraints import Relation
from timelens.temporal.conventions import Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, find_expressions
from timelens.temporal.interval import Granularity, Interval, day_interval, granule
from timelens.temporal.phrasing import phrase, phrase_day
from timelens.temporal.rules.counting import LENGTH

_Find = Callable[[str], list[Expression]]
Span = tuple[int, int]
_JOINT = (
    r"(?:\s*,\s*(?:and\s+|or\s+)?"
    r"|\s+(?:and|or|nor|to|than|versus|vs\.?|against|&|(?:but|and)\s+not|(?:compared?\s+)?with"
    r"|compared?\s+to)\s+)"
)
_TIES = r"(?:(?:in|on|of|for|during|the)\s+)*"
_LEFT = re.compile(rf"(?P<word>[^\s,;:?!]+){_JOINT}{_TIES}$", re.IGNORECASE)
_RIGHT = re.compile(rf"{_JOINT}{_TIES}(?P<word>[^\s,;:?!.]+)", re.IGNORECASE)
_EACH = re.compile(
    r"(?P<within>\b(?:in|for|during|of|on|at)\s+)?\b(?:each|every)\s+(?P<unit>\w+)\s*$", re.IGNORECASE
)
_RATES = frozenset({"day", "week", "month", "quarter"})
"""Units of rates: "paid each month in 1998" asks about one period, 1998."""
_OF_YEAR = re.compile(r"(?P<part>.+?\b(?=(?P<of>(?:of|in)\s+\d{4}$))(?:of|in)\s+)\d{4}", re.IGNORECASE)
_PART = re.compile(r"\w+\s+\w+(?!\s+of\b)", re.IGNORECASE)
"""The last conjunct without its year: "second half" of "the first half of 2019 with the second half"."""
_SET_APART = re.compile(
    r"\b(?:differ(?:s|ed|ing|ences?)?|how different(?:ly)?|compar\w*|contrast\w*|gap)\b[^?.;]*$",
    re.IGNORECASE,
)
_STRETCH_BESIDE = re.compile(
    r"\bthe\s+(?:[\w-]+\s+){1,2}[a-z]+s\s+(?P<side>before|after)(?=\W*$)", re.IGNORECASE
)
_SHORT_YEAR = re.compile(r"['’](?P<figures>\d\d)")
_SIDES = {word: side for word, side in EVENT_RELATIONS.items() if side in (Relation.AFTER, Relation.BEFORE)}
_COUNTED = re.compile(
    rf"(?!within|inside|\S+ the\b|the\b){REACH}{LENGTH}\s+"
    rf"(?:(?P<side>{'|'.join(_SIDES)})\s+(?P<date>\S.*)|(?P<ago>ago))$",
    re.IGNORECASE,
)
"""A time at least, or at most, so far from a date; "within" is read in texts too."""
_COUNTED_FROM_LAST = re.compile(
    r"\b(?:before|after|earlier|later|prior|previous|preceding|following|next|subsequent)\b", re.IGNORECASE
)
"""A word of a time that counts from the time before it: "the year before"."""
_UNITS = {str(unit): unit for unit in Granularity if unit is not Granularity.ERA}
_MOST_UNITS = 24
"""Maximum number of periods for "each year from … to …"; above that, the whole range is one period."""


@dataclass(frozen=True, slots=True)
class DatedPhrase:
    """A time expression in a question, with its relation."""

    expression: Expression
    relation: Relation
    span: Span
    """Its half-open offsets, with the preposition: "in 2015"."""
    named: bool
    """Whether the date is part of a name ("super bowl 2018"): it is a constraint, but stays in the core."""
    allen: Allen | None = None
    """The Allen relation named before the date ("for the whole of 1999")."""
    several: tuple[Interval, ...] = ()
    """The periods that the phrase is split into."""
    left_out: bool = False
    """Whether the question leaves its days out: "except in 2005"."""


class Elided:
    """Completes elided time expressions of a text from their neighbours."""

    def __init__(self, text: str, found: _Find) -> None:
        self._text = text
        self._found = found

    def completed(self, expressions: Sequence[Expression]) -> list[Expression]:
        """The expressions, and elided conjuncts beside them, in order.

        A word beyond a conjunction is an elided conjunct if it replaces a word of the neighbouring expression
        so that the result is a time of the same unit.
        """
        every = list(expressions)
        complete: list[Expression] = []
        if (stretch := self._stretch_beside(every)) is not None:
            every = [one for one in every if one.char_end <= stretch.char_start] + [stretch]
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
        for step in (1, -1):
            for index in range(len(complete) - 1)[::-step]:
                pair = complete[index : index + 2][::step]
                complete[index if step > 0 else index + 1] = self._with_year(*pair)
        return complete

    def _with_year(self, expression: Expression, beside: Expression) -> Expression:
        """A month or day without a year, with the year of the time that it is joined to or compared with."""
        year = re.search(r"\b[12]\d{3}$", beside.text)
        if _COUNTED_FROM_LAST.search(expression.text) is not None:
            return expression  # "the month before" has the year of its month already
        if year is None or expression.kind is not ExpressionKind.ANCHORED or expression.relation is not None:
            return expression
        one, other = sorted((expression, beside), key=lambda each: each.char_start)
        joint = re.fullmatch(f"{_JOINT}{_TIES}", self._text[one.char_end : other.char_start], re.IGNORECASE)
        span = (expression.char_start, expression.char_end)
        return (self._read(beside, f"{expression.text} {year[0]}", span) if joint else None) or expression

    def _stretch_beside(self, expressions: Sequence[Expression]) -> Expression | None:
        """A length at the end that adjoins the time before it: "… compared with the three months before"."""
        match = _STRETCH_BESIDE.search(self._text)
        first = next((one for one in expressions if match and one.char_end <= match.start()), None)
        if match is None or first is None or first.interval is None:
            return None
        start, end = first.interval.start, first.interval.end
        if start is None or end is None:
            return None
        day = phrase_day(start if match["side"].lower() == "before" else end - 1)
        read = self._found(f"{match.group()} {day}")
        if len(read) != 1 or read[0].char_start > 0 or read[0].relation is not None:
            return None
        return replace(read[0], text=match.group(), char_start=match.start(), char_end=match.end())

    def _left_of(self, model: Expression, start: int, taken: Sequence[Expression]) -> Expression | None:
        """The conjunct before ``start`` without the end of an expression: "Q1" before "and Q3 2019"."""
        match = _LEFT.search(self._text[:start])
        if match is None:
            return None
        start, end = match.span("word")
        for one in taken:
            is_part = one.kind is ExpressionKind.ANCHORED and (one.char_start, one.char_end) == (start, end)
            if one.char_start < end and start < one.char_end and not is_part:
                return None  # it is part of a complete time
        words = model.text.split()
        lead = 1 if words[0].lower() == "the" and len(words) > 1 else 0
        if len(words) <= lead + 1:
            return None
        candidate = " ".join([*words[:lead], match["word"], *words[lead + 1 :]])
        return self._read(model, candidate, match.span("word"))

    def _right_of(self, model: Expression, end: int, limit: int) -> Expression | None:
        """The conjunct after ``end`` without the start of an expression: "60s" after "the 50s and"."""
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
        for said in (word, f"{word}s") if len(words) > 1 else ():  # the 90's and 00's
            if (read := self._read(model, " ".join([*words[:-1], said]), span)) is not None:
                return read
        part, of_year = _PART.match(self._text[:limit], span[0]), _OF_YEAR.fullmatch(model.text)
        if part is None or of_year is None:
            return None
        return self._read(model, f"{part[0]} {of_year['of']}", part.span())

    def _with_part(self, expression: Expression, before: Sequence[Expression]) -> Expression:
        """A year with the month or other part before the preceding year: "March of 2001 and 2002"."""
        match = _OF_YEAR.fullmatch(before[-1].text) if before else None
        if match is None or not re.fullmatch(r"\d{4}", expression.text) or before[-1].relation is not None:
            return expression
        joint = re.fullmatch(_JOINT, self._text[before[-1].char_end : expression.char_start], re.IGNORECASE)
        span = (expression.char_start, expression.char_end)
        read = self._read(before[-1], f"{match['part']}{expression.text}", span) if joint else None
        return read or expression

    def _read(self, model: Expression, candidate: str, span: Span) -> Expression | None:
        """The time of a completed phrase at ``span``, if it has the unit of ``model`` and other days."""
        read = self._found(candidate)
        if model.relation or len(read) != 1 or read[0].text != candidate or read[0].relation:
            return None
        other, interval = read[0].interval, model.interval
        if other is None or interval is None or other.same_days(interval):
            return None
        if other.granularity is not interval.granularity:
            return None
        return replace(read[0], text=self._text[slice(*span)], char_start=span[0], char_end=span[1])

    def set_apart(self, item: DatedPhrase) -> DatedPhrase:
        """Split "between A and B" into two periods if the question asks for their difference."""
        expression = item.expression
        if (
            expression.relation is Relation.BETWEEN
            and len(expression.dates) == 2
            and _SET_APART.search(self._text[: item.span[0]])
        ):
            return replace(item, several=expression.dates)
        return item

    def offset(self, item: DatedPhrase, reference_day: Day) -> DatedPhrase:
        """Apply a length beside a date: "six years after the count of 2009", "over ten years ago"."""
        expression = item.expression
        if item.relation in (Relation.AFTER, Relation.BEFORE):
            return self._at_distance(item, item.relation, expression.dates[0], item.span[0])
        for match in _COUNTED.finditer(self._text[: expression.char_end]):
            if not match.start() <= expression.char_start < match.end():
                continue
            if match["ago"]:
                today = day_interval(reference_day)
                return self._at_distance(item, Relation.BEFORE, today, match.start("ago"))
            dates = self._found(match["date"])
            if len(dates) == 1 and dates[0].relation is None:
                side = _SIDES[match["side"].lower()]
                return self._at_distance(item, side, dates[0].dates[0], match.start("side"))
        return item

    def _at_distance(self, item: DatedPhrase, side: Relation, date: Interval, end: int) -> DatedPhrase:
        """The phrase as a time at the distance from a date that is told right before ``end``, if one is."""
        counted = distance_before(self._text, end)
        window = None if counted is None else counted[0].window(side, date)
        if counted is None or window is None:
            return item
        bound = side if window.start is None or window.end is None else None
        expression = replace(item.expression, interval=window, relation=bound, dates=(window,))
        return DatedPhrase(expression, bound or Relation.IN, (counted[1], item.span[1]), named=False)

    def each(self, item: DatedPhrase, reference_day: Day) -> DatedPhrase:
        """Split a phrase into the units named by "each" or "every" before it."""
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
        """Units that overlap the half-open range; named units ("December") must start inside it."""
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


def counted_from(
    expression: Expression, last: Expression | None, reference_day: Day, conventions: Conventions
) -> Expression:
    """A time like "the year before", counted from the time before it where that is "last year" or the like.

    In a text such a time would not move the others, which go on from the last date.
    """
    if last is None or last.interval is None or last.kind is not ExpressionKind.RELATIVE:
        return expression
    if expression.kind is not ExpressionKind.ANCHORED or not _COUNTED_FROM_LAST.search(expression.text):
        return expression
    told = f"{phrase(last.interval)}, {expression.text}"
    read = find_expressions(told, reference_day, conventions=conventions)
    if len(read) != 2 or read[1].interval is None:
        return expression
    return replace(expression, interval=read[1].interval, dates=read[1].dates)


def _number_of(year: Interval) -> int:
    return civil(year.start or 0)[0]
