"""The prompt of the reading adapter: numbered evidence, the question, and a reply of values alone. Pure."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from timelens.answer.citation_numbers import numbers_cited
from timelens.answer.draft import Citation
from timelens.answer.hit_times import time_of
from timelens.answer.rendering.timeline import label
from timelens.answer.scorecard import Features, probability_of, score_of
from timelens.answer.writing.answer_prompt import NO_ANSWER, Prompt, content_of, position_of, request_of
from timelens.documents import Hit
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase

INSTRUCTIONS = f"""\
Answer from the numbered evidence alone. Each piece begins with its number, its time, and how that lies to \
the time asked for. Reply with the answer in the words of the evidence, and the numbers of the pieces that \
state it, as: Ann Lee [2][5]. Put semicolons between several answers, in order of time. If the evidence \
does not tell, reply: {NO_ANSWER}"""
"""The instructions that the adapter was trained with."""

MOST_EVIDENCE = 1200
"""Maximum number of tokens of the evidence, as in training."""
MOST_REPLY = 120
"""Maximum number of tokens of a reply."""

_WEIGHTS: Mapping[str, float] = {"bias": 1.395, "log_probability": 1.145, "log_refusal": -0.153}
"""Weights of the log odds that a reply with values is right, by ``scripts/calibrate_adapter.py``."""
_LEAST_REFUSAL = -12.0

_VALUE = re.compile(r"\s*([^\[\];]*(?:;(?!\s)[^\[\];]*)*)((?:\[\d+\])+)\s*;?")


@dataclass(frozen=True, slots=True)
class ReadingPrompt:
    """The prompt for a question, and its evidence."""

    prompt: Prompt
    citations: tuple[Citation, ...]
    """The pieces in it, numbered from 1 in order of time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value of a reply."""

    value: str
    hits: tuple[Hit, ...]
    """The evidence that states it, by the reply."""


@dataclass(frozen=True, slots=True)
class ModelReading:
    """A model's reply to a reading prompt."""

    written: str
    """The reply, verbatim."""
    readings: tuple[Reading, ...]
    """Its values, in its order; none if it refuses or cites nothing."""
    log_probability: float
    """Of the whole reply."""
    log_refusal: float
    """The log probability of a refusal instead."""

    @property
    def score(self) -> float:
        """The log odds that the reply is right, if it has values."""
        return self._score_of(self.log_probability)

    @property
    def probability(self) -> float:
        """The estimated probability, 0..1, that the reply is right; 0 if it has no values."""
        return probability_of(self.score) if self.readings else 0.0

    @property
    def probability_of_each(self) -> float:
        """The same for one of several values."""
        if not self.readings:
            return 0.0
        return probability_of(self._score_of(self.log_probability / len(self.readings)))

    def _score_of(self, log_probability: float) -> float:
        return score_of(features_of(log_probability, self.log_refusal), _WEIGHTS)


def features_of(log_probability: float, log_refusal: float) -> Features:
    """The features of a reply with values."""
    return {
        "bias": 1.0,
        "log_probability": log_probability,
        "log_refusal": max(log_refusal, _LEAST_REFUSAL),
    }


NOTHING_READ = ModelReading("", (), -math.inf, 0.0)
"""The reading of a model that was stopped."""


def reading_prompt(
    parsed: ParsedQuestion, hits: Sequence[Hit], *, count: Callable[[str], int], most: int = MOST_EVIDENCE
) -> ReadingPrompt:
    """The prompt with the best of ``hits`` that fit into ``most`` tokens together; the first one always.

    The numbers do not tell the rank: pieces are numbered in order of time.
    """
    asked = [period.interval for period in parsed.periods]
    chosen: list[tuple[Hit, str]] = []
    left = most
    for hit in hits:
        piece = _piece(asked, hit)
        left -= count(piece)
        if left < 0 and chosen:
            break
        chosen.append((hit, piece))
    chosen.sort(key=lambda one: _start(one[0]))
    citations = tuple(Citation(number, hit) for number, (hit, _) in enumerate(chosen, start=1))
    lines = [f"[{number}] {piece}" for number, (_, piece) in enumerate(chosen, start=1)]
    shown = frozenset(citation.number for citation in citations)
    return ReadingPrompt(Prompt(INSTRUCTIONS, request_of(parsed, lines, (), ()), shown), citations)


def _piece(asked: Sequence[Interval], hit: Hit) -> str:
    """A piece with the day of its document, or its time if that is unknown."""
    published = hit.chunk.published
    told = label(hit) if published is None or hit.chunk.fact is not None else phrase(published)
    return f"({told}{position_of(published or time_of(hit), asked)}) {content_of(hit)}"


def _start(hit: Hit) -> tuple[float, str, int]:
    time = hit.chunk.published or time_of(hit)
    return float("inf") if time is None else time.bounds[0], hit.chunk.document_id, hit.chunk.ordinal


def reading_of(
    prompt: ReadingPrompt, text: str, *, log_probability: float, log_refusal: float
) -> ModelReading:
    """A reply with its values; ``log_probability`` is of the whole reply, ``log_refusal`` of a refusal."""
    return ModelReading(text, tuple(_readings(text, prompt.citations)), log_probability, log_refusal)


def _readings(text: str, citations: Sequence[Citation]) -> Iterator[Reading]:
    if text.startswith(NO_ANSWER):
        return
    known = {citation.number: citation.hit for citation in citations}
    for words, cited in _VALUE.findall(text):
        hits = [known[n] for n in dict.fromkeys(numbers_cited(cited)) if n in known]
        if words.strip() and hits:
            yield Reading(words.strip(), tuple(hits))
