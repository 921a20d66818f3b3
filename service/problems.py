"""Every error of the service as a problem document (RFC 9457): the table of kinds, and the answer.

A problem's ``type`` leads to the list of codes, which is this table. Who looks at pages is told the
same on a page.
"""

import errno
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

import msgspec
import structlog
from flask import Flask, Response, make_response, render_template, request
from flask.typing import ResponseReturnValue
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

from dashboards.pages import unknown_page
from service.tracing import told_path
from warehouse.bucket import StoreUnreachableError

MEDIA_TYPE: Final = "application/problem+json"

_RETRY_SECONDS: Final = 10

_log = structlog.get_logger("web")

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
"""How the machine says that it has no room left for a file."""


class ProblemKind(Struct, frozen=True):
    """What all problems of a kind have in common."""

    status: HTTPStatus
    title: str


class ProblemDocument(Struct, frozen=True):
    """What went wrong with a request (RFC 9457). Further members name what was at fault.

    ``type`` leads to the list of codes and ends in ``#`` and the code. ``detail`` is about this
    very request, and ``instance`` is its path.
    """

    type: str
    title: str
    status: int
    detail: str
    instance: str


PROBLEMS: Final[dict[str, ProblemKind]] = {
    "bad-request": ProblemKind(HTTPStatus.BAD_REQUEST, "The request cannot be understood"),
    "bad-parameter": ProblemKind(HTTPStatus.BAD_REQUEST, "A query parameter is not right"),
    "bad-body": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, "The body is not the document wanted"),
    "bad-form": ProblemKind(HTTPStatus.BAD_REQUEST, "The form cannot be read"),
    "bad-idempotency-key": ProblemKind(
        HTTPStatus.BAD_REQUEST, "The Idempotency-Key is not one that is taken here"
    ),
    "empty-upload": ProblemKind(HTTPStatus.BAD_REQUEST, "The upload is empty"),
    "incomplete-upload": ProblemKind(HTTPStatus.BAD_REQUEST, "The upload broke off"),
    "no-key": ProblemKind(HTTPStatus.UNAUTHORIZED, "The request names no key"),
    "bad-key": ProblemKind(HTTPStatus.UNAUTHORIZED, "The key opens nothing"),
    "missing-scope": ProblemKind(HTTPStatus.FORBIDDEN, "The key may not do this"),
    "bad-csrf-token": ProblemKind(HTTPStatus.FORBIDDEN, "The page's token is missing or too old"),
    "cross-site": ProblemKind(HTTPStatus.FORBIDDEN, "The request comes from another site"),
    "not-found": ProblemKind(HTTPStatus.NOT_FOUND, "There is nothing here"),
    "method-not-allowed": ProblemKind(HTTPStatus.METHOD_NOT_ALLOWED, "The method is not allowed"),
    "upload-too-large": ProblemKind(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The upload is larger than allowed"
    ),
    "body-too-large": ProblemKind(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The document is larger than allowed"
    ),
    "unsupported-media": ProblemKind(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body is not of a kind that is read here"
    ),
    "bad-webhook": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, "A webhook may not lead there"),
    "too-many-webhooks": ProblemKind(
        HTTPStatus.CONFLICT, "The club has as many webhooks as it may have"
    ),
    "idempotency-key-reused": ProblemKind(
        HTTPStatus.UNPROCESSABLE_ENTITY, "The Idempotency-Key belongs to another request"
    ),
    "deleted-meanwhile": ProblemKind(HTTPStatus.CONFLICT, "The same bytes were just deleted"),
    "upload-deleted": ProblemKind(HTTPStatus.GONE, "The upload was deleted"),
    "not-a-contestant": ProblemKind(
        HTTPStatus.UNPROCESSABLE_ENTITY, "The hand is not one of those in conflict"
    ),
    "not-given-up": ProblemKind(HTTPStatus.CONFLICT, "The upload was not given up"),
    "unknown-player": ProblemKind(
        HTTPStatus.UNPROCESSABLE_ENTITY, "Nobody of this name has played"
    ),
    "alias-conflict": ProblemKind(HTTPStatus.CONFLICT, "The name cannot be merged"),
    "unknown-hands": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, "There are no such hands"),
    "not-audited": ProblemKind(HTTPStatus.CONFLICT, "The session is not audited as it stands"),
    "bad-expression": ProblemKind(
        HTTPStatus.UNPROCESSABLE_ENTITY, "The expression is not one that is taken"
    ),
    "statistic-taken": ProblemKind(HTTPStatus.CONFLICT, "A statistic of this id is there already"),
    "unreadable-hand": ProblemKind(
        HTTPStatus.UNPROCESSABLE_ENTITY, "This version does not read the stored hand"
    ),
    "rate-limited": ProblemKind(HTTPStatus.TOO_MANY_REQUESTS, "Too many requests"),
    "internal-error": ProblemKind(
        HTTPStatus.INTERNAL_SERVER_ERROR, "Something is wrong on our side"
    ),
    "not-ready": ProblemKind(HTTPStatus.SERVICE_UNAVAILABLE, "The service is not ready"),
    "storage-unreachable": ProblemKind(
        HTTPStatus.SERVICE_UNAVAILABLE, "The storage cannot be reached now"
    ),
    "too-many-streams": ProblemKind(
        HTTPStatus.SERVICE_UNAVAILABLE, "There is no room for another stream"
    ),
    "exports-busy": ProblemKind(
        HTTPStatus.SERVICE_UNAVAILABLE, "Too many exports are asked for at once"
    ),
    "storage-full": ProblemKind(HTTPStatus.INSUFFICIENT_STORAGE, "There is no room left"),
}
"""Every kind of problem by its code."""

_BY_STATUS: Final = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "upload-too-large",
    415: "unsupported-media",
}


def problem_type(code: str) -> str:
    """The ``type`` of a kind of problem."""
    return f"/api/v1/codes#{code}"


def problem(code: str, detail: str, **members: object) -> Response:
    """The answer that says what went wrong.

    Args:
        code: One of `PROBLEMS`.
        detail: What is wrong with this very request, for people.
        members: Extension members, such as the parameter at fault.
    """
    kind = PROBLEMS[code]
    return _document(problem_type(code), kind.status, kind.title, detail, members)


def _document(
    uri: str, status: int, title: str, detail: str, members: dict[str, object]
) -> Response:
    if prefers_page() and "HX-Request" not in request.headers:
        request_id = members.get("request_id")
        page = render_template("problem.html", title=title, detail=detail, request_id=request_id)
        return make_response(page, status)
    document = ProblemDocument(uri, title, int(status), detail, quote(request.path))
    body = msgspec.json.encode({**asdict(document), **members})
    return Response(body, status=status, mimetype=MEDIA_TYPE)


def handle_all(app: Flask) -> None:
    """Turns what Flask raises, and whatever we did not foresee, into problem documents."""
    app.register_error_handler(HTTPException, _http_problem)
    app.register_error_handler(StoreUnreachableError, _unreachable)
    app.register_error_handler(OperationalError, _unreachable)
    app.register_error_handler(OSError, _no_room)
    app.register_error_handler(Exception, _internal_problem)


def prefers_page() -> bool:
    """Whether the request comes from somebody who looks at pages, and not for the API."""
    offered = [MEDIA_TYPE, "text/html"]
    wanted = request.accept_mimetypes.best_match(offered)
    return wanted == "text/html" and not request.path.startswith("/api/")


def _http_problem(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if status < HTTPStatus.BAD_REQUEST:
        return error  # a redirection
    allowed = sorted(getattr(error, "valid_methods", None) or [])
    members: dict[str, object] = {"allowed": allowed} if allowed else {}
    if status == HTTPStatus.NOT_FOUND and prefers_page():
        return unknown_page()
    code = _BY_STATUS.get(status)
    if code is None:
        title = HTTPStatus(status).phrase
        return _document("about:blank", status, title, error.description or title, members)
    response = problem(code, _detail(code, error), **members)
    if allowed:
        response.headers["Allow"] = ", ".join(allowed)
    return response


def _detail(code: str, error: HTTPException) -> str:
    if code == "not-found":
        return f"Nothing is at {request.path}."
    if code == "method-not-allowed":
        return f"{request.path} does not take {request.method}."
    return error.description or PROBLEMS[code].title


def _unreachable(error: Exception) -> Response:
    _log.error("storage cannot be reached", path=told_path(request.path), error=str(error)[:500])
    detail = "The records or the store of objects do not answer. Ask again later."
    response = problem("storage-unreachable", detail)
    response.headers["Retry-After"] = str(_RETRY_SECONDS)
    return response


def _no_room(error: OSError) -> Response:
    if error.errno not in NO_ROOM:
        return _internal_problem(error)
    return problem("storage-full", "There is no room left for what this has to write.")


def _internal_problem(error: Exception) -> Response:
    _log.exception("request failed", path=told_path(request.path), error=type(error).__name__)
    detail = "The request could not be answered. It is logged under its request id."
    return problem("internal-error", detail, request_id=request.environ.get("retourne.request_id"))
