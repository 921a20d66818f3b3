"""Chunks that are to be made anew from their upload's bytes, and who is at it.

A renewal is the work on one upload, held by a run's token like the first audit of it. A chunk made
anew takes the place of the one before in one transaction; the old one stays, superseded.
"""

import datetime as dt
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import (
    Connection,
    Select,
    and_,
    delete,
    func,
    or_,
    select,
    update,
)

from warehouse.claims import hold
from warehouse.database import Database
from warehouse.exclusion import alone
from warehouse.identity import Identity
from warehouse.publishing import MAX_PROBLEMS, Draft, Making, Publisher
from warehouse.records import LEASE, MAX_ATTEMPTS
from warehouse.sessions.marks import touch_chunks
from warehouse.standings import drop_idle_rulings, promote, restate, ruled_among
from warehouse.tables import (
    chunks,
    conflicts,
    differences,
    identities,
    occurrences,
    overlaps,
    packed,
    problems,
    reaudit_chunks,
    reaudits,
    renewals,
    segments,
    session_chunks,
    spans,
    standings,
    uploads,
)

Reason = Literal["asked", "deletion"]
Ending = Literal["waiting", "processing", "failed", "quarantined"]
WORKED_ON: Final[tuple[Ending, ...]] = ("waiting", "processing")

UNREADABLE: Final = "unreadable"
"""What stands in the place of a verdict where a hand could not be read."""

_AT_ONCE: Final = 500
_COUNTS: Final = ("legal", "illegal", "unverifiable", "duplicates", "unreadable", "conflicts")


class Renewal(Struct, frozen=True):
    """A worker's hold on an upload whose chunks are to be made anew."""

    token: str
    upload: str


class NoRenewal(Struct, frozen=True):
    """Why there is nothing to hold."""

    reason: Literal["unknown", "finished", "busy"]


class OldChunk(Struct, frozen=True):
    """A chunk to be made anew. ``path`` is the segment of its hands, if it has any."""

    id: int
    first: int
    last: int
    generation: int
    engine: str
    path: str | None


class OldHand(Struct, frozen=True):
    """What a chunk said of a hand before it is made anew."""

    ordinal: int
    hand_id: str
    verdict: str
    codes: list[str]


class Order(Struct, frozen=True):
    """An order to make chunks anew, and the uploads that are to be worked on for it."""

    id: str
    uploads: list[str]


class RenewalState(Struct, frozen=True, kw_only=True):
    """How the renewal of an upload stands; the failure is that of its last failed attempt."""

    status: Ending
    attempts: int
    failure_code: str | None
    failure_detail: str | None


def order(
    connection: Connection,
    reason: Reason,
    wanted: Select[int],
    asked: object,
    by: str | None,
    engine: str,
    now: dt.datetime,
) -> Order:
    """Order chunks to be made anew, within a transaction that is `alone`.

    Args:
        connection: the transaction.
        reason: why.
        wanted: the chunks, none of them superseded.
        asked: what was asked for, as any JSON, to be kept with the order.
        by: who did.
        engine: the version of the engine of now.
        now: the time.
    """
    found = connection.scalars(wanted).all()
    number = secrets.token_hex(8)
    row = {
        "id": number,
        "reason": reason,
        "asked_at": now,
        "asked_by": by,
        "asked": msgspec.json.encode(asked).decode(),
        "engine": engine,
    }
    connection.execute(reaudits.insert().values(row))
    if not found:
        return Order(number, [])
    connection.execute(
        reaudit_chunks.insert(), [{"reaudit": number, "chunk": chunk} for chunk in found]
    )
    return Order(number, _wake(connection, found, now))


class Renewals:
    """The chunks of one house that are to be made anew."""

    def __init__(self, database: Database, publisher: Publisher) -> None:
        self._database = database
        self._publisher = publisher

    def begin(self, upload: str, now: dt.datetime) -> Renewal | NoRenewal:
        """Take hold of an upload to make chunks of it anew, for one more attempt.

        As with the first audit, a run that gave no sign of life for longer than the lease loses
        its hold, and after too many attempts without progress there are no more.
        """
        with self._database.write() as connection:
            query = select(renewals).where(renewals.c.upload == upload).with_for_update()
            found = connection.execute(query).first()
            if found is None:
                return NoRenewal("unknown")
            if found.status not in WORKED_ON:
                return NoRenewal("finished")
            touched = found.touched_at
            if found.run is not None and touched is not None and now - touched < LEASE:
                return NoRenewal("busy")
            if found.attempts >= MAX_ATTEMPTS:
                _quarantine(connection, upload, now)
                return NoRenewal("finished")
            token = secrets.token_hex(16)
            taken = {"run": token, "status": "processing", "touched_at": now}
            _set(connection, upload, **taken, attempts=found.attempts + 1)
            return Renewal(token, upload)

    def due(self, upload: str) -> list[OldChunk]:
        """Return the chunks of an upload that are still to be made anew, in their order."""
        columns = (chunks.c.id, chunks.c.first, chunks.c.last, chunks.c.generation, chunks.c.engine)
        of_hands = and_(segments.c.chunk == chunks.c.id, segments.c.kind == "hands")
        query = (
            select(*columns, segments.c.path)
            .join(reaudit_chunks, reaudit_chunks.c.chunk == chunks.c.id)
            .outerjoin(segments, of_hands)
            .where(chunks.c.upload == upload, reaudit_chunks.c.made.is_(None))
            .order_by(chunks.c.first)
            .distinct()
        )
        with self._database.read() as connection:
            return [OldChunk(*row) for row in connection.execute(query)]

    def replace(
        self,
        renewal: Renewal,
        old: OldChunk,
        draft: Draft,
        before: Iterable[OldHand],
        now: dt.datetime,
    ) -> bool:
        """Put a chunk made anew in the place of an old one; False when the hold is lost.

        Args:
            renewal: the hold.
            old: the chunk of before.
            draft: the same hands, examined anew.
            before: what the old chunk said of its hands.
            now: the time.
        """

        def write(connection: Connection, making: Making) -> bool:
            alone(connection)
            if not _is_due(connection, renewal, old):
                return False
            hold(connection, making.settled)
            self._swap(connection, making, old, before, now)
            _set(
                connection,
                renewal.upload,
                touched_at=now,
                attempts=0,
                failure_code=None,
                failure_detail=None,
            )
            return True

        return self._publisher.in_rounds(
            renewal.upload, draft, write, generation=old.generation + 1, anew=old.id
        )

    def _swap(
        self,
        connection: Connection,
        making: Making,
        old: OldChunk,
        before: Iterable[OldHand],
        now: dt.datetime,
    ) -> None:
        upload = making.upload
        firsts, others = _claims(connection, old.id)
        hands = {*firsts.values(), *(hand for _, hand in others)}
        counts = connection.execute(
            select(*(chunks.c[name] for name in _COUNTS)).where(chunks.c.id == old.id)
        ).one()
        unread = _take_problems(connection, upload, old)
        touch_chunks(connection, [old.id], now)
        _withdraw(connection, old.id, hands)
        told = select(func.count()).select_from(problems).where(problems.c.upload == upload)
        room = MAX_PROBLEMS - (connection.scalar(told) or 0)
        made = self._publisher.put(connection, making, room, now)
        _succeed(connection, old.id, made)
        added = {
            name: uploads.c[name] + count - getattr(counts, name)
            for name, count in making.counts.items()
        }
        connection.execute(update(uploads).where(uploads.c.id == upload).values(**added))

        kept = {one.hand.identity: one for one in making.settled.kept}
        abandoned = [one for one in firsts if one not in kept or kept[one].standing != "first"]
        promote(connection, abandoned)
        _rename_firsts(connection, firsts)
        concerned = {*firsts, *(identity for identity, _ in others), *kept}
        restate(connection, {*abandoned, *ruled_among(connection, concerned)}, now)
        if hands - {one.hand.hand_id for one in making.settled.kept}:
            _follow_up(connection, made, now)
        changed = _differences(making, old, before, unread)
        if changed:
            connection.execute(differences.insert(), [{"chunk": made, **one} for one in changed])

    def rest(self, renewal: Renewal, now: dt.datetime) -> None:
        """Let go of an upload whose work is to go on in another task."""
        self._change_held(
            renewal, run=None, status="waiting", touched_at=now, attempts=0, sent_at=None
        )

    def fail(self, renewal: Renewal, code: str, detail: str, now: dt.datetime) -> None:
        """Note that an upload cannot be renewed, whoever tries; the old chunks stay."""
        failure = {"failure_code": code, "failure_detail": detail, "since": now}
        self._change_held(renewal, run=None, status="failed", touched_at=now, **failure)

    def finish(self, renewal: Renewal, now: dt.datetime) -> bool:
        """Note that all is made anew; False when more was ordered meanwhile."""
        with self._database.write() as connection:
            alone(connection)
            left = (
                select(reaudit_chunks.c.chunk)
                .join(chunks, chunks.c.id == reaudit_chunks.c.chunk)
                .where(chunks.c.upload == renewal.upload, reaudit_chunks.c.made.is_(None))
            )
            held = (renewals.c.upload == renewal.upload, renewals.c.run == renewal.token)
            if connection.execute(left.limit(1)).first() is not None:
                values = {"run": None, "status": "waiting", "touched_at": now, "attempts": 0}
                values["sent_at"] = None
                connection.execute(update(renewals).where(*held).values(**values))
                return False
            connection.execute(delete(renewals).where(*held))
            drop_idle_rulings(connection)
            return True

    def fail_attempt(
        self, upload: str, code: str, detail: str, now: dt.datetime
    ) -> RenewalState | None:
        """Note why an attempt ended; None where the upload is not to be renewed any more."""
        with self._database.write() as connection:
            query = select(renewals).where(renewals.c.upload == upload).with_for_update()
            found = connection.execute(query).first()
            if found is not None and found.status in WORKED_ON:
                failure = {"failure_code": code, "failure_detail": detail}
                _set(connection, upload, run=None, touched_at=now, **failure)
                if found.attempts >= MAX_ATTEMPTS:
                    _quarantine(connection, upload, now)
            return _state(connection, upload)

    def state(self, upload: str) -> RenewalState | None:
        """Return how the renewal of an upload stands, or None where none of it is due."""
        with self._database.read() as connection:
            return _state(connection, upload)

    def mark_sent(self, upload: str, now: dt.datetime) -> None:
        """Note that a wake-up for the upload was given to the broker."""
        with self._database.write() as connection:
            _set(connection, upload, sent_at=now)

    def unsent(self) -> list[str]:
        """Return the uploads that are to be renewed and were never sent to be."""
        query = select(renewals.c.upload).where(
            renewals.c.status.in_(WORKED_ON), renewals.c.sent_at.is_(None)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query.order_by(renewals.c.upload)))

    def unfinished(self, quiet_since: dt.datetime) -> list[str]:
        """Return the uploads to be sent again: to be renewed, and no sign of it since then."""
        signs = (renewals.c.sent_at, renewals.c.touched_at)
        query = (
            select(renewals.c.upload)
            .where(
                renewals.c.status.in_(WORKED_ON),
                renewals.c.since < quiet_since,
                *(or_(sign.is_(None), sign < quiet_since) for sign in signs),
            )
            .order_by(renewals.c.since, renewals.c.upload)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def _change_held(self, renewal: Renewal, /, **values: object) -> None:
        held = (renewals.c.upload == renewal.upload, renewals.c.run == renewal.token)
        with self._database.write() as connection:
            connection.execute(update(renewals).where(*held).values(**values))


def _state(connection: Connection, upload: str) -> RenewalState | None:
    columns = (renewals.c[name] for name in RenewalState.__struct_fields__)
    query = select(*columns).where(renewals.c.upload == upload)
    row = connection.execute(query).mappings().first()
    return None if row is None else RenewalState(**row)


def _wake(connection: Connection, wanted: Sequence[int], now: dt.datetime) -> list[str]:
    """Have the uploads of chunks worked on, those too that were given up; return them."""
    found: set[str] = set()
    rest = iter(wanted)
    while some := list(islice(rest, _AT_ONCE)):
        found.update(connection.scalars(select(chunks.c.upload).where(chunks.c.id.in_(some))))
    for upload in sorted(found):
        query = select(renewals.c.status).where(renewals.c.upload == upload)
        status = connection.scalar(query)
        if status is None:
            row = {"upload": upload, "status": "waiting", "since": now}
            connection.execute(renewals.insert().values(row))
        elif status not in WORKED_ON:
            reopen(connection, upload, now)
    return sorted(found)


def reopen(connection: Connection, upload: str, now: dt.datetime) -> None:
    """Have a renewal that was given up tried again."""
    cleared = {"failure_code": None, "failure_detail": None, "sent_at": None, "touched_at": None}
    _set(connection, upload, status="waiting", attempts=0, run=None, since=now, **cleared)


def _set(connection: Connection, upload: str, **values: object) -> None:
    connection.execute(update(renewals).where(renewals.c.upload == upload).values(**values))


def _quarantine(connection: Connection, upload: str, now: dt.datetime) -> None:
    """Give a renewal up; an attempt that left no reason took its worker with it."""
    lost = "Every attempt ended with the loss of its worker."
    _set(
        connection,
        upload,
        status="quarantined",
        run=None,
        since=now,
        touched_at=now,
        failure_code=func.coalesce(renewals.c.failure_code, "worker-lost"),
        failure_detail=func.coalesce(renewals.c.failure_detail, lost),
    )


def _is_due(connection: Connection, renewal: Renewal, old: OldChunk) -> bool:
    held = select(renewals.c.upload).where(
        renewals.c.upload == renewal.upload, renewals.c.run == renewal.token
    )
    standing = select(chunks.c.id).where(
        chunks.c.id == old.id,
        chunks.c.superseded_by.is_(None),
        chunks.c.id.not_in(select(packed.c.chunk)),  # or it would be gone from what others share
    )
    return all(
        connection.execute(query.with_for_update()).first() is not None
        for query in (held, standing)
    )


def _claims(
    connection: Connection, chunk: int
) -> tuple[dict[Identity, str], list[tuple[Identity, str]]]:
    """The identities that a chunk owns with their hands, and its hands in conflict with others."""
    found: list[list[tuple[Identity, str]]] = []
    for table in (identities, conflicts):
        columns = (*(table.c[name] for name in Identity._fields), table.c.hand_id)
        rows = connection.execute(select(*columns).where(table.c.chunk == chunk))
        found.append([(Identity(*key), hand) for *key, hand in rows])
    firsts, others = found
    return dict(firsts), others


def _take_problems(connection: Connection, upload: str, old: OldChunk) -> dict[int, str]:
    """Delete the problems of a chunk's hands; return their codes by the hands' places."""
    within = (problems.c.upload == upload, problems.c.ordinal.between(old.first, old.last))
    rows = connection.execute(select(problems.c.ordinal, problems.c.code).where(*within))
    found = {row.ordinal: row.code for row in rows}
    connection.execute(delete(problems).where(*within))
    return found


def _withdraw(connection: Connection, chunk: int, hands: set[str]) -> None:
    """Delete a chunk's claims, and what was noted beside them."""
    for table in (identities, conflicts, overlaps, session_chunks, spans, occurrences):
        connection.execute(delete(table).where(table.c.chunk == chunk))
    rest = iter(sorted(hands))
    while some := list(islice(rest, _AT_ONCE)):
        connection.execute(delete(standings).where(standings.c.hand_id.in_(some)))


def _succeed(connection: Connection, old: int, made: int) -> None:
    """Put one chunk in the place of another in all that names it."""
    connection.execute(update(chunks).where(chunks.c.id == old).values(superseded_by=made))
    connection.execute(update(overlaps).where(overlaps.c.owner == old).values(owner=made))
    due = (reaudit_chunks.c.chunk == old, reaudit_chunks.c.made.is_(None))
    connection.execute(update(reaudit_chunks).where(*due).values(made=made))


def _rename_firsts(connection: Connection, firsts: Mapping[Identity, str]) -> None:
    """Have conflicts name the first hand of their identity, where that is another hand now."""
    stale = conflicts.c.first_hand_id.in_
    rest = iter(firsts.values())
    while some := list(islice(rest, _AT_ONCE)):
        query = (
            select(conflicts.c.hand_id, identities.c.hand_id)
            .join(identities, and_(*(identities.c[n] == conflicts.c[n] for n in Identity._fields)))
            .where(stale(some), conflicts.c.first_hand_id != identities.c.hand_id)
        )
        for hand, first in connection.execute(query).all():
            changed = update(conflicts).where(conflicts.c.hand_id == hand)
            connection.execute(changed.values(first_hand_id=first))


def _follow_up(connection: Connection, made: int, now: dt.datetime) -> None:
    """Order the chunks that repeat hands which are not in this one any more, for the same sake."""
    repeating = (
        select(overlaps.c.chunk)
        .join(chunks, chunks.c.id == overlaps.c.chunk)
        .where(overlaps.c.owner == made, chunks.c.superseded_by.is_(None))
    )
    found = connection.scalars(repeating).all()
    orders = connection.scalars(
        select(reaudit_chunks.c.reaudit).where(reaudit_chunks.c.made == made)
    ).all()
    for number in orders:
        known = select(reaudit_chunks.c.chunk).where(reaudit_chunks.c.reaudit == number)
        new = sorted(set(found) - set(connection.scalars(known)))
        if new:
            rows = [{"reaudit": number, "chunk": chunk} for chunk in new]
            connection.execute(reaudit_chunks.insert(), rows)
    if found:
        _wake(connection, found, now)


def _differences(
    making: Making, old: OldChunk, before: Iterable[OldHand], unread: Mapping[int, str]
) -> list[dict[str, object]]:
    """What is said of hands now and was not before; a hand unread has the code of its problem."""
    then: dict[int, tuple[str | None, str, list[str]]] = {
        one.ordinal: (one.hand_id, one.verdict, one.codes) for one in before
    }
    then |= {ordinal: (None, UNREADABLE, [code]) for ordinal, code in unread.items()}
    now: dict[int, tuple[str | None, str, list[str]]] = {
        hand.ordinal: (hand.hand_id, hand.verdict, hand.codes) for hand in making.draft.hands
    }
    now |= {one.ordinal: (None, UNREADABLE, [one.code]) for one in making.draft.problems}
    changed: list[dict[str, object]] = []
    for ordinal in sorted(then.keys() & now.keys()):
        (was, old_verdict, old_codes), (hand, verdict, codes) = then[ordinal], now[ordinal]
        if (old_verdict, old_codes) != (verdict, codes):
            changed.append(
                {
                    "ordinal": ordinal,
                    "hand_id": hand or was,
                    "old_verdict": old_verdict,
                    "old_codes": msgspec.json.encode(old_codes).decode(),
                    "old_engine": old.engine,
                    "new_verdict": verdict,
                    "new_codes": msgspec.json.encode(codes).decode(),
                    "new_engine": making.engine,
                }
            )
    return changed
