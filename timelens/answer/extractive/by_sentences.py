"""Ways to answer by whole sentences, and the refusal with the nearest passages.

The sentence reader and the reader of spans are asked.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from timelens.answer.draft import Draft, Status
from timelens.answer.extractive.case import BESIDE, ENOUGH, Case, supported_risk
from timelens.answer.extractive.point_in_time import from_point, is_longer, is_told
from timelens.answer.relevance import is_about, said_by, words_of
from timelens.answer.sentences import stating
from timelens.answer.tables.linking import Match
from timelens.answer.text.course_sentences import spread_over_time
from timelens.answer.text.dated_sentences import dated_sentences
from timelens.answer.text.picked_spans import Pick
from timelens.answer.text.sentence_match import AnswerType
from timelens.answer.text.value_statements import pick_at
from timelens.answer.writing.drafts import (
    MOST_NEAREST,
    from_list,
    from_sentences,
    nearest,
    with_difference,
    with_events,
)
from timelens.answer.writing.fact_drafts import from_facts
from timelens.answer.writing.refusals import nothing
from timelens.config import RISK
from timelens.documents import Hit
from timelens.question.asked_numbers import counts_distinct
from timelens.temporal.interval import Granularity

_ALIKE = 0.3
"""Minimum similarity of a text to the question, 0..1, for one on topic that has none of its words."""
_VALUED = 0.2
"""Minimum probability of a value in a sentence that states one."""
_POSSIBLE = 0.1
"""Minimum probability of what the reader found for its text to be among the nearest ones."""
_MOST_ROWS = 2
"""Maximum number of rows of a table before the nearest texts."""
_MOST_TURNS = 12
"""Maximum number of sentences that describe a course over time."""


def by_time(case: Case) -> Draft | None:
    """Dated sentences of the asked time, for a question without a topic: "What happened in May 1990?"."""
    parsed = case.parsed
    is_asked = not case.topic.words and parsed.ordinal is None and not case.asks_whether
    if not is_asked or parsed.window is None or case.expected is not AnswerType.ANY:
        return None
    most = BESIDE if case.beside else _MOST_TURNS
    told = dated_sentences(case.texts, parsed.window, most)
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
    """The sentences of this period that belong in the answer, if the question has several periods."""
    if not case.beside or case.parsed.ordinal is not None or not case.over_time:
        return None
    found = [pick.hit for pick in case.over_time[:BESIDE]]
    return with_events(from_sentences(found, case.expected, case.topic, Status.ANSWERED), case.events)


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
    """The sentences that belong in an answer over time; not for questions that count things or events."""
    counts = case.parsed.count > 1 or counts_distinct(case.parsed.question)
    if case.parsed.is_point or counts or not case.over_time or len(case.counted) > 1:
        return None
    found = [pick.hit for pick in spread_over_time(_with_values(case), _MOST_TURNS)]
    status = Status.PARTIAL if case.has_gaps and not case.parsed.several else Status.ANSWERED
    draft = from_sentences(found, case.expected, case.topic, status)
    return with_difference(replace(draft, series=tuple(case.course)), case.course)


def _with_values(case: Case) -> Sequence[Pick]:
    """The sentences of an answer over time, likeliest first.

    If there are several sure values, sentences that state no value have to be sure, too, and the sentences of
    sure values are added if they are missing.
    """
    if not case.course:
        return case.over_time
    valued = {one.hit.key for one in case.values if one.probability >= _VALUED}
    told = [
        pick
        for pick in case.over_time
        if pick.probability >= 1 - case.risk or (pick.hit.chunk.id, pick.first) in valued
    ]
    places = {(pick.hit.chunk.id, pick.first) for pick in told}
    missing = [one for one in case.course if one.hit.key not in places]
    return sorted([*told, *map(pick_at, missing)], key=lambda pick: -pick.score)


def unclear(case: Case) -> Draft:
    """A refusal with the nearest texts on topic, and with the rows of the solver if they are as near.

    Without such a text, with the rows if the reader takes one of them to be rather meant than not.

    Hits of the reader and sentences with the question's words alternate; the other texts follow in the order
    of retrieval, those with its words first. Fragments are left out if they can be. Without any text, it is
    the refusal by the rows of other times. For a question that asks how many there are, it is one text for
    each thing that is named, if there are several, oldest first.
    """
    if len(case.counted) > 1:
        named = {one.hit.key: one.hit for one in case.counted}
        hits = list(named.values())
        return nearest(case.parsed, hits, case.topic, case.span, beside=case.beside, counted=True)
    read = case.picks if case.is_one and case.is_read else case.telling
    by_reader = [one.hit for one in read if one.probability >= _POSSIBLE]
    by_words = _with_its_words(case)
    turns = zip_longest(by_reader, by_words)
    ranked = [*(hit for turn in turns for hit in turn if hit is not None), *case.texts]
    alike = [hit for hit in case.texts if (hit.scores.semantic or 0.0) >= _ALIKE]
    told = stating([*(hit for hit in ranked if is_about(case.topic, hit)), *alike])
    least = max([ENOUGH, *(case.topic.share(words_of(hit)) for hit in told[:MOST_NEAREST])])
    solution = case.solution
    if solution is not None and (solution.kind.fit >= least or (not told and solution.kind.is_likely)):
        told = [*solution.chosen[:_MOST_ROWS], *told]
        if not told and solution.match is not Match.NONE:
            return from_facts(case.parsed, solution, case.span, beside=case.beside)
    return nearest(case.parsed, told, case.topic, case.span, beside=case.beside)


def _with_its_words(case: Case) -> list[Hit]:
    """The sentences with words of the question: those inside the asked time, then the best of each text.

    Each of the two in the order of the share of the question's words in the sentence and its title.
    """
    inside = sorted((one for one in case.readings if one.said), key=lambda one: -one.said)
    shares = [(case.topic.share(said_by(hit)), hit) for hit in case.texts]
    others = sorted((pair for pair in shares if pair[0]), key=lambda pair: -pair[0])
    return [*(one.hit for one in inside), *(hit for _, hit in others)]
