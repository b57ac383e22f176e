"""Finds the sentences that tell yes or no to a question, with their probabilities.

It does not decide between yes and no: see the figures in ``docs/answers.md``.
"""

from collections.abc import Iterator, Mapping, Sequence

from timelens.answer.relevance import said_by, topic_of
from timelens.answer.text.answer_selection import (
    Features,
    Pick,
    features_of_place,
    likeliest_first,
    log_odds_of_any,
    passages_of,
    pick_of,
)
from timelens.documents import Hit
from timelens.question.intent import subject_of
from timelens.question.parsed_question import ParsedQuestion
from timelens.reader.span_reader import AnswerSpan
from timelens.reader.yes_no_reader import bundled_yes_no_reader

_WEIGHTS: Mapping[str, float] = {  # by scripts/calibrate_yes_no.py
    "against": 0.43,
    "bias": -3.44,
    "found": 2.20,
    "read": 0.28,
    "said": 1.34,
    "semantic": 0.77,
    "share": 0.22,
    "unknown": -0.55,
}


def yes_no_sentences(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Pick]:
    """The likeliest sentence of each passage, with its time; likeliest first.

    ``hits`` are texts, best first; as many are read as for other questions.
    """
    return likeliest_first(yes_no_candidates(parsed, hits), _WEIGHTS)


def yes_no_candidates(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[tuple[Pick, Features]]:
    """The sentences with their features."""
    times, passages = passages_of(hits)
    found = bundled_yes_no_reader().tell(parsed.core, parsed.window, passages)
    picks = [
        pick_of(
            AnswerSpan(one.passage, one.at, one.at + 1, one.score),
            hits[one.passage],
            times[one.passage],
            parsed.window,
        )
        for one in found
    ]
    return list(zip(picks, _features(picks, parsed, hits), strict=True))


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
