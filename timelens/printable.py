"""Text from outside made safe to print: documents, file names, titles, model output; and counts. Pure."""

import re

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNSAFE = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x9f"  # control characters (C0 and C1), which start every terminal sequence
    "\u202a-\u202e\u2066-\u2069"  # bidi embeddings, overrides and isolates, which show text in another order
    "\ud800-\udfff"  # lone surrogates, which no terminal can be sent
    "]"
)
_REPLACEMENT = "�"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINERS = "\u200c\u200d"
_JOINED = re.compile(f"[\u0600-\u1cff\u2600-\U0001faff{_SELECTORS}]")
"""Letters of scripts with joined forms, and pictures, which a joiner may follow."""
_INVISIBLE = re.compile(
    "["
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2064\u206a-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    f"{_SELECTORS}]+"
)
"""What takes no room: marks of direction, tags, fillers, and signs that change the one before them."""
_MARKDOWN = re.compile(r"([\\`*_<>\[\]&#|~])")
_WORD_ENDS = re.compile(r"([ `|<>()\[\]]+)")
_LINK = re.compile(r"://|\bwww\.|[\w.+-]@[\w-]+\.\w|\b(?:mailto|xmpp):", re.IGNORECASE)
_LIST_MARK = re.compile(r"\d{1,9}(?=[.)](?:\s|\Z))|(?=[-+=](?:[-=\s]|\Z))")
"""What stands before the sign that makes an item of a list, or a rule, of a line."""


def printable(text: str) -> str:
    r"""The text with nothing in it that a terminal would obey, that reorders what is read or cannot be seen.

    Control characters show as their Unicode pictures (``␛``), bidi overrides and lone surrogates as ``�``;
    every kind of line end becomes ``\n``, a tab becomes a space. What takes no room is left out, but for the
    signs that letters and pictures are put together with. All other text stays as it is.
    """
    plain = _LINE_ENDS.sub("\n", text).replace("\t", " ")
    return _UNSAFE.sub(_picture, _INVISIBLE.sub(_needed, plain))


def printable_line(text: str) -> str:
    """The same on one line, with runs of white space made one space."""
    return " ".join(printable(text).split())


def markdown_line(text: str) -> str:
    """One line of Markdown that shows the text, whatever is in it; what would become a link is in code."""
    line = markdown_within(text)
    mark = _LIST_MARK.match(line)
    return line if mark is None else f"{line[: mark.end()]}\\{line[mark.end() :]}"


def markdown_within(text: str) -> str:
    """The same for a place inside a line, such as a cell of a table, where nothing begins a list."""
    return "".join(map(_markdown, _WORD_ENDS.split(printable_line(text))))


def _markdown(word: str) -> str:
    return f"`{word}`" if _LINK.search(word) else _MARKDOWN.sub(r"\\\1", word)


def counted(number: int, noun: str) -> str:
    """A number of things, as ``1 document`` or ``1,200 documents``; the noun has a plural in ``-s``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def is_unicode(text: str) -> bool:
    """Whether the text can be written in UTF-8: what came from bytes that are none has lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _needed(match: re.Match[str]) -> str:
    """Of signs that take no room one that chooses the form of the one before them, and one joiner."""
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
