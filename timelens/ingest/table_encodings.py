"""Text of tables that spreadsheets save in other encodings than UTF-8, where it is unambiguous."""

import codecs
import re

from timelens.errors import BadInputError
from timelens.ingest.reader_tools import read_bytes, read_text, with_unix_ends
from timelens.ingest.sources import SourceFile

_TABLE = re.compile(r"[^\n]*[,;\t|][^\n]*\n[^\n]*[,;\t|]")
_POUNDS = re.compile("£(?=\\s?\\d)")
_MOST_ACCENTED = 0.2
"""Greatest share of letters outside ASCII in Western European text; of Cyrillic text nearly all are."""


def read_table_text(source: SourceFile) -> str:
    """The file as text with Unix line ends: UTF-8, UTF-16 with its mark, or Windows-1252.

    The last only where Windows-1250 has the same letters, or for pounds of money.

    Raises:
        BadInputError: the file cannot be read, is in an unknown encoding, or is empty.
    """
    try:
        return read_text(source)
    except BadInputError:
        text = _saved_by_spreadsheet(read_bytes(source))
        if not _TABLE.match(text):
            raise
    return text


def _saved_by_spreadsheet(raw: bytes) -> str:
    """The decoded text; empty if that is not sure."""
    try:
        if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text = raw.decode("utf-16")
            return "" if "\0" in text else with_unix_ends(text)
        text, other = raw.decode("cp1252"), raw.decode("cp1250")
    except UnicodeDecodeError:
        return ""
    letters = [letter for letter in text if letter.isalpha()]
    accented = sum(not letter.isascii() for letter in letters)
    differ = any(a != b for a, b in zip(_POUNDS.sub(" ", text), other, strict=True) if a != " ")
    return "" if differ or "\0" in text or accented > _MOST_ACCENTED * len(letters) else with_unix_ends(text)
