"""What scorecards know of picks: their passages, their kind and length, and how they compare."""

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from timelens.answer.operations import amount_of
from timelens.answer.relevance import Topic, words_of
from timelens.answer.scorecard import Features
from timelens.answer.text.picked_spans import Pick
from timelens.answer.text.sentence_match import AnswerType, answer_type_of
from timelens.documents import Hit
from timelens.lexicon import TITLES
from timelens.question.parsed_question import ParsedQuestion
from timelens.words import topic_words

_NOT_HERE = 0.0
"""The log odds of "no answer in this passage", the reference of the reader's log odds."""
_TITLES = topic_words(" ".join(TITLES))


def features_alone(
    found: Sequence[Pick], parsed: ParsedQuestion, topic: Topic, hits: Sequence[Hit]
) -> Iterator[Features]:
    """Features that do not depend on the asked time: of the passage, answer type, repetition and length.

    ``topic`` is that of the question over ``hits``.
    """
    expected, alike = answer_type_of(parsed.question), alike_by_words(found)
    for pick, features in zip(found, features_of_place(found, topic, hits), strict=True):
        yield features | {
            "kind": _fits(pick, expected),
            "elsewhere": math.log1p(len({one.hit.chunk.id for one in alike[pick.plain]}) - 1),
            "words": math.log1p(len(pick.text.split())),
        }


def features_of_place(found: Sequence[Pick], topic: Topic, hits: Sequence[Hit]) -> Iterator[Features]:
    """Features of the span's passage: reader score, retrieval scores, and share of the question's words."""
    best = max((hit.scores.final or 0.0 for hit in hits), default=0.0) or 1.0
    for pick in found:
        yield {
            "bias": 1.0,
            "read": pick.score,
            "found": (pick.hit.scores.final or 0.0) / best,
            "semantic": pick.hit.scores.semantic or 0.0,
            "share": topic.share(words_of(pick.hit)),
        }


def _fits(pick: Pick, expected: AnswerType) -> float:
    """Whether a span matches the answer type: 1 if it does, -1 if not, 0 if the type cannot be checked."""
    match expected:
        case AnswerType.PERSON:
            fits = pick.text[:1].isupper() and not any(map(str.isdigit, pick.text))
        case AnswerType.NUMBER:
            fits = pick.days is None and amount_of(pick.text) is not None
        case AnswerType.TIME:
            fits = pick.days is not None
        case _:
            return 0.0
    return 1.0 if fits else -1.0


def alike_by_words(found: Sequence[Pick]) -> dict[str, list[Pick]]:
    """The picks of the same value by the normalised words of each; "Mr Wendt" is "Otto Wendt"."""
    by_words: dict[str, list[Pick]] = {}
    for pick in found:
        by_words.setdefault(pick.plain, []).append(pick)
    names = {
        plain: set(plain.split()) - _TITLES
        for plain, [first, *_] in by_words.items()
        if first.text[:1].isupper()
    }
    return {
        plain: own
        + [
            pick
            for other, words in names.items()
            if other != plain and plain in names and _is_form(words, names[plain])
            for pick in by_words[other]
        ]
        for plain, own in by_words.items()
    }


def _is_form(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Whether one of two names, as words, is a short form of the other, or they are the same."""
    return bool(one and other) and (one <= other or other <= one)


def log_odds_of_any(found: Sequence[Pick]) -> float:
    """The log of the summed odds of all picks and of "no answer"."""
    return log_sum([_NOT_HERE, *(pick.score for pick in found)])


def log_sum(scores: Sequence[float]) -> float:
    """The log of the sum of exponentials; there is at least one."""
    most = max(scores)
    return most + math.log(sum(math.exp(score - most) for score in scores))
