"""Answers without a language model: from facts by the solver, from texts by what is read in them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from timelens.answer.by_facts import by_facts, by_order, by_records
from timelens.answer.by_reading import by_length, by_neighbour, by_reading, by_telling
from timelens.answer.by_sentences import by_course, by_list, by_own_sentences, by_sentence, by_time, unclear
from timelens.answer.case import Case, case_of
from timelens.answer.events import DatedEvent
from timelens.answer.model import Decision, Draft, Status
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
    tried = ((name, way(case)) for name, way in _WAYS.items())
    name, draft = next((name, draft) for name, draft in tried if draft is not None)
    if draft.status is Status.NO_ANSWER and parsed.count > 1 and parsed.window is None:
        # one text may tell them all: "the first two people on the Moon"
        alone = replace(parsed, count=1, several=False)
        return answer_from(alone, hits, pool, events=events, gaps=gaps, span=span, beside=beside, risk=risk)
    way = _NONE if draft.status is Status.NO_ANSWER else name
    return replace(draft, decisions=(Decision(way, risk, case.candidates),))


def _by_nothing(case: Case) -> Draft | None:
    """That there is no answer: a register has none of the time, or nothing has enough of the words."""
    if case.records is None and not case.topic.unknown and case.told:
        return None
    in_other_words = not case.parsed.is_point and not case.beside and case.course
    return None if in_other_words else unclear(case)


_NONE = "nothing is sure enough"
_WAYS: dict[str, Callable[[Case], Draft | None]] = {
    "rows of tables": by_facts,
    "the days of the two things that are offered": by_order,
    "what texts tell of the time": by_time,
    "lines of a register": by_records,
    "the neighbour of what is named, in what was read": by_neighbour,
    "a start and an end that were read": by_length,
    "what was read in texts": by_reading,
    "sentences that tell yes or no": by_telling,
    "nothing on the topic": _by_nothing,
    "events that texts tell of": by_list,
    "dated sentences of the period": by_own_sentences,
    "the sentence with most words of the question": by_sentence,
    "dated sentences over the time": by_course,
    _NONE: unclear,
}
"""How an answer is found, tried in order; the first that gives one decides, and the last always does."""
