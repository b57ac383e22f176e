"""Finds temporal expressions in text and normalises them to intervals, with ranges and open ends.

There are four steps, each in its own module: ``tokens`` finds atoms by the rules in ``rules``,
``range_ellipsis`` completes elided ends of ranges, ``grammar`` joins atoms into phrases, and ``phrase_dates``
resolves the phrases in narrative order with the anchors of ``anchoring``.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from timelens.temporal import ahead_model
from timelens.temporal.anchoring import Anchors, advanced
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.conventions import USUAL, Conventions, in_order
from timelens.temporal.glossing import Gloss, gloss
from timelens.temporal.grammar import Phrase, phrases
from timelens.temporal.interval import Granularity, Interval
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.phrase_dates import dates_of, interval_of, kind_of
from timelens.temporal.range_ellipsis import with_elided
from timelens.temporal.rules.bounds import RANGE_GAP, may_close
from timelens.temporal.rules.days import IN_FIGURES
from timelens.temporal.rules.rule import Dates, ExpressionKind
from timelens.temporal.tokens import Atom, atoms, read_first
from timelens.temporal.vocabulary import SPACE

__all__ = [
    "Expression",
    "ExpressionKind",
    "ScannedText",
    "find_expressions",
    "leading_time",
    "read_expressions",
    "times_in_english",
]


_KINDS_AHEAD = {
    "weekday": ahead_model.WEEKDAY,
    "weekend": ahead_model.WEEKEND,
    "in-units": ahead_model.LENGTH,
}
"""The kinds of times of :mod:`~timelens.temporal.ahead_model` by the names of rules."""


@dataclass(frozen=True, slots=True)
class Expression:
    """One temporal expression of a text.

    ``text == source[char_start:char_end]``; offsets count Unicode characters, the end is exclusive.
    """

    text: str
    char_start: int
    char_end: int
    interval: Interval | None
    """The days it denotes, with its granularity; ``None`` if it cannot be resolved to an interval."""
    kind: ExpressionKind
    confidence: float
    relation: Relation | None = None
    """The relation word that belongs to the span ("since 2017", "from May to June 2015"), if any."""
    dates: tuple[Interval, ...] = ()
    """The one or two dates named, before the relation is applied; ``(interval,)`` for a plain date."""

    @property
    def open(self) -> str | None:
        """The side on which the interval is unbounded, ``"start"`` or ``"end"``; else ``None``."""
        if self.interval is None or (self.interval.start is not None and self.interval.end is not None):
            return None
        return "start" if self.interval.start is None else "end"

    @property
    def granularity(self) -> Granularity | None:
        """The unit in which it is stated."""
        return None if self.interval is None else self.interval.granularity


def find_expressions(
    text: str,
    anchor: Day | None = None,
    narrative: Interval | None = None,
    conventions: Conventions = USUAL,
) -> list[Expression]:
    """Every temporal expression of a text, in order, without overlaps.

    Args:
        text: any string; time is linear in its length.
        anchor: the day the text was written, from which "yesterday" counts.
        narrative: the last dated interval before the text, if it continues another text.
        conventions: how seasons, fiscal years and dates in figures are read.
    """
    return ScannedText(text, conventions).expressions(anchor, narrative)


def leading_time(text: str, conventions: Conventions = USUAL) -> Expression | None:
    """The first of :func:`find_expressions`, where it can be told without the rest of the text.

    That is a date in full at the very beginning which nothing behind it joins or bounds. ``None`` says
    nothing: such a text has to be read.
    """
    atom = read_first(text)
    if atom is None or not atom.rule.stands_alone or atom.rule.lies_in is not None:
        return None
    if may_close(text, atom.end) or RANGE_GAP.match(text, atom.end) is not None:
        return None
    if not conventions.english and gloss(text) is not None:
        return None
    phrase = Phrase(atom.start, atom.end, atom)
    return _expression(text, phrase, atom.dates(_unanchored(conventions)))


@lru_cache(maxsize=64)
def _unanchored(conventions: Conventions) -> Anchors:
    return Anchors(conventions=conventions)


class ScannedText:
    """A scanned text, whose expressions can be resolved with different anchors.

    Scanning takes most of the time, so it is done once.
    """

    def __init__(self, text: str, conventions: Conventions = USUAL) -> None:
        self.text = text
        self._conventions = conventions
        self._glossed = None if conventions.english else gloss(text)
        self._phrases = _Phrases(text if self._glossed is None else self._glossed.text)

    def expressions(
        self,
        anchor: Day | None = None,
        narrative: Interval | None = None,
        conventions: Conventions | None = None,
        *,
        of_its_day: bool = False,
    ) -> list[Expression]:
        """Every temporal expression; the other arguments are those of :func:`find_expressions`.

        ``conventions.english`` has no effect here: it was applied when the text was scanned. ``of_its_day``:
        the text is a document of the day ``anchor``, in which a date without a year mostly counts from that
        day, not from a date that another sentence states in passing.
        """
        conventions = _as_in(self._glossed, conventions or self._conventions)
        found = self._phrases.unanchored(conventions)
        if found is None:
            anchors = Anchors(anchor, conventions=conventions)
            if narrative is not None:
                anchors = advanced(anchors, narrative, looks_back=False)
            found, _ = self._phrases.read(anchors, of_its_day=of_its_day)
        if self._glossed is None:
            return list(found)
        return [_told_in(self._glossed, expression) for expression in found]

    def of_document(
        self, published: Interval | None, conventions: Conventions | None = None
    ) -> list[Expression]:
        """Every temporal expression of a document, or of an entry in one, of the time ``published``.

        Dates without a year mostly count from a day of writing; in what was written in a year or longer, they
        lie in it.
        """
        written = None if published is None else published.start
        if published is not None and _is_long(published):
            return self.expressions(written, published, conventions)
        return self.expressions(written, conventions=conventions, of_its_day=True)


def _is_long(time: Interval) -> bool:
    """Whether a time is a year or longer."""
    return time.granularity.days >= Granularity.YEAR.days


def times_in_english(
    text: str, anchor: Day | None = None, conventions: Conventions = USUAL
) -> list[tuple[int, int, str]]:
    """The times of a text in another language, in order: start, end and English words of each span.

    A span includes the prepositions before it; a conjunction with the time before it is a span of its own. A
    year without a preposition gets "in". The list is empty for English.
    """
    glossed = gloss(text)
    if glossed is None:
        return []
    glossed = glossed.with_led_years()
    found, _ = read_expressions(glossed.text, Anchors(anchor, conventions=_as_in(glossed, conventions)))
    times = [glossed.origin(expression.char_start, expression.char_end) for expression in found]
    spans = [span for time in times for span in glossed.led_in(*time)]
    return [(start, end, glossed.between(start, end).strip()) for start, end in spans]


def _as_in(glossed: Gloss | None, conventions: Conventions) -> Conventions:
    """The conventions for the language of a text: only English has the month before the day."""
    if glossed is None or glossed.language is None:
        return conventions
    return in_order(conventions, day_first=True)


def _told_in(glossed: Gloss, expression: Expression) -> Expression:
    """An expression of a gloss with its text and offsets in the source."""
    start, end = glossed.origin(expression.char_start, expression.char_end)
    return Expression(
        glossed.source[start:end],
        start,
        end,
        expression.interval,
        expression.kind,
        expression.confidence,
        expression.relation,
        expression.dates,
    )


def read_expressions(text: str, anchors: Anchors) -> tuple[list[Expression], Anchors]:
    """The expressions of an English text, and the anchors for the text that continues it."""
    return _Phrases(text).read(anchors)


_SENTENCE_ENDS = re.compile(
    r"(?:(?<=[a-z0-9)\]\"'\u2019%]{2})\.|[!?])[\"')\]*\u201d\u2019]*\s+(?=[^a-z\s])|\n"
)
"""The end of a sentence or line; a stop behind a short name such as "Mr" ends none."""
_OTHERS_WITHOUT_YEAR = frozenset({"holiday", "season", "fall", "quarter", "spelt-quarter"})
"""Rules of times without a year, beside those of days and months."""
_LONGEST_SENTENCE = 1000
"""Characters between two dates that are certainly in different sentences."""
_LONG_AGO = 731
"""Days before the day of writing, from which on a time is history."""
_FEWEST_OF_HISTORY, _SHARE_OF_HISTORY = 5, 0.8
"""Fewest times, and their share from long ago, that make a text a history, whose dates follow each other."""


def _lacks_year(phrase: Phrase) -> bool:
    """Whether a phrase names a day, month, season or feast, and nothing in it tells the year."""
    rule = phrase.first.rule
    is_such = rule.lacks_year or rule.name in _OTHERS_WITHOUT_YEAR
    return is_such and rule.kind is ExpressionKind.ANCHORED


_STEPS_FROM_WRITING = frozenset({"next", "coming"})
"""Steps to a time that count from the day of writing if the sentence speaks of the future.

"The next week" counts from the last date.
"""
_THE_BEFORE = re.compile(r"\bthe\s+\Z", re.IGNORECASE)
_THE_AND_SPACE = 8


def _may_be_of_its_day(text: str, phrase: Phrase) -> bool:
    """Whether a time may count from the day of its document: a date without a year, or "next Monday".

    Of "Friday of next week" the week decides.
    """
    first = phrase.within or phrase.first
    if first.rule.name != "following-name":
        return _lacks_year(phrase)
    start = first.match.start()
    if first.match["step"].lower() not in _STEPS_FROM_WRITING:
        return False
    is_led = _THE_BEFORE.search(text, max(0, start - _THE_AND_SPACE), start) is not None
    return not is_led and ahead_model.log_odds(text, first.start, phrase.end) > 0


class _Phrases:
    """The atoms and phrases of an English text, which do not depend on anchors.

    Most phrases resolve to the same dates with any anchors. Their expressions are kept, so reading the text
    again is faster.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        found = with_elided(text, atoms(text))
        self._day_first = _day_first(found) if found else None
        self._phrases = tuple(phrases(text, found)) if found else ()
        self._conventions: Conventions | None = None
        self._known: list[tuple[Phrase, Expression | None]] = []
        self._all: list[Expression] | None = None

    def unanchored(self, conventions: Conventions) -> list[Expression] | None:
        """The expressions, if no anchor changes any of them."""
        self._learn(self._ordered(conventions))
        return self._all

    def read(self, anchors: Anchors, *, of_its_day: bool = False) -> tuple[list[Expression], Anchors]:
        """See :func:`read_expressions`, and for ``of_its_day`` :meth:`ScannedText.expressions`."""
        text = self._text
        found: list[Expression] = []
        conventions = self._ordered(anchors.conventions)
        if conventions is not anchors.conventions:
            anchors = replace(anchors, conventions=conventions)
        self._learn(conventions)
        told = 0
        of_its_day = of_its_day and anchors.creation is not None and not self._is_history(anchors.creation)
        for phrase, known in self._known:
            expression = known
            if expression is None:
                here = anchors
                is_led = of_its_day and anchors.narrative is not None and _may_be_of_its_day(text, phrase)
                if is_led and self._is_in_new_sentence(told, phrase.start):
                    here = replace(anchors, narrative=None, day=None, period=None)
                expression = _expression(text, phrase, dates_of(phrase, _looking_ahead(text, phrase, here)))
            if expression is None or not _add(text, found, expression):
                continue
            kind = expression.kind
            if expression.dates and kind is not ExpressionKind.RELATIVE:
                looks_back = (
                    phrase.aside or kind is ExpressionKind.ANCHORED or phrase.relation is Relation.SINCE
                )
                last = anchors.narrative
                anchors = advanced(anchors, expression.dates[-1], looks_back=looks_back)
                told = told if anchors.narrative is last else phrase.end
        return found, anchors

    def _is_in_new_sentence(self, told: int, start: int) -> bool:
        """Whether a date that begins at ``start`` is in another sentence than the last, up to ``told``."""
        is_far = start - told > _LONGEST_SENTENCE
        return is_far or _SENTENCE_ENDS.search(self._text, told, start + 1) is not None

    def _is_history(self, creation: Day) -> bool:
        """Whether most of the times that the text states in full are long before the day of writing."""
        stated = [known.dates[-1] for _, known in self._known if known is not None and known.dates]
        old = sum(time.bounds[1] < creation - _LONG_AGO for time in stated)
        return len(stated) >= _FEWEST_OF_HISTORY and old >= _SHARE_OF_HISTORY * len(stated)

    def _ordered(self, conventions: Conventions) -> Conventions:
        """The conventions with the order of day and month that an unambiguous date of the text shows."""
        if self._day_first is None or self._day_first is conventions.day_first:
            return conventions
        return in_order(conventions, day_first=self._day_first)

    def _learn(self, conventions: Conventions) -> None:
        """Resolves each phrase that does not depend on anchors, once per conventions."""
        if conventions is self._conventions or conventions == self._conventions:
            return
        self._conventions, self._known = conventions, []
        anchors = _unanchored(conventions)
        for phrase in self._phrases:
            if not _stands_alone(phrase):
                self._known.append((phrase, None))
            elif (known := _expression(self._text, phrase, dates_of(phrase, anchors))) is not None:
                self._known.append((phrase, known))
        known_ones = [known for _, known in self._known if known is not None]
        self._all = _joined(self._text, known_ones) if len(known_ones) == len(self._known) else None


def _looking_ahead(text: str, phrase: Phrase, anchors: Anchors) -> Anchors:
    """The anchors with what the sentence of a phrase tells of its side of the day of writing, if it matters.

    It does for weekdays and the like, and for dates without a year that count from the day of writing.
    """
    rule = phrase.first.rule
    from_writing = rule.kind is ExpressionKind.RELATIVE or (
        rule.kind is ExpressionKind.ANCHORED and anchors.narrative is None
    )
    if anchors.creation is None or not from_writing:
        return anchors
    ahead = ahead_model.log_odds(text, phrase.first.start, phrase.end, _KINDS_AHEAD.get(rule.name, ""))
    return replace(anchors, ahead=ahead)


def _stands_alone(phrase: Phrase) -> bool:
    return (
        phrase.first.rule.stands_alone
        and (phrase.last is None or phrase.last.rule.stands_alone)
        and phrase.within is None
    )


def _day_first(found: Sequence[Atom]) -> bool | None:
    """Whether the dates in figures have the day first, if one of them shows it (19/4/88); else ``None``."""
    shown = {
        first > 12
        for atom in found
        if atom.rule.name in IN_FIGURES
        and max(first := int(atom.match["first"]), int(atom.match["second"])) > 12
    }
    return shown.pop() if len(shown) == 1 else None


_BUT = Pattern(rf",?{SPACE}(?:but|and|yet|nor)(?:{SPACE}(?:certainly|probably|well|definitely))?{SPACE}")


def _joined(text: str, expressions: Iterable[Expression]) -> list[Expression]:
    """The expressions of a text; two bounds that restrict each other are one expression."""
    found: list[Expression] = []
    for expression in expressions:
        _add(text, found, expression)
    return found


def _add(text: str, found: list[Expression], expression: Expression) -> bool:
    """Adds an expression; ``False`` if it was merged into the last one, which it restricts."""
    both = _restricted(text, found[-1], expression) if found and expression.relation is not None else None
    if both is None:
        found.append(expression)
        return True
    found[-1] = both
    return False


def _restricted(text: str, one: Expression, other: Expression) -> Expression | None:
    """A lower and an upper bound as one expression: "after 1840 but before 1845"."""
    if one.relation is None or other.relation is None:
        return None
    if one.interval is None or other.interval is None or {one.open, other.open} != {"start", "end"}:
        return None
    if _BUT.fullmatch(text, one.char_end, other.char_start) is None:
        return None
    common = one.interval.intersection(other.interval)
    if common is None:
        return None
    return replace(
        one,
        text=text[one.char_start : other.char_end],
        char_end=other.char_end,
        interval=common,
        relation=Relation.BETWEEN,
        dates=(*one.dates, *other.dates),
    )


def _expression(text: str, phrase: Phrase, dates: Dates | None) -> Expression | None:
    if dates is None:
        return None
    relation, start, end = phrase.relation, phrase.start, phrase.end
    if len(dates) == 2 and relation is None:
        relation = Relation.FROM_TO
    confidence = phrase.first.rule.confidence
    if phrase.last is not None:
        confidence = min(confidence, phrase.last.rule.confidence)
    interval = interval_of(relation, phrase.first, dates)
    return Expression(text[start:end], start, end, interval, kind_of(phrase), confidence, relation, dates)
