"""Zip files with the parts of one document (office files, e-books): parts as bytes and as XML."""

import io
import re
import zipfile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from timelens.errors import BadInputError, on_one_line
from timelens.ingest.reader_tools import require_at_most
from timelens.ingest.web_pages import xml_root

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_LARGEST = 256 * 2**20  # bytes of a file
_LARGEST_PART = 128 * 2**20  # bytes of a part, unpacked
_MOST_UNPACKED = 512 * 2**20  # bytes of all parts that are read
_MOST_PARTS = 20_000
_SAVE_ANEW = "open it in the program that it was made with and save it again"
# "Strict" Office files differ from others only in the prefix of the namespaces.
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(main|relationships)\b")
_USUAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # start of encrypted Office files, and of those before 2007


class Package:
    """A zip file whose parts are read one by one, within size limits."""

    def __init__(self, raw: bytes, kind: str) -> None:
        """Open a file that should be a ``kind``.

        Raises:
            BadInputError: the file is of another kind, too large, or encrypted.
        """
        require_at_most(len(raw), _LARGEST, "split it, or save its text")
        if raw.startswith(_OLE):
            raise BadInputError(
                f"it is no {kind} file: it is encrypted, or made by a version of Office before 2007",
                f"save it as {kind} without a password",
            )
        self._kind = kind
        self._unpacked = 0
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
        except Exception as error:  # what a broken file makes the library raise is without end
            raise self._broken(error) from error
        if len(self._zip.filelist) > _MOST_PARTS:
            raise BadInputError(f"it has more than {_MOST_PARTS:,} parts", _SAVE_ANEW)

    @property
    def names(self) -> list[str]:
        """The names of its parts."""
        return self._zip.namelist()

    def read(self, name: str) -> bytes | None:
        """A part as bytes; ``None`` if there is none with this name.

        Raises:
            BadInputError: the part is broken, encrypted, or too large when unpacked.
        """
        try:
            entry = self._zip.getinfo(name)
        except KeyError:
            return None
        if entry.flag_bits & 1:
            raise BadInputError("it is encrypted", "save a copy without a password")
        self._unpacked += entry.file_size
        if entry.file_size > _LARGEST_PART or self._unpacked > _MOST_UNPACKED:
            raise BadInputError(
                f"it unpacks to more than {_LARGEST_PART // 2**20} MB", "split it, or save its text"
            )
        try:
            return self._zip.read(entry)
        except Exception as error:
            raise self._broken(error) from error

    def xml(self, name: str) -> "Element | None":
        """A part as XML; ``None`` if there is none with this name.

        Raises:
            BadInputError: the part is broken.
        """
        raw = self.read(name)
        if raw is None:
            return None
        try:
            return xml_root(_STRICT.sub(_USUAL, raw))
        except SyntaxError as error:
            raise self._broken(error) from error

    def required(self, name: str) -> "Element":
        """A required part as XML.

        Raises:
            BadInputError: the part is missing or broken.
        """
        root = self.xml(name)
        if root is None:
            raise BadInputError(f"it is no {self._kind} file: it has no {name}", _SAVE_ANEW)
        return root

    def _broken(self, error: Exception) -> BadInputError:
        return BadInputError(f"it is not a readable {self._kind} file: {on_one_line(error)}", _SAVE_ANEW)


def referenced_part(base: str, target: str) -> str:
    """The name of the part that a reference ``target`` in the part ``base`` points to."""
    target = unquote(target.partition("#")[0])
    path = PurePosixPath("" if target.startswith("/") else base).parent / target.lstrip("/")
    steps: list[str] = []
    for step in path.parts:
        if step == "..":
            del steps[-1:]
        else:
            steps.append(step)
    return "/".join(steps)
