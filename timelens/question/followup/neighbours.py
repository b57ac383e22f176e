"""Follow-ups for the neighbour of an answer: "who came next?", "and her successor?", "after Ada?". Pure."""

import re
from typing import Literal

from timelens.lexicon import BE, one_of
from timelens.question.followup.conversation import Context
from timelens.question.followup.period_phrases import beyond
from timelens.temporal.phrasing import phrase_day

_POINTER = r"(?:that|this|it|him|her|them|he|she|they|those|these)"
_OWNER = r"(?:his|her|its|their|the)"
_NEXT = re.compile(
    rf"(?:who|what|which)?(?: one)?(?: (?:was|is|were|came|comes|got in|took over|follow(?:ed|s)"
    rf"|succeed(?:ed|s)"
    rf"|replac(?:ed|es)|did|had|held))?(?: it)?(?: {_POINTER})?"
    rf"(?: ?(?:the )?(?:next(?: one)?|after(?:wards)?(?: {_POINTER})?|after then|then|later))?"
    rf"|(?:who (?:was|is|were) )?{_OWNER} (?:successors?|replacement)|(?:right |just "
    rf"|immediately )?after {_POINTER}"
    rf"|the (?:one|ones) after(?: {_POINTER})?",
    re.IGNORECASE,
)
_FORWARD = re.compile(r"\b(?:next|after(?:wards)?|then|later|follow|succe|replac|took over)", re.IGNORECASE)
_PREVIOUS = re.compile(
    rf"(?:who|what|which)?(?: one)?(?: (?:was|is|were|came|comes|preced(?:ed|es)|did|had|held))?(?: it)?"
    rf"(?: {_POINTER})?"
    rf"(?: ?(?:the )?(?:previous(?: one)?|before(?:hand)?(?: {_POINTER})?|before then|earlier))?"
    rf"|(?:who (?:was|is|were) )?{_OWNER} predecessors?|(?:right |just |immediately )?before {_POINTER}"
    rf"|the (?:one|ones) before(?: {_POINTER})?",
    re.IGNORECASE,
)
_SUCCEEDED = re.compile(r"\b(?:replac|succe|follow|preced|(?:came|comes|got in|took over)\b)", re.IGNORECASE)
_PERSON = re.compile(r"^who\b|\b(?:him|her|he|she)\b", re.IGNORECASE)
_POINTS_TO_PERSON = re.compile(r"\b(?:him|her|he|she)\b", re.IGNORECASE)
_THING = re.compile(r"^(?:what|which)\b|\bit\b", re.IGNORECASE)
_OF_A_THING = re.compile(
    r"(?:when|why|how|(?:since|until|by) when|(?:for|at|by) how (?:much|many)"
    r"|(?:in |on )?(?:what|which) (?:year|date))\b",
    re.IGNORECASE,
)
"""The beginning of a question about something of a thing or a person, whose answer is no thing."""
_END_OF_POST = re.compile(r"(?P<head>since when|until when|how long): (?P<asked>who\b.+)", re.IGNORECASE)
"""A question for the time of a post whose holder was not told."""
_OF_KIND = re.compile(
    rf"(?P<asked>(?:which|what) (?!one\b)[a-z]{{2,}} (?:(?:came|comes) (?:right )?(?:after|before)"
    rf"|replaced|followed|succeeded|preceded)) (?P<pointer>{_POINTER})",
    re.IGNORECASE,
)
"""A question for the next thing of a kind: "which dog came after her?"."""
_KIN = re.compile(r"(?:his|her|their) (?:predecessors?|successors?|replacement)", re.IGNORECASE)
BY_NEIGHBOUR = re.compile(r"\b(?:immediately|last|first) (?:before|after)\b")
"""What asks for a neighbour: "who led the club immediately before Ada Lind"."""
_OF_NEIGHBOUR = re.compile(r"who (?:preceded|succeeded)\b", re.IGNORECASE)
_BACKWARD = re.compile(r"\b(?:previous|before|earlier|preced|predecess)", re.IGNORECASE)

SUBJECT = re.compile(
    rf"(?P<asked>who|what|which\s.+?|what\s.+?)\s+(?P<verb>{one_of(BE)})\s+(?P<rest>.+)", re.IGNORECASE
)

_BESIDE = re.compile(
    r"(?:(?:who|what|which)(?: one)? (?:came|was|is|were)(?: it)? )?(?:right |just "
    r"|immediately )?(?P<order>after|before)"
    rf" (?P<name>(?!\d)(?!\w+ing\b)(?!{_POINTER}\b)\w+(?: [A-Z]\w+){{0,3}})",
)


def direction(said: str) -> Literal["after", "before"] | None:
    """Which neighbour of the answer is asked for; ``None`` if none is."""
    forward = _NEXT.fullmatch(said) is not None and _FORWARD.search(said) is not None
    backward = _PREVIOUS.fullmatch(said) is not None and _BACKWARD.search(said) is not None
    if forward == backward:
        return None
    return "after" if forward else "before"


def neighbour(said: str, context: Context) -> str | None:
    """The question for "what came next" or "before": the same for the time after or before the answer."""
    if of_kind := _OF_KIND.fullmatch(said):
        person = context.person or context.subject_name
        meant = person if _PERSON.search(of_kind["pointer"]) else context.thing or person
        return None if meant is None else f"{of_kind['asked']} {meant}"
    towards = direction(said)
    if towards is None:
        return None
    forward = towards == "after"
    asked = (
        _beside_named(said, context, forward=forward)
        or _beside_untold(context, forward=forward)
        or _beside_subject(said, context, forward=forward)
    )
    if asked is not None:
        return asked
    if (answered := _before_refusal(said, context)) is not None:
        return neighbour(said, answered)
    word, order = ("after", "first") if forward else ("before", "last")
    question = context.timeless
    if context.name is not None and _OF_NEIGHBOUR.match(question):
        return _next_to(context.name, forward=forward)
    if context.held is not None:
        day = context.held.end if forward else context.held.start
        if day is None:
            day = context.reference_day  # it still holds, so there is no successor yet
        # an office may change hands within a day, and a recorded end may be the last day or the day after
        return f"{past(question)} {order} {word} {phrase_day(day - 1 if forward else day)}"
    if context.name is not None and (context.asks_who or SUBJECT.fullmatch(context.whole)):
        return f"{past(question)} immediately {word} {context.name}"
    time = context.outermost(forward=forward)
    return None if time is None else f"{question} {beyond(word, time)}"


def _before_refusal(said: str, context: Context) -> Context | None:
    """The turn before one without an answer, if a neighbour of its answer is asked for.

    It is if the refused question asked for its neighbour, or if a pronoun means a person: "who did it before
    him?", behind "and who does it now?".
    """
    before = None if context.turn.told else context.earlier
    if before is None or BY_NEIGHBOUR.search(context.whole):
        return before
    is_person = _POINTS_TO_PERSON.search(said) is not None and context.asks_who
    return before if is_person and before.asks_who and before.name is not None else None


def _beside_named(said: str, context: Context, *, forward: bool) -> str | None:
    """The question for who came before or after a person, behind a question about something else of them.

    "Who replaced him?" behind "When did Ada Lind resign?" is asked of the answer that named her, or of her
    name; "and her successor?" repeats the question for her successor.
    """
    if context.person is None or context.person not in context.whole or context.asks_who:
        return None
    if _KIN.fullmatch(said):
        kin = f"the {'successor' if forward else 'predecessor'} of {context.person}"
        named = re.compile(rf"(?:the (?:predecessor|successor) of )?{re.escape(context.person)}")
        return named.sub(lambda _: kin, context.timeless, count=1)
    if context.naming is not None:
        return neighbour(said, context.naming)
    return _next_to(context.person, forward=forward)


def _beside_untold(context: Context, *, forward: bool) -> str | None:
    """The question for the next holder of a post, behind the end of a holder who was not named."""
    post = _END_OF_POST.fullmatch(context.timeless)
    if post is None:
        return None
    if context.shown_person is not None:
        return f"{past(post['asked'])} immediately {'after' if forward else 'before'} {context.shown_person}"
    told = next((told.interval for told in context.turn.told[:1]), None)
    edge = None if told is None else told.end if forward else told.start
    if edge is None or forward != post["head"].lower().startswith("until"):
        return None
    word, day = ("first after", edge - 2) if forward else ("last before", edge)
    return f"{past(post['asked'])} {word} {phrase_day(day)}"  # the next one may begin on the last day


def _beside_subject(said: str, context: Context, *, forward: bool) -> str | None:
    """The question for what came after a thing or a person, behind a question about something else of it.

    "What replaced it?" behind "When was the van sold?" is about the van, "who came after her?" about the only
    person whom the evidence of the answer names.
    """
    if _OF_A_THING.match(context.whole) is None:
        return None
    if _PERSON.search(said):
        person = context.person or context.subject_name
        if person is None:
            return None
        who = context.asking_who
        if who is not None and who.holder is not None and who.name is None:
            return f"{past(who.timeless)} immediately {'after' if forward else 'before'} {person}"
        return _next_to(person, forward=forward)
    succeeded = _SUCCEEDED.search(said)
    if succeeded is None or _THING.search(said) is None or context.thing is None:
        return None  # "what was it before?" asks for another state
    if not forward:
        return f"what came before {context.thing}"
    replaced = succeeded.group().lower().startswith("replac")
    return f"what {'replaced' if replaced else 'came after'} {context.thing}"


def _next_to(person: str, *, forward: bool) -> str:
    return f"who {'succeeded' if forward else 'preceded'} {person}"


def past(question: str) -> str:
    """The question in the past tense."""
    tenses = {"is": "was", "are": "were"}
    return re.sub(r"\b(?:is|are)\b", lambda verb: tenses[verb.group()], question, count=1)


def beside(said: str, context: Context) -> str | None:
    """The predecessor or successor of a named person ("and after Thatcher?")."""
    named = _BESIDE.fullmatch(said)
    if named is None or not context.asks_who:
        return None
    return f"{past(context.timeless)} immediately {named['order'].lower()} {named['name']}"
