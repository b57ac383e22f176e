"""An answer in the form that is scored. Pure.

A model's answer is scored twice: its own text before any replacement, and the text that the user sees.
Everything that a score needs of an answer is in a :class:`Prediction` and its text, which a run stores.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from timelens import Answer, Status
from timelens.bench.free_text import named_in, refuses
from timelens.bench.measures import Named, Outcome, StatedDay, Unstated
from timelens.bench.multiple_choice import chosen
from timelens.bench.suite_data import Gold
from timelens.temporal import Day, format_day, parse_day

_CITATION = re.compile(r" ?\[\d+\]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Prediction:
    """An answer as it is scored."""

    short: str
    """The text that EM and F1 compare; for multiple choice, the chosen choice."""
    refused: bool = False
    values: tuple[Named, ...] = ()
    """The names given, with their days: the values of the rules, or names read from a model's text."""
    grade: float | None = None
    """The share of the reference answer that a judge finds in it, 0..1; ``None`` if not graded."""

    def as_json(self) -> dict[str, Any]:
        """The prediction as JSON, with days as ISO dates."""
        values = [
            {"text": one.text, "start": _written(one.start), "end": _written(one.end)} for one in self.values
        ]
        return {"short": self.short, "refused": self.refused, "values": values, "grade": self.grade}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Restore a prediction from :meth:`as_json`.

        Raises:
            ValueError: a day is invalid.
            TypeError, KeyError: the record has another form.
        """
        values = tuple(Named(one["text"], _read(one["start"]), _read(one["end"])) for one in record["values"])
        return cls(record["short"], record["refused"], values, record["grade"])


def without_citations(text: str) -> str:
    """The text of an answer as it is scored, without citations."""
    return _CITATION.sub("", text)


def by_rules(answer: Answer, gold: Gold) -> Prediction:
    """The prediction of an answer that no model worded: its names are the answer's values."""
    if answer.status is Status.NO_ANSWER:
        return Prediction("", refused=True)
    text = without_citations(answer.text)
    if gold.choices:
        return Prediction(chosen(text, gold.choices) or "")
    values = tuple(Named(value.text, value.start, value.end) for value in answer.values)
    return Prediction(", ".join(value.text for value in values) or text, values=values)


def as_written(text: str, question: str, gold: Gold, now: Day) -> Prediction:
    """The prediction of a model's own text: names, days and refusal are read from the text alone."""
    return Prediction("", refused=True) if refuses(text) else _read_in(text, question, gold, now)


def as_shown(answer: Answer, question: str, gold: Gold, now: Day) -> Prediction:
    """The prediction of what the user sees of an answer that a model worded.

    The short answer is the answer's values, if there are any. Names and times are read from the text.
    """
    if answer.status is Status.NO_ANSWER:
        return Prediction("", refused=True)
    read = _read_in(answer.text, question, gold, now)
    short = ", ".join(value.text for value in answer.values)
    return Prediction(short, values=read.values) if short and not gold.choices else read


def outcome_of(
    ranking: tuple[str, ...], stating: tuple[int, ...], text: str | None, said: Prediction | None, gold: Gold
) -> Outcome:
    """The outcome for the measures of answers, from a prediction and its text if there are any."""
    if text is None or said is None:
        return Outcome(ranking, stating)
    if said.refused:
        return Outcome(ranking, stating, "", "", refused=True, grade=said.grade)
    plain = without_citations(text)
    names = (value.text for value in said.values)
    return Outcome(
        ranking,
        stating,
        said.short,
        said.short if gold.choices else "\n".join([plain, *names]),
        tuple(plain.splitlines()),
        values=said.values,
        grade=said.grade,
    )


def _read_in(text: str, question: str, gold: Gold, now: Day) -> Prediction:
    plain = without_citations(text)
    if gold.choices:
        return Prediction(chosen(plain, gold.choices) or "")
    values = () if gold.timed is None else named_in(plain, question, gold, now)
    return Prediction(plain.strip(), values=values)


def _written(day: StatedDay) -> str | None:
    return day if day is None or isinstance(day, Unstated) else format_day(day)


def _read(day: str | None) -> StatedDay:
    return None if day is None else Unstated(day) if day in set(Unstated) else parse_day(day)
