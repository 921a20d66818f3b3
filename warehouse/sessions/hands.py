"""Which stored hands a session has, in their order, and the session document that they make.

A session's hands are those that name it, by their numbers, unless it lists its hands: then they are
those of the list. Hands that were attached by hand come behind and make a list of either. Of an
identity the hand counts that counts everywhere; others, until somebody has ruled on them, stand
behind it in the document, so that the audit tells of the conflict.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from schemas.document import HandId
from schemas.rawtree import BOM
from warehouse.database import Database
from warehouse.identity import Identity
from warehouse.reading import SegmentReader, published
from warehouse.sessions.declarations import listing, whole, with_parts
from warehouse.sessions.marks import Kind
from warehouse.sessions.records import Session, counting_text, listed_hands
from warehouse.spans import with_hands
from warehouse.standings import ruled_among
from warehouse.tables import chunks, conflicts, identities, session_chunks, standings

AT_ONCE: Final = 500
"""So many documents are in memory at a time."""

_NAMING: Final = (
    'SELECT source, "table", hand, hand_no, session_kind, played_at, upload, ordinal'
    " FROM {hands} WHERE session = $session AND standing = 'first'"
)
_DOCUMENTS: Final = (
    "SELECT hand_id, document FROM {hands} WHERE hand_id IN (SELECT unnest($wanted::VARCHAR[]))"
)
_LONG_AGO: Final = dt.datetime(1, 1, 1)  # noqa: DTZ001 -- segments hold UTC without an offset
_T = TypeVar("_T")


class ComposedSession(Struct, frozen=True):
    """A session document whose hands are still to be fetched.

    Attributes:
        text: What it says beside its hands.
        hands: The ids of its hands, in the order in which they stand in it.
        places: The place that the audit gives each of them, from 0: in the list of hands where
            there is one, and in the document otherwise.
    """

    text: bytes
    hands: list[str]
    places: list[int]


class _Versions(Struct):
    """The hands of one identity: the one that counts, and those that nobody has ruled on."""

    counts: str | None = None
    others: list[str] = []


class SessionHands:
    """The hands of the sessions of one house."""

    def __init__(self, database: Database, reader: SegmentReader) -> None:
        self._database = database
        self._reader = reader

    def compose(self, session: Session) -> ComposedSession:
        """Return the document of a session, of what is published and declared now."""
        with self._database.read() as connection:
            text = counting_text(connection, session.key)
            declared = listed_hands(connection, session.key, attached=False)
            attached = listed_hands(connection, session.key, attached=True)
        kind = session.kind
        hands, listed = declared, bool(declared) or bool(attached)
        if not declared:
            hands, kind = self._naming(session)
        if text is None:
            text = msgspec.json.encode({"session": {"id": session.id, "kind": kind}})
        if attached:
            hands = list(dict.fromkeys([*hands, *attached]))
            text = with_parts(text, {"hand_ids": listing([HandId(*one) for one in hands])})
        with self._database.read() as connection:
            versions = _versions(connection, hands)
        composed = ComposedSession(text, [], [])
        for place, identity in enumerate(hands):
            found = versions.get(identity)
            if found is None or found.counts is None:
                continue
            for hand_id in (found.counts, *found.others):
                composed.places.append(place if listed else len(composed.hands))
                composed.hands.append(hand_id)
        return composed

    def fetch(self, hands: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the documents of hands as they came, in this order, without any that is gone."""
        for some in _slices(hands):
            chosen = published("hands").where(with_hands(some))
            found = dict(self._reader.rows({"hands": chosen}, _DOCUMENTS, {"wanted": some}))
            for hand_id in some:
                if hand_id in found:
                    yield hand_id, found[hand_id].removeprefix(BOM)

    def document(self, session: Session) -> Iterator[bytes]:
        """Yield the document of a session with its hands, piece by piece.

        It is what the audit is made of, byte for byte, as long as nothing changes.
        """
        composed = self.compose(session)
        begun, end = whole(composed.text)
        yield begun
        for number, (_, document) in enumerate(self.fetch(composed.hands)):
            yield document if number == 0 else b",\n" + document
        yield end

    def _naming(self, session: Session) -> tuple[list[Identity], Kind]:
        """The hands that name a session, by their numbers, and its kind, which they tell."""
        linked = select(session_chunks.c.chunk).where(session_chunks.c.session == session.key)
        chosen = published("hands").where(chunks.c.id.in_(linked))
        rows = self._reader.rows({"hands": chosen}, _NAMING, {"session": session.id})
        rows.sort(key=_by_number)
        kinds = {row[4] for row in rows}
        kind: Kind = "tournament" if "tournament" in kinds else "session"
        return [Identity(*row[:3]) for row in rows], kind


def _by_number(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """By number; of the same number the earlier one first, then as they stand in their uploads."""
    *_, hand_no, _, played_at, upload, ordinal = row
    return hand_no, played_at or _LONG_AGO, upload, ordinal


def _versions(connection: Connection, wanted: Sequence[Identity]) -> dict[Identity, _Versions]:
    """All stored hands of identities."""
    moved = {row.hand_id: row.standing for row in connection.execute(select(standings))}
    ruled = set(ruled_among(connection, wanted))
    found: dict[Identity, _Versions] = {}
    hands_of: dict[tuple[str, str], set[str]] = defaultdict(set)
    for identity in wanted:
        hands_of[identity.source, identity.table].add(identity.hand)
    for (source, table), hands in hands_of.items():
        for some in _slices(sorted(hands)):
            for hand, hand_id, written in _rows(connection, source, table, some):
                identity = Identity(source, table, hand)
                versions = found.setdefault(identity, _Versions())
                if moved.get(hand_id, written) == "first":
                    versions.counts = hand_id
                elif identity not in ruled:
                    versions.others.append(hand_id)
    return found


def _rows(
    connection: Connection, source: str, table: str, hands: list[str]
) -> Iterator[tuple[str, str, str]]:
    """The hands of some identities of a table, with their ids and the standing in their rows."""
    for claims in (identities, conflicts):
        written = [claims.c.written] if claims is identities else []
        query = (
            select(claims.c.hand, claims.c.hand_id, *written)
            .where(claims.c.source == source, claims.c.table == table, claims.c.hand.in_(hands))
            .order_by(claims.c.hand, claims.c.hand_id)
        )
        for hand, hand_id, *standing in connection.execute(query):
            yield hand, hand_id, standing[0] if standing else "conflict"


def _slices(values: Iterable[_T]) -> Iterator[list[_T]]:
    rest = iter(values)
    while some := list(islice(rest, AT_ONCE)):
        yield some
