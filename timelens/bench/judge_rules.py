"""The judge ``rules``: deterministic, from the times and the words for time in a document. Pure."""

import re
from collections.abc import Sequence

from timelens import Focus
from timelens.bench.judge_task import RECENT_DAYS, JudgedPeriod, Need
from timelens.bench.measures import Judgement, states
from timelens.lexicon import CARDINALS, TENS, one_of
from timelens.temporal import Expression, Interval, find_expressions
from timelens.words import topic_words

_ENOUGH_WORDS = 3
_NUMBER = rf"(?:\d+(?:[.,]\d+)?|an?|{one_of([*CARDINALS, *TENS])}|several|many|few|half a|a couple of)"
_LENGTH = re.compile(
    rf"\b{_NUMBER}[\s-]+(?:second|minute|hour|day|night|week|fortnight|month|quarter|year|decade|centur)\w*",
    re.IGNORECASE,
)
_RECENT = re.compile(
    r"\b(?:now|nowadays|today|current(?:ly)?|recent(?:ly)?|lately|latest|at present|presently|these days"
    r"|so far|to date|still)\b",
    re.IGNORECASE,
)


class RulesJudge:
    """A document is relevant if it is on topic and has the type of time that the question asks for.

    - On topic: the document shares a third of the words of the question without its time, or at least three
      of them if the question is long. Function words are ignored, and inflections count as equal.
    - The type of time, by the focus of the question: a length of time, or a range with both ends (duration);
      a date of the last three years or a word for now (recency); otherwise a date, and if the question asks
      about given days, a date that shares a day with them.
    - A document on topic covers a period if a date in it shares a day with the period; for a period without
      days, if it has the words of the period; for a period up to now, also if it has a word for now. Such a
      document is relevant. A document off topic covers nothing.
    """

    name = "rules"

    def judge(self, need: Need, documents: Sequence[str]) -> list[Judgement | None]:
        """One judgement per document; the rules never fail."""
        topic = topic_words(need.core)
        return [self._one(need, topic, document) for document in documents]

    def _one(self, need: Need, topic: frozenset[str], document: str) -> Judgement:
        enough = min(_ENOUGH_WORDS, (len(topic) + 2) // 3)
        if len(topic & topic_words(document)) < enough:
            return Judgement(relevant=False, covered=(False,) * len(need.periods))
        found = find_expressions(document)
        times = [expression.interval for expression in found if expression.interval is not None]
        covered = tuple(_covers(period, document, times) for period in need.periods)
        return Judgement(any(covered) or _has_time(need, document, found, times), covered)


def _covers(period: JudgedPeriod, document: str, times: Sequence[Interval]) -> bool:
    if period.recent and _RECENT.search(document):
        return True
    if period.interval is None:
        return states(document, period.words)
    return any(period.interval.intersects(time) for time in times)


def _has_time(need: Need, document: str, found: Sequence[Expression], times: Sequence[Interval]) -> bool:
    if need.focus is Focus.DURATION:
        return _LENGTH.search(document) is not None or any(len(each.dates) == 2 for each in found)
    if need.focus is Focus.RECENCY:
        recent = Interval(need.now - RECENT_DAYS, need.now + 1)
        return _RECENT.search(document) is not None or any(recent.intersects(time) for time in times)
    return any(not need.asked or any(one.intersects(time) for one in need.asked) for time in times)
