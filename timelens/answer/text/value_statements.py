"""Dated statements of all values that texts state, and selections from them.

The reader of values finds the values.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from timelens.answer.draft import Statement
from timelens.answer.hit_times import time_of
from timelens.answer.operations import after, amount_of, before, in_order
from timelens.answer.relevance import said_by, topic_of
from timelens.answer.scorecard import Features, log_odds_of, probability_of, score_of
from timelens.answer.text.answer_selection import picks
from timelens.answer.text.moments import asks_for_moment, moment_picks
from timelens.answer.text.pick_features import features_alone
from timelens.answer.text.picked_spans import MOST_PASSAGES, PASSAGES, Pick, is_said, passages_of, pick_of
from timelens.answer.text.sentence_match import is_question
from timelens.answer.text.value_dates import is_after_from, is_former, time_beside
from timelens.answer.values_at import first_values, is_same_value, values_at, words_of_value
from timelens.documents import Hit
from timelens.question.intent import subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.values_reader import bundled_values_reader
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.expressions import Expression
from timelens.temporal.interval import day_interval
from timelens.words import topic_words

_LEADING = re.compile(r",\s| and | \(")
"""The end of the first of several things in a value: "£34, half plot £18"."""
_WEIGHTS: Mapping[str, float] = {  # by scripts/calibrate_values.py
    "alike": -0.32,
    "bias": -2.82,
    "elsewhere": 0.58,
    "found": 1.34,
    "kind": 0.11,
    "read": 0.77,
    "said": 0.05,
    "semantic": 1.28,
    "share": 0.31,
    "words": -0.05,
}

_STANDING = -0.43
"""Added to the log odds that a value holds now: by scripts/calibrate_standing.py, the weight is 1.01."""


def values_in(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Statement]:
    """All values that answer the question without its time, in chronological order.

    ``hits`` are texts, best first.
    """
    scored = ((said, score_of(features, _WEIGHTS)) for said, features in value_candidates(parsed, hits))
    return in_order([replace(said, probability=probability_of(score)) for said, score in scored])


def agreed_picks(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Pick]:
    """The answers that texts may state, likeliest first.

    To a question for a moment, these are the moments that sentences tell; to one about the present, or for
    the last of all, the values that may hold now; to one for the first of all, the values that may be it;
    to others the spans that the reader finds, weighed with the values in the same passages.
    """
    if asks_for_moment(parsed):
        return moment_picks(parsed, hits)
    of_all = parsed.ordinal is not None and parsed.count == 1 and parsed.is_point and parsed.window is None
    if (parsed.is_of_now or (of_all and parsed.ordinal == "last")) and not parsed.implicit:
        return standing_picks(parsed, hits)
    found = picks(parsed, hits, values_in(parsed, hits[:PASSAGES]))
    if of_all and parsed.ordinal == "first" and not parsed.implicit and not _says_first(found):
        return first_picks(parsed, hits)
    return found


def _says_first(found: Sequence[Pick]) -> bool:
    """Whether the likeliest pick stands in a sentence that says "first" itself."""
    return bool(found) and "first" in topic_words(found[0].hit.said)


def first_picks(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Pick]:
    """The values that may be the first of all, likeliest first."""
    found = map(pick_at, first_values(values_in(parsed, hits), parsed.reference_day))
    return [replace(pick, score=_STANDING + pick.score) for pick in found]


def standing_picks(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Pick]:
    """The values that may hold on the question's reference day, likeliest first."""
    found = picks_at(values_in(parsed, hits), parsed.reference_day)
    return [replace(pick, score=_STANDING + pick.score) for pick in found]


def picks_at(statements: Sequence[Statement], day: Day) -> list[Pick]:
    """The values that may hold on a day, likeliest first, by all ``statements`` of values."""
    return list(map(pick_at, values_at(statements, day)))


def pick_at(one: Statement) -> Pick:
    """The value of a statement, at its place and time."""
    hit = replace(one.hit, interval=one.interval)
    return Pick(one.value, hit, log_odds_of(one.probability), one.hit.sentence or 0)


def value_candidates(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[tuple[Statement, Features]]:
    """The reader's values, each as a dated statement with its features.

    Values whose words are all in the question, values in sentences that are questions, and parts of addresses
    are dropped.
    """
    times, passages = passages_of(hits, MOST_PASSAGES)
    readings = bundled_values_reader().values(parsed.core, passages)
    asked = topic_words(parsed.question)
    found: list[tuple[Pick, Statement]] = []
    for reading in readings:
        hit, stated = hits[reading.passage], times[reading.passage]
        pick = pick_of(reading, hit, stated, None)
        if not pick.text or is_said(pick.text, asked) or is_question(pick.hit.said):
            continue
        if _is_of_address(hit.chunk.text, (reading.start, reading.end)):
            continue
        others = [(o.start, o.end) for o in readings if o.passage == reading.passage and o is not reading]
        found.append((pick, dated_statement(pick, (reading.start, reading.end), others, stated)))
    features = _features([pick for pick, _ in found], parsed, hits)
    return [(said, each) for (_, said), each in zip(found, features, strict=True)]


def _is_of_address(text: str, span: tuple[int, int]) -> bool:
    """Whether a span is a part of an electronic address: "mill" of "ann@mill.example"."""
    start, end = span
    before_it, behind = re.search(r"\S*$", text[:start]), re.match(r"\S*", text[end:])
    return any(run is not None and "@" in run[0] for run in (before_it, behind))


def dated_statement(
    pick: Pick, span: tuple[int, int], others: Sequence[tuple[int, int]], stated: Sequence[Expression]
) -> Statement:
    """The statement of a value at the time that stands beside it, or the day before if the value ended then.

    Args:
        pick: the value.
        span: its offsets in the text of its chunk, end exclusive.
        others: the spans of other values there, whose times are not its own.
        stated: the time expressions of the chunk.
    """
    beside = time_beside(pick.hit.chunk, span, others, stated)
    place = pick.hit if beside is None else replace(pick.hit, interval=beside)
    value = _changed_to(pick.text) if is_after_from(place.chunk.text, span) else pick.text
    time = time_of(place)
    if time is not None and time.start is not None and is_former(pick.hit.chunk.text, span, others):
        time = day_interval(time.start - 1)
    return Statement(place.chunk.title, "", value, time, place, pick.probability)


def _changed_to(value: str) -> str:
    """The second of two numbers, to which the first is changed: "7,000" of "from 5,500 to 7,000"."""
    before_it, _, last = value.partition(" to ")
    return last if amount_of(before_it) and amount_of(last) else value


def _features(found: Sequence[Pick], parsed: ParsedQuestion, hits: Sequence[Hit]) -> Iterator[Features]:
    """The features of each value, among them the share of the probability mass of values of its form.

    The values of one question usually have the same form: amounts with one unit, or names.
    """
    topic = topic_of(subject_of(parsed), hits)
    likely: dict[str, float] = {}
    for pick in found:
        kind = _kind(pick.text)
        likely[kind] = likely.get(kind, 0.0) + pick.probability
    everything = sum(likely.values()) or 1.0
    for pick, features in zip(found, features_alone(found, parsed, topic, hits), strict=True):
        yield features | {
            "said": topic.share(said_by(pick.hit)),
            "alike": likely[_kind(pick.text)] / everything,
        }


def _kind(text: str) -> str:
    """The form of a value: an amount with its unit, a name, or other words."""
    amount = amount_of(text)
    if amount is not None:
        return f"amount {amount.measure}"
    return "name" if text[:1].isupper() else "words"


def values_over_time(statements: Sequence[Statement]) -> list[Statement]:
    """The statements of one form, in chronological order; empty if they have fewer than two different values.

    If most are numbers, only those with the most common unit are kept.
    """
    kept = _of_one_kind(statements)
    return kept if are_several(kept) else []


def are_several(statements: Sequence[Statement]) -> bool:
    """Whether statements have at least two different values."""
    return any(not is_same_value(statements[0].value, one.value) for one in statements[1:])


def changes(statements: Sequence[Statement]) -> list[Statement]:
    """The statements in chronological order, without those with no other words than the one before."""
    pairs = zip([None, *statements], statements, strict=False)
    return [
        one
        for last, one in pairs
        if last is None or not words_of_value(one.value) <= words_of_value(last.value)
    ]


def neighbours(
    statements: Sequence[Statement], name: str, relation: Relation
) -> tuple[Statement, Statement] | None:
    """The statement with another value before or after a named value, and the statement of the name.

    ``None`` if no value has the name, it has no neighbour, or the relation is neither before nor after.
    """
    words = topic_words(name)
    named = [one for one in statements if words and words <= topic_words(one.value)]
    parts = frozenset[str]().union(*(topic_words(one.value) for one in named))
    others = [one for one in statements if not parts & topic_words(one.value)]  # "Lind" is "Ada Lind"
    if not named:
        return None
    if relation is Relation.BEFORE:
        found, beside = before(others, named[0])[-1:], named[0]
    elif relation is Relation.AFTER:
        later = [one for one in others if not _is_replaced(one, named[-1], statements)]
        found, beside = after(later, named[-1])[:1], named[-1]
    else:
        return None
    return (found[0], beside) if found else None


def _is_replaced(one: Statement, by: Statement, statements: Sequence[Statement]) -> bool:
    """Whether a value was told before another one, and again on the day on which that began."""
    start, begun = (None if each.interval is None else each.interval.bounds[0] for each in (one, by))
    if start is None or start != begun:
        return False
    known = [other for other in statements if other.interval is not None and other.interval.bounds[0] < start]
    return any(is_same_value(one.value, other.value) for other in known)


def _of_one_kind(statements: Sequence[Statement]) -> list[Statement]:
    """The numbers with the most common unit, if most values are numbers; else all values that are not."""
    amounts = [(one, amount_of(_LEADING.split(one.value, 1)[0])) for one in statements]
    numbers = [(one, amount.measure) for one, amount in amounts if amount is not None]
    if 2 * len(numbers) < len(statements):
        return [one for one, amount in amounts if amount is None]
    usual = Counter(unit for _, unit in numbers).most_common(1)
    return [one for one, unit in numbers if unit == usual[0][0]]
