"""The text of a mail message apart from quoted and forwarded messages."""

import re

_QUOTED = re.compile(r"^[ \t]*>")
_SAID_BY = re.compile(
    r"^[ \t]*(?:(?:On|Am|Le|El|Il|Op|Em)\b[^\n]{4,200}(?:\n[^\n]{0,120})?"
    r"(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu)[^\n]{0,80}:"
    r"|[^\n]{3,120}\b(?:wrote|schrieb|writes):)[ \t]*$",
    re.MULTILINE,
)
_FORWARDED = re.compile(
    r"^[ \t]*(?:-{2,}[ \t]*(?:Forwarded message|Weitergeleitete Nachricht|Message transféré"
    r"|Original[ -]Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)[ \t]*-{2,}"
    r"|Begin forwarded message:)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_HEAD_LINE = re.compile(
    r"^[ \t*]*(From|Von|De|Da|Sent|Date|Gesendet|Datum|Envoyé|Enviado|To|An|À|Para|Cc"
    r"|Subject|Betreff|Objet|Asunto)[ \t]?:\*?[ \t]*(.*)$"
)
_FROM = frozenset({"from", "von", "de", "da"})
_SENT = frozenset({"sent", "date", "gesendet", "datum", "envoyé", "enviado"})
_ABOUT = frozenset({"subject", "betreff", "objet", "asunto"})


def own_words(text: str, *, is_page: bool, forwards: bool) -> tuple[str, str]:
    """(text of the sender, forwarded message with its head) of the text of a message.

    Quotations of earlier messages were written on other days, and are left out.
    """
    begin, head = _earlier(text)
    rest = text[head:]
    is_forwarded = forwards or "orward" in text[begin:head]
    text = text[:begin]
    said_by = _SAID_BY.search(text)
    if said_by and not is_page and not any(map(_QUOTED.match, text[said_by.end() :].split("\n"))):
        text = text[: said_by.start()]
    text = _SAID_BY.sub("", text)
    lines = [line for line in text.split("\n") if not _QUOTED.match(line)]
    own = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return own, rest.strip() if is_forwarded else ""


def _earlier(text: str) -> tuple[int, int]:
    """Offsets of an earlier message below the text, and of its head.

    It follows a separator line or a head. Both are the end of the text if there is no earlier message.
    """
    found = _FORWARDED.search(text)
    offset = 0
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if found and offset >= found.start():
            break
        head = _HEAD_LINE.match(line)
        if head and head[1].lower() in _FROM:
            names = {
                match[1].lower()
                for near in [each for each in lines[index + 1 : index + 12] if each.strip()][:6]
                if (match := _HEAD_LINE.match(near))
            }
            if names & _SENT and names & _ABOUT:
                return offset, offset
        offset += len(line) + 1
    return (found.start(), found.end()) if found else (len(text), len(text))


def is_forward(subject: str) -> bool:
    """Whether the subject of a message says that it is forwarded."""
    return re.match(r"\s*(?:fwd?|wg|tr|rv|i)\s*:", subject, re.IGNORECASE) is not None


_SORTS = dict.fromkeys(_FROM, "from") | dict.fromkeys(_SENT, "sent") | dict.fromkeys(_ABOUT, "about")


def forwarded_head(block: str) -> tuple[dict[str, str], str]:
    """(values of the head of a forwarded message, text below it); keys are from, sent, about and to."""
    stated: dict[str, str] = {}
    lines = block.split("\n")
    begin = 0
    for index, line in enumerate(lines):
        head = _HEAD_LINE.match(line.lstrip("> "))
        if head:
            stated.setdefault(_SORTS.get(head[1].lower(), "to"), head[2].strip("* "))
            begin = index + 1
        elif line.strip() and begin:
            break
    return stated, "\n".join(line.removeprefix("> ") for line in lines[begin:])
