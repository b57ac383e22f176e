"""Pulls a model file: download or copy, resumption, verification, and an atomic rename."""

import http.client
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from email.message import Message
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from timelens.answer.models.catalogue import (
    CatalogueModel,
    PullRecord,
    is_safe,
    part_file,
    read_record,
    record_file,
)
from timelens.answer.models.incoming_file import Arrival, ExpectedFile, LocalCopy, Readable, Watcher
from timelens.errors import BadInputError, MissingError, TimelensError, reason_of
from timelens.folders import file_sha256, hold, make_private, put_on_disk

_ATTEMPTS = 5
_TIMEOUT_SECONDS = 30
_SHA256 = re.compile(r'(?:W/)?"?([0-9a-fA-F]{64})"?')
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_NOT_RETRIED = {401, 403}
_IDENTITY = {"url", "size", "sha256", "validator"}


class _Answer(Readable, Protocol):
    """The interface used of a response."""

    status: int
    headers: Message


def pull(
    origin: str | Path,
    target: Path,
    *,
    sha256: str | None = None,
    model: CatalogueModel | None = None,
    watcher: Watcher | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> PullRecord:
    """Fetch or copy a GGUF file. Its bytes stay in ``NAME.part`` until it is complete and verified.

    The expected hash is ``sha256``, else that of the catalogue, else that of an earlier pull of the same
    file, else the one that the server states (``X-Linked-ETag``, as model hubs send for large files); the
    server's must equal any other. Without any, the hash of the file is recorded for the next pull.

    Args:
        origin: an address accepted by :func:`timelens.answer.models.catalogue.is_safe`, or a file on this
            machine.
        target: the path of the pulled file.
        sha256: the expected hash, if the user states it.
        model: its catalogue entry, if any.
        watcher: callbacks for the progress.
        pause: waits a number of seconds before another attempt.

    Raises:
        MissingError: the server cannot be reached or has no such file, or there is no such local file.
        BadInputError: the file is not the expected one, or there is no room for it.
    """
    known = read_record(target)
    expected = _expected(sha256, model, known)
    part, watcher = part_file(target), watcher or Watcher()
    taken = BadInputError(f"{target.name} is being pulled by another process", "wait until it has finished")
    try:
        make_private(target.parent)
        with hold(target.with_name(target.name + ".lock"), taken):
            if target.exists():
                Arrival(str(origin), part, expected, watcher).forget()  # remains of a pull that was killed
                return _present(str(origin), target, expected, known)
            arrival: LocalCopy | _Fetch
            if isinstance(origin, Path):
                arrival = LocalCopy(str(origin), part, expected, watcher)
                arrival.bring()
            else:
                arrival = _Fetch(origin, part, expected, watcher)
                _persist(arrival, pause)
            stated_by = "server" if arrival.stated and _is_weak(expected) else expected.stated_by
            record = PullRecord(str(origin), arrival.size, arrival.checked(), stated_by)
            _write(record_file(target), json.dumps(asdict(record), indent=1).encode())
            arrival.part.replace(target)
            arrival.forget()
            return record
    except OSError as error:
        goes_on = "" if isinstance(origin, Path) else "; the pull goes on from where it stopped"
        raise BadInputError(
            f"{target.parent} cannot be written: {reason_of(error)}",
            f"make room or correct its permissions, then try again{goes_on}",
        ) from error


def _expected(sha256: str | None, model: CatalogueModel | None, known: PullRecord | None) -> ExpectedFile:
    """The expected hash and size, from the most trusted source that states them."""
    if sha256 is not None:
        return ExpectedFile(sha256, stated_by="user")
    if model is not None and model.sha256 is not None:
        return ExpectedFile(model.sha256, model.size, "catalogue")
    return ExpectedFile(known.sha256, stated_by=known.stated_by) if known else ExpectedFile()


def _is_weak(expected: ExpectedFile) -> bool:
    """Whether the hash that a server states is more trusted than the expected one."""
    return expected.stated_by in {"server", "nobody"}


def _persist(fetch: "_Fetch", pause: Callable[[float], None]) -> None:
    """Fetch a file; retry network failures, with exponentially growing pauses."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            fetch.attempt()
        except (URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            if attempt == _ATTEMPTS:
                raise _unreachable(fetch.asked, error, fetch.fetched) from error
            pause(2.0 ** (attempt - 1))
        else:
            return


def _present(origin: str, target: Path, expected: ExpectedFile, known: PullRecord | None) -> PullRecord:
    found = file_sha256(target)
    if expected.sha256 is not None and found != expected.sha256:
        raise BadInputError(
            f"{target} is not the expected file: its SHA-256 is {found}, not {expected.sha256}",
            "remove it, then pull it again",
        )
    if known is None:
        return PullRecord(origin, target.stat().st_size, found, expected.stated_by)
    return known if _is_weak(expected) else replace(known, sha256=found, stated_by=expected.stated_by)


class _Fetch(Arrival):
    """The transfer of one file from a server."""

    asked = ""
    """The address of the last request, after redirections."""

    @property
    def fetched(self) -> int:
        """Bytes already present."""
        return self.part.stat().st_size if self.part.exists() else 0

    def attempt(self) -> None:
        """Fetch the missing bytes, or the whole file if it cannot be resumed."""
        kept = self._kept()
        here = self.fetched if self._can_resume(kept) else 0
        if here and kept["size"] == here:
            self.size, self.stated = here, kept["sha256"]  # only verification was left to do
            return
        request = _Request(self.origin, here, kept.get("validator") if here else None)
        try:
            with request as (answer, hops):
                self._take(answer, hops, here, kept)
        finally:
            self.asked = request.asked
        if self.fetched != self.size:
            raise ConnectionError(f"{self.fetched:,} of {self.size:,} bytes came")

    def _take(self, answer: _Answer, hops: Iterator[Message], here: int, kept: dict[str, Any]) -> None:
        start, self.size = _extent(answer, here)
        self.stated = next(filter(None, map(_stated_hash, hops)), None)
        self._refuse_another()
        validator = _validator(answer.headers)
        identity = {"url": self.origin, "size": self.size, "sha256": self.stated}
        if start:
            changed = any(kept[key] != value for key, value in identity.items())
            if changed or _contradict(kept["validator"], validator):
                self.forget()
                raise ConnectionError("the file has changed on the server; it is pulled from the start")
            validator = kept["validator"]
        self.offer(start)
        _write(self.state, json.dumps({**identity, "validator": validator}).encode())
        self.copy(answer, start)

    def _can_resume(self, kept: dict[str, Any]) -> bool:
        """Whether a change of the file on the server would be noticed: by a validator or a hash."""
        told = kept.get("validator") or kept.get("sha256") or self.expected.sha256
        return kept.get("url") == self.origin and bool(told)

    def _kept(self) -> dict[str, Any]:
        try:
            kept = json.loads(self.state.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) and kept.keys() == _IDENTITY else {}


class _SafeRedirects(HTTPRedirectHandler):
    """Follows redirections to safe addresses, and keeps the headers of each response on the way."""

    def __init__(self) -> None:
        self.hops: list[Message] = []
        self.address: str | None = None

    def redirect_request(  # noqa: PLR0917 -- as the base class has it
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> Request | None:
        """The next request.

        Raises:
            BadInputError: the redirection leads to an unsafe address.
        """
        if not is_safe(newurl):
            raise BadInputError(
                f"{req.full_url} leads to {newurl}, which is not an https:// address", "give another address"
            )
        self.hops.append(headers)
        self.address = newurl
        return super().redirect_request(req, fp, code, msg, headers, newurl)

    def http_error_302(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage
    ) -> Any:  # noqa: ANN401
        """The response of the target; the response of a redirection that is not followed is closed."""
        try:
            return super().http_error_302(req, fp, code, msg, headers)
        except BaseException:
            fp.close()
            raise

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


class _Request:
    """A request for a file from a byte offset on, and the headers of all responses on the way.

    The request for the rest of a file is conditional (``If-Range``): if the file has changed, the server
    sends all of it.
    """

    def __init__(self, url: str, start: int, validator: str | None) -> None:
        self._url = url
        self._ranged = {"Range": f"bytes={start}-"} if start else {}
        if start and validator:
            self._ranged["If-Range"] = validator
        self._redirects = _SafeRedirects()

    @property
    def asked(self) -> str:
        """The address of the last request."""
        return self._redirects.address or self._url

    def __enter__(self) -> tuple[_Answer, Iterator[Message]]:
        try:
            self._answer = self._open(self._ranged)
        except HTTPError as error:
            if error.code != 416 or not self._ranged:
                raise _refused(self.asked, error.code) from error
            self._answer = self._open_whole()  # no bytes are missing, or the file has changed
        return self._answer, iter((*self._redirects.hops, self._answer.headers))

    def __exit__(self, *_: object) -> None:
        self._answer.close()

    def _open_whole(self) -> Any:  # noqa: ANN401 -- urllib's response has no single type
        try:
            return self._open({})
        except HTTPError as error:
            raise _refused(self.asked, error.code) from error

    def _open(self, ranged: dict[str, str]) -> Any:  # noqa: ANN401
        self._redirects = _SafeRedirects()
        headers = {"User-Agent": "timelens", "Accept-Encoding": "identity", **ranged}
        request = Request(self._url, headers=headers)  # noqa: S310 -- its scheme was checked
        try:
            return build_opener(self._redirects).open(request, timeout=_TIMEOUT_SECONDS)
        except HTTPError as error:
            error.close()
            if error.code in _AGAIN:
                raise ConnectionError(f"the server is busy ({error.code})") from error
            raise
        except (ValueError, http.client.InvalidURL) as error:
            raise BadInputError(
                f"{self.asked} leads to an address that cannot be read: {error}", "give another address"
            ) from error


def _extent(answer: _Answer, here: int) -> tuple[int, int]:
    """The offset of the first byte sent, and the size of the whole file in bytes."""
    if answer.status == 206:
        match = _CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if match is None or int(match.group(1)) != here:
            raise ConnectionError("the server sent another part than the requested one")
        return here, int(match.group(2))
    length = answer.headers.get("Content-Length", "")
    if not length.isdecimal():
        raise BadInputError("the server does not state the size of the file", "give another address")
    return 0, int(length)


def _validator(headers: Message) -> str | None:
    """The validator for ``If-Range``: a strong entity tag, else the date of the last change."""
    tag = headers.get("ETag", "").strip()
    return tag if tag.startswith('"') else headers.get("Last-Modified")


def _contradict(old: str | None, new: str | None) -> bool:
    """Whether two validators are of the same kind and differ; a partial response may carry fewer of them."""
    if old is None or new is None:
        return False
    return old != new and old.startswith('"') == new.startswith('"')


def _stated_hash(headers: Message) -> str | None:
    match = _SHA256.fullmatch(headers.get("X-Linked-ETag", "").strip())
    return match.group(1).lower() if match else None


def _refused(url: str, code: int) -> TimelensError:
    if code in _NOT_RETRIED:
        return MissingError(
            f"{urlsplit(url).hostname} does not give {url} to everyone ({code})",
            "download it in a browser, then: timelens model pull NAME --from FILE",
        )
    if code == 416:
        return MissingError(
            f"{urlsplit(url).hostname} gives neither a part of {url} nor the whole file ({code})",
            "get it from another place: timelens model pull NAME --from URL",
        )
    if 300 <= code < 400:
        return MissingError(
            f"{url} leads in a circle or to nothing ({code})",
            "get it from another place: timelens model pull NAME --from URL",
        )
    return MissingError(f"there is no file at {url} ({code})", "see: timelens model list")


def _unreachable(url: str, error: Exception, fetched: int) -> MissingError:
    reason = getattr(error, "reason", None) or error
    kept = f"; {fetched:,} bytes are kept, and it goes on from there" if fetched else ""
    return MissingError(
        f"{urlsplit(url).hostname} cannot be reached: {reason}", f"check the network, then try again{kept}"
    )


def _write(path: Path, content: bytes) -> None:
    """Write a small file atomically; only one process at a time may write it.

    Its draft has one name, so the next pull replaces that of a killed one, which
    :func:`timelens.folders.write_atomically` would leave behind.
    """
    new = path.with_name(path.name + ".new")
    new.write_bytes(content)
    put_on_disk(new)
    new.replace(path)
