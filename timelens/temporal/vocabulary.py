"""The words that English names time with, and the sub-patterns that rules are made of.

Sub-patterns are ASCII (digits, letters, space by name), match one line break at most where a space may
stand, and repeat nothing without a bound, so that every rule stays linear.
"""

import re

from timelens import lexicon
from timelens.lexicon import one_of
from timelens.temporal.interval import Granularity

MONTHS = {
    form: number
    for number, (name, short_forms) in enumerate(lexicon.MONTH_FORMS.items(), 1)
    for form in (name, *short_forms)
}
"""Names of months and their short forms to 1..12."""
_COUNTED_MONTHS = {"7": 9, "8": 10, "9": 11, "10": 12}
"""What the numbers in "7ber" to "10ber" stand for."""

WEEKDAYS = {name: number for number, name in enumerate(lexicon.WEEKDAY_FORMS)}
"""Weekday names, lower case, to 0 (Monday)..6."""
_WEEKDAYS_BY_START = {name[:3]: index for name, index in WEEKDAYS.items()}

CARDINALS = lexicon.CARDINALS | lexicon.TENS | {"a": 1, "an": 1, "another": 1, **lexicon.MAGNITUDES}
"""Number words to numbers; numbers of several words go through :func:`number`."""

SEASONS = {f"{name}{end}": month for name, month in lexicon.SEASONS.items() for end in ("", "time", "tide")}
"""Seasons to their first month: meteorological, northern hemisphere."""

UNITS = {name: Granularity.WEEK if name == "fortnight" else Granularity(name) for name in lexicon.UNIT_FORMS}
"""Units of time, singular, to granularities."""
COUNTED_UNITS = {name: unit for name, unit in UNITS.items() if unit is not Granularity.SEASON}
"""Those that count a length; a season is only a part of a year."""
UNITS_BY_FORM = {form: UNITS[name] for name, forms in lexicon.UNIT_FORMS.items() for form in (name, *forms)}
"""The same by all forms of their names."""

SPACE = r"(?:[ \t\u00a0\u202f]{1,3}\n?[ \t]{0,3}|\r?\n[ \t]{0,3})"
"""White space inside an expression: a line may wrap, a paragraph may not end."""

COMMA = "[ \t]?,"
"""A comma, also where a tokeniser has put a space before it."""

DASH = r"[ \t\u00a0]?[-\u2010-\u2015\u2212]{1,2}[ \t\u00a0]?"
"""A hyphen or dash of any length, with or without spaces."""

APOSTROPHE = "['\u2018\u2019]"


def at_letter(words: str) -> str:
    """The alternatives, all of which begin with a letter.

    Elsewhere none is tried: a pattern that ignores case would begin to match each of them.
    """
    return rf"(?:(?=[a-z])(?:{words}))"


_SHORT_MONTHS = one_of(short for forms in lexicon.MONTH_FORMS.values() for short in forms)
_MONTH_IN_LETTERS = at_letter(rf"{'|'.join(lexicon.MONTH_FORMS)}|(?:{_SHORT_MONTHS})\b\.?")
MONTH = rf"(?:{_MONTH_IN_LETTERS}|(?:[789]|10)be?r\b\.?)(?![a-z])"
WEEKDAY = at_letter("|".join(WEEKDAYS)) + r"\b"
WEEKDAY_OR_SHORT = rf"(?:{WEEKDAY}|(?:tues?|thur?s?|fri|mon|(?-i:Wed|Sat|Sun))\b\.?)"
_ANY_WEEKDAY = at_letter(rf"{WEEKDAY}|(?:mon|tues?|wed|thur?s?|fri|sat|sun)\b\.?")
WEEKDAY_PREFIX = rf"(?:{_ANY_WEEKDAY}(?:{COMMA})?{SPACE}(?:the{SPACE})?)?"
DAY_OF_MONTH = r"(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th|d)?(?![0-9a-z])"
ORDINAL_DAY = r"(?:3[01]|[12][0-9]|[1-9])(?:st|nd|rd|th)\b"
BCE = (
    rf"(?:(?=[bc])(?:cal\.?[ ])?(?:b\.[ ]?c\.(?:[ ]?e\.)?|bce?\b"
    rf"|before{SPACE}(?:christ|(?:the{SPACE}common|our){SPACE}era)\b))"
)
CE = rf"(?:(?=[ac])(?:a\.[ ]?d\.|c\.[ ]?e\.|(?:ad|ce)\b|anno{SPACE}domini\b))"
PLAIN_YEAR = r"[12][0-9]{3}(?![0-9])"
YEAR_OF_DATE = (
    rf"(?:{PLAIN_YEAR}|(?<![a-z], )[1-9][0-9]{{2}}(?![0-9]|[.,:][0-9]|[/×]|[ \t]?[%€$£¥]|{SPACE}[a-z]+s\b))"
)
"""A year that follows a day or month: there three digits will do ("in May 889"), but not "in May, 889"."""
COUNTED_AFTER = (
    rf"{SPACE}(?!(?:was|were|had|and|but|in|at|on|to|of|by|for|with|near|a|the|there|this|that|his|her|its|their|our"
    r"|my|all|he|she|they|it|we|when|while)\b)[a-z0-9]"
)
"""What follows a number that belongs to the words after it."""
SHORT_YEAR_OF_DAY = rf"[0-9]{{2}}(?![a-z0-9%/-]|[.,:][0-9]|{COUNTED_AFTER})"
"""A year of two figures that follows a day and a month ("17 SEP 44")."""
CLAUSE_END = r"[ \t]*(?:[.,;:)]|\n|\Z)"
_CARDINALS = tuple(lexicon.CARDINALS)
_BELOW_TEN = UNITS_IN_WORDS = "|".join(_CARDINALS[1:10])
TENS = tuple(lexicon.TENS)
_TEENS = "|".join(_CARDINALS[10:20])
_BELOW_HUNDRED = at_letter(rf"(?:{'|'.join(TENS)})(?:[- ](?:{_BELOW_TEN}))?|{_TEENS}|{_BELOW_TEN}") + r"\b"
_AND_REST = rf"(?:{SPACE}(?:and{SPACE})?{_BELOW_HUNDRED})?"
_DOZENS = rf"(?:half[ -])?(?:an?|{_BELOW_TEN})[ -]dozen\b|half[ -]dozen\b"
_SCORES = rf"(?:(?:an?|{_BELOW_TEN})[ -]score|(?:three|four)score)\b{_AND_REST}"
_IN_WORDS = at_letter(
    rf"(?:{_BELOW_TEN}|an?){SPACE}(?:thousand|hundred)\b{_AND_REST}|{_DOZENS}|{_SCORES}"
    rf"|(?:{_BELOW_TEN})-and-(?:{'|'.join(TENS)})\b|(?:a{SPACE})?couple(?:{SPACE}of)?\b|{_BELOW_HUNDRED}"
)
CARDINAL = (
    rf"(?:{_IN_WORDS}"
    rf"|[0-9]{{1,3}}{SPACE}(?:million|billion)\b|[0-9]{{1,3}}(?:,[0-9]{{3}})?(?![0-9])|[0-9]{{4,6}}(?![0-9]))"
)
_CENTURY_WORD = rf"(?:ten|eleven|twelve|{'|'.join(_CARDINALS[13:20])}|twenty)"
CENTURY_WORDS = frozenset({"one", "two", "twenty", *_CARDINALS[10:20]})
"""First words of years and decades in words."""
SPELT_YEAR = at_letter(
    rf"two{SPACE}thousand\b{_AND_REST}|one{SPACE}thousand\b(?:{SPACE}(?:{_BELOW_TEN}){SPACE}hundred\b)?{_AND_REST}"
    rf"|{_CENTURY_WORD}[ -](?:hundred\b{_AND_REST}|(?:oh|o{APOSTROPHE}|aught|ought|nought)"
    rf"[ -]?(?:{_BELOW_TEN})\b"
    rf"|(?!(?:{_BELOW_TEN})\b){_BELOW_HUNDRED})"
)
"""A year in words: "nineteen thirty-six", "two thousand and eight"."""
_SPELT_ORDINAL = at_letter(one_of(lexicon.ORDINALS).replace("-", "[- ]"))
ORDINAL = rf"(?:{_SPELT_ORDINAL}|[0-9]{{1,2}}(?:st|nd|rd|th))\b"
_COUNTED = [form for name in COUNTED_UNITS for form in (name, *lexicon.UNIT_FORMS[name])]
UNIT = at_letter(one_of(_COUNTED)) + r"\b"
UNIT_WORDS = frozenset({*_COUNTED, "hour", "hours"})
"""What :data:`UNIT` matches, and hours."""
SEASON = at_letter("(?:winter|spring|summer|autumn)(?:time|tide)?|fall") + r"\b"
NAMED_TIME = (
    rf"(?:(?P<unit>day|week|month|quarter|year|decade|century)\b|(?P<season>{SEASON})|(?P<month>{MONTH})"
    rf"|(?P<weekday>{WEEKDAY_OR_SHORT}))"
)
"""What "last" and "following" stand before."""
_HALF_OF_DAY = r"(?:[ap]\.m\.|[ap]m\b)"
CLOCK = rf"[0-9]{{1,2}}(?:(?::[0-9]{{2}}){{0,2}}{SPACE}?{_HALF_OF_DAY}|:[0-9]{{2}}(?::[0-9]{{2}})?(?![0-9:]))"

IN_UNIT = (
    rf"(?:,?{SPACE}(?:of|in){SPACE}|{SPACE})(?:the{SPACE})?(?=(?:last|next|past|this|that|same"
    r"|following|previous|preceding|coming|current|subsequent|ensuing)\b)"
)
"""What stands between a part of a week or year and the unit that it lies in: "Friday of last week"."""

DIGITS = frozenset("9" * length for length in range(1, 5))
"""First words of rules that may start with a number of one to four digits (see ``Rule.starts``)."""
ORDINAL_STARTS = frozenset({*lexicon.ORDINALS, *lexicon.TENS, "9", "99"})
"""First words of rules that may start with an ordinal."""


YEAR_OF_GRACE = rf"year{SPACE}of{SPACE}(?:our{SPACE}lord|grace)"


ALIKE = str.maketrans("123456789", "0" * 9)
"""Makes all figures zeros: what is seen by words alone is the same beside any number."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SIGNS = "0123456789 \t\r\n,.;:!?()[]{}'\"/-\u2013*_|<>=+&%$#@~^`\\"
"""What mostly stands between words."""


def last_word(text: str) -> tuple[str, str]:
    """The last word of ASCII letters in a text, in small letters, and what stands behind it; may be empty."""
    upto = text.rstrip(_SIGNS)
    while upto and upto[-1] not in _LETTERS:
        upto = upto[:-1].rstrip(_SIGNS)
    return upto[len(upto.rstrip(_LETTERS)) :].lower(), text[len(upto) :]


def year(plain: str = PLAIN_YEAR) -> str:
    """Sub-pattern of a year with or without an era; read it with :func:`read_year`."""
    return (
        rf"(?:(?P<ad>{CE}{SPACE}[0-9]{{1,4}}(?![0-9]))"
        rf"|(?P<bc>(?:[0-9]{{1,3}},[0-9]{{3}}|[0-9]{{1,6}}){SPACE}?{BCE})"
        rf"|(?P<ce>[0-9]{{1,4}}{SPACE}?{CE})"
        rf"|(?P<y>{plain}))"
    )


def year_of_date() -> str:
    """Sub-pattern of the year after a day or month, also in words or two figures ("Feb '94")."""
    return rf"(?:{year(YEAR_OF_DATE)}|{APOSTROPHE}(?P<yy>[0-9]{{2}})(?![0-9])|(?P<spelt>{SPELT_YEAR}))"


def read_year(match: re.Match[str]) -> int:
    """The astronomical year that a :func:`year` or :func:`year_of_date` sub-pattern matched."""
    if "y" in match.re.groupindex and (written := match["y"]):
        return completed_year(written) if len(written) == 2 else digits(written)
    groups = match.groupdict()
    if before_era := groups.get("bc"):
        return 1 - digits(before_era)
    if in_words := groups.get("spelt"):
        return spelt_year(in_words)
    if short := groups.get("yy"):
        return completed_year(short)
    return digits(groups.get("ad") or groups.get("ce") or "")


def digits(text: str) -> int:
    """The digits of a text as one number."""
    if text.isascii() and text.isdigit():
        return int(text)
    return int("".join(character for character in text if character in "0123456789"))


def number(text: str) -> int | None:
    """A cardinal or ordinal in digits or words; ``None`` for a vague one ("several")."""
    if text.isascii() and text.isdigit():
        return int(text)
    word = text.lower().strip()
    if (ordinal := word.replace(" ", "-")) in lexicon.ORDINALS:
        return lexicon.ORDINALS[ordinal]
    if word.startswith("half"):
        whole = number(word[len("half") :].strip(" -"))
        return None if whole is None else whole // 2
    total = 0
    for part in re.split(r"[\s-]+", word):
        if part in ("and", "of"):
            continue
        value = digits(part) if part[0] in "0123456789" else CARDINALS.get(part)
        if value is None:
            return None
        total = (total or 1) * value if part in lexicon.MAGNITUDES else total + value
    return total


def spelt_year(text: str) -> int:
    """The year that :data:`SPELT_YEAR` matched: its first two figures are a number of their own."""
    century, _, rest = " ".join(re.split(r"[\s-]+", text.lower())).partition(" ")
    if rest.startswith("thousand"):
        thousands, _, below = f"{century} {rest}".partition(" thousand")
        hundreds, _, last = below.strip().removeprefix("and ").rpartition("hundred")
        return (
            1000 * CARDINALS[thousands]
            + 100 * CARDINALS.get(hundreds.strip(), 0)
            + (number(last.strip() or "zero") or 0)
        )
    if rest.startswith("hundred"):
        return number(text) or 0
    return 100 * CARDINALS[century] + (number(re.sub(r"^(?:oh|o.|aught|ought|nought) ?", "", rest)) or 0)


YEARS_AHEAD = 20
USUAL_YEAR = 2010
"""Where two figures are completed that no date stands near."""


def completed_year(text: str, reference: int = USUAL_YEAR) -> int:
    """The year of two or four figures: of two, the last at most twenty years ahead of a reference."""
    year_number = int(text)
    if len(text) > 2:
        return year_number
    latest = reference + YEARS_AHEAD
    return latest - (latest - year_number) % 100


def completed_figures(text: str, first_year: int) -> int:
    """The last year of a range that leaves out its first figures: 1890-4, 1990-93, 1999-00."""
    if len(text) > 2 or first_year < 10 * len(text):
        return int(text)
    unit = 100 if len(text) == 2 else 10
    completed = first_year - first_year % unit + int(text)
    return completed if completed >= first_year else completed + unit


def month(text: str) -> int:
    """1..12 of a month's name or abbreviation."""
    name = text.lower().rstrip(".")
    return _COUNTED_MONTHS[name.rstrip("ber")] if name[0] in "123456789" else MONTHS[name]


def weekday_number(text: str) -> int:
    """0 (Monday)..6 of a weekday's name or abbreviation."""
    return _WEEKDAYS_BY_START[text[:3].lower()]


def unit(text: str) -> Granularity:
    """The granularity that a unit's name, singular or plural, stands for."""
    return UNITS_BY_FORM[text.lower()]


_NUMERALS = tuple(
    zip(
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        strict=True,
    )
)


def in_roman(value: int) -> str:
    """A number from 1 to 3999 in small Roman numerals."""
    found = ""
    for numeral, worth in _NUMERALS:
        count, value = divmod(value, worth)
        found += numeral * count
    return found


ROMAN_NUMBERS = {in_roman(value): value for value in range(1, 2100)}
"""Small Roman numerals to 1..2099."""
