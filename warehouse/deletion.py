"""Deleting an upload: one transaction takes it and its hands away, its files are deleted after it.

A hand that another upload holds too comes back from there: the chunks that repeat hands of the
deleted one are ordered to be made anew in the same transaction. A hand that was in conflict with a
deleted one takes its place at once.
"""

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    delete,
    exists,
    select,
    update,
)

from warehouse.blobs import BlobStore
from warehouse.compaction import Compaction
from warehouse.database import Database
from warehouse.exclusion import alone
from warehouse.identity import Identity
from warehouse.notes import forget_hands
from warehouse.renewals import order
from warehouse.rollup_base import RollupBase
from warehouse.segments import UNUSED, SegmentFolder, strike_off
from warehouse.sessions.marks import touch_chunks
from warehouse.sessions.records import forget_upload
from warehouse.standings import drop_idle_rulings, promote, restate
from warehouse.tables import (
    chunks,
    conflicts,
    deletions,
    differences,
    discards,
    identities,
    occurrences,
    overlaps,
    packed,
    problems,
    reaudit_chunks,
    rebuilds,
    renewals,
    rulings,
    segments,
    session_chunks,
    spans,
    standings,
    uploads,
)

_BLOB: Final = "blob"
_SEGMENTS: Final = "segments"
_KEY: Final = ("source", "table", "hand")
_IN_PACK: Final = chunks.c.id.in_(select(packed.c.chunk))
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_ROUNDS: Final = 5
_AT_ONCE: Final = 500

GRACE: Final = dt.timedelta(hours=6)
"""How long a segment stays in place that others were put in the place of: for so long, whoever
began to read or to copy the house before may go on.
"""


class Deletion(Struct, frozen=True, kw_only=True):
    """What is left of a deleted upload. ``hands`` is how many of it had been read."""

    id: int
    upload: str
    name: str | None
    size: int
    hands: int
    received_at: dt.datetime
    deleted_at: dt.datetime
    deleted_by: str | None


class Deleted(Struct, frozen=True):
    """A deletion. ``renewed`` are the uploads that are to be worked on for hands they share."""

    deletion: Deletion
    renewed: list[str]


class Deletions:
    """Deletes uploads of a house, and the files that nothing needs any more."""

    def __init__(
        self,
        database: Database,
        blobs: BlobStore,
        folder: SegmentFolder,
        compaction: Compaction,
        rollups: RollupBase,
        engine: str,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._folder = folder
        self._compaction = compaction
        self._rollups = rollups
        self._engine = engine

    def delete(self, upload: str, by: str | None, now: dt.datetime) -> Deleted | None:
        """Delete an upload with all that came of it; None where there is none of this id.

        Its files are named in the records until `sweep` has deleted them.

        Raises:
            OSError: segments that it shares with others cannot be read or written.
        """
        mine = select(chunks.c.id).where(chunks.c.upload == upload)
        for _ in range(_ROUNDS):
            with self._database.read() as connection:
                shared = connection.scalars(mine.where(_IN_PACK)).all()
            self._compaction.take_out(shared, now)
            with self._database.write() as connection:
                alone(connection)
                if connection.execute(mine.where(_IN_PACK).limit(1)).first() is None:
                    return self._delete(connection, upload, by, now)
        raise TimeoutError("the upload's segments are joined to others again and again")

    def _delete(
        self, connection: Connection, upload: str, by: str | None, now: dt.datetime
    ) -> Deleted | None:
        found = connection.execute(
            select(uploads).where(uploads.c.id == upload).with_for_update()
        ).first()
        if found is None:
            return None
        mine = select(chunks.c.id).where(chunks.c.upload == upload)
        orphaned, ruled = _contested(connection, mine), _ruled(connection, mine)
        repeating = _repeating(mine, upload)
        asked = {"deleted": upload}
        renewed: list[str] = []
        if connection.execute(repeating.limit(1)).first() is not None:
            made = order(connection, "deletion", repeating, asked, by, self._engine, now)
            renewed = made.uploads
        touch_chunks(connection, connection.scalars(mine).all(), now)
        forget_upload(connection, upload, now)
        discard_segments(connection, upload, now)
        _discard(connection, _BLOB, found.blob, now)
        # Hands of the upload may be in any segment that was replaced just now.
        connection.execute(update(discards).where(discards.c.kind == UNUSED).values(since=_EPOCH))
        _clear(connection, upload, mine)
        promote(connection, orphaned)
        restate(connection, orphaned | ruled, now)
        drop_idle_rulings(connection)
        row = {
            **{name: getattr(found, name) for name in ("name", "size", "hands", "received_at")},
            "upload": upload,
            "deleted_at": now,
            "deleted_by": by,
        }
        adding = deletions.insert().values(row).returning(deletions.c.id)
        deletion = Deletion(id=connection.execute(adding).scalar_one(), **row)
        return Deleted(deletion, renewed)

    def deletion(self, upload: str) -> Deletion | None:
        """Return the last deletion of an upload, or None."""
        query = _deletions().where(deletions.c.upload == upload)
        with self._database.read() as connection:
            row = connection.execute(query.order_by(deletions.c.id.desc())).mappings().first()
        return None if row is None else Deletion(**row)

    def deletions(self, limit: int, before: int | None = None) -> list[Deletion]:
        """Return at most `limit` deletions, the last first; only those before one's number."""
        query = _deletions().order_by(deletions.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(deletions.c.id < before)
        with self._database.read() as connection:
            return [Deletion(**row) for row in connection.execute(query).mappings()]

    def sweep(self) -> int:
        """Delete the files that nothing in the records names any more; return how many.

        It may be cut off anywhere and made again. What came again in between is kept.

        Raises:
            OSError: a file cannot be deleted, or its place not be reached; it is deleted later.
        """
        swept = self._sweep_unused()
        for kind, name in self._discarded():
            with self._database.write() as connection:
                alone(connection)  # nobody records or publishes what is being deleted
                of_file = (discards.c.kind == kind, discards.c.name == name)
                if connection.execute(delete(discards).where(*of_file)).rowcount == 0:
                    continue  # somebody was faster, or it came again
                swept += self._sweep(connection, kind, name)
        return swept

    def _discarded(self) -> list[tuple[str, str]]:
        query = select(discards.c.kind, discards.c.name).order_by(discards.c.since)
        query = query.where(discards.c.kind != UNUSED)
        with self._database.read() as connection:
            return [(kind, name) for kind, name in connection.execute(query)]

    def _sweep_unused(self) -> int:
        """Delete the single segments that were noted long enough ago, many at a time."""
        due = (discards.c.kind == UNUSED, discards.c.since <= dt.datetime.now(dt.UTC) - GRACE)
        query = select(discards.c.name).where(*due)
        with self._database.read() as connection:
            names = connection.scalars(query.order_by(discards.c.since)).all()
        swept = 0
        for first in range(0, len(names), _AT_ONCE):
            with self._database.write() as connection:
                alone(connection)
                some = names[first : first + _AT_ONCE]
                paths = connection.scalars(query.where(discards.c.name.in_(some))).all()
                strike_off(connection, paths)
                self._folder.delete(paths)
            swept += len(paths)
        return swept

    def _sweep(self, connection: Connection, kind: str, name: str) -> int:
        if kind == _BLOB:
            used = connection.scalar(select(exists().where(uploads.c.blob == name)))
            if used:
                return 0
            self._blobs.delete(name)
            return 1
        mine = select(segments.c.path).join(chunks, chunks.c.id == segments.c.chunk)
        listed = set(connection.scalars(mine.where(chunks.c.upload == name)))
        left = [path for path in self._folder.of_upload(name) if path not in listed]
        self._folder.delete(left)
        self._rollups.discard()
        return len(left)


def _deletions() -> Select[Any]:
    return select(*(deletions.c[field] for field in Deletion.__struct_fields__))


def _repeating(mine: Select[int], upload: str) -> Select[int]:
    """The chunks of other uploads that repeat hands of these chunks."""
    return (
        select(chunks.c.id)
        .join(overlaps, overlaps.c.chunk == chunks.c.id)
        .where(
            overlaps.c.owner.in_(mine),
            chunks.c.upload != upload,
            chunks.c.superseded_by.is_(None),
        )
        .distinct()
    )


def _contested(connection: Connection, mine: Select[int]) -> set[Identity]:
    """The identities that these chunks own and others are in conflict over."""
    query = (
        _identity_of(conflicts)
        .join(identities, _same_identity(identities, conflicts))
        .where(identities.c.chunk.in_(mine), conflicts.c.chunk.not_in(mine))
    )
    return {Identity(*row) for row in connection.execute(query.distinct())}


def _ruled(connection: Connection, mine: Select[int]) -> set[Identity]:
    """The identities of hands of these chunks that somebody has ruled upon."""
    found: set[Identity] = set()
    for claims in (identities, conflicts):
        query = _identity_of(rulings).join(claims, _same_identity(claims, rulings))
        query = query.where(claims.c.chunk.in_(mine)).distinct()
        found.update(Identity(*row) for row in connection.execute(query))
    return found


def _identity_of(table: Table) -> Select[str, str, str]:
    return select(table.c.source, table.c.table, table.c.hand)


def _same_identity(one: Table, other: Table) -> ColumnElement[bool]:
    return and_(*(one.c[name] == other.c[name] for name in _KEY))


def discard_segments(connection: Connection, upload: str, now: dt.datetime) -> None:
    """Have those segments of an upload deleted that the records will not name any more."""
    _discard(connection, _SEGMENTS, upload, now)


def _discard(connection: Connection, kind: str, name: str, now: dt.datetime) -> None:
    """Note files as such that are to be deleted; `sweep` keeps what is used by then."""
    known = exists().where(discards.c.kind == kind, discards.c.name == name)
    if not connection.scalar(select(known)):
        connection.execute(discards.insert().values(kind=kind, name=name, since=now))


def _clear(connection: Connection, upload: str, mine: Select[int]) -> None:
    """Delete all rows of the upload and its chunks."""
    repeated = select(overlaps.c.owner).where(overlaps.c.chunk.not_in(mine))
    forget_hands(connection, mine.where(chunks.c.id.not_in(repeated)))  # others may come back
    for claims in (identities, conflicts):
        hands = select(claims.c.hand_id).where(claims.c.chunk.in_(mine))
        connection.execute(delete(standings).where(standings.c.hand_id.in_(hands)))
    of_chunks: Iterable[tuple[Table, str]] = (
        (segments, "chunk"),
        (session_chunks, "chunk"),
        (spans, "chunk"),
        (rebuilds, "chunk"),
        (occurrences, "chunk"),
        (differences, "chunk"),
        (identities, "chunk"),
        (conflicts, "chunk"),
        (overlaps, "chunk"),
        (overlaps, "owner"),
        (reaudit_chunks, "chunk"),
        (reaudit_chunks, "made"),
    )
    for table, column in of_chunks:
        connection.execute(delete(table).where(table.c[column].in_(mine)))
    for table in (problems, renewals, chunks):
        connection.execute(delete(table).where(table.c.upload == upload))
    connection.execute(delete(uploads).where(uploads.c.id == upload))
