"""English words that several layers know, from ``lexicon.toml``: each is there once.

All words are in small letters. What one module alone needs (idioms, words of a model) stands in it,
and takes from here the words it shares.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_DATA: Final[Mapping[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _forms(table: str) -> dict[str, tuple[str, ...]]:
    """The names of a table in order, each with its other forms."""
    return {name: tuple(forms.split()) for name, forms in _DATA[table].items()}


MONTH_FORMS = _forms("months")
"""The twelve months in order, each with its short forms."""
WEEKDAY_FORMS = _forms("weekdays")
"""The weekdays from Monday, each with its short forms."""
SEASONS: Final[Mapping[str, int]] = _DATA["seasons"]
"""Seasons to their first month: meteorological, northern hemisphere."""
UNIT_FORMS = _forms("units")
"""Units of time from the day up, each with its plural and other forms."""
MEASURES = frozenset(_DATA["measures"]["words"].split())
"""Units that stand behind a number, in small letters."""
CURRENCIES = tuple(_DATA["currencies"]["codes"].upper().split())
"""Codes of currencies, which stand before or behind a number."""
DECADES: Final[Mapping[str, int]] = _DATA["decades"]
"""Spelt-out decades to the last two digits of their first year, or to the year where there is one alone."""

ERAS: Final[Mapping[str, tuple[str, int, int]]] = {era: tuple(row) for era, row in _DATA["eras"].items()}
"""Eras that go on, by each of their names: the first day, and the first and last plausible year."""
JAPANESE_ERAS: Final[Mapping[str, int]] = _DATA["japanese_eras"]
"""Japanese eras in their order, each with its first year; it ends in the first year of the next."""
REIGNS: Final[Mapping[str, str]] = _DATA["reigns"]
"""English and British reigns in their order, by name and small Roman numeral, with their first day."""
SOVEREIGNS = _forms("sovereigns")
"""The names of sovereigns, each with its short forms."""
REPUBLICAN_MONTHS = _forms("republican_months")
"""The months of the French Republic in order, with the days after them, each with its plain form."""
ISLAMIC_MONTHS = _forms("islamic_months")
"""The Islamic months in order, each with its other forms."""

TIMES_OF_DAY = tuple(_DATA["day"]["times"].split())
"""Parts of a day, and points in it."""

_NUMBERS = _DATA["numbers"]
CARDINALS = {word: number for number, word in enumerate(_NUMBERS["cardinals"].split())}
"""Number words to 0..19."""
TENS = {word: 10 * number for number, word in enumerate(_NUMBERS["tens"].split(), start=2)}
"""Number words to 20, 30..90."""
MAGNITUDES: Final[Mapping[str, int]] = _NUMBERS["magnitudes"]
"""Words that multiply the number before them, or count by themselves ("dozen")."""
VAGUE_NUMBERS = frozenset(_NUMBERS["vague"].split())
"""Number words without a number: what they count has a length, but no place on the calendar."""
ORDINALS = {word: number for number, word in enumerate(_NUMBERS["ordinals"].split(), start=1)}
"""Ordinal words to 1..31."""

_OFFICES = {kind: tuple(words.split()) for kind, words in _DATA["offices"].items()}
LEADING_OFFICES = (*_OFFICES["leading"], *_OFFICES["descriptions"])
"""What somebody is called who leads something."""
OFFICES = (*LEADING_OFFICES, *_OFFICES["managing"])
"""The same, and who manages a team or a part of something."""
ADDRESSES = _OFFICES["address"]
"""Words that stand before the name of a person only."""
TITLES = (*_OFFICES["leading"], *_OFFICES["titles"], *_OFFICES["address"])
"""Words that stand before the name of a person, or for one who holds an office."""

_VERBS = {kind: tuple(words.split()) for kind, words in _DATA["verbs"].items()}
DO, BE, HAVE, MODALS = (_VERBS[kind] for kind in ("do", "be", "have", "modal"))
"""The finite forms of each auxiliary that take part in questions."""
AUXILIARIES = (*DO, *BE, *HAVE, *MODALS)
"""Verbs that begin a yes-no question, or stand before its subject."""
IMPERATIVES = _VERBS["imperative"]
"""Verbs that ask for an answer: "name", "tell"."""
INTERROGATIVES = tuple(_DATA["questions"]["words"].split())
"""Question words."""
_IRREGULAR = tuple(tuple(forms.split()) for forms in _DATA["irregular_verbs"]["forms"])
PAST_VERBS = tuple(forms[1] for forms in _IRREGULAR)
"""Past tenses that do not end in "ed"; many of them are past participles too."""
VERB_OF_PAST: Final[Mapping[str, str]] = {past: forms[0] for forms in _IRREGULAR for past in forms[1:]}
"""The verb of each past tense and past participle that does not end in "ed"."""

OPPOSITES = tuple(
    tuple(tuple(side.split()) for side in pair.split("/")) for pair in _DATA["opposites"]["pairs"]
)
"""Pairs of what happens and what undoes it, each side with the words that tell of it."""
BODIES = tuple(_DATA["bodies"]["words"].split())
"""Bodies that keep documents of their own."""
HEARERS = (*BODIES, *_DATA["bodies"]["hearing"].split())
"""Bodies, and others before whom something is brought."""
COLUMN_NOUNS = tuple(
    (tuple(general.split()), tuple(narrow.split()))
    for general, _, narrow in (words.partition("/") for words in _DATA["columns"].values())
)
"""Words for one thing that a column of a table may be named after, and narrower words: a rent is a cost."""


@dataclass(frozen=True, slots=True)
class Editions:
    """An event whose editions are counted by the years, whether they were held or not."""

    names: tuple[str, ...]
    first: int
    """The year of the first edition."""
    every: int
    """Years from one edition to the next."""

    def year(self, number: int) -> int:
        """The year of an edition, counted from 1."""
        return self.first + self.every * (number - 1)


EDITIONS = tuple(
    Editions(tuple(event["names"]), event["first"], event["every"]) for event in _DATA["editions"]
)
"""Events of which the year, and not the number, tells which edition is meant."""

RELATIONS = tuple((tuple(row["asked"].split()), tuple(row["said"])) for row in _DATA["relations"])
"""Beginnings of the words that ask for a relation, and the phrases that state it, as the file explains."""


def ordinals(first: int, last: int) -> tuple[str, ...]:
    """The ordinal words of a range of numbers, both included, within 1..31."""
    return tuple(ORDINALS)[first - 1 : last]


def one_of(words: Iterable[str]) -> str:
    """The alternatives of a pattern, the longest first, so that none hides one which it begins."""
    return "|".join(sorted(words, key=len, reverse=True))
