"""What may go wrong between a client and the service, each kind with an exception of its own."""

import http.client
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec

from service.client.documents import SessionVerdict, Upload

_MEMBERS: Final = frozenset({"type", "title", "status", "detail", "instance"})


class RetourneError(Exception):
    """The base of all errors of the client."""


class UnreachableError(RetourneError):
    """The service gave no answer."""


class UnexpectedAnswerError(RetourneError):
    """What answered does not answer as the service does."""


class ChangedError(RetourneError):
    """What was to be sent changed meanwhile: other bytes arrived than were to be sent."""


class WaitTimeoutError(RetourneError):
    """What was waited for was not finished in time. ``seen`` is how it was seen last."""

    def __init__(self, seen: Upload | SessionVerdict | None, seconds: float) -> None:
        super().__init__(f"It was not finished within {seconds:g} seconds.")
        self.seen = seen


class ProblemError(RetourneError):
    """The service answered with a problem document (RFC 9457).

    Attributes:
        status: The HTTP status.
        code: The kind of problem, such as ``bad-parameter``.
        title: The kind in words.
        detail: What is wrong with this very request.
        members: The further members, which name what was at fault.
        request_id: Under which the service has it in its log.
        retry_after: Seconds after which to come again, where the service says so.
    """

    def __init__(
        self,
        status: int,
        document: Mapping[str, Any],
        *,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.code = str(document.get("type", "about:blank")).rpartition("#")[2]
        self.title = str(document.get("title", ""))
        self.detail = str(document.get("detail", ""))
        self.members = {name: one for name, one in document.items() if name not in _MEMBERS}
        self.request_id = request_id
        self.retry_after = retry_after
        super().__init__(f"{self.detail or self.title} ({self.code}, {status})")


class RefusedError(ProblemError):
    """The request is not one that the service takes; sent again it would be refused again."""


class AccessError(RefusedError):
    """There is no key, or the key does not allow this."""


class MissingError(RefusedError):
    """There is nothing of this name."""


class RateLimitedError(ProblemError):
    """Too many requests in too short a time."""


class UnavailableError(ProblemError):
    """Something is wrong on the side of the service."""


def problem_error(
    status: int, body: bytes, *, request_id: str | None, retry_after: float | None
) -> ProblemError:
    """The exception of an answer that is no success, whether or not it is a problem document."""
    try:
        read = msgspec.json.decode(body)
    except msgspec.DecodeError:
        read = None
    document = read if isinstance(read, dict) and "title" in read else _bare(status)
    kind = _kind(status)
    return kind(status, document, request_id=request_id, retry_after=retry_after)


def _bare(status: int) -> dict[str, str]:
    """The problem of an answer that says none, as proxies give."""
    return {"type": "about:blank", "title": http.client.responses.get(status, "No success")}


def _kind(status: int) -> type[ProblemError]:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return AccessError
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return MissingError
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimitedError
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
        return UnavailableError
    return RefusedError
