"""Transfer of a model file: written as ``NAME.part`` and renamed only once it is complete and verified."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from timelens.answer.models.gguf_header import describe_model
from timelens.errors import BadInputError, MissingError, TimelensError
from timelens.folders import file_sha256

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Offer:
    """What is known of a file before it is transferred."""

    size: int
    """Bytes of the whole file."""
    sha256: str | None
    """``None`` if no source states it."""
    fetched: int
    """Bytes already present from an earlier attempt."""


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """The expected hash and size of a file."""

    sha256: str | None = None
    size: int | None = None
    """In bytes."""
    stated_by: str = "nobody"
    """The source of the hash, as in a :class:`~timelens.answer.models.catalogue.PullRecord`."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Callbacks for the progress of a transfer."""

    on_offer: Callable[[Offer], None] = lambda _: None
    """Receives size and hash before the transfer; may raise to decline."""
    on_progress: Callable[[int, int], None] = lambda _done, _all: None
    """Receives the bytes done and the total."""


class Readable(Protocol):
    """The interface used of a response or a file."""

    def read(self, amount: int, /) -> bytes:
        """The next bytes."""


class Arrival:
    """The transfer of one file; its bytes are in ``NAME.part`` until it is complete and verified."""

    def __init__(self, origin: str, part: Path, expected: ExpectedFile, watcher: Watcher) -> None:
        self.origin, self.part, self.expected = origin, part, expected
        self.size = 0
        self.stated: str | None = None
        """The hash that the server states."""
        self._watcher = watcher
        self._offered = False

    def offer(self, start: int) -> None:
        """Announce the file once, and check that there is room for it; ``start`` bytes are already present.

        Raises:
            BadInputError: the file is not the expected one, or there is no room for it.
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
        """Write the content after the first ``start`` bytes.

        Raises:
            ConnectionError: there are more bytes than announced.
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
        """The hash of the transferred file, after it is verified.

        Raises:
            BadInputError: the file is not the expected one; it is removed.
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
        """Remove the unfinished file and its state."""
        self.part.unlink(missing_ok=True)
        self.state.unlink(missing_ok=True)

    @property
    def state(self) -> Path:
        """The file that records which download the unfinished file belongs to."""
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
    """The transfer of a file from this machine."""

    def bring(self) -> None:
        """Copy the file from its beginning.

        Raises:
            MissingError: there is no such file.
            BadInputError: it cannot be read, or is not the expected file.
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
            self.state.unlink(missing_ok=True)  # a partial download is overwritten
            try:
                self.copy(content, 0)
            except BaseException:
                self.forget()
                raise
