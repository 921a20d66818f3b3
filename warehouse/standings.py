"""Which hand of an identity counts: the first that came, unless somebody has ruled otherwise.

A hand's rows bear the standing that it had when they were written, and are never changed. Where it
has another one by now, that is in a small table beside them, kept up in the transaction of the
change.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Table, and_, delete, exists, select, update

from warehouse.identity import Identity
from warehouse.rows import Standing
from warehouse.sessions.marks import touch_chunks
from warehouse.tables import (
    chunks,
    conflicts,
    identities,
    renewals,
    rulings,
    standings,
    uploads,
)

_AT_ONCE: Final = 300


class Contestant(Struct, frozen=True):
    """One of the hands of an identity. ``written`` is the standing that its rows bear."""

    hand_id: str
    chunk: int
    written: Standing
    first: bool


def contestants(connection: Connection, identity: Identity) -> list[Contestant]:
    """Return all hands of an identity: the first of them, then the others as they arrived."""
    of_first = select(identities.c.hand_id, identities.c.chunk, identities.c.written)
    of_others = select(conflicts.c.hand_id, conflicts.c.chunk)
    return [
        *(
            Contestant(hand_id, chunk, written, first=True)
            for hand_id, chunk, written in connection.execute(
                of_first.where(is_of(identities, identity))
            )
        ),
        *(
            Contestant(hand_id, chunk, "conflict", first=False)
            for hand_id, chunk in connection.execute(
                _as_they_arrived(of_others.where(is_of(conflicts, identity)))
            )
        ),
    ]


def is_of(table: Table, identity: Identity) -> ColumnElement[bool]:
    """The condition that a row of a table is of an identity."""
    return and_(*(table.c[name] == value for name, value in identity._asdict().items()))


def counting(connection: Connection, identity: Identity, among: Sequence[Contestant]) -> str | None:
    """Return the one of an identity's hands that counts, or None where none does.

    A ruling for a hand that is not there is none, until that hand is there again.
    """
    ruled = connection.execute(select(rulings.c.stands).where(is_of(rulings, identity))).first()
    if ruled is not None and ruled.stands is None:
        return None
    if ruled is not None and any(one.hand_id == ruled.stands for one in among):
        return str(ruled.stands)
    return next((one.hand_id for one in among if one.first), None)


def restate(connection: Connection, changed: Iterable[Identity], now: dt.datetime) -> None:
    """Write down how the hands of identities stand now, where their rows say otherwise."""
    for identity in changed:
        among = contestants(connection, identity)
        counts = counting(connection, identity, among)
        hands = [one.hand_id for one in among]
        query = select(standings.c.hand_id, standings.c.standing)
        rows = connection.execute(query.where(standings.c.hand_id.in_(hands)))
        before = {row.hand_id: row.standing for row in rows}
        moved: dict[str, Standing] = {}
        for one in among:
            standing: Standing = "first" if one.hand_id == counts else "conflict"
            if standing != one.written:
                moved[one.hand_id] = standing
        if moved == before:
            continue
        connection.execute(delete(standings).where(standings.c.hand_id.in_(hands)))
        if moved:
            added = [{"hand_id": hand, "standing": standing} for hand, standing in moved.items()]
            connection.execute(standings.insert(), added)
        touch_chunks(connection, {one.chunk for one in among}, now)


def respect_rulings(
    connection: Connection, published: Iterable[Identity], now: dt.datetime
) -> None:
    """Have hands that are published now stand as somebody had ruled before they came."""
    if connection.execute(select(rulings.c.source).limit(1)).first() is not None:
        restate(connection, ruled_among(connection, published), now)


def ruled_among(connection: Connection, wanted: Iterable[Identity]) -> list[Identity]:
    """Return those of the identities that somebody has ruled upon."""
    hands_of: dict[tuple[str, str], list[str]] = defaultdict(list)
    for identity in set(wanted):
        hands_of[identity.source, identity.table].append(identity.hand)
    found = []
    for (source, table), hands in hands_of.items():
        rest = iter(sorted(hands))
        while some := list(islice(rest, _AT_ONCE)):
            of_table = (rulings.c.source == source, rulings.c.table == table)
            query = select(rulings.c.hand).where(*of_table, rulings.c.hand.in_(some))
            found += [Identity(source, table, hand) for hand in connection.scalars(query)]
    return found


def promote(connection: Connection, orphaned: Iterable[Identity]) -> None:
    """Give identities that lost their first hand to the earliest of those in conflict with it.

    An identity that has its first hand, or no hand at all, is left alone. Those promoted are no
    conflicts any more and leave the counts of their chunks and uploads.
    """
    for identity in orphaned:
        among = contestants(connection, identity)
        if not among or among[0].first:
            continue
        heir = among[0]
        connection.execute(delete(conflicts).where(conflicts.c.hand_id == heir.hand_id))
        connection.execute(
            identities.insert().values(
                **identity._asdict(), hand_id=heir.hand_id, chunk=heir.chunk, written=heir.written
            )
        )
        connection.execute(
            update(conflicts).where(is_of(conflicts, identity)).values(first_hand_id=heir.hand_id)
        )
        _uncount_conflict(connection, heir.chunk)


def _uncount_conflict(connection: Connection, chunk: int) -> None:
    of_chunk = select(chunks.c.upload).where(chunks.c.id == chunk).scalar_subquery()
    for table, key in ((chunks, chunks.c.id == chunk), (uploads, uploads.c.id == of_chunk)):
        fewer = update(table).where(key).values(conflicts=table.c.conflicts - 1)
        connection.execute(fewer)


def _as_they_arrived(query: Any) -> Any:  # noqa: ANN401 -- a selection of whatever columns
    joined = query.join(uploads, uploads.c.id == conflicts.c.upload)
    return joined.order_by(uploads.c.received_at, uploads.c.id, conflicts.c.ordinal)


def drop_idle_rulings(connection: Connection) -> None:
    """Delete rulings on identities of which no hand is left and none is about to come back."""
    if connection.execute(select(rulings.c.source).limit(1)).first() is None:
        return
    if connection.execute(select(renewals.c.upload).limit(1)).first() is not None:
        return
    same = (identities.c[name] == rulings.c[name] for name in Identity._fields)
    connection.execute(delete(rulings).where(~exists().where(*same)))
