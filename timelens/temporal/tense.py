"""The tense of the sentence around a phrase, on which the choice of a date may depend."""

import re
from dataclasses import replace

from timelens.temporal.anchoring import Anchors, Tense
from timelens.temporal.grammar import Phrase
from timelens.temporal.lazy_pattern import Pattern
from timelens.temporal.rules.rule import ExpressionKind

_SENTENCE = 100
"""Characters on either side of an expression that are searched for the tense of its sentence."""
_ARRANGED = r"(?:arranged|booked|expected|fixed|planned|scheduled) for\b"
_FUTURE = Pattern(
    r"\b(?:will|shall|won['\u2019]t|(?:is|are|am|be) (?:going |due |set |scheduled |expected )?to"
    rf"|plan(?:s|ning)? to|expects? to|hopes? to|due (?:on|in|by)|{_ARRANGED}|see you)\b|['\u2019]ll\b"
)
_PAST = Pattern(
    rf"\b(?:was|were|had|did|has been(?! {_ARRANGED})|(?!{_ARRANGED})[a-z]{{3,}}ed|went|came|said|began|took"
    r"|left|rose|fell|won|lost)\b"
)
_OF_FUTURE = frozenset("will shall won to for due ll see".split())
"""Words of which at least one occurs in every match of ``_FUTURE``."""
_OF_PAST = frozenset("was were had did been went came said began took left rose fell won lost".split())
"""Words of which at least one occurs in every match of ``_PAST``, except for verbs in "ed"."""
_WORD = re.compile("[a-z]+")
_SENTENCE_END = re.compile(r"[.!?\n](?:\s|\Z)")
_SENTENCE_END_BEFORE = re.compile(r"[.!?\n]\s")


def with_tense(text: str, phrase: Phrase, anchors: Anchors) -> Anchors:
    """The anchors with the tense of the sentence, if the choice of a date depends on it.

    It does for weekdays and for dates without a year that count from the day of writing.
    """
    kind = phrase.first.rule.kind
    from_writing = kind is ExpressionKind.RELATIVE or (
        kind is ExpressionKind.ANCHORED and anchors.narrative is None
    )
    if anchors.creation is None or not from_writing:
        return anchors
    before = _SENTENCE_END_BEFORE.split(text[max(0, phrase.start - _SENTENCE) : phrase.start])[-1]
    after = _SENTENCE_END.split(text[phrase.end : phrase.end + _SENTENCE], 1)[0]
    around = f"{before} {after}".lower()
    words = frozenset(_WORD.findall(around))
    is_future = bool(words & _OF_FUTURE and (_FUTURE.search(before) or _FUTURE.search(after)))
    may_be_past = "ed" in around or words & _OF_PAST
    is_past = bool(may_be_past and (_PAST.search(before) or _PAST.search(after)))
    if is_future == is_past:
        return anchors
    return replace(anchors, tense=Tense.PAST if is_past else Tense.FUTURE)
