"""Extracts predecessors and successors in an office from texts. Pure.

Either a sentence states who succeeded whom, or a document that names a person later states who took over: "Bo
Falk has led the bank since 1 May 2006".
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from timelens.documents import Hit
from timelens.lexicon import LEADING_OFFICES, one_of
from timelens.question.names import is_person
from timelens.temporal.expressions import find_expressions
from timelens.temporal.interval import Interval, day_interval
from timelens.words import CAPITAL, stems

_TITLES = one_of(LEADING_OFFICES)
_LED = "led|chaired|headed|ran|run|governed|running|leading|heading|chairing|in charge of"
_WORD = rf"(?:{CAPITAL}[\w’'-]+|[A-Z]\.)"
_PERSON = rf"(?P<name>{_WORD}(?:\s+(?:(?:von|van|de|da|del|di|bin|al)\s+)*{_WORD}){{1,3}})"
_TITLED = re.compile(rf"(?:{_TITLES})\s+(?=\S+\s)", re.IGNORECASE)
_TAKING_OVER = re.compile(
    rf"{_PERSON}(?P<between>[^.;:]{{0,70}}?)\b"
    r"(?P<cue>since|became|took office|takes office|took over|succeeded|succeeds|will succeed"
    r"|(?:was|been) (?:appointed|elected|named))\b(?P<to>[^.;:]{0,40})"
)
_IN_OFFICE = re.compile(rf"\b(?:{_LED}|in office|{_TITLES})\b", re.IGNORECASE)
_OFFICE = re.compile(rf"\b(?P<title>{_TITLES})\b", re.IGNORECASE)
_SUCCEEDED = re.compile(
    rf"{_PERSON}(?:,? (?:who|which|and))?(?: has| had)?"
    r" (?:succeeded|replaced|followed|took over from|was preceded by)"
    rf" (?:as \w+ )?(?:(?:{_TITLES}) )?(?P<other>{_WORD}(?: {_WORD}){{0,3}})"
)
_PLANNED = re.compile(r"\b(?:will|would|is to|was to|are to|is expected|plans)\b")


@dataclass(frozen=True, slots=True)
class Successor:
    """A predecessor or successor stated by a text."""

    name: str
    day: Interval | None
    """The day of taking over; ``None`` for a predecessor."""
    hit: Hit


def successors(name: str, hits: Sequence[Hit], *, later: bool) -> Iterator[Successor]:
    """The successors (``later``) or predecessors of a person; planned successions are left out.

    A sentence names both; or, for successors only, a passage that has named the person states who took over:
    in a sentence with that name, or with a title that any text gives the person.
    """
    person = stems(name)
    titles = {title for hit in hits for title in _titles_of(hit.chunk.text, person)}
    for hit in hits:
        for index in range(len(hit.chunk.sentences)):
            yield from _succession(hit, index, person, later=later)
            if later:
                yield from _after(hit, index, person, titles)


def _succession(hit: Hit, index: int, person: str, *, later: bool) -> Iterator[Successor]:
    """Neighbours of a person from a sentence that names both."""
    for match in _SUCCEEDED.finditer(hit.chunk.sentence(index)):
        one, other = _TITLED.sub("", match["name"], count=1), match["other"]
        if later and _is_called(other, person) and is_person(one):
            yield Successor(one, _taken_over(hit, index), replace(hit, sentence=index))
        elif not later and _is_called(one, person) and is_person(other):
            yield Successor(other, None, replace(hit, sentence=index))


def _after(hit: Hit, index: int, person: str, titles: AbstractSet[str]) -> Iterator[Successor]:
    """Successors from a sentence of a passage that has named the person before or in it."""
    sentence, told = hit.chunk.sentence(index), hit.chunk.text[: hit.chunk.sentences[index][1]]
    if not _names(told, person) or _PLANNED.search(sentence):
        return
    for successor, office in _taking_over(hit, index):
        same_office = office in titles or _names(sentence, person)
        if same_office and not _is_called(successor.name, person):
            yield successor


def _titles_of(text: str, person: str) -> Iterator[str]:
    """The titles of a person in a text."""
    for match in re.finditer(rf"\b(?P<title>(?i:{_TITLES})),? {_PERSON}", text):
        if _is_called(match["name"], person):
            yield _plain(match["title"])


def _is_called(name: str, person: str) -> bool:
    """Whether a name is that of a person (stemmed): the full name, or the same last name."""
    own = stems(name)
    return own == person or (bool(own) and own.rpartition(" ")[2] == person.rpartition(" ")[2])


def _taken_over(hit: Hit, index: int) -> Interval | None:
    times = [event.interval for event in hit.chunk.events if event.sentence == index]
    return next((time for time in times if time.start is not None and time.end is not None), None)


def _plain(title: str) -> str:
    """A normalised title: "chairman" and "chairwoman" are the same."""
    return "chair" if title.casefold().startswith("chair") else title.casefold()


def _taking_over(hit: Hit, index: int) -> Iterator[tuple[Successor, str]]:
    """Who took over on a day stated by a sentence, with the title of the office (empty if not named)."""
    sentence, published = hit.chunk.sentence(index), hit.chunk.published
    for match in _TAKING_OVER.finditer(sentence):
        told = match["to"] if match["cue"] == "became" or " " in match["cue"] else match["between"]
        by_itself = "office" in match["cue"] or "succe" in match["cue"] or match["cue"] == "took over"
        name = _TITLED.sub("", match["name"], count=1)
        if not is_person(name) or not (by_itself or _IN_OFFICE.search(told)):
            continue
        office = _OFFICE.search(match["between"] + match["to"])
        for expression in find_expressions(sentence, published.start if published else None):
            reached = match.start("cue") <= expression.char_start <= match.end()
            if reached and expression.interval is not None and expression.interval.start is not None:
                day = day_interval(expression.interval.start)
                taken = Successor(name, day, replace(hit, sentence=index, interval=day))
                yield taken, _plain(office["title"]) if office else ""
                break


def _names(text: str, body: str) -> bool:
    """Whether a text contains a name, given by its stems."""
    return f" {body} " in f" {stems(text)} "
