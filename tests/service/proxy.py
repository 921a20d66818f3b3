"""A proxy in front of the real service that does to a request what a test has scripted for it."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from tests.service.client import ask

BREAK_OFF = 0
"""Instead of a status: the connection is closed without an answer."""


class Proxy(ThreadingHTTPServer):
    """Answers with what is in ``script``, first to last, and hands on what comes after.

    ``script`` has statuses, or `BREAK_OFF`. ``seen`` are the requests: method, path, headers, and
    the number of bytes in the body. What contains a text of ``missing`` is answered 404, and what
    is at a path of ``answers`` with the JSON there.
    """

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = target
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.script: list[int] = []
        self.answer_headers = {"Retry-After": "0"}
        self.missing: list[str] = []
        self.answers: dict[str, bytes] = {}
        self.seen: list[tuple[str, str, dict[str, str], int]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"

    def _pass_on(self) -> None:
        body = self._body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.command, self.path, headers, len(body)))
        scripted = self.server.script.pop(0) if self.server.script else None
        if any(text in self.path for text in self.server.missing):
            scripted = 404
        if scripted == BREAK_OFF:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if scripted is not None:
            self._answer(scripted, self.server.answer_headers, b"busy")
            return
        if self.path in self.server.answers:
            self._answer(200, {"Content-Type": "application/json"}, self.server.answers[self.path])
            return
        kept = ("Authorization", "Idempotency-Key", "Content-Type", "Accept")
        passed = {name: headers[name.lower()] for name in kept if name.lower() in headers}
        answer = ask(self.server.target, self.command, self.path, body or None, passed)
        self._answer(answer.status, {"Content-Type": answer.headers["content-type"]}, answer.body)

    do_GET = do_POST = _pass_on  # noqa: N815 - the names that the library calls

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Says nothing."""


@contextmanager
def proxied(target: str) -> Iterator[Proxy]:
    """A proxy while the block runs."""
    with Proxy(target) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
