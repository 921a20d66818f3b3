"""Noting that what a session's audit is made of has changed, in the transaction of the change.

Every change raises the session's revision, so that an audit of an earlier one is known for what it
is. Which sessions a hand is of is known by the chunks in which hands name them, and by their lists.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, Literal, TypeVar

from sqlalchemy import Connection, case, select, union, update

from warehouse.claims import KeptHand
from warehouse.identity import Identity
from warehouse.rows import COLUMNS
from warehouse.sessions.declarations import session_key
from warehouse.tables import conflicts, identities, session_chunks, session_hands, sessions

Kind = Literal["session", "tournament"]

_AT_ONCE: Final = 300
_COLUMNS: Final = list(COLUMNS["hands"])
_PLAYED, _SESSION, _KIND = (
    _COLUMNS.index(name) for name in ("played_at", "session", "session_kind")
)
_T = TypeVar("_T")


class _Met:
    """What the hands of a chunk say of one session."""

    def __init__(self) -> None:
        self.kind: Kind = "session"
        self.played: list[dt.datetime] = []


def note_published(
    connection: Connection, chunk: int, kept: Sequence[KeptHand], now: dt.datetime
) -> None:
    """Note the sessions of hands that are published as a chunk; those unknown are begun."""
    met: dict[str, _Met] = defaultdict(_Met)
    for one in kept:
        row = one.hand.rows["hands"][0]
        if row[_SESSION] is None:
            continue
        found = met[row[_SESSION]]
        if row[_KIND] == "tournament":
            found.kind = "tournament"
        if row[_PLAYED] is not None:
            found.played.append(row[_PLAYED].replace(tzinfo=dt.UTC))
    named = {session_key(session): session for session in met}
    listed = sessions_listing(connection, [one.hand.identity for one in kept])
    for key in sorted({*named, *listed}):  # in one order, as `touch` has it
        if key in named:
            _meet(connection, named[key], met[named[key]], now)
        else:
            touch(connection, [key], now)
    if named:
        connection.execute(
            session_chunks.insert(), [{"session": key, "chunk": chunk} for key in sorted(named)]
        )


def begin_session(connection: Connection, session: str, kind: Kind, now: dt.datetime) -> bool:
    """Put a session into the records unless it is there; tell whether it was not.

    Raises:
        IntegrityError: somebody else does so at the same time.
    """
    key = session_key(session)
    # Held as soon as it is found: one that is just being forgotten, as it was empty, is not there.
    found = select(sessions.c.key).where(sessions.c.key == key).with_for_update()
    if connection.execute(found).first() is not None:
        return False
    row = {"key": key, "id": session, "kind": kind, "created_at": now, "changed_at": now}
    connection.execute(sessions.insert().values(**row, revision=1, state="stale"))
    return True


def touch(connection: Connection, keys: Iterable[str], now: dt.datetime) -> None:
    """Note that something of these sessions has changed: their audit is to be made anew.

    An audit that is being made goes on; it is one of an earlier revision then.
    """
    changed = {
        "revision": sessions.c.revision + 1,
        "state": case((sessions.c.run.is_(None), "stale"), else_=sessions.c.state),
        "changed_at": now,
        "sent_at": None,
        "attempts": 0,
        "failure_code": None,
        "failure_detail": None,
    }
    for key in sorted(
        set(keys)
    ):  # one order everywhere, so that no two writers wait for each other
        connection.execute(update(sessions).where(sessions.c.key == key).values(changed))


def touch_chunks(connection: Connection, chunks: Iterable[int], now: dt.datetime) -> None:
    """Note that hands of these chunks count otherwise, or will not be there any more."""
    found: set[str] = set()
    for some in _slices(sorted(set(chunks))):
        naming = select(session_chunks.c.session).where(session_chunks.c.chunk.in_(some))
        found.update(connection.scalars(naming))
        for table in (identities, conflicts):
            listing = select(session_hands.c.session).join(
                table,
                (session_hands.c.source == table.c.source)
                & (session_hands.c.table == table.c.table)
                & (session_hands.c.hand == table.c.hand),
            )
            found.update(connection.scalars(listing.where(table.c.chunk.in_(some)).distinct()))
    touch(connection, found, now)


def chunks_of(connection: Connection, identity: Identity) -> set[int]:
    """Return the chunks that have a hand of an identity."""
    wanted: list[Any] = [
        select(table.c.chunk).where(
            *(table.c[name] == value for name, value in identity._asdict().items())
        )
        for table in (identities, conflicts)
    ]
    return set(connection.scalars(union(*wanted)))


def sessions_listing(connection: Connection, hands: Iterable[Identity]) -> set[str]:
    """Return the keys of the sessions that list one of these hands."""
    if connection.execute(select(session_hands.c.session).limit(1)).first() is None:
        return set()
    hands_of: dict[tuple[str, str], set[str]] = defaultdict(set)
    for identity in hands:
        hands_of[identity.source, identity.table].add(identity.hand)
    found: set[str] = set()
    for (source, table), names in hands_of.items():
        of_table = (session_hands.c.source == source, session_hands.c.table == table)
        for some in _slices(sorted(names)):
            query = select(session_hands.c.session).where(*of_table, session_hands.c.hand.in_(some))
            found.update(connection.scalars(query.distinct()))
    return found


def _meet(connection: Connection, session: str, met: _Met, now: dt.datetime) -> None:
    key = session_key(session)
    if not begin_session(connection, session, met.kind, now):
        touch(connection, [key], now)
    known = connection.execute(
        select(
            sessions.c.kind, sessions.c.declared, sessions.c.first_played, sessions.c.last_played
        ).where(sessions.c.key == key)
    ).one()
    values: dict[str, object] = {}
    if known.declared is None and met.kind == "tournament":
        values["kind"] = met.kind
    if met.played:
        first, last = min(met.played), max(met.played)
        values["first_played"] = min(first, known.first_played or first)
        values["last_played"] = max(last, known.last_played or last)
    if values:
        connection.execute(update(sessions).where(sessions.c.key == key).values(values))


def _slices(values: Iterable[_T]) -> Iterator[list[_T]]:
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
