"""Archives (zip and tar): reads their members with the readers for their kinds, within limits."""

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import IO, Any, cast

from timelens.documents import Document
from timelens.errors import BadInputError, on_one_line
from timelens.ingest.date_columns import TableColumns
from timelens.ingest.failures import Failure
from timelens.ingest.nested_files import NO_READER, LeftOut, read_inner, temporary_source
from timelens.ingest.reader_tools import Reader, require_filled
from timelens.ingest.sources import SourceFile
from timelens.printable import is_unicode

_DEEPEST = 2  # levels of nested archives
_MOST_MEMBERS = 100_000
_LARGEST_MEMBER = 1 * 2**30  # bytes, unpacked
_MOST_UNPACKED = 16 * 2**30  # bytes of all members
_FREE = 256 * 2**20  # bytes that may always be unpacked, whatever the size of the archive
_MOST_TIMES = 100  # multiple of its own size that may be unpacked in addition
_BLOCK = 2**20  # bytes

_UNPACK = "unpack it and ingest the folder"
_OPENERS: dict[str, Callable[..., Any]] = {"": open, "gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
_COMPRESSED = {
    ".tar": "",
    ".tgz": "gz",
    ".gz": "gz",
    ".tbz2": "bz2",
    ".bz2": "bz2",
    ".txz": "xz",
    ".xz": "xz",
}
ARCHIVES = frozenset({".zip", *_COMPRESSED})
"""Suffixes of archives; a compressed file that is no tar archive has one member."""
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
"""Exceptions that the libraries raise for broken archives."""


class _TooMuchError(BadInputError):
    """An archive unpacks to more than its limit; this ends reading of the outermost archive."""


@dataclass(slots=True)
class _Spent:
    """Amount unpacked from an archive and the archives in it; raises an error above the limit."""

    limit: int
    members: int = 0
    bytes: int = 0

    def open_member(self) -> None:
        """Count a member."""
        self.members += 1
        if self.members > _MOST_MEMBERS:
            raise _TooMuchError(f"it has more than {_MOST_MEMBERS:,} members", _UNPACK)

    def unpack(self, size: int) -> None:
        """Count bytes."""
        self.bytes += size
        if self.bytes > self.limit:
            raise _TooMuchError("it unpacks to too much for its size, as if made to fill the disk", _UNPACK)


@dataclass(frozen=True, slots=True)
class _Member:
    """A file in an archive."""

    name: str
    size: int = 0
    open: Callable[[], IO[bytes] | None] = lambda: None
    fault: str = ""
    """Reason why it is not read; empty if it is read."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """State shared by all members of an archive and of the archives in it."""

    columns: TableColumns
    readers: Mapping[str, Reader]
    spent: _Spent


class _Counted:
    """A stream that counts the bytes read from it."""

    def __init__(self, stream: IO[bytes], spent: _Spent) -> None:
        self._stream = stream
        self._spent = spent

    def read(self, size: int = -1) -> bytes:
        """Read at most ``size`` bytes, and at most one block."""
        block = self._stream.read(min(size, _BLOCK) if size >= 0 else _BLOCK)
        self._spent.unpack(len(block))
        return block


def read_members(
    source: SourceFile, columns: TableColumns, readers: Mapping[str, Reader]
) -> Iterator[Document | Failure]:
    """The documents of all members that have a reader; ``ARCHIVE/PATH`` is the id of each.

    Hidden members are skipped, as hidden files of folders are. All other unread members are reported.
    """
    require_filled(source)
    limit = min(_FREE + _MOST_TIMES * source.path.stat().st_size, _MOST_UNPACKED)
    yield from _read(source, _Reading(columns, readers, _Spent(limit)), 1)


def _read(source: SourceFile, reading: _Reading, depth: int) -> Iterator[Document | Failure]:
    left_out = LeftOut(source.id, "members")
    met: set[str] = set()
    broken: BadInputError | None = None
    members = _members(source, reading.spent.limit)
    while True:
        try:
            member = next(members, None)
        except _BROKEN as error:
            broken = BadInputError(
                f"it is not an archive that can be read to its end: {on_one_line(error)}", _UNPACK
            )
            break
        if member is None:
            break
        reading.spent.open_member()
        if _is_hidden(member.name):
            continue
        fault = member.fault or _fault(member.name, reading.readers, depth)
        fault = "another has the same name" if not fault and member.name in met else fault
        met.add(member.name)
        if fault:
            left_out.add(member.name, fault, _HINTS.get(fault, _UNPACK))
        else:
            yield from _read_member(source, member, reading, depth)
    yield from left_out.failures()
    if broken is not None:
        raise broken
    if not met:
        raise BadInputError("it holds no files", "remove it or fill it")


def _read_member(
    source: SourceFile, member: _Member, reading: _Reading, depth: int
) -> Iterator[Document | Failure]:
    with temporary_source(source, member.name) as (inner, stream):
        try:
            _copy(member, stream, reading.spent)
        except _BROKEN as error:
            yield Failure(inner.id, f"it cannot be unpacked: {on_one_line(error)}", _UNPACK)
            return
        if inner.path.suffix.lower() not in ARCHIVES:
            yield from read_inner(inner, reading.columns, reading.readers)
            return
        try:
            require_filled(inner)
            yield from _read(inner, reading, depth + 1)
        except _TooMuchError:
            raise
        except BadInputError as error:
            yield Failure(inner.id, error.message, error.hint)


def _copy(member: _Member, target: IO[bytes], spent: _Spent) -> None:
    """Unpack a member; the target is closed.

    Raises:
        ValueError: it is too large, or its content does not match its description.
    """
    with target:
        content = member.open()
        if content is None:
            raise ValueError("it has no content")
        size = 0
        with content:
            while block := content.read(_BLOCK):
                size += len(block)
                spent.unpack(len(block))
                if size > _LARGEST_MEMBER:
                    raise ValueError(f"it is larger than {_LARGEST_MEMBER // 2**20} MB")
                target.write(block)


def _fault(name: str, readers: Mapping[str, Reader], depth: int) -> str:
    """The reason why a member with this name is not read; empty if it is read."""
    path = PurePosixPath(name)
    suffix = path.suffix.lower()
    if not is_unicode(name):
        return "their names are not UTF-8"
    if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", name):
        return "their names lead out of the archive"
    if suffix not in readers:
        return NO_READER[0]
    if suffix in ARCHIVES and depth >= _DEEPEST:
        return "archives three levels deep"
    return ""


_HINTS = {
    "their names lead out of the archive": "check whether you trust it",
    NO_READER[0]: NO_READER[1],
}


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any((part.startswith(".") and part != "..") or part == "__MACOSX" for part in parts)


def _members(source: SourceFile, limit: int) -> Iterator[_Member]:
    """The files in an archive, in its order; each must be read before the next is taken."""
    name = source.path.name.lower()
    compression = _COMPRESSED.get(source.path.suffix.lower())
    if compression is None:
        yield from _zipped(source)
    elif compression and source.path.suffix.lower()[1:] == compression and not _is_tar(name):
        opener = _OPENERS[compression]
        yield _Member(source.path.stem, open=lambda: cast("IO[bytes]", opener(source.path, "rb")))
    else:
        yield from _tarred(source, _OPENERS[compression], limit)


def _is_tar(name: str) -> bool:
    return PurePosixPath(PurePosixPath(name).stem).suffix == ".tar"


def _zipped(source: SourceFile) -> Iterator[_Member]:
    with zipfile.ZipFile(source.path) as archive:
        for info in archive.infolist():
            name = info.filename.replace("\\", "/")
            mode = info.external_attr >> 16
            if info.is_dir() or name.endswith("/"):
                continue
            if info.flag_bits & 1:
                yield _Member(name, fault="protected by a password")
            elif mode and stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
                yield _Member(name, fault="links and devices")
            else:
                yield _Member(name, info.file_size, partial(_open_zipped, archive, info))


def _open_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    return archive.open(info)


def _tarred(source: SourceFile, opener: Callable[..., Any], limit: int) -> Iterator[_Member]:
    with opener(source.path, "rb") as stream:
        counted = cast("IO[bytes]", _Counted(stream, _Spent(limit)))
        with tarfile.open(fileobj=counted, mode="r|") as archive:
            for info in archive:
                if info.isreg():
                    yield _Member(info.name, info.size, partial(archive.extractfile, info))
                elif not info.isdir():
                    yield _Member(info.name, fault="links and devices")
