"""Translates the time words of other languages into English, so that the English grammar can find times.

Time words are translated word by word and other words are masked. The word order is corrected where it
differs ("l'année dernière" is "the last year", "vor drei Jahren" "three years ago"). Offsets in the gloss map
back to the source.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from timelens.temporal.languages import (
    SHORT,
    TOKEN,
    Language,
    evidence_for,
    is_english,
    language_of,
    months_elsewhere,
    words_in,
)
from timelens.temporal.phrasing import MONTH_NAMES
from timelens.temporal.vocabulary import MONTHS
from timelens.temporal.wordorder import ARTICLES, BESIDE, RELATIONS, Piece, in_order, masked

_LETTER = re.compile(r"[^\W\d_]")
_BETWEEN = re.compile(r"[\s'\u2019\u00a0/-]{1,2}|\.[\s\u00a0]?-?")
"""Text that may separate two words of a phrase."""
_COMPARED = "compared with"
_JOINTS = frozenset({"and", "or", _COMPARED})
_FEASTS = frozenset({"Christmas", "Easter"})
_BEGINS = re.compile(r"(?:[.!?:;\n\u00bf\u00a1\"\u201c\u00ab(\u2013\u2014|]\s{0,2}|[-*]\s)\Z")
"""Text before the first word of a sentence."""
_SPACE = r"[\s\u00a0]"
_LINK = rf"{_SPACE}(?:[^\W\d_]{{1,3}}{_SPACE})?"
_NAME = r"(?P<month>[^\W\d_]{3,})"
_IN_SIGNS = re.compile(
    r"(?<!\d)(?P<year>\d{4})\s?[年년]\s?(?:(?P<month>\d{1,2})\s?[月월]\s?(?:(?P<day>\d{1,2})\s?[日일])?)?"
)
"""A date in Chinese, Japanese or Korean."""
_WITH_A_DAY = (
    re.compile(rf"(?<![\d.,:/-])(?P<day>\d{{1,2}})\.?{_LINK}{_NAME}\.?,?{_LINK}(?P<year>\d{{4}})(?![\d-])"),
    _IN_SIGNS,
)
"""Dates with a day, and the name of a month in any language: "3 października 1990"."""
_YEAR_FIRST = re.compile(rf"(?<!\d)(?P<year>\d{{4}})[.,]?{_SPACE}{_NAME}{_SPACE}(?P<day>\d{{1,2}})(?!\d)")
"""Dates with the year first: "1914. augusztus 4"."""
_MONTH_AND_YEAR = re.compile(rf"(?<![^\W_])(?![^\W\d_a-z]*[A-Z]){_NAME}\.?{_LINK}(?P<year>\d{{4}})(?![\d-])")
"""A month and a year. The name of the month is in lower case, or in a script without case."""
_YEAR = re.compile(r"\d{4}")
_OF_DATES = frozenset([*map(str.lower, MONTH_NAMES), "to", "until", "since", "before", "after", "from"])
"""Words of English dates, which answers contain beside quotations in another language."""
_FIGURES_BEFORE, _FIGURES_BEHIND = re.compile(r"\d,?\s{1,2}\Z"), re.compile(r"\s\d")
_FUNCTION = "it"
"""Mask for function words: an English function word, so that a number beside it does not count things."""
_ENOUGH = 2.0
"""Evidence for a language from which month names of other languages are accepted only with a day."""
_YEARS = range(1500, 2100)
"""Numbers that are read as years in questions if no time word stands right before them."""


@dataclass(frozen=True)
class Gloss:
    """A text whose time words are in English."""

    source: str
    pieces: tuple[Piece, ...]
    """In order, without overlaps; the text between them is the same in source and gloss."""
    language: Language | None = None
    """``None`` if only dates with the name of a month are translated."""

    @cached_property
    def text(self) -> str:
        """The text of the gloss."""
        return "".join(text for _, text in self._parts)

    @cached_property
    def _parts(self) -> list[tuple[int, str]]:
        """The parts of the gloss, each with its start in the source."""
        parts, position = [], 0
        for piece in self.pieces:
            parts += [(position, self.source[position : piece.start]), (piece.start, piece.english)]
            position = piece.end
        return [*parts, (position, self.source[position:])]

    @cached_property
    def _starts(self) -> list[int]:
        """The start of each part in the gloss."""
        starts, position = [], 0
        for _, text in self._parts:
            starts.append(position)
            position += len(text)
        return starts

    def between(self, start: int, end: int) -> str:
        """The gloss of a span of the source whose bounds do not cut a piece."""
        inside = [piece for piece in self.pieces if start <= piece.start and piece.end <= end]
        moved = [replace(piece, start=piece.start - start, end=piece.end - start) for piece in inside]
        return Gloss(self.source[start:end], tuple(moved)).text

    def with_led_years(self) -> "Gloss":
        """The gloss with "in" before each year without a preposition, as in German questions."""
        pieces = [
            replace(piece, english=f"in {piece.english}")
            if piece.english.isdigit() and int(piece.english) in _YEARS and not self._is_led(index)
            else piece
            for index, piece in enumerate(self.pieces)
        ]
        return replace(self, pieces=tuple(pieces))

    def _is_led(self, index: int) -> bool:
        """Whether a time word other than an article stands right before a piece."""
        before = self.pieces[index - 1] if index and self._are_beside(index - 1) else None
        return before is not None and not before.masked and before.english != "the"

    def led_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """Spans of the source: the conjunctions before a time, then the time with its prepositions.

        If only names of months are translated, the span itself.
        """
        if self.language is None:
            return [(start, end)]
        first = next(i for i, piece in enumerate(self.pieces) if piece.end > start)
        at = first
        while at and _leads_in(self.pieces[at - 1]) and self._are_beside(at - 1):
            at -= 1
        is_joined = at > 0 and not self.pieces[at - 1].masked and self._are_beside(at - 1)
        joints: list[tuple[int, int]] = []
        while at < first and self.pieces[at].english in _JOINTS | {"the"}:
            if self.pieces[at].english in (_JOINTS if is_joined else {_COMPARED}):
                joints.append((self.pieces[at].start, self.pieces[at].end))
            at += 1
        return [*joints, (min(start, self.pieces[at].start), end)]

    def _are_beside(self, index: int) -> bool:
        one, other = self.pieces[index : index + 2]
        return BESIDE.fullmatch(self.source, one.end, other.start) is not None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source for a span of the gloss; a piece is covered as a whole."""
        return self._origin(start), self._origin(end - 1, at_end=True)

    def _origin(self, position: int, *, at_end: bool = False) -> int:
        number = bisect_right(self._starts, position) - 1
        begin, _ = self._parts[number]
        if number % 2:  # inside a piece
            piece = self.pieces[number // 2]
            return piece.end if at_end else piece.start
        return begin + position - self._starts[number] + at_end


def gloss(text: str) -> Gloss | None:
    """The gloss of a text in another language or with a month name of another language; else ``None``."""
    if _LETTER.search(text) is None:
        return None
    words = words_in(text)
    language = language_of(words)
    is_told = is_english(words) if language is None else evidence_for(language, words) >= _ENOUGH
    months = _months(text, language, is_whole=is_told) if _may_name_months(text, words) else []
    if months or language is None or _is_title(text, words, language):
        return Gloss(text, tuple(months)) if months else None
    return Gloss(text, tuple(in_order(text, list(_pieces(text, language)), language)), language)


def _is_title(text: str, words: frozenset[str], language: Language) -> bool:
    """Whether the only evidence for a language is capitalised months that it writes in lower case.

    "Mars 2020" in an English text is no French.
    """
    told = words & language.known
    is_month = all(language.words.get((word,)) in MONTH_NAMES and word.title() in text for word in told)
    return is_month and not language.has_capitals


def _may_name_months(text: str, words: frozenset[str]) -> bool:
    """Whether a text may have a date with the name of a month that is not read as it stands."""
    if "\u5e74" in text or "\ub144" in text or "." in text:
        return True
    return not _words_of_months_elsewhere().isdisjoint(words)


@cache
def _words_of_months_elsewhere() -> frozenset[str]:
    return words_in(" ".join(months_elsewhere())) - MONTHS.keys()


def _months(text: str, language: Language | None, *, is_whole: bool) -> list[Piece]:
    """Dates with the name of a month in a language without a table; ``is_whole``: only dates with a day."""
    if _YEAR.search(text) is None:
        return []
    patterns = _WITH_A_DAY if is_whole else (*_WITH_A_DAY, _YEAR_FIRST, _MONTH_AND_YEAR)
    found = (_date_of(match, language) for pattern in patterns for match in pattern.finditer(text))
    pieces: list[Piece] = []
    for piece in sorted(filter(None, found), key=lambda piece: piece.start):
        if not pieces or piece.start >= pieces[-1].end:
            pieces.append(piece)
    return pieces


def _date_of(match: re.Match[str], language: Language | None) -> Piece | None:
    """A date with its month in English."""
    parts = match.groupdict()
    month = parts["month"]
    if month is None or month.isdigit():
        name = MONTH_NAMES[int(month) - 1] if month and 0 < int(month) < 13 else ""
        return Piece(*match.span(), f" {parts['day'] or ''} {name} {parts['year']} ".replace("  ", " "))
    word = month.lower()
    is_read = word in MONTHS and "." not in match.group()
    if is_read or (language is not None and (word,) in language.words):
        return None
    english = months_elsewhere().get(word)
    if english is None or (len(word) <= SHORT and "day" not in parts):
        return None
    return Piece(*match.span(), f"{parts.get('day', '')} {english} {parts['year']}".strip())


def _pieces(text: str, language: Language) -> Iterator[Piece]:
    """Every word and number of a text with its English or its mask, in the order of the source."""
    tokens = list(TOKEN.finditer(text))
    index = 0
    while index < len(tokens):
        first = tokens[index]
        count, english = _phrase(text, tokens, index, language)
        if english is not None and not _is_a_name(text, first, english, language):
            index += count
            yield Piece(first.start(), tokens[index - 1].end(), english)
            continue
        index += 1
        if first[0].isdigit() or _is_in_english(text, first, language):
            yield Piece(first.start(), first.end(), first[0])
        else:
            yield _mask(first, language)


def _is_in_english(text: str, word: re.Match[str], language: Language) -> bool:
    """Whether a word beside a number is an English date word that the language does not have."""
    said = word[0].lower()
    if said in language.known or said not in _OF_DATES:
        return False
    return _FIGURES_BEFORE.search(text, max(0, word.start() - 4), word.start()) is not None or bool(
        _FIGURES_BEHIND.match(text, word.end())
    )


def _mask(word: re.Match[str], language: Language) -> Piece:
    """The mask of a word without a time. It differs for function words and keeps the capital letter."""
    piece = masked(Piece(*word.span(), ""))
    if word[0].lower() in language.function:
        piece = replace(piece, english=_FUNCTION)
    return replace(piece, english=piece.english.title()) if word[0][0].isupper() else piece


def _is_a_name(text: str, word: re.Match[str], english: str, language: Language) -> bool:
    """Whether a word is a name, by its capital letter, in a language that capitalises only names."""
    if language.has_capitals or not word[0][0].isupper() or english in _FEASTS:
        return False
    return _BEGINS.search(text, max(0, word.start() - 4), word.start()) is None and word.start() > 0


def _phrase(
    text: str, tokens: Sequence[re.Match[str]], index: int, language: Language
) -> tuple[int, str | None]:
    """The number of tokens of the longest known phrase from a token on, and its English (or ``None``)."""
    words: list[str] = []
    found: tuple[int, str | None] = (1, None)
    if tokens[index][0].lower() not in language.starts:
        return found
    for count, token in enumerate(tokens[index : index + language.longest], start=1):
        if count > 1 and not _BETWEEN.fullmatch(text, tokens[index + count - 2].end(), token.start()):
            break
        words.append(token[0].lower())
        phrase = tuple(words)
        if phrase in language.decade:
            found = count, f"{language.words.get(phrase, '')}|decade"
        elif phrase in language.ago:
            found = count, f"{language.words.get(phrase, '')}|ago"
        elif phrase in language.words:
            found = count, language.words[phrase]
    return found


def _leads_in(piece: Piece) -> bool:
    return piece.english in RELATIONS | ARTICLES | _JOINTS | {"on", " "}
