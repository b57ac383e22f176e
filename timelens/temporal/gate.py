"""What looks like a time and is none: quantities, references, prices, verbs, names with a number."""

import re

from timelens.temporal.rules.rule import Doubt
from timelens.temporal.vocabulary import DASH, MONTH, SPACE

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
    "|acres|hectares|square|m|ml|cl|litre|litres|liter|liters|gallon|gallons|barrels|gb|mb|kb|tb|bytes|volts|volt"
    "|pixels|degrees|calories|passengers|visitors|guests|residents|families|units|items|species|dwt|knots"
)
_COUNTED = "pieces|copies|words|volumes|parts|instalments|installments|lines"
"""What only a count stands before, even after "in": in 1900 pieces."""
_GATHERED = (
    "crowd|total|group|force|army|garrison|audience|fleet|population|number|sum|length|height|depth|weight|range"
    "|distance|capacity|staff|choir|load|herd|contingent|workforce|membership|average|maximum|minimum"
)
_GLUED_BEFORE = re.compile(r"(?:[a-z_$\u00a3\u20ac\u00a5#@\\]|[0-9][.,:]|\.)\Z", re.ASCII | re.IGNORECASE)
_REFERENCE_BEFORE = re.compile(
    rf"(?:\b(?:{_REFERENCES})\.?[ \t#]{{0,2}}|[$\u00a3\u20ac\u00a5#\u00a7@=*^~+/]\s?|[0-9]\s?[x\u00d7*+]\s?"
    rf"|\b(?:{_GATHERED}) of |\b(?:code|number|id|pin|total|sum|price|score|answer|top)(?: (?:is|was|of))? "
    r"|(?<![0-9])\+?[0-9]{1,3}[ ]|[0-9][-\u2010-\u2015]|(?<![a-z])-)\Z",
    re.ASCII | re.IGNORECASE,
)
_DESIGNATION_BEFORE = re.compile(r"\b[A-Z]{1,3}-\Z", re.ASCII)
_PREFIX_BEFORE = re.compile(r"\b(?:mid|pre|post|early|late|inter|fy)-\Z", re.ASCII | re.IGNORECASE)
_QUANTITY_AFTER = re.compile(
    rf"[ \t\u00a0\n]{{0,2}}(?:%|per cent|\u00b0|(?:{_QUANTITIES})\b)"
    r"|[-\u2010-\u2015](?:foot|mile|metre|meter|man|strong|seat|ton|page|year|pound|acre)\b",
    re.ASCII | re.IGNORECASE,
)
_DATED_BEFORE = re.compile(
    r"\b(?:in|since|during|until|till|year)[ \t\u00a0\n]{1,2}\Z", re.ASCII | re.IGNORECASE
)
_DATED_PLURALS = (
    "levels|prices|rates|values|figures|terms|standards|results|elections|games|olympics|championships|editions"
    "|models|finals|protests|riots|reforms|statistics|estimates"
)
"""What a year says the time of more often than a figure says the number of."""
_PLURAL_AFTER = re.compile(
    rf"\s(?!(?:was|is|has|as|its|this|thus|does|perhaps|{_DATED_PLURALS})\b)[a-z]+s\b", re.ASCII
)
_DATED_BEFORE_PLURAL = re.compile(
    r"(?:\b(?:in|since|during|until|till|year|the|its|his|her|their|this|that|by|before|after|early|late|circa"
    r"|[0-9]{4} (?:to|and)|(?<!up )from|[a-z]{3,12} of)\s"
    r"|[(,;.!?:\u2019'][ \n]?|\n|\A)\Z",
    re.ASCII | re.IGNORECASE,
)
_COUNTED_AFTER = re.compile(rf"\s(?:{_COUNTED})\b", re.ASCII)
_UP_TO = re.compile(r"(?:\s(?:to|and|or)\s|[-\u2010-\u2015])(?P<last>[0-9][0-9,]{2,6})(?![0-9])", re.ASCII)
_FIGURE_AFTER = re.compile(
    r"[,.:][0-9]|[0-9]|[-\u2010-\u2015/][0-9]|\s?[x\u00d7+*=]\s?[0-9]|%|[a-z_]", re.ASCII | re.IGNORECASE
)
_NAMED = re.compile(
    r"\b(?:named?(?: is| was)?|called|mr\.?|mrs\.?|ms\.?|miss|king|queen|prince|princess|aunt|uncle|lady|lord"
    r"|cousin)\s\Z",
    re.ASCII | re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"(?:^|[a-z,;]\s)(?:[A-Z][a-z]+\s)+\Z", re.ASCII)
_NAMES_OF_DATED_THINGS = re.compile(
    r"\b(?:In|On|At|By|Of|The|Since|During|Until|Before|After|From|To|And|Between|Around|About|Late|Early|Mid|Year"
    r"|Olympics|Games|Cup|Championships?|Election|Expo|Act|Summer|Winter|Spring|Autumn|Fall)\s\Z",
    re.ASCII,
)
_FUTURE_OF_NAMES = 2030
"""A year from here on, right after a capitalised name, belongs to the name (a film, an agenda)."""

_IN_SPRING = re.compile(
    r"\b(?:in|by|during|until|till|since|of|for|from|throughout|over|before|after|that|this|early|late|mid|last"
    r"|next|following)[ \t\n](?:the[ \t\n])?\Z|[-\u2010-\u2015]\Z",
    re.ASCII | re.IGNORECASE,
)
_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "jan", "dec", "sep"})
_MONTH_CUE = re.compile(
    r"(?:\b(?:in|of|since|until|till|by|from|to|through|during|throughout|between|early|mid|late|last|next"
    r"|following|previous|preceding|every|each|before|after|around|and|or|on|that|this)[ \t\u00a0\n]{1,2}"
    r"(?:the[ \t\u00a0])?|[-\u2010-\u2015/(,])\Z",
    re.ASCII | re.IGNORECASE,
)
_RANGE_OF_MONTHS = re.compile(
    rf"(?:{DASH}|{SPACE}(?:to|until|till|through){SPACE}){MONTH}", re.ASCII | re.IGNORECASE
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
        case Doubt.SPRING:
            return text[start:end].lower() == "spring" and _IN_SPRING.search(before) is None
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
    if _COUNTED_AFTER.match(text, end) is not None or _DESIGNATION_BEFORE.search(before) is not None:
        return True
    if _counts(text, start, end, before):
        return True
    year = text[start:end][:4]
    return (
        int(year) >= _FUTURE_OF_NAMES
        and _NAME_BEFORE.search(before) is not None
        and _NAMES_OF_DATED_THINGS.search(before) is None
    )


def _counts(text: str, start: int, end: int, before: str) -> bool:
    """Whether a number counts the things named after it, or after the number that it leads up to."""
    if _PLURAL_AFTER.match(text, end) is not None:
        dated = _DATED_BEFORE_PLURAL.search(before) or _PREFIX_BEFORE.search(before)
        return dated is None
    up_to = _UP_TO.match(text, end)
    if up_to is None:
        return False
    if _QUANTITY_AFTER.match(text, up_to.end()) is not None:
        return True
    both_round = text[start:end].endswith("00") and up_to["last"].endswith("00")
    return both_round and _PLURAL_AFTER.match(text, up_to.end()) is not None


def _is_verb(text: str, start: int, end: int, before: str) -> bool:
    word = text[start:end].rstrip(".")
    lower = word.lower()
    if _NAMED.search(before) is not None:
        return True
    if lower == "august":
        return word == lower and (
            _MONTH_CUE.search(before) is None
            or re.match(r"\s(?!(?:and|to|or|of|the)\b)[a-z]", text[end:]) is not None
        )
    if lower not in _AMBIGUOUS_MONTHS:
        return False
    if word != lower and _RANGE_OF_MONTHS.match(text, end) is not None:
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
