"""Puts the words of a gloss into English order: numbers, centuries, decades, lengths, ranges. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from timelens.temporal.languages import Language
from timelens.temporal.vocabulary import CARDINALS, MONTHS, SEASONS, UNIT_WORDS, WEEKDAYS, in_roman

BESIDE = re.compile(r"[\s\u00a0,.'\u2019\u2010-\u2015/-]{0,3}")
"""Text that may separate two words of one time."""
ARTICLES = frozenset({"the", "of", "of the"})
RELATIONS = frozenset(
    "between and or from since until to before after during around in early mid late".split()
) | {"the beginning of"}
_DATES = frozenset([*MONTHS, *WEEKDAYS, *SEASONS, "century"])
"""Words that name a date or a part of a date; numbers do, too."""
_PARTS_OF_DATES = UNIT_WORDS | _DATES
_BETWEEN_PARTS = ARTICLES | {"on"}
_LEADING = frozenset({"since", "of", "from", "of the", "on"})
"""Prepositions before the first of two dates that ``to`` joins."""
_AFTER_A_PLACE = frozenset({"century", "until", "to", "and", "or", *MONTHS})
"""Words after an ordinal number written with a full stop ("3. Mai", "3. bis 5. Mai")."""
_POINT = re.compile(r"[.\u00ba\u00b0]\s?")
_TENS = re.compile(r"(?:\d\d)?\d0")
_NUMERAL = re.compile("[IVX]*")
_ROMAN = {in_roman(number).upper(): number for number in range(1, 30)}


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of a text and its replacement in the gloss."""

    start: int
    end: int
    english: str
    """The replacement; after a bar, a second possible meaning ("before|ago")."""
    masked: bool = False

    @property
    def word(self) -> str:
        """The English before the bar; empty if the piece has only the meaning after the bar."""
        return self.english.partition("|")[0]


def in_order(text: str, pieces: Sequence[Piece], language: Language) -> list[Piece]:
    """The pieces of a text in English order."""
    found = _Order(text, list(pieces), language)
    for step in (found.with_ending, found.with_number, found.with_unit, found.with_length):
        found.join(step)
    found.join_ranges()
    found.drop_articles()
    return [_settled(piece) for piece in found.pieces]


@dataclass
class _Order:
    """The pieces of a text during reordering; each pass takes linear time."""

    text: str
    pieces: list[Piece]
    language: Language

    def join(self, step: Callable[[list[Piece], Piece], Piece]) -> None:
        """Apply ``step`` to each piece; it may take pieces from the end of the list of those before."""
        done: list[Piece] = []
        for piece in self.pieces:
            joined = step(done, piece)
            done.append(joined)
        self.pieces = done

    def with_ending(self, done: list[Piece], piece: Piece) -> Piece:
        """Join numbers with ordinal endings ("1er", "3.") and endings of decades ("1990er Jahre")."""
        last = done[-1] if done else None
        if last is None or not last.english[:1].isdigit():
            return piece
        between, said = self.text[last.end : piece.start], self._said(piece).lower()
        if not between and said in self.language.decade_suffixes:
            return Piece(done.pop().start, piece.end, f"{last.english}s")
        if not between and said in self.language.suffixes:
            return Piece(done.pop().start, piece.end, last.english)
        if last.english.endswith("s") and piece.english in ("year", "years"):
            return Piece(done.pop().start, piece.end, last.english)
        if _POINT.fullmatch(between) and piece.english.lower() in _AFTER_A_PLACE:
            done[-1] = replace(last, end=last.end + 1)
        return piece

    def with_number(self, done: list[Piece], piece: Piece) -> Piece:
        """Join centuries and decades with a number before or after them ("siglo XIX", "années 1990")."""
        last = self._beside(done, piece)
        if last is None:
            return piece
        if "century" in (piece.word, last.word):
            number = _place(self._said(last if piece.word == "century" else piece), self.language.suffixes)
            return Piece(done.pop().start, piece.end, f"{_in_a_row(number)} century") if number else piece
        if last.english.endswith("|decade") and _TENS.fullmatch(self._said(piece)):
            return Piece(done.pop().start, piece.end, f"the {self._said(piece)}s")
        return piece

    def with_unit(self, done: list[Piece], piece: Piece) -> Piece:
        """Move words that follow their unit ("année dernière"); put units after a number in the plural."""
        last = self._beside(done, piece)
        if last is None:
            return piece
        behind = self.language.behind.get(self._said(piece).lower())
        if behind is not None and last.word.lower() in _PARTS_OF_DATES:
            return Piece(done.pop().start, piece.end, f"{behind} {last.word}")
        if piece.word in UNIT_WORDS and _is_number(last):
            is_one = piece.word.endswith("s") or last.english in ("1", "one")
            return replace(piece, english=piece.word if is_one else f"{piece.word}s")
        return piece

    def with_length(self, done: list[Piece], piece: Piece) -> Piece:
        """Reorder "three years ago" ("vor drei Jahren") and "the last three years"."""
        last = self._beside(done, piece)
        if last is None or len(done) < 2 or piece.word not in UNIT_WORDS:
            return piece
        before = done[-2]
        if before.english.endswith("|ago") and _is_number(last):
            del done[-2:]
            return Piece(before.start, piece.end, f"{last.english} {piece.word} ago")
        if last.english in ("last", "next") and _is_number(before):
            del done[-2:]
            return Piece(before.start, piece.end, f"{last.english} {before.english} {piece.word}")
        return piece

    def join_ranges(self) -> None:
        """Make "from … to" of the words of a range ("de 1990 a 1995"); mask "to" elsewhere."""
        for index, piece in enumerate(self.pieces):
            if piece.english not in ("to", "until"):
                continue
            first = index
            while first and self._is_date_before(first):
                first -= 1
            if first < index and self._is_date_after(index):
                self.pieces[index] = replace(piece, english="to")
                if first and self.pieces[first].english not in _LEADING and self._leads(first - 1):
                    first -= 1
                if self.pieces[first].english in _LEADING:
                    self.pieces[first] = replace(self.pieces[first], english="from")
            elif piece.english == "to":
                self.pieces[index] = masked(piece)

    def drop_articles(self) -> None:
        """Drop articles and "on" between the parts of a date, or between a relation word and a date."""
        for index in range(1, len(self.pieces) - 1):
            if self.pieces[index].english not in _BETWEEN_PARTS:
                continue
            before, piece, after = self.pieces[index - 1 : index + 2]
            is_whole = after.english.startswith("the ")
            is_part = is_whole or self._is_date(after)
            if not (is_part and self._are_beside(before, piece) and self._are_beside(piece, after)):
                continue
            is_inside = self._is_date(before) and piece.english != "on"
            if before.word in RELATIONS or is_inside or (is_whole and piece.english == "the"):
                self.pieces[index] = Piece(before.end, after.start, " ")
            elif piece.english == "of the" and after.english.isdigit():
                self.pieces[index] = replace(piece, english="of")

    def _said(self, piece: Piece) -> str:
        return self.text[piece.start : piece.end]

    def _are_beside(self, one: Piece, other: Piece) -> bool:
        between = self.text[one.end : other.start]
        return between == " " or BESIDE.fullmatch(between) is not None

    def _beside(self, done: Sequence[Piece], piece: Piece) -> Piece | None:
        """The last of ``done`` if it stands right before ``piece``, else ``None``."""
        return done[-1] if done and self._are_beside(done[-1], piece) else None

    def _is_date(self, piece: Piece) -> bool:
        """Whether a piece names a date or a part of a date."""
        word = piece.english.rpartition(" ")[2].lower()
        return word[:1].isdigit() or word in _DATES

    def _leads(self, index: int) -> bool:
        return self.pieces[index].english in _LEADING and self._are_beside(*self.pieces[index : index + 2])

    def _is_date_before(self, index: int) -> bool:
        """Whether the piece before a piece belongs to the same date: a part of it, or its article."""
        before, piece = self.pieces[index - 1 : index + 1]
        part = self._is_date(before) or (before.english in ARTICLES and self._is_date(piece))
        return part and self._are_beside(before, piece)

    def _is_date_after(self, index: int) -> bool:
        following = self.pieces[index : index + 3]
        if len(following) > 2 and following[1].english in _BETWEEN_PARTS:
            del following[1]
        return len(following) > 1 and self._is_date(following[1]) and self._are_beside(*following[:2])


def masked(piece: Piece) -> Piece:
    """The piece as a mask of equal length, without a time word."""
    return replace(piece, english="z" * (piece.end - piece.start), masked=True)


def _settled(piece: Piece) -> Piece:
    """The piece with its first meaning only; masked if it has none."""
    if "|" not in piece.english:
        return piece
    return replace(piece, english=piece.word) if piece.word else masked(piece)


def _is_number(piece: Piece) -> bool:
    return piece.english.isdigit() or piece.english in CARDINALS


def _place(said: str, suffixes: frozenset[str]) -> int:
    """The number of a century, in Arabic or Roman numerals, with or without an ending; else 0."""
    figures = re.match(r"\d{1,2}(?!\d)", said)
    if figures is not None:
        return int(figures.group())
    numeral = _NUMERAL.match(said)
    ending = said[numeral.end() :].lower() if numeral else ""
    return _ROMAN.get(said[: len(said) - len(ending)], 0) if ending in {"", *suffixes} else 0


def _in_a_row(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 != 1 else 0, "th")
    return f"{number}{ending}"
