"""The life of a session's audit in the records: stale, auditing, done or failed.

A run is one worker's hold on a session, at one of its revisions. What it finds is kept unless an
audit of a later revision is there already, and settles the session if nothing has changed since.
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from typing import Final, Literal

import msgspec
import zstandard
from msgspec import Struct
from sqlalchemy import Connection, delete, exists, or_, select, update

from engine import ENGINE_VERSION
from schemas.session_verdict import SessionAudit
from warehouse.database import Database
from warehouse.events import record_event
from warehouse.records import LEASE, MAX_ATTEMPTS
from warehouse.sessions.marks import touch
from warehouse.sessions.records import UNSETTLED, Session, forget_empty, read_session_row
from warehouse.sessions.results import result_of, write_result
from warehouse.tables import session_audits, session_results, sessions

_LEVEL: Final = 3


class Lines(Struct, frozen=True, array_like=True):
    """What a hand brought a player, in chips: at the showdown, without one, and by premiums."""

    showdown: int
    alone: int
    premium: int


class AuditedSession(Struct, frozen=True):
    """An audit with what leads from it to the stored hands, and where the chips came from.

    ``hand_ids`` are the ids of the hands by their place in the document that was audited, and
    ``fingerprint`` is that document's SHA-256. ``lines`` are by place and player, of every hand
    that comes to its end with every card known.
    """

    audit: SessionAudit
    hand_ids: dict[int, str]
    fingerprint: str
    lines: dict[int, dict[str, Lines]] = {}


class StoredAudit(Struct, frozen=True):
    """An audit as it stands in the records, and the revision of the session that it is of."""

    revision: int
    made_at: dt.datetime
    audited: AuditedSession


class SessionRun(Struct, frozen=True):
    """A worker's hold on a session; ``session`` is how the run found it."""

    token: str
    session: Session


class NoSessionRun(Struct, frozen=True):
    """Why a session cannot be worked on now."""

    reason: Literal["unknown", "settled", "busy"]


class SessionRuns:
    """The audits of the sessions of one records database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def audit(self, key: str) -> StoredAudit | None:
        """Return the last audit of a session; None where there is none that can be read."""
        query = select(
            session_audits.c.revision, session_audits.c.made_at, session_audits.c.packed
        ).where(session_audits.c.session == key)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        try:
            audited = msgspec.json.decode(zstandard.decompress(row.packed), type=AuditedSession)
        except msgspec.DecodeError:  # an earlier version wrote it in another form
            return None
        return StoredAudit(row.revision, row.made_at, audited)

    def due(self, quiet_since: dt.datetime, lost_since: dt.datetime, limit: int) -> list[str]:
        """Return sessions to be sent: not settled, and nobody is at them.

        Args:
            quiet_since: they have shown no change and no sign of a run since then.
            lost_since: they have not been sent since then.
            limit: so many at the most.
        """
        columns = sessions.c
        query = (
            select(columns.key)
            .where(
                columns.state.in_(UNSETTLED),
                columns.changed_at < quiet_since,
                or_(columns.touched_at.is_(None), columns.touched_at < quiet_since),
                or_(columns.sent_at.is_(None), columns.sent_at < lost_since),
            )
            .order_by(columns.changed_at, columns.key)
            .limit(limit)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def renew_untold(self, now: dt.datetime, limit: int) -> int:
        """Have sessions audited anew whose audit is of a version that kept no result beside it.

        Returns:
            How many there were, at most `limit`.
        """
        told = exists().where(session_results.c.session == sessions.c.key)
        query = select(sessions.c.key).where(
            sessions.c.state == "done", sessions.c.verdict.is_not(None), ~told
        )
        with self._database.read() as connection:
            keys = connection.scalars(query.order_by(sessions.c.key).limit(limit)).all()
        if keys:
            with self._database.write() as connection:
                touch(connection, keys, now)
        return len(keys)

    def unsent(self, limit: int) -> list[str]:
        """Return sessions that have changed since they were last sent."""
        query = (
            select(sessions.c.key)
            .where(sessions.c.state == "stale", sessions.c.sent_at.is_(None))
            .order_by(sessions.c.changed_at, sessions.c.key)
            .limit(limit)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def mark_sent(self, keys: Sequence[str], now: dt.datetime) -> None:
        """Note that wake-ups for the sessions were given to the broker."""
        with self._database.write() as connection:
            for key in keys:
                _set(connection, key, sent_at=now)

    def ask_again(self, key: str, now: dt.datetime) -> None:
        """Have a session audited anew though nothing has changed, such as one that failed."""
        with self._database.write() as connection:
            touch(connection, [key], now)

    def begin(self, key: str, now: dt.datetime) -> SessionRun | NoSessionRun:
        """Take hold of a session for one more attempt.

        A run that gave no sign of life for longer than the lease loses its hold. A session whose
        attempts are used up has failed, until something of it changes.
        """
        with self._database.write() as connection:
            held = select(sessions.c.run).where(sessions.c.key == key).with_for_update()
            holders = connection.scalars(held).all()
            before = read_session_row(connection, key)
            if before is None:
                return NoSessionRun("unknown")
            if before.state not in UNSETTLED:
                return NoSessionRun("settled")
            alive = before.touched_at is not None and now - before.touched_at < LEASE
            if holders[0] is not None and alive:
                return NoSessionRun("busy")
            if before.attempts >= MAX_ATTEMPTS:
                _give_up(connection, before)
                return NoSessionRun("settled")
            token = secrets.token_hex(16)
            taken = {"run": token, "state": "auditing", "touched_at": now}
            _set(connection, key, attempts=before.attempts + 1, **taken)
            return SessionRun(token, before)

    def let_go(self, run: SessionRun, now: dt.datetime) -> None:
        """Give a session back as if this attempt had not been made."""
        with self._database.write() as connection:
            held = (sessions.c.key == run.session.key, sessions.c.run == run.token)
            before = {"state": "stale", "run": None, "touched_at": now, "attempts": 0}
            connection.execute(update(sessions).where(*held).values(**before))

    def touch_run(self, run: SessionRun, now: dt.datetime) -> None:
        """Give a sign of life."""
        with self._database.write() as connection:
            held = (sessions.c.key == run.session.key, sessions.c.run == run.token)
            connection.execute(update(sessions).where(*held).values(touched_at=now))

    def finish(self, run: SessionRun, made: AuditedSession | None, now: dt.datetime) -> bool:
        """Keep what a run has found, None where the session has no hands.

        A session that has no hands and of which nothing is declared is forgotten.

        Returns:
            Whether the session is settled; if not, it is to be audited again.
        """
        key, revision = run.session.key, run.session.revision
        packed = None if made is None else _packed(made)
        with self._database.write() as connection:
            held = select(sessions.c.run, sessions.c.revision, sessions.c.audited)
            now_there = connection.execute(
                held.where(sessions.c.key == key).with_for_update()
            ).first()
            if now_there is None or now_there.audited > revision:
                return True
            settled: bool = now_there.revision == revision
            if made is not None and packed is not None:
                _keep(connection, key, revision, made, packed, now)
                write_result(connection, key, result_of(made.audit, made.hand_ids))
            else:
                connection.execute(delete(session_audits).where(session_audits.c.session == key))
                write_result(connection, key, None)
            values = {**_said(made), "audited": revision}
            if settled:
                values["state"] = "none" if made is None else "done"
                cleared = {"attempts": 0, "failure_code": None, "failure_detail": None}
                values |= {"run": None, "touched_at": now, **cleared}
            elif now_there.run == run.token:
                values |= {"run": None, "touched_at": now, "state": "stale"}
            _set(connection, key, **values)
            if settled and made is not None:
                _tell(connection, key, made, now)
            elif settled:
                forget_empty(connection, key)
            return settled

    def fail_attempt(self, key: str, code: str, detail: str, now: dt.datetime) -> Session | None:
        """Note why an attempt ended; the session has failed if that was its last one."""
        with self._database.write() as connection:
            before = read_session_row(connection, key)
            if before is not None and before.state in UNSETTLED:
                failure = {"failure_code": code, "failure_detail": detail}
                _set(connection, key, run=None, state="stale", touched_at=now, **failure)
                if before.attempts >= MAX_ATTEMPTS:
                    _set(connection, key, state="failed")
            return read_session_row(connection, key)


def _packed(made: AuditedSession) -> bytes:
    return zstandard.compress(msgspec.json.encode(made), _LEVEL)


def _keep(
    connection: Connection,
    key: str,
    revision: int,
    made: AuditedSession,
    packed: bytes,
    now: dt.datetime,
) -> None:
    connection.execute(delete(session_audits).where(session_audits.c.session == key))
    row = {"session": key, "revision": revision, "engine": ENGINE_VERSION, "made_at": now}
    connection.execute(
        session_audits.insert().values(**row, fingerprint=made.fingerprint, packed=packed)
    )


def _said(made: AuditedSession | None) -> dict[str, object]:
    """What the records say of an audit without unpacking it."""
    if made is None:
        return {"verdict": None, "preset": None, "hands": 0, "findings": 0}
    audit = made.audit
    grave = [found.severity != "warning" for found in audit.findings]
    for hand in audit.hands:
        grave += [violation.severity != "warning" for violation in hand.violations]
    return {
        "kind": audit.kind,
        "verdict": audit.verdict,
        "preset": audit.preset,
        "hands": len(audit.hands),
        "findings": sum(grave),
    }


def _tell(connection: Connection, key: str, made: AuditedSession, now: dt.datetime) -> None:
    named = {"session": made.audit.session, "key": key}
    told = {**named, **_said(made), "fingerprint": made.fingerprint}
    record_event(connection, "session.audited", told, now)


def _give_up(connection: Connection, session: Session) -> None:
    """Set a session aside; an attempt that left no reason took its worker with it."""
    code = session.failure_code or "worker-lost"
    detail = session.failure_detail or "Every attempt ended with the loss of its worker."
    _set(
        connection, session.key, state="failed", run=None, failure_code=code, failure_detail=detail
    )


def _set(connection: Connection, key: str, **values: object) -> None:
    connection.execute(update(sessions).where(sessions.c.key == key).values(**values))
