"""Answers without a language model: from facts by the solver, from texts by what is read in them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from timelens.answer.by_facts import by_facts, by_order, by_records
from timelens.answer.by_reading import by_length, by_neighbour, by_reading, by_telling
from timelens.answer.by_sentences import by_course, by_list, by_own_sentences, by_sentence, by_time, unclear
from timelens.answer.case import Case, case_of
from timelens.answer.events import DatedEvent
from timelens.answer.model import Draft, Status
from timelens.config import RISK
from timelens.documents import Hit
from timelens.question.model import ParsedQuestion
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
) -> Draft:
    """An answer made of what the evidence says, word for word, to a question about one time or none.

    ``hits`` are there to be cited, best first; the solver looks at the whole ``pool``. ``events``
    are those that the question names, ``gaps`` the stretches of the asked time without evidence, and ``span``
    is that of the corpus. ``beside`` others, a period is told by sentences of its own time where it has some.
    Where no line can be made of texts that are on topic, the nearest passages are named. ``risk``, 0..1, is
    how likely what was read in a text may be wrong and still be given as the answer.
    """
    case = case_of(parsed, hits, pool, events, span, beside=beside, has_gaps=bool(gaps), risk=risk)
    drafts = (way(case) for way in _WAYS)
    draft = next((draft for draft in drafts if draft is not None), None) or unclear(case)
    if draft.status is Status.NO_ANSWER and parsed.count > 1 and parsed.window is None:
        # one text may tell them all: "the first two people on the Moon"
        alone = replace(parsed, count=1, several=False)
        return answer_from(alone, hits, pool, events=events, gaps=gaps, span=span, beside=beside, risk=risk)
    return draft


def _by_nothing(case: Case) -> Draft | None:
    """That there is no answer: a register has none of the time, or nothing has enough of the words."""
    if case.records is None and not case.topic.unknown and case.told:
        return None
    in_other_words = not case.parsed.is_point and not case.beside and case.course
    return None if in_other_words else unclear(case)


_WAYS: tuple[Callable[[Case], Draft | None], ...] = (
    by_facts,
    by_order,
    by_time,
    by_records,
    by_neighbour,
    by_length,
    by_reading,
    by_telling,
    _by_nothing,
    by_list,
    by_own_sentences,
    by_sentence,
    by_course,
)
"""How an answer is found, tried in order; the first that gives one decides."""
