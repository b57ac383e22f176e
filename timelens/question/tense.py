"""Tells questions about the present from questions about the past by their verbs. Pure."""

import re
from collections.abc import Callable, Mapping

from timelens.lexicon import AUXILIARIES, PAST_VERBS, VERB_OF_PAST, one_of

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


_TO_PRESENT: Mapping[str, str] = {"was": "is", "were": "are", "had": "has", "did": "does"}
_TO_PAST = {"is": "was", "are": "were", "has": "had", "have": "had", "does": "did", "do": "did"}
_FIRST_VERB = re.compile(
    r"^(?P<before>(?:[^\s,;:?]+\s+){0,7}?)"
    rf"(?:(?P<aux>{one_of(AUXILIARIES)})|(?P<done>{_PAST_FORMS}))(?=\s|$)",
    re.IGNORECASE,
)
_ASKED_SUBJECT = re.compile(r"(?:who|(?:what|which)(?:\s+[^\s,;:?]+){0,3})\s+", re.IGNORECASE)
"""What stands before the verb of a question for its subject: "who", "which firm"."""
_PLURAL = re.compile(
    r"\s+(?:(?:i|we|you|they|these|those)\b|(?:the\s+|our\s+|your\s+|my\s+)?(?:[^\s,;:?]+\s+)?"
    r"[^\s,;:?]+(?<!s)(?<!u)(?<!i)s\s)",
    re.IGNORECASE,
)
"""A subject in the plural behind its verb."""


def in_present(question: str, is_word: Callable[[str], bool]) -> str:
    """The question with its first verb in the present tense: "who was chair?" becomes "who is chair?".

    ``is_word`` tells whether a form is a word, which tells "look" of "looked" from "bake" of "baked".
    """
    verb = _FIRST_VERB.match(question)
    if verb is None:
        return question
    if verb["done"]:
        subject = _ASKED_SUBJECT.fullmatch(verb["before"])
        if subject is None:
            return question
        base = _infinitive(verb["done"].lower(), is_word)
        is_many = re.search(r"[^su]s\s+$", verb["before"]) is not None
        return _with_verb(question, verb.span("done"), base if is_many else _third_person(base))
    aux = verb["aux"].lower()
    other = _TO_PRESENT.get(aux)
    if other is None:
        return question
    if aux in {"had", "did"} and _PLURAL.match(question, verb.end()):
        other = {"had": "have", "did": "do"}[aux]
    return _with_verb(question, verb.span("aux"), other)


def in_past(question: str) -> str:
    """The question with its first verb in the past tense if that is an auxiliary of the present."""
    verb = _FIRST_VERB.match(question)
    other = None if verb is None or verb["done"] else _TO_PAST.get(verb["aux"].lower())
    return question if verb is None or other is None else _with_verb(question, verb.span("aux"), other)


def _with_verb(question: str, span: tuple[int, int], verb: str) -> str:
    start, end = span
    return f"{question[:start]}{verb.capitalize() if question[start].isupper() else verb}{question[end:]}"


def _infinitive(past: str, is_word: Callable[[str], bool]) -> str:
    """The infinitive of a past tense: "carried", "planned", "baked", "looked" and "kept"."""
    if past in VERB_OF_PAST:
        return VERB_OF_PAST[past]
    stem = past.removesuffix("ed")
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    single = stem[:-1] if stem[-2:-1] == stem[-1:] else ""
    forms = [f"{stem}e", *([single] if single and not is_word(stem) else []), stem]
    return next(filter(is_word, forms), stem)


def _third_person(verb: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
