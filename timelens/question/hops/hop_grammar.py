"""Regular expressions for hops: descriptions by a relation to something else. Pure.

The patterns match relations, head nouns, clauses and referring expressions; names must be capitalised.
"""

import re

from timelens.lexicon import BE, one_of
from timelens.question.names import PARTICLES

MARK = r"⟦[A-D]⟧"
# Coarser than words.CAPITAL, which would take a tenth of a second to compile in the hundred places of these
# patterns: beyond Latin-1 any letter will do. What is taken for a name is looked up all the same.
_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ][\w.’'&+/-]*"
_NAME = (
    rf"(?:{MARK}|{_CAPITALISED}(?:\s+(?:(?:{'|'.join(sorted(PARTICLES))}|of|of\s+the)\s+)*"
    rf"(?:{_CAPITALISED}|d['’]{_CAPITALISED}|\d[\w/.-]*))*)"
)
_NO_HEAD = (
    "the|a|an|was|were|is|are|did|when|while|on|in|at|of|after|before|by|who|whoever|that|which|and|or|to"
    "|from"
)
_HEAD_WORD = rf"(?!(?i:{_NO_HEAD})\b)[\w’'-]+"
_HEAD = rf"{_HEAD_WORD}(?:\s+{_HEAD_WORD}){{0,3}}?(?:\s+(?:of|in)\s+(?:the\s+)?{_NAME})?"
_POST = rf"{_HEAD_WORD}(?:\s+{_HEAD_WORD}){{0,3}}(?:\s+(?:of|in)\s+(?:the\s+)?{_NAME})?"
_AS = rf"(?:\s+(?i:as)\s+(?:the\s+)?(?P<post>{_POST}))?"
_WITHIN = rf"(?:\s+(?i:in)\s+(?:the\s+)?(?P<place>{_NAME}))?"
_CLOSELY = r"(?i:(?:immediately|directly|right|just|next|straight|shortly|soon)\s+)?"
_FORWARD = (
    r"(?i:succeed(?:ed|s)?|follow(?:ed|s)?|replace[ds]?|(?:was|were|is)\s+preceded\s+by)"
    rf"|(?i:took|takes)\s+(?i:over)(?:\s+in\s+(?:the\s+)?{_NAME})?\s+(?i:from)"
    r"|(?i:(?:[a-z]+\s+){1,5}?after)"
)
_BACKWARD = (
    r"(?i:precede[ds]?|(?:was|were|is)\s+(?:succeeded|followed|replaced)\s+by|gave\s+way\s+to|made\s+way\s+for"
    r"|(?:handed|hands)\s+over\s+to|(?:[a-z]+\s+){1,5}?before)"
)
_RELATED = (
    rf"{_CLOSELY}(?:(?P<forward>{_FORWARD})|(?P<backward>{_BACKWARD}))\s+(?:(?i:the)\s+)?(?P<of>{_NAME})"
)
_NEXT = "successor|replacement"
_OF_KIN = (
    rf"(?:(?i:the)\s+)?(?i:(?:immediate|direct|eventual)\s+)?(?i:(?P<successor>{_NEXT})|predecessor)\s+"
    rf"(?i:of|to)\s+(?:(?i:the)\s+)?(?P<of>{_NAME})"
)
_KIN_OF = (
    rf"(?P<of>{_NAME})(?:'s|’s|(?<=s)['’])\s+(?i:(?:immediate|direct|eventual)\s+)?"
    rf"(?i:(?P<successor>{_NEXT})|predecessor)"
)
_WHO = rf"(?:(?i:whoever)|(?i:the)\s+(?P<head>{_HEAD})\s+(?i:who|that|which))"
_UNITS = (
    r"\w*(?:days?|weeks?|months?|years?|decades?|century|night|morning|evening|time|moment|period|era|season)"
)
_IN_ORDER = (
    rf"(?i:the)\s+(?:(?i:first|next)\s+(?P<later>{_HEAD})\s+{_CLOSELY}(?i:after|following)"
    rf"|(?i:last|previous)\s+(?P<earlier>{_HEAD})\s+{_CLOSELY}(?i:before|preceding))\s+(?:the\s+)?(?P<of>{_NAME})"
)
_BESIDE = (
    rf"(?i:the)\s+(?!(?i:{_UNITS})\b)(?P<one>{_HEAD_WORD}(?:\s+{_HEAD_WORD})?)\s+{_CLOSELY}"
    rf"(?:(?P<behind>(?i:after))|(?i:before))\s+(?:the\s+)?(?P<of>{_NAME})"
)
NEIGHBOURS = tuple(
    re.compile(rf"(?<!\w){pattern}{_WITHIN}{_AS}")
    for pattern in (_OF_KIN, _KIN_OF, rf"{_WHO}\s+{_RELATED}", _IN_ORDER, _BESIDE)
)
_IN_PLACE = r"(?:\s+(?i:in|at|on|to)\s+(?i:the|that|this|his|her|its|their)\s+[a-z]+)?"
_AND_WHEN = (
    r"(?:,?\s+(?i:and)\s+(?i:(?:(?:from|since|on|in|at)\s+)?(?:what|which)\s+\w+|(?:since\s+)?when)"
    r"(?:\s+[^?]*)?)?"
)
_WHO_ASKED = rf"(?P<asking>(?i:whom?)|(?i:which|what)\s+{_HEAD})"
_TAKING = (
    r"(?:\s+(?i:(?:took|takes|had\s+taken)\s+(?:it\s+)?over|came(?:\s+in)?|arrived|started|began|joined"
    r"|(?:was|were)\s+(?:appointed|elected|chosen))(?:\s+(?i:in|on)\s+[\w\s]+)?)?"
)
"""What the neighbour of the asked person did, and when: "before Ann Lee took over in 2019"."""
ASKED_NEIGHBOUR = re.compile(
    rf"^{_WHO_ASKED}\s+(?:(?i:was|were|is|had)\s+(?:it\s+that\s+)?)?"
    rf"{_RELATED}{_TAKING}{_IN_PLACE}{_AS}{_AND_WHEN}(?=[\s?.]*$)"
)
ASKED_FROM = re.compile(
    rf"^(?:(?P<by>(?i:by))\s+)?{_WHO_ASKED}\s+(?:(?i:had|did|has|does)\s+(?P<of>{MARK})\s+"
    r"(?:(?P<backward>(?i:succeed(?:ed)?|follow(?:ed)?|replaced?|tak(?:e|en)\s+over\s+from))|(?i:preceded?))"
    rf"|(?i:was|were|is)\s+(?P<whose>{MARK})\s+(?:(?P<after>(?i:succeeded|followed|replaced))|(?i:preceded))"
    rf"(?:\s+(?i:by))?){_IN_PLACE}{_AS}{_AND_WHEN}(?=[\s?.]*$)"
)
"""The same with the resolved hop as the subject: "Whom had ⟦A⟧ replaced?"."""
ASKING_ALONE = re.compile(rf"^\s*(?i:who|what|which(?:\s+\w+){{0,4}})\s+(?i:{one_of(BE)})\s+{MARK}[\s?.]*$")
IN_A_CLAUSE = re.compile(
    r"\b(?:when|while|after|before|since|until|day|during|of|that)(?=\s*$)", re.IGNORECASE
)

INSIDE = r"(?:[^,?;:.]|\.(?=\S)|\.(?=\s+[a-z])|(?<=\b[A-Z])\.|(?<=\bSt)\.)"
_STOP = r"(?:[:;,]|(?<!\b[A-Z])\.)"
_ENDING = r"(?=\s*(?:[,?;:]|(?<!\b[A-Z])\.(?:\s|$)|$))"
_CLAUSE = rf"(?P<clause>{INSIDE}+?)"
_TIME = (
    r"(?P<time>(?i:while|whilst|when|(?:at|in|on|of|during|by)\s+the\s+(?:very\s+)?(?:same\s+)?"
    r"(?:times?|days?|moment|months?|years?|period)(?:\s+(?:of|when|that|(?:in|at|on|during)\s+which))?))"
)
IS = r"(?:was|were|is|served\s+as|held\s+office\s+as|led|ran|runs|governed|ruled|chaired|headed|reigned|held)"
_STAYING = r"(?:\s+(?i:that|who|which)\s+(?i:held|lasted|served|ruled|reigned))?"
_HOLDER = (
    rf"(?:(?:(?P<any>(?i:whoever))|(?i:the)\s+(?P<head>{_HEAD})\s+(?i:who|that|which))\s+(?P<verb>(?i:{IS}))\s+"
    rf"(?P<being>{INSIDE}+?)|(?i:the)\s+(?P<thing>(?:(?!\b(?i:was|were|who|did|that)\b){INSIDE})+?){_STAYING})"
    rf"\s+{_TIME}\s+{_CLAUSE}"
)
_SPAN_OF_TIME = (
    r"(?:term|time|tenure|reign|rule|years|days|mandate|administration|government|stint|spell|papacy"
    r"|\w{4,}(?:ship|cy))"
)
_IN_TERM_OF = rf"(?i:in|during|throughout|within|over)\s+(?:(?i:the)\s+)?(?i:{_SPAN_OF_TIME})\s+(?i:of)"
EMBEDDED = re.compile(
    rf"(?<!\w)(?P<lead>{_IN_TERM_OF}|(?i:(?:successor|predecessor)\s+(?:of|to)|succeeded|followed|replaced|preceded"
    rf"|(?P<loose>after|before|from)))\s+(?P<whole>{_HOLDER}){_ENDING}"
)
WITH_A_DATE = re.compile(
    r"(?<!\w)(?i:after|before|from|succeeded|followed|replaced|preceded)\s+"
    rf"(?P<whole>(?i:the)\s+(?P<head>{_HEAD})\s+(?i:who|that|which)\s+(?P<verb>[a-z]+)\s+(?P<being>{INSIDE}+))"
    rf"{_ENDING}"
)
_ASKS = (
    r"(?:and\s+)?(?P<main>(?i:(?:(?:in|on|at|by|from|since|for|to|under|until)\s+)?"
    r"(?:whom?|whose|what|which|when|how|where))\b.*)$"
)
TOLD = re.compile(
    rf"^(?:[A-Z][a-z]+\s+)?(?P<whole>(?i:the)\s+(?P<head>{_HEAD_WORD}(?:\s+{_HEAD_WORD})??)\s+"
    rf"(?:(?i:that|which)\s+(?:was|were|is|had\s+been)\s+)?(?P<being>[a-z]+(?:\s+[a-z]+)?\s+by\s+{INSIDE}+?))"
    rf"\s+(?:was|were|is|had|has|got|gave|made)\s+{INSIDE}+{_STOP}\s+{_ASKS}"
)
"""A first sentence with the object of an action: "The scheme brought down by … was …"."""
NAMED = re.compile(rf"^(?P<name>{_NAME})\s+(?=[a-z])[^?]+{_STOP}\s+{_ASKS}")
INTRODUCED = re.compile(
    rf"^(?:[A-Z][a-z]+(?:\s+(?:of|at|with|from|about|for))?\s+)?(?P<whole>(?:(?i:the)|(?i:whoever))\b.*?)\s*{_STOP}\s+{_ASKS}"
)
HOLDER_ALONE = re.compile(rf"{_HOLDER}$")
SET_BEHIND = re.compile(
    rf"^(?P<before>(?i:whom?|which\b[^?]*?|what\b[^?]*?|when|how\s+\w+|by\s+whom)\s+(?i:had|did|has|does|was|were))\s+"
    rf"(?P<thing>(?i:the)\s+{_HEAD})\s+(?P<verb>(?!(?i:who|that|which)\b)[a-z]+(?:\s+[a-z]+){{0,2}}?)\s+"
    rf"(?P<relative>(?i:who|that|which)\s+(?i:{IS})\s+{INSIDE}+?\s+{_TIME}\s+{_CLAUSE})[\s?.]*$"
)
"""A relative clause after the verb: "Whom had the minister replaced who was in power when …?"."""
KIN_ALONE = re.compile(
    rf"^(?P<whole>.+?)\s+(?i:had|has)\s+(?i:a|an)\s+(?P<kin>(?i:successor|predecessor))\s*{_STOP}\s+.*$"
)
_SOMEBODY = (
    r"(?i:somebody|someone|(?:one|a|some)\s+(?:certain\s+)?(?:person|man|woman)"
    r"|there\s+(?:was|were)\s+(?:one|an?|some))"
)
FRONTED = re.compile(
    rf"^{_TIME}\s+{_CLAUSE},\s+(?P<some>{_SOMEBODY})\s+(?:(?P<verb>(?i:{IS}))\s+)?(?P<being>{INSIDE}+?)\s*{_STOP}\s+{_ASKS}"
)
BEHIND = re.compile(
    rf"^(?P<some>{_SOMEBODY})\s+(?:(?P<verb>(?i:{IS}))\s+)?(?P<being>{INSIDE}+?)\s+{_TIME}\s+{_CLAUSE}\s*{_STOP}\s+{_ASKS}"
)
_ANYBODY = (
    r"(?:person|man|woman|one|leader|politician|holder|figure|individual|official|monarch|sovereign|ruler)"
)
_THAT = rf"(?:that|this|the\s+same|said)(?:\s+(?:very|one))?\s+{_ANYBODY}"
_THEIR = rf"(?:{_THAT}['’]s|that|this|the\s+same|his|her|its|their)"
THAT_TERM = re.compile(
    rf"(?<!\w)(?:(?:in|during|throughout|within|over|for)\s+{_THEIR}\s+(?:whole\s+|entire\s+)?{_SPAN_OF_TIME}"
    rf"(?:\s+(?:in|of)\s+office)?|(?:for\s+)?as\s+long\s+as\s+(?:it|that|this|he|she|they|{_THAT})\b[^,?;.]*)",
    re.IGNORECASE,
)
POSSESSED = re.compile(rf"(?<!\w)(?:{_THAT}['’]s|his|their|its|her(?=\s+(?!as\b)\w))(?!\w)", re.IGNORECASE)
POINTED = re.compile(rf"(?<!\w)(?:{_THAT}|he|she|they|him|her|them|it)(?!\w)", re.IGNORECASE)
TERM_OF_MARK = re.compile(
    rf"(?<!\w)(?:{_IN_TERM_OF}\s+(?P<of>{MARK})|(?i:in|during|throughout|within|over)\s+(?P<whose>{MARK})['’]s\s+"
    rf"(?i:{_SPAN_OF_TIME})(?:\s+(?i:in)\s+(?i:office))?|(?i:under)\s+(?P<head>{MARK})(?!['’]))"
)
ON_THE_DAY = re.compile(rf"\b((?i:the\s+(?:day|moment|year|month|time)))\s+(?={MARK})")
IN_OFFICE = re.compile(r"(?:in\s+(?:office|power|charge|place|force|use)|there|so)$", re.IGNORECASE)
WHERE = re.compile(rf"\b(?i:in)\s+(?:the\s+)?(?P<place>{_NAME})")
_FINITE = (
    r"(?i:was|were|is|are|did|does|do|had|has|came|went|took|held|led|ran|flew|began|became"
    r"|\w+ed(?=\s+(?:in|on|at|by|from|after|before|right|directly|immediately|just|next|first|last)\b))\b"
)
ASKED_NOUN = re.compile(
    rf"^(?i:(?:who|what)\s+(?:was|were|is)\s+(?:the\s+)?(?:(?:first|last|next)\s+)?|which\s+|what\s+)"
    rf"(?P<noun>(?!{_FINITE}){_HEAD_WORD}(?:\s+(?!{_FINITE}){_HEAD_WORD}){{0,3}}(?:\s+(?:of|in)\s+(?:the\s+)?{_NAME})?)"
)
PROPERTY = re.compile(rf"(?<!\w)the\s+(?P<noun>[a-z]+(?:\s+[a-z]+)?)\s+of\s+(?:the\s+)?(?P<of>{_NAME})")
ASKING_WORD = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|how|name|list|tell|give)\b", re.IGNORECASE
)
GENERIC = re.compile(rf"^{_ANYBODY}$", re.IGNORECASE)
