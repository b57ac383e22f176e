"""Ways to an answer by whole sentences, and the nearest passages where none is clear. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from timelens.answer.case import BESIDE, Case
from timelens.answer.course import dated_sentences
from timelens.answer.drafts import from_list, from_sentences, nearest, nothing, with_difference, with_events
from timelens.answer.lists import begins_in
from timelens.answer.model import Draft, Status
from timelens.answer.picking import Pick
from timelens.answer.points import from_point, is_told
from timelens.answer.reading import Expected, is_heading
from timelens.answer.topic import Topic, is_about, said_by
from timelens.config import RISK
from timelens.documents import Hit
from timelens.question.intent import counts_distinct
from timelens.temporal.interval import Granularity

_MOST_TURNS = 12
"""Sentences that tell the course of a stretch of time."""
_SPEAKS = 0.45
"""The share of the question's words by which a sentence is taken to tell of a period or a course.

Of the questions of ``diachronic.jsonl`` to look at it parts the right answers from the wrong but for two.
"""


def by_time(case: Case) -> Draft | None:
    """What texts tell of a time, where nothing but the time is asked about: "What happened in May 1990?"."""
    parsed = case.parsed
    is_asked = not case.topic.words and parsed.window is not None and parsed.ordinal is None
    if not is_asked or case.asks_whether or case.expected is not Expected.ANY:
        return None
    most = BESIDE if case.beside else _MOST_TURNS
    found = dated_sentences(case.topic, case.texts, parsed.window, case.expected, most)
    if not found:
        return nothing(parsed, case.span, beside=case.beside)
    status = Status.ANSWERED if parsed.is_point or not case.has_gaps else Status.PARTIAL
    return from_sentences(found, case.expected, case.topic, status)


def by_list(case: Case) -> Draft | None:
    """The events that texts tell of, a line each."""
    if not case.listed:
        return None
    return with_events(from_list(case.parsed, case.listed, case.topic), case.events)


def by_own_sentences(case: Case) -> Draft | None:
    """Sentences with a date in the period, which is one of several."""
    if not case.beside or case.parsed.ordinal is not None:
        return None
    own = dated_sentences(case.topic, case.inside, case.parsed.window, case.expected, BESIDE)
    if not own:
        return None
    if not _speak_enough(case.topic, own):
        return unclear(case)
    return with_events(from_sentences(own, case.expected, case.topic, Status.ANSWERED), case.events)


def by_sentence(case: Case) -> Draft | None:
    """The sentence with most of the words, where it is the one of its time or the reader too answers from it.

    It says neither yes nor no. At less than the usual risk its time is not enough.
    """
    is_asked = case.parsed.is_point and not case.asks_whether
    if not is_asked or not is_told(case.told[0], case.topic, case.parsed):
        return None
    by_time = case.risk >= RISK and _time_tells(case)
    if not by_time and not _is_read_in(case.told[0].hit, case.picks, case.likely):
        return None
    draft = from_point(case.told, case.expected, case.topic, case.parsed.ordinal)
    return with_events(draft, case.events)


def _time_tells(case: Case) -> bool:
    """Whether the asked time leaves few texts on a topic: a month at most, or beside a named day or month.

    The days of an event, or of someone's predecessor, are not named.
    """
    window, parsed = case.parsed.window, case.parsed
    if window is None or parsed.current:
        return False
    is_named = window.granularity.days <= Granularity.MONTH.days and not (parsed.implicit or case.events)
    return window.days <= Granularity.MONTH.days or (parsed.ordinal is not None and is_named)


def _is_read_in(hit: Hit, found: Sequence[Pick], least: float) -> bool:
    """Whether the likeliest answer, the first, stands in the best sentence of a hit; ``least`` log odds."""
    return bool(found) and found[0].score >= least and found[0].stands_in(hit)


def by_course(case: Case) -> Draft | None:
    """Dated sentences over a stretch of time, which do not tell how many things or times there were in it."""
    if case.parsed.is_point or case.parsed.count > 1 or counts_distinct(case.parsed.question):
        return None
    hits = [hit for hit in case.pool if not case.parsed.several or begins_in(hit, case.parsed)]
    values = case.values if case.is_read else ()
    found = dated_sentences(case.topic, hits, case.parsed.window, case.expected, _MOST_TURNS, values=values)
    status = Status.PARTIAL if case.has_gaps and not case.parsed.several else Status.ANSWERED
    if not _speak_enough(case.topic, found) and not case.course:
        return None
    draft = from_sentences(found, case.expected, case.topic, status)
    return with_difference(replace(draft, series=tuple(case.course)), case.course)


def _speak_enough(topic: Topic, sentences: Sequence[Hit]) -> bool:
    """Whether one of some sentences, with its title, says enough of what is asked to answer it."""
    return max((topic.share(said_by(hit)) for hit in sentences), default=0.0) >= _SPEAKS


def unclear(case: Case) -> Draft:
    """That no clear statement was found, with the texts on topic that come nearest.

    Those in which the reader reads an answer, or which it takes to tell yes or no, come by turns with those
    of the asked time that have most of the words; then others as they were found. A heading is none.
    """
    read = case.picks if case.is_one and case.is_read else case.telling
    by_reader, by_words = ([one.hit for one in found] for found in (read, case.readings))
    turns = zip_longest(by_reader, by_words)
    ranked = [*(hit for turn in turns for hit in turn if hit is not None), *case.texts]
    first: dict[str, Hit] = {}
    for hit in ranked:
        if is_about(case.topic, hit) and not is_heading(hit):
            first.setdefault(hit.chunk.id, hit)
    near = list(first.values())
    return nearest(case.parsed, near, case.topic, case.span, beside=case.beside)
