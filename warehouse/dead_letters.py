"""Uploads that were given up, and taking them up again."""

import datetime as dt
from typing import Any, Final, Literal

from msgspec import Struct
from sqlalchemy import Select, String, literal, select, tuple_, union_all, update

from warehouse.database import Database
from warehouse.renewals import reopen
from warehouse.tables import renewals, uploads

Work = Literal["audit", "re-audit"]
DeadStatus = Literal["failed", "quarantined"]

_DEAD: Final[tuple[DeadStatus, ...]] = ("failed", "quarantined")


class DeadLetter(Struct, frozen=True, kw_only=True):
    """An upload whose audit or re-audit was given up, why, and when.

    A failed one cannot be worked on, whoever tries; a quarantined one was tried too often.
    """

    upload: str
    work: Work
    name: str | None
    status: DeadStatus
    code: str | None
    detail: str | None
    attempts: int
    since: dt.datetime


class DeadLetters:
    """The uploads of one house that were given up."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(self, limit: int, after: tuple[str, str] | None = None) -> list[DeadLetter]:
        """Return the first `limit` of them behind an upload's work, in the order of the uploads."""
        found = union_all(_dead_audits(), _dead_renewals()).subquery()
        query = select(found).order_by(found.c.upload, found.c.work).limit(limit)
        if after is not None:
            query = query.where(tuple_(found.c.upload, found.c.work) > tuple_(*after))
        with self._database.read() as connection:
            return [DeadLetter(**row) for row in connection.execute(query).mappings()]

    def retry(self, upload: str, now: dt.datetime) -> list[Work] | None:
        """Take an upload's work up again, behind what was published of it.

        Returns:
            What was taken up again, which is nothing where nothing was given up; None where there
            is no such upload.
        """
        taken_up: list[Work] = []
        with self._database.write() as connection:
            query = select(uploads.c.status).where(uploads.c.id == upload).with_for_update()
            status = connection.scalar(query)
            if status is None:
                return None
            if status in _DEAD:
                cleared = {"failure_code": None, "failure_detail": None, "finished_at": None}
                waiting = {"status": "received", "attempts": 0, "run": None, "sent_at": None}
                again = update(uploads).where(uploads.c.id == upload)
                connection.execute(again.values(**cleared, **waiting, touched_at=now))
                taken_up.append("audit")
            of_upload = select(renewals.c.status).where(renewals.c.upload == upload)
            if connection.scalar(of_upload.with_for_update()) in _DEAD:
                reopen(connection, upload, now)
                taken_up.append("re-audit")
        return taken_up


def _dead_audits() -> Select[Any]:
    return select(
        uploads.c.id.label("upload"),
        literal("audit", String).label("work"),
        uploads.c.name,
        uploads.c.status,
        uploads.c.failure_code.label("code"),
        uploads.c.failure_detail.label("detail"),
        uploads.c.attempts,
        uploads.c.finished_at.label("since"),
    ).where(uploads.c.status.in_(_DEAD))


def _dead_renewals() -> Select[Any]:
    return (
        select(
            uploads.c.id.label("upload"),
            literal("re-audit", String).label("work"),
            uploads.c.name,
            renewals.c.status,
            renewals.c.failure_code.label("code"),
            renewals.c.failure_detail.label("detail"),
            renewals.c.attempts,
            renewals.c.since,
        )
        .join(uploads, uploads.c.id == renewals.c.upload)
        .where(renewals.c.status.in_(_DEAD))
    )
