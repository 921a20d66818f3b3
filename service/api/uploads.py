"""Uploads: taking one in, and saying how far its audit is."""

import datetime as dt
import errno
from http import HTTPStatus
from typing import Annotated, Final

import structlog
from flask import Response, request, url_for
from msgspec import Meta, Struct

from service.api.answers import (
    MAX_PAGE,
    NoParameters,
    answer,
    bad_parameter,
    read_query,
    store,
    warehouse,
)
from service.api.body import BodyRefusedError, body_chunks, check_headers
from service.problems import problem
from warehouse.records import UNFINISHED, Conflict, Problem, Upload
from workers.sending import send_audit

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)

Limit = Annotated[int, Meta(ge=1, le=MAX_PAGE)]

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
    status: str
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
    """Uploads, the newest first; ``next`` leads to older ones."""

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


class _PostQuery(Struct):
    name: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class _UploadsQuery(Struct):
    limit: Limit = 50
    cursor: str | None = None


class _ProblemsQuery(Struct):
    limit: Limit = 100
    cursor: Annotated[int, Meta(ge=0, lt=2**62, description="the cursor of a link next")] = 0


class _ConflictsQuery(Struct):
    limit: Limit = 100
    cursor: Annotated[
        str, Meta(pattern="^[0-9a-f]{0,64}$", description="the cursor of a link next")
    ] = ""


def post_upload() -> Response:
    """Takes a body in: on the disk and in the records before the answer, audited after it."""
    if request.headers.get("Sec-Fetch-Site", "none") == "cross-site":
        return problem("cross-site", "A page of another site may not send uploads here.")
    query = read_query(_PostQuery)
    if isinstance(query, Response):
        return query
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
    upload = store().records.receive(blob, query.name, dt.datetime.now(dt.UTC))
    waiting = upload.status in UNFINISHED
    if waiting and not send_audit(store().records, upload.id):
        _log.warning("broker cannot be reached", upload=upload.id)  # the sweeper sends it
    document = _document(upload)
    response = answer(document, HTTPStatus.ACCEPTED if waiting else HTTPStatus.OK)
    response.headers["Location"] = document.links["self"]
    return response


def list_uploads() -> Response:
    """The uploads, the newest first."""
    query = read_query(_UploadsQuery)
    if isinstance(query, Response):
        return query
    records = warehouse().records
    before = None if query.cursor is None else records.upload(query.cursor)
    if query.cursor is not None and before is None:
        return bad_parameter("cursor", "the cursor of a link next", query.cursor)
    found = records.recent_uploads(query.limit + 1, before)
    shown = found[: query.limit]
    following = None
    if len(found) > len(shown):
        following = url_for("api.list_uploads", limit=query.limit, cursor=shown[-1].id)
    return answer(UploadPage([_document(upload) for upload in shown], following))


def show_upload(upload_id: str) -> Response:
    """One upload: status, progress, counts."""
    query = read_query(NoParameters)
    if isinstance(query, Response):
        return query
    found = _find(upload_id)
    return found if isinstance(found, Response) else answer(_document(found))


def list_problems(upload_id: str) -> Response:
    """The hands of an upload that could not be read, each with its place, expected and seen."""
    query = read_query(_ProblemsQuery)
    if isinstance(query, Response):
        return query
    found = _find(upload_id)
    if isinstance(found, Response):
        return found
    problems = warehouse().records.problems(found.id, query.limit + 1, query.cursor)
    shown = problems[: query.limit]
    following = None
    if len(problems) > len(shown):
        following = url_for(
            "api.list_problems", upload_id=found.id, limit=query.limit, cursor=shown[-1].ordinal
        )
    return answer(ProblemPage(shown, following))


def list_conflicts(upload_id: str) -> Response:
    """The hands of an upload whose identity was taken by another hand."""
    query = read_query(_ConflictsQuery)
    if isinstance(query, Response):
        return query
    found = _find(upload_id)
    if isinstance(found, Response):
        return found
    conflicts = warehouse().records.conflicts(found.id, query.limit + 1, query.cursor)
    shown = conflicts[: query.limit]
    following = None
    if len(conflicts) > len(shown):
        following = url_for(
            "api.list_conflicts", upload_id=found.id, limit=query.limit, cursor=shown[-1].hand_id
        )
    return answer(ConflictPage(shown, following))


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
