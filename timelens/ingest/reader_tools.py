"""Functions shared by readers: a file as text, its date, and the document made from it."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from timelens.documents import Document, Fact, Mark, Part
from timelens.errors import BadInputError
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.metadata_dates import METADATA_KEYS, parse_date, parse_stamp
from timelens.ingest.sources import SourceFile
from timelens.ingest.tables import cell_text
from timelens.ingest.title_dates import time_in_name
from timelens.temporal.interval import Interval

_LONGEST_PLACE = 120
_FIRST_SECOND = 10**8
"""Least number that counts seconds (3 March 1973); a day may be written as 20190304."""
_OF_C = re.compile(
    r"^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) [\d:]{5,8}(?: [+-]\d{4}| [A-Z]{3,4})? (\d{4})$"
)
_SITE_NAME = re.compile(r"\s+[|–—·-]\s")

OF_NAME, OF_HEADER = "file name", "page header"
"""Date sources that the text may correct where they state no day: the name of a file, the top of a page."""
CREATED, MODIFIED, PDF_CREATED = "document created", "document modified", "PDF creation date"
MADE = frozenset({CREATED, MODIFIED, PDF_CREATED})
"""Date sources that state when a file was made; a day stated in the text takes precedence."""
# Dates of the template documents of programs and libraries.
_STAMPS_OF_TEMPLATES = (
    "1601-01-01T",
    "1970-01-01T00:00:00",
    "1980-01-01T00:00:00",
    "2006-08-16T00:00:00",
    "2006-09-16T00:00:00",
    "2013-01-27T09:1",
    "2013-12-23T23:15:00",
)

Reader = Callable[[SourceFile, TableColumns], Iterator[Document | Failure]]
"""Yields documents, and failures of unreadable parts; raises an error if the whole file is unreadable."""


def read_text(source: SourceFile) -> str:
    """The file as text with Unix line ends.

    Raises:
        BadInputError: the file cannot be read, is not UTF-8 text, or is empty.
    """
    try:
        text = read_bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"it is not UTF-8 text (byte {error.start})", "save it as UTF-8") from error
    if "\0" in text:
        raise BadInputError("it is binary", "ingest text files")
    if not text.strip():
        raise BadInputError("it is empty", "remove it or fill it")
    return with_unix_ends(text)


def with_unix_ends(text: str) -> str:
    """The text with Unix line ends in place of those of Windows and of old Macs."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(source: SourceFile) -> bytes:
    """The bytes of the file.

    Raises:
        BadInputError: the file cannot be read, or is empty.
    """
    try:
        raw = source.path.read_bytes()
    except OSError as error:
        raise _unreadable(error) from error
    if not raw.strip():
        raise BadInputError("it is empty", "remove it or fill it")
    return raw


def require_filled(source: SourceFile) -> None:
    """Make sure that a file can be read and is not empty.

    Raises:
        BadInputError: the file cannot be read, or is empty.
    """
    try:
        with source.path.open("rb") as stream:
            begin = stream.read(1)
    except OSError as error:
        raise _unreadable(error) from error
    if not begin:
        raise BadInputError("it is empty", "remove it or fill it")


def require_at_most(size: int, largest: int, hint: str) -> None:
    """Refuse content that is too large to be read in one piece.

    Raises:
        BadInputError: ``size`` is more than ``largest``, both in bytes or characters.
    """
    if size > largest:
        raise BadInputError(f"it is larger than {largest // 2**20} MB", hint)


def read_lines(source: SourceFile) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1.

    Raises:
        BadInputError: the file cannot be read, is binary, or is empty.
    """
    empty = True
    try:
        with source.path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if b"\0" in line:
                    raise BadInputError("it is binary", "ingest text files")
                if line.strip():
                    empty = False
                    yield number, line
    except OSError as error:
        raise _unreadable(error) from error
    if empty:
        raise BadInputError("it is empty", "remove it or fill it")


def _unreadable(error: OSError) -> BadInputError:
    return BadInputError(f"it cannot be read: {error.strerror}", "check that it exists, and its permissions")


def make_document(
    source: SourceFile,
    document_id: str,
    text: str,
    *,
    title: str,
    published: Interval | None = None,
    published_source: str | None = None,
    hashed: str | None = None,
    facts: tuple[Fact, ...] = (),
    places: tuple[Mark, ...] = (),
    parts: tuple[Part, ...] = (),
    units: tuple[tuple[int, int], ...] = (),
) -> Document:
    """Make a document. Its file name gives the default date; ``hashed`` (else the text) is hashed."""
    if published is None:
        published = time_in_name(source.path.stem)
        published_source = OF_NAME if published else None
    return Document(
        id=document_id,
        uri=source.uri,
        title=title,
        text=text,
        content_hash=hashlib.sha256((text if hashed is None else hashed).encode()).hexdigest(),
        published=published,
        published_source=published_source,
        facts=facts,
        places=places,
        parts=parts,
        units=units,
    )


def places_of(headings: Iterable[Mark], title: str) -> tuple[Mark, ...]:
    """Headings as places; a heading equal to the title gives an empty place."""
    titles = {title, _SITE_NAME.split(" ".join(title.split()))[0]}
    return tuple(
        Mark(mark.offset, "" if mark.place in titles else mark.place[:_LONGEST_PLACE], mark.page)
        for mark in headings
    )


def first_date(
    stated: Sequence[tuple[str, str]], where: str
) -> tuple[Interval | None, str | None, Failure | None]:
    """(date, source, None) of the first valid pair (source, value); a failure if all are invalid."""
    problem = ""
    for stated_in, value in stated:
        try:
            return parse_stamp(value), stated_in, None
        except ValueError as error:
            problem = problem or f"its date ({stated_in}): {error}"
    hint = "correct it; the text is stored without that date"
    return None, None, Failure(where, problem, hint, partial=True) if problem else None


def date_of_file(
    source: SourceFile, *stated: tuple[str, str]
) -> tuple[Interval | None, str | None, Failure | None]:
    """The first day of a file that pairs (one of :data:`MADE`, day) state.

    None if its name states a day or month. Pairs without a day, or with the day of the template of a program,
    are ignored.
    """
    own = [(where, stamp) for where, stamp in stated if stamp and not stamp.startswith(_STAMPS_OF_TEMPLATES)]
    return first_date([] if time_in_name(source.path.stem) else own, source.id)


def date_in_fields(metadata: Mapping[str, Any], where: str) -> tuple[Interval | None, Failure | None]:
    """The day in the fields of a record or of front matter, or the failure to read it."""
    named = in_small_letters(metadata)
    stated = first_field({key: _plain_stamp(named.get(key)) for key in METADATA_KEYS}, METADATA_KEYS)
    try:
        return (parse_date(stated) if stated else None), None
    except ValueError as error:
        hint = "correct it; the text is stored without that date"
        return None, Failure(where, f"its date: {error}", hint, partial=True)


def in_small_letters(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with their names in small letters; one that is written so comes before others ("Date")."""
    return {**{str(key).casefold(): value for key, value in metadata.items()}, **metadata}


def _plain_stamp(value: object) -> object:
    """A day for a number of seconds or milliseconds, a date for the form of C ("Mon Mar 04 10:00 2019")."""
    if isinstance(value, int | float) and _FIRST_SECOND <= value < _FIRST_SECOND * 1_000_000:
        seconds = value if value < _FIRST_SECOND * 1_000 else value / 1_000
        return datetime.fromtimestamp(seconds, UTC).date()
    return _OF_C.sub(r"\2 \1 \3", value) if isinstance(value, str) else value


def first_field(record: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first non-blank field that is text, a number or a date, as text; lone surrogates are replaced."""
    values = (record.get(key) for key in keys)
    plain = (cell_text(value) for value in values if isinstance(value, str | int | float | date))
    return next((text.encode(errors="replace").decode() for text in plain if text.strip()), None)
