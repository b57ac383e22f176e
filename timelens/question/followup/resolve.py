"""Resolves follow-up questions against the previous question and its answer. Pure.

Rules are tried in order. Each rule handles one kind of fragment and returns a self-contained question; a text
that no rule handles is not a follow-up.
"""

import re
from collections.abc import Callable, Sequence

from timelens.lexicon import AUXILIARIES, COLUMN_NOUNS, INTERROGATIVES, TITLES, one_of, ordinals
from timelens.question.followup.conversation import Context, Turn, slots_of
from timelens.question.followup.coreference import pointing
from timelens.question.followup.fragments import with_times
from timelens.question.followup.neighbours import SUBJECT, beside, direction, neighbour
from timelens.question.followup.period_change import among_periods, from_then, other_time
from timelens.question.followup.period_phrases import listed
from timelens.question.followup.repeated import denied, done_at, extreme
from timelens.question.implicit_times import is_free
from timelens.question.names import names_in
from timelens.question.parse import one_line, parse
from timelens.question.periods import CONTRAST
from timelens.question.tense import PAST_FORM
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.words import STOP_WORDS, topic_words

_FILLER = re.compile(
    r"^(?:(?:and|but|so|then|ok(?:ay)?|oh|ah|hm+|well|right|thanks|thank you|great|good|also|sorry|oops"
    r"|yes|no|please"
    r"|(?:can|could|would) you (?:please )?(?:also )?tell me|tell me|do you know"
    r"|i (?:also )?wonder|(?:sorry )?i (?:meant?|said)|make that|rather)\b[\s,.;:!–-]*)+",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:(?:ok(?:ay)?|oh|well|right|so|thanks|thank you)[\s,.;:!–-]+)*"
    r"(?:(?:and|but)\b|(?:no|sorry|oops)\b[\s,.;:!–-]+(?!\w+ing\b))",
    re.IGNORECASE,
)
"""What joins a fragment to the question before it, or corrects that: "and", "no,"."""
_CORRECTS = re.compile(r"[\s,]+i meant?\W*$", re.IGNORECASE)
"""What ends a correction: "of the band, I mean"."""
_AND_THEN = re.compile(r"(?:(?:and|so) )*(?:then(?: what)?|what (?:then|next))", re.IGNORECASE)
_POLITE = re.compile(
    r"[\s,]*\b(?:please|pls|thanks|thank you|by the way|btw|do you know|exactly|i meant?)$", re.IGNORECASE
)
_ABOUT = re.compile(
    r"^(?:(?:(?:what|how) (?:about|of)|(?:the )?same (?:question |thing |comparison )?(?:for|but)?"
    r"|(?:who|what|which)(?: one)? (?:was|is|were)"
    r" (?:it|that|they))\b\s*)",
    re.IGNORECASE,
)
_HEADS = (
    (r"why|how come|how so|for what reasons?", "Why"),
    (r"(?:since|from) when", "Since when"),
    (r"(?:until|till?|to) when", "Until when"),
    (r"(?:for )?how (?:long|many years)", "How long"),
    (r"(?:on )?(?:what|which) (?:date|day)", "On what date"),
    (r"(?:in )?(?:what|which) year", "In what year"),
    (r"when", "When"),
    (r"where", "Where"),
    (r"by how much", "By how much"),
    (r"(?:for|at) (?:how much|what (?:price|cost|sum|fee))", "For how much"),
    (r"how much", "How much"),
    (r"how many", "How many"),
    (r"how", "How"),
    (r"with who(?:m)?|who with", "With whom"),
    (r"from who(?:m)?|who from", "From whom"),
    (r"who(?: by)?|by whom", "Who"),
)
_REST = (
    r"(?: (?:was|is|were|did|does|do|has|had) (?:that|this|it|he|she|they)"
    r"(?: (?:then|happen|last|all|like that|for|be))?)?(?: (?:then|so|though))?"
)
_BARE = tuple((re.compile(rf"(?:{pattern}){_REST}", re.IGNORECASE), head) for pattern, head in _HEADS)
_TIMELESS_HEADS = frozenset({"Since when", "Until when", "How long", "When", "On what date", "In what year"})
_ENDS = frozenset({"Since when", "Until when"})
_AMOUNTS = frozenset({"How much", "How many"})
"""Heads of a question about what was asked before, whatever its answer was."""
_AUX = one_of(AUXILIARIES)
_FRONTED = re.compile(
    r"(?:when|where|why|how(?: \w+){0,2}|(?:in |on )?(?:what|which)(?: \w+){0,3}?|by how much|(?:since"
    r"|until) when)"
    rf"\s+(?P<aux>{_AUX})\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_ASKING = one_of(INTERROGATIVES)
_EVENT = re.compile(
    rf"(?:(?:in|on|during)\s+the\s+(?:day|week|month|year)\s+(?:of|when|that)|when|while|before|after|since|until)"
    rf"\s+(?!(?:{_AUX})\b)(?:(?!\b(?:{_ASKING})\b)[^,;?]){{3,}}",
    re.IGNORECASE,
)
"""An event in the place of a time: "when Ada left", not "when did Ada leave"."""
_SUBJECT_POINTER = re.compile(r"\b(?:it|he|she|they)\b", re.IGNORECASE)
_FRAGMENT_VERB = re.compile(
    rf"\b(?:{_AUX}|be|been|{_ASKING}|if|because|that|there|please"
    rf"|tell|list|give"
    r"|he|she|it|they|him|her|them|his|its|their|i|me|we|you|us)\b",
    re.IGNORECASE,
)
_PLACING = "in|for|at|of|by|under|on|with|from|to"
"""Prepositions before a thing that a fragment replaces; one of the same preposition is preferred."""
_DETERMINED = re.compile(r"(?:the|an?|this|that|his|her|its|their|our|my|your)\b", re.IGNORECASE)
_EST = r"(?:fewest|best|worst|(?!(?:lat|earli)est\b)[a-z]{3,}est)"
_EXTREME = re.compile(rf"(?:the )?(?:most|least|{_EST})", re.IGNORECASE)
_EXTREME_OF = re.compile(
    rf"\b(?:(?:most|least)(?: [a-z]+(?:ive|ant|ent|ful|ous|able|ular))?|{_EST})\b", re.IGNORECASE
)
"""The superlative that another one replaces: "which year had the most members?", "and the fewest?"."""
_HOW_MANY = re.compile(r"how many\b", re.IGNORECASE)
_COUNTING = r"how (?:many|much)\s+"
_COUNTED = re.compile(_COUNTING, re.IGNORECASE)
_AMOUNT = topic_words(" ".join(next([*nouns, *narrow] for nouns, narrow in COLUMN_NOUNS if "price" in nouns)))
_IS_HOLDER = re.compile(r"^(?:(?:for )?how long|since when|until when|when|why)\b", re.IGNORECASE)
"""The beginning of a question about the holder of a post."""
_COUNTS = re.compile(rf"\b{_COUNTING}$", re.IGNORECASE)
_TITLES = frozenset(TITLES)
_LONGEST_FRAGMENT = 8
_ORDINAL = re.compile(
    rf"(?:the\s+)?(?:very\s+)?(?:\d+(?:st|nd|rd|th)|last|{'|'.join(ordinals(1, 20))})\b", re.IGNORECASE
)
_NO_THING = STOP_WORDS.union("one ones other others both two three same only last".split())
"""Words that are not a thing by themselves."""


def resolve(text: str, turn: Turn, reference_day: Day, conventions: Conventions = USUAL) -> str | None:
    """The self-contained question for a follow-up; ``None`` if the text is not a follow-up.

    ``turn`` is the previous question with its answer; ``reference_day`` and ``conventions`` are as in
    :func:`timelens.question.parse.parse`.
    """
    line = _plain_line(text)
    joined = _JOINED.match(line) is not None or _CORRECTS.search(one_line(text)) is not None
    context = Context(turn, reference_day, conventions)
    if not context.has_topic:
        return None
    said = from_then(_without_filler(line), context)
    rules: tuple[Callable[[str, Context], str | None], ...] = (
        denied,
        _periods,
        neighbour,
        done_at,
        _bare,
        _other_time,
        beside,
        _other_event,
        pointing,
    )
    found = next((asked for rule in rules if (asked := rule(said, context)) is not None), None)
    if found is None:
        found = _other_thing(said, context, joined=joined)
    return None if found is None else f"{found[:1].upper()}{found[1:]}?"


def is_about_answer(text: str) -> bool:
    """Whether a follow-up needs the answer before it: "since when?", "who did it before?"."""
    said = _without_filler(_plain_line(text))
    return direction(said) is not None or _head(said) in _ENDS


def told_already(text: str, turn: Turn, reference_day: Day, conventions: Conventions = USUAL) -> str | None:
    """The name that the turn before told, if a follow-up asks who or what came before or after it."""
    if direction(_without_filler(_plain_line(text))) is None:
        return None
    context = Context(turn, reference_day, conventions)
    named = context if context.held is not None or context.naming is None else context.naming
    return named.name if named.held is not None else None


def _plain_line(text: str) -> str:
    """A follow-up on one line, without polite words and signs at its end."""
    return _POLITE.sub("", one_line(text).strip(" ?!.,;"))


def _without_filler(line: str) -> str:
    """A follow-up without the words that only lead to it; "next" for "and then?"."""
    return "next" if _AND_THEN.fullmatch(line) else _FILLER.sub("", line)


def _head(said: str) -> str | None:
    """The question word of a follow-up that is nothing else: "Since when" of "since when was that"."""
    return next((head for pattern, head in _BARE if pattern.fullmatch(said)), None)


def _bare(said: str, context: Context) -> str | None:
    """A bare question word ("why?", "since when?", "how long?"): the same question with another head."""
    head = _head(said)
    if head is None:
        return None
    question = context.timeless if head in _TIMELESS_HEADS else context.whole
    subject = None if context.name is None or head in _AMOUNTS else SUBJECT.fullmatch(question)
    if subject is None and (fronted := _FRONTED.fullmatch(question)):
        rest = re.sub(
            r"\bdo(?=$|\s+(?:in|on|at|during|after|before|since)\b)", "do that", fronted["rest"], count=1
        )
        if head == "How much" and PAST_FORM.search(rest.split()[-1]):
            head = "For how much"  # "how much was it?", behind "when was it bought?"
        return f"{head} {fronted['aux']} {rest}"
    if context.name is not None:
        if subject is not None:
            what = subject["asked"].casefold() == "what"
            pair = (subject["rest"], context.name) if what else (context.name, subject["rest"])
            return f"{head} {subject['verb']} {' '.join(pair)}"
        if asked := re.match(
            r"who\b|(?:which|what)(?:\s(?!\w+ed\b)\w+)*?(?=\s\w+ed\b|\s(?:led|held|ran)\b)",
            question,
            re.IGNORECASE,
        ):
            return f"{head} was it that {context.name}{question[asked.end() :]}"
    return f"{head}: {question[:1].lower()}{question[1:]}"


def _other_event(said: str, context: Context) -> str | None:
    """Another event in place of the asked time: "and when the roof was mended?"."""
    if _EVENT.fullmatch(said) is None or len(said.split()) > _LONGEST_FRAGMENT:
        return None
    if not (context.parsed.implicit or context.asked):
        return None
    if pointer := _SUBJECT_POINTER.search(said):
        events = " ".join(event.text for event in context.parsed.implicit)
        named = next(iter(names_in(events)), None)
        if named is None:
            return None
        said = f"{said[: pointer.start()]}{named}{said[pointer.end() :]}"
    question = f"{context.timeless} {said}"
    return question if parse(question, context.reference_day, context.conventions).implicit else None


def _other_time(said: str, context: Context) -> str | None:
    """A bare time, or one relative to that of the previous question ("what about 2019", "a year later")."""
    return other_time(_ABOUT.sub("", said), context)


def _periods(said: str, context: Context) -> str | None:
    """A fragment that adds to the previous periods or refers to them ("compare that with 2010")."""
    return among_periods(_ABOUT.sub("", said), context)


def _other_thing(said: str, context: Context, *, joined: bool) -> str | None:
    """Another thing of the same kind, which replaces the asked one ("and in France?").

    Times in the fragment replace the asked times ("and in France in 1999?").
    """
    about = _ABOUT.match(said)
    bare, times = with_times(said[about.end() :] if about else said, context)
    if joined and _COUNTED.match(context.whole) and (counted := _COUNTED.match(bare)):
        bare = bare[counted.end() :]  # "and how many juniors?"
    words = bare.split()
    if not words or len(words) > _LONGEST_FRAGMENT or _FRAGMENT_VERB.search(bare) or not (joined or about):
        return None
    if CONTRAST.match(bare) or all(word in _NO_THING for word in re.findall(r"\w+", bare.casefold())):
        return None
    if _EXTREME.fullmatch(bare):
        whole, count = _EXTREME_OF.subn(lambda _: bare.removeprefix("the "), context.whole, count=1)
        return whole if count else extreme(bare, context)
    if _HOW_MANY.match(context.whole) and topic_words(bare) & _AMOUNT:
        return f"{bare} {times or listed(context.asked)}"  # "and the fee?" is no other thing to count
    if context.naming is not None and _IS_HOLDER.search(context.timeless) and _DETERMINED.match(bare):
        return _other_thing(said, context.naming, joined=joined)  # another post has another holder
    if not times:
        return _with_thing(bare, context.whole, context.times)
    asked = _with_thing(bare, context.timeless, ())
    return None if asked is None else f"{asked} {times}"


def _with_thing(bare: str, question: str, times: Sequence[tuple[int, int]]) -> str | None:
    """The question with a thing replaced; ``times`` are the offsets of its times. ``None`` if none fits."""
    slots = tuple(slot for slot in slots_of(question) if is_free(slot, times))
    if not slots:
        return None
    placed = re.match(rf"(?P<word>{_PLACING})\s+(?P<thing>.+)", bare, re.IGNORECASE)
    if placed:
        for words in (placed["word"], _PLACING):
            pattern = re.compile(rf"\b(?:{words})\s+(?:the\s+)?$", re.IGNORECASE)
            places = [slot for slot in slots if pattern.search(question[: slot[0]])]
            if places:
                return _replaced(question, places[-1], placed["thing"])
        return f"{question} {bare}"
    slot = _alike(bare, question, slots)
    start, end = slot
    old = question[start:end]
    if re.search(r"\bof\b", bare):
        end = _end_of_whole(question, end, slots)  # "the chair of the choir" for "president of the band"
    bare = re.sub(r"\bones?\b", old.split()[-1], bare)
    owner = re.match(r"(?P<owner>.+?)(?:['’]s|s['’]|(?<=[^s])s)$", bare)
    owned = re.match(r"(?P<owner>.+?)['’]s?\s", old)
    if owned and (owner or len(bare.split()) == 1):
        bare, end = f"{owner['owner'] if owner else bare}'s", start + owned.end() - 1
        return f"{question[:start]}{bare}{question[end:]}"
    if owner and re.search(r"['’]", bare):
        bare = owner["owner"]
    return _replaced(question, (start, end), bare)


def _end_of_whole(question: str, end: int, slots: Sequence[tuple[int, int]]) -> int:
    """Where a noun phrase that ends at ``end`` ends together with what stands behind "of"."""
    of = re.match(r"\s+of\s+(?:the\s+)?", question[end:], re.IGNORECASE)
    return end if of is None else next((last for start, last in slots if start == end + of.end()), end)


def _alike(bare: str, question: str, slots: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The noun phrase that a fragment replaces: one that shares a word, else a name, else the last.

    A fragment without an article replaces what is counted: "how many boats did the club own", "and members?".
    """
    words = {word.casefold() for word in re.findall(r"\w+", bare)} - {"the", "a", "an", "of"}
    stems = topic_words(bare)
    is_plain = bare.islower() and _DETERMINED.match(bare) is None

    def nearness(slot: tuple[int, int]) -> tuple[bool, bool, bool, bool, int]:
        old = question[slot[0] : slot[1]]
        others = {word.casefold() for word in re.findall(r"\w+", old)}
        shared = bool(words & others or stems & topic_words(old) or (words & _TITLES and others & _TITLES))
        possessive = bool(re.search(r"['’]s?\s", old)) and re.search(r"s['’]?$", bare) is not None
        capital = old[:1].isupper() and not others & _TITLES
        counted = is_plain and _COUNTS.search(question[: slot[0]]) is not None
        return shared, possessive, counted, capital, slot[0]

    return max(slots, key=nearness)


def _with_noun(thing: str, old: str) -> str:
    """A bare ordinal with the noun of the phrase that it replaces: "the second" for "first field test"."""
    if _ORDINAL.fullmatch(thing) is None:
        return thing
    noun = _ORDINAL.match(old)
    return f"{thing} {old[noun.end() :].strip()}".strip() if noun else thing


def _replaced(question: str, slot: tuple[int, int], thing: str) -> str:
    """The question with another noun phrase in a slot, without a superfluous article before it."""
    start, end = slot
    thing = _with_noun(thing, question[start:end])
    before = question[:start]
    if re.match(r"(?:the|an?)\s", thing, re.IGNORECASE):
        before = re.sub(r"\b(?:the|an?)\s+$", "", before, flags=re.IGNORECASE)
    elif thing[:1].isupper() or " " not in thing:
        before = re.sub(r"\bthe\s+$", "", before, flags=re.IGNORECASE)
    return f"{before}{thing}{question[end:]}"
