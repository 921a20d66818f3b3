"""Deleting uploads, and the notes that are left of those that were deleted."""

import datetime as dt
from typing import Annotated, Final

import structlog
from flask import Response, url_for
from msgspec import Meta, Struct

from service.api.answers import CURSOR, PageQuery, caller, store
from service.api.operations import operation
from service.problems import problem
from warehouse.conditions import UploadId
from warehouse.deletion import Deletion
from workers.renewals import send_renewals, sweep_files
from workers.sessions import send_changed

_NUMBER: Final = "^[0-9]{1,18}$"

_log = structlog.get_logger("web")


class DeletedUpload(Struct, frozen=True):
    """A deletion. ``renewed`` are the uploads that are read again for hands that they share."""

    deletion: Deletion
    renewed: list[str]


class DeletionPage(Struct, frozen=True):
    """Deletions, the last first; ``next`` leads to earlier ones."""

    deletions: list[Deletion]
    next: str | None


class DeletionsQuery(PageQuery):
    """Where to go on in the list of deletions."""

    cursor: Annotated[str, CURSOR, Meta(pattern=_NUMBER)] | None = None


@operation(
    "DELETE", "/api/v1/uploads/<upload_id>", scope="admin", problems=("not-found", "storage-full")
)
def delete_upload(upload_id: UploadId) -> DeletedUpload | Response:
    """Delete an upload with all that came of it: its bytes, hands, verdicts, problems.

    Its hands leave searches and statistics with the answer; a note of the deletion stays. A hand
    that another upload holds as well comes back from there, and one that was in conflict with a
    deleted one takes its place.
    """
    deleted = store().deletions.delete(upload_id, caller(), dt.datetime.now(dt.UTC))
    if deleted is None:
        before = store().deletions.deletion(upload_id)
        when = "" if before is None else f" One of this id was deleted at {before.deleted_at}."
        return problem("not-found", f"There is no such upload.{when}", upload=upload_id)
    _log.info("upload deleted", upload=upload_id, renewed=len(deleted.renewed))
    send_renewals(store(), deleted.renewed)
    send_changed(store())  # the sessions that had hands of it
    sweep_files(store())  # what it cannot delete now, the sweeper deletes
    return DeletedUpload(deleted.deletion, deleted.renewed)


@operation("GET", "/api/v1/deletions", scope="read")
def list_deletions(query: DeletionsQuery) -> DeletionPage:
    """List the uploads that were deleted: what they were called, when, by which key."""
    before = None if query.cursor is None else int(query.cursor)
    found = store().deletions.deletions(query.limit + 1, before)
    shown = found[: query.limit]
    following = None
    if len(found) > len(shown):
        following = url_for("api.list_deletions", limit=query.limit, cursor=shown[-1].id)
    return DeletionPage(shown, following)
