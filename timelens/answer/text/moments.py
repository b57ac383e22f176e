"""The moments that texts tell for a question that asks when, with their probabilities.

The moment reader gives the odds of each sentence, and of what dates it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from timelens.answer.hit_times import stated_in
from timelens.answer.relevance import said_by, topic_of
from timelens.answer.scorecard import Features, score_of
from timelens.answer.sentences import is_fragment
from timelens.answer.text.pick_features import features_of_place, log_odds_of_any, log_sum
from timelens.answer.text.picked_spans import MOST_PASSAGES, Pick, passages_of
from timelens.answer.text.sentence_match import AnswerType, answer_type_of, is_question
from timelens.answer.text.versions import has_version, version_named
from timelens.documents import Chunk, EventSource, Hit
from timelens.lexicon import OPPOSITES
from timelens.question.parsed_question import ParsedQuestion
from timelens.question.roles import END_VERBS, START_VERBS, Role, role_of
from timelens.question.tense import PAST_FORM
from timelens.reader.moment_reader import bundled_moment_reader
from timelens.reader.passages import times_in
from timelens.temporal.expressions import Expression
from timelens.temporal.interval import Interval, granule
from timelens.temporal.phrasing import phrase
from timelens.words import topic_words

_LIMIT = 8.0
"""Limit of the reader's log odds."""
_LIKELY = -4.0
"""Minimum log odds of a sentence that may tell the moment."""
_YEAR = 366
"""Maximum number of days of a time that supports a more precise one."""
_SINCE = re.compile(r"\b(?:since|from) (?:when|what|which)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till) (?:when|what|which)\b", re.IGNORECASE)
_TO_THE_LAST = re.compile(r"\b(?:last|still|any ?more|no longer)\b", re.IGNORECASE)
_OPPOSITES = tuple((topic_words(" ".join(one)), topic_words(" ".join(other))) for one, other in OPPOSITES)
"""The stems of each pair of :data:`timelens.lexicon.OPPOSITES`."""
_NEXT_PART = re.compile(r"[,;:()]|\b(?:and|but|then|when|before|after|until)\b", re.IGNORECASE)
"""What stands between the parts of a sentence."""
_WEIGHTS: Mapping[str, float] = {  # by scripts/calibrate_moments.py
    "agreeing": 0.64,
    "bias": -2.62,
    "dated": -0.13,
    "found": 2.99,
    "said": 0.70,
}


def asks_for_moment(parsed: ParsedQuestion) -> bool:
    """Whether a question asks when something happened, began or ended.

    "When does it open?", in the present tense, asks for a value, such as a time of day.
    """
    asks_when = answer_type_of(parsed.question) is AnswerType.TIME
    return asks_when and (not parsed.is_of_now or _SINCE.search(parsed.question) is not None)


def moment_picks(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[Pick]:
    """The sentences that may tell the asked moment, each with its time, likeliest first.

    ``hits`` are texts, best first. Sentences whose time is unknown or outside the asked time are left out, as
    are headings and questions. Sentences with the same time are equally likely; the reader orders them.
    """
    found = moment_candidates(parsed, hits)
    best: dict[Interval | None, float] = {}
    for pick, features in found:
        score = score_of(features, _WEIGHTS)
        best[pick.days] = max(score, best.get(pick.days, score))
    by_reader = sorted(
        (pick for pick, _ in found), key=lambda pick: (-pick.score, pick.hit.chunk.id, pick.first)
    )
    timed = (replace(pick, score=best[pick.days]) for pick in by_reader)
    return sorted(timed, key=lambda pick: -pick.score)


def range_of(pick: Pick) -> tuple[Interval, ...]:
    """The first and the last date of the range that dates a moment ("from 3 March to 21 July 2025").

    Empty if a single date does.
    """
    chunk, sentence = pick.hit.chunk, pick.hit.sentence
    if sentence is None:
        return ()
    start, end = chunk.sentences[sentence]
    ranges = (one.dates for one in times_in(chunk) if start <= one.char_start < end and len(one.dates) > 1)
    return next((dates for dates in ranges if pick.days in dates), ())


def moment_candidates(parsed: ParsedQuestion, hits: Sequence[Hit]) -> list[tuple[Pick, Features]]:
    """The sentences that may tell the asked moment, with their features."""
    read = hits[:MOST_PASSAGES]
    times, passages = passages_of(read, MOST_PASSAGES)
    odds = bundled_moment_reader().odds(
        parsed.question,
        passages,
        [hit.chunk.sentences for hit in read],
        [[(one.char_start, one.char_end) for one in stated] for stated in times],
    )
    role, asked = _role(parsed.question), topic_words(parsed.core)
    does, undoes = _opposed(parsed.question, asked)
    version = version_named(parsed.question)
    found = []
    for hit, stated, (telling, dating) in zip(read, times, odds, strict=True):
        dated = list(zip(stated, dating, strict=True))
        for index, score in enumerate(telling):
            text = hit.chunk.sentence(index)
            if score < _LIKELY or is_fragment(hit.chunk, index) or is_question(text):
                continue
            told = topic_words(text) if undoes else frozenset[str]()
            if told & undoes and not told & does:
                continue  # "reopened on 1 June", where it is asked when it was closed
            if version is not None and not has_version(f"{hit.chunk.title}\n{text}", version):
                continue
            time, dating_it = _time(hit.chunk, index, dated, role, asked)
            if time is None or not (parsed.window is None or time.intersects(parsed.window)):
                continue
            place = replace(hit, sentence=index, interval=time)
            said = _said(time, dating_it)
            found.append((Pick(said, place, min(_LIMIT, score), index, time), dating_it is not None))
    return list(zip((pick for pick, _ in found), _features(found, parsed, hits), strict=True))


def _opposed(question: str, asked: AbstractSet[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words for what happened, and for what undoes it: "closed" and "reopened".

    Both are empty if the question asks for an end, which is told by what undoes it, or has both.
    """
    if _SINCE.search(question) or _UNTIL.search(question) or _TO_THE_LAST.search(question):
        return frozenset(), frozenset()
    for one, other in _OPPOSITES:
        if bool(one & asked) != bool(other & asked):
            return (one, other) if one & asked else (other, one)
    return frozenset(), frozenset()


def _role(question: str) -> Role:
    """Whether a question asks for the end of something, its start, or neither."""
    return Role.END if _UNTIL.search(question) else role_of(question)


def _time(
    chunk: Chunk, index: int, dated: Sequence[tuple[Expression, float]], role: Role, asked: AbstractSet[str]
) -> tuple[Interval | None, Expression | None]:
    """The time of a moment that a sentence tells, and the expression that dates it.

    Of several dates it is that of the asked verb, if the sentence has it. Without a date, it is the time of
    the entry or the document.
    """
    start, end = chunk.sentences[index]
    own = [(odds, one) for one, odds in dated if start <= one.char_start < end]
    odds, best = max(own, key=lambda each: each[0], default=(0.0, None))
    if best is not None and odds > 0 and len(own) > 1:
        stating = [one for _, one in own if one.dates]
        best = _of_verb(chunk.text, (start, end), stating, asked, role) or best
    if best is not None and odds > 0 and best.dates:
        return moment_of(best.dates[-1] if role is Role.END else best.dates[0]), best
    if own:
        return chunk.published, None
    anchored = [e.interval for e in chunk.events if e.sentence == index and e.source is EventSource.ANCHORED]
    return (anchored[0] if anchored else stated_in(chunk, index, index) or chunk.published), None


def _of_verb(
    text: str, sentence: tuple[int, int], dates: Sequence[Expression], asked: AbstractSet[str], role: Role
) -> Expression | None:
    """The date of a past tense that the question asks for: "closed on 2 May and reopened on 19 May".

    It is the nearest date in the same part of the sentence; ``None`` without such a verb, or such a date.
    """

    def gap(verb: re.Match[str], date: Expression) -> tuple[int, int]:
        start, end = sorted([verb.span(), (date.char_start, date.char_end)])
        between = text[start[1] : end[0]]
        return len(_NEXT_PART.findall(between)), len(between)

    verbs = [verb for verb in PAST_FORM.finditer(text, *sentence) if topic_words(verb.group()) & asked]
    if not verbs and role is not Role.HELD:
        verbs = list((START_VERBS if role is Role.START else END_VERBS).finditer(text, *sentence))
    gaps = [(gap(verb, date), date) for verb in verbs for date in dates]
    (breaks, _), best = min(gaps, key=lambda each: each[0], default=((1, 0), None))
    return None if breaks else best


def _said(time: Interval, stated: Expression | None) -> str:
    """A time in words: those of the text for one with a year, such as "the summer of 1998"."""
    is_own = stated is not None and stated.relation is None and any(map(str.isdigit, stated.text))
    return stated.text if stated is not None and is_own else phrase(time)


def moment_of(days: Interval) -> Interval:
    """The unit of time in which a time without an end begins; another time as it is."""
    is_open = days.start is not None and days.end is None
    return granule(days.start, days.granularity) if is_open and days.start is not None else days


def _features(
    found: Sequence[tuple[Pick, bool]], parsed: ParsedQuestion, hits: Sequence[Hit]
) -> Iterator[Features]:
    """The features of each sentence, among them the share of the odds of those with a supporting time."""
    picks = [pick for pick, _ in found]
    topic = topic_of(parsed.question, hits)
    everything = log_odds_of_any(picks)
    for (pick, dated), of_place in zip(found, features_of_place(picks, topic, hits), strict=True):
        agreeing = [other.score for other in picks if other is pick or _supports(other.days, pick.days)]
        yield {
            "bias": 1.0,
            "found": of_place["found"],
            "said": topic.share(said_by(pick.hit)),
            "dated": float(dated),
            "agreeing": log_sum(agreeing) - everything,
        }


def _supports(one: Interval | None, other: Interval | None) -> bool:
    """Whether one time, of at most a year, contains the other, which may be more precise."""
    return one is not None and other is not None and one.days <= _YEAR and one.contains(other)
