"""The languages besides English in which times are found, and language detection. Pure.

``languages.toml`` has a table for each fully supported language, with its words for everything that the
grammar knows. The names of months in about 200 more languages are those of dateparser.
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
"""Words that identify English on their own."""
_NO_MONTHS = frozenset("ago any can her here mac mar mat now out pay sat see set".split())
"""Names of months in other languages that are also English words; they are not read as months."""
SHORT = 3
"""Greatest length in letters of words that are too short to identify a language on their own."""


@dataclass(frozen=True)
class Language:
    """The time words of one language, and the words by which it is detected."""

    name: str
    function: frozenset[str]
    """Function words, by which the language is detected."""
    words: Mapping[tuple[str, ...], str]
    """English by phrase of the language, as a tuple of lower-case words."""
    ago: frozenset[tuple[str, ...]]
    """Phrases before a length that mean "ago" ("vor drei Jahren")."""
    decade: frozenset[tuple[str, ...]]
    """Phrases before the number of a decade ("années 1990")."""
    behind: Mapping[str, str]
    """English by word that follows its unit, where the English word precedes it ("année dernière")."""
    suffixes: frozenset[str]
    """Suffixes of ordinal numbers in figures."""
    decade_suffixes: frozenset[str]
    has_capitals: bool
    """Whether all its nouns begin with a capital letter."""

    @cached_property
    def starts(self) -> frozenset[str]:
        """The first words of all phrases."""
        return frozenset(phrase[0] for phrase in (*self.words, *self.ago, *self.decade))

    @cached_property
    def longest(self) -> int:
        """The number of tokens of the longest phrase."""
        return max(map(len, [*self.words, *self.ago, *self.decade]))

    @cached_property
    def alone(self) -> frozenset[str]:
        """The words that have a meaning on their own, outside phrases."""
        return self.function.union(phrase[0] for phrase in self.words if len(phrase) == 1)

    @cached_property
    def known(self) -> frozenset[str]:
        """All words that are evidence for the language; short words of phrases are left out."""
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
    """The words and numbers of a text in lower case, for language detection."""
    return frozenset(TOKEN.findall(text.lower()))


def language_of(words: AbstractSet[str]) -> Language | None:
    """The language of a text by its lower-case ``words``; ``None`` for English and for unknown languages.

    A language is rejected unless more words are its own (and not English) than English (and not its own). One
    short word is not enough, nor is one word that has a meaning only in a phrase ("final").
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
    """The evidence of words for a language: for each known word, 1 / the number of languages that have it."""
    return sum(1 / _shared_by()[word] for word in language.known & words)


@cache
def _alone() -> frozenset[str]:
    """The words that have a meaning on their own in any language."""
    return frozenset().union(*(language.alone for language in languages()))


@cache
def _english() -> frozenset[str]:
    """English words: function words and time words."""
    of_time = (
        word for language in languages() for english in language.words.values() for word in english.split()
    )
    return _ENGLISH.union(map(str.lower, of_time), MONTHS, ("half", "term", "back", "later", "no"))


@cache
def _shared_by() -> Mapping[str, int]:
    """The number of languages that have each word."""
    return Counter(word for language in languages() for word in language.known)


@cache
def after_a_point() -> frozenset[str]:
    """Lower-case nouns that follow ordinal numbers written with a full stop: "3. März"."""
    return frozenset(
        phrase[0]
        for language in languages()
        if language.has_capitals
        for phrase, english in language.words.items()
        if english in (*MONTH_NAMES, "century", "quarter")
    )


@cache
def months_elsewhere() -> Mapping[str, str]:
    """English month names by lower-case month name, for all languages of dateparser.

    If a name means different months in two languages, the more widely used language is taken.
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
    """Whether one of the lower-case words identifies English on its own."""
    return not _PLAINLY_ENGLISH.isdisjoint(words)


def _phrases(table: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], str]]:
    for english, words in table.items():
        for phrase in _split(words):
            yield phrase, english


def _split(words: str) -> Iterator[tuple[str, ...]]:
    for phrase in words.lower().split():
        yield tuple(phrase.split("_"))
