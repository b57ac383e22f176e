"""A model file on its way to its place: checked before it gets its name, and whole or not there at all."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from timelens.answer.gguf_header import describe_model
from timelens.errors import BadInputError, MissingError, TimelensError
from timelens.folders import file_sha256

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Offer:
    """What is known of a file before it comes."""

    size: int
    """Bytes of the whole file."""
    sha256: str | None
    """``None`` where nobody states it."""
    fetched: int
    """Bytes that are here already, from an earlier attempt."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a file has to be."""

    sha256: str | None = None
    size: int | None = None
    """In bytes."""
    stated_by: str = "nobody"
    """Who says so, as in a :class:`~timelens.answer.catalogue.Record`."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told how it goes."""

    on_offer: Callable[[Offer], None] = lambda _: None
    """Of size and hash before anything comes; may raise to decline."""
    on_progress: Callable[[int, int], None] = lambda _done, _all: None
    """Of bytes done and bytes in all."""


class Readable(Protocol):
    """What is used of a response or a file."""

    def read(self, amount: int, /) -> bytes:
        """The next bytes."""


class Arrival:
    """One file on its way. What came of it is in ``NAME.part`` until it is whole and checked."""

    def __init__(self, origin: str, part: Path, expected: Expected, watcher: Watcher) -> None:
        self.origin, self.part, self.expected = origin, part, expected
        self.size = 0
        self.stated: str | None = None
        """The hash that the server states."""
        self._watcher = watcher
        self._offered = False

    def offer(self, start: int) -> None:
        """Tell once what comes, of which so many bytes are here.

        Raises:
            BadInputError: it is not what it has to be, or there is no room for it.
        """
        self._refuse_another()
        if not self._offered:
            self._watcher.on_offer(Offer(self.size, self.stated or self.expected.sha256, start))
            self._offered = True
        if shutil.disk_usage(self.part.parent).free < self.size - start:
            raise BadInputError(
                f"there is no room for {self.size - start:,} bytes in {self.part.parent}",
                "free some space, or set TIMELENS_HOME to a larger disk, then try again",
            )

    def copy(self, content: Readable, start: int) -> None:
        """Write what comes behind the bytes that are here.

        Raises:
            ConnectionError: more comes than was said.
        """
        done = start
        with self.part.open("r+b" if start else "wb") as file:
            file.seek(start)
            while block := content.read(_BLOCK):
                done += len(block)
                if done > self.size:
                    raise ConnectionError(f"more than {self.size:,} bytes came")
                file.write(block)
                self._watcher.on_progress(done, self.size)
            file.flush()
            os.fsync(file.fileno())

    def checked(self) -> str:
        """The hash of what came, once it is what it has to be.

        Raises:
            BadInputError: it is not. It is removed then.
        """
        found = file_sha256(self.part)
        wanted = self.expected.sha256 or self.stated
        if wanted is not None and found != wanted:
            self.forget()
            raise BadInputError(
                f"the download from {self.origin} is not the expected file: its SHA-256 is {found}, not "
                f"{wanted}",
                "the download was removed; pull the model again, and do not use it if this happens again",
            )
        try:
            describe_model(self.part)
        except TimelensError as error:
            self.forget()
            raise BadInputError(
                f"the download from {self.origin} is not a usable GGUF file: {error.message}",
                "the download was removed; pull another model",
            ) from error
        return found

    def forget(self) -> None:
        """Remove all that is unfinished."""
        self.part.unlink(missing_ok=True)
        self.state.unlink(missing_ok=True)

    @property
    def state(self) -> Path:
        """Where it is kept what the unfinished file is a part of."""
        return self.part.with_name(self.part.name + ".json")

    def _refuse_another(self) -> None:
        wanted = self.expected
        if self.stated and wanted.sha256 and self.stated != wanted.sha256:
            raise BadInputError(
                f"the server offers another file than the expected one: its SHA-256 is {self.stated}, "
                f"not {wanted.sha256}",
                f"if the file was meant to change: --sha256 {self.stated}",
            )
        if wanted.size is not None and self.size != wanted.size:
            raise BadInputError(
                f"{self.origin} is not the expected file: it has {self.size:,} bytes, not {wanted.size:,}",
                "get it from another place: --from; if the file was meant to change: --sha256 with its hash",
            )


class LocalCopy(Arrival):
    """A file of this machine on its way."""

    def bring(self) -> None:
        """Copy it, from its beginning.

        Raises:
            MissingError: there is no such file.
            BadInputError: it cannot be read, or is not what it has to be.
        """
        path = Path(self.origin)
        if not path.exists():
            raise MissingError(f"there is no model file {path}", "give its path, or the address of a mirror")
        if not path.is_file() or (self.part.exists() and path.samefile(self.part)):
            raise BadInputError(f"{path} is not a complete file", "give the path of the GGUF file itself")
        try:
            content = path.open("rb")
        except OSError as error:
            raise BadInputError(
                f"the model file {path} cannot be read: {error.strerror}", "check the file's permissions"
            ) from error
        with content:
            self.size = os.fstat(content.fileno()).st_size
            self.offer(0)
            self.state.unlink(missing_ok=True)  # what came over the network is overwritten
            try:
                self.copy(content, 0)
            except BaseException:
                self.forget()
                raise
