"""A server on this machine that hands out one file, as well or as badly as it is told to."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from timelens.answer.models.catalogue import PullRecord
from timelens.answer.models.download import pull
from timelens.answer.models.incoming_file import Watcher


@dataclass
class FileServer:
    """What it hands out and how. A model hub answers with a redirection that states size and hash."""

    content: bytes
    states_hash: bool = True
    hash_stated: str | None = None
    """Another than the true one."""
    takes_ranges: bool = True
    validators: tuple[str, ...] = ("ETag",)
    """What it tells versions of the file apart by: ``ETag``, ``Last-Modified``, both or nothing."""
    takes_conditions: bool = True
    """Whether it heeds ``If-Range``."""
    breaks_after: list[int] = field(default_factory=list)
    """For each of the next answers the bytes after which the connection breaks."""
    statuses: list[int] = field(default_factory=list)
    """For each of the next requests an error to answer with."""
    redirects_to: str = "/file"
    """Empty is a redirection that names no address."""
    says_length: bool = True
    asked: list[str] = field(default_factory=list)
    """The ranges of all requests for the file itself; empty where there was none."""
    conditions: list[str] = field(default_factory=list)
    """What came as ``If-Range`` with each of them."""
    url: str = ""

    @property
    def sha256(self) -> str:
        """Of the content."""
        return hashlib.sha256(self.content).hexdigest()

    def validator(self, header: str) -> str:
        """What a header of that name tells of the content; dates of different contents differ."""
        if header == "ETag":
            return f'"{self.sha256[:8]}"'
        return formatdate(int(self.sha256[:7], 16), usegmt=True)

    def start_for(self, headers: Message) -> int:
        """The byte that a request is answered from; 0 also where its condition does not hold."""
        wanted, condition = headers.get("Range", ""), headers.get("If-Range", "")
        self.asked.append(wanted)
        self.conditions.append(condition)
        holds = not self.takes_conditions or condition in {"", *map(self.validator, self.validators)}
        return int(wanted[len("bytes=") : -1]) if wanted and self.takes_ranges and holds else 0

    def redirection(self) -> dict[str, str]:
        """What is told of where the file is."""
        place = {"Location": self.redirects_to} if self.redirects_to else {}
        known = {"X-Linked-ETag": f'"{self.hash_stated or self.sha256}"'} if self.states_hash else {}
        return {**place, **known, "Content-Length": "0"}

    def sent_from(self, start: int) -> bytes:
        """The content from a byte on, until the connection breaks."""
        most = self.breaks_after.pop(0) if self.breaks_after else len(self.content)
        return self.content[start : start + most]

    def headers(self, length: int) -> dict[str, str]:
        """What is told of the content beside the range."""
        told = {header: self.validator(header) for header in self.validators}
        return told | ({"Content-Length": str(length)} if self.says_length else {})


@contextmanager
def serving(server: FileServer) -> Iterator[FileServer]:
    """Start it, on a port of its own; ``url`` is its root."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            if server.statuses:
                self.send_error(server.statuses.pop(0))
            elif self.path.startswith("/file"):
                self._send_file()
            else:
                self.send_response(302)
                for header, value in server.redirection().items():
                    self.send_header(header, value)
                self.end_headers()

        def _send_file(self) -> None:
            start, size = server.start_for(self.headers), len(server.content)
            if start:
                if start >= size:
                    self.send_error(416)
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
            else:
                self.send_response(200)
            for header, value in server.headers(size - start).items():
                self.send_header(header, value)
            self.end_headers()
            self.wfile.write(server.sent_from(start))

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=web.serve_forever, args=(0.02,))
    thread.start()
    server.url = f"http://127.0.0.1:{web.server_address[1]}"
    try:
        yield server
    finally:
        web.shutdown()
        thread.join()
        web.server_close()


def fetch(server: FileServer, target: Path, *, sha256: str | None = None) -> PullRecord:
    return pull(f"{server.url}/tiny.gguf", target, sha256=sha256, pause=lambda _: None)


def left(target: Path) -> set[str]:
    """The files beside the lock."""
    return {path.name for path in target.parent.iterdir()} - {"tiny.gguf.lock"}


def interrupted(server: FileServer, target: Path) -> None:
    """Leave a part of the file, then change the file to another of the same size."""

    def interrupt(done: int, _size: int) -> None:
        if done >= 70_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull(f"{server.url}/tiny.gguf", target, watcher=Watcher(on_progress=interrupt))
    server.content = server.content.replace(b"tiny random llama", b"tiny another lama")
    server.asked.clear()
