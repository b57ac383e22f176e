"""Short answers in running text: the names and phrases of a sentence that may be meant. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from timelens.words import STOP_WORDS

_TOKEN = re.compile(r"[^\W_]+(?:['’&+/.-][^\W_]+)*|[^\w\s]|_")
_YEAR = re.compile(r"\d{3,4}s?")
_ABBREVIATIONS = frozenset(
    "st mt ft dr mr mrs ms jr sr no vs inc ltd co corp gen col lt capt sgt prof rev hon".split()
)
_LINKS = frozenset(
    "of the and & for in at de del della di da do dos das du des la le les el y e von van "
    "der den zu zur al bin ibn "
    "af och und et on to".split()
)
"""Words in small letters inside a name ("Bank of England", "Leonardo da Vinci")."""
_STARTS_NO_NAME = STOP_WORDS.union(
    "although because since until while within despite following upon later early however when where whether "
    "born under over under another both each every no not now only other several these "
    "those two three four five six "
    "seven eight nine ten first further finally initially currently meanwhile eventually "
    "subsequently afterwards "
    "thereafter thus yet but once here having being if nor per via my our who whose what".split()
)
_MONTHS = frozenset(
    "january february march april may june july august september october november "
    "december jan feb mar apr jun "
    "jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday".split()
)
_CLOSES = frozenset(
    "in from at by where who which that until since during after before when while with "
    "under and or but as to on "
    "was is were are had has have then he she it they his her its their there between "
    "against because although if "
    "would could will can may until than not also".split()
)
_OPENS = re.compile(
    r"\b(?:as|became|become|becoming|remained|appointed|elected|named|promoted|made|called|titled|renamed|was|were|is|being"
    r"|post|position|rank|office|title|role|job|chair|degree|worked)(?:\s+(?:to|of|as|in|the|a|an|its|his|her|their|by))*"
    r"\s+(?=[^\W\d_])"
)
"""What a role, a rank or a trade in small letters stands after: "was appointed as the …"."""
_LONGEST_NAME, _LONGEST_PHRASE = 12, 9


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark of a text."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it has letters or digits."""
        return self.text[0].isalnum()

    @property
    def is_capital(self) -> bool:
        """Whether it may stand at the head of a name."""
        return self.text[0].isupper() or (self.text[0].isdigit() and any(c.isupper() for c in self.text))


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, of whole tokens: ``first`` to ``last``, both inclusive."""

    text: str
    start: int
    end: int
    first: int
    last: int
    is_whole: bool
    """A name to its full length, not a part of one."""
    is_name: bool
    """It begins with a capital."""


def tokens_of(text: str) -> list[Token]:
    """The words and marks of a text, in order."""
    return [Token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def spans_in(text: str, tokens: Sequence[Token], taken: Sequence[tuple[int, int]] = ()) -> list[Span]:
    """The stretches that may be an answer, each once, in order.

    These are names with their parts, names with the words in small letters that end them ("Westerbork
    transit camp"), numbered things ("third division") and what stands after words for roles. ``taken`` are
    offsets of times, which no span overlaps.
    """
    found: dict[tuple[int, int], Span] = {}
    free = [not any(start < token.end and token.start < end for start, end in taken) for token in tokens]
    for first, last, is_whole in _all(text, tokens, free):
        if first > last or (first, last) in found:
            continue
        stretch = text[tokens[first].start : tokens[last].end]
        found[first, last] = Span(
            stretch, tokens[first].start, tokens[last].end, first, last, is_whole, tokens[first].is_capital
        )
    return sorted(found.values(), key=lambda span: (span.first, -span.last))


def _all(text: str, tokens: Sequence[Token], free: Sequence[bool]) -> Iterator[tuple[int, int, bool]]:
    before = -1
    for first, last in _names(tokens, free):
        if before >= 0 and first >= 1 and tokens[first - 1].text == "," and last - before <= _LONGEST_NAME:
            yield before, last, False  # "Lagos, Nigeria"
        before = first if last + 1 < len(tokens) and tokens[last + 1].text == "," else -1
        yield first, last, True
        yield from ((a, b, False) for a, b in _parts(tokens, first, last))
        tail = _tail(tokens, free, last)
        if tail > last:
            yield first, tail, False
        head = _head(tokens, free, first)
        if head < first:
            yield head, last, False
    yield from ((first, last, False) for first, last in _phrases(text, tokens, free))


def _names(tokens: Sequence[Token], free: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words, with links, initials and numbers inside them."""
    index = 0
    while index < len(tokens):
        if not free[index] or not _heads_name(tokens, index):
            index += 1
            continue
        last = index
        while last + 1 < len(tokens) and last - index < _LONGEST_NAME:
            step = _next(tokens, free, last)
            if step is None:
                break
            last = step
        yield index, last
        index = last + 1


def _heads_name(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    word = token.text.casefold()
    return token.is_capital and word not in _STARTS_NO_NAME and word not in _MONTHS


def _next(tokens: Sequence[Token], free: Sequence[bool], last: int) -> int | None:
    """The token up to which a name goes on, or ``None`` where it ends."""
    for ahead in range(last + 1, min(last + 4, len(tokens))):
        token = tokens[ahead]
        if not free[ahead]:
            return None
        if token.is_capital and token.text.casefold() not in _MONTHS:
            return ahead
        if ahead == last + 1 and token.text[0].isdigit() and not _YEAR.fullmatch(token.text):
            return ahead
        initial = token.text == "." and _is_short(tokens[ahead - 1])
        joined = token.text in {"'", "’", "-", "/", "!", "&"} and ahead == last + 1
        if not (initial or joined or token.text.casefold() in _LINKS):
            return None
    return None


def _is_short(token: Token) -> bool:
    return (len(token.text) == 1 and token.text.isupper()) or token.text.casefold() in _ABBREVIATIONS


def _parts(tokens: Sequence[Token], first: int, last: int) -> Iterator[tuple[int, int]]:
    """The pieces of a name between its links, and what stands before and after each link."""
    links = [i for i in range(first + 1, last) if tokens[i].text.casefold() in _LINKS]
    runs: list[tuple[int, int]] = []
    start = first
    for link in links:
        if link > start:
            runs.append((start, link - 1))
        start = link + 1
    runs.append((start, last))
    for number, (begin, end) in enumerate(runs):
        yield begin, end
        yield begin, last
        yield first, end
        if number and number + 1 < len(runs):
            yield begin, runs[number + 1][1]
    if tokens[first].is_word and last > first:
        yield first + 1, last  # without a title or an adjective before it
        yield first, last - 1
    if last - first > 1:
        yield first + 2, last


def _tail(tokens: Sequence[Token], free: Sequence[bool], last: int) -> int:
    """Where the words in small letters end that follow a name up to a mark or a word of grammar."""
    index = last + 1
    while index < len(tokens) and index - last <= 3 and free[index]:
        token = tokens[index]
        if not token.is_word or token.text.casefold() in _CLOSES | _LINKS:
            return index - 1
        if token.text.endswith(("ed", "ly")) or token.is_capital or token.text[0].isdigit():
            return last
        index += 1
    return index - 1 if index == len(tokens) else last


def _head(tokens: Sequence[Token], free: Sequence[bool], first: int) -> int:
    """Where the phrase begins that a name ends: "professor of chemistry at …", "president of …"."""
    index = first - 1
    while index >= 0 and first - index <= 5 and free[index]:
        word = tokens[index].text.casefold()
        if not tokens[index].is_word or (word in _CLOSES and word != "and"):
            break
        if word in {"the", "a", "an", "his", "her", "its", "their"}:
            break
        index -= 1
    head = index + 1
    while head < first and tokens[head].text.casefold() in STOP_WORDS:
        head += 1
    return head


def _phrases(text: str, tokens: Sequence[Token], free: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """What stands after words for roles and after ordinals, up to a word of grammar and beyond "of"."""
    starts = {token.start: index for index, token in enumerate(tokens)}
    opened = [starts[match.end()] for match in _OPENS.finditer(text) if match.end() in starts]
    ordinals = [
        index
        for index, token in enumerate(tokens)
        if re.fullmatch(r"\d+(?:st|nd|rd|th)|second|third|fourth|fifth|sixth", token.text)
    ]
    for first in dict.fromkeys([*opened, *ordinals]):
        index, ends = first, list[int]()
        while index < len(tokens) and index - first < _LONGEST_PHRASE and free[index]:
            token = tokens[index]
            word = token.text.casefold()
            if not token.is_word and token.text not in {"-", "'", "’"}:
                break
            if word in _CLOSES and index > first:
                ends.append(index - 1)
                if word not in {"and", "in", "at", "to", "on"}:
                    break
            elif word in {"of", "for"} and index > first:
                ends.append(index - 1)
            index += 1
        ends.append(index - 1)
        for last in ends:
            if last >= first and tokens[last].text.casefold() not in STOP_WORDS | _LINKS:
                yield first, last
