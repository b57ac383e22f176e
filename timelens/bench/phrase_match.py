"""Whether a line states a phrase, with figures compared exactly. Pure.

Words are compared as in :func:`timelens.bench.measures.states`: whole, ignoring case, accents, punctuation
and articles. A figure is one word with its decimal point and its minus sign: 0.5 is stated neither by 10.5
nor by -0.5, and 5 not by 5.25. Trailing zeros count: to accept 0.50 for 0.5, the data must list both.
"""

import re
import unicodedata

_DASHES = dict.fromkeys(map(ord, "\u2010\u2013\u2212"), "-")
_MINUS = re.compile(r"(?<![\d%] )\bminus (?=[$€£¥]?\.?\d)")
"""The word "minus" as a sign; between two figures it is a subtraction."""
_WORD = re.compile(
    r"(?P<minus>(?<![\w%)\]-])-)?"  # after a word or a figure, a dash is a hyphen or a range
    r"(?P<currency>[$€£¥])?"
    r"(?P<figure>\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)*|(?<![\w.])\.\d+)(?P<unit>[^\W\d_]*)"
    r"|[^\W_]+"
)
_ARTICLES = {"a", "an", "the"}


def stands_in(phrase: str, line: str, *, with_currency: bool = False) -> bool:
    """Whether a line contains the words and figures of a phrase, whole and in sequence.

    A phrase without words or figures is contained in no line. ``with_currency``: the currency sign of a
    figure counts, so that "15 November" does not state "£15".
    """
    wanted = words_and_figures(phrase, with_currency=with_currency)
    return bool(wanted) and f" {wanted} " in f" {words_and_figures(line, with_currency=with_currency)} "


def words_and_figures(text: str, *, with_currency: bool = False) -> str:
    """The words and figures of a text, joined by spaces, each in a canonical form.

    Figures lose thousands separators, and currency signs unless ``with_currency``; they get a zero before a
    leading point. "minus 0.2" and "−0.2" become ``-0.2``.
    """
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_DASHES)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    spaced = _MINUS.sub("-", " ".join(plain.split()))
    words = (_one_form(found, with_currency=with_currency) for found in _WORD.finditer(spaced))
    return " ".join(word for word in words if word not in _ARTICLES)


def _one_form(found: re.Match[str], *, with_currency: bool) -> str:
    figure = found["figure"]
    if figure is None:
        return found[0]
    whole = figure.replace(",", "")
    sign = f"{'-' if found['minus'] else ''}{(found['currency'] or '') if with_currency else ''}"
    return f"{sign}{'0' if whole.startswith('.') else ''}{whole}{found['unit']}"
