"""A receiver of webhooks: a real HTTP server that checks each message's signature as docs say."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct, field


class Message(Struct):
    """One message as it came."""

    id: str
    timestamp: int
    signatures: list[str]
    body: bytes
    path: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self.body)

    def is_signed_by(self, secret: str) -> bool:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.id}.{self.timestamp}.".encode() + self.body
        made = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return f"v1,{made}" in self.signatures


class Receiver(Struct):
    """What came to `url`. It answers by `answers`, one after the other, the last one for ever."""

    url: str
    answers: list[int]
    messages: list[Message] = field(default_factory=list)
    location: str | None = None
    hold: threading.Event | None = None  # until it is set, no answer is given


@contextmanager
def receiving(*answers: int) -> Iterator[Receiver]:
    receiver = Receiver("", list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.messages.append(
                Message(
                    self.headers["webhook-id"],
                    int(self.headers["webhook-timestamp"]),
                    self.headers["webhook-signature"].split(" "),
                    body,
                    self.path,
                )
            )
            if receiver.hold is not None:
                receiver.hold.wait(60)
            left = receiver.answers
            self.send_response(left.pop(0) if len(left) > 1 else left[0])
            if receiver.location is not None:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - its own names
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook?of=club"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield receiver
    if receiver.hold is not None:
        receiver.hold.set()
    server.shutdown()
    server.server_close()
    thread.join()
