"""Ways to answer by whole sentences, and the refusal with the nearest passages. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.case import BESIDE, ENOUGH, Case, supported_risk
from timelens.answer.extractive.point_in_time import from_point, is_longer, is_told
from timelens.answer.relevance import Topic, is_about, said_by
from timelens.answer.text.answer_selection import Pick
from timelens.answer.text.dated_sentences import dated_sentences
from timelens.answer.text.event_lists import begins_in
from timelens.answer.text.sentence_match import AnswerType, is_heading
from timelens.answer.writing.drafts import from_list, from_sentences, nearest, with_difference, with_events
from timelens.answer.writing.refusals import nothing
from timelens.config import RISK
from timelens.documents import Hit
from timelens.question.intent import counts_distinct
from timelens.temporal.interval import Granularity

_MOST_TURNS = 12
"""Maximum number of sentences that describe a course over time."""
_SPEAKS = 0.45
"""Minimum share of the topic's words in a sentence that describes a period or a course.

On the part ``look`` of ``diachronic.jsonl``, it separates right from wrong answers with two exceptions.
"""


def by_time(case: Case) -> Draft | None:
    """Dated sentences of the asked time, for a question without a topic: "What happened in May 1990?"."""
    parsed = case.parsed
    is_asked = not case.topic.words and parsed.window is not None and parsed.ordinal is None
    if not is_asked or case.asks_whether or case.expected is not AnswerType.ANY:
        return None
    most = BESIDE if case.beside else _MOST_TURNS
    told = dated_sentences(case.topic, case.texts, parsed.window, case.expected, most)
    found = [hit for hit in told if not is_longer(hit, parsed)]
    if not found:
        return nothing(parsed, case.span, beside=case.beside)
    status = Status.ANSWERED if parsed.is_point or not case.has_gaps else Status.PARTIAL
    return from_sentences(found, case.expected, case.topic, status)


def by_list(case: Case) -> Draft | None:
    """The events told by texts, one line each."""
    if not case.listed:
        return None
    return with_events(from_list(case.parsed, case.listed, case.topic), case.events)


def by_own_sentences(case: Case) -> Draft | None:
    """Sentences dated inside this period, if the question has several periods."""
    if not case.beside or case.parsed.ordinal is not None:
        return None
    own = dated_sentences(case.topic, case.inside, case.parsed.window, case.expected, BESIDE)
    if not own:
        return None
    if not _speak_enough(case.topic, own):
        return unclear(case)
    return with_events(from_sentences(own, case.expected, case.topic, Status.ANSWERED), case.events)


def by_sentence(case: Case) -> Draft | None:
    """The sentence with most of the question's words, if the asked time or the reader confirms it.

    Not for yes-no questions. If the accepted risk is lower than the default, only the reader confirms.
    """
    is_asked = case.parsed.is_point and not case.asks_whether
    if not is_asked or not is_told(case.told[0], case.topic, case.parsed):
        return None
    by_time = case.risk >= RISK and _time_tells(case)
    if not by_time and not _is_read_in(case.told[0].hit, case.picks, 1 - supported_risk(case.risk)):
        return None
    draft = from_point(case.told, case.expected, case.topic, case.parsed.ordinal)
    return with_events(draft, case.events)


def _time_tells(case: Case) -> bool:
    """Whether the asked time admits few texts on a topic.

    This is so for a window of at most a month, and for an order ("first", "last") relative to a named day or
    month. Days that were resolved from an event do not count as named.
    """
    window, parsed = case.parsed.window, case.parsed
    if window is None or parsed.current:
        return False
    is_named = window.granularity.days <= Granularity.MONTH.days and not (parsed.implicit or case.events)
    return window.days <= Granularity.MONTH.days or (parsed.ordinal is not None and is_named)


def _is_read_in(hit: Hit, found: Sequence[Pick], least: float) -> bool:
    """Whether the first pick has at least the probability ``least`` and is in the hit's best sentence."""
    return bool(found) and found[0].probability >= least and found[0].stands_in(hit)


def by_course(case: Case) -> Draft | None:
    """Dated sentences over a stretch of time; not for questions that count things or events."""
    if case.parsed.is_point or case.parsed.count > 1 or counts_distinct(case.parsed.question):
        return None
    hits = [hit for hit in case.pool if not case.parsed.several or begins_in(hit, case.parsed)]
    values = case.values if case.is_read else ()
    found = dated_sentences(case.topic, hits, case.parsed.window, case.expected, _MOST_TURNS, values=values)
    if not _speak_enough(case.topic, found) and not case.course:
        return None
    status = Status.PARTIAL if case.has_gaps and not case.parsed.several else Status.ANSWERED
    draft = from_sentences(found, case.expected, case.topic, status)
    return with_difference(replace(draft, series=tuple(case.course)), case.course)


def _speak_enough(topic: Topic, sentences: Sequence[Hit]) -> bool:
    """Whether a sentence with its title has the share ``_SPEAKS`` of the topic's words."""
    return max((topic.share(said_by(hit)) for hit in sentences), default=0.0) >= _SPEAKS


def unclear(case: Case) -> Draft:
    """A refusal with the nearest texts on topic, or else with the rows of the solver.

    Hits of the reader and hits inside the asked time with most of the question's words alternate; the other
    texts follow in the order of retrieval. Headings are left out.
    """
    read = case.picks if case.is_one and case.is_read else case.telling
    by_reader, by_words = ([one.hit for one in found] for found in (read, case.readings))
    turns = zip_longest(by_reader, by_words)
    ranked = [*(hit for turn in turns for hit in turn if hit is not None), *case.texts]
    first: dict[str, Hit] = {}
    for hit in ranked:
        if is_about(case.topic, hit) and not is_heading(hit):
            first.setdefault(hit.chunk.id, hit)
    solution = case.solution
    rows = solution.chosen if solution is not None and solution.kind.fit >= ENOUGH else ()
    near = list(first.values()) or rows
    return nearest(case.parsed, near, case.topic, case.span, beside=case.beside)
