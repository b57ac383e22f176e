"""What a date after "from" or "about" belongs to: the verb of a question, or a thing in it. Pure.

"Who led it from 2015?" asks about the years since, "emails from 2019" names things of that year. "Built about
1450" is a vague date, "tell me about 1450" an exact one.
"""

import re

from timelens.lexicon import BE, DO, one_of
from timelens.question.intent import is_change, tells_course
from timelens.question.tense import has_verb
from timelens.words import STOP_WORDS, stem

_CLAUSE_BREAK = re.compile(r"[,;:?!]|\.\s|\b(?:that|to (?:be|have))\b", re.IGNORECASE)
_HAVING = re.compile(
    rf"\b(?:(?:{one_of(BE)}) there|there (?:{one_of(BE)})|(?:{one_of(DO)}) \w+ have"
    r"|(?:has|have) \w+ got)\b",
    re.IGNORECASE,
)
"""Verbs that only ask which things there are: "are there any emails", "do we have letters"."""
_DO = re.compile(rf"\b(?:{one_of(DO)})\b", re.IGNORECASE)
_THINGS = frozenset("those these all some any many".split())
"""Function words that may stand for a noun: "only those from 2019"."""
_EACH = re.compile(r"\b(?:each|every)\s+\w+\s+$", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+(?:(?:to|until|till|through)\b|on(?=\W*$))", re.IGNORECASE)
_VERB_NEXT = re.compile(r"\s+(?P<word>[a-z]+)\b")
_TELLING = frozenset(
    map(
        stem,
        "say said tell told know knew talk speak spoke think thought hear learn read write wrote".split(),
    )
)
_TOLD = frozenset(
    map(
        stem,
        "report record document book article paper note letter email story news information more".split(),
    )
)


def is_origin(text: str, start: int, end: int) -> bool:
    """Whether "from" and a date, at ``start`` to ``end``, name things of that date rather than a beginning.

    They do directly after a noun of a clause that has no verb before it ("papers from 2015 discuss"), or
    that only asks whether there are such things, or whose verb follows the date ("did the minutes from May
    mention").
    """
    clause = _CLAUSE_BREAK.split(text[:start])[-1]
    noun = (clause.split() or [""])[-1].casefold()
    if not noun[-1:].isalpha() or (noun in STOP_WORDS and noun not in _THINGS):
        return False
    if _EACH.search(clause) or _GOES_ON.match(text, end) or is_change(clause):
        return False
    if tells_course(clause, of_range=False):
        return False
    clause = _HAVING.sub(" ", clause)
    following = _VERB_NEXT.match(text, end)
    if following is not None and following["word"] not in STOP_WORDS:
        clause = _DO.sub(" ", clause)
    return not has_verb(clause)


def is_topic(text: str, start: int) -> bool:
    """Whether "about" at ``start`` names the topic of something said, known or written."""
    words = [stem(word) for word in re.findall(r"\w+", _CLAUSE_BREAK.split(text[:start])[-1])]
    return not _TELLING.isdisjoint(words) or (bool(words) and words[-1] in _TOLD)
