"""A server on this machine that hands out one file, as well or as badly as it is told to."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class FileServer:
    """What it hands out and how. A model hub answers with a redirection that states size and hash."""

    content: bytes
    states_hash: bool = True
    hash_stated: str | None = None
    """Another than the true one."""
    takes_ranges: bool = True
    breaks_after: list[int] = field(default_factory=list)
    """For each of the next answers the bytes after which the connection breaks."""
    statuses: list[int] = field(default_factory=list)
    """For each of the next requests an error to answer with."""
    redirects_to: str | None = None
    says_length: bool = True
    asked: list[str] = field(default_factory=list)
    """The ranges of all requests for the file itself; empty where there was none."""
    url: str = ""

    @property
    def sha256(self) -> str:
        """Of the content."""
        return hashlib.sha256(self.content).hexdigest()


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
                self.send_header("Location", server.redirects_to or "/file")
                if server.states_hash:
                    self.send_header("X-Linked-ETag", f'"{server.hash_stated or server.sha256}"')
                self.send_header("Content-Length", "0")
                self.end_headers()

        def _send_file(self) -> None:
            wanted = self.headers.get("Range", "")
            server.asked.append(wanted)
            start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
            size = len(server.content)
            if wanted and server.takes_ranges:
                if start >= size:
                    self.send_error(416)
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
            else:
                start = 0
                self.send_response(200)
            if server.says_length:
                self.send_header("Content-Length", str(size - start))
            self.end_headers()
            most = server.breaks_after.pop(0) if server.breaks_after else size
            self.wfile.write(server.content[start : start + most])

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
