"""Server-sent events: one connection that is told of a thing whenever it changes, until it is over.

A stream takes a thread for as long as it is open. So a process has only so many of them, each ends
after a while, and its client goes on where it was by connecting again.
"""

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Final, Literal

import msgspec
from flask import Flask, Response, current_app, request, stream_with_context
from msgspec import Struct

from dashboards.house import house
from service.problems import problem
from warehouse.settings import Settings

MEDIA_TYPE: Final = "text/event-stream"


class StreamEvent(Struct, frozen=True, omit_defaults=True):
    """One of the events of a stream. ``data`` is JSON.

    That of ``progress`` is the thing as it is shown otherwise, that of ``end`` has its last
    ``status``.
    """

    event: Literal["progress", "end"]
    data: str
    id: str | None = None


_RETRY: Final = 2_000  # milliseconds after which a client that lost its stream comes again
_LOOK: Final = 0.4  # seconds between two looks at the thing
_KEEP_ALIVE: Final = 3.0  # seconds of silence; only by writing is it seen that a client is gone
_FULL_FOR: Final = 10  # seconds after which somebody who was turned away may try again

_stopping: Final[list[Callable[[], bool]]] = []


class Seen(Struct, frozen=True):
    """A thing as it stands: its document, None where it is gone, and how it ended, if it has."""

    document: Struct | None
    over: str | None


class Streams:
    """The streams of one process. No club has more than half of them."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def begin(self, club: str) -> bool:
        """Take a place for a stream of a club; tell whether there was one."""
        with self._lock:
            if self._open.total() >= self.most or self._open[club] >= (self.most + 1) // 2:
                return False
            self._open[club] += 1
            return True

    def end(self, club: str) -> None:
        """Give a place back."""
        with self._lock:
            self._open[club] -= 1


def keep_streams(app: Flask, settings: Settings) -> None:
    """Give an app its streams."""
    app.extensions["streams"] = Streams(settings.max_streams, settings.stream_seconds)


def end_streams_when(stopping: Callable[[], bool]) -> None:
    """Have every stream of this process end as soon as the process is to stop."""
    _stopping.append(stopping)


def stream(look: Callable[[], Seen]) -> Response:
    """Tell the client of the request of every change, from what it knows already to the end.

    Args:
        look: finds out how the thing stands now; it is called within the request's context.
    """
    streams: Streams = current_app.extensions["streams"]
    club = house().club
    if not streams.begin(club):
        detail = f"A process has {streams.most} streams, half of them for one club; all are taken."
        full = problem("too-many-streams", detail, allowed=streams.most)
        full.headers["Retry-After"] = str(_FULL_FOR)
        return full
    known = request.headers.get("Last-Event-ID", "")
    try:
        response = Response(
            stream_with_context(_events(streams, look, known)),
            status=HTTPStatus.OK,
            mimetype=MEDIA_TYPE,
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
    except BaseException:
        streams.end(club)
        raise
    response.call_on_close(lambda: streams.end(club))
    return response


def _events(streams: Streams, look: Callable[[], Seen], known: str) -> Iterator[bytes]:
    begun = spoken = time.monotonic()
    yield b"retry: %d\n\n" % _RETRY
    while True:
        seen = look()
        document = msgspec.json.encode(seen.document)
        revision = hashlib.sha256(document).hexdigest()[:16]
        now = time.monotonic()
        if revision != known and seen.document is not None:
            yield _event("progress", document, revision)
            known, spoken = revision, now
        if seen.over is not None:
            yield _event("end", msgspec.json.encode({"status": seen.over}))
            return
        if any(asked() for asked in _stopping) or now - begun >= streams.seconds:
            return
        if now - spoken >= _KEEP_ALIVE:
            yield b":\n\n"
            spoken = now
        time.sleep(_LOOK)


def _event(name: str, data: bytes, revision: str | None = None) -> bytes:
    mark = b"" if revision is None else b"id: %b\n" % revision.encode()
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), mark, data)
