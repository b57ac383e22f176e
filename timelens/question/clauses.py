"""Splits a question that asks several things into one question for each. Pure."""

import re
from itertools import pairwise

from timelens.lexicon import AUXILIARIES, INTERROGATIVES, one_of
from timelens.question.asked_numbers import counted_noun, size_compared
from timelens.question.followup.conversation import Turn
from timelens.question.followup.resolve import resolve
from timelens.question.intent import asks_for_length, asks_for_time
from timelens.question.parse import one_line, parse
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.interval import Interval
from timelens.temporal.phrasing import phrase
from timelens.words import topic_words

_ASKING = rf"(?:{one_of(INTERROGATIVES)})\b"
_TIED = rf"(?:(?:for|to|from|at|in|into|on|by|with|of|under|since|until)\s+)?{_ASKING}"
_WHETHER = rf"(?:{one_of(AUXILIARIES)})(?:n['’]t)?\s+(?:it|he|she|they|we|you|that|this|there)\b"
"""The beginning of a yes-no question about what was asked before it."""
_CONJUNCTION = re.compile(
    rf"\s*[,;]?\s+(?:and|but)(?:\s+then)?\s+(?={_TIED}|{_WHETHER})|\s*[,;]\s+(?={_WHETHER})", re.IGNORECASE
)
_TIMES_OF_EACH = re.compile(
    r",?\s+(?:with|and)\s+(?:when\s+(?:they|each|it|he|she)\s[^,?]+"
    r"|(?:the|their|its|his|her)\s+(?:dates?|years?|times?))\s*(?=[?.!]*$)",
    re.IGNORECASE,
)
"""What asks for the times of each thing of a list: "with when they started", "with their years"."""
_TWO_WORDS = re.compile(
    rf"^(?P<first>{_TIED}(?:\s+(?:long|many|much|often)\b)?),?\s+and\s+(?P<second>{_TIED})(?P<rest>\s.+)$",
    re.IGNORECASE,
)
"""Two question words before one predicate: "Where and when was …"."""
_OF_A_TOPIC = re.compile(
    rf"^(?P<topic>[^?:]+?)\s*(?:[:–—]|\s-)\s+(?P<first>{_TIED}[^?,;:]*?)\s*,?\s+and\s+"
    rf"(?P<second>{_TIED}[^?;:]*)\?*$",
    re.IGNORECASE,
)
"""Two things that are asked of a topic before them: "ink in 2016 vs 2021: which supplier and how much?"."""
_LISTED = re.compile(
    r"^(?P<topic>[^?]+?)\s*\?\s*(?:the )?(?P<first>[^\W\d_]+(?: [^\W\d_]+)?)\s+and\s+(?:the )?"
    r"(?P<second>[^\W\d_]+(?: [^\W\d_]+)?)(?:,? please)?\W*$",
    re.IGNORECASE,
)
"""Two things named after a question: "how did the rent change from 2010? landlord and amount please"."""
_BY_HOW_MUCH = re.compile(
    r"(?<=\w),?\s+and\s+(?:if so,?\s+)?(?:by\s+)?how (?:much|many)(?:\s+(?:more|less|fewer|higher|lower"
    r"|dearer|cheaper|longer|shorter|bigger|smaller))?(?=\W*$)",
    re.IGNORECASE,
)
"""What asks for the difference of two compared numbers, which a comparison tells anyway."""
_THEN = re.compile(
    r"(?<!before )(?<!after )(?<!since )(?<!until )(?<!by )"
    r"(?:\b(?:in|during|on|at) )?\b(?:(?:that|the same) (?:year|month|day|time)|(?:back )?then)(?=\W*$)",
    re.IGNORECASE,
)
"""The time of the clause before, at the end of a clause."""
_OF_ITS_CHANGE = re.compile(
    rf"^(?:how|when)\s+(?:{one_of(AUXILIARIES)})\s+(?:it|that|this|they|these|those)\s+(?:(?:have|been|all)\s+)*"
    r"(?:chang|develop|evolv|alter|grow|grew|go\b|gone|move)\w*"
    r"(?:\s+(?:afterwards?|after that|since(?: then)?|later(?: on)?|then|over time"
    r"|from (?:there|then)(?: on)?))?\W*$",
    re.IGNORECASE,
)
"""How, or when, what was asked before changed: "and how did that change afterwards?"."""
_OPENING = re.compile(
    rf"^\W*(?P<word>{_TIED}|(?:did|was|were|is|are|has|have|had)(?:n['’]t)?\b)", re.IGNORECASE
)
_NO_PREDICATE = re.compile(rf"^{_ASKING}(?:\s+(?:many|much))?(?:\s+\w+)?\?$", re.IGNORECASE)
"""A question word and a noun: "How many people" of "How many people and how many dogs came?"."""
_REFERS = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|its|their|that|this|those|these|there)\b", re.IGNORECASE
)
_SAME = topic_words("do doing done did job work same thing post role")
"""Words of a clause that stand for the predicate before it: "who was doing it in 2011"."""
_ELIDED = re.compile(
    rf"^{_ASKING}(?:\s+(?:many|much|often|long))?\s+(?P<rest>(?:in|at|on|for|of|by|with)\s.+)$", re.IGNORECASE
)
_WITHOUT_NOUN = re.compile(rf"^how many(?=\s+(?:{one_of(AUXILIARIES)})\b)", re.IGNORECASE)
"""The beginning of "how many did he give away", after "how many hens did the fox get"."""
_RELATIVE = re.compile(r"who|whom|whose|which", re.IGNORECASE)
_OTHER_TIME = re.compile(
    r"\b(?:before|after\w*|later|next|then|previously|since|until|still|now|today|again|yet)\b", re.IGNORECASE
)
_SHORTEST = 4
"""Minimum number of words of a clause with a predicate of its own: "for how much?" has none."""


def clauses_of(question: str, reference_day: Day, conventions: Conventions = USUAL) -> tuple[str, ...]:
    """The questions that a question asks, in order; itself if it asks one thing, at however many times.

    "Who won the contract, and for how much?" asks two things; the second is a follow-up question of the
    first, whose answer is its context. "What did it cost in 2007, and what in 2012?" asks for one thing at
    two times, and is returned with its predicate stated once. A clause without a time is about the times of
    the first clause, unless it asks for a time or has a word for another one ("before"). A clause that asks
    for the times of a course ("…, and in which years?") is left out: the course states them.
    ``reference_day`` and ``conventions`` are as in :func:`timelens.question.parse.parse`.
    """
    text = one_line(question)
    if size_compared(text) is not None and _BY_HOW_MUCH.search(text):
        return clauses_of(_BY_HOW_MUCH.sub("", text), reference_day, conventions)
    listed = _TIMES_OF_EACH.sub("", text)
    if listed != text and not parse(listed, reference_day, conventions).is_point:
        return (listed,)  # each line of a list states its time
    topic, things = _of_topic(text)
    if things and not asks_for_time(things[-1]) and not parse(things[-1], reference_day, conventions).periods:
        return tuple(f"{topic}: {thing}" for thing in things)
    pieces = _pieces(text)
    if len(pieces) < 2:
        return (question,)
    first = parse(pieces[0], reference_day, conventions)
    found = [pieces[0]]
    noun = counted_noun(pieces[0])
    for each in pieces[1:]:
        piece = _WITHOUT_NOUN.sub(lambda many: f"{many[0]} {noun}", each) if noun else each
        parsed = parse(piece, reference_day, conventions)
        if times := _other_times(piece, parsed, first):
            found[-1] = f"{found[-1].rstrip(' ?.!')} and {times}?"
        elif _OF_ITS_CHANGE.match(piece) and (later := _since(pieces[0], first)):
            found += [later] if later != found[-1] else []
        elif not first.is_point and asks_for_time(piece):
            continue  # each line of a course states its time
        elif (elided := _ELIDED.match(piece.rstrip(" ?.!"))) and _is_alike(piece, pieces[0]):
            asked = resolve(f"and {elided['rest']}", Turn(found[-1]), reference_day, conventions)
            found.append(asked or piece)
        else:
            found.append(_at_its_times(piece, parsed, first))
    return tuple(found)


def _pieces(text: str) -> list[str]:
    """The clauses as written; one if the conjunction does not join questions."""
    two = _TWO_WORDS.match(text)
    if two is not None:
        return [
            f"{two['first']}{two['rest']}",
            f"{two['second'][:1].upper()}{two['second'][1:]}{two['rest']}",
        ]
    pieces = [
        piece if piece.endswith("?") else f"{piece.rstrip(' ,;')}?" for piece in _CONJUNCTION.split(text)
    ]
    apart = _OPENING.match(text) is not None and _NO_PREDICATE.match(pieces[0]) is None
    return [text] if not apart or any(_is_subordinate(*pair) for pair in pairwise(pieces)) else pieces


def _of_topic(text: str) -> tuple[str, tuple[str, ...]]:
    """A topic, and the questions for two things that are asked of it; both empty for other questions."""
    asked = _OF_A_TOPIC.match(text)
    if asked is not None and _OPENING.match(asked["topic"]) is None:
        return asked["topic"], tuple(f"{asked[name].rstrip()}?" for name in ("first", "second"))
    listed = _LISTED.match(text)
    if listed is not None:
        names = (listed[name].removesuffix(" please") for name in ("first", "second"))
        return listed["topic"], tuple(f"which {name}?" for name in names)
    return "", ()


def _is_subordinate(before: str, piece: str) -> bool:
    """Whether a clause continues a subordinate clause: "when the roof leaked and when the boiler failed".

    A clause with "whose", or with "who" or "which" after a relative clause, is about the same thing.
    """
    opening, word = _OPENING.match(before), _OPENING.match(piece)
    if word is None or word["word"].casefold() == "whose":
        return True
    inner = before[opening.end() :] if opening else before
    relative = word["word"] if _RELATIVE.fullmatch(word["word"]) is None else _RELATIVE.pattern
    return re.search(rf"\b(?:{relative})\b", inner, re.IGNORECASE) is not None


def _is_alike(piece: str, first: str) -> bool:
    """Whether two clauses begin with the same question word."""
    words = [opening["word"].casefold() for text in (piece, first) if (opening := _OPENING.match(text))]
    return len(words) == 2 and words[0] == words[1]


def _since(piece: str, first: ParsedQuestion) -> str:
    """A question for the values from its only time on; empty if it has none, or not one time.

    A question from a time on, such as "since 2010", is itself one: each value states its time.
    """
    period = first.periods[0] if len(first.periods) == 1 else None
    if period is None or period.interval.start is None or first.implicit or period.text not in piece:
        return ""
    if period.interval.end is None or not first.is_point:
        return piece
    onwards = Interval(period.interval.start, None, period.interval.granularity)
    return piece.replace(period.text, phrase(onwards), 1)


def _other_times(piece: str, parsed: ParsedQuestion, first: ParsedQuestion) -> str:
    """The times of a clause that asks for the same as the first clause, else empty."""
    times = [*(period.text for period in parsed.periods), *(time.phrase for time in parsed.implicit)]
    core = parsed.core
    for time in parsed.implicit:
        core = core.replace(time.phrase, " ")
    places = [(start, start + len(time)) for time in times if (start := piece.find(time)) >= 0]
    if not places or asks_for_time(core) or asks_for_length(core):
        return ""
    stated = piece[min(places)[0] : max(end for _, end in places)]
    return stated if topic_words(core) - _SAME <= topic_words(first.core) else ""


def _at_its_times(piece: str, parsed: ParsedQuestion, first: ParsedQuestion) -> str:
    """A clause at the times of the first one, if it has no time and asks for none.

    "That year" at its end refers to the only time of the first one. A clause with a pronoun is about the time
    of the first one only if that has a single time.
    """
    then = _THEN.search(piece)
    if then is not None and len(first.periods) == 1:
        return f"{piece[: then.start()]}{first.periods[0].text}{piece[then.end() :]}"
    times = [period.text for period in first.periods]
    if _may_be_at_another_time(piece, parsed) or (_REFERS.search(piece) and len(times) > 1):
        return piece
    return f"{piece.rstrip(' ?.!')} {' and '.join(times)}?" if times else piece


def _may_be_at_another_time(piece: str, parsed: ParsedQuestion) -> bool:
    """Whether a clause has or asks for a time of its own, or is too short to tell."""
    has_time = bool(parsed.periods or parsed.implicit) or parsed.ordinal is not None
    asks = asks_for_time(piece) or asks_for_length(piece) or _OTHER_TIME.search(piece) is not None
    return has_time or asks or len(piece.split()) < _SHORTEST


def at_answered_time(clause: str, words: str, reference_day: Day, conventions: Conventions = USUAL) -> str:
    """A clause that refers back to an answer, at the time that this told; itself if it may be about another.

    ``words`` are those for the time, with a preposition: "When was the inspection, and how did it end?" told
    "on 5 May 2015", and asks how it ended then.
    """
    parsed = parse(clause, reference_day, conventions)
    if _REFERS.search(clause) is None or _may_be_at_another_time(clause, parsed):
        return clause
    return f"{clause.rstrip(' ?.!')} {words}?"
