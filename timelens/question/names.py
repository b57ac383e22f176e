"""The names in a question: of people, bodies, places and works. Pure."""

import re

from timelens.lexicon import ADDRESSES, IMPERATIVES, MONTH_FORMS, TITLES, one_of
from timelens.words import CAPITAL, STOP_WORDS, WORD

_NAME = re.compile(
    r"(?:(?<=^)|(?<=[\s(\"'“‘—–-]))"
    rf"{CAPITAL}[\w.’'&+-]*(?:\s+(?:{CAPITAL}[\w.’'&+-]*|(?:\d[\w/.-]*)))*"
)
_POSSESSIVE = re.compile(r"['’]s?$|[.,]+$")
_NOUN_OF = re.compile(r"\W*\w+(?=\s+of\s+[a-z])")

_OPENING = frozenset(
    "contrast within since until did does was were has had please regarding concerning define beginning "
    "whoever whatever whichever whenever wherever starting following considering".split()
)
_NO_NAME = STOP_WORDS.union(IMPERATIVES, _OPENING, TITLES)


def names_in(text: str) -> tuple[str, ...]:
    """Runs of capitalised words, with the numbers that follow them ("Apollo 11"), each once and in order.

    Words of grammar ("Who", "In") and titles ("President") are no part of a name. A run ends at a word in
    small letters, so that "the Bank of England" gives two names. A first word before "of" and a word in small
    letters is a noun ("Price of the pie").
    """
    found = []
    noun = _NOUN_OF.match(text)
    for match in _NAME.finditer(text, noun.end() if noun else 0):
        words = [_POSSESSIVE.sub("", word) for word in match.group().split()]
        while words and words[0].casefold() in _NO_NAME:
            words.pop(0)
        if words and words[0][:1].isalpha():
            found.append(" ".join(words))
    return tuple(dict.fromkeys(found))


def opened(text: str) -> str:
    """The text, with a capital if its first word is one of grammar; other words keep their case.

    "who sang" becomes "Who sang"; "children on roll" stays, because "Children" would be a name.
    """
    first = WORD.match(text)
    return text[:1].upper() + text[1:] if first and first.group().casefold() in _NO_NAME else text


_BODY = frozenset(
    (
        "act agency agreement assembly association bank board bureau cabinet chamber charter church city "
        "club college commission committee company conference congress constitution convention "
        "corporation council county court decision department directive east european federal foundation "
        "framework fund government group house institute international kingdom law league ministry museum "
        "national north office ordinance organisation organization parliament party programme project "
        "protocol republic reserve rule school senate service society south space station state states "
        "treaty union united university war west world"
    ).split()
)
_NO_PERSON = _BODY.union(MONTH_FORMS)
_FIRM = re.compile(r"&|\b(?:ltd|llc|inc|plc|gmbh|ag|co|corp|bros|sons)\b", re.IGNORECASE)
_ADDRESSED = re.compile(rf"\b(?i:{one_of(ADDRESSES)})\.?\s+{CAPITAL}[\w’'-]*(?:\s+{CAPITAL}[\w’'-]*){{0,3}}")
PARTICLES = frozenset("al bin da de del der di dos du el ibn la le ten ter van von y zu".split())


def is_person(name: str) -> bool:
    """Whether a name may be a person's: two to five capitalised words, none of them a word for a body."""
    words = name.split()
    plain = [word for word in words if word.casefold() not in PARTICLES]
    return (
        2 <= len(plain) <= 5
        and all(word[:1].isupper() and not any(c.isdigit() for c in word) for word in plain)
        and not any(word.isupper() and len(word) > 3 for word in plain)
        and not any(word.casefold() in _NO_PERSON for word in plain)
    )


def is_firm(name: str) -> bool:
    """Whether a name is surely that of a firm or another body: "Clean & Green", "Tarnow Services Ltd"."""
    return _FIRM.search(name) is not None or not _BODY.isdisjoint(name.casefold().split())


def people_in(text: str) -> tuple[str, ...]:
    """The people whom a text names in full or with "Mr", "Ms" or another form of address, each once."""
    addressed = [match.group() for match in _ADDRESSED.finditer(text)]
    named = [name for name in names_in(text) if is_person(name) and not is_firm(name)]
    alone = [name for name in named if not any(name in one for one in addressed)]
    return tuple(dict.fromkeys((*addressed, *alone)))
