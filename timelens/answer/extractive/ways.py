"""Answers without a language model, from facts by the solver and from texts by the bundled networks.

With the reading adapter, a language model reads the texts in place of the networks.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from timelens.answer.draft import Decision, Draft, Status
from timelens.answer.extractive.by_facts import by_facts, by_order, by_records
from timelens.answer.extractive.by_model import by_model
from timelens.answer.extractive.by_place import by_place
from timelens.answer.extractive.by_reading import by_length, by_neighbour, by_reading, by_telling, by_term
from timelens.answer.extractive.by_rows import by_rows
from timelens.answer.extractive.by_sentences import (
    by_course,
    by_list,
    by_own_sentences,
    by_sentence,
    by_time,
    unclear,
)
from timelens.answer.extractive.by_versions import by_versions
from timelens.answer.extractive.case import Case, ReadByModel, case_of
from timelens.answer.tables.fact_choice import has_lengths
from timelens.answer.text.event_dates import DatedEvent
from timelens.config import RISK
from timelens.documents import Hit
from timelens.question.asked_numbers import length_limit_asked
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.interval import Interval


def answer_from(
    parsed: ParsedQuestion,
    hits: Sequence[Hit],
    pool: Sequence[Hit],
    *,
    events: Sequence[DatedEvent] = (),
    gaps: Sequence[Interval] = (),
    span: Interval | None = None,
    beside: bool = False,
    risk: float = RISK,
    read_by_model: ReadByModel | None = None,
) -> Draft:
    """A verbatim answer from the evidence to a question about one time or none.

    Args:
        parsed: the question, with at most one period.
        hits: citable evidence, best first.
        pool: all evidence; the solver uses all of it.
        events: the dated events that the question names.
        gaps: the parts of the asked time without evidence.
        span: the time that the corpus spans.
        beside: whether this is one of several periods; its own dated sentences are then preferred.
        risk: the accepted probability, 0..1, that an answer read in a text is wrong.
        read_by_model: reads texts with a language model, in place of the bundled reader.

    Returns:
        The draft of the first way that gives one; the last way is a refusal with the nearest passages. For
        "the first two …" without an answer, the question is tried once more without the count.
    """
    case = case_of(
        parsed,
        hits,
        pool,
        events,
        span,
        beside=beside,
        has_gaps=bool(gaps),
        risk=risk,
        read_by_model=read_by_model,
    )
    tried = ((name, way(case)) for name, way in _WAYS.items())
    name, draft = next((name, draft) for name, draft in tried if draft is not None)
    if draft.status is Status.NO_ANSWER and parsed.count > 1 and parsed.window is None:
        # a single text may name them all: "the first two people on the Moon"
        alone = replace(parsed, count=1, several=False)
        return answer_from(
            alone,
            hits,
            pool,
            events=events,
            gaps=gaps,
            span=span,
            beside=beside,
            risk=risk,
            read_by_model=read_by_model,
        )
    way = _NONE if draft.status is Status.NO_ANSWER else name
    return replace(draft, decisions=(Decision(way, case.risk, case.candidates, _ignored(case, way)),))


def _ignored(case: Case, way: str) -> str:
    """The words of a question for how long something lasted, if only a way over texts gave an answer to it.

    Rows with a start and an end tell lengths; see :func:`~timelens.answer.tables.fact_choice.within_length`.
    """
    limit = length_limit_asked(case.parsed.core)
    if limit is None or way == _NONE:
        return ""
    is_of_rows = (
        way in (_WHETHER_ROWS, _ROWS) and case.solution is not None and has_lengths(case.solution.kind)
    )
    return "" if is_of_rows else limit.text


def _by_nothing(case: Case) -> Draft | None:
    """A refusal if no register line fits the time, a name is unknown, or no text has enough of the words."""
    if case.records is None and not case.topic.unknown and case.told:
        return None
    in_other_words = not case.beside and case.over_time
    return None if in_other_words else unclear(case)


_NONE = "nothing is sure enough"
_WHETHER_ROWS, _ROWS = "whether a table has a row", "rows of tables"
_WAYS: dict[str, Callable[[Case], Draft | None]] = {
    _WHETHER_ROWS: by_rows,
    "the row in whose place another one is": by_place,
    _ROWS: by_facts,
    "the versions of a list of changes": by_versions,
    "the days of the two things that are offered": by_order,
    "what texts tell of the time": by_time,
    "lines of a register": by_records,
    "what a language model read in texts": by_model,
    "the neighbour of what is named, in what was read": by_neighbour,
    "a start and an end that were read": by_length,
    "all values of a longer time": by_term,
    "what was read in texts": by_reading,
    "sentences that tell yes or no": by_telling,
    "nothing on the topic": _by_nothing,
    "sentences of an answer over time": by_course,
    "events that texts tell of": by_list,
    "sentences of the period": by_own_sentences,
    "the sentence with most words of the question": by_sentence,
    _NONE: unclear,
}
"""The ways to answer, tried in order; the first draft is used, and the last way always gives one."""
