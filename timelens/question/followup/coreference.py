"""Follow-up questions with a pronoun or "then", and the times that these refer to. Pure."""

import re

from timelens.lexicon import AUXILIARIES, DO, one_of
from timelens.question.followup.conversation import Context
from timelens.question.followup.fragments import with_times
from timelens.question.followup.neighbours import BY_NEIGHBOUR
from timelens.question.followup.period_phrases import beyond, in_words, listed
from timelens.question.names import names_in

_AUX = one_of(AUXILIARIES)
_LONGEST_CLAUSE = 14
_LONGEST_TIMED = 8
"""Maximum number of words of a clause that refers back only by its time."""
_LONGEST_DEED = 1
"""Maximum number of words after a "they" that refers to the previous topic."""

_BEFORE_POINTER = (
    rf"(?:(?:who|whom|what|when|where|why|how|which|since|until|much|many|long|often|old|far|{_AUX}|at"
    rf"|in|on|of|for|by|to"
    r"|from|with|about|against|under|over|into|behind|ever|also|else|then|later|first|last|again|become"
    r"|became|happen(?:ed)?|came|come|got|get|went|go"
    r"|take|took|place|end|start|began|begin|die|leave|left|lead|led|change[ds]?|after|before"
    r"|[a-z]{2,}ed|not|all|still"
    r"|same|person|one|year|years|day|days|month|months|what's|who's|charge|(?:i|we|you)\s+[a-z]+)\s+)*"
)
_POINTING = re.compile(
    rf"^(?P<before>{_BEFORE_POINTER})"
    r"(?:(?P<he>he|she|him)|(?P<owner>his)|(?P<her>her)|(?P<it>it)|(?P<its>its)|(?P<they>they|them)"
    r"|(?P<their>their)"
    r"|(?P<there>there)|(?P<that>that|this)(?=\s*(?:$|happen|take|begin|start|end|change)))(?:$|(?=[\s,]))",
    re.IGNORECASE,
)
_AT_TIME = re.compile(r"\s+(?:in|on|during|from|since|until)\s+(?=[^,;]*\d)", re.IGNORECASE)
"""The beginning of a time with figures."""
_EXPLETIVE = re.compile(
    r"\bit (?:(?:going to|will|has|have|had) )?(?:been|rain|snow|take|took|true|that|possibl[ey]|known|clear"
    r"|correct|the case|cost(?= to))\b|\b(?:is|was|are|were|will|be) there\b"
    r"|\b(?:month|day|year|date|time) (?:is|was) it\b",
    re.IGNORECASE,
)
_SINGULAR = {"were": "was", "are": "is", "have": "has", "do": "does"}
_PLURAL = re.compile(r"\b(?:were|are|have|do)(?=\s+$)", re.IGNORECASE)
"""A verb before "they", which may mean one post."""
_DEED = re.compile(rf"who (?:{one_of(DO)}) (?:it|this|that)\b", re.IGNORECASE)
"""The beginning of a question that repeats a predicate, whose "it" is no thing."""
_THEN = re.compile(
    r"\b(?P<relation>after|before|since|until|by) (?:that|this|then)\b|(?<=happened )(?P<next>next"
    r"|afterwards|later)$"
    r"|\b(?:(?:back )?then|at (?:the|that) (?:same )?time|(?:in|during) (?:that|the same) (?:year|month"
    r"|time|period)"
    r"|on (?:that|the same) day|(?:that|the same) (?:year|month|day))$",
    re.IGNORECASE,
)


def pointing(said: str, context: Context) -> str | None:
    """A question with its pronoun or "then" resolved; ``None`` if there is nothing to resolve."""
    if len(said.split()) > _LONGEST_CLAUSE or _EXPLETIVE.search(said) or _DEED.match(said):
        return None
    then = _THEN.search(said)
    match = _POINTING.match(said)
    if match is None and (then is None or names_in(said[1:])):
        return None
    asked = said
    if then is not None:
        time = _moment(then, context)
        if time is None:
            return None
        asked = f"{said[: then.start()]}{time}{said[then.end() :]}"
        match = _POINTING.match(asked)
        if match is None:
            if len(said.split()) > _LONGEST_TIMED:
                return None
            return _then_alone(said, then, time, context)
    return None if match is None else _pointed(asked, match, context, timed=then is not None)


def _then_alone(said: str, then: re.Match[str], time: str, context: Context) -> str:
    """A clause that refers back only by its time, completed with the previous topic or place."""
    clause = said[: then.start()]
    about = ""
    if re.search(r"\bhappen", said):
        about = "" if context.topic is None else f"to {context.topic} "
    elif context.place is not None and not re.search(r"\b(?:of|in|for)\s+(?!\d)(?!the \d)", clause):
        about = f"{context.place} "
    return f"{clause}{about}{time}{said[then.end() :]}"


def _pointed(asked: str, match: re.Match[str], context: Context, *, timed: bool) -> str | None:
    """The clause with its pronoun resolved; ``None`` if there is no antecedent."""
    kind = next(
        name for name in ("he", "owner", "her", "it", "its", "they", "their", "there", "that") if match[name]
    )
    start, end = match.span(kind)
    before = asked[:start]
    owned = kind in {"owner", "its", "their"} or (
        kind == "her" and re.match(r"\s+[a-z]", asked[end:]) is not None
    )
    deed = _AT_TIME.split(asked[end:], maxsplit=1)[0]
    if kind == "they" and not timed and len(deed.split()) > _LONGEST_DEED:
        return None  # an indefinite "they": "when did they find it out"
    if not timed and _points_forward(deed, person=kind == "he"):
        return None
    if kind == "there":
        if context.place is None:
            return None
        preposed = re.search(r"\b(?:in|from|at)\s+$", asked[:start])
        place = context.place.partition(" ")[2] if preposed else f"in {context.place.partition(' ')[2]}"
        return f"{asked[:start]}{place}{asked[end:]}"
    if kind == "that":
        _, times = with_times(asked, context)
        question = f"{context.timeless} {times}" if times else context.whole
        return f"{before.strip()}: {question}" if question else None
    meant = _antecedent(kind, context)
    if meant is None:
        return None
    if kind == "they" and meant == context.holder:
        before = _PLURAL.sub(lambda verb: _SINGULAR[verb.group().lower()], before)
    resolved = f"{before}{meant}{chr(39) + 's' if owned else ''}{asked[end:]}"
    if kind in {"it", "they"} and not context.answers_thing and asked[end:].strip() == "" and context.asked:
        return f"{resolved} {listed(context.asked)}"  # the event of the asked time is meant
    return resolved


def _antecedent(kind: str, context: Context) -> str | None:
    """Who or what a pronoun means."""
    if kind in {"he", "owner", "her"}:
        return context.person or context.subject_name
    body = _body(context) if kind in {"they", "their"} and context.asks_who else None
    return body or context.thing or context.person


def _body(context: Context) -> str | None:
    """Whom "they" means behind a question that asks who: the answer, or the one beside whom it found nobody.

    Without both, it is the post that was asked for.
    """
    beside = context.earlier if BY_NEIGHBOUR.search(context.whole) else None
    if beside is not None and (not beside.asks_who or beside.name is None):
        beside = context.naming
    return context.name or (None if beside is None else beside.name) or context.holder


def _points_forward(rest: str, *, person: bool) -> bool:
    """Whether a pronoun may refer to a later name ("after his debut, when did Ek …")."""
    return bool(re.search(r"\b[A-Z]\w+['’]s?\s", rest) if person else names_in(rest))


def _moment(then: re.Match[str], context: Context) -> str | None:
    """The time that "then" or "after that" refers to, in words."""
    relation = "after" if then["next"] else then["relation"]
    told = next((told.interval for told in context.turn.told[:1] if not told.held), None)
    if len(context.asked) > 1:
        told = None  # it belongs to one of several periods
    if relation is None:
        if told is not None or not context.asked:
            time = told or context.outermost(forward=False)
            return None if time is None else in_words(time)
        return listed(context.asked)
    relation = relation.lower()
    held = None if len(context.asked) > 1 else context.held
    time = held or told or context.outermost(forward=relation in {"after", "since"})
    return None if time is None else beyond(relation, time)
