"""Which sessions there are: by conditions, in an order, a page at a time."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Label, and_, exists, func, literal, or_, select, tuple_

from engine.terms import Verdict
from warehouse.cursors import BadCursor, read_cursor, write_cursor
from warehouse.database import Database
from warehouse.identity import Identity
from warehouse.sessions.marks import Kind
from warehouse.sessions.records import SESSION_COLUMNS, Session, State
from warehouse.sessions.results import SessionResult, read_results
from warehouse.tables import (
    UtcTime,
    chunks,
    conflicts,
    identities,
    session_chunks,
    session_declarations,
    session_hands,
    session_results,
    sessions,
)

SessionSort = Literal["-played_at", "played_at", "-changed_at", "changed_at", "id", "-id"]
SORTS: Final[tuple[SessionSort, ...]] = get_args(SessionSort)

_LONG_AGO: Final = dt.datetime(1, 1, 1, tzinfo=dt.UTC)
_ORDERS: Final[dict[str, tuple[ColumnElement[Any], type[Any], str]]] = {
    "played_at": (
        func.coalesce(sessions.c.last_played, literal(_LONG_AGO, UtcTime())),
        dt.datetime,
        "last_played",
    ),
    "changed_at": (sessions.c.changed_at, dt.datetime, "changed_at"),
    "id": (sessions.c.id, str, "id"),
}


class SessionConditions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a session must be to be listed; a condition that is None is none.

    A session is played ``from_`` a moment on where its last hand is, and ``until`` another where
    its first hand is before that. It is of an ``upload`` that declared it or has hands of it.
    ``agrees`` is whether its declared result is what the hands come to.
    """

    id: str | None = None
    kind: Kind | None = None
    verdict: Verdict | None = None
    state: State | None = None
    from_: dt.datetime | None = None
    until: dt.datetime | None = None
    upload: str | None = None
    agrees: bool | None = None


class SessionPage(Struct, frozen=True):
    """A page of a list; ``next_cursor`` asks for the one behind it and is None on the last."""

    sessions: list[Session]
    next_cursor: str | None


class SessionSearch:
    """Lists the sessions of one records database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(
        self,
        conditions: SessionConditions,
        sort: SessionSort = "-played_at",
        limit: int = 50,
        cursor: str | None = None,
    ) -> SessionPage | BadCursor:
        """Return sessions that meet all conditions; one without a time of play is the earliest."""
        value, kind, _ = _ORDERS[sort.removeprefix("-")]
        place = tuple_(value, sessions.c.key)
        query = select(*SESSION_COLUMNS).where(*_conditions(conditions))
        descending = sort.startswith("-")
        if cursor is not None:
            behind = read_cursor(cursor, _listing(conditions, sort), tuple[kind, str])  # type: ignore[valid-type]
            if isinstance(behind, BadCursor):
                return behind
            bound = tuple_(literal(behind[0], value.type), literal(behind[1]))
            query = query.where(place < bound if descending else place > bound)
        ways = [part.desc() if descending else part.asc() for part in (value, sessions.c.key)]
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(*ways).limit(limit + 1)).mappings()
            found = [Session(**row) for row in rows]
        shown = found[:limit]
        following = None
        if len(found) > limit:
            following = write_cursor(_listing(conditions, sort), _place(shown[-1], sort))
        return SessionPage(shown, following)

    def results(self, keys: Sequence[str]) -> dict[str, SessionResult]:
        """Return what the last audits say of the results of sessions, by their keys."""
        with self._database.read() as connection:
            return read_results(connection, keys)

    def count_wrong(self) -> int:
        """Return how many sessions declare a result that their hands do not come to."""
        wrong = select(func.count()).where(session_results.c.agrees.is_(False))
        with self._database.read() as connection:
            return connection.scalar(wrong) or 0

    def counts(self) -> dict[str, int]:
        """Return how many sessions there are by verdict, under "" those that have none."""
        counted: Label[Any] = func.count().label("n")
        query = select(sessions.c.verdict, counted).group_by(sessions.c.verdict)
        with self._database.read() as connection:
            return {verdict or "": number for verdict, number in connection.execute(query)}


def _conditions(asked: SessionConditions) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [
        sessions.c[name] == value
        for name in ("id", "kind", "verdict", "state")
        if (value := getattr(asked, name)) is not None
    ]
    if asked.from_ is not None:
        found.append(sessions.c.last_played >= asked.from_)
    if asked.until is not None:
        found.append(sessions.c.first_played < asked.until)
    if asked.upload is not None:
        found.append(_is_of(asked.upload))
    if asked.agrees is not None:
        alike = session_results.c.agrees.is_(asked.agrees)
        found.append(sessions.c.key.in_(select(session_results.c.session).where(alike)))
    return found


def _is_of(upload: str) -> ColumnElement[bool]:
    """That an upload has declared a session, or has hands that name it or that it lists."""
    of_upload = chunks.c.upload == upload
    naming = select(session_chunks.c.session).join(chunks, chunks.c.id == session_chunks.c.chunk)
    declaring = select(session_declarations.c.session)
    listing = (
        exists()
        .where(
            session_hands.c.session == sessions.c.key,
            and_(*(claims.c[name] == session_hands.c[name] for name in Identity._fields)),
            chunks.c.id == claims.c.chunk,
            of_upload,
        )
        .correlate(sessions)
        for claims in (identities, conflicts)
    )
    return or_(
        sessions.c.key.in_(naming.where(of_upload)),
        sessions.c.key.in_(declaring.where(session_declarations.c.upload == upload)),
        *listing,
    )


def _listing(conditions: SessionConditions, sort: SessionSort) -> object:
    return [sort, msgspec.to_builtins(conditions)]


def _place(session: Session, sort: SessionSort) -> tuple[object, str]:
    field = _ORDERS[sort.removeprefix("-")][2]
    value = getattr(session, field)
    return (_LONG_AGO if value is None else value, session.key)
