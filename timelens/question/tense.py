"""Tells questions about the present from questions about the past by their verbs. Pure."""

import re

from timelens.lexicon import PAST_VERBS, one_of

_PAST_FORMS = rf"(?:(?!hundred)[a-z]{{2,}}[^e\W]ed|{one_of(PAST_VERBS)})\b"
"""Past tenses; many of them are past participles too."""
PAST_FORM = re.compile(rf"\b{_PAST_FORMS}", re.IGNORECASE)
_PARTICIPLES = r"(?:been|become|begun|come|done|fallen|given|gone|grown|risen|run|seen|taken)\b"
_PRESENT = re.compile(
    r"\b(?:is|are|am|isn't|aren't|does|do|doesn't|don't|has|have|can|will|may|must|should"
    r"|\w+['’](?:s|re|m|ve))\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:did|was|were|had|didn't|wasn't|weren't|hadn't|used to)\b"
    rf"|\b(?:has|have)\b[^?]*\b(?:{_PARTICIPLES}|{_PAST_FORMS})",
    re.IGNORECASE,
)
_DONE = re.compile(rf"\b(?:got\b|{_PAST_FORMS})", re.IGNORECASE)
_BEGINS_PRESENT = re.compile(
    r"^\s*(?:(?:who|what|which|whose|where|how (?:much|many|often))\b"
    r"(?:(?!\b(?:did|was|were|had)\b)[^?])*?\b(?:is|are|holds?|leads?|does|do)"
    r"|who (?!was\b|has\b)[a-z]+s|is|are|does|do)\b",
    re.IGNORECASE,
)

_FINITE = re.compile(
    r"\b(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|must|should)\b"
    r"|\b(?:who|i|he|she|it|we|you|they)\s+(?!else\b)[a-z]+\b"
    r"|\b(?:who|what|where|that|there|i|he|she|it|we|you|they)['’](?:s|re|m|ve|d|ll)\b"
    r"|^\W*(?:which|what)\s.*[a-z]s\s+(?:(?:the|an?|his|her|its|their|our|my)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
"""Verbs with a subject; in the present tense, those after a pronoun and "which firm owns the …"."""


def has_verb(clause: str) -> bool:
    """Whether a clause has a finite verb; an imperative and an infinitive are none."""
    return _FINITE.search(clause) is not None or _DONE.search(clause) is not None


def is_present(question: str, *, is_one: bool = True) -> bool:
    """Whether a question is in the present tense, or has no verb: "who keeps the keys?", "price of a pint".

    The perfect tense counts as past, because it includes it ("who has been chair?"). A participle beside a
    verb of the present does not: "where is it kept?". A question for several things (``is_one`` is false)
    is in the present tense only if its first verb is.
    """
    if not is_one:
        return _BEGINS_PRESENT.search(question) is not None
    if _PAST.search(question):
        return False
    return _PRESENT.search(question) is not None or _DONE.search(question) is None
