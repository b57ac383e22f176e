"""Web pages: main text without navigation, headings, title, day of publication. Also XML parsing."""

import codecs
import html
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from timelens.documents import Mark
from timelens.errors import BadInputError
from timelens.ingest.reader_tools import require_at_most
from timelens.ingest.text_tables import Cell, TextTable, grid

if TYPE_CHECKING:
    from lxml.etree import _Element

    Element: TypeAlias = _Element

_LARGEST = 64 * 2**20  # bytes of a file
_CHARSET_WITHIN = 4096  # bytes
_CHARSET = re.compile(
    rb"""(?:<meta\b[^>]*?charset|<\?xml\b[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_READ_AS = {
    "gbk": "gb18030",
    "utf-16le": "utf-8",  # had the file been UTF-16, the declaration could not have been read
    "utf-16be": "utf-8",
    "x-user-defined": "cp1252",
}
"""What browsers read in place of an encoding that a page declares: WHATWG Encoding, and HTML 13.2.3.2."""
_UNREAD = "replacement"
"""The name of what browsers refuse to read."""
_MOST_UNREADABLE = 0.01  # share of the letters

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | frozenset(
    """address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure
    footer form header hgroup hr html legend li main ol p pre section summary table tbody tfoot thead tr
    ul""".split()
)
_NOT_READ = frozenset(
    """applet area aside audio button canvas datalist dialog embed footer frame frameset head iframe input
    link map math menu meta nav noscript object option script select style svg template textarea title
    video""".split()
)
_ROLES_NOT_READ = frozenset(
    {"banner", "complementary", "contentinfo", "dialog", "menu", "navigation", "search"}
)

_META_FIRST = ("article:published_time",)
_META_THEN = """
    og:published_time datepublished citation_publication_date citation_date citation_online_date
    dc.date.issued dcterms.issued dc.date dcterms.date dc.date.created dcterms.created date pubdate
    publishdate publish-date publish_date publication_date parsely-pub-date sailthru.date
    """.split()
_LINKED_DATA_BELOW = ("@graph", "mainEntity", "mainEntityOfPage")
_TOPS, _TOP_LINES = 5, 20  # elements and lines at the top of a page that may state its day
_BYLINE = 200  # characters of text that may precede the <time> that dates the page


@dataclass(frozen=True, slots=True)
class Page:
    """A web page as read."""

    title: str
    """Title stated in the page; may be empty."""
    text: str
    headings: tuple[Mark, ...]
    dates: tuple[tuple[str, str], ...]
    """(source, value) of each stated day of publication, most reliable first."""
    header: tuple[str, ...] = ()
    """The first lines at the top of the page above its text: name of the paper, day of issue."""
    tables: tuple[TextTable, ...] = ()
    """The tables in the text that contain no other table."""


def read_page(content: str, *, own_words: bool = False) -> Page:
    """Read HTML: paragraphs, list items, rows and headings, separated by blank lines.

    The text is that of ``main``, else of the only ``article``, else of the whole body. Navigation, form
    controls, scripts and hidden elements are left out; with ``own_words`` (HTML of a message), quotations of
    earlier messages, too.

    Raises:
        BadInputError: the tags are nested too deep.
    """
    root = _parsed(content)
    if root is None:
        return Page("", "", (), ())
    skips = _is_not_own if own_words else _is_not_read
    collections = (_collect(part, skips) for part in _parts(root))
    collected = next((found for found in collections if found.blocks), _Collected())
    meta = _meta(root)
    dates = (
        *((f"meta {name}", meta[name]) for name in _META_FIRST if name in meta),
        *(("JSON-LD datePublished", date) for date in _linked_dates(root)),
        *((f"meta {name}", meta[name]) for name in _META_THEN if name in meta),
        *(("time element", date) for date in (*_marked_dates(root), *collected.times)),
    )
    first_heading = next((text for text, is_heading in collected.blocks if is_heading), "")
    title = (
        _line(root.xpath("string(//title[not(ancestor::svg)])")) or meta.get("og:title", "") or first_heading
    )
    text, headings, starts = _joined(collected.blocks)
    return Page(
        title,
        text,
        headings,
        dates,
        tuple(_header_lines(root, {text for text, _ in collected.blocks})),
        tuple(_tables(collected, starts, skips)),
    )


def _header_lines(root: "Element", read: Collection[str]) -> Iterator[str]:
    """The lines of the headers of the page and of its main heading, without those that were read as text."""
    tops = root.xpath("//*[self::header or @role='banner' or self::h1][not(ancestor::aside)]")
    blocks = (text for top in tops[:_TOPS] for text, _ in _collect(top, _is_not_read).blocks)
    yield from islice(
        (line for block in blocks if block not in read for line in block.split("\n")), _TOP_LINES
    )


def read_xml(raw: bytes) -> "Element":
    """The root of an XML file; entities are not resolved, and nothing outside the file is read.

    Raises:
        BadInputError: the file is too large, not well-formed, or nested too deep.
    """
    require_at_most(len(raw), _LARGEST, "split it")
    try:
        return xml_root(raw.lstrip())
    except SyntaxError as error:
        said = " ".join(str(error.msg).split())[:120]
        raise BadInputError(
            f"it is not well-formed XML: {said}", "save it again; it may be cut off"
        ) from error


def xml_root(raw: bytes) -> "Element":
    """The root of XML of any size, as :func:`read_xml`.

    Raises:
        SyntaxError: the XML is not well-formed, or nested too deep.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    return etree.fromstring(raw, parser)


def as_html(element: "Element") -> str:
    """The content of an XML element as HTML."""
    from lxml import etree

    below = (etree.tostring(child, encoding="unicode", method="html") for child in element)
    return html.escape(element.text or "") + "".join(below)


def decode_page(raw: bytes) -> str:
    """The file as text. Charset: byte order mark, else the declared one, else UTF-8, else Windows-1252.

    Raises:
        BadInputError: the file is too large, binary, or not in its declared charset.
    """
    require_at_most(len(raw), _LARGEST, "split it, or save it as text")
    charset, start = _charset(raw)
    content = raw[start:].decode(charset, errors="replace")
    if "\0" in content:
        raise BadInputError("it is binary", "ingest text files")
    if content.count("\ufffd") > _MOST_UNREADABLE * len(content):
        raise BadInputError(f"it is not text in its charset, {charset}", "save it as UTF-8")
    return content


def _charset(raw: bytes) -> tuple[str, int]:
    """The charset, and the number of bytes of its byte order mark."""
    import webencodings

    for mark, charset in _MARKS:
        if raw.startswith(mark):
            return charset, len(mark)
    declared = _CHARSET.search(raw[:_CHARSET_WITHIN])
    if declared:
        encoding = webencodings.lookup(declared[1].decode())
        if encoding is not None and encoding.name != _UNREAD:
            return _READ_AS.get(encoding.name, encoding.codec_info.name), 0
    try:
        raw.decode()
    except UnicodeDecodeError:
        return "cp1252", 0
    return "utf-8", 0


def _parsed(content: str) -> "Element | None":
    from lxml import etree

    # The limit of nesting is 2048 for "huge" trees, else 256, which old pages with unclosed tags exceed.
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    root = etree.fromstring(content.encode(errors="replace"), parser)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise BadInputError("its tags are nested too deep", "save it as text")
    return root


def _parts(root: "Element") -> Iterator["Element"]:
    """Elements that may contain the main text, from narrow to wide."""
    yield from root.xpath("//main | //*[@role='main']")
    articles = root.xpath("//article[not(ancestor::article)]")
    if len(articles) == 1:
        yield articles[0]
    yield from root.iterfind("body")
    yield root


@dataclass(slots=True)
class _Collected:
    """The text collected from a part of a page, in order."""

    blocks: list[tuple[str, bool]] = field(default_factory=list)
    """(text, whether it is a heading)"""
    times: list[str] = field(default_factory=list)
    """Values of ``<time>`` elements near the top."""
    pieces: list[str] = field(default_factory=list)
    """Pieces of the current block."""
    letters: int = 0
    """Number of characters so far, without headings."""
    begun: bool = False
    """Whether the current block has any text yet."""
    tables: "list[tuple[Element, int, int]]" = field(default_factory=list)
    """The tables, each with the indexes of its first block and of the one behind it."""
    open_tables: list[int] = field(default_factory=list)
    """The index of the first block of each table that has not ended, outermost first."""

    def note_table(self, table: "Element", *, begins: bool) -> None:
        """Note that a table begins or ends with the next block."""
        if begins:
            self.open_tables.append(len(self.blocks))
        else:
            self.tables.append((table, self.open_tables.pop(), len(self.blocks)))

    def add(self, text: str, *, heading: bool) -> None:
        self.pieces.append(text)
        self.letters += 0 if heading else len(text)
        self.begun = self.begun or not text.isspace()

    def end_block(self, *, heading: bool) -> None:
        lines = (" ".join(line.split()) for line in "".join(self.pieces).split("\n"))
        text = "\n".join(line for line in lines if line)
        self.pieces.clear()
        self.begun = False
        if text:
            self.blocks.append((text, heading))


def _collect(part: "Element", skips: "Callable[[str, Element], bool]") -> _Collected:
    from lxml import etree

    found = _Collected()
    headings = preformatted = 0
    walk = etree.iterwalk(part, events=("start", "end"))
    for event, element in walk:
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start" and skips(tag, element) and element is not part:
            walk.skip_subtree()
            continue
        if tag in _BLOCKS:
            found.end_block(heading=headings > 0)
        if tag == "table":
            found.note_table(element, begins=event == "start")
        step = 1 if event == "start" else -1
        headings += step * (tag in _HEADINGS)
        preformatted += step * (tag == "pre")
        if event == "start":
            if tag == "br":
                found.pieces.append("\n")
            elif tag in {"td", "th"} and found.begun:
                found.pieces.append(" | ")
            elif tag == "time" and found.letters < _BYLINE and element.get("datetime"):
                found.times.append(element.get("datetime"))
        text = element.text if event == "start" else element.tail if element is not part else None
        if text:
            found.add(text if preformatted else re.sub(r"\s+", " ", text), heading=headings > 0)
    found.end_block(heading=False)
    return found


def _is_not_read(tag: str, element: "Element") -> bool:
    return (
        tag in _NOT_READ
        or element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or element.get("role") in _ROLES_NOT_READ
    )


def _is_not_own(tag: str, element: "Element") -> bool:
    """Whether an element is skipped in a message, because it is a quotation or not read anyway."""
    classes = (element.get("class") or "").split()
    quotes = tag == "blockquote" and (element.get("type") == "cite" or "gmail_quote" in classes)
    return quotes or "yahoo_quoted" in classes or _is_not_read(tag, element)


def _joined(blocks: Sequence[tuple[str, bool]]) -> tuple[str, tuple[Mark, ...], list[int]]:
    """The text of blocks, its headings, and the offset of each block and of the end of the text."""
    headings = []
    starts = [0]
    for text, is_heading in blocks:
        if is_heading:
            headings.append(Mark(starts[-1], _line(text)))
        starts.append(starts[-1] + len(text) + 2)
    return "\n\n".join(text for text, _ in blocks), tuple(headings), starts


def _tables(
    collected: _Collected, starts: Sequence[int], skips: "Callable[[str, Element], bool]"
) -> Iterator[TextTable]:
    """The tables that were collected, without those that contain others."""
    for table, first, last in collected.tables:
        if next(table.iterfind(".//table"), None) is not None:
            continue
        above = (text for text, is_heading in reversed(collected.blocks[:first]) if is_heading)
        heading = _line(table.xpath("string(caption)")) or _line(next(above, ""))
        rows = (_cells(row, skips) for row in table.iter("tr") if not skips("tr", row))
        yield TextTable(heading, starts[first], starts[last], grid(rows))


def _cells(row: "Element", skips: "Callable[[str, Element], bool]") -> list[Cell]:
    """The cells of a row of a table."""
    cells = []
    for cell in row.iterchildren("td", "th"):
        text = "" if skips("td", cell) else _line(" ".join(text for text, _ in _collect(cell, skips).blocks))
        cells.append(Cell(text, *(_span(cell.get(name)) for name in ("colspan", "rowspan"))))
    return cells


def _span(stated: str | None) -> int:
    """A stated number of columns or rows; one if there is none."""
    return int(stated) if stated is not None and re.fullmatch(r"[1-9]\d{0,3}", stated) else 1


def _meta(root: "Element") -> dict[str, str]:
    """Contents of ``<meta>`` elements by lower-case name; the first of each name is used."""
    stated: dict[str, str] = {}
    for element in root.iter("meta"):
        content = _line(element.get("content"))
        for key in ("property", "name", "itemprop"):
            name = (element.get(key) or "").strip().lower()
            if name and content:
                stated.setdefault(name, content)
    return stated


def _marked_dates(root: "Element") -> list[str]:
    """Days of publication in elements marked as such."""
    marked = root.xpath("//*[@itemprop='datePublished' or (self::time and @pubdate)]")
    stated = (element.get("datetime") or element.get("content") for element in marked)
    return [date for date in stated if date]


def _linked_dates(root: "Element") -> list[str]:
    """Days of publication of the page in JSON-LD, without those of comments and reviews."""
    dates = []
    for script in root.iter("script"):
        if (script.get("type") or "").strip().lower() != "application/ld+json":
            continue
        try:
            waiting: list[Any] = [json.loads(script.text or "")]
        except (ValueError, RecursionError):
            continue  # a broken script does not affect the page
        for item in waiting:
            if isinstance(item, list):
                waiting.extend(item)
            elif isinstance(item, Mapping):
                dates.append(item.get("datePublished"))
                waiting.extend(item[key] for key in _LINKED_DATA_BELOW if key in item)
    return [date for date in dates if isinstance(date, str) and date.strip()]


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
