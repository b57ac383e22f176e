"""Rich text (RTF): paragraphs, title, and days of creation and modification."""

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from timelens.documents import Document
from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.reader_tools import (
    CREATED,
    MODIFIED,
    date_of_file,
    make_document,
    read_bytes,
    require_at_most,
)
from timelens.ingest.sources import SourceFile

_LARGEST = 128 * 2**20  # bytes of a file
_DEEPEST = 10_000  # levels of nested groups
_TOKEN = re.compile(
    r"\\([A-Za-z]{1,32})(-?[0-9]{1,9})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)"
)
_BINARY = re.compile(rb"\\bin(\d{1,9}) ?")
_SIGNS = {
    "par": "\n\n",
    "sect": "\n\n",
    "page": "\n\n",
    "row": "\n\n",
    "line": "\n",
    "cell": " | ",
    "tab": "\t",
    "emdash": "—",
    "endash": "–",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
}
_ESCAPED = {"~": " ", "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n\n", "\r": "\n\n"}
_NOT_READ = frozenset(
    """colortbl stylesheet listtable listoverridetable rsidtbl revtbl filetbl generator themedata
    colorschememapping latentstyles datastore pict object objdata header headerl headerr headerf footer
    footerl footerr footerf annotation atnid atnauthor fldinst pntext listtext bkmkstart bkmkend xmlnstbl
    mmathPr nonshppict deleted""".split()
)
# For each destination: the parts in which it may occur, and the part that its group belongs to.
_DESTINATIONS = {
    "info": ({"text"}, "info"),
    "title": ({"info"}, "title"),
    "creatim": ({"info"}, "creatim"),
    "revtim": ({"info"}, "revtim"),
    "fonttbl": ({"text"}, "fonttbl"),
    "footnote": ({"text"}, "note"),
}
_CHARSETS = {
    "77": "mac-roman", "128": "cp932", "129": "cp949", "134": "gb18030", "136": "big5hkscs", "161": "cp1253",
    "162": "cp1254", "163": "cp1258", "177": "cp1255", "178": "cp1256", "186": "cp1257", "204": "cp1251",
    "222": "cp874", "238": "cp1250",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Group:
    """State that applies until the brace that closes a group."""

    part: str = "text"
    """Name of the part that the group belongs to; "" if it is not read."""
    charset: str = "cp1252"
    skipped: int = 1
    """Number of fallback characters after a Unicode character, for programs without Unicode."""
    font: str = ""


@dataclass(slots=True)
class _Rtf:
    """Parsed content, and the state of the parser."""

    parts: dict[str, list[str]] = field(default_factory=lambda: {"text": [], "title": [], "note": []})
    stamps: dict[str, dict[str, int]] = field(default_factory=dict)
    """Numbers of year, month and day, by the dated action (creation or revision)."""
    fonts: dict[str, str] = field(default_factory=dict)
    """Charsets of fonts by their numbers."""
    charset: str = "cp1252"
    """Charset of fonts without one."""
    group: _Group = _Group()
    outer: list[_Group] = field(default_factory=list)
    to_skip: int = 0
    """Fallback characters still to skip."""
    coded: bytearray = field(default_factory=bytearray)
    """Consecutive encoded bytes; a character may have several."""

    def put(self, text: str) -> None:
        """Append text to the current part."""
        if self.group.part in self.parts:
            self.parts[self.group.part].append(text)

    def take_brace(self, brace: str) -> None:
        """Begin or end a group."""
        self.to_skip = 0
        if brace == "{":
            if len(self.outer) >= _DEEPEST:
                raise BadInputError("its groups are nested too deep", "save it again, or save its text")
            self.outer.append(self.group)
        else:
            self.group = self.outer.pop()

    def take_code(self, code: str) -> None:
        """Take an encoded byte, given in hexadecimal."""
        if self.to_skip:
            self.to_skip -= 1
        else:
            self.coded.append(int(code, 16))

    def end_codes(self) -> None:
        """Decode the consecutive encoded bytes."""
        if self.coded:
            self.put(self.coded.decode(self.group.charset, "replace"))
            self.coded.clear()

    def take_escaped(self, sign: str) -> None:
        """Take a control symbol; a star marks a destination that may be skipped if unknown."""
        self.put(_ESCAPED.get(sign, ""))
        if sign == "*":
            self.group = replace(self.group, part="")

    def take_plain(self, text: str) -> None:
        """Take plain text."""
        skipped = min(self.to_skip, len(text))
        self.to_skip -= skipped
        self.put(text[skipped:].encode("latin-1").decode(self.group.charset, "replace"))

    def take_word(self, word: str, number: str | None) -> None:
        """Take a control word."""
        self.to_skip = 0
        if word in _NOT_READ:
            self.group = replace(self.group, part="")
        elif word in _DESTINATIONS:
            inside, part = _DESTINATIONS[word]
            self.group = replace(self.group, part=part if self.group.part in inside else "")
            self.put("\n\n" if part == "note" else "")
        elif word in _SIGNS:
            self.put(_SIGNS[word])
        elif number is not None:
            self._take_number(word, number)

    def _take_number(self, word: str, number: str) -> None:
        if word == "u":
            self.put(chr(int(number) % 0x10000))
            self.to_skip = self.group.skipped
        elif word == "uc":
            self.group = replace(self.group, skipped=min(max(int(number), 0), 10))
        elif word == "ansicpg":
            self.charset = _codec(f"cp{number}")
            self.group = replace(self.group, charset=self.charset)
        elif word == "f":
            self.group = replace(self.group, font=number, charset=self.fonts.get(number, self.charset))
        elif word == "fcharset" and self.group.part == "fonttbl" and number in _CHARSETS:
            self.fonts[self.group.font] = _CHARSETS[number]
        elif self.group.part in {"creatim", "revtim"}:
            self.stamps.setdefault(self.group.part, {})[word] = int(number)


def read_rtf(source: SourceFile, _: TableColumns) -> Iterator[Document | Failure]:
    """Read a rich text file; it has no pages or headings to cite."""
    raw = read_bytes(source)
    require_at_most(len(raw), _LARGEST, "split it, or save its text")
    if not raw.lstrip().startswith(b"{\\rtf"):
        raise BadInputError("it is not an RTF file", "save it again as RTF, or as text")
    read = _read(_without_binary(raw).decode("latin-1"))
    paragraphs = ("\n".join(filter(None, map(_line, part.split("\n")))) for part in _whole(read.parts))
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    if not text:
        raise BadInputError("it holds no text", "save it again, or save its text")
    created, modified = (_stamp(read.stamps.get(name)) for name in ("creatim", "revtim"))
    published, published_source, fault = date_of_file(source, (CREATED, created), (MODIFIED, modified))
    if fault:
        yield fault
    yield make_document(
        source,
        source.id,
        text,
        title=_line("".join(read.parts["title"])) or source.path.stem,
        published=published,
        published_source=published_source,
        hashed=hashlib.sha256(raw).hexdigest(),
    )


def _whole(parts: dict[str, list[str]]) -> list[str]:
    """The paragraphs, then the notes; surrogate pairs are joined."""
    text = (
        "".join((*parts["text"], *parts["note"]))
        .encode("utf-16-le", "surrogatepass")
        .decode("utf-16-le", "replace")
    )
    return text.replace("\xa0", " ").split("\n\n")


def _line(text: str) -> str:
    return " ".join(text.split()).removesuffix("|").strip()


def _stamp(numbers: dict[str, int] | None) -> str:
    if not numbers or "yr" not in numbers:
        return ""
    return f"{numbers['yr']:04}-{numbers.get('mo', 0):02}-{numbers.get('dy', 0):02}"


def _without_binary(raw: bytes) -> bytes:
    """The file without binary data, which could look like control words."""
    kept = []
    position = 0
    for found in _BINARY.finditer(raw):
        if found.start() >= position:
            kept.append(raw[position : found.start()])
            position = found.end() + int(found[1])
    return b"".join((*kept, raw[position:]))


def _read(content: str) -> _Rtf:
    """Parse all groups.

    Raises:
        BadInputError: the groups are nested too deep.
    """
    read = _Rtf()
    for found in _TOKEN.finditer(content):
        word, number, code, escaped, brace, plain = found.groups()
        if code is not None:
            read.take_code(code)
            continue
        read.end_codes()
        if brace is not None:
            read.take_brace(brace)
            if not read.outer:
                break
        elif word is not None:
            read.take_word(word, number)
        elif escaped is not None:
            read.take_escaped(escaped)
        elif plain is not None:
            read.take_plain(plain)
    read.end_codes()
    return read


def _codec(name: str) -> str:
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name
