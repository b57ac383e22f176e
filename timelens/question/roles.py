"""The part of a fact that a clause is about: its start, its end, or its whole time. Pure."""

import re
from enum import StrEnum


class Role(StrEnum):
    """The part of a fact that a constraint applies to."""

    START = "start"
    END = "end"
    HELD = "held"


START_VERBS = re.compile(
    r"\b(?:start(?:ed|ing|s)?|began|begin(?:ning|s)?|begun"
    r"|(?:took|tak(?:e|es|en|ing)) (?:office|over|effect|on|up|charge|power)"
    r"|assum(?:e[ds]?|ing)|became|becom(?:es?|ing)|appoint(?:ed|ing)|elect(?:ed|ing)|inaugurat(?:ed|ing)"
    r"|(?:got|gets?|getting) under\s?way|sworn in|acced(?:ed|es|ing)|ascend(?:ed|s|ing)"
    r"|(?:came|comes?|coming) (?:to (?:power|the throne)|into (?:power|office|service))"
    r"|(?:went|gone|goes|put|sent|placed|brought) into (?:orbit|space|service|office)"
    r"|join(?:ed|ing|s)?|commenc(?:e[ds]?|ing)|enter(?:ed|ing|s)?|set(?=\s*$)"
    r"|(?:put|came|comes?|coming|brought) in(?:to)? (?:force|effect|use)|introduc(?:ed|ing)|launch(?:ed|ing)"
    r"|adopt(?:ed|ing)|sign(?:ed|ing)|enact(?:ed|ing)|establish(?:ed|ing)|founded|founding"
    r"|(?:moved|came) in|(?:was|were|been|got) (?:hired|recruited))\b",
    re.IGNORECASE,
)
END_VERBS = re.compile(
    r"\b(?:end(?:ed|ing|s)?|finish(?:ed|ing|es)?|conclud(?:e[sd]?|ing)|left|leav(?:es?|ing)|resign(?:ed|ing|s)?"
    r"|stepp(?:ed|ing) down|steps? down|complet(?:e[sd]?|ing)|terminat(?:e[sd]?|ing)"
    r"|depart(?:s|ed|ing|ures?)?|retir(?:e[sd]?|ing)|until(?:\s+(?:any|some)\s?(?:time|point|day))?(?=\s*$)"
    r"|stopped|expir(?:ed|ing)"
    r"|repealed|abolished|dissolved|abdicat(?:e[ds]?|ing)|handed over"
    r"|annul(?:led|s)?|invalidated|revoked|overturned|(?:struck|brought|shut|torn) down"
    r"|(?:was|were|been|got) (?:fired|sacked|dismissed)"
    r"|ceas(?:e[ds]?|ing)|moved out|(?:ga|gi)ve(?:s|n)? up|giving up"
    r"|(?:t[ao]ken?|taking|put|went|goes?|going) out of (?:use|service|office))\b",
    re.IGNORECASE,
)


def role_of(clause: str) -> Role:
    """The role of the last verb for a start or an end in a clause; ``HELD`` if there is none."""
    starts = [match.start() for match in START_VERBS.finditer(clause)]
    ends = [match.start() for match in END_VERBS.finditer(clause)]
    if not starts and not ends:
        return Role.HELD
    return Role.START if max(starts, default=-1) > max(ends, default=-1) else Role.END


_MADE = r"\b(?:founded|established|introduced|launched|enacted)\b"
_BEGINS_ANOTHER = re.compile(
    rf"who\b[^?]*?{_MADE}\s+(?!by\b|in\b|on\b|$)|by (?:whom|who)\b[^?]*{_MADE}|who\b[^?]*{_MADE} by\b",
    re.IGNORECASE,
)
"""Who made something begin, which is not what began: "who founded the club?"."""


def role_verbs(clause: str) -> list[str]:
    """The words of a clause for a start or an end of what is asked for."""
    if _BEGINS_ANOTHER.match(clause):
        return []
    return [match.group() for verbs in (START_VERBS, END_VERBS) for match in verbs.finditer(clause)]
