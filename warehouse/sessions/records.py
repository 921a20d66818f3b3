"""The sessions of a house in its records: what is declared of them, which hands they list.

A session is begun by a declaration or by the first hand that names it. Declarations are kept in
every version; the one that came last counts, and sending an earlier one again changes nothing.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, TypeVar

from msgspec import UNSET, Struct
from sqlalchemy import Connection, Select, and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from schemas.document import HandId
from schemas.session import Session as SessionDocument
from schemas.session_decode import ReadSession
from warehouse.database import Database
from warehouse.exclusion import beside_others
from warehouse.identity import Identity
from warehouse.sessions.declarations import (
    declaration_text,
    declared_document,
    declares,
    digest_of,
    session_key,
)
from warehouse.sessions.marks import Kind, begin_session, touch
from warehouse.standings import is_of
from warehouse.tables import (
    conflicts,
    identities,
    session_chunks,
    session_declarations,
    session_hands,
    sessions,
)

State = Literal["none", "stale", "auditing", "done", "failed"]
STATES: Final[tuple[State, ...]] = ("none", "stale", "auditing", "done", "failed")
UNSETTLED: Final[tuple[State, ...]] = ("stale", "auditing")

_ROUNDS: Final = 20
_T = TypeVar("_T")


class Session(Struct, frozen=True, kw_only=True):
    """A session as it stands.

    ``state`` is that of its audit: ``none`` while it has no hands, ``stale`` while the audit waits
    to be made anew. ``verdict``, ``preset``, ``hands`` and ``findings``, which leaves warnings out,
    are of the last audit. ``audited`` is the revision that the audit is of.
    """

    key: str
    id: str
    kind: Kind
    declared: str | None
    created_at: dt.datetime
    changed_at: dt.datetime
    first_played: dt.datetime | None
    last_played: dt.datetime | None
    revision: int
    state: State
    attempts: int
    sent_at: dt.datetime | None
    touched_at: dt.datetime | None
    failure_code: str | None
    failure_detail: str | None
    audited: int
    verdict: str | None
    preset: str | None
    hands: int
    findings: int


class Declaration(Struct, frozen=True, kw_only=True):
    """One version of what is declared of a session.

    ``upload`` is the first one in which it came, None where it was sent by itself.
    """

    digest: str
    upload: str | None
    received_at: dt.datetime
    counts: bool


class Declared(Struct, frozen=True):
    """What came of a declaration: the session, and whether it, or the version, is new."""

    session: Session
    is_new: bool
    is_changed: bool


SESSION_COLUMNS: Final = [sessions.c[field] for field in Session.__struct_fields__]


class SessionRecords:
    """The sessions of one records database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def session(self, key: str) -> Session | None:
        """Return a session by its key, or None."""
        with self._database.read() as connection:
            return read_session_row(connection, key)

    def declare(self, read: ReadSession, upload: str | None, now: dt.datetime) -> Declared:
        """Record what a document says of its session; a version that is known changes nothing.

        An upload that gives only name and kind makes the session known, and no version of it.

        Raises:
            IntegrityError: the records were changed under our hands too many times.
        """
        return self._in_rounds(lambda connection: _declare(connection, read, upload, now))

    def replace_declared(self, read: ReadSession, now: dt.datetime) -> Declared:
        """Record what a document says of its session as what counts, known before or not.

        Raises:
            IntegrityError: the records were changed under our hands too many times.
        """

        def write(connection: Connection) -> Declared:
            made = _declare(connection, read, None, now)
            digest = digest_of(declaration_text(read.text))
            if made.session.declared == digest:
                return made
            _let_count(connection, made.session.key, read.session, digest, now)
            return Declared(_session(connection, made.session.key), made.is_new, is_changed=True)

        return self._in_rounds(write)

    def declarations(self, key: str) -> list[Declaration]:
        """Return every version of a session's declaration, the newest first."""
        with self._database.read() as connection:
            counts = connection.scalar(select(sessions.c.declared).where(sessions.c.key == key))
            firsts = (
                select(func.min(session_declarations.c.number))
                .where(session_declarations.c.session == key)
                .group_by(session_declarations.c.digest)
            )
            columns = session_declarations.c
            query = (
                select(columns.digest, columns.upload, columns.received_at)
                .where(columns.number.in_(firsts))
                .order_by(columns.number.desc())
            )
            return [
                Declaration(**row, counts=row["digest"] == counts)
                for row in connection.execute(query).mappings()
            ]

    def text(self, key: str, digest: str | None = None) -> bytes | None:
        """Return the text of a version, of the one that counts unless told; None for none."""
        with self._database.read() as connection:
            if digest is None:
                return counting_text(connection, key)
            columns = session_declarations.c
            of_version = (columns.session == key, columns.digest == digest)
            query = select(columns.text).where(*of_version).limit(1)
            text: bytes | None = connection.scalar(query)
            return text

    def attached(self, key: str) -> list[HandId]:
        """Return the hands that were attached to a session, in their order."""
        with self._database.read() as connection:
            return [HandId(*one) for one in listed_hands(connection, key, attached=True)]

    def count_declared(self, key: str) -> int:
        """Return how many hands the declaration that counts lists."""
        of_declaration = (session_hands.c.session == key, session_hands.c.attached.is_(False))
        with self._database.read() as connection:
            counted = select(func.count()).select_from(session_hands).where(*of_declaration)
            return connection.scalar(counted) or 0

    def attach(
        self, key: str, hands: Sequence[str | HandId], now: dt.datetime
    ) -> Session | list[str | HandId]:
        """Add hands to those that a session lists; one that is there already is passed over.

        Returns:
            The session; or the hands that are not known, and then none is added.

        Raises:
            LookupError: there is no such session.
        """

        def write(connection: Connection) -> Session | list[str | HandId]:
            _hold(connection, key)
            found = [_identity(connection, hand) for hand in hands]
            unknown = [hand for hand, identity in zip(hands, found, strict=True) if not identity]
            if unknown:
                return unknown
            attached = _attached(connection, key)
            fresh = [one for one in dict.fromkeys(found) if one is not None and one not in attached]
            if fresh:
                _list_hands(connection, key, fresh, attached=True, behind=len(attached))
                touch(connection, [key], now)
            return _session(connection, key)

        return self._in_rounds(write)

    def detach(
        self, key: str, hands: Sequence[str | HandId], now: dt.datetime
    ) -> Session | list[str | HandId]:
        """Take hands out of those that were attached to a session.

        Returns:
            The session; or the hands that were not attached, and then none is taken out.

        Raises:
            LookupError: there is no such session.
        """

        def write(connection: Connection) -> Session | list[str | HandId]:
            _hold(connection, key)
            attached = _attached(connection, key)
            found = [
                _identity(connection, hand) if isinstance(hand, str) else _written(hand)
                for hand in hands
            ]
            unknown = [
                hand
                for hand, identity in zip(hands, found, strict=True)
                if identity not in attached
            ]
            if unknown:
                return unknown
            gone = set(found)
            rest = [identity for identity in attached if identity not in gone]
            _drop_listed(connection, key, attached=True)
            _list_hands(connection, key, rest, attached=True)
            touch(connection, [key], now)
            return _session(connection, key)

        return self._in_rounds(write)

    def _in_rounds(self, write: Callable[[Connection], _T]) -> _T:
        """Write in one transaction; again where somebody began the same in between."""
        for round_ in range(_ROUNDS):
            try:
                with self._database.write() as connection:
                    beside_others(connection)  # a deletion holds uploads and wants sessions
                    return write(connection)
            except IntegrityError:
                if round_ == _ROUNDS - 1:
                    raise
        raise AssertionError("every round returns, raises or goes on")


def read_session_row(connection: Connection, key: str) -> Session | None:
    """Return a session by its key, or None."""
    row = connection.execute(_select_session(key)).mappings().first()
    return None if row is None else Session(**row)


def counting_text(connection: Connection, key: str) -> bytes | None:
    """Return the text of the declaration that counts, or None where nothing is declared."""
    query = (
        select(session_declarations.c.text)
        .join(
            sessions,
            and_(
                sessions.c.key == session_declarations.c.session,
                sessions.c.declared == session_declarations.c.digest,
            ),
        )
        .where(sessions.c.key == key)
        .limit(1)
    )
    text: bytes | None = connection.scalar(query)
    return text


def listed_hands(connection: Connection, key: str, *, attached: bool) -> list[Identity]:
    """Return the hands that were attached to a session, or those that its declaration lists."""
    columns = session_hands.c
    query = (
        select(columns.source, columns.table, columns.hand)
        .where(columns.session == key, columns.attached == attached)
        .order_by(columns.place)
    )
    return [Identity(*row) for row in connection.execute(query)]


def forget_empty(connection: Connection, key: str) -> None:
    """Take out a session of which nothing is declared and that has no hands."""
    for table in (session_declarations, session_hands, session_chunks):
        query = select(table.c.session).where(table.c.session == key).limit(1)
        if connection.execute(query).first() is not None:
            return
    connection.execute(delete(sessions).where(sessions.c.key == key))


def forget_upload(connection: Connection, upload: str, now: dt.datetime) -> None:
    """Take out what an upload that is being deleted had declared.

    A version that came in another way as well stays. Where the version that counted goes, the one
    before it counts.
    """
    columns = session_declarations.c
    of_upload = columns.upload == upload
    keys = list(connection.scalars(select(columns.session).where(of_upload).distinct()))
    connection.execute(delete(session_declarations).where(of_upload))
    for key in sorted(keys):
        if counting_text(connection, key) is None:
            last = (
                select(columns.digest, columns.text)
                .where(columns.session == key)
                .order_by(columns.number.desc())
                .limit(1)
            )
            left = connection.execute(last).first()
            if left is None:
                _drop_listed(connection, key, attached=False)
                connection.execute(
                    update(sessions).where(sessions.c.key == key).values(declared=None)
                )
                touch(connection, [key], now)
            else:
                _let_count(connection, key, declared_document(left.text), left.digest, now)


def _declare(
    connection: Connection, read: ReadSession, upload: str | None, now: dt.datetime
) -> Declared:
    document = read.session
    name = document.session.id
    key = session_key(name)
    kind: Kind = "session" if document.session.kind is UNSET else document.session.kind
    is_new = begin_session(connection, name, kind, now)
    before = _hold(connection, key)
    if upload is not None and not declares(document):
        if before.declared is None and kind != before.kind == "session":
            connection.execute(update(sessions).where(sessions.c.key == key).values(kind=kind))
            touch(connection, [key], now)
        return Declared(_session(connection, key), is_new, is_changed=False)
    text = declaration_text(read.text)
    digest = digest_of(text)
    columns = session_declarations.c
    query = select(columns.upload).where(columns.session == key, columns.digest == digest)
    known = set(connection.scalars(query))
    if upload not in known:
        connection.execute(
            session_declarations.insert().values(
                session=key, digest=digest, upload=upload, received_at=now, text=text
            )
        )
    if not known:
        _let_count(connection, key, document, digest, now)
    return Declared(_session(connection, key), is_new, is_changed=not known)


def _let_count(
    connection: Connection, key: str, document: SessionDocument, digest: str, now: dt.datetime
) -> None:
    """Have a version of a session's declaration be the one that counts."""
    kind = "session" if document.session.kind is UNSET else document.session.kind
    connection.execute(
        update(sessions).where(sessions.c.key == key).values(declared=digest, kind=kind)
    )
    _drop_listed(connection, key, attached=False)
    if document.hand_ids is not UNSET:
        hands = dict.fromkeys(_written(one) for one in document.hand_ids)
        _list_hands(connection, key, hands, attached=False)
    touch(connection, [key], now)


def _list_hands(
    connection: Connection,
    key: str,
    hands: Iterable[Identity],
    *,
    attached: bool,
    behind: int = 0,
) -> None:
    rows = [
        {"session": key, "attached": attached, "place": place, **identity._asdict()}
        for place, identity in enumerate(hands, behind + 1)
    ]
    if rows:
        connection.execute(session_hands.insert(), rows)


def _drop_listed(connection: Connection, key: str, *, attached: bool) -> None:
    of_kind = (session_hands.c.session == key, session_hands.c.attached == attached)
    connection.execute(delete(session_hands).where(*of_kind))


def _attached(connection: Connection, key: str) -> dict[Identity, None]:
    return dict.fromkeys(listed_hands(connection, key, attached=True))


def _identity(connection: Connection, hand: str | HandId) -> Identity | None:
    """The identity of a hand that is stored, by its id or as it is written; None for another."""
    for table in (identities, conflicts):
        columns = (table.c.source, table.c.table, table.c.hand)
        named = table.c.hand_id == hand
        if isinstance(hand, HandId):
            named = is_of(table, _written(hand))
        row = connection.execute(select(*columns).where(named).limit(1)).first()
        if row is not None:
            return Identity(*row)
    return None


def _written(hand: HandId) -> Identity:
    return Identity(hand.source, hand.table, hand.hand)


def _hold(connection: Connection, key: str) -> Session:
    """Keep others from changing a session until the transaction ends; return how it stands."""
    row = connection.execute(_select_session(key).with_for_update()).mappings().first()
    if row is None:
        raise LookupError(f"there is no session {key}")
    return Session(**row)


def _session(connection: Connection, key: str) -> Session:
    found = read_session_row(connection, key)
    if found is None:
        raise LookupError(f"there is no session {key}")
    return found


def _select_session(key: str) -> Select[Any]:
    return select(*SESSION_COLUMNS).where(sessions.c.key == key)
