"""Fetch a model file: resumed after an interruption, checked, and put in place whole or not at all."""

import hashlib
import http.client
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from email.message import Message
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from filelock import FileLock, Timeout

from timelens.answer.catalogue import Record, is_safe, read_record, record_file
from timelens.answer.gguf_header import describe_model
from timelens.errors import BadInputError, MissingError, TimelensError

_BLOCK = 1 << 20
_ATTEMPTS = 5
_TIMEOUT_SECONDS = 30
_SHA256 = re.compile(r'(?:W/)?"?([0-9a-fA-F]{64})"?')
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_NOT_RETRIED = {401, 403}


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server says of a file before it is fetched."""

    size: int
    """Bytes of the whole file."""
    sha256: str | None
    """``None`` where the server does not state it."""
    fetched: int
    """Bytes that are here already, from an earlier attempt."""


class _Answer(Protocol):
    """What is used of a response."""

    status: int
    headers: Message

    def read(self, amount: int, /) -> bytes:
        """The next bytes."""


def pull(
    url: str,
    target: Path,
    *,
    sha256: str | None = None,
    on_offer: Callable[[Offer], None] = lambda _: None,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
    pause: Callable[[float], None] = time.sleep,
) -> Record:
    """Fetch a GGUF file. What came of it stays in ``NAME.part`` until it is whole and checked.

    It is checked against the ``sha256`` given, that of an earlier pull of the same file, and that which the
    server states (``X-Linked-ETag``, as model hubs send for large files); without any, the hash of what came
    is recorded for the next time.

    Args:
        url: an address that :func:`timelens.answer.catalogue.is_safe` takes.
        target: where the file goes.
        sha256: what its hash has to be, if the user knows it.
        on_offer: told of size and hash before anything is fetched; may raise to decline.
        on_progress: told of bytes done and bytes in all.
        pause: waits some seconds before another attempt.

    Raises:
        MissingError: the server cannot be reached, or has no such file.
        BadInputError: the file is not what it has to be, or there is no room for it.
    """
    known = read_record(target)
    expected = sha256 or (known.sha256 if known else None)
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(target.with_name(target.name + ".lock"), timeout=0):
            if target.exists():
                return _present(url, target, expected, known)
            fetch = _Fetch(url, target.with_name(target.name + ".part"), expected, on_offer, on_progress)
            _persist(fetch, pause)
            stated_by = "server" if fetch.stated else known.stated_by if known else "nobody"
            record = Record(url, fetch.size, fetch.checked(), "user" if sha256 else stated_by)
            _write(record_file(target), json.dumps(asdict(record), indent=1).encode())
            fetch.part.replace(target)
            fetch.forget()
            return record
    except Timeout as error:
        raise BadInputError(
            f"{target.name} is being pulled by another process", "wait until it is done"
        ) from error
    except OSError as error:
        raise BadInputError(
            f"{target.parent} cannot be written: {error.strerror or error}",
            "make room or mend its permissions, and repeat: it goes on from where it stopped",
        ) from error


def file_sha256(path: Path) -> str:
    """The hash of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _persist(fetch: "_Fetch", pause: Callable[[float], None]) -> None:
    """Fetch a file, over and over while the network fails."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            fetch.attempt()
        except (URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            if attempt == _ATTEMPTS:
                raise _unreachable(fetch.url, error, fetch.fetched) from error
            pause(2.0 ** (attempt - 1))
        else:
            return


def _present(url: str, target: Path, expected: str | None, known: Record | None) -> Record:
    found = file_sha256(target)
    if expected is not None and found != expected:
        raise BadInputError(
            f"{target} is here, but is not what it has to be: its sha256 is {found}, not {expected}",
            "remove it and pull it again",
        )
    return known or Record(url, target.stat().st_size, found, "user" if expected else "nobody")


class _Fetch:
    """One file on its way."""

    def __init__(
        self,
        url: str,
        part: Path,
        expected: str | None,
        on_offer: Callable[[Offer], None],
        on_progress: Callable[[int, int], None],
    ) -> None:
        self.url, self.part, self.expected = url, part, expected
        self.size = 0
        self.stated: str | None = None
        self._on_offer, self._on_progress = on_offer, on_progress
        self._offered = False
        self._state = part.with_name(part.name + ".json")

    @property
    def fetched(self) -> int:
        """Bytes that are here."""
        return self.part.stat().st_size if self.part.exists() else 0

    def attempt(self) -> None:
        """Fetch what is missing."""
        here = self.fetched
        kept = self._resumed_from()
        if here and kept.get("url") == self.url and kept.get("size") == here:
            self.size, self.stated = here, kept["sha256"]  # all that was left to do was to check it
            return
        with _opened(self.url, here) as (answer, hops):
            start, self.size = _extent(answer, here)
            self.stated = next(filter(None, map(_stated_hash, hops)), None)
            self._refuse_another()
            identity = {"url": self.url, "size": self.size, "sha256": self.stated}
            if start and kept != identity:
                self.part.unlink()
                raise ConnectionError("the file has changed on the server; it is fetched anew")
            if not self._offered:
                self._on_offer(Offer(self.size, self.stated or self.expected, start))
                self._offered = True
            if shutil.disk_usage(self.part.parent).free < self.size - start:
                raise BadInputError(
                    f"there is no room for {self.size - start:,} bytes in {self.part.parent}",
                    "free some, or set TIMELENS_HOME to a larger disk, and repeat",
                )
            _write(self._state, json.dumps(identity).encode())
            self._copy(answer, start)
        if self.fetched != self.size:
            raise ConnectionError(f"{self.fetched:,} of {self.size:,} bytes came")

    def checked(self) -> str:
        """The hash of what came, once it is what it has to be.

        Raises:
            BadInputError: it is not. It is removed then.
        """
        found = file_sha256(self.part)
        wanted = self.expected or self.stated
        if wanted is not None and found != wanted:
            self.forget()
            raise BadInputError(
                f"what came from {self.url} is not what it has to be: its sha256 is {found}, not {wanted}",
                "it was removed; pull it again, and do not use it if that repeats",
            )
        try:
            describe_model(self.part)
        except TimelensError as error:
            self.forget()
            raise BadInputError(
                f"what came from {self.url} is no usable GGUF file: {error.message}", "it was removed"
            ) from error
        return found

    def forget(self) -> None:
        """Remove all that is unfinished."""
        self.part.unlink(missing_ok=True)
        self._state.unlink(missing_ok=True)

    def _refuse_another(self) -> None:
        if self.stated and self.expected and self.stated != self.expected:
            raise BadInputError(
                f"the server offers another file than the one that is wanted: its sha256 is {self.stated}, "
                f"not {self.expected}",
                f"if it was meant to change: --sha256 {self.stated}",
            )

    def _resumed_from(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._state.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) and kept.keys() == {"url", "size", "sha256"} else {}

    def _copy(self, answer: _Answer, start: int) -> None:
        done = start
        with self.part.open("r+b" if start else "wb") as file:
            file.seek(start)
            while block := answer.read(_BLOCK):
                done += len(block)
                if done > self.size:
                    raise ConnectionError(f"more than {self.size:,} bytes came")
                file.write(block)
                self._on_progress(done, self.size)
            file.flush()
            os.fsync(file.fileno())


class _SafeRedirects(HTTPRedirectHandler):
    """Follows redirections to safe addresses, and keeps what each answer on the way said."""

    def __init__(self) -> None:
        self.hops: list[Message] = []

    def redirect_request(  # noqa: PLR0917 -- as the base class has it
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> Request | None:
        """The request that follows."""
        if not is_safe(newurl):
            fp.close()
            raise BadInputError(
                f"{req.full_url} leads to {newurl}, which is not safe", "give another address"
            )
        self.hops.append(headers)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _opened:  # noqa: N801 -- used as a function
    """A request for a file from a byte on, and the headers of all answers on the way."""

    def __init__(self, url: str, start: int) -> None:
        headers = {"User-Agent": "timelens", "Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
        self._request = Request(url, headers=headers)  # noqa: S310 -- its scheme was checked
        self._redirects = _SafeRedirects()

    def __enter__(self) -> tuple[_Answer, Iterator[Message]]:
        opener = build_opener(self._redirects)
        try:
            self._answer = opener.open(self._request, timeout=_TIMEOUT_SECONDS)
        except HTTPError as error:
            error.close()
            if error.code in _AGAIN:
                raise
            if error.code == 416:  # nothing is missing, or the file is another one
                del self._request.headers["Range"]
                return self.__enter__()
            raise _refused(self._request.full_url, error.code) from error
        return self._answer, iter((*self._redirects.hops, self._answer.headers))

    def __exit__(self, *_: object) -> None:
        self._answer.close()


def _extent(answer: _Answer, here: int) -> tuple[int, int]:
    """From which byte on the file comes, and how many it has in all."""
    if answer.status == 206:
        match = _CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if match is None or int(match.group(1)) != here:
            raise ConnectionError("the server sent another part than it was asked for")
        return here, int(match.group(2))
    length = answer.headers.get("Content-Length", "")
    if not length.isdecimal():
        raise BadInputError("the server does not say how large the file is", "give another address")
    return 0, int(length)


def _stated_hash(headers: Message) -> str | None:
    match = _SHA256.fullmatch(headers.get("X-Linked-ETag", "").strip())
    return match.group(1).lower() if match else None


def _refused(url: str, code: int) -> TimelensError:
    if code in _NOT_RETRIED:
        return MissingError(
            f"{urlsplit(url).hostname} does not hand out {url} to everyone ({code})",
            "fetch it in a browser, then: timelens model use FILE",
        )
    return MissingError(f"there is no file at {url} ({code})", "see: timelens model list")


def _unreachable(url: str, error: Exception, fetched: int) -> MissingError:
    reason = getattr(error, "reason", None) or error
    kept = f"; {fetched:,} bytes are kept, and it goes on from there" if fetched else ""
    return MissingError(
        f"{urlsplit(url).hostname} cannot be reached: {reason}", f"check the network, and repeat{kept}"
    )


def _write(path: Path, content: bytes) -> None:
    """Write a small file whole or not at all."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(content)
    new.replace(path)
