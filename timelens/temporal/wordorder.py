"""The words of a gloss in the order of English: numbers, centuries, decades, lengths, ranges. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from timelens.temporal.languages import Language
from timelens.temporal.vocabulary import CARDINALS, MONTHS, SEASONS, UNIT_WORDS, WEEKDAYS, in_roman

BESIDE = re.compile(r"[\s\u00a0,.'\u2019\u2010-\u2015/-]{0,3}")
"""What may stand between two words of one time."""
ARTICLES = frozenset({"the", "of", "of the"})
RELATIONS = frozenset(
    "between and or from since until to before after during around in early mid late".split()
) | {"the beginning of"}
_DATES = frozenset([*MONTHS, *WEEKDAYS, *SEASONS, "century"])
"""Words that name a date or a part of one, beside figures."""
_LEADING = frozenset({"since", "of", "from", "of the", "on"})
"""What leads in the first of two dates that ``to`` joins."""
_AFTER_A_PLACE = frozenset({"century", "until", "to", "and", "or", *MONTHS})
"""What stands behind figures with a point that are a place in a row ("3. Mai", "3. bis 5. Mai")."""
_POINT = re.compile(r"[.\u00ba\u00b0]\s?")
_TENS = re.compile(r"(?:\d\d)?\d0")
_NUMERAL = re.compile("[IVX]*")
_ROMAN = {in_roman(number).upper(): number for number in range(1, 30)}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and what stands for it in the gloss."""

    start: int
    end: int
    english: str
    """What follows a bar tells what it may be beside that ("before|ago")."""
    masked: bool = False

    @property
    def word(self) -> str:
        """Its English, whatever else it may be; empty if it is nothing else."""
        return self.english.partition("|")[0]


def in_order(text: str, pieces: Sequence[Piece], language: Language) -> list[Piece]:
    """The pieces of a text, word for word, as English has them."""
    found = _Order(text, list(pieces), language)
    for step in (found.with_ending, found.with_number, found.with_unit, found.with_length):
        found.join(step)
    found.join_ranges()
    found.drop_articles()
    return [_settled(piece) for piece in found.pieces]


@dataclass
class _Order:
    """The pieces of a text while they are put in order; each pass is linear."""

    text: str
    pieces: list[Piece]
    language: Language

    def join(self, step: Callable[[list[Piece], Piece], Piece]) -> None:
        """Each piece, joined by ``step`` to what it takes from the end of those before it."""
        done: list[Piece] = []
        for piece in self.pieces:
            joined = step(done, piece)
            done.append(joined)
        self.pieces = done

    def with_ending(self, done: list[Piece], piece: Piece) -> Piece:
        """Figures with what tells their place in a row ("1er", "3."), and decades ("1990er Jahre")."""
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
        """Centuries and decades, whose number may stand before or behind ("siglo XIX", "années 1990")."""
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
        """What stands behind its unit ("année dernière"), and units of which there are several."""
        last = self._beside(done, piece)
        if last is None:
            return piece
        behind = self.language.behind.get(self._said(piece).lower())
        if behind is not None and last.word.lower() in UNIT_WORDS | _DATES:
            return Piece(done.pop().start, piece.end, f"{behind} {last.word}")
        if piece.word in UNIT_WORDS and _is_number(last):
            is_one = piece.word.endswith("s") or last.english in ("1", "one")
            return replace(piece, english=piece.word if is_one else f"{piece.word}s")
        return piece

    def with_length(self, done: list[Piece], piece: Piece) -> Piece:
        """Lengths that lie back ("vor drei Jahren"), and those of which the last is meant."""
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
        """What joins two dates to a range, with what leads in the first ("de 1990 a 1995")."""
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
        """What stands between the parts of a date, or between a word for its relation and a date."""
        for index in range(1, len(self.pieces) - 1):
            before, piece, after = self.pieces[index - 1 : index + 2]
            is_whole = after.english.startswith("the ")
            is_part = piece.english in ARTICLES | {"on"} and (is_whole or self._is_date(after))
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
        """The piece right before another."""
        return done[-1] if done and self._are_beside(done[-1], piece) else None

    def _is_date(self, piece: Piece) -> bool:
        """Whether it names a date or a part of one."""
        word = piece.english.rpartition(" ")[2].lower()
        return word[:1].isdigit() or word in _DATES

    def _leads(self, index: int) -> bool:
        return self.pieces[index].english in _LEADING and self._are_beside(*self.pieces[index : index + 2])

    def _is_date_before(self, index: int) -> bool:
        """Whether the piece before another belongs to one date with it, or to an article of that."""
        before, piece = self.pieces[index - 1 : index + 1]
        part = self._is_date(before) or (before.english in ARTICLES and self._is_date(piece))
        return part and self._are_beside(before, piece)

    def _is_date_after(self, index: int) -> bool:
        following = self.pieces[index : index + 3]
        if len(following) > 2 and following[1].english in ARTICLES | {"on"}:
            del following[1]
        return len(following) > 1 and self._is_date(following[1]) and self._are_beside(*following[:2])


def masked(piece: Piece) -> Piece:
    """A piece that says nothing of time."""
    return replace(piece, english="z" * (piece.end - piece.start), masked=True)


def _settled(piece: Piece) -> Piece:
    """A piece with the one meaning that is left to it."""
    if "|" not in piece.english:
        return piece
    return replace(piece, english=piece.word) if piece.word else masked(piece)


def _is_number(piece: Piece) -> bool:
    return piece.english.isdigit() or piece.english in CARDINALS


def _place(said: str, suffixes: frozenset[str]) -> int:
    """The number of a century, in figures or Roman ones, with an ending or without; 0 if it is none."""
    figures = re.match(r"\d{1,2}(?!\d)", said)
    if figures is not None:
        return int(figures.group())
    numeral = _NUMERAL.match(said)
    ending = said[numeral.end() :].lower() if numeral else ""
    return _ROMAN.get(said[: len(said) - len(ending)], 0) if ending in {"", *suffixes} else 0


def _in_a_row(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 != 1 else 0, "th")
    return f"{number}{ending}"
