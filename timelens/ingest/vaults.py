"""Notes of Obsidian and Logseq: Markdown with links between notes, properties, and nested blocks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import unquote

from timelens.ingest.metadata_dates import METADATA_KEYS
from timelens.ingest.sources import SourceFile

_FENCE = re.compile(r"\s*(?:- )?(```+|~~~+)")
_CODE = re.compile(r"(`[^`]*`)")
_MAY_CHANGE = re.compile(r"\[\[|\(\(|\{\{|%%|\^|\[!|::")
_EMBED = re.compile(r"!\[\[[^\[\]\n]*\]\]")
_LINK = re.compile(r"#?\[\[(?P<page>[^\[\]|\n]+)(?:\|(?P<label>[^\[\]\n]*))?\]\](?!\()")
_BLOCK = re.compile(r"\(\([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\)\)")
_LABELLED_BLOCK = re.compile(rf"\[([^\[\]\n]*)\]\({_BLOCK.pattern}\)")
_MACRO = re.compile(r"\{\{(?:embed|query|video|tweet|youtube|renderer|zotero)\b[^{}\n]*\}\}")
_COMMENT = re.compile(r"%%[^%\n]*%%")
_BLOCK_ID = re.compile(r"(?:(?<=\s)|^)\^[A-Za-z0-9-]{4,40}\s*$")
_CALLOUT = re.compile(r"^(\s*>\s*)\[![\w-]+\][+-]?[ \t]*")
_INLINE_FIELD = re.compile(r"\[([A-Za-z][\w -]{0,40})::[ \t]*([^\[\]\n]*)\]")
_PROPERTY = re.compile(r"(?P<lead>\s*(?:[-*] )?)(?P<key>[A-Za-z][\w.-]{0,40})::(?:[ \t]+(?P<value>.*)|$)")
_OF_PROGRAM = re.compile(
    r"id|collapsed|created-at|updated-at|heading|background-color|public|icon|exclude-from-graph-view|card-.*|"
    r"query-.*|logseq\..*|ls-type|hl-.*|file|file-path|template-including-parent"
)
"""Internal properties of Logseq; all others are written by the user."""
_OF_NOTE = frozenset({"title", *METADATA_KEYS})
"""Properties at the head of a note that are read like front matter."""
_CLOCKED = re.compile(r"\s*(?::LOGBOOK:|CLOCK: .*|:END:)\s*")
_TEMPLATE = re.compile(r"\s*(?:[-*] )?template:: ")
_BULLET = re.compile(r"(\s*)[-*](?:\s|$)")
_TAGS = re.compile(r"\s*(?:[-*] )?(?:#[^\s#]+[ \t]*)+")
_ASIDE = frozenset({("logseq", "bak"), ("logseq", "version-files")})
_PLACEHOLDER = re.compile(r"\{\{ ?(?:date|time|title)\b[^{}\n]*\}\}|<%[^%]{1,400}%>")
_TEMPLATES = re.compile(r"[^a-z]*templates?[^a-z]*")


@dataclass(slots=True)
class Note:
    """The text and properties of a note."""

    text: str
    properties: Mapping[str, str] = field(default_factory=dict)
    """Properties of Logseq at its head, by lower-case name."""


def is_aside(source: SourceFile) -> bool:
    """Whether a file is a backup of a note by Logseq."""
    parts = source.id.split("/")
    return any(pair in _ASIDE for pair in pairwise(parts))


def is_template(source: SourceFile, content: str) -> bool:
    """Whether a note is a template: in a folder of templates, with placeholders."""
    folders = source.id.split("/")[:-1]
    named = any(_TEMPLATES.fullmatch(folder.lower()) for folder in folders)
    return named and _PLACEHOLDER.search(content) is not None


def page_name(stem: str) -> str:
    """The title of a note from its file name, in which Logseq escapes "/" and other characters."""
    return unquote(stem.replace("___", "/")) if "___" in stem or "%2F" in stem else stem


def read_note(body: str) -> Note:
    """The note without syntax of the program: link targets, ids, embeds, templates, comments."""
    properties: dict[str, str] = {}
    lines = list(_lines(body, properties))
    return Note("\n".join(lines), properties)


def _lines(body: str, properties: dict[str, str]) -> Iterator[str]:
    fence, at_head = "", True
    for line in _without_templates(body.split("\n")):
        fenced = _FENCE.match(line)
        if fence or fenced:
            if fenced and not fence:
                fence = fenced[1]
            elif fenced and fenced[1].startswith(fence):
                fence = ""
            at_head = False
            yield line
            continue
        stated = _PROPERTY.fullmatch(line)
        key = stated["key"].lower() if stated else ""
        if stated and at_head:
            properties.setdefault(key, _bare(stated["value"] or "").strip())
        if _OF_PROGRAM.fullmatch(key) or (at_head and key in _OF_NOTE) or _CLOCKED.fullmatch(line):
            continue
        at_head = at_head and (stated is not None or not line.strip())
        told = f"{stated['lead']}{stated['key']}: {stated['value'] or ''}" if stated else line
        bare = _bare(told)
        if line.strip() and bare.strip() in {"", "-", "*"}:
            continue  # the line had nothing but removed syntax
        yield bare
        if _TAGS.fullmatch(bare):
            yield ""  # tags do not belong to the sentence below


def _without_templates(lines: Sequence[str]) -> Iterator[str]:
    """The lines without template blocks of Logseq and the blocks below them."""
    heads = {_head_of(lines, number) for number, line in enumerate(lines) if _TEMPLATE.match(line)}
    depth = None
    for number, line in enumerate(lines):
        bullet = _BULLET.match(line)
        if bullet and depth is not None and len(bullet[1]) <= depth:
            depth = None
        if bullet and depth is None and number in heads:
            depth = len(bullet[1])
        if depth is None:
            yield line


def _head_of(lines: Sequence[str], number: int) -> int:
    """The number of the line with the bullet of the block that contains a property."""
    while number > 0 and not _BULLET.match(lines[number]) and _PROPERTY.fullmatch(lines[number]):
        number -= 1
    return number


def _bare(line: str) -> str:
    """A line as the program displays it; code stays unchanged."""
    if not _MAY_CHANGE.search(line):
        return line
    pieces = _CODE.split(_BLOCK_ID.sub("", _CALLOUT.sub(r"\1", line)))
    return "".join(piece if number % 2 else _read(piece) for number, piece in enumerate(pieces)).rstrip()


def _read(piece: str) -> str:
    for pattern in (_EMBED, _MACRO, _COMMENT):
        piece = pattern.sub("", piece)
    piece = _BLOCK.sub("", _LABELLED_BLOCK.sub(r"\1", piece))
    return _INLINE_FIELD.sub(r"\1: \2", _LINK.sub(_label, piece))


def _label(link: re.Match[str]) -> str:
    """The text of a link: its label, else the note and its heading."""
    page = link["page"].partition("#^")[0].replace("#", " ").strip()
    return (link["label"] or "").strip() or page
