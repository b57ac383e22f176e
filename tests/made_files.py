"""Files of office programs, mail and calendars, made by hand as these programs make them."""

import base64
import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PROPERTIES = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_KIND = "openxmlformats-officedocument"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

Paragraph = tuple[str, str]
"""(style, text); the style is empty, or Heading1 to Heading3."""


def zipped(members: Mapping[str, str | bytes], first: tuple[str, str] | None = None) -> bytes:
    """A zip file; the first member, where one is given, is stored as it is."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        if first:
            archive.writestr(zipfile.ZipInfo(first[0]), first[1])
        for name, said in members.items():
            archive.writestr(name, said)
    return content.getvalue()


def _related(targets: Iterable[tuple[str, str]]) -> str:
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}">{relations}</Relationships>'


def _core(title: str, created: str, modified: str) -> str:
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_PROPERTIES}"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(title)}</dc:title>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{created}</dcterms:created>'
        f'<dcterms:modified xsi:type="dcterms:W3CDTF">{modified}</dcterms:modified></cp:coreProperties>'
    )


def _types(overrides: Mapping[str, str]) -> str:
    stated = "".join(
        f'<Override PartName="/{part}" ContentType="application/vnd.{_KIND}.{kind}+xml"/>'
        for part, kind in overrides.items()
    )
    return (
        f'{_HEAD}<Types xmlns="{_TYPES}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{stated}</Types>'
    )


def word_paragraph(style: str, text: str) -> str:
    """A paragraph as Word writes it."""
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{styled}<w:r><w:t xml:space="preserve">{escape(text, quote=False)}</w:t></w:r></w:p>'


def make_docx(
    paragraphs: Iterable[Paragraph],
    *,
    title: str = "",
    created: str = "",
    modified: str = "",
    body: str = "",
    parts: Mapping[str, str] | None = None,
) -> bytes:
    """A Word document; ``body`` is added to it as it is, as are further parts."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in (1, 2, 3)
    )
    own = '<w:style w:type="paragraph" w:styleId="Own"><w:basedOn w:val="Heading2"/></w:style>'
    said = "".join(word_paragraph(style, text) for style, text in paragraphs) + body
    return zipped(
        {
            "[Content_Types].xml": _types(
                {
                    "word/document.xml": "wordprocessingml.document.main",
                    "word/styles.xml": "wordprocessingml.styles",
                }
            ),
            "_rels/.rels": _related([("officeDocument", "word/document.xml")]),
            "docProps/core.xml": _core(title, created, modified),
            "word/_rels/document.xml.rels": _related([("styles", "styles.xml")]),
            "word/styles.xml": f'{_HEAD}<w:styles xmlns:w="{_WORD}">{styles}{own}</w:styles>',
            "word/document.xml": f'{_HEAD}<w:document xmlns:w="{_WORD}"><w:body>{said}</w:body></w:document>',
            **(parts or {}),
        }
    )


def make_pptx(
    slides: Sequence[tuple[str, Sequence[str]]],
    *,
    title: str = "",
    created: str = "",
    modified: str = "",
    drawn: str = "",
) -> bytes:
    """A PowerPoint presentation of slides, each a title and lines; ``drawn`` is added to each as it is."""
    spaces = (
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        f'xmlns:r="{_OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    )

    def shape(kind: str, lines: Iterable[str]) -> str:
        said = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in lines)
        return (
            f"<p:sp><p:nvSpPr><p:nvPr><p:ph {kind}/></p:nvPr></p:nvSpPr>"
            f"<p:txBody><a:bodyPr/>{said}</p:txBody></p:sp>"
        )

    listed = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in range(1, len(slides) + 1))
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _types({"ppt/presentation.xml": "presentationml.presentation.main"}),
        "_rels/.rels": _related([("officeDocument", "ppt/presentation.xml")]),
        "docProps/core.xml": _core(title, created, modified),
        "ppt/presentation.xml": (
            f"{_HEAD}<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
        ),
        "ppt/_rels/presentation.xml.rels": _related(
            ("slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)
        ),
    }
    for number, (head, lines) in enumerate(slides, start=1):
        said = shape('type="title"', [head]) + shape('idx="1"', lines) + shape('type="sldNum"', [str(number)])
        parts[f"ppt/slides/slide{number}.xml"] = (
            f"{_HEAD}<p:sld {spaces}><p:cSld><p:spTree>{said}{drawn}</p:spTree></p:cSld></p:sld>"
        )
    return zipped(parts)


_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "meta": "meta",
        "presentation": "presentation",
    }.items()
)


def make_odf(
    body: str, *, kind: str = "text", title: str = "", created: str = "", modified: str = ""
) -> bytes:
    """An OpenDocument file; ``body`` is what stands in its ``office:text``, or what ``kind`` says."""
    return zipped(
        {
            "content.xml": (
                f"{_HEAD}<office:document-content {_ODF}><office:body><office:{kind}>{body}</office:{kind}>"
                "</office:body></office:document-content>"
            ),
            "meta.xml": (
                f'{_HEAD}<office:document-meta {_ODF} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
                f"<dc:title>{escape(title)}</dc:title><meta:creation-date>{created}</meta:creation-date>"
                f"<dc:date>{modified}</dc:date></office:meta></office:document-meta>"
            ),
            "META-INF/manifest.xml": (f'{_HEAD}<manifest:manifest xmlns:manifest="{_MANIFEST}"/>'),
        },
        ("mimetype", f"application/vnd.oasis.opendocument.{kind}"),
    )


def make_odt(
    paragraphs: Iterable[Paragraph], *, title: str = "", created: str = "", modified: str = ""
) -> bytes:
    """An OpenDocument text."""
    body = "".join(
        f'<text:h text:outline-level="{style[-1]}">{escape(text)}</text:h>'
        if style
        else f"<text:p>{escape(text)}</text:p>"
        for style, text in paragraphs
    )
    return make_odf(body, title=title, created=created, modified=modified)


def make_epub(
    chapters: Sequence[str],
    *,
    title: str = "",
    dates: str = "",
    parts: Mapping[str, str] | None = None,
) -> bytes:
    """An e-book; a chapter is what stands in its body, and ``dates`` are elements of its metadata."""
    items = "".join(
        f'<item id="c{n}" href="text/c%20{n}.xhtml" media-type="application/xhtml+xml"/>'
        for n in range(len(chapters))
    )
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    members: dict[str, str | bytes] = {
        "META-INF/container.xml": (
            f'{_HEAD}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
        ),
        "OEBPS/book.opf": (
            f'{_HEAD}<package xmlns="http://www.idpf.org/2007/opf" xmlns:opf="http://www.idpf.org/2007/opf" '
            'version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:title>{escape(title)}</dc:title>{dates}</metadata>"
            f"<manifest>{items}</manifest><spine>{order}</spine></package>"
        ),
        **(parts or {}),
    }
    for number, chapter in enumerate(chapters):
        members[f"OEBPS/text/c {number}.xhtml"] = (
            f'{_HEAD}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head>'
            f"<body>{chapter}</body></html>"
        )
    return zipped(members, ("mimetype", "application/epub+zip"))


def make_rtf(text: str, *, info: str = "") -> bytes:
    """A rich text file of RTF as it is written."""
    fonts = r"{\fonttbl{\f0 Times;}{\f1\fcharset204 Times Cyr;}}"
    return rf"{{\rtf1\ansi\ansicpg1252\deff0{fonts}{{\info {info}}}{text}}}".encode("cp1252")


def rtf_text(text: str) -> str:
    """Text as RTF."""
    signs = {"\\": r"\\", "{": r"\{", "}": r"\}", "\n": "\\line\n"}
    units = [ord(sign) for sign in text]
    return "".join(
        signs.get(sign, sign) if code < 128 else "".join(rf"\u{unit}?" for unit in _units(code))
        for sign, code in zip(text, units, strict=True)
    )


def _units(code: int) -> list[int]:
    """The 16-bit units of a sign, signed, as RTF wants them."""
    raw = chr(code).encode("utf-16-le")
    return [int.from_bytes(raw[at : at + 2], "little", signed=True) for at in range(0, len(raw), 2)]


def cell(place: str, value: str | float, style: int = 0) -> str:
    """A cell of a sheet; style 1 shows a number as a day, 2 as a day and an hour."""
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}" s="{style}"><v>{value}</v></c>'


def row(number: int, *cells: str) -> str:
    """A row of a sheet."""
    return f'<row r="{number}">{"".join(cells)}</row>'


def make_xlsx(sheets: Mapping[str, str], *, hidden: Iterable[str] = (), merged: Iterable[str] = ()) -> bytes:
    """A workbook of sheets, each as its rows; cells are joined in the first one."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    left_out, states = set(hidden), ("visible", "hidden")
    named = "".join(
        f'<sheet name="{name}" sheetId="{n}" state="{states[name in left_out]}" r:id="rId{n}"/>'
        for n, name in enumerate(sheets, start=1)
    )
    joined = "".join(f'<mergeCell ref="{area}"/>' for area in merged)
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _types({"xl/workbook.xml": "spreadsheetml.sheet.main"}),
        "_rels/.rels": _related([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": (
            f'{_HEAD}<workbook xmlns="{main}" xmlns:r="{_OFFICE}"><sheets>{named}</sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": _related(
            [
                *(("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)),
                ("styles", "styles.xml"),
            ]
        ),
        "xl/styles.xml": (
            f'{_HEAD}<styleSheet xmlns="{main}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/>'
            '<xf numFmtId="22"/></cellXfs></styleSheet>'
        ),
    }
    for number, rows in enumerate(sheets.values(), start=1):
        areas = f"<mergeCells>{joined}</mergeCells>" if joined and number == 1 else ""
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'{_HEAD}<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>{areas}</worksheet>'
        )
    return zipped(parts)


def make_ics(*events: str, head: str = "") -> bytes:
    """A calendar; an event is its lines."""
    said = "".join(f"BEGIN:VEVENT\n{event.strip()}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n{head}{said}END:VCALENDAR\n".replace(
        "\n", "\r\n"
    ).encode()


def made_xls() -> bytes:
    """A workbook of Excel 97, written by xlwt 1.3.

    Its sheets: Offices (office, holder, start and end of two mayors, with days as days), Hidden, which is
    hidden, and Joined, in which one cell stands beside two rows.
    """
    return zlib.decompress(base64.b85decode(_XLS))


_XLS = (
    b"c-rk)O-NKx6h8OOzxgvx8fYMcpq1$&+O*M0F^y`>+Vn$E<GiO1%6svg7PctMW*G#niZ+5RYGJkMhkmGCL}1h+Faj-FwF(Mas"
    b"IPO*yU%891P9ERc;E2Oz4zR6&b#-XbMC$K-b`1{PTZ@VgJoy~4=h?C@MrM^J|U+O2JE*isyby5AIn8iArwSM`hD=Y>~(;ANd"
    b"BG!1@3xZAO-k@&j~mUJ%+AD*AX2&hJ>Iov<g4Qo`Mm118F(b@W>)elT0@<y~EN^nC@oIWu~ntJ1dUEbgZXomyG12N<H_LBNg"
    b"y~b!M2e1FGRAMe_M8!j|<xyO~N17g<N0w-hD;o!YJGnn~>nxCtcy#}F;?cuQyJEL5SxC*g+`1^Dh{_VcLAUthie<p0d&2Ug$"
    b"*(TU6XR~0Y77+9wS1#<=}VAM-J0XW#-pGs;Y8I1FcpMt{=dsC{a>BRXUGk%|u(lvD+2A~w%8|+=cU`?zH8pEn)`T$1K2{Y{h"
    b"&~z1B@x-WM;*Q_0CZY#Yx{9_sjA&P4cnEbyw4|w}QL4u<(}Tz`wSknOBO_^?(bFY#knqM6&e?d%I2lWksyGL#S8_^*an|#<z"
    b"P*k2^~O#zXN(UU`$%e_*@FcaNCTD2xyQqldYV{cJJXA7bu-s%nO0%GVA<GPEh}B)EOUu_8}U6m8Si3Svg%v0p80y{VO{2PY#"
    b"Y|6y64VTO}&pzKs_FjD(cg39GXS5xPFcBDCU$xZe1Ul*8H)J1(mQIyCu)v3Rs}TMN~4iTeLc2sinxZvRfW(d893o$ChAQUMV"
    b"lw7J3Js;@D`bjlgX|^i>0GyJSVlV@1iaV*AT4ttjB=M_^_@S!q)uaGz9gbN-F>hy}4ki!~NR-dLc;;#Gxzv8r~4DMh-fg2$d"
    b"OD`?*56elanrM$9C{u#<CG9yXaUdu?9&y>7A3+3c5m0x5AD)z;DMSr?*;lhOr7i$I~k8qE?Ec@g|At1l&Ea0=~ekS>EaTpBz"
    b"rST8t9?-EgVYHz5*#th}*b=MMalRK4j^Nu(7=k_?$56rXix)kSJ)c!8hSx5I3Vr`#A>;hZ@BamvEmFe"
)
