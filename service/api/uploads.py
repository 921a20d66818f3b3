"""Uploads: taking one in, and saying how far its audit is."""

import datetime as dt
import errno
from http import HTTPStatus
from typing import Annotated, Any, Final

import structlog
from flask import Response, request, url_for
from msgspec import Meta, Raw, Struct

from schemas.document import Hand
from schemas.session import Session
from service import streaming, tracing
from service.api.answers import (
    CURSOR,
    Cursor,
    Limit,
    PageQuery,
    bad_parameter,
    store,
    warehouse,
    written,
)
from service.api.body import BodyRefusedError, body_chunks, check_headers
from service.api.operations import Reply, operation
from service.problems import problem
from warehouse.conditions import UploadId
from warehouse.cursors import BadCursor
from warehouse.records import UNFINISHED, Conflict, Problem, Status, Upload
from warehouse.upload_search import UploadConditions, UploadSort, conditions_of
from workers.sending import send_audit

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)

_BODY: Final[dict[str, tuple[Any, ...]]] = {
    "application/json": (Hand, list[Hand], Session),
    "application/x-ndjson": (Annotated[str, Meta(description="A hand a line.")],),
    "application/octet-stream": (
        Annotated[
            Raw,
            Meta(
                description="Any of these, plain or packed by gzip or zstd.",
                extra_json_schema={"type": "string", "format": "binary"},
            ),
        ],
    ),
}

_log = structlog.get_logger("web")


class Failure(Struct, frozen=True):
    """Why an upload was given up, or why its last attempt failed."""

    code: str
    detail: str | None


class Counts(Struct, frozen=True):
    """What became of the hands read so far. Conflicts count among the verdicts as well."""

    hands: int
    legal: int
    illegal: int
    unverifiable: int
    duplicates: int
    unreadable: int
    conflicts: int


class UploadDocument(Struct, frozen=True):
    """An upload as it stands.

    ``progress`` is the part of its bytes that is audited and published, 0 to 1; ``bytes_read`` and
    ``size`` are in bytes as they were sent.
    """

    id: str
    name: str | None
    status: Status
    size: int
    bytes_read: int
    progress: float
    counts: Counts
    problems: int
    attempts: int
    failure: Failure | None
    received_at: dt.datetime
    finished_at: dt.datetime | None
    links: dict[str, str]


class UploadPage(Struct, frozen=True):
    """Uploads that meet all conditions, in the order asked for; ``next`` leads on."""

    uploads: list[UploadDocument]
    next: str | None


class ProblemPage(Struct, frozen=True):
    """Hands that could not be read, in their order in the upload."""

    problems: list[Problem]
    next: str | None


class ConflictPage(Struct, frozen=True):
    """Hands whose identity another hand had first."""

    conflicts: list[Conflict]
    next: str | None


class PostQuery(Struct):
    """What may be said of an upload beside its bytes."""

    name: (
        Annotated[str, Meta(title="What to call the upload.", min_length=1, max_length=200)] | None
    ) = None


class UploadsQuery(UploadConditions, omit_defaults=True):
    """The conditions on an upload, to be met all together, and the order of the list."""

    sort: Annotated[
        UploadSort, Meta(title="By what the list is ordered, and whether downwards (`-`).")
    ] = "-received_at"
    limit: Limit = 50
    cursor: Cursor | None = None


class ProblemsQuery(PageQuery):
    """Where to go on in the list of an upload's problems."""

    cursor: Annotated[str, CURSOR, Meta(pattern="^[0-9]{1,18}$")] | None = None


class ConflictsQuery(PageQuery):
    """Where to go on in the list of an upload's conflicts."""

    cursor: Annotated[str, CURSOR, Meta(pattern="^[0-9a-f]{24}$")] | None = None


@operation(
    "POST",
    "/api/v1/uploads",
    scope="upload",
    body=_BODY,
    statuses={
        HTTPStatus.ACCEPTED: "The upload is safe on the disk; its audit follows.",
        HTTPStatus.OK: "The same bytes were sent before, and their audit is over.",
    },
    headers={"Location": "The address of the upload."},
    problems=(
        "cross-site",
        "empty-upload",
        "incomplete-upload",
        "storage-full",
        "unsupported-media",
        "upload-too-large",
    ),
)
def post_upload(query: PostQuery) -> Reply[UploadDocument] | Response:
    """Take an upload in.

    It is on the disk and in the records before the answer, and is audited after it. Its type does
    not matter: what it holds is seen from its bytes. Hands that cannot be read are no fault of the
    request; they are among the upload's problems.
    """
    if request.headers.get("Sec-Fetch-Site", "none") == "cross-site":
        return problem("cross-site", "A page of another site may not send uploads here.")
    limit = store().settings.max_upload_bytes
    refused = check_headers(limit)
    if refused is not None:
        return refused
    try:
        blob = store().blobs.store(body_chunks(limit))
    except BodyRefusedError as refusal:
        return refusal.answer
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        return problem("storage-full", "The upload could not be written. Nothing was kept.")
    now = dt.datetime.now(dt.UTC)
    upload = store().records.receive(blob, query.name, now, request_id=tracing.request_id())
    structlog.contextvars.bind_contextvars(upload=upload.id)
    waiting = upload.status in UNFINISHED
    if waiting and not send_audit(store(), upload.id):
        _log.warning("broker cannot be reached")  # the sweeper sends it
    document = _document(upload)
    status = HTTPStatus.ACCEPTED if waiting else HTTPStatus.OK
    return Reply(document, status, {"Location": document.links["self"]})


@operation("GET", "/api/v1/uploads", scope="read")
def list_uploads(query: UploadsQuery) -> UploadPage | Response:
    """List the uploads that meet all conditions, the newest first unless asked otherwise."""
    found = warehouse().search_uploads(
        conditions_of(query), sort=query.sort, limit=query.limit, cursor=query.cursor
    )
    if isinstance(found, BadCursor):
        return bad_parameter("cursor", found.expected, found.seen)
    following = None
    if found.next_cursor is not None:
        following = url_for("api.list_uploads", **{**written(query), "cursor": found.next_cursor})
    return UploadPage([_document(upload) for upload in found.uploads], following)


@operation("GET", "/api/v1/uploads/<upload_id>", scope="read", problems=("not-found",))
def show_upload(upload_id: UploadId) -> UploadDocument | Response:
    """Show one upload: status, progress, counts."""
    found = _find(upload_id)
    return found if isinstance(found, Response) else _document(found)


@operation(
    "GET",
    "/api/v1/uploads/<upload_id>/events",
    scope="read",
    media=streaming.MEDIA_TYPE,
    statuses={HTTPStatus.OK: "The stream."},
    problems=("not-found", "too-many-streams"),
)
def follow_upload(upload_id: UploadId) -> streaming.EventStream | Response:
    """Follow an upload by server-sent events.

    An event `progress` has the upload as its data, as it is shown otherwise; it is sent at once and
    whenever anything in it changes, with a revision as its id. An event `end` is the last: the
    upload is done, failed or quarantined, or it is gone. A stream that ends without it is to be
    opened anew; with its last id in the header `Last-Event-ID` it goes on where it was.
    """
    found = _find(upload_id)
    if isinstance(found, Response):
        return found
    records = store().records

    def look() -> streaming.Seen:
        upload = records.upload(upload_id)
        if upload is None:
            return streaming.Seen(None, "gone")
        over = None if upload.status in UNFINISHED else upload.status
        return streaming.Seen(_document(upload), over)

    return streaming.stream(look)


@operation("GET", "/api/v1/uploads/<upload_id>/problems", scope="read", problems=("not-found",))
def list_problems(upload_id: UploadId, query: ProblemsQuery) -> ProblemPage | Response:
    """List the hands of an upload that could not be read, each with its place."""
    found = _find(upload_id)
    if isinstance(found, Response):
        return found
    problems = warehouse().records.problems(found.id, query.limit + 1, int(query.cursor or 0))
    shown = problems[: query.limit]
    following = None
    if len(problems) > len(shown):
        following = url_for(
            "api.list_problems", upload_id=found.id, limit=query.limit, cursor=shown[-1].ordinal
        )
    return ProblemPage(shown, following)


@operation("GET", "/api/v1/uploads/<upload_id>/conflicts", scope="read", problems=("not-found",))
def list_conflicts(upload_id: UploadId, query: ConflictsQuery) -> ConflictPage | Response:
    """List the hands of an upload whose identity another hand had first."""
    found = _find(upload_id)
    if isinstance(found, Response):
        return found
    conflicts = warehouse().records.conflicts(found.id, query.limit + 1, query.cursor or "")
    shown = conflicts[: query.limit]
    following = None
    if len(conflicts) > len(shown):
        following = url_for(
            "api.list_conflicts", upload_id=found.id, limit=query.limit, cursor=shown[-1].hand_id
        )
    return ConflictPage(shown, following)


def _find(upload_id: str) -> Upload | Response:
    found = warehouse().records.upload(upload_id)
    if found is not None:
        return found
    detail = "There is no such upload. An upload is named by the SHA-256 of its bytes."
    return problem("not-found", detail, upload=upload_id[:100])


def _document(upload: Upload) -> UploadDocument:
    done = upload.status == "done"
    failure = None
    if upload.failure_code is not None:
        failure = Failure(upload.failure_code, upload.failure_detail)
    return UploadDocument(
        id=upload.id,
        name=upload.name,
        status=upload.status,
        size=upload.size,
        bytes_read=upload.bytes_read,
        progress=1.0 if done else round(min(1.0, upload.bytes_read / upload.size), 4),
        counts=Counts(
            hands=upload.hands,
            legal=upload.legal,
            illegal=upload.illegal,
            unverifiable=upload.unverifiable,
            duplicates=upload.duplicates,
            unreadable=upload.unreadable,
            conflicts=upload.conflicts,
        ),
        problems=upload.unreadable,
        attempts=upload.attempts,
        failure=failure,
        received_at=upload.received_at,
        finished_at=upload.finished_at,
        links={
            "self": url_for("api.show_upload", upload_id=upload.id),
            "problems": url_for("api.list_problems", upload_id=upload.id),
            "conflicts": url_for("api.list_conflicts", upload_id=upload.id),
            "hands": url_for("api.list_hands", upload=upload.id),
            "page": url_for("pages.upload", upload_id=upload.id),
        },
    )
