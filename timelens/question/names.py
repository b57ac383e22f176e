"""The names in a question: of people, bodies, places and works. Pure."""

import re

from timelens.question.words import STOP_WORDS

_NAME = re.compile(
    r"(?:(?<=^)|(?<=[\s(\"'“‘—–-]))"
    r"[^\W\d_a-zß-öø-ÿ][\w.’'&+-]*(?:\s+(?:[^\W\d_a-zß-öø-ÿ][\w.’'&+-]*|(?:\d[\w/.-]*)))*"
)
_POSSESSIVE = re.compile(r"['’]s?$|[.,]+$")


def names_in(text: str) -> tuple[str, ...]:
    """Runs of capitalised words, with the numbers that follow them ("Apollo 11"), each once and in order.

    A word that opens the text is a name only if it is no word of grammar ("Who", "In"). A run ends at a word
    in small letters, so that "President of the Bank of England" gives three names.
    """
    found = []
    for match in _NAME.finditer(text):
        words = [_POSSESSIVE.sub("", word) for word in match.group().split()]
        while words and words[0].casefold() in STOP_WORDS | _OPENING:
            words.pop(0)
        if words and any(character.isalpha() for character in words[0]):
            found.append(" ".join(words))
    return tuple(dict.fromkeys(found))


_OPENING = frozenset("list name give tell show within since until did does was were has had please".split())
