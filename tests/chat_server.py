"""An OpenAI-compatible server on this machine, as good or as bad as it is told to be."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import pytest
from tiny_llama import DRAFT, EVIDENCE, QUESTION

from timelens.answer.rendering.timeline import Timeline
from timelens.answer.server import ServerAnswerer
from timelens.config import ServerSettings
from timelens.errors import TimelensError

KEY = "sk-Zebra-4711-quagga-0815"
"""What no output may hold."""


@dataclass
class ChatServer:
    """What it answers and how."""

    pieces: list[str] = field(default_factory=lambda: ["Ann led ", "the club ", "in 1998 [1]."])
    finish: str | None = "stop"
    models: list[str] = field(default_factory=lambda: ["tiny"])
    key: str = ""
    """Asked for, where there is one."""
    statuses: list[int] = field(default_factory=list)
    """For each of the next requests for a reply an error to answer with; 0 breaks the connection."""
    headers: dict[str, str] = field(default_factory=dict)
    """Of those errors."""
    error: object = "told to fail"
    formats: tuple[str, ...] = ("json_schema", "json_object")
    """The kinds of ``response_format`` that it takes."""
    replies: Callable[[dict[str, Any]], list[str]] | None = None
    """Makes the pieces from a request, in place of those above."""
    raw: bytes | None = None
    """What it sends in place of all events."""
    lengths: int | None = None
    """How many bytes it says that it will send."""
    repeats: bool = False
    """Whether it sends that again and again."""
    content_type: str = "text/event-stream"
    encoding: str = ""
    silent_before: int | None = None
    """The piece before which it falls silent, until the client goes or the server ends."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    """The bodies of all requests for a reply."""
    paths: list[str] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)
    """Set when a client went while the server was silent."""
    ended: threading.Event = field(default_factory=threading.Event)
    url: str = ""


class _Handler(BaseHTTPRequestHandler):
    chat: ChatServer

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.chat.paths.append(self.path)
        if self._is_let_in():
            self._send(200, {"object": "list", "data": [{"id": name} for name in self.chat.models]})

    def do_POST(self) -> None:
        self.chat.paths.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.chat.asked.append(body)
        status = self.chat.statuses.pop(0) if self.chat.statuses else 200
        form = body.get("response_format", {}).get("type")
        if not self._is_let_in():
            return
        if status == 0:
            self.close_connection = True
        elif status != 200:
            self._send(status, {"error": {"message": self.chat.error}}, self.chat.headers)
        elif form and form not in self.chat.formats:
            self._send(400, {"error": {"message": f"unknown response_format {form}"}})
        elif body["model"] not in self.chat.models:
            self._send(404, {"error": {"message": f"model {body['model']} not found"}})
        else:
            self._stream(self.chat.replies(body) if self.chat.replies else self.chat.pieces)

    def _is_let_in(self) -> bool:
        said = self.headers.get("Authorization", "")
        if self.chat.key and said != f"Bearer {self.chat.key}":
            self._send(401, {"error": {"message": f"Incorrect API key provided: {said}"}})
            return False
        return True

    def _send(self, status: int, document: object, headers: dict[str, str] | None = None) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, pieces: list[str]) -> None:
        if self.chat.silent_before == -1:  # not even a head
            self._fall_silent()
        self.send_response(200)
        self.send_header("Content-Type", self.chat.content_type)
        if self.chat.encoding:
            self.send_header("Content-Encoding", self.chat.encoding)
        if self.chat.lengths is not None:
            self.send_header("Content-Length", str(self.chat.lengths))
        self.end_headers()
        if self.chat.raw is not None:
            self.wfile.write(self.chat.raw)
            while self.chat.repeats and not self.chat.ended.wait(0.05):
                self.wfile.write(self.chat.raw)
            return
        for number, piece in enumerate(pieces):
            if number == self.chat.silent_before:
                self._fall_silent()
            self._event({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
        if self.chat.finish:
            self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": self.chat.finish}]})
            self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, document: object) -> None:
        self.wfile.write(f"data: {json.dumps(document)}\n\n".encode())
        self.wfile.flush()

    def _fall_silent(self) -> None:
        self.connection.settimeout(0.05)
        while not self.chat.ended.is_set():
            try:
                if not self.connection.recv(1):
                    self.chat.gone.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                self.chat.gone.set()
                return

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:  # the client went
            self.chat.gone.set()


@contextmanager
def chatting(server: ChatServer) -> Iterator[ChatServer]:
    """Start it, on a port of its own; ``url`` is the root of its API."""
    web = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"chat": server}))
    thread = threading.Thread(target=web.serve_forever, args=(0.02,))
    thread.start()
    server.url = f"http://127.0.0.1:{web.server_address[1]}/v1"
    try:
        yield server
    finally:
        server.ended.set()
        web.shutdown()
        thread.join()
        web.server_close()


WRITTEN = "Ann led the club in 1998 [1]."


def answerer_of(server: ChatServer, **changed: object) -> ServerAnswerer:
    return ServerAnswerer(ServerSettings.model_validate({"url": server.url, **changed}))


def stream(answerer: ServerAnswerer, evidence: Timeline = EVIDENCE) -> Iterator[str]:
    """What it writes in the mode ``direct``, which has no thoughts."""
    return cast("Iterator[str]", answerer.write(QUESTION, evidence, DRAFT))


def written(answerer: ServerAnswerer, evidence: Timeline = EVIDENCE) -> str:
    return "".join(stream(answerer, evidence))


def fault(answerer: ServerAnswerer) -> TimelensError:
    with pytest.raises(TimelensError) as error:
        written(answerer)
    assert "\n" not in error.value.message
    assert error.value.hint
    return error.value
