"""PDF files for tests: each page is a list of lines."""

import io
from collections.abc import Mapping, Sequence

from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject


def make_pdf(
    pages: Sequence[Sequence[str]],
    information: Mapping[str, str] | None = None,
    password: str | None = None,
    owner_password: str | None = None,
    algorithm: str = "RC4-128",
) -> bytes:
    """A PDF with a text layer in Helvetica."""
    writer = PdfWriter()
    for lines in pages:
        shown = "".join(f"({escaped(line)}) Tj T* " for line in lines)
        add_page(writer, f"BT /F1 12 Tf 14 TL 50 800 Td {shown}ET".encode("cp1252"))
    writer.add_metadata({"/Producer": "test", **(information or {})})
    if password is not None:
        writer.encrypt(password, owner_password, algorithm=algorithm)
    return written(writer)


def add_page(writer: PdfWriter, content: bytes) -> None:
    """A page that draws some operations."""
    page = writer.add_blank_page(595, 842)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
            NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
        }
    )
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
    )
    stream = StreamObject()
    stream.set_data(content)
    page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())


def written(writer: PdfWriter) -> bytes:
    """As the file's bytes."""
    target = io.BytesIO()
    writer.write(target)
    writer.close()
    return target.getvalue()


def escaped(line: str) -> str:
    """A line as it stands in a PDF between brackets."""
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
