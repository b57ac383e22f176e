"""The previous turn of a conversation, as the context of a follow-up question. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from timelens.lexicon import AUXILIARIES, BE, DO, MODALS, VERB_OF_PAST, one_of
from timelens.question.core_query import with_connections, without
from timelens.question.followup.period_phrases import Spoken, spoken, told_as
from timelens.question.implicit_times import is_free
from timelens.question.names import is_firm, is_person, names_in, people_in
from timelens.question.parse import one_line, parse
from timelens.question.parsed_question import ParsedQuestion
from timelens.temporal.calendar import Day
from timelens.temporal.conventions import USUAL, Conventions
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval, hull
from timelens.words import shared_start, topic_words

_LONGEST_NAME = 8
"""Maximum number of words of a value that is a name; a longer value is a sentence."""


@dataclass(frozen=True, slots=True)
class AnsweredValue:
    """One value of an answer."""

    text: str
    """A name, a number, or a whole sentence."""
    interval: Interval | None
    """For a fact, when it held; else the time of its evidence."""
    held: bool
    """Whether the interval is a fact's, from its recorded start to its recorded end."""


_REMEMBERED = 4
"""Maximum number of turns before a turn that a follow-up may refer to."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A self-contained question, with the values of its answer."""

    question: str
    told: tuple[AnsweredValue, ...] = ()
    before: "Turn | None" = None
    """The turn before it in the conversation."""
    shown: str = ""
    """The sentence that the answer cites first, or the values of the row that is shown first."""

    def after(self, before: "Turn | None") -> "Turn":
        """The turn behind ``before``, of which the last few turns are kept."""
        kept = [] if before is None else list(before.latest_first())[:_REMEMBERED]
        chain: Turn | None = None
        for turn in reversed(kept):
            chain = replace(turn, before=chain)
        return replace(self, before=chain)

    def latest_first(self) -> Iterator["Turn"]:
        """This turn, and those before it."""
        turn: Turn | None = self
        while turn is not None:
            yield turn
            turn = turn.before


@dataclass(frozen=True)
class Context:
    """A turn, with the antecedents that a follow-up question may refer to."""

    turn: Turn
    reference_day: Day
    conventions: Conventions = USUAL

    @cached_property
    def earlier(self) -> "Context | None":
        """The context of the turn before."""
        before = self.turn.before
        return None if before is None else replace(self, turn=before)

    @cached_property
    def naming(self) -> "Context | None":
        """The nearest earlier turn that asks who, and whose answer is a person named in this question."""
        if self.earlier is None:
            return None
        found = self.earlier
        if found.asks_who and found.name is not None and found.name in self.whole:
            return found
        return found.naming if found.name is None or found.name in self.whole else None

    @cached_property
    def parsed(self) -> ParsedQuestion:
        """The parsed previous question."""
        return parse(self.turn.question, self.reference_day, self.conventions)

    @cached_property
    def timeless(self) -> str:
        """The previous question without its times and its question mark.

        Words that only connect the times are removed too ("in 1995 compared with 2010").
        """
        text = one_line(self.turn.question)
        plain = _tidy(self._without_times or text)
        if text[:1].islower() and plain[:1] == text[:1].upper():
            plain = text[:1] + plain[1:]
        return re.sub(r"\s(?:first|last|immediately)$", "", plain)  # the order belonged to the times

    @cached_property
    def _without_times(self) -> str:
        text = one_line(self.turn.question)
        spans = with_connections(text, self._spans(text))
        for event in self.parsed.implicit:
            spans += _found(text, [event.phrase])
        return without(text, spans)

    @property
    def has_topic(self) -> bool:
        """Whether the previous question has words besides its times: "2015" has none."""
        return any(map(str.isalpha, self._without_times))

    @cached_property
    def times(self) -> tuple[tuple[int, int], ...]:
        """The half-open offsets of the times in :attr:`whole`."""
        return tuple(self._spans(self.whole))

    def _spans(self, text: str) -> list[tuple[int, int]]:
        stated = [c.text for c in self.parsed.constraints if c.interval is not None]
        return _found(text, dict.fromkeys(stated))

    @cached_property
    def asked(self) -> tuple[Spoken, ...]:
        """The periods of the previous question, in its words."""
        return spoken(self.parsed, self.conventions)

    @property
    def spoken_of(self) -> tuple[Spoken, ...]:
        """The current periods of the conversation: the asked ones, else now, else the time of the answer."""
        if self.asked:
            return self.asked
        if self.parsed.present:
            return (Spoken("now", day_interval(self.reference_day)),)
        told = next((told.interval for told in self.turn.told[:1]), None)
        return () if told is None else (told_as(told),)

    def outermost(self, *, forward: bool) -> Interval | None:
        """The last asked period (``forward``) or the first; without any, the time of the answer."""
        intervals = [one.interval for one in self.asked]
        if not intervals:
            return next((told.interval for told in self.turn.told[:1]), None)
        if forward:
            return max(intervals, key=lambda interval: interval.bounds[1])
        return min(intervals, key=lambda interval: interval.bounds[0])

    @cached_property
    def whole(self) -> str:
        """The previous question, without its question mark."""
        return _tidy(one_line(self.turn.question))

    @cached_property
    def name(self) -> str | None:
        """The answer as a name: its value, or the first new name in its sentence; ``None`` without a name."""
        for told in self.turn.told[:1]:
            if len(told.text.split()) <= _LONGEST_NAME and not told.text.endswith((".", "…")):
                return None if self._is_time(told.text) else told.text
            known = self.turn.question.casefold()
            new = [name for name in names_in(told.text) if name.casefold() not in known]
            people = [name for name in new if is_person(name)]
            return next(iter(people or new if self.asks_who else new), None)
        return None

    @cached_property
    def asks_who(self) -> bool:
        """Whether the previous question asks for a person."""
        return re.match(r"\W*(?:\w+\W+)?who(?:m|se)?\b", self.whole, re.IGNORECASE) is not None

    @cached_property
    def asking_who(self) -> "Context | None":
        """The nearest turn that asks who, from this one on."""
        if self.asks_who:
            return self
        return None if self.earlier is None else self.earlier.asking_who

    @cached_property
    def person(self) -> str | None:
        """The antecedent of "he" or "she": the answer, or a person named in the question or its evidence."""
        if self.name is not None and (is_person(self.name) or (self.asks_who and not is_firm(self.name))):
            return self.name
        named = next(filter(is_person, names_in(self.turn.question)), None)
        return named or self._meant_person or (None if self.earlier is None else self.earlier.person)

    @cached_property
    def shown_person(self) -> str | None:
        """The only person whom the shown evidence names.

        Evidence beside a refusal counts if it has a word of the question in some form ("who programmed it?",
        "Programmer").
        """
        people = people_in(self.turn.shown)
        if len(people) != 1 or not (self.turn.told or self._is_alike_shown):
            return None
        return people[0]

    @property
    def _meant_person(self) -> str | None:
        """The person of the shown evidence, if the question asks who or says "he" or "she"."""
        return self.shown_person if self.asks_who or _HE.search(self.whole) else None

    @property
    def _is_alike_shown(self) -> bool:
        shown = topic_words(self.turn.shown)
        for pair in product(topic_words(self.timeless), shown):
            shared = shared_start(*pair)
            if shared >= _ALIKE or shared >= max(_WHOLE, min(map(len, pair))):
                return True
        return False

    @cached_property
    def subject_name(self) -> str | None:
        """A person or thing that the question calls by one name: "Jonas" in "when did Jonas leave?"."""
        found = _ONE_NAME.search(self.timeless)
        return None if found is None or not names_in(found["name"].capitalize()) else found["name"]

    @cached_property
    def holder(self) -> str | None:
        """Whom the question asks for in its own words: "the chair" in "who was chair in 2012?"."""
        found = _POST.fullmatch(self.timeless)
        return None if found is None else f"the {found['post']}"

    @cached_property
    def thing(self) -> str | None:
        """The antecedent of "it": the answer, unless it is a person, else a noun phrase of the question."""
        if self.answers_thing:
            return self.name
        named = None if _HOLDER.fullmatch(self.timeless) else self._spoken_of(-1 if self.asks_who else 0)
        return named or (None if self.earlier is None else self.earlier.thing)

    @cached_property
    def topic(self) -> str | None:
        """The topic of "what happened": a thing that is the answer, or the question's last noun phrase."""
        return self.name if self.answers_thing else self._spoken_of(-1)

    def _spoken_of(self, index: int) -> str | None:
        """A noun phrase of the question with its article; capitalised ones are preferred."""
        named = [slot for slot in self.slots if self._in(slot)[:1].isupper()] or list(self.slots)
        if not named:
            return None
        start, end = named[index]
        article = re.search(r"\bthe\s+$", self.timeless[:start], re.IGNORECASE)
        return self.timeless[article.start() if article else start : end]

    @property
    def answers_thing(self) -> bool:
        """Whether the answer is a name, but not of a person, and no figure."""
        asked = re.match(r"\W*(?:\w+\W+)?(?:which|what)\b", self.whole, re.IGNORECASE)
        if asked is None or self.name is None or _FIGURE.match(self.name):
            return False
        return not is_person(self.name)

    def _in(self, slot: tuple[int, int]) -> str:
        return self.timeless[slot[0] : slot[1]]

    @cached_property
    def place(self) -> str | None:
        """The last phrase with "of", "in" or "for" in the timeless question."""
        found = list(re.finditer(r"\b(?:of|in|for)\s+(?:the\s+)?", self.timeless))
        spans = [span for span in self.slots if any(match.end() == span[0] for match in found)]
        if not spans:
            return None
        start, end = spans[-1]
        match = next(match for match in found if match.end() == start)
        return self.timeless[match.start() : end]

    @cached_property
    def slots(self) -> tuple[tuple[int, int], ...]:
        """The half-open offsets of replaceable noun phrases in the timeless question."""
        return tuple(slots_of(self.timeless))

    @property
    def held(self) -> Interval | None:
        """The recorded time of the answer, from its first to its last day; ``None`` unless it is a fact."""
        return hull(told.interval for told in self.turn.told if told.held and told.interval is not None)

    def _is_time(self, text: str) -> bool:
        found = find_expressions(text, self.reference_day, conventions=self.conventions)
        return any(len(expression.text) >= 0.8 * len(text) for expression in found)


_HE = re.compile(r"\b(?:he|she|him|her|his)\b", re.IGNORECASE)
_ALIKE, _WHOLE = 6, 4
"""Minimum length of a common beginning of two words that mean the same, and of a word that begins another."""
_ONE_NAME = re.compile(
    rf"\b(?:{one_of(AUXILIARIES)})\s+(?P<name>(?!(?:the|an?|i|we|you|they|he|she|it|this|that|there|our|my|your)\b)"
    r"[^\W\d_]+)(?=\s+[a-z])",
    re.IGNORECASE,
)
_POST = re.compile(
    rf"who(?:\s+else)?\s+(?:{one_of(BE)})\s+(?:the\s+)?(?P<post>[a-z][\w’'-]*(?:\s+(?:of\s+)?[\w’'-]+){{0,3}})",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?:[A-Z]{3}\s)?\W*\d")
"""The beginning of an amount: "€14.99", "EUR 180", "12 members"."""
_HOLDER = re.compile(rf"who(?:\s+else)?\s+(?:{one_of(BE)})\s+(?:the\s+)?[^\W\d_]+", re.IGNORECASE)
"""A question for the holder of a post, which "it" does not refer to."""
_GRAMMAR = (
    "of in for at by from to on with after before during when while who whom which what that was were is are "
    "did does do has have had will would and or the a an as under how why where since until be been "
    "up out off down away between through over than there here i we you they he she it not never ever "
    "can could may must should"
)
_STOP = re.compile(rf"(?:{'|'.join(_GRAMMAR.split())}|\w+n['’]t)", re.IGNORECASE)
_DEGREE = re.compile(r"(?:many|much|long|often|old|far)", re.IGNORECASE)
"""What "how" stands before."""
_DO = re.compile(rf"(?:{one_of((*DO, *MODALS))})(?:n['’]t)?", re.IGNORECASE)
"""Verbs before an infinitive."""
_DENYING = frozenset({"not", "never", "ever"})
"""Words between a subject and its infinitive."""
_INFINITIVES = frozenset({"have", "be", "get", "go"})
"""Verbs that are grammar by themselves."""
_LIGHT = _INFINITIVES | {"i", "we", "you", "they", "he", "she", "it"}
"""The same, and subjects before a verb that are grammar."""
_VERB = re.compile(
    rf"[a-z]{{2,}}ed(?<!united)|{one_of(VERB_OF_PAST)}|set|got|put"
    r"|born|go|apply|start|end|take|become|come|land|leave|begin|last|get|win|join"
)


def slots_of(text: str) -> list[tuple[int, int]]:
    """The offsets of names, and of runs of words between function words and verbs, in order.

    Behind "did", "does" and "will", the last word of a run is the verb: "tea" in "how much did tea cost".
    """
    names = [match for name in names_in(text) for match in re.finditer(re.escape(name), text)]
    spans = [match.span() for match in names]
    run: list[tuple[int, int]] = []
    after = needs_verb = False
    last = ""
    for match in [*re.finditer(r"[^\s,;:?!]+", text), None]:
        word = "" if match is None else match.group()
        of_degree = last == "how" and _DEGREE.fullmatch(word) is not None
        is_grammar = of_degree or _STOP.fullmatch(word) or (after and run and _VERB.fullmatch(word))
        last = word.lower()
        if match is not None and not is_grammar:
            if after or run:
                run.append(match.span())
            after = after or _VERB.fullmatch(word) is not None
            continue
        denies = last in _DENYING and needs_verb
        if denies or (run and (_VERB.fullmatch(word) or last in _INFINITIVES)):
            needs_verb = False
        if needs_verb and len(run) > 1 and text[run[-1][0]].islower():
            run.pop()
            needs_verb = False
        if run:
            span = (run[0][0], run[-1][1])
            spans += [span] if is_free(span, spans) else []
        run = []
        joins = re.fullmatch(r"who|whom|what|that|and|or", word, re.IGNORECASE) is not None
        after = match is not None and not joins and not denies
        needs_verb = _DO.fullmatch(word) is not None or (needs_verb and last not in _LIGHT)
    return sorted(spans)


def _found(text: str, phrases: Iterable[str]) -> list[tuple[int, int]]:
    """The offsets of phrases in a text; each is searched after the one before, else from the beginning."""
    spans: list[tuple[int, int]] = []
    for words in phrases:
        whole = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
        match = whole.search(text, spans[-1][1] if spans else 0) or whole.search(text)
        spans += [] if match is None else [match.span()]
    return spans


def _tidy(text: str) -> str:
    return re.sub(r"\s+([,.;])", r"\1", " ".join(text.split())).strip(" ?!.,;")
