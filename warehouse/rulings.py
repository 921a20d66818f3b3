"""Conflicts of a house, and the rulings on them: which of an identity's hands counts."""

import datetime as dt

from msgspec import Struct
from sqlalchemy import Connection, exists, or_, select, update

from warehouse.database import Database
from warehouse.exclusion import alone
from warehouse.identity import Identity
from warehouse.rows import Standing
from warehouse.sessions.marks import chunks_of, touch_chunks
from warehouse.standings import contestants, counting, is_of, restate
from warehouse.tables import chunks, conflicts, identities, rulings


class Contestant(Struct, frozen=True):
    """One of the hands of an identity: the upload that holds it, and whether it counts."""

    hand_id: str
    upload: str
    standing: Standing


class Ruling(Struct, frozen=True):
    """What somebody decided: the hand that counts, or none of them."""

    stands: str | None
    ruled_at: dt.datetime
    ruled_by: str | None


class Conflict(Struct, frozen=True):
    """An identity with several hands: the one that came first, then the others as they arrived.

    ``hand_id`` is the first one's. Without a ruling it is the one that counts.
    """

    hand_id: str
    source: str
    table: str
    hand: str
    contestants: list[Contestant]
    ruling: Ruling | None


class NoConflict(Struct, frozen=True):
    """There is no such hand, or it is the only one of its identity and nobody has ruled on it."""


class NoContestant(Struct, frozen=True):
    """The hand that is to count is not one of these, which are in conflict."""

    contestants: list[str]


class Rulings:
    """The conflicts of one house."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rule(
        self, hand_id: str, stands: str | None, by: str | None, now: dt.datetime
    ) -> Conflict | NoConflict | NoContestant:
        """Decide which hand of an identity counts, or that none does; it can be decided anew.

        The same decision again changes nothing, nor when and by whom it was made.

        Args:
            hand_id: any hand of the identity.
            stands: the one that counts from now on; None for none of them.
            by: who decides.
            now: the time.
        """
        with self._database.write() as connection:
            alone(connection)
            identity = _identity(connection, hand_id)
            if identity is None:
                return NoConflict()
            among = [one.hand_id for one in contestants(connection, identity)]
            of_identity = is_of(rulings, identity)
            before = connection.execute(select(rulings.c.stands).where(of_identity)).first()
            if len(among) < 2 and before is None:
                return NoConflict()
            if stands is not None and stands not in among:
                return NoContestant(among)
            said = {"stands": stands, "ruled_at": now, "ruled_by": by}
            if before is None:
                connection.execute(rulings.insert().values(**identity._asdict(), **said))
            elif before.stands != stands:
                connection.execute(update(rulings).where(of_identity).values(**said))
            restate(connection, [identity], now)
            # Where all stand as before, a session's audit still told of the conflict until now.
            touch_chunks(connection, chunks_of(connection, identity), now)
            return _conflict(connection, identity)

    def conflict(self, hand_id: str) -> Conflict | None:
        """Return the conflict over a hand's identity, or None where there is none to rule on."""
        with self._database.read() as connection:
            identity = _identity(connection, hand_id)
            if identity is None:
                return None
            found = _conflict(connection, identity)
            return None if len(found.contestants) < 2 and found.ruling is None else found

    def conflicts(
        self,
        limit: int,
        *,
        after: str = "",
        upload: str | None = None,
        ruled: bool | None = None,
    ) -> list[Conflict]:
        """Return the first `limit` conflicts behind the hand id `after`, in the order of those ids.

        Args:
            limit: how many at the most.
            after: the `hand_id` of the last one seen.
            upload: only those over a hand of this upload.
            ruled: only those that somebody has ruled upon, or has not.
        """
        first = conflicts.c.first_hand_id
        query = select(first).where(first > after).distinct().order_by(first).limit(limit)
        if upload is not None:
            owned = (
                select(identities.c.hand_id)
                .join(chunks, chunks.c.id == identities.c.chunk)
                .where(identities.c.hand_id == first, chunks.c.upload == upload)
            )
            query = query.where(or_(conflicts.c.upload == upload, exists(owned)))
        if ruled is not None:
            of_conflict = exists().where(
                *(rulings.c[name] == conflicts.c[name] for name in Identity._fields)
            )
            query = query.where(of_conflict if ruled else ~of_conflict)
        with self._database.read() as connection:
            found = connection.scalars(query).all()
            names = [_identity(connection, hand) for hand in found]
            return [_conflict(connection, one) for one in names if one is not None]


def _identity(connection: Connection, hand_id: str) -> Identity | None:
    for table in (identities, conflicts):
        columns = select(table.c.source, table.c.table, table.c.hand)
        row = connection.execute(columns.where(table.c.hand_id == hand_id)).first()
        if row is not None:
            return Identity(*row)
    return None


def _conflict(connection: Connection, identity: Identity) -> Conflict:
    among = contestants(connection, identity)
    counts = counting(connection, identity, among)
    of_chunks = select(chunks.c.id, chunks.c.upload).where(
        chunks.c.id.in_({one.chunk for one in among})
    )
    upload_of = {row.id: row.upload for row in connection.execute(of_chunks)}
    columns = (rulings.c[name] for name in Ruling.__struct_fields__)
    row = connection.execute(select(*columns).where(is_of(rulings, identity))).first()
    return Conflict(
        among[0].hand_id,
        *identity,
        [
            Contestant(
                one.hand_id,
                upload_of[one.chunk],
                "first" if one.hand_id == counts else "conflict",
            )
            for one in among
        ],
        None if row is None else Ruling(*row),
    )
