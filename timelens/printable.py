"""Makes untrusted text safe to print (documents, file names, titles, model output); words counts. Pure."""

import re

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNSAFE = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x9f"  # control characters (C0 and C1), with which all terminal sequences start
    "\u202a-\u202e\u2066-\u2069"  # bidi embeddings, overrides and isolates, which show text in another order
    "\ud800-\udfff"  # lone surrogates, which no terminal can be sent
    "]"
)
_REPLACEMENT = "�"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINERS = "\u200c\u200d"
_JOINED = re.compile(f"[\u0600-\u1cff\u2600-\U0001faff{_SELECTORS}]")
"""Letters of scripts with joined forms, and emoji, after which a joiner is valid."""
_INVISIBLE = re.compile(
    "["
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2064\u206a-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    f"{_SELECTORS}]+"
)
"""Characters without width: direction marks, tags, fillers, and variation selectors."""
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_MARKDOWN = re.compile(r"([\\`*_<>\[\]&#|~])")
_WORD_ENDS = re.compile(r"([ `|<>()\[\]]+)")
_LINK = re.compile(r"://|\bwww\.|[\w.+-]@[\w-]+\.\w|\b(?:mailto|xmpp):", re.IGNORECASE)
_LIST_MARK = re.compile(r"\d{1,9}(?=[.)](?:\s|\Z))|(?=[-+=](?:[-=\s]|\Z))")
"""The start of a line before the sign that would make it a list item or a rule."""


def printable(text: str) -> str:
    r"""The text without terminal sequences, reordering and invisible characters.

    Control characters become their Unicode pictures (``␛``), bidi overrides and lone surrogates become ``�``;
    every kind of line end becomes ``\n``, a tab becomes a space. Characters without width are removed, except
    variation selectors and joiners that letters and emoji need. All other text stays unchanged.
    """
    plain = _LINE_ENDS.sub("\n", text).replace("\t", " ")
    return _UNSAFE.sub(_picture, _INVISIBLE.sub(_needed, plain))


def printable_line(text: str) -> str:
    """:func:`printable` text on one line, with each run of white space as one space."""
    return " ".join(printable(text).split())


def shortened(text: str, most: int) -> str:
    """A text cut to at most ``most`` characters, with an ellipsis if it was cut."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def markdown_line(text: str) -> str:
    """One line of Markdown that displays the text literally; words that would become links are in code."""
    line = markdown_within(text)
    mark = _LIST_MARK.match(line)
    return line if mark is None else f"{line[: mark.end()]}\\{line[mark.end() :]}"


def markdown_within(text: str) -> str:
    """:func:`markdown_line` for use inside a line, such as in a table cell, where no list can begin."""
    return "".join(map(_markdown, _WORD_ENDS.split(printable_line(text))))


def _markdown(word: str) -> str:
    return f"`{word}`" if _LINK.search(word) else _MARKDOWN.sub(r"\\\1", word)


def xml_text(text: str) -> str:
    """The text with characters that XML does not allow replaced by ``�``; markup is not escaped."""
    return _NOT_IN_XML.sub(_REPLACEMENT, text)


def counted(number: int, noun: str) -> str:
    """A count in words, such as ``1 document`` or ``1,200 documents``; the plural must be in ``-s``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def is_unicode(text: str) -> bool:
    """Whether the text can be encoded in UTF-8; text decoded from invalid bytes has lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _needed(match: re.Match[str]) -> str:
    """The needed part of a run of characters without width: one variation selector and one joiner."""
    before = match.string[match.start() - 1 : match.start()] if match.start() else ""
    if not before or before.isspace():
        return ""
    selector = re.search(f"[{_SELECTORS}]", match[0])
    kept = selector[0] if selector else ""
    joiner = re.search(f"[{_JOINERS}]", match[0]) if _JOINED.match(kept or before) else None
    return kept + (joiner[0] if joiner else "")


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else _REPLACEMENT
