"""The dated phrases of a question, each with its temporal relation. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from timelens.lexicon import ORDINALS, SEASONS, TIMES_OF_DAY, WEEKDAY_FORMS, one_of
from timelens.question.asked_names import without_asked_names
from timelens.question.attachment import is_origin, is_topic
from timelens.question.dated_events import DatedEvent, dated_event
from timelens.question.exclusions import describes_thing, time_left_out
from timelens.question.implicit_times import EVENT_RELATIONS, is_free
from timelens.question.intent import is_change
from timelens.question.parsed_question import Constraint, Ordinal
from timelens.question.periods import StatedTime, is_beside
from timelens.question.phrase_ellipsis import DatedPhrase, Elided, counted_from
from timelens.question.relation_cues import Apart, cue_before, set_apart
from timelens.question.roles import Role, role_of
from timelens.question.tense import has_verb, is_present
from timelens.question.vague_lengths import vague_lengths
from timelens.temporal.allen import Allen
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, find_expressions
from timelens.temporal.interval import Granularity, day_interval
from timelens.temporal.vocabulary import UNITS_BY_FORM
from timelens.words import STOP_WORDS

Span = tuple[int, int]

CURRENT = re.compile(  # "the sleep current of the board" is no time
    r"\b(?:currently|current(?=\s+\w)(?!\s+(?:of|in|at|to|for|from|through|by|and|or|did|does|do|was|were|is|are"
    r"|has|have|had|will|would|can|could)\b)|(?:right )?now|nowadays"
    r"|(?:at|during) (?:present|this (?:moment|time)|the (?:present|current) (?:moment|time))"
    r"|at the moment(?!\s+(?:of|when|that)\b)|presently|today|these days"
    r"|(?<=\bthe )(?:present|ongoing|reigning|incumbent)(?! day)(?=\s+\w))\b",
    re.IGNORECASE,
)
STILL = re.compile(r"(?<!\bthe )(?<!\ba )\bstill\b(?=\s+\w)(?!\s+(?:life|lifes|water)\b)", re.IGNORECASE)
"""The adverb; in a question in the present tense without another time it means now."""
WHOLE_TIME = re.compile(
    r",?\s*\b(?:ever\s+)?(?:from|since)\s+the\s+(?:very\s+)?(?:start|beginning|outset|first)"
    r"(?:\s+on(?:wards?)?)?"
    r"(?:\s+(?:up\s+)?(?:to|till|until)\s+(?:the\s+(?:present|last|latest|end)|now|today|this day))?"
    r"(?=\s*(?:[,;?.!]|$))",
    re.IGNORECASE,
)
"""The end of a clause that asks for all times."""
PREPOSITION = re.compile(
    r"(?:(?:^|(?<=[,;:–—] ))(?:way )?back )?"  # "Back in 2014, …"; after a verb, "back" belongs to it
    r"\b(?:(?P<in>in|during|within|throughout|over|for|of|from)|(?P<on>on|at)|(?P<around>around|about|circa|near))"
    r"(?:\s+the)?\s*$",
    re.IGNORECASE,
)
_LAST = re.compile(r"\s*(?:[?.!,;]|$)|\s+(?:and|or|vs\.?|versus)\s", re.IGNORECASE)
_THE_THING = re.compile(r"\bthe (?:[\w'’-]+ ){1,3}$", re.IGNORECASE)
"""The beginning of a name that ends in a year: "the super bowl 2018"."""
_WORD_BEFORE = re.compile(r"(?P<word>\w+)\s$")
_NOUN_BEHIND = re.compile(r"\s(?P<word>[a-z][\w'’-]*)")
_AS_VALUE = re.compile(
    r"(?:\bever|\balways|\busually|(?<!\bup)(?<!\bprior)(?<!\bclose)(?<!\bnext)\sto(?:\sthe)?"
    rf"|\b(?:{one_of(ORDINALS)}))\s$",
    re.IGNORECASE,
)
"""Text before a weekday on which something is held each week or month, not a day in the past."""
_DETERMINERS = frozenset("the a an my our your his her its their any no".split())
_NO_NAME = STOP_WORDS.union(
    "each every any all no some which what whose my our your his her its their list show name find give "
    "neither nor either both than with against versus vs only unlike again compare comparing contrast".split()
)
"""Words before a year after which it is not part of a name."""
_NAME_OF = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w-]+ of (?:the )?$")
_EVENT_OF = re.compile(
    rf"\b(?P<relation>{'|'.join(map(re.escape, EVENT_RELATIONS))})\s+(?:the|an?|its|their)\s+"
    r"(?:(?!\b(?:and|or|but|which|that|who)\b)[\w'’-]+\s+){1,6}?of\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""An event named with its date: "after the referendum of 23 June 2016"."""
_APART = re.compile(r"(?:apart|aside)\s+", re.IGNORECASE)
_STARTING = re.compile(r"(?:starting|beginning|commencing)\b(?!\s+(?:from|with)\b)", re.IGNORECASE)
_LED_IN = re.compile(r"(?:\w+\s+)?(?:from|between)\b", re.IGNORECASE)
"""A range with its own preposition."""
_COUNTS = re.compile(r"[\w\s]+\s(?:before|after|prior|preceding|following)$", re.IGNORECASE)
"""A time that counts from another: alone, "the year before" is counted from what was said before."""
_DATE_FIRST = re.compile(r"\d|[A-Z]")
"""A time with the words for its relation behind the date; a relation in front has small letters."""
_AND = re.compile(r"\s(?:and|&)\s", re.IGNORECASE)
_OR = re.compile(r"\sor\s", re.IGNORECASE)
_FROM_SOMETHING = re.compile(r"\bfrom\s[^,;:?]+\s(?P<to>to\s+(?:the\s+)?)$", re.IGNORECASE)
"""A range whose start is not a date: "from the founding of the club to"."""
_OTHER_SIDE = re.compile(r"\b(?P<side>before|after)\s+(?:and|or)\s+$", re.IGNORECASE)
"""The first side of "before or after 2001"."""
_ALSO_LEFT_OUT = re.compile(r"\s*(?:,|(?:,\s*)?\b(?:and|or|nor)\b|[&/])\s*", re.IGNORECASE)
"""What joins a further time to one that is left out: "except 2003 and 2005"."""
_SUBJECT = re.compile(
    r"\b(?:who|whom|whose|which|where|when)\b[^,;:?]*\b(?:did|does|do|has|had)\s+$", re.IGNORECASE
)
"""The words before the subject of a question about people."""
_WEEKEND_LONG = re.compile(r"\bfor\s+(?:the\s+)?weekend\b", re.IGNORECASE)
"""A length, in a question about the past: "when we went to Wales for the weekend"."""
_WHOLE = re.compile(r"\b(?:throughout|across|spanning|over)\s+(?:the\s+)?$", re.IGNORECASE)


def dated_phrases(text: str, reference_day: Day, conventions: Conventions = USUAL) -> list[DatedPhrase]:
    """The dated phrases of a question in order, with their prepositions; also those that it leaves out.

    Elided parts are taken from the neighbouring conjunct ("Q1 and Q3 2019", "the 50s and 60s", "March of 2001
    and 2002"). "Each year from … to …" is split into its years, and "the difference between 2016 and 2020"
    into both.
    """

    def found(words: str) -> list[Expression]:
        words = without_asked_names(words)
        every = find_expressions(words, reference_day, conventions=conventions)
        every = [
            counted_from(one, last, reference_day, conventions)
            for last, one in zip([None, *every], every, strict=False)
            if last is not None or one.relation is not None or not _COUNTS.match(one.text)
        ]
        dated = [one for one in every if one.interval is not None and not CURRENT.fullmatch(one.text)]
        taken = [(one.char_start, one.char_end) for one in dated]
        vague = vague_lengths(words, reference_day, conventions)
        dated += [one for one in vague if is_free((one.char_start, one.char_end), taken)]
        dated.sort(key=lambda one: one.char_start)
        lengths = [] if is_present(text) else [match.span() for match in _WEEKEND_LONG.finditer(words)]
        return [one for one in dated if not any(start <= one.char_start < end for start, end in lengths)]

    elided = Elided(text, found)
    items: list[DatedPhrase] = []
    course = is_change(text)
    stated = (one for one in found(text) if not _begins_name(one, text) and not _names_a_thing(one, text))
    for expression in elided.completed(list(stated)):
        begin = _left_out_from(text, expression, items)
        if begin is not None:
            is_weekly = expression.text.casefold() in WEEKDAY_FORMS  # "every day but Sunday"
            if not is_weekly and not describes_thing(text, expression.char_start, expression.char_end):
                items.append(_left_out(text, expression, begin))
            continue
        plain = expression if course else _started(expression)
        if _is_date_of_thing(plain, text, found):
            plain = replace(plain, relation=None, interval=plain.dates[0])
        event = _event_of(text, plain)
        item = _with_preposition(text, plain) if event is None else _since_event(plain, event)
        cue = cue_before(text, item.span) if event is None else None
        if cue is not None:
            item = replace(item, span=(cue.start, item.span[1]), allen=cue.relation, named=False)
        item = _with_conjuncts(elided.each(elided.offset(item, reference_day), reference_day), text)
        sides = _both_sides(item, text)
        items += sides if event is None or len(sides) > 1 else [_with_bound(item, event)]
    items = _without_mentions(items, text)
    return [elided.set_apart(item) for item in items] if len(items) == 1 else items


def _event_of(text: str, expression: Expression) -> DatedEvent | None:
    """The event that a question names with this date; ``None`` if it is no date of an event."""
    is_weekday = expression.kind is ExpressionKind.RELATIVE and expression.granularity is Granularity.DAY
    if expression.relation not in (None, Relation.SINCE) or is_weekday or expression.granularity is None:
        return None
    event = dated_event(text, expression.char_start, expression.char_end, expression.granularity)
    return event if event is not None and expression.relation in (None, event.relation) else None


def _since_event(expression: Expression, event: DatedEvent) -> DatedPhrase:
    """The phrase of a date from the word for the relation of its event on."""
    span = (event.start, expression.char_end)
    return DatedPhrase(expression, expression.relation or event.relation, span, named=False)


def _with_bound(item: DatedPhrase, event: DatedEvent) -> DatedPhrase:
    """The phrase of a date with the bound of its event, unless a distance from the event is told."""
    unit = item.expression.granularity
    if item.relation is not event.relation or item.expression.relation is not None or unit is None:
        return item
    return replace(item, relation=event.bound(unit))


def _left_out_from(text: str, expression: Expression, items: Sequence[DatedPhrase]) -> int | None:
    """Where the words begin by which a question leaves out a time; ``None`` if it asks about it.

    A time that is joined to one before it that is left out is left out too.
    """
    start = expression.char_start
    last = items[-1] if items else None
    if last is not None and last.left_out:
        led = PREPOSITION.search(text[:start])
        begin = start if led is None else led.start()
        if _ALSO_LEFT_OUT.fullmatch(text, last.span[1], begin):
            return begin
    return time_left_out(text, start, expression.char_end)


def _left_out(text: str, expression: Expression, begin: int) -> DatedPhrase:
    """The phrase of a time that is left out, from the words for that on; "apart from 2005" is that year."""
    is_apart = _APART.fullmatch(text, begin, expression.char_start) is not None
    if is_apart and expression.relation is Relation.SINCE and expression.text[-1].isdigit():
        expression = replace(expression, relation=None, interval=expression.dates[0])
    relation = expression.relation or (
        Relation.ON if expression.granularity is Granularity.DAY else Relation.IN
    )
    return DatedPhrase(expression, relation, (begin, expression.char_end), named=False, left_out=True)


def _both_sides(item: DatedPhrase, text: str) -> list[DatedPhrase]:
    """The phrase, or the two phrases of "before and after 1973", with the same words."""
    sides = (Relation.BEFORE, Relation.AFTER)
    other = _OTHER_SIDE.search(text[: item.span[0]])
    if other is None or item.relation not in sides or item.relation == other["side"].lower():
        return [item]
    expression, span = item.expression, (other.start(), item.span[1])
    (date,) = expression.dates[:1]
    return [
        replace(
            item,
            expression=replace(expression, relation=side, interval=admitted(side, date)),
            relation=side,
            span=span,
        )
        for side in sides
    ]


def _with_conjuncts(item: DatedPhrase, text: str) -> DatedPhrase:
    """Split two times into two periods, if "or" joins them, or "and" two months, quarters or seasons."""
    expression = item.expression
    if expression.relation is not Relation.FROM_TO or len(expression.dates) != 2:
        return item
    if _OR.search(expression.text):
        return replace(item, several=expression.dates)
    if (
        not _AND.search(expression.text)
        or _LED_IN.match(expression.text)
        or _WHOLE.search(text[: expression.char_start])
    ):
        return item
    if not Granularity.DAY.days < expression.dates[0].granularity.days < Granularity.YEAR.days:
        return item
    return replace(item, several=expression.dates)


def _without_mentions(items: Sequence[DatedPhrase], text: str) -> list[DatedPhrase]:
    """The items without times that are only mentioned, if any item has its own year.

    A month or feast without a year is then part of the topic ("who sang the Christmas oratorio in 2011"),
    unless it has a preposition or a relation, or is joined to another asked time.
    """
    whole = [item.expression.kind is not ExpressionKind.ANCHORED for item in items]
    if not any(whole):
        return list(items)
    kept = [own or item.left_out or _leads_in(item, text) for own, item in zip(whole, items, strict=True)]
    for step in (1, -1):  # an item joined to a kept one is kept, on either side
        for index in range(len(items))[::step]:
            near = index - step
            if 0 <= near < len(items) and kept[near] and _are_tied(items[index], items[near], text):
                kept[index] = True
    return [item for item, keep in zip(items, kept, strict=True) if keep]


def _leads_in(item: DatedPhrase, text: str) -> bool:
    """Whether a date has a relation, or a preposition and no noun after it that it modifies."""
    expression = item.expression
    if expression.relation is not None:
        return True
    behind = re.match(r"\s+(?P<word>[\w'’-]+)", text[expression.char_end :])
    is_led = item.span[0] < expression.char_start
    return is_led and (behind is None or behind["word"].casefold() in _NO_NAME)


def _are_tied(one: DatedPhrase, other: DatedPhrase, text: str) -> bool:
    between = text[min(one.span[1], other.span[1]) : max(one.span[0], other.span[0])]
    return is_beside(text, one.span, other.span) or between.strip() == ","


def current_phrase(match: re.Match[str], reference_day: Day) -> DatedPhrase:
    """The reference day, for "now" beside other times."""
    day = day_interval(reference_day)
    expression = Expression(match.group(), *match.span(), day, ExpressionKind.RELATIVE, 1.0, None, (day,))
    return DatedPhrase(expression, Relation.ON, match.span(), named=False)


def is_in_a_name(item: DatedPhrase, text: str) -> bool:
    """Whether a date is part of a name: "the Paris 1900 Games", "the 2018 World Cup"."""
    expression = item.expression
    if expression.relation is not None or expression.granularity not in (
        Granularity.YEAR,
        Granularity.SEASON,
    ):
        return False
    return item.named or re.match(r"\s+[A-Z]", text[expression.char_end :]) is not None


def constraints_of(
    text: str, items: Sequence[DatedPhrase], ordinal: Ordinal | None, *, begins: bool = False
) -> list[StatedTime]:
    """The constraints of each dated phrase; a phrase with "each" has several.

    ``begins``: a constraint without a verb for beginning or end is about the beginning.
    """
    made = []
    previous, lead = 0, ""
    for item in items:
        relation = item.relation
        if relation is Relation.ON and ordinal == "last":
            relation = Relation.AS_OF  # "the latest on a day" is the latest as of that day
        interval = item.expression.interval
        if item.expression.relation is None and interval is not None:
            interval = admitted(relation, interval)
        if item.span[0] >= previous:  # else it is the other side of "before or after"
            lead = text[previous : item.span[0]]
        role = Role.START if _STARTING.match(text, item.span[0]) else role_of(lead)
        if begins and role is Role.HELD:
            role = Role.START
        words = text[item.span[0] : item.span[1]]
        if item.several:
            each = (Constraint(Relation.IN, None, role, one, words) for one in item.several)
            made += [StatedTime(item.span, (one,)) for one in each]
        else:
            apart = [Constraint(item.allen, None, of, days, words) for of, days in _set_apart(item, role)]
            made.append(
                StatedTime(item.span, tuple(apart) or (Constraint(relation, None, role, interval, words),))
            )
        previous = item.span[1]
    return made


def _begins_name(expression: Expression, text: str) -> bool:
    """Whether a season or month without a year begins a name, or a month is one: "the Winter Games".

    A month is one with a name after it and no preposition before it ("June Miller"), or as a subject after
    "which" or "where" ("where did April live").
    """
    is_capital = expression.text.split()[-1][:1].isupper()
    if expression.kind is not ExpressionKind.ANCHORED or not is_capital:
        return False
    before, behind = text[: expression.char_start], text[expression.char_end :]
    is_followed = re.match(r"\s+[A-Z]", behind) is not None
    if expression.granularity is Granularity.SEASON:
        return is_followed
    if expression.relation is not None or not expression.text.isalpha():
        return False
    return (is_followed and not PREPOSITION.search(before)) or (
        _SUBJECT.search(before) is not None and re.match(r"\s+[a-z]", behind) is not None
    )


def _names_a_thing(expression: Expression, text: str) -> bool:
    """Whether a weekday or season belongs to a noun or a name, or a weekday is a value and no time.

    "The Sunday roast", "the winter room", "Whit Friday"; "when did it move to Friday?", "is it ever Friday?".
    """
    *article, day = [word for word in expression.text.casefold().split() if word not in TIMES_OF_DAY]
    if article not in ([], ["the"]):
        return False
    if day in SEASONS:
        return expression.kind is ExpressionKind.ANCHORED and article != [] and _noun_behind(expression, text)
    if day not in WEEKDAY_FORMS:
        return False
    head = text[: expression.char_start]
    if _AS_VALUE.search(head) is not None:
        return True
    before = _WORD_BEFORE.search(head)
    word = "" if before is None else before["word"]
    if article or word.casefold() in _DETERMINERS:
        return _noun_behind(expression, text)
    return before is not None and before.start() > 0 and word.istitle() and word.casefold() not in _NO_NAME


def _noun_behind(expression: Expression, text: str) -> bool:
    """Whether a word stands behind that may be a noun, and no unit of time ("the winter months")."""
    noun = _NOUN_BEHIND.match(text, expression.char_end)
    if noun is None or noun["word"] in _NO_NAME or noun["word"] in UNITS_BY_FORM:
        return False
    return PREPOSITION.match(noun["word"]) is None


def _set_apart(item: DatedPhrase, role: Role) -> tuple[Apart, ...]:
    """Separate conditions on the start and end of a fact by its Allen relation.

    There are none without a relation, nor for *meet* and *met by* with a verb for one end.
    """
    if item.allen is None or (role is not Role.HELD and item.allen in (Allen.MEET, Allen.MET_BY)):
        return ()
    return set_apart(item.allen, item.expression.dates)


def _started(expression: Expression) -> Expression:
    """The date alone of "starting in May 1994", which dates the beginning of a term and is not a bound."""
    if expression.relation is not Relation.SINCE or not _STARTING.match(expression.text):
        return expression
    return replace(expression, relation=None, interval=expression.dates[0])


def _is_date_of_thing(expression: Expression, text: str, found: Callable[[str], list[Expression]]) -> bool:
    """Whether "from" or "about" before a single date belongs to a noun or to a verb of telling."""
    word, _, date = expression.text.partition(" ")
    start, end = expression.char_start, expression.char_end
    match expression.relation, word.casefold():
        case Relation.SINCE, "from":
            alone = found(date)  # "from 2015 onwards" has two bounds
            return len(alone) == 1 and alone[0].relation is None and is_origin(text, start, end)
        case Relation.AROUND, "about":
            return is_topic(text, start)
        case _:
            return False


def _with_preposition(text: str, expression: Expression) -> DatedPhrase:
    start, end = expression.char_start, expression.char_end
    preposition = PREPOSITION.search(text[:start])
    if expression.relation is not None:
        is_range = expression.relation is Relation.FROM_TO and not _LED_IN.match(expression.text)
        is_first = _DATE_FIRST.match(expression.text) is not None
        if (is_range or is_first or expression.relation is Relation.AROUND) and preposition is not None:
            start = preposition.start()  # "in 1914-1918", "in about 1450", "in 2010 or later"
        return DatedPhrase(expression, expression.relation, (start, end), named=False)
    event = _EVENT_OF.search(text[:start])
    if event is not None and not _NAME_OF.search(text[:start]):
        relation = EVENT_RELATIONS[" ".join(event["relation"].lower().split())]
        return DatedPhrase(expression, relation, (event.start(), end), named=False)
    upward = _FROM_SOMETHING.search(text[:start])
    if upward is not None:
        return DatedPhrase(expression, Relation.UNTIL, (upward.start("to"), end), named=False)
    relation = Relation.ON if expression.granularity is Granularity.DAY else Relation.IN
    if preposition:
        if expression.granularity is Granularity.YEAR and _NAME_OF.search(text[:start]):
            return DatedPhrase(expression, relation, (start, end), named=True)  # "the Clean Air Act of 1970"
        relation = Relation.AROUND if preposition["around"] else relation
        return DatedPhrase(expression, relation, (preposition.start(), end), named=False)
    written = expression.granularity is Granularity.YEAR and expression.text[:4].isdigit()
    before = _WORD_BEFORE.search(text[:start])
    named = before is not None and before["word"].casefold() not in _NO_NAME
    named = named and written and not text[end:].startswith(("'", "’"))
    if before is not None and _LAST.match(text, end) and (before["word"].islower() or not has_verb(text)):
        named = named and _THE_THING.search(text[:start]) is not None  # "rent 2011?" has no name
    return DatedPhrase(expression, relation, (start, end), named=named)
