"""Finds the hops of a question: descriptions in place of a name, as "the successor of Bill Clinton". Pure.

A hop must be resolved before the question can be answered. It may depend on another hop ("the predecessor of
the one who was Pope when …"). In later hops and in the remaining question, marks replace earlier hops.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from timelens.question.hops.antecedents import introduced, set_behind, told, with_antecedent
from timelens.question.hops.hop import (
    Hop,
    HopKind,
    asked_of,
    being_of,
    lower_first,
    mark,
    marks_in,
    telling,
    time_words,
)
from timelens.question.hops.hop_grammar import (
    ASKED_FROM,
    ASKED_NEIGHBOUR,
    ASKING_ALONE,
    ASKING_WORD,
    EMBEDDED,
    IN_A_CLAUSE,
    INSIDE,
    IS,
    NEIGHBOURS,
    ON_THE_DAY,
    PROPERTY,
    TERM_OF_MARK,
    WHERE,
    WITH_A_DATE,
)
from timelens.temporal.expressions import find_expressions

MOST_HOPS = 4
_ORDER = re.compile(
    r"\b(?:immediately|directly|right|just|straight|before|after|came|come|next|was|succeeded|replaced|followed|preceded"
    r"|took|take|over|from|got|the job)\b",
    re.IGNORECASE,
)
"""Words of succession in a question: what is left names the office."""


@dataclass(frozen=True, slots=True)
class Hops:
    """The hops of a question, each after those that it depends on."""

    question: str
    """The remaining question, with marks in place of the hops."""
    hops: tuple[Hop, ...] = ()

    @property
    def asks_for_last(self) -> bool:
        """Whether the name of the last hop is the answer."""
        return bool(self.hops) and ASKING_ALONE.match(self.question) is not None


def hops_of(question: str) -> Hops:
    """The hops of a question, innermost first; at most ``MOST_HOPS``.

    A description that is itself the question ("Who was the successor of Tony Blair?") is not a hop, unless it
    depends on one.
    """
    text = with_antecedent(" ".join(question.split()))
    hops: list[Hop] = []
    while len(hops) < MOST_HOPS and not marks_in(question):
        found = _next(text, len(hops) + 1)
        if found is None:
            break
        hop, text = found
        hops.append(hop)
        text = _with_terms(text, hops)
    is_whole = ASKING_WORD.search(text) is not None
    return Hops(text, tuple(hops)) if hops and is_whole else Hops(question)


def asked_neighbour(question: str) -> Hop | None:
    """The description that is itself the question ("Who succeeded Tony Blair?"), as a hop; else ``None``."""
    text = " ".join(question.split())
    match = ASKED_NEIGHBOUR.match(text)
    if match is not None and not _is_date(match["of"]):
        later = bool(match["forward"])
        said: tuple[str | None, ...] = (_ORDER.sub(" ", match["forward"] or match["backward"]), match["post"])
    else:
        alone = (
            found
            for found in _neighbours(text)
            if ASKING_ALONE.match(f"{text[: found.start()]}{mark(1)}{text[found.end() :]}")
        )
        match = next((found for found in alone if not _is_date(found["of"])), None)
        if match is None:
            return None
        later = _is_later(match)
        said = (match.groupdict().get("head"), match["post"], match["place"])
    return Hop(
        1,
        HopKind.NEIGHBOUR,
        match.group(),
        match.span(),
        (f"{match.group()}?",),
        of=_plain(match["of"]),
        later=later,
        about=" ".join(filter(None, said)),
    )


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a named thing: "the country of Athens 2004"."""

    text: str
    noun: str
    of: str


def properties_in(text: str) -> Iterator[Property]:
    """The properties of named things in a text."""
    for match in PROPERTY.finditer(text):
        yield Property(match.group(), match["noun"], match["of"])


def _next(text: str, number: int) -> tuple[Hop, str] | None:
    """The next resolvable hop, and the text with its mark."""
    steps: Sequence[Callable[[str, int], tuple[Hop, str] | None]] = (
        _neighbour,
        _embedded,
        set_behind,
        introduced,
        told,
        _asked_neighbour,
    )
    return next((found for step in steps if (found := step(text, number)) is not None), None)


def _neighbour(text: str, number: int) -> tuple[Hop, str] | None:
    """A hop to the neighbour of a name or of an earlier hop."""
    for match in _neighbours(text):
        kin = match.groupdict().get("head") or ""
        before, after = text[: match.start()], _without_noun(text[match.end() :], kin)
        replaced = f"{before}{mark(number)}{after}"
        if _is_date(match["of"]) or (ASKING_ALONE.match(replaced) and not marks_in(match["of"])):
            continue
        groups = match.groupdict()
        bare = groups.get("later") or groups.get("earlier") or groups.get("one")
        inside = IN_A_CLAUSE.search(before)
        if bare and not (marks_in(match["of"]) or inside):
            continue
        if groups.get("one") and (inside is None or inside[0].lower() in ("of", "that")):
            continue  # "the Law of the Sea after Rüdiger Wolfrum"
        if groups["place"] and _is_date(groups["place"]):
            continue
        later = _is_later(match)
        head = bare or groups.get("head") or ""
        words = _words_after(after)
        hop = Hop(
            number,
            HopKind.NEIGHBOUR,
            match.group(),
            match.span(),
            (_asking(match.group()),),
            of=_plain(match["of"]),
            later=later,
            head=telling(head, text),
            about=" ".join(filter(None, (groups["post"], groups["place"], words))),
        )
        return hop, replaced
    return None


def _is_later(match: re.Match[str]) -> bool:
    """Whether a neighbour comes after what it is described by."""
    groups = match.groupdict()
    return any(groups.get(name) for name in ("later", "successor", "forward", "behind"))


def _neighbours(text: str) -> Iterator[re.Match[str]]:
    """The matches of all neighbour patterns, shortest first, so that the innermost come first."""
    found = [match for pattern in NEIGHBOURS for match in pattern.finditer(text)]
    return iter(sorted(found, key=lambda match: (match.end() - match.start(), match.start())))


def _embedded(text: str, number: int) -> tuple[Hop, str] | None:
    """A hop to the holder of a predicate at the time of a clause, embedded in a longer sentence."""
    for start in reversed([match.start() for match in re.finditer(r"(?<!\w)\w", text)]):
        match = EMBEDDED.match(text, start)
        if match is None or (match["loose"] and match["thing"]):
            dated = WITH_A_DATE.match(text, start)
            if dated is not None and _has_date(dated["being"]):
                return _made(dated, number, text, f"{dated['verb']} {dated['being']}", "")
            continue
        time = time_words(match["time"], match["clause"])
        return _made(match, number, text, being_of(match, text), time)
    return None


def _asked_neighbour(text: str, number: int) -> tuple[Hop, str] | None:
    """A hop for the question itself, if it asks for the neighbour of an earlier hop."""
    match = ASKED_NEIGHBOUR.match(text) or ASKED_FROM.match(text)
    groups = match.groupdict() if match else {}
    of = groups.get("of") or groups.get("whose") or ""
    if match is None or not marks_in(of):
        return None
    where = WHERE.search(groups.get("forward") or "")
    words = " ".join(filter(None, (match["post"], where["place"] if where else "")))
    later = bool(groups.get("forward") or groups.get("after"))
    if match.re is ASKED_FROM and groups.get("of"):
        later = not groups.get("backward")
    hop = Hop(
        number,
        HopKind.NEIGHBOUR,
        match.group(),
        match.span(),
        (f"{match.group()}?",),
        of=of,
        later=later,
        head=telling("one", text),
        about=words,
    )
    return hop, f"{'Who' if match['asking'].lower().startswith('who') else 'What'} was {mark(number)}?"


def _made(match: re.Match[str], number: int, text: str, being: str, time: str) -> tuple[Hop, str]:
    """The hop for a description inside a sentence, and the sentence with its mark."""
    start, end = match.span("whole")
    groups = match.groupdict()
    head = telling(groups["head"] or "", text)
    asks = asked_of(being, head, time)
    hop = Hop(number, HopKind.HOLDER, match["whole"], (start, end), asks, head=head, being=being)
    return hop, f"{text[:start]}{mark(number)}{text[end:]}"


def _with_terms(text: str, hops: Sequence[Hop]) -> str:
    """The text with terms of hops as clauses: "in the term of ⟦A⟧" becomes "while ⟦A⟧ was Pope"."""

    def clause(match: re.Match[str]) -> str:
        found = match["of"] or match["whose"] or match["head"]
        hop = hops[marks_in(found)[0] - 1]
        return f"while {found} {hop.being or 'held office'}"

    return ON_THE_DAY.sub(r"\1 when ", TERM_OF_MARK.sub(clause, text))


def _words_after(after: str) -> str:
    """The predicate after a description: "President of France" of "was President of France"."""
    match = re.match(rf"\s+(?:{IS}|became)\s+(?P<post>{INSIDE}+)", after)
    return match["post"] if match else ""


def _asking(words: str) -> str:
    return f"Who was {lower_first(words)}?"


def _without_noun(after: str, head: str) -> str:
    """The text after a name, without a repetition of the head noun: "the Qin *dynasty*"."""
    noun = head.rpartition(" ")[2]
    return re.sub(rf"^\s+{re.escape(noun)}\b", "", after) if noun else after


def _plain(name: str) -> str:
    """A name without a full stop or possessive ending."""
    return re.sub(r"['’]s?$|(?<=\w{3})\.$", "", name)


def _is_date(name: str) -> bool:
    """Whether a name is a date."""
    return any(found.text.strip(" .") == name.strip(" .") for found in find_expressions(name))


def _has_date(words: str) -> bool:
    return any(found.interval is not None for found in find_expressions(words))
