"""What looks like a time and is none: quantities, references, prices, verbs, names with a number."""

import re

from timelens.temporal.rules.rule import Doubt

_WINDOW = 40
_REFERENCES = (
    "page|pages|p|pp|no|nos|number|numbers|nr|flight|flights|room|rooms|route|routes|highway|highways"
    "|interstate|section|sections|chapter|chapters|article|articles|figure|figures|fig|table|tables"
    "|line|lines|vol|volume|volumes|issue|issues|model|models|version|versions|v|ver|item|items|unit"
    "|units|squadron|squadrons|division|divisions|regiment|regiments|battalion|battalions|resolution"
    "|resolutions|apartment|apartments|suite|suites|box|building|buildings|bus|train|trains|channel"
    "|channels|isbn|issn|tel|phone|fax|call|dial|ext|extension|serial|build|code|zip|lot|gate|platform|exit"
    "|psalm|psalms|verse|paragraph|paragraphs|para|clause|clauses|rule|case|patent|boeing|airbus"
    "|windows|catalogue|catalog|id"
)
_QUANTITIES = (
    "percent|km|kilometer|kilometers|kilometre|kilometres|meter|meters|metre|metres|mile|miles|feet"
    "|foot|ft|ton|tons|tonne|tonnes|dollar|dollars|pound|pounds|euro|euros|franc|francs|yen|marks"
    "|ruble|rubles|men|women|children|people|person|persons|soldiers|troops|infantry|cavalry|sailors"
    "|officers|civilians|prisoners|casualties|dead|wounded|killed|deaths|vote|votes|seats|members"
    "|inhabitants|planes|aircraft|tanks|guns|ships|vessels|horses|rounds|students|employees|workers"
    "|jobs|houses|homes|copies|words|volumes|pages|year|years|month|months|week|weeks|day|days|hour"
    "|hours|minutes|times|point|points|kg|kilogram|kilograms|lb|lbs|mph|hp|rpm|mm|cm|watt|watts|mw"
    "|acres|hectares|square"
)
_GLUED_BEFORE = re.compile(r"(?:[a-z_$\u00a3\u20ac\u00a5#@\\]|[0-9][.,:]|\.)\Z", re.ASCII | re.IGNORECASE)
_REFERENCE_BEFORE = re.compile(
    rf"(?:\b(?:{_REFERENCES})\.?[ \t#]{{0,2}}|[$\u00a3\u20ac\u00a5#\u00a7@=*^~+/]\s?|[0-9]\s?[x\u00d7*+]\s?"
    r"|(?<![0-9])\+?[0-9]{1,3}[ ]|[0-9][-\u2010-\u2015]|(?<![a-z])-)\Z",
    re.ASCII | re.IGNORECASE,
)
_PREFIX_BEFORE = re.compile(r"\b(?:mid|pre|post|early|late|inter|fy)-\Z", re.ASCII | re.IGNORECASE)
_QUANTITY_AFTER = re.compile(
    rf"[ \t\u00a0\n]{{0,2}}(?:%|per cent|\u00b0|(?:{_QUANTITIES})\b)"
    r"|[-\u2010-\u2015](?:foot|mile|metre|meter|man|strong|seat|ton|page|year|pound|acre)\b",
    re.ASCII | re.IGNORECASE,
)
_DATED_BEFORE = re.compile(
    r"\b(?:in|since|during|until|till|year)[ \t\u00a0\n]{1,2}\Z", re.ASCII | re.IGNORECASE
)
_PLURAL_AFTER = re.compile(r"\s(?!(?:was|is|has|as|its|this|thus|does|perhaps)\b)[a-z]+s\b", re.ASCII)
_DATED_BEFORE_PLURAL = re.compile(
    r"(?:\b(?:in|since|during|until|till|year|the|of|from|to|by|before|after|and|early|late)\s|[(,;.\u2019'])\Z",
    re.ASCII | re.IGNORECASE,
)
_FIGURE_AFTER = re.compile(r"[,.:][0-9]|[0-9]|[-\u2010-\u2015/][0-9]|%|[a-z_]", re.ASCII | re.IGNORECASE)
_NAME_BEFORE = re.compile(r"(?:^|[a-z,;]\s)(?:[A-Z][a-z]+\s)+\Z", re.ASCII)
_NAMES_OF_DATED_THINGS = re.compile(
    r"\b(?:In|On|At|By|Of|The|Since|During|Until|Before|After|From|To|And|Between|Around|About|Late|Early|Mid|Year"
    r"|Olympics|Games|Cup|Championships?|Election|Expo|Act|Summer|Winter|Spring|Autumn|Fall)\s\Z",
    re.ASCII,
)
_FUTURE_OF_NAMES = 2030
"""A year from here on, right after a capitalised name, belongs to the name (a film, an agenda)."""

_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "jan", "dec", "sep"})
_MONTH_CUE = re.compile(
    r"(?:\b(?:in|of|since|until|till|by|from|to|through|during|throughout|between|early|mid|late|last|next"
    r"|following|previous|preceding|every|each|before|after|around|and|or|on|that|this)[ \t\u00a0\n]{1,2}"
    r"(?:the[ \t\u00a0])?|[-\u2010-\u2015/(,])\Z",
    re.ASCII | re.IGNORECASE,
)
_MONTH_CUE_ENOUGH = re.compile(
    r"\b(?:in|of|since|until|by|during|last|next|late|early|mid)[ \t\n]\Z", re.ASCII | re.IGNORECASE
)
_MARCH_AS_NOUN = re.compile(r"\s(?:on|to|against|towards?|through|into|of|from)\b", re.ASCII)
_VERB_AFTER = re.compile(
    r"\s(?:i|he|she|it|they|we|you|the|be|have|not|also|well|god|march)\b", re.ASCII | re.IGNORECASE
)


def is_no_time(text: str, start: int, end: int, doubt: Doubt) -> bool:
    """Whether a match of a rule is something else, judged by what stands beside it."""
    before = text[max(0, start - _WINDOW) : start]
    if text[start] in "0123456789" and _GLUED_BEFORE.search(before) is not None:
        return True
    match doubt:
        case Doubt.NONE:
            return False
        case Doubt.REFERENCE:
            return _REFERENCE_BEFORE.search(before) is not None or _FIGURE_AFTER.match(text, end) is not None
        case Doubt.QUANTITY:
            return _is_figure(text, start, end, before)
        case Doubt.VERB:
            return _is_verb(text, start, end, before)
        case Doubt.VERB_AFTER_WORD:
            return text[start:end].endswith(("may", "march"))


def _is_figure(text: str, start: int, end: int, before: str) -> bool:
    if _REFERENCE_BEFORE.search(before) is not None and _PREFIX_BEFORE.search(before) is None:
        return True
    if _FIGURE_AFTER.match(text, end) is not None:
        return True
    if _QUANTITY_AFTER.match(text, end) is not None and _DATED_BEFORE.search(before) is None:
        return True
    year = text[start:end][:4]
    if year.endswith("00") and _PLURAL_AFTER.match(text, end) and _DATED_BEFORE_PLURAL.search(before) is None:
        return True
    return (
        int(year) >= _FUTURE_OF_NAMES
        and _NAME_BEFORE.search(before) is not None
        and _NAMES_OF_DATED_THINGS.search(before) is None
    )


def _is_verb(text: str, start: int, end: int, before: str) -> bool:
    word = text[start:end].rstrip(".")
    lower = word.lower()
    if lower == "august":
        return word == lower and (
            _MONTH_CUE.search(before) is None
            or re.match(r"\s(?!(?:and|to|or|of|the)\b)[a-z]", text[end:]) is not None
        )
    if lower not in _AMBIGUOUS_MONTHS:
        return False
    cued = _MONTH_CUE.search(before) is not None
    if not cued or (word == lower and not _in_strictly(before)):
        return True
    if lower == "march":
        return (
            _MARCH_AS_NOUN.match(text, end) is not None
            and re.search(r"(?:the|[A-Z][a-z]+)\s\Z", before) is not None
        )
    return lower == "may" and _VERB_AFTER.match(text, end) is not None and not _in_strictly(before)


def _in_strictly(before: str) -> bool:
    return _MONTH_CUE_ENOUGH.search(before) is not None
