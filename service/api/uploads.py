"""Uploads: taking one in, and saying how far its audit is."""

import datetime as dt
import hashlib
import re
from http import HTTPStatus
from typing import Annotated, Any, Final

import msgspec
import structlog
from flask import Response, request, url_for
from msgspec import Meta, Raw, Struct

from schemas.dialects import PLAIN, TRAITS, dialect_named
from schemas.document import Hand
from schemas.errors import clip
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
from service.api.forms import MEDIA_TYPE, form_files
from service.api.operations import Reply, operation
from service.problems import NO_ROOM, problem
from warehouse.arrivals import Refusal, Repeatable
from warehouse.conditions import UploadId
from warehouse.cursors import BadCursor
from warehouse.records import UNFINISHED, Arrived, Conflict, Problem, Status, Upload
from warehouse.upload_search import UploadConditions, UploadSort, conditions_of
from warehouse.uploaded import AUTO, Reading, read_reading
from workers.sending import send_audit

_IDEMPOTENCY_KEY: Final = "Idempotency-Key"
_KEY_PATTERN: Final = "^[!-~]{1,200}$"
_TAKES: Final[dict[str, dict[str, Any]]] = {
    _IDEMPOTENCY_KEY: {
        "type": "string",
        "pattern": _KEY_PATTERN,
        "description": (
            "The request's own key. Sent again with it within 24 hours, the request is answered"
            " with the uploads of the first time; with another request, the key is refused."
        ),
    }
}
_FILES: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"file": {"type": "array", "items": {"type": "string", "format": "binary"}}},
    "required": ["file"],
}
_BODY: Final[dict[str, tuple[Any, ...]]] = {
    "application/json": (Hand, list[Hand], Session),
    "application/x-ndjson": (Annotated[str, Meta(description="A hand a line.")],),
    "application/octet-stream": (
        Annotated[
            Raw,
            Meta(
                description=(
                    "Any of these, plain or packed by gzip or zstd, or a ZIP of such files; or, in"
                    " a dialect, what another client writes."
                ),
                extra_json_schema={"type": "string", "format": "binary"},
            ),
        ],
    ),
    MEDIA_TYPE: (
        Annotated[
            Raw,
            Meta(
                description="Files alone, under any names. Each becomes an upload of its own.",
                extra_json_schema=_FILES,
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

    ``sha256`` is that of its bytes, and ``id`` too unless a ``dialect`` was asked for; then
    ``reading`` says what was found of it. ``progress`` is the part of its bytes that is audited and
    published, 0 to 1; ``bytes_read`` and ``size`` are in bytes as they were sent.
    """

    id: str
    sha256: str
    name: str | None
    dialect: str | None
    reading: Reading | None
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


class SentUploads(Struct, frozen=True):
    """The uploads that a form's files have become, in their order."""

    uploads: list[UploadDocument]


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
    dialect: (
        Annotated[
            str,
            Meta(
                title=(
                    "How its hands are written, if not as hand documents; `auto` tells it of each"
                    " hand."
                ),
                description="auto, v1, or traits of a dialect joined by +",
                min_length=1,
                max_length=60,
            ),
        ]
        | None
    ) = None


class UploadsQuery(UploadConditions, frozen=True, omit_defaults=True):
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
        HTTPStatus.OK: "The same was sent before, and its audit is over.",
    },
    headers={"Location": "The address of the upload; of a form's, that of the first."},
    takes=_TAKES,
    problems=(
        "bad-form",
        "bad-idempotency-key",
        "cross-site",
        "deleted-meanwhile",
        "empty-upload",
        "idempotency-key-reused",
        "incomplete-upload",
        "storage-full",
        "unsupported-media",
        "upload-deleted",
        "upload-too-large",
    ),
)
def post_upload(query: PostQuery) -> Reply[UploadDocument | SentUploads] | Response:
    """Take an upload in, or all files of a form.

    It is on the disk and in the records before the answer, and is audited after it. Its type does
    not matter: what it holds is seen from its bytes. Hands that cannot be read are no fault of the
    request; they are among the upload's problems. Of a form, all files are taken or none.
    """
    if request.headers.get("Sec-Fetch-Site", "none") == "cross-site":
        return problem("cross-site", "A page of another site may not send uploads here.")
    asked = _asked(query)
    if isinstance(asked, Response):
        return asked
    refused = check_headers(store().settings.max_upload_bytes)
    if refused is not None:
        return refused
    try:
        taken = _take(asked)
    except BodyRefusedError as refusal:
        return refusal.answer()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        return problem("storage-full", "The upload could not be written. Nothing was kept.")
    return taken if isinstance(taken, Response) else _taken(taken, as_list=asked.is_form)


class _Asked(Struct, frozen=True):
    """What a request says of its upload beside its bytes."""

    name: str | None
    dialect: str | None
    key: str | None
    is_form: bool

    def repeatable(self, arrived: list[Arrived]) -> Repeatable | None:
        """The request as one that may come again, if it has a key."""
        if self.key is None:
            return None
        said = [self.dialect, self.is_form, [[one.name, one.blob.sha256] for one in arrived]]
        return Repeatable(self.key, hashlib.sha256(msgspec.json.encode(said)).hexdigest())


def _asked(query: PostQuery) -> _Asked | Response:
    is_form = request.mimetype == MEDIA_TYPE
    if is_form and query.name is not None:
        return bad_parameter("name", "absent, since the files of a form have names", query.name)
    dialect = query.dialect
    if dialect not in (None, AUTO):
        named = dialect_named(dialect.replace(" ", "+"))  # a plus that a client did not escape
        if named is None:
            expected = "auto, v1, or traits joined by +, no two of one kind"
            return bad_parameter("dialect", expected, dialect, allowed=[AUTO, PLAIN, *TRAITS])
        dialect = named.name
    key = request.headers.get(_IDEMPOTENCY_KEY)
    if key is not None and re.fullmatch(_KEY_PATTERN, key) is None:
        detail = f"{_IDEMPOTENCY_KEY} takes 1 to 200 visible characters of ASCII."
        return problem("bad-idempotency-key", detail, seen=clip(key))
    return _Asked(query.name, dialect, key, is_form)


def _take(asked: _Asked) -> list[Upload] | Response:
    """Bring all that is in the request's body to the disk and into the records."""
    settings, arrivals = store().settings, store().arrivals
    said = (asked.dialect, tracing.request_id())
    now = dt.datetime.now(dt.UTC)
    with store().blobs.gathering() as gathering:
        if asked.is_form:
            files = form_files(settings.max_upload_bytes, settings.max_form_parts)
            arrived = [Arrived(gathering.gather(one.chunks), one.name, *said) for one in files]
        else:
            blob = gathering.gather(body_chunks(settings.max_upload_bytes))
            arrived = [Arrived(blob, asked.name, *said)]
        repeatable = asked.repeatable(arrived)
        refusal = None if repeatable is None else arrivals.refusal(repeatable, now)
        if refusal is not None:
            return _refused(refusal)
        gathering.keep()
    recorded = arrivals.record(arrived, repeatable, now)
    return recorded if isinstance(recorded, list) else _refused(recorded)


def _refused(refusal: Refusal) -> Response:
    if refusal == "vanished":
        detail = "An upload of the same bytes was deleted while these came. Send them again."
        return problem("deleted-meanwhile", detail)
    if refusal == "deleted":
        detail = (
            "This request was taken before under its key, and what it brought was deleted since."
        )
        return problem("upload-deleted", detail)
    detail = (
        "This key came with another request less than 24 hours ago. Give every request its own."
    )
    return problem("idempotency-key-reused", detail)


def _taken(uploads: list[Upload], *, as_list: bool) -> Reply[UploadDocument | SentUploads]:
    """The answer to what is in the records now, once its audit is asked for."""
    named = [upload.id for upload in uploads]
    brought: dict[str, Any] = {"uploads": named} if as_list else {"upload": named[0]}
    structlog.contextvars.bind_contextvars(**brought)  # for the request's line in the log
    waiting = [upload for upload in uploads if upload.status in UNFINISHED]
    for upload in waiting:
        with structlog.contextvars.bound_contextvars(upload=upload.id):
            if not send_audit(store(), upload.id):
                _log.warning("broker cannot be reached")  # the sweeper sends it
    documents = [_document(upload) for upload in uploads]
    status = HTTPStatus.ACCEPTED if waiting else HTTPStatus.OK
    document = SentUploads(documents) if as_list else documents[0]
    return Reply(document, status, {"Location": documents[0].links["self"]})


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
    media=(streaming.MEDIA_TYPE,),
    statuses={HTTPStatus.OK: "The stream."},
    problems=("not-found", "too-many-streams"),
)
def follow_upload(upload_id: UploadId) -> streaming.StreamEvent | Response:
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
    detail = "There is no such upload. What an upload is called is in the answer to it."
    return problem("not-found", detail, upload=upload_id[:100])


def _document(upload: Upload) -> UploadDocument:
    done = upload.status == "done"
    failure = None
    if upload.failure_code is not None:
        failure = Failure(upload.failure_code, upload.failure_detail)
    return UploadDocument(
        id=upload.id,
        sha256=upload.blob,
        name=upload.name,
        dialect=upload.dialect,
        reading=read_reading(upload.reading),
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
            "original": url_for("api.show_upload_original", upload_id=upload.id),
            "problems": url_for("api.list_problems", upload_id=upload.id),
            "conflicts": url_for("api.list_conflicts", upload_id=upload.id),
            "hands": url_for("api.list_hands", upload=upload.id),
            "sessions": url_for("api.list_sessions", upload=upload.id),
            "page": url_for("uploads.show", upload_id=upload.id),
        },
    )
