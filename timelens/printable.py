"""Text from outside made safe to print: documents, file names, titles and model output. Pure."""

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
_MARKDOWN = re.compile(r"([\\`*_<>\[\]&#|~])")


def printable(text: str) -> str:
    r"""The text with nothing in it that a terminal would obey or that reorders what is read.

    Control characters show as their Unicode pictures (``␛``), bidi overrides and lone surrogates as ``�``;
    every kind of line end becomes ``\n``, a tab becomes a space. All other text stays as it is.
    """
    return _UNSAFE.sub(_picture, _LINE_ENDS.sub("\n", text).replace("\t", " "))


def printable_line(text: str) -> str:
    """The same on one line, with runs of white space made one space."""
    return " ".join(printable(text).split())


def markdown_line(text: str) -> str:
    """One line of Markdown that shows the text, whatever is in it."""
    return _MARKDOWN.sub(r"\\\1", printable_line(text))


def is_unicode(text: str) -> bool:
    """Whether the text can be written in UTF-8: what came from bytes that are none has lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else _REPLACEMENT
