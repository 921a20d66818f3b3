"""Compaction: the rows of many small chunks are joined into segments that these chunks share.

One transaction puts what was joined in the place of what it was made of. A chunk is taken out of
its pack in the same way, to have segments of its own as before; that comes before it is deleted or
made anew. Neither changes anything of what is read.

Files are named in the records before they are put in place, among those that are deleted after a
while, and are struck off there by the transaction that publishes them; it names there the files
that they replace. So nothing that is killed leaves a file that nobody knows of.
"""

import datetime as dt
import secrets
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import polars as pl
from msgspec import Struct
from sqlalchemy import Connection, select

from engine import ENGINE_VERSION
from warehouse.database import Database
from warehouse.exclusion import alone
from warehouse.packs import (
    Member,
    Paths,
    Unit,
    add_own,
    add_pack,
    drop,
    members_of,
    packs_with,
    paths_of,
    small_units,
)
from warehouse.publishing import segment_name, stage
from warehouse.renewals import order
from warehouse.rows import SegmentKind
from warehouse.segments import SegmentFolder, StagedSegment, note_unused, strike_off
from warehouse.tables import chunks, packed, reaudit_chunks

MANY: Final = 20
"""So many small units are joined without anybody's asking."""

_TINY: Final = 20
"""Units of less than such a part of what is enough are joined first, among themselves."""

_AT_ONCE: Final = 500  # units
_DUE_AT_ONCE: Final = 100  # chunks
_ROUNDS: Final = 5

Frames = dict[SegmentKind, pl.DataFrame]


class Joined(Struct, frozen=True):
    """What was joined: so many chunks and packs, of so many hands in all."""

    units: int
    hands: int


class _ChangedError(Exception):
    """The records are not as they were when the segments were written."""


class Compaction:
    """Joins the segments of one house, and takes chunks out again.

    A unit of ``enough`` hands, or of ``enough_bytes`` of documents, is joined to nothing more.
    """

    def __init__(
        self, database: Database, folder: SegmentFolder, enough: int, enough_bytes: int
    ) -> None:
        self._database = database
        self._folder = folder
        self._enough = enough
        self._enough_bytes = enough_bytes

    def due(self) -> bool:
        """Tell whether so many units are small that some are to be joined."""
        with self._database.read() as connection:
            return bool(self._chosen(connection, MANY))

    def join(self, now: dt.datetime, many: int = MANY) -> Joined | None:
        """Join some small units, the first ones first; None where there are none to be joined.

        Of two who join the same ones at the same time, one has joined nothing.

        Args:
            now: the time.
            many: how many small units there must be at least.

        Raises:
            OSError: there is no room, or the place of the segments cannot be reached.
        """
        with self._database.read() as connection:
            chosen = self._chosen(connection, many)
            paths = paths_of(connection, chosen)
        read = _alike(self._read_some(chosen, paths))
        units = list(read)
        full = (
            sum(one.hands for one in units) >= self._enough
            or sum(map(_size, read.values())) >= self._enough_bytes
        )
        if len(units) < 2 and not full:
            return None
        together = {
            kind: pl.concat(
                [one[kind] for one in read.values() if kind in one], how="diagonal_relaxed"
            )
            for kind in sorted({kind for one in read.values() for kind in one})
        }
        staged = stage(self._folder, _pack_name(), together)
        joined = Joined(len(units), together["hands"].height)

        def replace(connection: Connection) -> None:
            there = set(small_units(connection, self._enough))
            before = {unit: paths[unit] for unit in units}
            if not there.issuperset(units) or paths_of(connection, units) != before:
                raise _ChangedError
            members = members_of(connection, units)
            drop(connection, units, now)
            add_pack(connection, members, staged, full=full)

        if not self._swap(staged, replace, now):
            return Joined(0, 0)
        return joined

    def take_out(self, wanted: Iterable[int], now: dt.datetime) -> None:
        """Give chunks segments of their own again, as far as they are in packs.

        Where segments of a pack are lost, its chunks have none; they are ordered to be made anew.

        Raises:
            OSError: there is no room, or the place of the segments cannot be reached.
        """
        chosen = sorted(set(wanted))
        for _ in range(_ROUNDS):
            with self._database.read() as connection:
                found = packs_with(connection, chosen)
            if not found:
                return
            for pack, out in sorted(found.items()):
                unit = Unit(out[0], 0, pack)
                try:
                    self._split(unit, set(out), now)
                except FileNotFoundError:
                    self._give_up(unit, now)

    def take_out_around(self, chunk: int, now: dt.datetime) -> None:
        """Take out a chunk, and some of its pack with it that are to follow; see `take_out`."""
        with self._database.read() as connection:
            found = packs_with(connection, [chunk])
            members = [
                one.chunk
                for pack in found
                for one in members_of(connection, [Unit(chunk, 0, pack)])
            ]
        following = [one for one in members if one >= chunk]
        self.take_out(following[:_DUE_AT_ONCE], now)

    def take_out_due(self, upload: str, now: dt.datetime) -> None:
        """Take out the chunks of an upload that are to be made anew; errors are as of `take_out`.

        Others that are to be made anew are taken out of their packs with them, so that a pack is
        not written again for every single one.
        """
        of_upload = select(packed.c.pack).join(chunks, chunks.c.id == packed.c.chunk)
        due = (
            select(packed.c.chunk, chunks.c.upload)
            .join(chunks, chunks.c.id == packed.c.chunk)
            .join(reaudit_chunks, reaudit_chunks.c.chunk == chunks.c.id)
            .where(reaudit_chunks.c.made.is_(None))
            .where(packed.c.pack.in_(of_upload.where(chunks.c.upload == upload)))
            .order_by(packed.c.chunk)
            .distinct()
        )
        with self._database.read() as connection:
            found = connection.execute(due).all()
        mine = [one.chunk for one in found if one.upload == upload]
        if mine:
            others = [one.chunk for one in found if one.upload != upload]
            self.take_out([*mine, *others[:_DUE_AT_ONCE]], now)

    def _chosen(self, connection: Connection, many: int) -> list[Unit]:
        units = small_units(connection, self._enough)
        tiny = [one for one in units if one.hands * _TINY < self._enough]
        small = tiny if len(tiny) >= many else units
        chosen: list[Unit] = []
        if len(small) >= many:
            for unit in small[:_AT_ONCE]:
                chosen.append(unit)
                if sum(one.hands for one in chosen) >= self._enough:
                    break
        return chosen

    def _read_some(self, chosen: Iterable[Unit], paths: Mapping[Unit, Paths]) -> dict[Unit, Frames]:
        """Read units until their documents are enough.

        One whose segments are not there is passed over: it is just being deleted, or they are lost.
        """
        read: dict[Unit, Frames] = {}
        size = 0
        for unit in chosen:
            try:
                frames = self._read(paths[unit])
            except FileNotFoundError:
                continue
            if unit.pack is None and "rollups" in frames:
                frames["rollups"] = _with_chunk(frames["rollups"], unit.lead)
            read[unit] = frames
            size += _size(frames)
            if size >= self._enough_bytes:
                break
        return read

    def _read(self, paths: Paths) -> Frames:
        files = self._folder.locate_all(list(paths.values()))
        return {kind: pl.read_parquet(file) for kind, file in zip(paths, files, strict=True)}

    def _split(self, unit: Unit, out: set[int], now: dt.datetime) -> None:
        """Take chunks out of a pack, unless another has taken its place."""
        with self._database.read() as connection:
            paths, members = paths_of(connection, [unit])[unit], members_of(connection, [unit])
        if not members:
            return
        frames = self._read(paths)
        chunk_of = _chunk_of(frames["hands"], members)

        def rows(wanted: set[int]) -> Frames:
            hands = [hand for hand, chunk in chunk_of.items() if chunk in wanted]
            mine = pl.col("hand_id").is_in(hands)
            rolled = pl.col("chunk").is_in(list(wanted))
            return {k: one.filter(rolled if k == "rollups" else mine) for k, one in frames.items()}

        own = {
            one.chunk: stage(
                self._folder,
                segment_name(one.upload, one.first, one.last, one.engine),
                _without_chunk(rows({one.chunk})),
            )
            for one in members
            if one.chunk in out
        }
        left = [one for one in members if one.chunk not in out]
        rest = rows({one.chunk for one in left})
        shared = stage(self._folder, _pack_name(), rest) if left else []

        def replace(connection: Connection) -> None:
            if not members_of(connection, [unit]):
                raise _ChangedError
            drop(connection, [unit], now)
            for chunk, made in own.items():
                add_own(connection, chunk, made)
            if left:
                full = rest["hands"].height >= self._enough
                add_pack(connection, left, shared, full=full)

        self._swap([*shared, *(one for made in own.values() for one in made)], replace, now)

    def _give_up(self, unit: Unit, now: dt.datetime) -> None:
        """Have the chunks of a pack made anew, unless another has taken its place."""
        with self._database.write() as connection:
            alone(connection)
            lost = [one.chunk for one in members_of(connection, [unit])]
            if lost:
                drop(connection, [unit], now)
                again = select(chunks.c.id).where(chunks.c.id.in_(lost))
                asked = {"lost": len(lost)}
                order(connection, "asked", again, asked, None, ENGINE_VERSION, now)

    def _swap(
        self,
        staged: list[StagedSegment],
        replace: Callable[[Connection], None],
        now: dt.datetime,
    ) -> bool:
        """Put segments in place and publish them at once; False when that came too late."""
        paths = [one.path for one in staged]
        try:
            with self._database.write() as connection:
                note_unused(connection, paths, now)
            with self._database.write() as connection:
                alone(connection)
                if strike_off(connection, paths) != len(paths):
                    return False  # after so long they were taken for left behind
                replace(connection)
                self._folder.put_in_place(staged)
        except _ChangedError:
            return False
        finally:
            self._folder.discard(staged)
        return True


def _pack_name() -> str:
    return f"pack{secrets.token_hex(8)}"


def _with_chunk(rollups: pl.DataFrame, chunk: int) -> pl.DataFrame:
    """Rollups as a pack has them, in which every chunk's stay apart."""
    return rollups.select(pl.lit(chunk, pl.Int64()).alias("chunk"), pl.all())


def _without_chunk(frames: Frames) -> Frames:
    """Frames of one chunk as it has them by itself."""
    return {
        kind: frame.drop("chunk") if kind == "rollups" else frame for kind, frame in frames.items()
    }


def _alike(read: Mapping[Unit, Frames]) -> dict[Unit, Frames]:
    """Those of the same columns that are most: what is older than a counter stays by itself."""
    by_columns: dict[tuple[str, ...], dict[Unit, Frames]] = {}
    for unit, frames in read.items():
        columns = (*frames["hands"].columns, *frames["seats"].columns)
        by_columns.setdefault(columns, {})[unit] = frames
    return max(by_columns.values(), key=len, default={})


def _size(frames: Frames) -> int:
    """The bytes of the documents of hands."""
    return int(frames["hands"]["document"].bin.size().sum())


def _chunk_of(hands: pl.DataFrame, members: Sequence[Member]) -> dict[str, int]:
    """The chunk of every hand, which is told by the hand's place in its upload."""
    parts: dict[str, list[Member]] = {}
    for one in sorted(members, key=lambda member: member.first):
        parts.setdefault(one.upload, []).append(one)
    found = {}
    for hand_id, upload, ordinal in hands.select("hand_id", "upload", "ordinal").iter_rows():
        mine = parts[upload]
        at = bisect_right(mine, ordinal, key=lambda member: member.first) - 1
        found[hand_id] = mine[at].chunk
    return found
