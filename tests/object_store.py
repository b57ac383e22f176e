"""A real S3 server on loopback for the tests, and a gate before it that can be shut."""

import socket
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

SERVER = Path(sys.prefix) / "object-store" / "bin" / "moto_server"
_COMMAND = [SERVER.with_name("python"), Path(__file__).with_name("s3_server.py")]
BUCKET = "timelens"
KEY, SECRET = "AKIAOFTHETESTS000000", "a-secret-of-the-tests"


@dataclass(slots=True)
class ObjectStore:
    """A server, whose objects are gone when it stops."""

    process: "subprocess.Popen[bytes]"
    url: str
    names: int = 0

    @classmethod
    def started(cls) -> "ObjectStore":
        port = free_port()
        process = subprocess.Popen(
            [*_COMMAND, "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        store = cls(process, f"http://127.0.0.1:{port}")
        deadline = time.monotonic() + 60
        while True:
            with suppress(OSError):
                store.request(f"/{BUCKET}", "PUT")
                return store
            assert process.poll() is None, "the S3 server ended"
            assert time.monotonic() < deadline, "the S3 server does not answer"
            time.sleep(0.02)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def request(self, path: str, method: str, data: bytes | None = None) -> bytes:
        asked = urllib.request.Request(
            self.url + path, data, {"Content-Type": "application/octet-stream"}, method=method
        )
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return bytes(answer.read())

    def refuse_keys(self, *, refuse: bool) -> None:
        """Whether keys that the server does not know are refused, which are all; at first none is."""
        self.request("/moto-api/reset-auth", "POST", b"0" if refuse else b"inf")

    def corpus(self) -> str:
        """An address where no corpus is yet."""
        self.names += 1
        return f"s3://{BUCKET}/corpora/{self.names}"

    def environment(self, url: str | None = None) -> dict[str, str]:
        """What a process needs to get there."""
        return {
            "AWS_ENDPOINT_URL": url or self.url,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }


@dataclass(slots=True)
class Gate:
    """A port that leads to a server until it is shut: connections are cut then, and new ones are refused."""

    target: int
    port: int = 0
    passed: int = 0
    """Bytes that went to the server."""
    _listener: socket.socket | None = None
    _open: list[socket.socket] = field(default_factory=list)

    def open(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port), reuse_port=False)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        if self._listener is not None:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                caller, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                self._open += [caller, server]
                for one, other in ((caller, server), (server, caller)):
                    threading.Thread(target=self._pump, args=(one, other, one is caller), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, counted: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
                self.passed += len(data) * counted
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
