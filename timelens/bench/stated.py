"""Whether a line states a phrase, its figures to the letter. Pure.

Words are compared as :func:`timelens.bench.measures.states` does: whole, with case, accents, punctuation and
articles aside. A figure is one word with its decimal point and its minus sign: 0.5 is stated neither by 10.5
nor by -0.5, and 5 not by 5.25. Trailing zeros are part of it: whoever accepts 0.50 for 0.5 names both.
"""

import re
import unicodedata

_DASHES = dict.fromkeys(map(ord, "\u2010\u2013\u2212"), "-")
_MINUS = re.compile(r"(?<![\d%] )\bminus (?=[$€£¥]?\.?\d)")
"""The word as a sign; between two figures it is a subtraction."""
_WORD = re.compile(
    r"(?P<minus>(?<![\w%)\]-])-[$€£¥]?)?"  # after a word or a figure a dash is a hyphen or a range
    r"(?P<figure>\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)*|(?<![\w.])\.\d+)(?P<unit>[^\W\d_]*)"
    r"|[^\W_]+"
)
_ARTICLES = {"a", "an", "the"}


def stands_in(phrase: str, line: str) -> bool:
    """Whether a line has the words and figures of a phrase, whole and one after the other.

    A phrase without any stands nowhere.
    """
    wanted = words_and_figures(phrase)
    return bool(wanted) and f" {wanted} " in f" {words_and_figures(line)} "


def words_and_figures(text: str) -> str:
    """The words and figures of a text with a space between them, each in one form.

    Figures lose separators of thousands and currency signs, and gain the zero before a leading point; "minus
    0.2" and "−0.2" become ``-0.2``.
    """
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_DASHES)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    spaced = _MINUS.sub("-", " ".join(plain.split()))
    words = (_one_form(found) for found in _WORD.finditer(spaced))
    return " ".join(word for word in words if word not in _ARTICLES)


def _one_form(found: re.Match[str]) -> str:
    figure = found["figure"]
    if figure is None:
        return found[0]
    whole = figure.replace(",", "")
    sign = "-" if found["minus"] else ""
    return f"{sign}{'0' if whole.startswith('.') else ''}{whole}{found['unit']}"
