"""Topic words of texts: content words, with all inflections reduced to one stem. Pure."""

import re
import unicodedata
import zlib
from functools import lru_cache
from itertools import chain

from timelens.lexicon import ORDINALS, ordinals

WORD = re.compile(r"\d+\.\d+|[^\W_]+")


def _capitals() -> str:
    """A class of a pattern: the letters of alphabets with two cases that begin a word with a capital."""
    runs: list[list[str]] = []
    for letter in filter(str.istitle, map(chr, range(0x2000))):  # Latin, Greek, Cyrillic, Armenian, Georgian
        if runs and ord(letter) == ord(runs[-1][1]) + 1:
            runs[-1][1] = letter
        else:
            runs.append([letter, letter])
    return f"[{''.join(f'{first}-{last}' for first, last in runs)}]"


NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
"""Words that deny."""
CAPITAL = _capitals()
"""Pattern of a capital letter; letters of scripts with one case, as Arabic, are none."""

STOP_WORDS = frozenset(
    (
        "a about according after all also among an and any are as at available be been before being between "
        "by can could did do does done during each for from had happen happened happening happens has have "
        "he her him his how i if in into is it its list many me much my name names of on or our s she should "
        "so some t than that the their them then there these they this those through to up us was we were "
        "what when where which while who whom whose why will with would you your"
    ).split()
)

# Demonyms and adjectives of countries whose stem differs from that of the country.
_COUNTRIES = {
    "Argentina": "argentine argentinian",
    "Belgium": "belgian belgians",
    "Brazil": "brazilian brazilians",
    "Canada": "canadian canadians",
    "Chile": "chilean chileans",
    "China": "chinese",
    "Denmark": "danish danes",
    "Egypt": "egyptian egyptians",
    "Finland": "finnish finns",
    "France": "french",
    "Germany": "german germans",
    "Greece": "greek greeks",
    "Hungary": "hungarian hungarians",
    "Iceland": "icelandic",
    "India": "indian indians",
    "Ireland": "irish",
    "Italy": "italian italians",
    "Japan": "japanese",
    "Korea": "korean koreans",
    "Mexico": "mexican mexicans",
    "Netherlands": "dutch",
    "Norway": "norwegian norwegians",
    "Poland": "polish poles",
    "Portugal": "portuguese",
    "Russia": "russian russians",
    "Soviet Union": "soviet soviets",
    "Spain": "spanish",
    "Sweden": "swedish swedes",
    "Switzerland": "swiss",
    "Turkey": "turkish turks",
    "Ukraine": "ukrainian ukrainians",
    "United Kingdom": "british britain",
    "United States": "america american americans",
}

_ORDINALS = {word: str(ORDINALS[word]) for word in ordinals(2, 10)}
_WHOLE_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ħ": "h", "Ħ": "H"}
    | {"\u0131": "i", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
)
"""Letters that Unicode does not decompose into letter and accent, with their usual ASCII spellings."""
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))


def unaccented(text: str) -> str:
    """The text without accents: "Łódź" becomes "Lodz"."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_WHOLE_LETTERS))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def shared_start(one: str, other: str) -> int:
    """The length of the common prefix of two words."""
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The word without case, accents, common English inflections and trailing zeros of a fraction."""
    plain = word.casefold()
    if "." in plain:
        return plain.rstrip("0").rstrip(".")  # 2.50 is 2.5
    if plain in _ORDINALS:
        return _ORDINALS[plain]
    if plain[0].isdecimal() and plain[-2:] in {"st", "nd", "rd", "th"} and plain[:-2].isdecimal():
        return plain[:-2]
    plain = unaccented(plain)
    for ending, rest in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
            plain = plain.removesuffix(ending) + rest
            break
    return plain.removesuffix("e") if len(plain) > 3 else plain


def topic_words(text: str) -> frozenset[str]:
    """The stems of all words except stop words; "American" counts as "United States"."""
    return frozenset(chain.from_iterable(map(_roots, WORD.findall(text))))


def stems(text: str) -> str:
    """The stems of all words except stop words, in order. A text contains a name if it contains its stems."""
    return " ".join(chain.from_iterable(map(_roots, WORD.findall(text))))


@lru_cache(maxsize=65_536)
def word_id(word: str) -> int:
    """A number for a stem that is the same on every machine and in every version: its CRC-32."""
    return zlib.crc32(word.encode(errors="surrogatepass"))


@lru_cache(maxsize=65_536)
def _roots(word: str) -> tuple[str, ...]:
    """The stems of a word; none for a stop word."""
    plain = word.casefold()
    return () if plain in STOP_WORDS else _of_country.get(plain, (stem(word),))


COUNTRY_WORDS = frozenset(
    word for country, words in _COUNTRIES.items() for word in (country.casefold(), *words.split())
)
"""Countries and their demonyms, in lower case."""

_of_country = {
    word: tuple(stem(part) for part in country.split())
    for country, words in _COUNTRIES.items()
    for word in words.split()
}
