"""The measures of a run. Pure: each is a function of one question's outcome and its gold data.

A measure that is undefined for a question is absent from its scores, so that a mean is taken over the
questions for which the measure is defined. Scores are in 0..1 here and in percent in every report.
"""

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from timelens.bench.suite_data import Gold, TimedAnswer
from timelens.temporal import Day

Scores = dict[str, float]


class Unstated(StrEnum):
    """Placeholder for a day that an answer does not state."""

    UNSTATED = "unstated"


StatedDay = Day | Unstated | None
"""A day as an answer gives it; ``None`` if the answer says that there is none: the fact still holds."""


@dataclass(frozen=True, slots=True)
class Named:
    """One name that an answer gives as the answer, with its days."""

    text: str
    start: StatedDay
    end: StatedDay


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's verdict on one document for one question (TEMPO, Appendix C)."""

    relevant: bool
    """Whether the document helps with the temporal information need of the question."""
    covered: tuple[bool, ...] = ()
    """For each period that needs evidence, whether the document has evidence of it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgements of a ranking whose question has temporal intent."""

    verdicts: tuple[Judgement | None, ...]
    """Best document first; ``None`` if the judge failed."""
    periods: int = 0
    """The number of periods that need evidence; 0 if the question does not compare periods."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of asking one question."""

    ranking: tuple[str, ...]
    """Ids of the retrieved documents, best first, without duplicates."""
    stating: tuple[int, ...] = ()
    """Ranks, from 1, of the pieces of evidence that state a gold answer (:func:`ranks_stating`)."""
    answer: str | None = None
    """The short answer, for EM and F1; ``None`` if none was asked for."""
    said: str = ""
    """The full text of the answer."""
    lines: tuple[str, ...] = ()
    """The lines of the answer's text, without citations."""
    refused: bool = False
    """Whether the reply was that there is no answer."""
    values: tuple[Named, ...] = ()
    """The names that the answer gives, each with its days."""
    judged: Judged | None = None
    """The verdicts on the best documents; ``None`` without a judge or without temporal intent."""
    grade: float | None = None
    """The share of the reference answer that the answer states, 0..1, by a judge; ``None`` if not judged."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of one question."""

    name: str
    score: Callable[[Outcome, Gold], float | None]
    """``None`` if the measure is undefined for the question."""


def evidence_recall(k: int) -> Measure:
    """ER@k: 1 if some gold evidence is among the k best documents.

    Defined if there is gold evidence. Source: MRAG, "evidence recall"; the Success@k of ir_measures.
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        wanted = relevant_of(gold)
        return float(any(name in wanted for name in outcome.ranking[:k])) if wanted else None

    return Measure(f"ER@{k}", score)


def ground_truth_recall(k: int) -> Measure:
    """GR@k: 1 if a document that supports an answer is among the k best, as labelled by human readers.

    Defined if such labels exist, even if they name no document. It lies between ER@k, which counts only the
    annotated evidence, and AR@k, which counts any mention of an answer. Source: MRAG, Appendix J.
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        if gold.supporting is None:
            return None
        return float(any(name in gold.supporting for name in outcome.ranking[:k]))

    return Measure(f"GR@{k}", score)


def answer_recall(k: int) -> Measure:
    """AR@k: 1 if some gold answer occurs in the title and text of the k best pieces of evidence.

    Both are normalised, and the answer must match whole words. Defined if there are answers.
    Source: MRAG, "answer recall".
    """

    def score(outcome: Outcome, gold: Gold) -> float | None:
        if not gold.answers:
            return None
        return float(any(rank <= k for rank in outcome.stating))

    return Measure(f"AR@{k}", score)


def ranks_stating(passages: Sequence[str], gold: Gold) -> tuple[int, ...]:
    """The ranks, from 1, of the pieces of evidence whose title and text state a gold answer."""
    return tuple(
        rank
        for rank, text in enumerate(passages, start=1)
        if any(states(text, answer) for answer in gold.answers)
    )


def _exact_match(outcome: Outcome, gold: Gold) -> float | None:
    if outcome.answer is None or not gold.answers:
        return None
    return float(any(_squad(outcome.answer) == _squad(answer) for answer in gold.answers))


def _token_f1(outcome: Outcome, gold: Gold) -> float | None:
    if outcome.answer is None or not gold.answers:
        return None
    return max(_overlap(_squad(outcome.answer).split(), _squad(answer).split()) for answer in gold.answers)


def _accuracy(outcome: Outcome, gold: Gold) -> float | None:
    if gold.timed is not None:
        return _set_accuracy(outcome, gold.timed)
    if outcome.answer is None or not (gold.answers or gold.unanswerable):
        return None
    if gold.unanswerable:
        return float(outcome.refused)
    if gold.choices:
        return float(plain_words(outcome.said) in map(plain_words, gold.answers))
    quantifier = all if gold.all_required else any
    return float(quantifier(states(outcome.said, answer) for answer in gold.answers))


def _set_accuracy(outcome: Outcome, timed: Sequence[TimedAnswer]) -> float | None:
    if outcome.answer is None:
        return None
    named = {plain_words(value.text) for value in outcome.values}
    return float(named == {plain_words(answer.text) for answer in timed} and (bool(timed) or outcome.refused))


def _time_accuracy(outcome: Outcome, gold: Gold) -> float | None:
    if outcome.answer is None or not gold.timed or not gold.ends:
        return None
    stated = [(plain_words(answer.text), end) for answer in gold.timed for end in gold.ends]
    wanted = [(name, end, _days(gold.timed, name, end)) for name, end in dict.fromkeys(stated)]
    right = [bool(_days(outcome.values, name, end) & days) for name, end, days in wanted]
    return sum(right) / len(right)


def _days(answers: Sequence[Named | TimedAnswer], name: str, end: str) -> set[StatedDay]:
    """The days that the answers with a given name have for one end."""
    return {getattr(answer, end) for answer in answers if plain_words(answer.text) == name}


def _answer_and_time(outcome: Outcome, gold: Gold) -> float | None:
    time = _time_accuracy(outcome, gold)
    return None if time is None else float(_accuracy(outcome, gold) == time == 1)


def _without_time(outcome: Outcome, gold: Gold) -> float | None:
    both = _answer_and_time(outcome, gold)
    return None if both is None else (_accuracy(outcome, gold) or 0.0) - both


def _refusal(outcome: Outcome, gold: Gold) -> float | None:
    return float(outcome.refused) if outcome.answer is not None and gold.unanswerable else None


def _false_refusal(outcome: Outcome, gold: Gold) -> float | None:
    if outcome.answer is None or gold.unanswerable is not False:
        return None
    return float(outcome.refused)


EXACT_MATCH = Measure("EM", _exact_match)
"""EM: the short answer equals a gold answer after SQuAD's normalisation; the best gold answer counts.

Source: SQuAD (Rajpurkar et al. 2016) and its official script. Defined if there are answers.
"""

TOKEN_F1 = Measure("F1", _token_f1)
"""F1: harmonic mean of precision and recall of the short answer's words; otherwise as EM."""

ACCURACY = Measure("A", _accuracy)
"""A: the answer states a gold answer in whole words, or every gold answer if all are required.

If there is no answer, a refusal is right. With several choices, the chosen one must be right. If all right
answers are known with their days, the set of values given must equal theirs: none is missing and none is
extra. Source: TDBench, Section 4, "answer accuracy".
"""

TIME_ACCURACY = Measure("T", _time_accuracy)
"""T: the share of the required time references that the answer states right, to the day.

The references are the start, the end or both of each right answer's fact, by the relation of the question
(Table 10). Of several facts with one name, any may match; a fact that still holds must be given no end.
Defined if right answers are known with their days. Source: TDBench, Section 4, "time accuracy".
"""

ANSWER_AND_TIME = Measure("AT", _answer_and_time)
"""AT: 1 if the answer (A) and every required time reference are right. Source: TDBench, Section 4."""

WITHOUT_TIME = Measure("Δ", _without_time)
"""Δ: 1 if the answer is right but a required time reference is not; lower is better.

The mean equals A - AT over the questions that define both. Source: TDBench, Table 4.
"""

REFUSAL = Measure("Refusal", _refusal)
"""Refusal: the share of the questions without an answer that were refused.

Source: SQuAD 2.0 (Rajpurkar et al. 2018), its accuracy on questions without an answer.
"""

FALSE_REFUSAL = Measure("FalseRefusal", _false_refusal)
"""FalseRefusal: the share of the questions with an answer that were refused; lower is better."""

GRADE = Measure("Grade", lambda outcome, _gold: outcome.grade)
"""Grade: the share of the reference answer that a judge finds in the answer, in steps of ten percent.

Defined if there is a reference answer and the judge of answers did not fail; a refusal scores 0.
Source: TEMPO, Appendix G.3, after BRIGHT (Su et al. 2024).
"""

ANSWER_MEASURES = (
    EXACT_MATCH,
    TOKEN_F1,
    ACCURACY,
    TIME_ACCURACY,
    ANSWER_AND_TIME,
    WITHOUT_TIME,
    GRADE,
    REFUSAL,
    FALSE_REFUSAL,
)


def means(names: Sequence[str], scores: Sequence[Mapping[str, float]]) -> dict[str, float | None]:
    """The mean of each measure over the questions that define it, in percent; ``None`` if none does."""
    found: dict[str, float | None] = {}
    for name in names:
        values = [of_one[name] for of_one in scores if name in of_one]
        found[name] = round(100 * sum(values) / len(values), 6) if values else None
    return found


def states(text: str, answer: str) -> bool:
    """Whether a text states an answer in whole words, ignoring case, accents, punctuation and articles."""
    wanted = plain_words(answer)
    return bool(wanted) and f" {wanted} " in f" {plain_words(text)} "


def plain_words(text: str) -> str:
    """The words of a text, joined by spaces, without case, accents, punctuation and articles."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return " ".join(word for word in re.findall(r"[^\W_]+", plain) if word not in {"a", "an", "the"})


def _squad(text: str) -> str:
    """The exact normalisation of SQuAD's evaluation script."""
    plain = "".join(character for character in text.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", plain).split())


def _overlap(said: Sequence[str], gold: Sequence[str]) -> float:
    if not said or not gold:
        return float(said == gold)
    common = (Counter(said) & Counter(gold)).total()
    return 2 * common / (len(said) + len(gold))


def relevant_of(gold: Gold) -> set[str]:
    """The relevant documents: those with a grade above 0."""
    return {name for name, grade in gold.relevant.items() if grade > 0}
