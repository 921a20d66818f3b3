"""Holding rollups against a scan of all seats: chunk by chunk, and what is answered from them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import polars as pl
from msgspec import Struct

from warehouse.database import Database
from warehouse.packs import paths_with
from warehouse.reading import SegmentReader, published
from warehouse.rebuilding import ChunkPlace, published_places
from warehouse.rollup_reading import RollupReader
from warehouse.rollups import KEYS, SUMS
from warehouse.segments import SegmentFolder

ROLLED_UP: Final = (*KEYS, "hands", *SUMS)
"""The columns that are held against each other."""

_TRIES: Final = 3
_SUMMED: Final = ", ".join(f"coalesce(sum({name}), 0)::HUGEINT" for name in SUMS)
_SCANNED_KEYS: Final = ", ".join(
    "date_trunc('hour', played_at) AS hour" if key == "hour" else key for key in KEYS
)
_HANDS: Final = "sum(counted::BIGINT)::HUGEINT"
_SCAN: Final = (
    f"SELECT {_SCANNED_KEYS}, {_HANDS}, {_SUMMED} FROM {{seats}}"  # noqa: S608 -- constants
    " WHERE (counted OR cards_seen > 0)"
    " AND upload = $upload AND ordinal BETWEEN $first AND $last GROUP BY ALL"
)
_SCAN_OF_ALL: Final = (
    f"SELECT player, {_HANDS}, {_SUMMED} FROM {{seats}}"  # noqa: S608 -- constants
    " WHERE (counted OR cards_seen > 0) AND standing = 'first' GROUP BY player"
)
_ANSWERED: Final = f"SELECT player, sum(hands)::HUGEINT, {_SUMMED} FROM rollups GROUP BY player"  # noqa: S608 -- constants

_Row = tuple[Any, ...]


class ChunkFault(Struct, frozen=True):
    """A chunk whose rollups are not what they should be.

    ``lacking`` are the counters that its segments are older than, ``rows`` how many rows of its
    rollups are others than a scan gives.
    """

    chunk: ChunkPlace
    lacking: list[str]
    rows: int


class RollupCheck:
    """Holds the rollups of one house against its seats."""

    def __init__(
        self,
        database: Database,
        folder: SegmentFolder,
        reader: SegmentReader,
        rollups: RollupReader,
    ) -> None:
        self._database = database
        self._folder = folder
        self._reader = reader
        self._rollups = rollups

    def chunks(self) -> list[ChunkPlace]:
        """Return the chunks that are published now, as they came."""
        return published_places(self._database)

    def fault(self, chunk: ChunkPlace) -> ChunkFault | None:
        """Return what is wrong with the rollups of a chunk, or None.

        Raises:
            FileNotFoundError: a segment of a published chunk is not there.
        """
        for attempt in range(_TRIES):
            try:
                return self._fault(chunk)
            except FileNotFoundError:  # deleted or counted anew meanwhile, or lost
                if attempt == _TRIES - 1:
                    raise
        raise AssertionError("every attempt returns, raises or goes on")

    def players(self) -> list[str]:
        """Return the names for which another sum is answered than a scan of all seats gives."""
        differing: set[str] = set()
        for _ in range(_TRIES):  # something may be published in between
            scanned = self._reader.rows({"seats": published("seats")}, _SCAN_OF_ALL, {})
            answered = self._rollups.rows(_ANSWERED, {})
            differing = {row[0] for row in set(scanned) ^ set(answered)}
            if not differing:
                break
        return sorted(differing)

    def _fault(self, chunk: ChunkPlace) -> ChunkFault | None:
        with self._database.read() as connection:
            paths = paths_with(connection, chunk.id)
        scanned: Counter[_Row] = Counter()
        rolled: Counter[_Row] = Counter()
        lacking: set[str] = set()
        if "seats" in paths:
            of_chunk = {"upload": chunk.upload, "first": chunk.first, "last": chunk.last}
            scanned.update(self._reader.ask({"seats": [paths["seats"]]}, (), _SCAN, of_chunk))
            lacking.update(self._lacking(paths["seats"]))
        if "rollups" in paths:
            rolled.update(self._rolled(paths["rollups"], chunk.id))
            lacking.update(self._lacking(paths["rollups"]))
        rows = (scanned - rolled).total() + (rolled - scanned).total()
        if not rows and not lacking:
            return None
        return ChunkFault(chunk, [name for name in SUMS if name in lacking], rows)

    def _lacking(self, path: str) -> Iterator[str]:
        [file] = self._folder.locate_all([path])
        known = pl.read_parquet_schema(file)
        return (name for name in SUMS if name not in known)

    def _rolled(self, path: str, chunk: int) -> Iterator[_Row]:
        [file] = self._folder.locate_all([path])
        rolled = pl.read_parquet(file)
        if "chunk" in rolled.columns:  # it is shared with others
            rolled = rolled.filter(pl.col("chunk") == chunk)
        zeros = (pl.lit(0).alias(name) for name in SUMS if name not in rolled.columns)
        return rolled.with_columns(*zeros).select(ROLLED_UP).iter_rows()
