"""The core query: a question without its times, as a clean sentence. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from timelens.question.dated_phrases import PREPOSITION
from timelens.question.names import opened
from timelens.question.periods import CONTRAST
from timelens.words import STOP_WORDS

Span = tuple[int, int]

_CONNECTING = STOP_WORDS.union(
    "both one hand other respectively then that those compared comparing comparison relative opposed "
    "contrast contrasted with against versus vs rather when or nor but only years year".split()
)
"""Words that may connect two times; they are cut together with them."""
_TOKEN = re.compile(r"[\w'’]+")
_FINITE = re.compile(r"(?:compares?|differs?|differed|contrasts?)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")
_ASIDE = re.compile(
    r",?\s*\b(?:on the (?:one|other) hand|respectively|on the other"
    r"|(?:on|in|at|for|during) (?:each|all|both|every one|any) (?:of )?(?:these|those|the following|the)?\s?"
    r"(?:dates|days|times|points|years|months|periods|moments))\b",
    re.IGNORECASE,
)
"""Phrases that refer to the named times or their order."""
_OF_A_THING = re.compile(
    r"(?P<lead>(?:(?:before|after)\s+(?:and|or)\s+)?(?:in|on|at|of|for|from|during|about|before|after|since|until)\s+the\s+)[12]\d{3}",
    re.IGNORECASE,
)
"""A year that identifies a thing, with its preposition and article: "at the 2009" of "at the 2009 show"."""
_NOUN = re.compile(r"\s+(?P<noun>[a-z]+)")


def without(text: str, spans: Sequence[Span]) -> str:
    """The text without the spans, as a clean sentence; empty if no word is left."""
    kept = []
    position = 0
    for start, end in sorted(spans):
        kept.append(text[position : max(start, position)])
        # an article inside the cut span is kept for the words that follow
        if re.match(r"the\s", text[start:end], re.IGNORECASE) and re.match(r"\s\w", text[end:]):
            kept.append(text[start : start + 3] + " ")
        kept.append(_lead_of_a_thing(text, (start, end), spans))
        owner = _POSSESSIVE.match(text, end)  # "2018's"
        position = max(owner.end() if owner else end, position)
    kept.append(text[position:])
    core = re.sub(r"\s+", " ", "".join(kept))
    core = re.sub(r"\s+(?:and|or|to|with|versus|vs\.?)(?=\s*(?:[?.!,;]|$))", "", core, flags=re.IGNORECASE)
    core = re.sub(r"\s+([,?.!;:])", r"\1", core)
    core = re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", core)
    core = re.sub(r"[,;:]\s*(?=[?.!]|$)", "", core)
    core = core.strip(" ,;:")
    return opened(core) if re.search(r"\w", core) else ""


def _lead_of_a_thing(text: str, span: Span, cut: Sequence[Span]) -> str:
    """The preposition and article before a cut year, if the noun that it identifies is kept; else empty."""
    thing, noun = _OF_A_THING.fullmatch(text, *span), _NOUN.match(text, span[1])
    if thing is None or noun is None or noun["noun"] in _CONNECTING:
        return ""
    return "" if any(start <= noun.start("noun") < end for start, end in cut) else thing["lead"]


def without_time(core: str, words: str) -> str:
    """A topic without a phrase of time and the preposition before it."""
    position = core.casefold().find(words.casefold())
    if position < 0:
        return core
    preposition = PREPOSITION.search(core[:position])
    start = preposition.start() if preposition else position
    return without(core, [(start, position + len(words))]) or core


def with_connections(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans of a question's times, and of the words that only connect them.

    Between two times, these are function words and words of comparison: all words between them, or those
    right before the second; a finite verb ("compare") is kept, so that the core is a sentence. Before the
    first time, it is a phrase of comparison ("compared with 2010, …").
    """
    times = sorted(spans)
    if not times:
        return times
    cut = [(max(0, start), end) for start, end in times]
    for (_, before), (start, _) in pairwise(times):
        cut += _tying(text, before, start)
    first = times[0][0]
    lead = [match for match in CONTRAST.finditer(text[:first]) if not _FINITE.fullmatch(match.group())]
    if lead and all(word in _CONNECTING for word in _words(text[lead[-1].start() : first])):
        cut.append((lead[-1].start(), first))
    cut += _owners(text, times)
    if len(times) > 1:
        cut += [match.span() for match in _ASIDE.finditer(text)]
    return sorted(cut)


def _tying(text: str, start: int, end: int) -> Iterator[Span]:
    """The spans between two times that only connect the second to the first."""
    tokens = [(m.start() + start, m.end() + start, m.group()) for m in _TOKEN.finditer(text[start:end])]
    words = [word.casefold() for *_, word in tokens]
    last = _untied(words, len(words))
    last = _untied(words, last - _repeated(_words(text), words[:last]))
    tail = tokens[last:]
    finite = [token for token in tail if _FINITE.fullmatch(token[2])]
    if not last and not finite:
        yield start, end
        return
    begin = finite[-1][1] if finite else (tail[0][0] if tail else end)
    if begin < end:
        yield begin, end


def _untied(words: Sequence[str], last: int) -> int:
    """How many of the first ``last`` words remain without trailing connecting words."""
    while last and _ties(words[last - 1]):
        last -= 1
    return last


def _ties(word: str) -> bool:
    """Whether a lower-case word may connect two times."""
    return word in _CONNECTING or _FINITE.fullmatch(word) is not None


def _repeated(opening: list[str], said: list[str]) -> int:
    """How many words at the end of ``said`` repeat the beginning of the question: "…, and for what sum"."""
    most = min(len(opening), len(said))
    return next((n for n in range(most, 0, -1) if said[-n:] == opening[:n]), 0)


def _owners(text: str, times: Sequence[Span]) -> Iterator[Span]:
    """The possessive endings before cut times: "'s" of "Tesco's" in "How does Tesco's 2015 compare …"."""
    for start, end in times:
        owner = re.search(r"['’]s?\s+$", text[:start])
        follower = re.match(r"\s*([\w'’]*)", text[end:])
        word = follower[1].casefold() if follower else ""
        if owner and (not word or _ties(word)):
            yield owner.span()


def _words(text: str) -> list[str]:
    return [token.casefold() for token in _TOKEN.findall(text)]
