"""Dated statements of what the reader reads, and what operations over them tell. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from timelens.answer.dating import time_beside
from timelens.answer.model import Statement
from timelens.answer.operations import after, amount_of, before, in_order
from timelens.answer.picking import (
    Features,
    Pick,
    features_alone,
    is_said,
    passages_of,
    pick_of,
    probability_of,
    score_of,
)
from timelens.answer.timeline import time_of
from timelens.answer.topic import said_by, topic_of
from timelens.documents import Hit
from timelens.question.intent import subject_of
from timelens.question.model import ParsedQuestion
from timelens.reader.values import bundled_values_reader
from timelens.temporal.constraints import Relation
from timelens.words import stems, topic_words

_DIFFERENT = 2
"""Different values that a course has."""
_PASSAGES = 24
"""Pieces of evidence that are read for all their values."""
_WEIGHTS: Mapping[str, float] = {  # by scripts/calibrate_values.py
    "alike": -0.22,
    "bias": -3.42,
    "elsewhere": 0.61,
    "found": 1.71,
    "kind": 0.09,
    "read": 0.7,
    "said": 0.58,
    "semantic": 0.83,
    "share": 0.08,
    "words": -0.06,
}


def values_in(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Statement]:
    """Every value that texts state of what is asked, at whatever time, from early to late.

    ``hits`` are of text, best first.
    """
    scored = ((said, score_of(features, _WEIGHTS)) for said, features in candidates(parsed, hits))
    return in_order([replace(said, probability=probability_of(score)) for said, score in scored])


def candidates(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[tuple[Statement, Features]]:
    """What the reader takes for values, each with its time and with what speaks for it.

    What the question says itself is no answer to it.
    """
    times, passages = passages_of(hits, _PASSAGES)
    readings = bundled_values_reader().values(parsed.core, passages)
    asked = topic_words(parsed.question)
    found: list[tuple[Pick, Statement]] = []
    for reading in readings:
        hit, stated = hits[reading.passage], times[reading.passage]
        pick = pick_of(reading, hit, stated, None)
        if not pick.text or is_said(pick.text, asked):
            continue
        others = [(o.start, o.end) for o in readings if o.passage == reading.passage and o is not reading]
        beside = time_beside(hit.chunk, (reading.start, reading.end), others, stated)
        place = pick.hit if beside is None else replace(pick.hit, interval=beside)
        found.append(
            (pick, Statement(hit.chunk.title, "", pick.text, time_of(place), place, pick.probability))
        )
    features = _features([pick for pick, _ in found], parsed, hits)
    return [(said, each) for (_, said), each in zip(found, features, strict=True)]


def _features(found: Sequence[Pick], parsed: ParsedQuestion, hits: Sequence[Hit]) -> Iterator[Features]:
    """What speaks for each, and what share of all that was read looks like it.

    Values of one thing are alike: most are amounts of one unit, or names.
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
    """What a value looks like: an amount with its unit, a name, or other words."""
    amount = amount_of(text)
    if amount is not None:
        return f"amount {amount.measure}"
    return "name" if text[:1].isupper() else "words"


def values_over_time(statements: Sequence[Statement]) -> list[Statement]:
    """Those of one kind, from early to late; none where they have fewer than two different values.

    Where most are numbers, only those of the usual unit count.
    """
    kept = _of_one_kind(statements)
    different = {stems(one.value) or one.value for one in kept}
    return kept if len(different) >= _DIFFERENT else []


def neighbours(
    statements: Sequence[Statement], name: str, relation: Relation
) -> tuple[Statement, Statement] | None:
    """What another value came before or after that which a name stands for, and the statement of the name.

    ``None`` where none has the name, none stands beside it, or the relation is another.
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
        found, beside = after(others, named[-1])[:1], named[-1]
    else:
        return None
    return (found[0], beside) if found else None


def _of_one_kind(statements: Sequence[Statement]) -> list[Statement]:
    """Those whose value is a number with the usual unit, where that is what most are; else all others."""
    amounts = [(one, amount_of(one.value)) for one in statements]
    numbers = [(one, amount.measure) for one, amount in amounts if amount is not None]
    if 2 * len(numbers) < len(statements):
        return [one for one, amount in amounts if amount is None]
    usual = Counter(unit for _, unit in numbers).most_common(1)
    return [one for one, unit in numbers if unit == usual[0][0]]
