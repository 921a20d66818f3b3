"""Counting the hands of published chunks anew: their seats and their rollups, and nothing else.

What was said of the hands stays. It is how hands that were published before a counter existed come
to have it. A chunk changes in one transaction or not at all, whoever publishes and reads meanwhile.
"""

import datetime as dt
import secrets
from collections import defaultdict
from typing import Any, Final

import polars as pl
from msgspec import Struct
from sqlalchemy import Connection, delete, select

from schemas.streams import RawHand
from warehouse.compaction import Compaction
from warehouse.database import Database
from warehouse.deletion import discard_segments
from warehouse.examining import Examiner
from warehouse.exclusion import alone
from warehouse.rollups import roll_up
from warehouse.rows import COLUMNS, HandRows, Row, SegmentKind
from warehouse.segments import SegmentFolder, StagedSegment, frame_of
from warehouse.tables import chunks, rebuilds, segments

_REPLACED: Final = ("seats", "rollups")
_ROUNDS: Final = 20
_SEATS: Final = list(COLUMNS["seats"])
_OUTCOME: Final = [
    _SEATS.index(name)
    for name in ("seat", "player", "counted", "net", "net_showdown", "net_uncontested", "premium")
]
_COUNTERS: Final = slice(_SEATS.index("premium") + 1, None)


class ChunkPlace(Struct, frozen=True):
    """A published chunk: the hands from ``first`` to ``last`` of an upload."""

    id: int
    upload: str
    first: int
    last: int
    engine: str


class Recounted(Struct, frozen=True):
    """A chunk that was counted anew, and how many of its hands this version judges otherwise.

    These are counted as they were.
    """

    hands: int
    otherwise: int


class Rebuilder:
    """Counts the chunks of one house anew."""

    def __init__(
        self,
        database: Database,
        folder: SegmentFolder,
        compaction: Compaction,
        examiner: Examiner,
    ) -> None:
        self._database = database
        self._folder = folder
        self._compaction = compaction
        self._examiner = examiner

    def chunks(self) -> list[ChunkPlace]:
        """Return the chunks that are published now, as they came."""
        return published_places(self._database)

    def rebuild(self, chunk: ChunkPlace, now: dt.datetime) -> Recounted | None:
        """Count a chunk anew; None where it is published no more, or has no hands of its own.

        Raises:
            OSError: there is no room, or the segments cannot be reached.
        """
        for _ in range(_ROUNDS):
            self._compaction.take_out_around(chunk.id, now)
            with self._database.read() as connection:
                paths = segment_paths(connection, chunk.id)
            if "hands" not in paths or "seats" not in paths:
                return None
            try:
                rows, recounted = self._recounted(chunk, paths)
            except FileNotFoundError:  # deleted or counted by somebody else meanwhile
                continue
            if self._replaced(chunk, paths, rows, now):
                return recounted
        return None

    def _recounted(
        self, chunk: ChunkPlace, paths: dict[SegmentKind, str]
    ) -> tuple[list[Row], Recounted]:
        """The rows of the seats, counted anew where the hands are judged as they were."""
        hands, seats = (
            pl.read_parquet(file)
            for file in self._folder.locate_all([paths["hands"], paths["seats"]])
        )
        before: dict[str, list[Row]] = defaultdict(list)
        present = [pl.col(name) if name in seats.columns else pl.lit(None) for name in _SEATS]
        for row in seats.select(
            one.alias(name) for one, name in zip(present, _SEATS, strict=True)
        ).iter_rows():
            before[row[0]].append(row)
        rows: list[Row] = []
        otherwise = 0
        for hand in hands.iter_rows(named=True):
            then = before[hand["hand_id"]]
            anew = self._rows_of(hand, chunk.upload)
            if anew is None or [_outcome(row) for row in anew] != [_outcome(row) for row in then]:
                otherwise += 1
                rows += then
            else:
                rows += (
                    (*was[: _COUNTERS.start], *now[_COUNTERS], was[-1])
                    for was, now in zip(then, anew, strict=True)
                )
        return rows, Recounted(hands.height, otherwise)

    def _rows_of(self, hand: dict[str, Any], upload: str) -> list[Row] | None:
        """The rows of a hand's seats, without their standing; None where it is judged otherwise."""
        raw = RawHand(hand["line"], hand["offset"], hand["document"], file=hand["file"])
        examined = self._examiner.rows(raw, upload, hand["ordinal"])
        if not isinstance(examined, HandRows):
            return None
        same = (examined.hand_id, examined.verdict) == (hand["hand_id"], hand["verdict"])
        return examined.rows["seats"] if same else None

    def _replaced(
        self,
        chunk: ChunkPlace,
        paths: dict[SegmentKind, str],
        rows: list[Row],
        now: dt.datetime,
    ) -> bool:
        """Put new segments in the place of these; tell whether they still were the chunk's."""
        seats = frame_of("seats", rows)
        frames: dict[SegmentKind, pl.DataFrame] = {"seats": seats, "rollups": roll_up(seats)}
        name = f"{chunk.upload}-{chunk.first}-{chunk.last}-{chunk.engine}"
        staged = [
            self._folder.stage(kind, name, frame) for kind, frame in frames.items() if frame.height
        ]
        try:
            with self._database.write() as connection:
                alone(connection)
                if segment_paths(connection, chunk.id) != paths:
                    return False
                self._swap(connection, chunk, staged, now)
                return True
        finally:
            self._folder.discard(staged)

    def _swap(
        self,
        connection: Connection,
        chunk: ChunkPlace,
        staged: list[StagedSegment],
        now: dt.datetime,
    ) -> None:
        of_chunk = (segments.c.chunk == chunk.id, segments.c.kind.in_(_REPLACED))
        connection.execute(delete(segments).where(*of_chunk))
        connection.execute(
            segments.insert(),
            [
                {"path": one.path, "kind": one.kind, "rows": one.rows, "chunk": chunk.id}
                for one in staged
            ],
        )
        connection.execute(delete(rebuilds).where(rebuilds.c.chunk == chunk.id))
        token = secrets.token_hex(8)
        connection.execute(rebuilds.insert().values(chunk=chunk.id, token=token))
        discard_segments(connection, chunk.upload, now)
        self._folder.put_in_place(staged)


def published_places(database: Database) -> list[ChunkPlace]:
    """Return the chunks of a house that are published now, as they came."""
    columns = [chunks.c[name] for name in ChunkPlace.__struct_fields__]
    query = select(*columns).where(chunks.c.superseded_by.is_(None)).order_by(chunks.c.id)
    with database.read() as connection:
        return [ChunkPlace(*row) for row in connection.execute(query)]


def segment_paths(connection: Connection, chunk: int) -> dict[SegmentKind, str]:
    """Return the segments of a chunk by kind; none where it is published no more."""
    query = (
        select(segments.c.kind, segments.c.path)
        .join(chunks, chunks.c.id == segments.c.chunk)
        .where(segments.c.chunk == chunk, chunks.c.superseded_by.is_(None))
    )
    return {kind: path for kind, path in connection.execute(query)}  # noqa: C416 -- rows are no pairs


def _outcome(row: Row) -> tuple[Any, ...]:
    return tuple(row[place] for place in _OUTCOME)
