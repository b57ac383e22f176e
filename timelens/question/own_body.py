"""The body whose documents are asked ("the club", "our society"), which restricts nothing in them. Pure."""

import re
from collections.abc import Set as AbstractSet

from timelens.lexicon import BODIES, one_of
from timelens.words import topic_words

_BODY = re.compile(
    rf"\b(?:(?P<of_others>the)|our|my|this)\s+(?:(?P<kind>(?-i:[a-z]+))\s+)?(?P<body>{one_of(BODIES)})\b(?P<owner>['’]s?(?!\w))?"
    r"(?=\s+(?P<next>\w+))?",
    re.IGNORECASE,
)
_AFTER_PREPOSITION = re.compile(r"\b(?:to|with|in|at|of|by|for|from|on)\s+$", re.IGNORECASE)


def without_body(question: str, known: AbstractSet[str], bodies: AbstractSet[str]) -> str:
    """The question with "we", "us" or "our" in place of such a body, unless the documents know it.

    "The chess club" of documents that do not know it is another body, "our chess club" is the own one.
    "How many members did the club have?" is asked of a table of members, which does not say whose they are.

    Args:
        question: a question.
        known: the topic words of the documents that are asked, which may tell the kind of a body.
        bodies: those of them that may name a body.
    """

    def pronoun(match: re.Match[str]) -> str:
        body, kind, following = (topic_words(match[name] or "") for name in ("body", "kind", "next"))
        is_known = body <= bodies or kind & known or (body <= known and following & known)
        if is_known or (match["of_others"] and match["kind"]):
            return match.group()
        if match["owner"] or following & known:
            return "our"
        return "us" if _AFTER_PREPOSITION.search(question[: match.start()]) else "we"

    return _BODY.sub(pronoun, question)
