"""What the rollups of a house are made of: its chunks, as they are published and stand now.

A chunk of which a hand stands otherwise than its rows say is rolled up anew from its seats, so
that whoever asks need not know of rulings.
"""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb
import polars as pl
import structlog
from msgspec import Struct
from sqlalchemy import Connection, String, cast, func, select, union_all

from warehouse.database import Database
from warehouse.rollups import ROLLUP_COLUMNS, SUMS, roll_up
from warehouse.segments import SegmentFolder
from warehouse.tables import (
    chunks,
    conflicts,
    identities,
    pack_segments,
    packed,
    rebuilds,
    segments,
    standings,
)

_AT_ONCE: Final = 400
_TYPES: Final[dict[pl.DataType, str]] = {pl.String(): "VARCHAR", pl.Datetime("us"): "TIMESTAMP"}
_COLUMNS: Final = ", ".join(
    f'"{name}" {"VARCHAR" if name == "standing" else _TYPES.get(dtype, "BIGINT")}'
    for name, dtype in ROLLUP_COLUMNS.items()
)
TABLES: Final = (
    f"CREATE TABLE {{0}}rollups (chunk BIGINT, {_COLUMNS});"
    "CREATE TABLE {0}found (chunk BIGINT, code VARCHAR, severity VARCHAR, hands BIGINT);"
)
"""The tables that `RollupSource.insert` fills, as SQL; each name begins with what is given."""

_READ: Final = "FROM read_parquet($files, filename = true, union_by_name = true)"
_OF_CHUNKS: Final = (
    f"{_READ} r"
    " JOIN (SELECT unnest($files) AS filename, unnest($chunks) AS chunk) c USING (filename)"
    " WHERE standing = 'first'"
)
_INSERT: Final = {
    "rollups": (
        f"INSERT INTO {{0}}rollups BY NAME SELECT c.chunk, r.* EXCLUDE (filename) {_OF_CHUNKS}"
    ),
    "findings": (
        "INSERT INTO {0}found SELECT c.chunk, code, any_value(severity), count(DISTINCT hand_id)"
        f" {_OF_CHUNKS} GROUP BY c.chunk, code"
    ),
}
_INSERT_SHARED: Final = {
    "rollups": (
        f"INSERT INTO {{0}}rollups BY NAME SELECT * EXCLUDE (filename) {_READ}"
        " WHERE standing = 'first' AND list_contains($chunks, chunk)"
    ),
    "findings": (
        "INSERT INTO {0}found SELECT h.chunk, code, any_value(severity), count(DISTINCT hand_id)"
        f" {_READ} JOIN (SELECT unnest($hands) AS hand_id, unnest($chunks) AS chunk) h"
        " USING (hand_id) WHERE standing = 'first' GROUP BY h.chunk, code"
    ),
}
"""The same of segments that chunks share."""
_OLDER: Final = (
    "SELECT count(DISTINCT chunk) FROM {0}rollups"  # noqa: S608 -- constants
    f" WHERE list_contains($chunks, chunk) AND ({' OR '.join(f'{name} IS NULL' for name in SUMS)})"
)
"""How many of some chunks were published before a counter existed."""

_log = structlog.get_logger(__name__)


def _as_they_are(rows: pl.DataFrame) -> pl.DataFrame:
    return rows


_MADE_ANEW: Final[dict[str, tuple[str, Callable[[pl.DataFrame], pl.DataFrame]]]] = {
    "rollups": ("seats", roll_up),
    "findings": ("findings", _as_they_are),
}
"""Of what segments those of each kind are made once hands stand otherwise, and how."""


class Held(Struct, frozen=True):
    """A chunk: what tells its rows from those of before, and the hands that stand otherwise.

    ``published`` is when it was, or a token where its seats were counted anew since.
    """

    published: str
    moved: tuple[tuple[str, str], ...]


Chunks = Mapping[int, Held]
"""Chunks by their numbers. Where two are the same, their rollups are."""


def published_chunks(connection: Connection) -> dict[int, Held]:
    """Return all chunks that are published now."""
    moved = _moved(connection)
    published = func.coalesce(rebuilds.c.token, cast(chunks.c.published_at, String))
    query = (
        select(chunks.c.id, published)
        .outerjoin(rebuilds, rebuilds.c.chunk == chunks.c.id)
        .where(chunks.c.superseded_by.is_(None))
    )
    return {
        chunk: Held(published, tuple(sorted(moved.get(chunk, ()))))
        for chunk, published in connection.execute(query)
    }


def _moved(connection: Connection) -> dict[int, list[tuple[str, str]]]:
    """The hands that stand otherwise than their rows say, by chunk, each with how it stands."""
    moved: dict[int, list[tuple[str, str]]] = defaultdict(list)
    of_either = union_all(
        *(
            select(table.c.chunk, standings.c.hand_id, standings.c.standing).join(
                standings, standings.c.hand_id == table.c.hand_id
            )
            for table in (identities, conflicts)
        )
    )
    for chunk, hand_id, standing in connection.execute(of_either):
        moved[chunk].append((hand_id, standing))
    return moved


class RollupSource:
    """Reads the rollups, and what was found, of the chunks of one house."""

    def __init__(self, database: Database, folder: SegmentFolder, spill: Path) -> None:
        self._database = database
        self._folder = folder
        self._spill = spill

    def published(self) -> dict[int, Held]:
        """Return all chunks that are published now."""
        with self._database.read() as connection:
            return published_chunks(connection)

    def recorded(self) -> set[int]:
        """Return all chunks that there are in the records, even those made anew since."""
        with self._database.read() as connection:
            return set(connection.scalars(select(chunks.c.id)))

    def insert(self, into: duckdb.DuckDBPyConnection, wanted: Chunks, prefix: str = "") -> None:
        """Insert what counts of chunks into `TABLES`; one that is gone meanwhile has nothing.

        Raises:
            FileNotFoundError: a segment is there no more.
            duckdb.IOException: likewise.
        """
        numbers = sorted(wanted)
        for first in range(0, len(numbers), _AT_ONCE):
            some = {chunk: wanted[chunk] for chunk in numbers[first : first + _AT_ONCE]}
            with self._database.read() as connection:
                found = _where(connection, some)
            self._insert_shared(into, found, some, prefix)
            with self._files(found, some) as files_of:
                for kind, files in files_of.items():
                    if files:
                        values = {"files": list(files), "chunks": list(files.values())}
                        into.execute(_INSERT[kind].format(prefix), values)
            self._tell_of_older(into, list(some), prefix)

    def _tell_of_older(
        self, table: duckdb.DuckDBPyConnection, some: list[int], prefix: str
    ) -> None:
        """Log where chunks lack a counter: what it counts of them is left out."""
        [(older,)] = table.execute(_OLDER.format(prefix), {"chunks": some}).fetchall()
        if older:
            _log.warning(
                "chunks were published before a counter existed, which leaves them out:"
                " `retourne rollups rebuild --faulty` counts them anew",
                chunks=older,
            )

    def _insert_shared(
        self, into: duckdb.DuckDBPyConnection, found: "_Where", wanted: Chunks, prefix: str
    ) -> None:
        """Insert of the segments that chunks share, but for those that are to be made anew."""
        of_hands = {
            hand: chunk
            for chunk, hands in found.hands.items()
            for hand in hands
            if not wanted[chunk].moved
        }
        for kind, sql in _INSERT_SHARED.items():
            shared = found.shared[kind]
            unmoved = [chunk for chunk in shared if not wanted[chunk].moved]
            if not unmoved:
                continue
            files = self._folder.locate_all(sorted({shared[chunk] for chunk in unmoved}))
            values: dict[str, object] = {"files": files, "chunks": unmoved}
            if kind == "findings":
                values |= {"hands": list(of_hands), "chunks": list(of_hands.values())}
            into.execute(sql.format(prefix), values)

    @contextmanager
    def _files(self, found: "_Where", wanted: Chunks) -> Iterator[dict[str, dict[str, int]]]:
        """Have files of rollups and of findings as they stand now, each with its chunk."""
        files_of = {kind: self._unmoved(found.own[kind], wanted) for kind in _INSERT}
        moved = {chunk: held for chunk, held in wanted.items() if held.moved}
        if not moved:
            yield files_of
            return
        self._spill.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._spill) as folder:
            for kind, (of_kind, made_of) in _MADE_ANEW.items():
                paths = {**found.own[of_kind], **found.shared[of_kind]}
                for chunk in moved.keys() & paths.keys():
                    file = Path(folder, f"{kind}-{chunk}.parquet")
                    rows = self._restated(paths[chunk], moved[chunk], found.hands.get(chunk))
                    made_of(rows).write_parquet(file)
                    files_of[kind][str(file)] = chunk
            yield files_of

    def _unmoved(self, paths: Mapping[int, str], wanted: Chunks) -> dict[str, int]:
        """The files of the segments that are as they should be."""
        unmoved = [chunk for chunk in paths if not wanted[chunk].moved]
        files = self._folder.locate_all([paths[chunk] for chunk in unmoved])
        return dict(zip(files, unmoved, strict=True))

    def _restated(self, path: str, held: Held, hands: list[str] | None) -> pl.DataFrame:
        """A segment's rows with their standings as they are now, all or those of some hands."""
        rows = pl.read_parquet(self._folder.locate_all([path]))
        if hands is not None:
            rows = rows.filter(pl.col("hand_id").is_in(hands))
        standing = pl.col("hand_id").replace_strict(
            dict(held.moved), default=pl.col("standing").cast(pl.String)
        )
        return rows.with_columns(standing=standing)


class _Where(Struct, frozen=True):
    """The segments of chunks, by kind and chunk, and the hands of those chunks that share them."""

    own: dict[str, dict[int, str]]
    shared: dict[str, dict[int, str]]
    hands: dict[int, list[str]]


def _where(connection: Connection, wanted: Chunks) -> _Where:
    kinds, numbers = ("rollups", "findings", "seats"), list(wanted)
    own = select(segments.c.kind, segments.c.chunk, segments.c.path).where(
        segments.c.chunk.in_(numbers), segments.c.kind.in_(kinds)
    )
    shared = (
        select(pack_segments.c.kind, packed.c.chunk, pack_segments.c.path)
        .join(packed, packed.c.pack == pack_segments.c.pack)
        .where(packed.c.chunk.in_(numbers), pack_segments.c.kind.in_(kinds))
    )
    found = _Where({kind: {} for kind in kinds}, {kind: {} for kind in kinds}, defaultdict(list))
    for paths, query in ((found.own, own), (found.shared, shared)):
        for kind, chunk, path in connection.execute(query):
            paths[kind][chunk] = path
    sharing = list(found.shared["seats"])
    for table in (identities, conflicts):
        of_chunks = select(table.c.chunk, table.c.hand_id).where(table.c.chunk.in_(sharing))
        for chunk, hand in connection.execute(of_chunks):
            found.hands[chunk].append(hand)
    return found
