"""What a question leaves out: "not counting the launches", "apart from Ann". Pure."""

import re

_EXCLUDED = re.compile(
    r"[,;]?\s*(?:\b(?:(?:not|without) (?:counting|including)|leaving out|excluding|except(?:ing)?(?: for)?"
    r"|apart from|other than)|(?<=,)\s*(?:but )?not(?= (?:the|our|my|at|in)\b))\s+(?P<thing>[^,;?.!]+)",
    re.IGNORECASE,
)


def without_excluded(question: str) -> tuple[str, str]:
    """The question without what it leaves out, and the words for that; empty if it leaves out nothing."""
    match = _EXCLUDED.search(question)
    if match is None:
        return question, ""
    return f"{question[: match.start()]}{question[match.end() :]}", match["thing"]
