"""The languages beside English in which times are found, and how one is told from another. Pure.

``languages.toml`` has a table for each language with words of its own for everything that the grammar knows.
The names of months in some 200 more are those of dateparser.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from timelens.temporal.phrasing import MONTH_NAMES
from timelens.temporal.vocabulary import MONTHS

TOKEN = re.compile(r"\d+|[^\W\d_]+")

_ENGLISH = frozenset(
    """a an the of and to is was were are be been by for from on at as with that this it its he she they we
    you i his her their our not which who whom what when where how did does do has have had or but there would
    will can after before between since until during""".split()
)
"""Common words of English, some of which other languages have too."""
_PLAINLY_ENGLISH = frozenset(
    "the of and from with were been which who what when where did does this that they his their after before "
    "between since until during".split()
)
"""Those that tell it alone."""
_NO_MONTHS = frozenset("ago any can her here mac mar mat now out pay sat see set".split())
"""Names of months in some language that are English words, too."""
SHORT = 3
"""Letters of words that tell too little alone."""


@dataclass(frozen=True)
class Language:
    """What one language says of time."""

    name: str
    function: frozenset[str]
    """Common words, by which it is told."""
    words: Mapping[tuple[str, ...], str]
    """Its words, in small letters, to those of English."""
    ago: frozenset[tuple[str, ...]]
    """What stands before a length that lies back."""
    decade: frozenset[tuple[str, ...]]
    """What stands before the figures of a decade."""
    behind: Mapping[str, str]
    """What stands behind its unit, and before it in English."""
    suffixes: frozenset[str]
    """What is written on figures that tell a place in a row."""
    decade_suffixes: frozenset[str]
    has_capitals: bool
    """Whether all its nouns begin with a capital letter."""

    @cached_property
    def starts(self) -> frozenset[str]:
        """The first words of its phrases."""
        return frozenset(phrase[0] for phrase in (*self.words, *self.ago, *self.decade))

    @cached_property
    def longest(self) -> int:
        """Tokens of its longest phrase."""
        return max(map(len, [*self.words, *self.ago, *self.decade]))

    @cached_property
    def alone(self) -> frozenset[str]:
        """The words that mean something by themselves."""
        return self.function.union(phrase[0] for phrase in self.words if len(phrase) == 1)

    @cached_property
    def known(self) -> frozenset[str]:
        """All words by which it is told, but for the short ones of phrases."""
        of_phrases = (word for phrase in self.words if len(phrase) > 1 for word in phrase)
        return self.alone.union(word for word in of_phrases if len(word) > SHORT)


@cache
def languages() -> tuple[Language, ...]:
    """The languages with a table."""
    tables = tomllib.loads(files("timelens.temporal").joinpath("languages.toml").read_text("utf-8"))
    return tuple(
        Language(
            name=name,
            function=frozenset(table["function"].split()),
            words=dict(_phrases(table["words"])),
            ago=frozenset(_split(table["ago"])),
            decade=frozenset(_split(table["decade"])),
            behind={
                word: english for english, words in table.get("behind", {}).items() for word in words.split()
            },
            suffixes=frozenset(table["suffixes"].split()),
            decade_suffixes=frozenset(table["decade_suffixes"].split()),
            has_capitals=table.get("has_capitals", False),
        )
        for name, table in tables.items()
    )


def words_in(text: str) -> frozenset[str]:
    """The words and numbers of a text in small letters, by which its language is told."""
    return frozenset(TOKEN.findall(text.lower()))


def language_of(words: AbstractSet[str]) -> Language | None:
    """The language of a text by its ``words``, in small letters; ``None`` for English and for unknown ones.

    Where more words are English and not of a language than the other way round, the text is not in that; one
    short word tells none, nor does one that means a time in a phrase alone ("final").
    """
    english = words & _english()
    foreign = {word for word in words & _shared_by().keys() if len(word) > 1} - english
    if len(foreign) < 2 and not any(len(word) > SHORT and word in _alone() for word in foreign):
        return None
    fitting = [
        language for language in languages() if len(foreign & language.known) > len(english - language.known)
    ]
    return max(fitting, key=lambda language: evidence_for(language, words), default=None)


def evidence_for(language: Language, words: AbstractSet[str]) -> float:
    """How much words speak for a language: each the more, up to one, the fewer languages have it."""
    return sum(1 / _shared_by()[word] for word in language.known & words)


@cache
def _alone() -> frozenset[str]:
    """The words that mean something by themselves in any language."""
    return frozenset().union(*(language.alone for language in languages()))


@cache
def _english() -> frozenset[str]:
    """Words of English: common ones, and what it has for time."""
    of_time = (
        word for language in languages() for english in language.words.values() for word in english.split()
    )
    return _ENGLISH.union(map(str.lower, of_time), MONTHS, ("half", "term", "back", "later", "no"))


@cache
def _shared_by() -> Mapping[str, int]:
    """How many languages have each word."""
    return Counter(word for language in languages() for word in language.known)


@cache
def after_a_point() -> frozenset[str]:
    """Nouns, in small letters, behind figures with a point that are a place in a row: "3. März"."""
    return frozenset(
        phrase[0]
        for language in languages()
        if language.has_capitals
        for phrase, english in language.words.items()
        if english in (*MONTH_NAMES, "century", "quarter")
    )


@cache
def months_elsewhere() -> Mapping[str, str]:
    """The names of months in all languages of dateparser, in small letters, to those of English.

    A name that stands for two months is that of the language that more people write.
    """
    from importlib import import_module

    from dateparser.data.languages_info import language_order

    found: dict[str, str] = {}
    for locale in language_order:
        info = import_module(f"dateparser.data.date_translation_data.{locale}").info
        for month in MONTH_NAMES:
            for name in info.get(month.lower(), ()):
                is_long = len(name) >= SHORT or not name.isascii()
                if is_long and name.lower() not in _NO_MONTHS:
                    found.setdefault(name.lower(), month)
    return found


def is_english(words: AbstractSet[str]) -> bool:
    """Whether one of the words, in small letters, tells English from all other languages."""
    return not _PLAINLY_ENGLISH.isdisjoint(words)


def _phrases(table: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], str]]:
    for english, words in table.items():
        for phrase in _split(words):
            yield phrase, english


def _split(words: str) -> Iterator[tuple[str, ...]]:
    for phrase in words.lower().split():
        yield tuple(phrase.split("_"))
