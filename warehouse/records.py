"""The life of an upload in the records: received, processing, done, failed or quarantined.

The records are the truth; a message of the broker is only a wake-up. A run is one worker's hold on
an upload, named by a token: whoever holds the newest token may publish, nobody else.
"""

import datetime as dt
import secrets
from typing import Any, Final, Literal

from msgspec import Struct
from sqlalchemy import Connection, Select, delete, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from warehouse.blobs import StoredBlob
from warehouse.database import Database
from warehouse.events import Event, record_event
from warehouse.exclusion import beside_others
from warehouse.identity import upload_id
from warehouse.tables import conflicts, discards, problems, uploads

MAX_ATTEMPTS: Final = 5
"""An upload that ends this many attempts without any progress is quarantined."""

_ROUNDS: Final = 5

LEASE: Final = dt.timedelta(seconds=15)
"""How long after its last sign of life a run still keeps others away from its upload."""

Status = Literal["received", "processing", "done", "failed", "quarantined"]
UNFINISHED: Final[tuple[Status, ...]] = ("received", "processing")


class Upload(Struct, frozen=True, kw_only=True):
    """An upload as it stands. ``blob`` is the SHA-256 of its bytes, ``size`` their number.

    ``id`` is as `upload_id` makes it. ``dialect`` is what the client said that its hands are in,
    and ``reading``, which is JSON, what was found of that; both are None where nothing was said.
    Every one of the ``hands`` read so far is legal, illegal, unverifiable, a duplicate or
    unreadable; a conflict counts among the first three as well. ``attempts`` are those since the
    last progress. ``request_id`` is that of the request that brought the upload first.
    """

    id: str
    blob: str
    dialect: str | None
    size: int
    name: str | None
    received_at: dt.datetime
    status: Status
    attempts: int
    sent_at: dt.datetime | None
    touched_at: dt.datetime | None
    finished_at: dt.datetime | None
    failure_code: str | None
    failure_detail: str | None
    bytes_read: int
    hands: int
    legal: int
    illegal: int
    unverifiable: int
    duplicates: int
    unreadable: int
    conflicts: int
    request_id: str | None
    reading: str | None


class Problem(Struct, frozen=True):
    """A hand that could not be read. ``ordinal`` is its place in the upload, counted from 1.

    ``offset`` is in bytes of the unpacked upload, ``pointer`` is within the hand's document. Of a
    ZIP, ``line`` and ``offset`` are in the ``file`` that is named.
    """

    ordinal: int
    line: int
    offset: int
    code: str
    pointer: str
    expected: str
    seen: str
    file: str | None = None


class Conflict(Struct, frozen=True):
    """Two hands of one identity. The first stays in the statistics, the other is kept beside it."""

    source: str
    table: str
    hand: str
    first_hand_id: str
    hand_id: str


class Arrived(Struct, frozen=True):
    """A blob to be recorded as an upload, and what was said of it."""

    blob: StoredBlob
    name: str | None = None
    dialect: str | None = None
    request_id: str | None = None


class Run(Struct, frozen=True):
    """A worker's hold on an upload; ``upload`` is how the run found it."""

    token: str
    upload: Upload


class NoRun(Struct, frozen=True):
    """Why an upload cannot be worked on now."""

    reason: Literal["unknown", "finished", "busy"]


_COUNTS: Final = (
    *("hands", "legal", "illegal", "unverifiable"),
    *("duplicates", "unreadable", "conflicts"),
)
_UPLOAD_COLUMNS: Final = [uploads.c[field] for field in Upload.__struct_fields__]


class Records:
    """The uploads of one records database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def receive(
        self,
        blob: StoredBlob,
        name: str | None,
        now: dt.datetime,
        *,
        dialect: str | None = None,
        request_id: str | None = None,
    ) -> Upload:
        """Record a stored blob as an upload; the same bytes in the same dialect are the known one.

        ``dialect`` is a dialect's full name, as `schemas.dialects` has it, or ``auto``.
        """
        arrived = Arrived(blob, name, dialect, request_id)
        for attempt in range(_ROUNDS):
            try:
                with self._database.write() as connection:
                    return receive(connection, arrived, now)
            except IntegrityError:  # somebody recorded the same bytes in between
                if attempt == _ROUNDS - 1:
                    raise
        raise AssertionError("every round returns, raises or goes on")

    def upload(self, upload: str) -> Upload | None:
        """Return an upload, or None where there is none of this id."""
        with self._database.read() as connection:
            row = connection.execute(_select_upload(upload)).mappings().first()
        return None if row is None else Upload(**row)

    def recent_uploads(self, limit: int, before: Upload | None = None) -> list[Upload]:
        """Return at most `limit` uploads, the newest first; only those older than `before`."""
        query = select(*_UPLOAD_COLUMNS).order_by(uploads.c.received_at.desc(), uploads.c.id.desc())
        if before is not None:
            place = tuple_(uploads.c.received_at, uploads.c.id)
            query = query.where(place < tuple_(before.received_at, before.id))
        with self._database.read() as connection:
            rows = connection.execute(query.limit(limit)).mappings()
            return [Upload(**row) for row in rows]

    def problems(
        self, upload: str, limit: int, after: int = 0, code: str | None = None
    ) -> list[Problem]:
        """Return the first `limit` problems of an upload behind the ordinal `after`, in order.

        With a ``code`` they are those of it alone.
        """
        columns = [problems.c[field] for field in Problem.__struct_fields__]
        query = (
            select(*columns)
            .where(problems.c.upload == upload, problems.c.ordinal > after)
            .order_by(problems.c.ordinal)
            .limit(limit)
        )
        if code is not None:
            query = query.where(problems.c.code == code)
        with self._database.read() as connection:
            return [Problem(**row) for row in connection.execute(query).mappings()]

    def conflicts(self, upload: str, limit: int, after: str = "") -> list[Conflict]:
        """Return the first `limit` conflicts of an upload behind the hand id `after`, in order."""
        columns = [conflicts.c[field] for field in Conflict.__struct_fields__]
        query = (
            select(*columns)
            .where(conflicts.c.upload == upload, conflicts.c.hand_id > after)
            .order_by(conflicts.c.hand_id)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [Conflict(**row) for row in connection.execute(query).mappings()]

    def mark_sent(self, upload: str, now: dt.datetime) -> None:
        """Note that a wake-up for the upload was given to the broker."""
        self._change(upload, sent_at=now)

    def unfinished(self, quiet_since: dt.datetime) -> list[str]:
        """Return the uploads to be sent again: not finished, and no sign of them since then."""
        signs = (uploads.c.sent_at, uploads.c.touched_at)
        query = (
            select(uploads.c.id)
            .where(
                uploads.c.status.in_(UNFINISHED),
                uploads.c.received_at < quiet_since,
                *(or_(sign.is_(None), sign < quiet_since) for sign in signs),
            )
            .order_by(uploads.c.received_at, uploads.c.id)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def begin(self, upload: str, now: dt.datetime) -> Run | NoRun:
        """Take hold of an upload for one more attempt.

        A run that gave no sign of life for longer than the lease loses its hold. An upload whose
        attempts are used up is quarantined instead.
        """
        with self._database.write() as connection:
            holder = select(uploads.c.run).where(uploads.c.id == upload).with_for_update()
            holders = connection.scalars(holder).all()
            if not holders:
                return NoRun("unknown")
            held = holders[0] is not None
            before = _upload(connection, upload)
            if before.status not in UNFINISHED:
                return NoRun("finished")
            if held and before.touched_at is not None and now - before.touched_at < LEASE:
                return NoRun("busy")
            if before.attempts >= MAX_ATTEMPTS:
                _quarantine(connection, before, now)
                return NoRun("finished")
            token = secrets.token_hex(16)
            taken = {"run": token, "status": "processing", "touched_at": now}
            _set(connection, upload, attempts=before.attempts + 1, **taken)
            return Run(token, _upload(connection, upload))

    def rest(self, run: Run, now: dt.datetime) -> None:
        """Let go of an upload whose work is to go on in another task."""
        with self._database.write() as connection:
            _set_held(connection, run, run=None, touched_at=now, attempts=0)

    def wait(self, run: Run, now: dt.datetime) -> None:
        """Let go of an upload that could not be worked on through no fault of its own."""
        attempts = run.upload.attempts - 1  # this one does not count
        with self._database.write() as connection:
            _set_held(connection, run, run=None, touched_at=now, attempts=attempts)

    def finish(self, run: Run, now: dt.datetime) -> None:
        """Note that all of an upload is published."""
        cleared = {"failure_code": None, "failure_detail": None}
        read = {"bytes_read": run.upload.size}
        self._end(run, now, status="done", **cleared, **read)

    def fail(self, run: Run, code: str, detail: str, now: dt.datetime) -> None:
        """Note that an upload cannot be worked on, whoever tries; what is published stays."""
        failure = {"failure_code": code, "failure_detail": detail}
        self._end(run, now, status="failed", **failure)

    def fail_attempt(self, upload: str, code: str, detail: str, now: dt.datetime) -> Upload | None:
        """Note why an attempt ended; the upload is quarantined if that was its last one.

        Returns:
            The upload as it stands then; None where it was deleted meanwhile.
        """
        with self._database.write() as connection:
            before = connection.execute(_select_upload(upload)).mappings().first()
            if before is None:
                return None
            if before["status"] in UNFINISHED:
                failure = {"failure_code": code, "failure_detail": detail}
                _set(connection, upload, run=None, touched_at=now, **failure)
                if before["attempts"] >= MAX_ATTEMPTS:
                    _quarantine(connection, _upload(connection, upload), now)
            return _upload(connection, upload)

    def _change(self, upload: str, **values: object) -> None:
        with self._database.write() as connection:
            _set(connection, upload, **values)

    def _end(self, run: Run, now: dt.datetime, **values: object) -> None:
        """Bring an upload to its end, and tell of it, unless the run has lost its hold on it."""
        with self._database.write() as connection:
            if _set_held(connection, run, run=None, touched_at=now, finished_at=now, **values):
                _tell(connection, run.upload.id, now)


def receive(connection: Connection, arrived: Arrived, now: dt.datetime) -> Upload:
    """Record what arrived in the connection's transaction, unless it is recorded already."""
    beside_others(connection)
    name = upload_id(arrived.blob.sha256, arrived.dialect)
    known = connection.execute(_select_upload(name)).mappings().first()
    if known is not None:
        return Upload(**known)
    row = {
        "id": name,
        "blob": arrived.blob.sha256,
        "dialect": arrived.dialect,
        "size": arrived.blob.size,
        "name": arrived.name,
        "received_at": now,
        "request_id": arrived.request_id,
        "status": "received",
    }
    kept = (discards.c.kind == "blob", discards.c.name == arrived.blob.sha256)
    connection.execute(delete(discards).where(*kept))
    connection.execute(uploads.insert().values(row))
    return _upload(connection, name)


def _select_upload(upload: str) -> Select[Any]:
    return select(*_UPLOAD_COLUMNS).where(uploads.c.id == upload)


def _upload(connection: Connection, upload: str) -> Upload:
    row = connection.execute(_select_upload(upload)).mappings().first()
    if row is None:
        raise LookupError(f"there is no upload {upload}")
    return Upload(**row)


def _set(connection: Connection, upload: str, **values: object) -> None:
    connection.execute(update(uploads).where(uploads.c.id == upload).values(**values))


def _set_held(connection: Connection, held: Run, /, **values: object) -> bool:
    """Change an upload; False when the run has lost its hold on it, and nothing is changed."""
    which = (uploads.c.id == held.upload.id, uploads.c.run == held.token)
    return connection.execute(update(uploads).where(*which).values(**values)).rowcount == 1


def _quarantine(connection: Connection, upload: Upload, now: dt.datetime) -> None:
    """Set an upload aside; an attempt that left no reason took its worker with it."""
    code = upload.failure_code or "worker-lost"
    detail = upload.failure_detail or "Every attempt ended with the loss of its worker."
    aside = {"status": "quarantined", "run": None, "touched_at": now, "finished_at": now}
    _set(connection, upload.id, failure_code=code, failure_detail=detail, **aside)
    _tell(connection, upload.id, now)


def _tell(connection: Connection, upload: str, now: dt.datetime) -> None:
    """Record the event that an upload has come to its end."""
    ended = _upload(connection, upload)
    failed = ended.failure_code is not None
    told = {
        "upload": ended.id,
        "name": ended.name,
        "status": ended.status,
        "size": ended.size,
        "counts": {name: getattr(ended, name) for name in _COUNTS},
        "failure": {"code": ended.failure_code, "detail": ended.failure_detail} if failed else None,
        "received_at": ended.received_at,
        "finished_at": ended.finished_at,
        "request_id": ended.request_id,
    }
    event: Event = "upload.finished" if ended.status == "done" else "upload.failed"
    record_event(connection, event, told, now, ended.request_id)
