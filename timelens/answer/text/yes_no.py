"""Finds the sentences that tell yes or no to a question, and the probabilities that they do and say yes.

Both are logistic regressions, fitted by ``scripts/calibrate_yes_no.py``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from timelens.answer.relevance import said_by, topic_of
from timelens.answer.scorecard import Features, probability_of, score_of
from timelens.answer.text.pick_features import features_of_place, log_odds_of_any
from timelens.answer.text.picked_spans import Pick, likeliest_first, passages_of, pick_of
from timelens.answer.text.sentence_match import is_question
from timelens.documents import Hit
from timelens.question.intent import subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.span_reader import AnswerSpan
from timelens.reader.yes_no_reader import bundled_yes_no_reader
from timelens.words import NEGATION

_WEIGHTS: Mapping[str, float] = {
    "against": 0.72,
    "bias": -1.99,
    "found": 1.15,
    "read": 0.32,
    "said": 1.53,
    "semantic": 0.75,
    "share": -0.21,
    "unknown": -0.36,
}
"""Weights of the log odds that a sentence tells yes or no."""
_YES_WEIGHTS: Mapping[str, float] = {
    "asks_denied": 0.67,
    "asks_still": -0.94,
    "bias": 0.82,
    "denies": -1.03,
    "leaning": 1.54,
}
"""Weights of the log odds that a sentence says yes, if it tells yes or no."""
_EVEN = 0.5
_STILL = re.compile(r"\bstill\b", re.IGNORECASE)


def yes_no_sentences(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Pick]:
    """The likeliest sentence of each passage, with its time; likeliest to tell first.

    ``hits`` are texts, best first; as many are read as for other questions.
    """
    return likeliest_first(
        ((_saying(pick, yes), features) for pick, features, yes in yes_no_candidates(parsed, hits)),
        lambda features: score_of(features, _WEIGHTS),
    )


def _saying(pick: Pick, yes: Features) -> Pick:
    return replace(pick, yes=probability_of(score_of(yes, _YES_WEIGHTS)))


def yes_no_candidates(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[tuple[Pick, Features, Features]]:
    """The sentences, each with its features for telling yes or no and its features for saying yes.

    Sentences that are questions themselves are left out.
    """
    times, passages = passages_of(hits)
    found = bundled_yes_no_reader().tell(parsed.core, parsed.window, passages)
    picked = (
        pick_of(
            AnswerSpan(one.passage, one.at, one.at + 1, one.score),
            hits[one.passage],
            times[one.passage],
            parsed.window,
        )
        for one in found
    )
    told = [
        (pick, one.leaning) for pick, one in zip(picked, found, strict=True) if not is_question(pick.hit.said)
    ]
    picks = [pick for pick, _ in told]
    yes = (_yes_features(parsed.core, pick, leaning) for pick, leaning in told)
    return list(zip(picks, _features(picks, parsed, hits), yes, strict=True))


def _features(found: Sequence[Pick], parsed: ParsedQuestion, hits: Sequence[Hit]) -> Iterator[Features]:
    """The features of each sentence: scores, competitors, and shares of the question's words."""
    topic = topic_of(subject_of(parsed), hits)
    everything = log_odds_of_any(found)
    for pick, features in zip(found, features_of_place(found, topic, hits), strict=True):
        yield features | {
            "against": pick.score - everything,
            "said": topic.share(said_by(pick.hit)),
            "unknown": float(bool(topic.unknown)),
        }


def _yes_features(question: str, pick: Pick, leaning: float) -> Features:
    """The features of a sentence for saying yes: the network's score, and words that deny or ask "still"."""
    return {
        "bias": 1.0,
        "leaning": leaning,
        "denies": float(NEGATION.search(pick.hit.said) is not None),
        "asks_denied": float(NEGATION.search(question) is not None),
        "asks_still": float(_STILL.search(question) is not None),
    }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the likeliest sentence says."""

    says_yes: bool
    probability: float
    """The probability, 0..1, that the sentence tells yes or no and says this one."""


def verdict(found: Sequence[Pick]) -> Verdict | None:
    """The verdict of the first (likeliest) sentence; ``None`` without one."""
    if not found:
        return None
    best, says_yes = found[0], found[0].yes >= _EVEN
    return Verdict(says_yes, best.probability * (best.yes if says_yes else 1 - best.yes))


def agrees(pick: Pick, told: Verdict) -> bool:
    """Whether a sentence rather says the same than the opposite."""
    return pick.yes > _EVEN if told.says_yes else pick.yes < _EVEN
