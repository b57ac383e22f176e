"""Merges a model's reading of a question with that of the rules.

The rules decide dates and arithmetic; if both readings differ, that of the rules is kept. If the rules found
nothing, the model's proposal is used, provided that it quotes the question and the rules can read its dates.
An omission by the model is not a contradiction. A note reports each difference and each addition.

The rules ask a bundled network too: :mod:`timelens.question.parse`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from pydantic import ValidationError

from timelens.printable import shortened
from timelens.question.core_query import without_time
from timelens.question.implicit_times import ImplicitTime, offered
from timelens.question.intent import focus_of, reasoning_class_of
from timelens.question.orders import knows_order
from timelens.question.parse import LONGEST, one_line, parse
from timelens.question.parsed_question import Constraint, Intent, ParsedQuestion
from timelens.question.periods import StatedTime, not_left_out, periods_of
from timelens.question.proposal import ORDERS, Proposal, ProposedEvent, ProposedTime
from timelens.question.roles import Role, role_of
from timelens.question.vague_lengths import vague_lengths
from timelens.temporal.calendar import Day, day_number
from timelens.temporal.constraints import Relation, admitted
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import Expression, ExpressionKind, find_expressions
from timelens.temporal.interval import Interval, hull, month_interval
from timelens.temporal.phrasing import phrase
from timelens.words import STOP_WORDS

_LONGEST_QUOTE = 60
_NO_DATE = "is no date"
_YEARS_OR_MONTH = re.compile(r"(?<![\d-])(?P<first>\d{4})-(?P<last>0[1-9]|1[0-2])(?![\d-])", re.ASCII)
_YEAR_ZERO = re.compile(
    r"(?<![\w.,])(?:0 ?(?:a\.?d|b\.?c|b\.?c\.?e|c\.?e)|a\.?d\.? 0)(?![\w,])", re.IGNORECASE | re.ASCII
)
_ENDS_FIRST = "ends before it begins"
_RULES_ALONE = "the rules' reading stands alone"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed question, with notes for the user."""

    parsed: ParsedQuestion
    notes: tuple[str, ...] = ()

    @classmethod
    def by_rules(cls, question: str, reference_day: Day, conventions: Conventions = USUAL) -> Self:
        """The rules' reading alone, with notes on doubtful dates, and on words that were not read.

        These are dates that do not exist, such as "31 February 2015", ranges that end before they begin, and
        ranges of years that might be months ("2009-11"). For the arguments see :func:`timelens.parse`.
        """
        read = one_line(question)
        found = find_expressions(read, reference_day, conventions=conventions)
        notes = [
            f"{_quoted(one.text)} {_ENDS_FIRST if one.dates else _NO_DATE}; it was not read as a time"
            for one in found
            if one.interval is None and one.kind is ExpressionKind.EXPLICIT
        ]
        notes += dict.fromkeys(note for one in found for note in (*_years_or_month(one), *_year_zero(one)))
        notes += [_as_read(one) for one in vague_lengths(read, reference_day, conventions)]
        if len(read) < len(" ".join(question.split())):
            notes.append(f"only the first {LONGEST:,} characters of the question were read")
        parsed = parse(question, reference_day, conventions)
        return cls(parsed, (*notes, *_left_out(parsed)))


def _as_read(vague: Expression) -> str:
    """A note on the days that a vague length is read as."""
    days = "" if vague.interval is None else phrase(vague.interval)
    return f"{_quoted(vague.text)} was read as {days}"


def _left_out(parsed: ParsedQuestion) -> Iterator[str]:
    """Notes on times to be left out that the periods of a question state only in part, or not at all."""
    periods = parsed.periods
    for one in not_left_out(periods, parsed.left_out):
        states = all(each.relation is Relation.AS_OF for each in periods)
        reason = "a state as of a day is asked for" if states else "nothing of the asked time would be left"
        yield f"{_quoted(one.text)} was not applied: {reason}"
    for one in parsed.left_out:
        conditions = [each for each in parsed.constraints if each.text == one.text and each.role != one.role]
        if conditions:
            yield f"{_quoted(one.text)} is checked in rows of tables only, not in texts"
    if parsed.left_out and parsed.ordinal is not None and len(periods) > 1:
        words = _quoted(parsed.left_out[0].text)
        yield f"{words} divides the time; the order is applied to each part of it"


def _years_or_month(one: Expression) -> Iterator[str]:
    """A note on each range of years in an expression that has the form of a month in ISO 8601."""
    for found in _YEARS_OR_MONTH.finditer(one.text):
        first, figures = int(found["first"]), int(found["last"])
        last = first - first % 100 + figures
        ends = (day_number(first), day_number(last + 1))
        if last > first and any(date.start == ends[0] or date.end == ends[1] for date in one.dates):
            month = phrase(month_interval(first, figures))
            yield f"{_quoted(found[0])} was read as {first} to {last}; for the month, write {month}"


def _year_zero(one: Expression) -> Iterator[str]:
    """A note on a year 0 in an expression; a range may begin or end with it ("0 to 100 AD")."""
    stated = _YEAR_ZERO.search(one.text)
    if stated is not None and one.interval is not None:
        read_as = "1 AD" if "b" in stated[0].lower() else "1 BC"
        yield f"there is no year 0; {_quoted(stated[0])} was read as {read_as}"


def merge(parsed: ParsedQuestion, written: str, conventions: Conventions = USUAL) -> Reading:
    """The rules' reading, completed by a model's.

    ``written`` is the model's output, which may be any text. It is ignored unless it is a valid proposal
    whose topic is a subsequence of the question's words.
    """
    try:
        proposal = Proposal.model_validate_json(written)
    except ValidationError:
        return Reading(
            parsed, (f"what the model wrote of the question is cut short or not as asked; {_RULES_ALONE}",)
        )
    text = one_line(parsed.question)
    if not _is_part(_words(proposal.topic), _words(text)):
        note = f"the model's topic {_quoted(proposal.topic)} is not in the question's words; {_RULES_ALONE}"
        return Reading(parsed, (note,))
    reading = Reading(parsed, tuple(_invented(proposal, text)))
    for time in proposal.times:
        reading = _add(reading, _with_time(reading.parsed, parsed, time, text, conventions))
    for event in proposal.events:
        reading = _add(reading, _with_event(reading.parsed, parsed, event, text))
    steps: Sequence[Callable[[ParsedQuestion, Proposal, str], Reading]] = (_with_order, _with_intent)
    for step in steps:
        reading = _add(reading, step(reading.parsed, proposal, text))
    completed = reading.parsed if reading.parsed == parsed else _settled(reading.parsed, text)
    whole = _add(reading, _compared_topic(completed, proposal))
    return Reading(whole.parsed, tuple(dict.fromkeys(whole.notes)))


def _add(reading: Reading, following: Reading) -> Reading:
    return Reading(following.parsed, (*reading.notes, *following.notes))


def _invented(proposal: Proposal, text: str) -> Iterator[str]:
    """A note on quotes that are not in the question."""
    quotes = [(time.words, text) for time in proposal.times]
    for event in proposal.events:
        quotes += [(event.words, text), (event.event, event.words)]
    if proposal.order != "none":
        quotes.append((proposal.order_words, text))
    missing = [_quoted(words) for words, where in quotes if _span(words, where) is None]
    if missing:
        yield f"the model quotes what the question does not say ({', '.join(missing)}); that is not used"


def _with_time(
    parsed: ParsedQuestion,
    by_rule: ParsedQuestion,
    time: ProposedTime,
    text: str,
    conventions: Conventions,
) -> Reading:
    span = _span(time.words, text)
    if span is None or _touches(span, (event.phrase for event in by_rule.implicit), text):
        return Reading(parsed)  # an implicit time of the rules covers it
    dated = [constraint for constraint in by_rule.constraints if constraint.interval is not None]
    added = [one.text for one in parsed.constraints if one not in by_rule.constraints]
    if _touches(span, added, text):
        return Reading(parsed)
    quote = text[slice(*span)]
    found = find_expressions(quote, parsed.reference_day, conventions=conventions)
    expression = found[0] if len(found) == 1 and found[0].interval is not None else None
    days = _days(expression, time.relation)
    same = [constraint for constraint in dated if _touches(span, [constraint.text], text)]
    if same:
        return Reading(parsed, tuple(_other_days(same, time.relation, days)))
    if dated:
        return Reading(parsed, (f"the model takes {_quoted(quote)} for a time; the rules' times are kept",))
    if expression is not None and expression.relation is not None:
        days = expression.interval
    if expression is None or days is None:
        return Reading(
            parsed, (f"the model takes {_quoted(quote)} for a time; it names no day, and is not used",)
        )
    constraint = Constraint(expression.relation or time.relation, None, role_of(text[: span[0]]), days, quote)
    filled = replace(
        parsed,
        core=without_time(parsed.core, quote),
        constraints=(*parsed.constraints, constraint),
        anchors=(*parsed.anchors, *(phrase(date) for date in expression.dates)),
        signals=(*parsed.signals, quote),
        present=False,
    )
    return Reading(filled, (_filled(quote, f"the time {phrase(days)}"),))


def _days(expression: Expression | None, relation: Relation) -> Interval | None:
    """The days admitted by a model's relation with the rules' dates; ``None`` if they do not fit."""
    if expression is None:
        return None
    dates = expression.dates
    if relation.takes_two_dates:
        return admitted(relation, *dates) if len(dates) == 2 else None
    whole = hull(dates)
    return None if whole is None else admitted(relation, whole)


def _other_days(
    constraints: Sequence[Constraint], relation: Relation, days: Interval | None
) -> Iterator[str]:
    """A note for each constraint whose days differ under the model's relation.

    Constraints with an Allen relation are skipped, because a model cannot express them.
    """
    for constraint in constraints:
        interval = constraint.interval
        if not isinstance(constraint.relation, Relation) or interval is None or days is None:
            continue
        if not days.same_days(interval):
            model, rules = relation.value.replace("_", " "), constraint.relation.value.replace("_", " ")
            yield _kept(constraint.text, f"“{model}” ({phrase(days)})", f"“{rules}” ({phrase(interval)})")


def _with_event(parsed: ParsedQuestion, by_rule: ParsedQuestion, event: ProposedEvent, text: str) -> Reading:
    span = _span(event.words, text)
    if span is None:
        return Reading(parsed)
    quote = text[slice(*span)]
    inner = _span(event.event, quote)
    if inner is None:
        return Reading(parsed)
    relation = Relation(event.relation)
    known = [time for time in by_rule.implicit if _touches(span, [time.phrase], text)]
    if known:
        notes = [
            _kept(time.phrase, f"“{relation}” the event", f"“{time.relation}”")
            for time in known
            if time.relation is not relation
        ]
        return Reading(parsed, tuple(notes))
    if by_rule.implicit or _touches(span, (constraint.text for constraint in parsed.constraints), text):
        return Reading(
            parsed, (f"the model takes {_quoted(quote)} for an event; the rules' reading is kept",)
        )
    if _touches(span, (time.phrase for time in parsed.implicit), text):
        return Reading(parsed)
    name = quote[slice(*inner)]
    implicit = ImplicitTime(name, quote, relation, role_of(name), None)
    filled = replace(parsed, implicit=(*parsed.implicit, implicit))
    return Reading(filled, (_filled(quote, f"the time of {_quoted(name)}"),))


def _with_order(parsed: ParsedQuestion, proposal: Proposal, text: str) -> Reading:
    span = _span(proposal.order_words, text)
    if proposal.order == "none" or span is None:
        return Reading(parsed)
    quote, ordinal = text[slice(*span)], ORDERS[proposal.order]
    if ordinal == parsed.ordinal:
        return Reading(parsed)
    if parsed.ordinal is not None or knows_order(quote):
        rules = "no order" if parsed.ordinal is None else f"“{parsed.ordinal}”"
        return Reading(parsed, (_kept(quote, f"the order “{proposal.order}”", rules),))
    constraints = parsed.constraints or (Constraint(None, None, Role.HELD, None, quote),)
    filled = replace(
        parsed,
        core=without_time(parsed.core, quote),
        constraints=(replace(constraints[0], ordinal=ordinal), *constraints[1:]),
        signals=(*parsed.signals, quote),
        offered=offered(text),
        present=False,
    )
    return Reading(filled, (_filled(quote, f"the order “{proposal.order}”"),))


def _with_intent(parsed: ParsedQuestion, proposal: Proposal, _text: str) -> Reading:
    if proposal.intent in (parsed.intent, Intent.NONE):
        return Reading(parsed)
    if parsed.intent is Intent.NONE:
        return Reading(
            replace(parsed, intent=proposal.intent),
            (f"the model read the intent “{proposal.intent}”, where the rules had read none",),
        )
    return Reading(
        parsed,
        (f"the model read the intent “{proposal.intent}”; the rules' reading, “{parsed.intent}”, is kept",),
    )


def _settled(parsed: ParsedQuestion, text: str) -> ParsedQuestion:
    """The question with periods, focus and class derived from its constraints, events and intent."""
    dated = (constraint for constraint in parsed.constraints if constraint.interval is not None)
    places = ((text.find(constraint.text), constraint) for constraint in dated)
    stated = [StatedTime((at, at + len(one.text)), (one,)) for at, one in sorted(places, key=lambda p: p[0])]
    return replace(
        parsed,
        periods=parsed.periods or periods_of(text, stated, parsed.ordinal),
        focus=focus_of(text, parsed.intent, current=parsed.current, constrained=bool(parsed.constraints)),
        reasoning_class=reasoning_class_of(text, temporal=bool(parsed.constraints or parsed.implicit)),
    )


def _compared_topic(parsed: ParsedQuestion, proposal: Proposal) -> Reading:
    """A note if the topics differ; the rules' core is kept, so no word is lost from both topic and time."""
    model, rules = (
        [word for word in _words(topic) if word not in STOP_WORDS] for topic in (proposal.topic, parsed.core)
    )
    if model == rules:
        return Reading(parsed)
    topic = _quoted(proposal.topic)
    return Reading(
        parsed, (f"the model read the topic {topic}; the rules' reading, {_quoted(parsed.core)}, is kept",)
    )


def _filled(quote: str, meaning: str) -> str:
    return f"the model read {_quoted(quote)} as {meaning}, where the rules had read nothing"


def _kept(quote: str, model: str, rules: str) -> str:
    return f"the model read {_quoted(quote)} as {model}; the rules' reading, {rules}, is kept"


def _quoted(words: str) -> str:
    line = " ".join(words.split())
    return f"“{shortened(line, _LONGEST_QUOTE)}”"


def _span(words: str, text: str) -> Span | None:
    """The offsets of whole words in a text, ignoring case and spacing; ``None`` if they are not in it."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) if pattern else None
    return None if found is None else found.span()


def _touches(span: Span, quotes: Iterable[str], text: str) -> bool:
    """Whether a span overlaps one of the quotes in the text."""
    return any(
        text.find(quote) < span[1] and span[0] < text.find(quote) + len(quote)
        for quote in quotes
        if quote in text
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether words are a non-empty subsequence of others."""
    rest = iter(whole)
    return bool(part) and all(word in rest for word in part)
