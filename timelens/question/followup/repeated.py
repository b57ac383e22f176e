"""Follow-ups that repeat the earlier predicate: "why not in 2026?", "and who does it now?". Pure."""

import re

from timelens.lexicon import AUXILIARIES, BE, one_of
from timelens.question.asked_numbers import CHANGES, TIMES, counted_noun
from timelens.question.followup.conversation import Context, slots_of
from timelens.question.followup.fragments import with_times
from timelens.question.followup.neighbours import SUBJECT
from timelens.question.followup.period_change import NOW
from timelens.question.tense import PAST_FORM
from timelens.temporal.interval import Granularity

_AUX = one_of(AUXILIARIES)
_WHY_NOT = re.compile(
    r"(?:why|how come) not"
    r"(?: (?P<when>earlier|sooner|later|before|yet|now|again|any ?more)| (?P<rest>.+))?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:(?:when|where|why|(?:in |on )?(?:what|which) (?:year|month|date|day)) )?"
    rf"(?P<aux>{_AUX}|can|could|may|must|should) (?P<rest>.+)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:i|we|you|they|he|she|it|there|this|that)\b", re.IGNORECASE)
_DOES_IT = re.compile(
    r"who(?:['’]s)? (?:else )?(?:does|did|do|is doing|was doing|doing|has done|has|had|is)"
    r" (?:it|that|this|the (?:job|work|same))(?P<time> .+)?",
    re.IGNORECASE,
)
_EST = r"(?:fewest|most|least|lowest|highest|smallest|largest|biggest|worst|best)"
_EXTREME = re.compile(rf"(?:the )?(?P<order>{_EST})", re.IGNORECASE)
_OF_COUNTS = frozenset({"most", "least", "fewest"})
_MOST = frozenset({"most", "highest", "largest", "biggest", "best"})
_UNITS = {one: str(one) for one in (Granularity.YEAR, Granularity.QUARTER, Granularity.MONTH)}
_SUMS = re.compile(rf"(?:what|how much) (?P<verb>{one_of(BE)}) (?P<thing>.+)", re.IGNORECASE)
"""A question for an amount, without its time."""
_EVER = re.compile(r"\bever\b", re.IGNORECASE)
_IS_THERE = re.compile(
    rf"(?:{_AUX}) (?:there|(?:we|you|they|i|the \w+) (?:have|had|get|got|do|did))(?: in)?", re.IGNORECASE
)
"""What is left of a question for a number that no name of a thing stands in: "did we have"."""


def denied(said: str, context: Context) -> str | None:
    """The negation of the earlier question, for "why not?" and "why not in 2026?"."""
    match = _WHY_NOT.fullmatch(said)
    if match is None:
        return None
    bare, times = with_times(match["rest"] or "", context)
    if match["rest"] and (bare or not times):
        return None
    time = " ".join(filter(None, (match["when"], times)))
    question = context.timeless if times else context.whole
    clause = _negated(question, context)
    return None if clause is None else f"{clause} {time}".strip()


def _negated(question: str, context: Context) -> str | None:
    """A question for the reason why something is not so, from one whether or when it is."""
    subject = SUBJECT.fullmatch(question)
    if subject is not None and context.asks_who and context.name is not None:
        return f"why {subject['verb']} {context.name} not {subject['rest']}"
    clause = _CLAUSE.fullmatch(question)
    if clause is None:
        return None
    rest = clause["rest"]
    end = _end_of_subject(f"{clause['aux']} {rest}") - len(clause["aux"]) - 1
    if end <= 0:
        return None
    is_denied = re.search(r"\bnot\b", rest, re.IGNORECASE) is not None
    return f"why {clause['aux'].lower()} {rest[:end]}{'' if is_denied else ' not'}{rest[end:]}"


def _end_of_subject(clause: str) -> int:
    """Where the subject behind the first verb of a question ends; 0 if it cannot be told."""
    aux, _, rest = clause.partition(" ")
    if pronoun := _PRONOUN.match(rest):
        return len(aux) + 1 + pronoun.end()
    start = len(aux) + 1
    article = re.match(r"(?:the|an?)\s+", rest, re.IGNORECASE)
    start += article.end() if article else 0
    end = 0
    for first, last in slots_of(clause):
        if first == start:
            end = last
            following = re.match(r"\s+of\s+(?:the\s+)?", clause[last:])
            start = last + following.end() if following else -1
    return end


def done_at(said: str, context: Context) -> str | None:
    """The nearest question for a person, asked for another time: "and who does it now?"."""
    match = _DOES_IT.fullmatch(said)
    asked = None if match is None else context.asking_who
    if match is None or asked is None or match["time"] is None:
        return None
    time = match["time"].strip()
    if NOW.fullmatch(time):
        return f"{asked.timeless} now"
    bare, times = with_times(time, asked)
    return None if bare or not times else f"{asked.timeless} {times}"


def extreme(said: str, context: Context) -> str | None:
    """The question for the time with the most or the fewest, behind one for a number: "and the fewest?"."""
    match = _EXTREME.fullmatch(said)
    if match is None:
        return None
    if not context.asked and _EVER.search(context.whole) and context.earlier is not None:
        return extreme(said, context.earlier)  # "was it ever lower?", "and the lowest?"
    times = {_UNITS.get(one.interval.granularity, "") for one in context.asked}
    unit = times.pop() if len(times) == 1 else ""
    sums = _SUMS.fullmatch(context.timeless)
    if unit and sums is not None and match["order"].lower() not in _OF_COUNTS:
        return f"in which {unit} {sums['verb'].lower()} {sums['thing']} the {match['order'].lower()}"
    noun = counted_noun(context.timeless)
    if not unit or noun in {"", TIMES, CHANGES}:
        return None
    order = "most" if match["order"].lower() in _MOST else "fewest"
    _, _, rest = context.timeless.partition(noun)
    rest = rest.strip()
    if not rest or _IS_THERE.fullmatch(rest):
        return f"which {unit} had the {order} {noun}"
    placed = re.match(r"(?:of|in|at|for|on|from|with)\b", rest)
    if placed:
        return f"which {unit} had the {order} {noun} {rest}"
    passive = re.match(rf"(?P<aux>{one_of(BE)}) (?P<done>{PAST_FORM.pattern}.*)", rest, re.IGNORECASE)
    if passive:
        return f"in which {unit} {passive['aux']} the {order} {noun} {passive['done']}"
    if re.match(rf"(?:{_AUX})\b", rest, re.IGNORECASE):
        return f"in which {unit} {rest} the {order} {noun}"
    return None
