"""The tense of the sentence around a phrase, on which the choice of a date may depend."""

import re
from dataclasses import replace

from timelens.lexicon import PAST_VERBS, one_of
from timelens.temporal.anchoring import Anchors, Tense
from timelens.temporal.constraints import Relation
from timelens.temporal.grammar import Phrase
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules.rule import ExpressionKind
from timelens.temporal.vocabulary import SPACE
from timelens.temporal.year_model import FUNCTION_WORDS

_SENTENCE = 100
"""Characters on either side of an expression that are searched for the tense of its sentence."""
_ARRANGED = (
    r"(?:(?:arranged|booked|expected|fixed|planned|scheduled|set) for"
    r"|expected (?:in|on|by|before|after|at))\b"
)
_FUTURE = Pattern(
    r"\b(?<!\bwas )(?<!\bwere )(?:won['\u2019]t|will|shall|(?:must|should|ought to)(?! have\b)"
    r"|(?:needs?|has|have) to|(?:is|are|am|be) (?:to|going|due|set|scheduled|expected|planned)"
    r"|plan(?:s|ning)? to|expects? to|hopes? to"
    rf"|due(?! (?:to|course)\b)|deadline|please|{_ARRANGED}|see you)\b|['\u2019]ll\b"
)
_ORDER = Pattern(r"\W*(?P<verb>(?-i:[A-Z])[a-z]+) (?:it|them|me|us)\b")
"""An imperative with its object at the beginning of a sentence, if its first word is a verb."""
_PAST = Pattern(
    rf"\b(?:was|were|had|did|has been(?! {_ARRANGED})"
    rf"|(?<!\bbe )(?<!\bis )(?<!\bare )(?!{_ARRANGED})(?:[a-z]{{3,}}ed|{one_of(PAST_VERBS)}))\b"
)
"""A verb in the past; a participle behind "is" or "be" is none."""
_NEAREST = Pattern(rf"(?s:.*)(?:(?P<future>{_FUTURE.pattern})|{_PAST.pattern})")
"""The last verb before a date that shows its tense."""
_OF_FUTURE = frozenset(
    "will shall won must should ought needs need has have is are am be plan plans planning expects expect"
    " hopes hope due deadline please for expected see ll".split()
)
"""Words of which at least one occurs in every match of ``_FUTURE``."""
_OF_PAST = frozenset({"was", "were", "had", "did", "been", *PAST_VERBS})
"""Words of which at least one occurs in every match of ``_PAST``, except for verbs in "ed"."""
_PLANNED = Pattern(
    rf"(?:\b(?:we|i|they){SPACE}[a-z]+|\b(?:back|opens|closes|starts|begins|ends|leaves|arrives|expires)){SPACE}\Z"
)
_PLANNED_AFTER = Pattern(rf",?{SPACE}(?:we|i|they){SPACE}(?!have\b)[a-z]+")
"""A verb right beside a time, with a person before it or of a beginning or end: "we open in …"."""
_WORD = re.compile("[a-z]+")
_SENTENCE_END = re.compile(r"[.!?\n](?:\s|\Z)")
_SENTENCE_END_BEFORE = re.compile(r"[.!?\n]\s")


def with_tense(text: str, phrase: Phrase, anchors: Anchors) -> Anchors:
    """The anchors with the tense of the sentence, if the choice of a date depends on it.

    It does for weekdays and for dates without a year that count from the day of writing. What is to be done
    "by" a day lies ahead unless a verb is in the past.
    """
    kind = phrase.first.rule.kind
    from_writing = kind is ExpressionKind.RELATIVE or (
        kind is ExpressionKind.ANCHORED and anchors.narrative is None
    )
    if anchors.creation is None or not from_writing:
        return anchors
    start = phrase.first.start
    before = _SENTENCE_END_BEFORE.split(text[max(0, start - _SENTENCE) : start])[-1]
    after = _SENTENCE_END.split(text[phrase.end : phrase.end + _SENTENCE], 1)[0]
    around = f"{before} {after}".lower()
    words = frozenset(_WORD.findall(around))
    is_future = bool(words & _OF_FUTURE and (_FUTURE.search(before) or _FUTURE.search(after)))
    may_be_past = "ed" in around or words & _OF_PAST
    is_past = bool(may_be_past and (_PAST.search(before) or _PAST.search(after)))
    if is_future and is_past and (nearest := _NEAREST.match(before)) is not None:
        is_future = nearest["future"] is not None
        is_past = not is_future
    if not is_past:
        is_future = is_future or phrase.relation is Relation.BY or _is_order(before)
    if is_future != is_past:
        return replace(anchors, tense=Tense.PAST if is_past else Tense.FUTURE)
    if not is_past and (_PLANNED.search(before) or _PLANNED_AFTER.match(after)):
        return replace(anchors, tense=Tense.PLANNED)
    return anchors


def _is_order(before: str) -> bool:
    """Whether a sentence begins with an imperative and its object: "Send it"."""
    order = _ORDER.match(before)
    return order is not None and order["verb"].lower() not in FUNCTION_WORDS
