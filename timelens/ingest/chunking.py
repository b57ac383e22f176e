"""Splits texts into sentences, and packs sentences into chunks within the embedder's limit."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from timelens.temporal.languages import after_a_point

if TYPE_CHECKING:
    from spacy.language import Language

Span = tuple[int, int]

_BLANK_LINE = re.compile(r"\n[^\S\n]*(?=\n)")
_ITEM = re.compile(r"[^\S\n]*(?:[-*+•]|\d{1,3}[.)])[^\S\n]")
_HEADING = re.compile(r" {0,3}#{1,6}[^\S\n]")
_ROW = re.compile(r"[^\S\n]*\|[^\n]*\w[^\n]*\|[^\S\n]*$", re.MULTILINE)
"""A row of a table in Markdown."""
_RULER = re.compile(r"[^\S\n]*[|: \t-]*--[|: \t-]*$", re.MULTILINE)
"""The line below the names of its columns, which belongs to them."""
_NO_WORDS = re.compile(r"[^\w\s]{20,}|\S{500,}")
"""Rulers and encoded data, for which the splitter takes quadratic time."""
_PLACE = re.compile(r"(?<!\S)\d{1,2}\.\Z")
_POINT_IN_FIGURES = re.compile(r"(?<=[0-9])\.(?=[0-9])")
"""A full stop inside a number. It is no token of its own for spaCy, and so ends no sentence."""
_NEXT_WORD = re.compile(r"\s*([^\W\d_]+)")
_OPENING = " \t\r\n([{“‘«"
"""Characters that open the next sentence, and white space."""
_BRACKET = re.compile(r"(?<![:;=])\(|\)")
"""A round bracket that is not the mouth of a sad face."""
_LONGEST_IN_BRACKETS = 200
_LONGEST_TITLE = 120
_SHARE_OF_TITLE = 0.6
"""Maximum length of a title as a share of the line below it: the lines of a paragraph are equally long."""
_LONGEST_PARSED = 100_000  # characters passed to the sentence splitter at once


def split_sentences(text: str) -> list[Span]:
    """(start, end) of every sentence, without surrounding white space.

    A blank line, a heading, a list item and a row of a table always end a sentence; a row is one sentence.
    """
    return [span for start, end in _blocks(text) for span in _sentences(text, start, end)]


def joined_within(sentences: Sequence[Span], units: Sequence[Span]) -> list[Span]:
    """The sentences; all sentences within a unit are joined to one."""
    joined: list[Span] = []
    last = None
    for start, end in sentences:
        place = bisect_right(units, start, key=lambda unit: unit[0]) - 1
        unit = place if place >= 0 and end <= units[place][1] else None
        if unit is not None and unit == last:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
        last = unit
    return joined


def pack(sentences: Sequence[Span], tokens: Sequence[int], limit: int) -> list[tuple[Span, ...]]:
    """Group consecutive sentences up to ``limit`` tokens; a longer sentence is a group of its own."""
    packed: list[tuple[Span, ...]] = []
    current: list[Span] = []
    used = 0
    for span, size in zip(sentences, tokens, strict=True):
        if current and used + size > limit:
            packed.append(tuple(current))
            current, used = [], 0
        current.append(span)
        used += size
    if current:
        packed.append(tuple(current))
    return packed


def _blocks(text: str) -> Iterator[Span]:
    """The paragraphs, list items and headings."""
    start = 0
    for blank in _BLANK_LINE.finditer(text):
        yield from _items(text, start, blank.start())
        start = blank.end()
    yield from _items(text, start, len(text))


def _items(text: str, start: int, end: int) -> Iterator[Span]:
    """The block between two blank lines, split before each list item, around headings and below a title."""
    position = line = start
    while (line := text.find("\n", line, end) + 1) > 0:
        is_split = _ITEM.match(text, line) or _ROW.match(text, line) or _HEADING.match(text, line)
        is_end = _HEADING.match(text, position) or (
            _is_row(text, position, line) and not _RULER.match(text, line)
        )
        if is_split or is_end or (position == start and _is_title(text, start, line, end)):
            yield position, line
            position = line
    yield position, end


def _is_row(text: str, start: int, end: int) -> bool:
    """Whether a row of a table, perhaps with the line below the names of the columns, is all of a span."""
    row = _ROW.match(text, start, end)
    return row is not None and not _RULER.sub("", text[row.end() : end]).strip()


def _is_title(text: str, start: int, line: int, end: int) -> bool:
    """Whether the first line of a block, above the one at ``line``, is short, and text begins below it.

    A title has no sign at its end.
    """
    if line - start > _LONGEST_TITLE or text.find("\n", start, line - 1) >= 0:
        return False
    below = text.find("\n", line, end)
    title, told = text[start : line - 1].strip(), text[line : end if below < 0 else below].strip()
    is_short = 0 < len(title) <= _SHARE_OF_TITLE * len(told)
    return is_short and title[-1].isalnum() and title[0].isupper() and told[0].isupper()


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of a paragraph; a very long one is split in pieces that end with a sentence."""
    if _is_row(text, start, end):
        told = text[start:end].strip()
        begin = text.index(told, start)
        yield begin, begin + len(told)
        return
    while start < end:
        piece = _NO_WORDS.sub(_one_word, text[start : min(start + _LONGEST_PARSED, end)])
        split = [(start + first, start + last) for first, last in _split(piece)]
        found = _joined(text, split)
        more = start + len(piece) < end
        if more and len(found) > 1:
            found.pop()  # it may continue in the next piece
        for first, last in found:
            stripped = text[first:last].strip()
            if stripped:
                begin = text.index(stripped[0], first)
                yield begin, begin + len(stripped)
        start = found[-1][1] if more else end


def _split(piece: str) -> list[Span]:
    """The sentences of a piece by spaCy, which is skipped if no character can end a sentence."""
    if _sentence_ends().isdisjoint(_POINT_IN_FIGURES.sub("", piece)):
        is_apart = piece[-1:] == " " and piece[-2:-1].strip() != ""
        return [(0, len(piece) - is_apart)]
    return [(sentence.start_char, sentence.end_char) for sentence in _splitter()(piece).sents]


def _joined(text: str, sentences: Sequence[Span]) -> list[Span]:
    """The sentences, each with the brackets that open it, and joined where one ends wrongly."""
    found: list[Span] = []
    for start, end in _opened(text, sentences):
        if found and _goes_on(text, found[-1]):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _opened(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """The sentences; opening brackets at the end of one are moved to the next."""
    if not sentences:
        return
    start = sentences[0][0]
    for _, last in sentences[:-1]:
        end = start + len(text[start:last].rstrip(_OPENING))
        if start < end:
            yield start, end
        start = end
    yield start, sentences[-1][1]


def _goes_on(text: str, sentence: Span) -> bool:
    """Whether a sentence goes on behind its end: "am 3. März", "(approx. 5)", "(Hon. Sec.) wrote"."""
    if _ends_within_brackets(text, sentence):
        return True
    start, end = sentence
    follows = _NEXT_WORD.match(text, end)
    if follows is None:
        return False
    if _PLACE.search(text, max(start, end - 4), end):
        return follows[1].islower() or follows[1].lower() in after_a_point()
    return follows[1].islower() and text.endswith(")", 0, end)


def _ends_within_brackets(text: str, sentence: Span) -> bool:
    """Whether a sentence opens round brackets that are closed a little behind it."""
    start, end = sentence
    opened: list[int] = []
    for found in _BRACKET.finditer(text, max(start, end - _LONGEST_IN_BRACKETS), end):
        if found[0] == "(":
            opened.append(found.start())
        elif opened:
            opened.pop()
    return bool(opened) and ")" in text[end : opened[-1] + _LONGEST_IN_BRACKETS]


def _one_word(found: re.Match[str]) -> str:
    """A word of the same length in place of a match of ``_NO_WORDS``; a sentence end is kept."""
    return "x" * (len(found[0]) - 1) + (found[0][-1] if found[0][-1] in ".!?" else "x")


@cache
def _sentence_ends() -> frozenset[str]:
    return frozenset(_splitter().get_pipe("sentencizer").punct_chars)


@cache
def _splitter() -> "Language":
    import spacy

    language = spacy.blank("en")
    language.add_pipe("sentencizer")
    return language
