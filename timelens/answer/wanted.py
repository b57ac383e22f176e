"""What kind of thing a question asks for, and in what relation to its subject. Pure.

The relations are those that encyclopaedias, registers and personal records state with dates: offices,
teams, employers, schools, parties, marriages, owners, seats, names. Each has the words by which questions ask
for it and the words after which a text names what is asked for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from timelens.question.intent import asked_noun
from timelens.question.names import names_in


class Sort(StrEnum):
    """What sort of thing is wanted."""

    PERSON = "person"
    BODY = "body"
    """An organisation, a team, a company, a school."""
    PLACE = "place"
    ROLE = "role"
    """A position, a rank, a title, a trade."""
    THING = "thing"
    """Anything else that has a name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A relation that a question asks for."""

    name: str
    sort: Sort
    question: re.Pattern[str]
    """Words by which it is asked for."""
    before: re.Pattern[str]
    """Words that end where the answer begins."""
    after: re.Pattern[str] | None = None
    """Words that begin where the answer ends."""


def _asked(name: str, sort: Sort, question: str, before: str, after: str = "") -> Asked:
    return Asked(
        name,
        sort,
        re.compile(rf"\b(?:{question})\b", re.IGNORECASE),
        re.compile(
            rf"(?:^|(?<=\W))(?:{before})\s*(?:(?:the|a|an|his|her|its|their|then|former)\s+)*$", re.IGNORECASE
        ),
        re.compile(rf"^\s*(?:{after})", re.IGNORECASE) if after else None,
    )


_HEADS = (
    r"chair\w*|presid\w+|director|head\w*|lead\w*|led|lead|manag\w+|coach\w*|trainer|mayor|governor|"
    r"minister|ceo|chief|executive|editor|edited|principal|rector|dean|command\w*|captain|commissioner|"
    r"secretary|ambassador|speaker|king|queen|monarch|emperor|chancellor|premier|officer|holder|host\w*|"
    r"bishop|office|in charge|held|run|ran|ruled|reign\w*|incumbent|general|superintendent|curator|owner|"
    r"leader|professor\w*|master"
)

RELATIONS: tuple[Asked, ...] = (
    _asked(
        "spouse",
        Sort.PERSON,
        r"marri\w+|wife|husband|spouse|wed|wedded|partner",
        r"married(?: to)?|marries|marry|marriage (?:to|with)|wife|husband|wed|wedding (?:to|with)|spouse|"
        r"remarried|widow of",
    ),
    _asked(
        "surname",
        Sort.THING,
        r"(?:last|family|sur|maiden|birth) ?name",
        r"married|born|née|nee|name|husband|as|to",
    ),
    _asked(
        "named",
        Sort.THING,
        r"named|(?:what|which) names?|name of|called|known as|renamed|official (?:name|title|designation)|"
        r"call|designat\w+|titled",
        r"named|renamed|called|known as|name of|name|as|to|became|designated|redesignated|title of|titled|"
        r"formerly",
    ),
    _asked(
        "owner",
        Sort.BODY,
        r"own(?:s|ed|er|ers|ership)?|belong\w*|possess\w*|acquired|bought|purchased|parent|subsidiar\w+|"
        r"controll\w+|property of|occup\w+|tenants?",
        r"owned by|sold to|acquired by|bought by|purchased by|owner|owners|by|to|subsidiary of|part of|"
        r"belonged to|passed to|property of|owned and operated by|under",
        r"(?:acquired|bought|purchased|owned|took over|sold|inherited)\b",
    ),
    _asked(
        "maker",
        Sort.BODY,
        r"publish\w*|label|record(?:s|ed|ing)|manufactur\w+|built|made|produc\w+|broadcast\w*|air(?:ed|s)?|"
        r"channel|network|operat\w+|sponsor\w*|distribut\w+|release\w*|station",
        r"by|with|to|on|signed (?:to|with|for)|label|through|for|from|at|joined|publisher",
        r"(?:published|released|operated|built|manufactured|took over|acquired)\b",
    ),
    _asked(
        "party",
        Sort.BODY,
        r"part(?:y|ies)|political\w*|faction|electoral",
        r"joined|member of|for|party|left|with|of|founded|from|candidate (?:of|for)|leader of|under",
    ),
    _asked(
        "school",
        Sort.BODY,
        r"educat\w+|school\w*|universit\w+|college|attend\w*|stud(?:y|ied|ying)|degree|alma mater|academy|"
        r"graduat\w+|learn\w*|enrol\w*",
        r"at|from|attended|entered|enrolled (?:at|in)|graduated from|degree (?:at|from)|studied at|"
        r"educated at|education at|to|in|joined|student (?:at|of)",
    ),
    _asked(
        "league",
        Sort.THING,
        r"league|division|competition|championship|tournament|sport|sports|series|campaign|event|conflict|"
        r"war|battle|expedition|election",
        r"in|to|the|into|joined|from|during|of|entered|won|at",
    ),
    _asked(
        "award",
        Sort.THING,
        r"awards?|prize|honou?rs?|medal|decorat\w+|awarded|recogni\w+|nominated|distinction|conferred|"
        r"heritage",
        r"awarded|received|won|the|recipient of|with|honou?red with|earned|as|by|given|winner of|a|an",
        r"(?:award|prize|medal|in|for)\b",
    ),
    _asked(
        "team",
        Sort.BODY,
        r"team|club|side|squad|play(?:s|ed)? (?:\w+ )?for|play(?:s|ed)?|footballer|signed|franchise",
        r"joined|signed (?:for|with|by|to)|signed|moved to|(?:on )?loan(?:ed)? (?:to|at|with|from)|"
        r"transfer(?:red)? to|for|with|at|to|play(?:s|ed|ing) (?:for|with|at)|returned to|by|club|side|team|"
        r"coach of|manager of|of|from",
    ),
    _asked(
        "employer",
        Sort.BODY,
        r"employ\w*|work(?:s|ed|ing)?|compan(?:y|ies)|firm|organi[sz]ation\w*|associat\w+|institut\w+|"
        r"member of|affiliat\w+|board|join\w*|bodies|body|branch|agency|department|museum|entit\w+|group|"
        r"service|militar\w+",
        r"at|for|joined|with|by|of|moved to|member of|worked (?:for|at|in|with)|in|to|joining|board of|"
        r"hired by|taught at|professor at|position at|fellow (?:of|at)|served in|serving in",
    ),
    _asked("head", Sort.PERSON, _HEADS,
           r"by|under|:|president|director|coach|manager|chairman|chair|mayor|editor|minister|governor|"
           r"leader|commander|chief|executive|ceo|secretary|head|appointed|elected|named|replaced with|as|"
           r"with|-|–|captain|general|rector|dean|principal|host|successor|while|and|when|bishop|professor|"
           r"then",
           r"was (?:appointed|elected|named|chosen|hired|the)|became|succeeded|replaced|took (?:over|office|"
           r"charge)|served|"
           r"as|led|headed|is the|assumed|\(|,|:|–|-|resigned|edited|who|held"),
    _asked(
        "role",
        Sort.ROLE,
        r"position|role|posts?|job|occupation|profession\w*|title|rank|career|appointed|minister|served as|"
        r"capacity|employment|duty|line of work",
        r"as|became|become|appointed(?: as| to)?|elected(?: as)?|named|promoted to|served as|was|"
        r"position of|office of|rank of|title of|made|worked as|serving as|created|post of|role of|to|"
        r"member of|is",
    ),
    _asked(
        "place",
        Sort.PLACE,
        r"where|city|town|countr(?:y|ies)|locat\w+|place|capital|headquarter\w*|liv(?:e[sd]?|ing)|resid\w+|"
        r"based|state|region|stadium|venue|ground|arena|home|province|nation\w*|citizen\w*|county|village|"
        r"seat|held|imprison\w*|incarcerat\w*|district|territor\w+|prison|moved|stay\w*|situated|camp|"
        r"museum|building|fort|port",
        r"in|at|to|near|from|moved to|located in|based in|headquartered in|lived in|settled in|capital|"
        r"stadium|of|transferred to|relocated to|sent to|part of|into|outside|under|became|city of|town of|"
        r"returned to|arena",
        r"(?:stadium|arena|ground|prison|citizen)\b",
    ),
)  # fmt: skip
"""Tried in this order where the sort of thing does not decide."""

_SORTS: Sequence[tuple[Sort, re.Pattern[str]]] = (
    (
        Sort.ROLE,
        re.compile(
            r"^(?:.*\b)?(?:position|role|post|job|occupation|profession|rank|title|office|trade|career)s?$",
            re.IGNORECASE,
        ),
    ),
    (
        Sort.BODY,
        re.compile(
            r"\b(?:team|club|side|employer|compan(?:y|ies)|organi[sz]ations?|universit\w+|college|school|"
            r"part(?:y|ies)|group|firm|institut\w+|bod(?:y|ies)|agency|channel|network|label|publisher|"
            r"association|bank|board|airline|railway|branch|entit(?:y|ies)|manufacturer|operator|"
            r"corporation|service|academy)$",
            re.IGNORECASE,
        ),
    ),
    (
        Sort.PLACE,
        re.compile(
            r"\b(?:city|cities|town|country|countries|nation|state|location|place|region|province|village|"
            r"county|district|capital|stadium|venue|arena|ground|prison|territory|municipality|area|field|"
            r"park|museum|building)$",
            re.IGNORECASE,
        ),
    ),
    (
        Sort.PERSON,
        re.compile(
            r"\b(?:person|man|woman|people|individual|wife|husband|spouse|leader|president|director|"
            r"chair\w*|coach|manager|mayor|governor|minister|ceo|editor|king|queen|host|head|commander|"
            r"singer|actor|actress|performer|chancellor|principal|rector|owner|officer|wrestler|bishop)$",
            re.IGNORECASE,
        ),
    ),
)
_DOER = re.compile(
    r"\b(?!(?:career|number|order|cent(?:er|re)|river|tower|power|letter|paper|newspaper|quarter|character|"
    r"sector|harbor|color|honor|factor|member|matter|computer|cover|water|winter|summer|"
    r"year)$)[a-z]{3,}(?:er|or|ist|ian|man|woman|ant|lar)$"
)
"""A noun for someone who does or knows something: "scholar", "editor", "pianist"."""
_ACCOUNT = re.compile(
    r"\b(?:changes?|effects?|impacts?|influences?|reasons?|causes?|consequences?|developments?|events?|"
    r"trends?|differences?|responses?|reactions?|plans?|measures?|decisions?|evidence|problems?|issues?|"
    r"outcomes?|results?|progress|steps?|actions?|occurrences?|things?|details?|information|facts?|ways?|"
    r"views?|opinions?|arguments?|conditions?|circumstances|situation|troubles?)$",
    re.IGNORECASE,
)
"""A noun for what takes a sentence to tell, and has no name."""
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_WORKED_FOR = re.compile(r"\bwho(?:m)?\b.*\b(?:work|play|employ|sign)\w*\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question wants."""

    sort: Sort
    relations: tuple[Asked, ...]
    """Those that its words may stand for, the likeliest first."""
    noun: str
    """What "which" or "what" asks for, in its words; may be empty."""
    is_named: bool
    """Whether the question shows what it wants: a name, and not an account of something."""


def wanted_by(question: str) -> Wanted:
    """What a question wants: by its noun ("which team"), its asking word, else by the relation it names."""
    noun = asked_noun(question)
    plain = question
    for name in sorted(names_in(question), key=len, reverse=True):
        if " " in name:
            plain = plain.replace(name, " ")
    sort = next((sort for sort, pattern in _SORTS if pattern.search(noun)), None)
    if sort is None and _DOER.search(noun):
        sort = Sort.PERSON
    if sort is None and _WHERE.search(plain):
        sort = Sort.PLACE
    if sort is None and _WHO.search(plain):
        sort = Sort.BODY if _WORKED_FOR.search(plain) else Sort.PERSON
    found = [relation for relation in RELATIONS if relation.question.search(noun)]
    found += [relation for relation in RELATIONS if relation not in found and relation.question.search(plain)]
    if sort is not None:
        found.sort(key=lambda relation: relation.sort is not sort)
    named = sort is not None or bool(found) or (bool(noun) and not _ACCOUNT.search(noun))
    if sort is None:
        sort = found[0].sort if found else Sort.THING
    return Wanted(sort, tuple(found[:2]), noun, named)
