"""The id of a request: in every log line of it and in its answer. And the line of each request.

A client may choose the id by the header ``X-Request-Id``.
"""

import re
import time
import uuid
from http import HTTPStatus
from typing import Final

import structlog
from flask import Flask, Response, request

HEADER: Final = "X-Request-Id"

_GIVEN: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_ID: Final = "retourne.request_id"
_SHARED: Final = "/shared/"
_BEGUN: Final = "retourne.begun"

_log = structlog.get_logger("web")


def trace(app: Flask) -> None:
    """Gives every request of the app an id and a line in the log."""
    app.before_request(_begin)
    app.after_request(_end)


def request_id() -> str:
    """The id of the request that is being answered."""
    found: str = request.environ[_ID]
    return found


def seconds() -> float:
    """How long the request has been worked on."""
    begun: float = request.environ[_BEGUN]
    return time.monotonic() - begun


def _begin() -> None:
    given = request.headers.get(HEADER, "")
    request.environ[_ID] = given if _GIVEN.fullmatch(given) else uuid.uuid4().hex
    request.environ[_BEGUN] = time.monotonic()
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=request_id())


def told_path(path: str) -> str:
    """A request's path as the log may tell it: without what opens a shared hand."""
    return f"{_SHARED}…" if path.startswith(_SHARED) else path


def _end(response: Response) -> Response:
    response.headers[HEADER] = request.environ[_ID]
    took = round(1000 * seconds(), 1)
    routine = request.method in ("GET", "HEAD") and response.status_code < HTTPStatus.BAD_REQUEST
    say = _log.debug if routine else _log.info
    say(
        "request",
        method=request.method,
        path=told_path(request.path),
        status=response.status_code,
        milliseconds=took,
    )
    return response
