"""Who held an office on a day, told from texts that name its holder on other days. Pure.

News names who holds an office in passing ("Chairman Ada Lind said"), and when one took over ("has led the
bank since 1 May 2006"). Who is named before a day held the office on it if the next one named is the same
person, or took over only later.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain

from timelens.documents import EventSource, Hit
from timelens.question.model import ParsedQuestion
from timelens.question.names import is_person
from timelens.temporal.calendar import Day
from timelens.temporal.constraints import Relation
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval
from timelens.words import stems

_TITLES = (
    "president|chancellor|governor|chair(?:man|woman|person)?|minister|premier|director|secretary|head|chief"
    "|commissioner|mayor|rector|king|queen|emperor|pope"
)
_KINDS = "prime|deputy|vice|foreign|finance|first|general|attorney"
_LED = "led|chaired|headed|ran|run|governed|running|leading|heading|chairing|in charge of"
_WORD = r"(?:[^\W\d_a-zß-öø-ÿ][\w’'-]+|[A-Z]\.)"
_PERSON = rf"(?P<name>{_WORD}(?:\s+(?:(?:von|van|de|da|del|di|bin|al)\s+)*{_WORD}){{1,3}})"
_ASKED = re.compile(
    rf"\bwho\b.*?\b(?:(?P<office>(?:(?:{_KINDS})\s+)?(?:{_TITLES}))\s+of|(?P<led>{_LED}))\s+(?:the\s+)?(?P<body>.+?)[\s?]*$",
    re.IGNORECASE,
)
_TITLED = re.compile(rf"(?:{_TITLES})\s+(?=\S+\s)", re.IGNORECASE)
_OF = re.compile(rf"\s*of (?:the )?(?P<body>{_WORD}(?:(?: of(?: the)?)? {_WORD})*)")
_NOT_IN_OFFICE = r"(?i:(?<!deputy )(?<!vice )(?<!vice-)(?<!former )(?<!ex-)(?<!next )(?<!late ))"
_TAKING_OVER = re.compile(
    rf"{_PERSON}(?P<between>[^.;:]{{0,70}}?)\b"
    r"(?P<cue>since|became|took office|takes office|took over|succeeded|succeeds|will succeed"
    r"|(?:was|been) (?:appointed|elected|named))\b(?P<to>[^.;:]{0,40})"
)
_IN_OFFICE = re.compile(rf"\b(?:{_LED}|in office|{_TITLES})\b", re.IGNORECASE)
_NEWS = 2 * 366
"""Days before its publication of which a text speaks as of its own time."""
_BETWEEN = 4 * 366
"""Days without a name, up to another's first or to today, into which nobody else's term is taken to fit."""
_NEAR = 92
"""Days before and after which who is named is taken to be in office."""
_NOW = re.compile(r"\s+(?:has|is|says|wants|expects|will)\b")


@dataclass(frozen=True, slots=True)
class Holder:
    """Who held the office."""

    name: str
    interval: Interval
    """From the first day on which the texts have them in office to the last."""
    hits: tuple[Hit, ...]
    """The sentences next to the day, before and after it."""


@dataclass(frozen=True, slots=True)
class Successor:
    """Who a text says came next to another in an office."""

    name: str
    day: Interval | None
    """When they took over; unknown of who came before."""
    hit: Hit


@dataclass(frozen=True, slots=True)
class _Mention:
    """Somebody in office on a day."""

    day: Day
    name: str
    office: str
    """As it is called there; empty where it is not."""
    hit: Hit
    takes_over: bool = False

    @property
    def person(self) -> str:
        return self.name.split()[-1].casefold()


@dataclass(frozen=True, slots=True)
class _Term:
    """Mentions of one person in order of time, without another between them."""

    mentions: tuple[_Mention, ...]
    start: Day
    end: Day
    """The day after the last on which the person is taken to have held the office."""


def holder_of(parsed: ParsedQuestion, hits: Sequence[Hit]) -> Holder | None:
    """Who held the office that is asked for in the asked days; ``None`` where the texts do not tell."""
    asked = _ASKED.search(parsed.core)
    days = _days(parsed)
    if asked is None or days is None or days.start is None or days.end is None:
        return None
    office = (asked["office"] or ("chair" if asked["led"].casefold().startswith("chair") else "")).casefold()
    body = stems(asked["body"])
    mentions = [mention for hit in hits if hit.chunk.fact is None for mention in _mentions(hit, office, body)]
    if not mentions:
        return None
    offices = Counter(office for _, office in {(m.hit.chunk.document_id, m.office) for m in mentions})
    usual = max(offices, key=lambda name: (offices[name], name))
    terms = _terms([mention for mention in mentions if mention.office in (usual, "")])
    held = [term for term in terms if term.start <= days.start and days.end <= term.end]
    if not held and parsed.current and 0 <= days.start - terms[-1].end <= _BETWEEN:
        held = terms[-1:]  # nobody is known to have followed
    return _holder(held[0], days.start) if len(held) == 1 else None


_SUCCEEDED = re.compile(
    rf"{_PERSON}(?:,? (?:who|which|and))?(?: has| had)?"
    r" (?:succeeded|replaced|followed|took over from|was preceded by)"
    rf" (?:as \w+ )?(?:(?:{_TITLES}) )?(?P<other>{_WORD}(?: {_WORD}){{0,3}})"
)
_PLANNED = re.compile(r"\b(?:will|would|is to|was to|are to|is expected|plans)\b")


def successors(name: str, hits: Sequence[Hit], *, later: bool) -> Iterator[Successor]:
    """Who texts say came after a person in an office, or before: what was done, not what is planned.

    A sentence says who succeeded whom. Or a document that names the person goes on to say who took over: in
    the same sentence, or by the title that the person has in some text. Of who came before it says nothing.
    """
    person = stems(name)
    titles = {title for hit in hits for title in _titles_of(hit.chunk.text, person)}
    for hit in hits:
        for index in range(len(hit.chunk.sentences)):
            yield from _succession(hit, index, person, later=later)
            if later:
                yield from _after(hit, index, person, titles)


def _succession(hit: Hit, index: int, person: str, *, later: bool) -> Iterator[Successor]:
    """Who came next to a person, by a sentence that names both."""
    for match in _SUCCEEDED.finditer(hit.chunk.sentence(index)):
        one, other = _TITLED.sub("", match["name"], count=1), match["other"]
        if later and _is_called(other, person) and is_person(one):
            yield Successor(one, _taken_over(hit, index), replace(hit, sentence=index))
        elif not later and _is_called(one, person) and is_person(other):
            yield Successor(other, None, replace(hit, sentence=index))


def _after(hit: Hit, index: int, person: str, titles: AbstractSet[str]) -> Iterator[Successor]:
    """Who has taken over, by a sentence of a passage that has named the person by then."""
    sentence, told = hit.chunk.sentence(index), hit.chunk.text[: hit.chunk.sentences[index][1]]
    if not _names(told, person) or _PLANNED.search(sentence):
        return
    for mention in _taking_over(hit, index, rf"(?P<title>{_TITLES})"):
        same_office = mention.office in titles or _names(sentence, person)
        if same_office and not _is_called(mention.name, person):
            yield Successor(mention.name, mention.hit.interval, mention.hit)


def _titles_of(text: str, person: str) -> Iterator[str]:
    """The titles that a text gives a person."""
    for match in re.finditer(rf"\b(?P<title>(?i:{_TITLES})),? {_PERSON}", text):
        if _is_called(match["name"], person):
            yield _plain(match["title"])


def _is_called(name: str, person: str) -> bool:
    """Whether a name is a person's, given by its stems: in full, or by its last part."""
    own = stems(name)
    return own == person or (bool(own) and own.rpartition(" ")[2] == person.rpartition(" ")[2])


def _taken_over(hit: Hit, index: int) -> Interval | None:
    times = [event.interval for event in hit.chunk.events if event.sentence == index]
    return next((time for time in times if time.start is not None and time.end is not None), None)


def _days(parsed: ParsedQuestion) -> Interval | None:
    """The asked days; the last where the state "as of" a day is asked for."""
    window = parsed.window
    if window is None or window.end is None or parsed.implicit:
        return None
    if any(constraint.relation is Relation.AS_OF for constraint in parsed.constraints):
        return day_interval(window.end - 1)
    return window if parsed.ordinal is None else None


def _mentions(hit: Hit, office: str, body: str) -> Iterator[_Mention]:
    """Who holds the office in the sentences of a passage, once it has named the body."""
    title = _title(office)
    in_passing = re.compile(rf"{_NOT_IN_OFFICE}\b(?i:{title}),? {_PERSON}")
    beside = re.compile(rf"{_PERSON}, (?:the |then )?(?i:{title})\b")
    chunk = hit.chunk
    for index, (start, end) in enumerate(chunk.sentences):
        if not _names(f"{chunk.title} {chunk.text[:end]}", body):
            continue
        sentence = chunk.sentence(index)
        yield from _taking_over(hit, index, title)
        for match in chain(in_passing.finditer(sentence), beside.finditer(sentence)):
            after = sentence[match.end() :]
            of = _OF.match(after)
            until = start + match.end() + (of.end() if of else 0)
            if is_person(match["name"]) and _names(
                of["body"] if of else f"{chunk.title} {chunk.text[:until]}", body
            ):
                for time in _times_of(hit, index, now=_NOW.match(after) is not None):
                    held = replace(hit, sentence=index, interval=time)
                    yield _Mention(time.start or 0, match["name"], _plain(match["title"]), held)


def _title(office: str) -> str:
    """A pattern for the words by which an office is called; any, where none is asked for by name."""
    if not office:
        return rf"(?P<title>{_TITLES})"
    if office.startswith("chair"):
        return r"(?P<title>chair(?:man|woman|person)?)"
    return rf"(?P<title>{re.escape(office)})"


def _plain(title: str) -> str:
    """A title by which an office is counted: a chairman and a chairwoman have the same."""
    return "chair" if title.casefold().startswith("chair") else title.casefold()


def _taking_over(hit: Hit, index: int, title: str) -> Iterator[_Mention]:
    """Who took over, and when, by a sentence: "Ada Lind has led the bank since 1 May 2006"."""
    sentence, published = hit.chunk.sentence(index), hit.chunk.published
    called = re.compile(rf"(?i:\b{title}\b)")
    for match in _TAKING_OVER.finditer(sentence):
        told = match["to"] if match["cue"] == "became" or " " in match["cue"] else match["between"]
        by_itself = "office" in match["cue"] or "succe" in match["cue"] or match["cue"] == "took over"
        name = _TITLED.sub("", match["name"], count=1)
        if not is_person(name) or not (by_itself or _IN_OFFICE.search(told)):
            continue
        office = called.search(match["between"] + match["to"])
        for expression in find_expressions(sentence, published.start if published else None):
            reached = match.start("cue") <= expression.char_start <= match.end()
            if reached and expression.interval is not None and expression.interval.start is not None:
                day = expression.interval.start
                held = replace(hit, sentence=index, interval=day_interval(day))
                named = _plain(office["title"]) if office else ""
                yield _Mention(day, name, named, held, takes_over=True)
                break


def _times_of(hit: Hit, index: int, *, now: bool) -> list[Interval]:
    """When a sentence has somebody in office: at times that it states, and when it was published.

    A text that looks back on earlier times does not say whether who is named held the office then or ``now``.
    """
    published = hit.chunk.published
    stated = [
        event.interval
        for event in hit.chunk.events
        if event.sentence == index
        and event.source is EventSource.STATED
        and event.interval.start is not None
        and event.interval.end is not None
    ]
    if published is None or published.start is None:
        return stated[:1]
    if now:
        return [published]
    day = published.start
    recent = [time for time in stated if time.start is not None and day - _NEWS <= time.start <= day]
    looks_back = any(time.start is not None and time.start < day - _NEWS for time in stated)
    return [*recent, published] if recent or not looks_back else []


def _names(text: str, body: str) -> bool:
    """Whether a text names a body, given by its stems."""
    return f" {body} " in f" {stems(text)} "


def _terms(mentions: Sequence[_Mention]) -> list[_Term]:
    """The terms of office that mentions tell of, in order of time."""
    runs: list[list[_Mention]] = []
    replaced: set[str] = set()
    for mention in sorted(mentions, key=lambda m: (m.day, not m.takes_over)):
        if runs and mention.person == runs[-1][-1].person:
            runs[-1].append(mention)
        elif mention.takes_over or mention.person not in replaced:
            if runs and mention.takes_over:
                replaced.add(runs[-1][-1].person)
            runs.append([mention])
    bounds = zip([None, *runs], runs, [*runs[1:], None], strict=False)
    return [_term(run, before, after) for before, run, after in bounds]


def _term(
    run: Sequence[_Mention], before: Sequence[_Mention] | None, after: Sequence[_Mention] | None
) -> _Term:
    """The term of who is named in a run of mentions, between those of others."""
    start, end = run[0].day, run[-1].day + 1
    if not run[0].takes_over:
        start = max(start - _NEAR, before[-1].day + 1 if before else start - _NEAR)
    until = after[0].day if after else end + _NEAR
    known = after is not None and after[0].takes_over and until - end <= _BETWEEN
    end = max(end, until if known else min(until, end + _NEAR))
    return _Term(tuple(run), start, end)


def _holder(term: _Term, day: Day) -> Holder:
    """The person of a term, with the mentions next to a day."""
    before = [mention for mention in term.mentions if mention.day <= day]
    after = [mention for mention in term.mentions if mention.day > day]
    chosen = [*before[-1:], *after[:1]]
    hits = {mention.hit.chunk.id: mention.hit for mention in reversed(chosen)}
    name = max((mention.name for mention in term.mentions), key=len)
    return Holder(name, Interval(term.start, term.end), tuple(reversed(hits.values())))
