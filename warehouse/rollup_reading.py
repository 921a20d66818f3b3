"""Asking the rollups: all of a house's, held in memory, and kept up with what is published.

A chunk of which a hand stands otherwise than its rows say is rolled up anew from its seats, so
that whoever asks need not know of rulings.
"""

import tempfile
import threading
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl
from msgspec import Struct
from sqlalchemy import Connection, select, union_all

from warehouse.database import Database
from warehouse.rollups import ROLLUP_COLUMNS, roll_up
from warehouse.segments import SegmentFolder
from warehouse.tables import chunks, conflicts, identities, segments, standings

_ATTEMPTS: Final = 5
_AT_ONCE: Final = 400


class _Wanted(Struct, frozen=True):
    """How a chunk's rollups are made: from their segment, or from seats that stand otherwise."""

    rollups: str
    seats: str
    standings: tuple[tuple[str, str], ...]


class RollupReader:
    """The rollups of one house, for all threads of a process.

    DuckDB does not survive a fork: who forks does so before the first question.
    """

    def __init__(self, database: Database, folder: SegmentFolder, spill: Path) -> None:
        self._database = database
        self._folder = folder
        self._spill = spill
        self._lock = threading.Lock()
        self._held: dict[int, _Wanted] = {}
        self._duckdb: duckdb.DuckDBPyConnection | None = None

    def rows(self, sql: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Return the rows of a query of the table ``rollups``, as it is published now.

        Its columns are those of `ROLLUP_COLUMNS`; those in conflict with others are not in it.
        Whatever is not a constant of ours is bound to a ``$name``.
        """
        return self._fresh().execute(sql, values).fetchall()

    def _fresh(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor over the rollups once they are as the records say."""
        for attempt in range(_ATTEMPTS):
            with self._lock:  # held while looking, too, so that nobody goes back to before
                with self._database.read() as connection:
                    wanted = _wanted(connection)
                try:
                    return self._hold(wanted).cursor()
                except (FileNotFoundError, duckdb.IOException):
                    if attempt == _ATTEMPTS - 1:
                        raise  # not a segment that was deleted in between, then
        raise AssertionError("every attempt returns, raises or goes on")

    def _hold(self, wanted: dict[int, _Wanted]) -> duckdb.DuckDBPyConnection:
        if self._duckdb is None:
            self._duckdb = _empty_table()
        table = self._duckdb
        if wanted == self._held:
            return table
        gone = [chunk for chunk, one in self._held.items() if wanted.get(chunk) != one]
        come = {chunk: one for chunk, one in wanted.items() if self._held.get(chunk) != one}
        table.execute("BEGIN")
        try:
            if gone:
                table.execute(
                    "DELETE FROM all_rollups WHERE list_contains($gone, chunk)", {"gone": gone}
                )
            self._take(table, {chunk: one for chunk, one in come.items() if not one.standings})
            for chunk, one in come.items():
                if one.standings:
                    self._take_anew(table, chunk, one)
            table.execute("COMMIT")
        except BaseException:
            table.execute("ROLLBACK")
            raise
        self._held = wanted
        return table

    def _take(self, table: duckdb.DuckDBPyConnection, come: dict[int, _Wanted]) -> None:
        chunks_of = sorted(come)
        for first in range(0, len(chunks_of), _AT_ONCE):
            some = chunks_of[first : first + _AT_ONCE]
            files = self._folder.locate_all([come[chunk].rollups for chunk in some])
            _insert(table, files, some)

    def _take_anew(self, table: duckdb.DuckDBPyConnection, chunk: int, one: _Wanted) -> None:
        """Roll up a chunk's seats as they stand now."""
        seats = pl.read_parquet(self._folder.locate_all([one.seats]))
        standing = pl.col("hand_id").replace_strict(
            dict(one.standings), default=pl.col("standing").cast(pl.String)
        )
        rolled = roll_up(seats.with_columns(standing=standing))
        self._spill.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._spill) as folder:
            file = Path(folder, "rollups.parquet")
            rolled.write_parquet(file)
            _insert(table, [str(file)], [chunk])


def _empty_table() -> duckdb.DuckDBPyConnection:
    texts = ("player", "session", "preset", "standing")
    moments = ("hour", "first_played", "last_played")
    columns = (
        f'"{name}" {"VARCHAR" if name in texts else "TIMESTAMP" if name in moments else "BIGINT"}'
        for name in ROLLUP_COLUMNS
    )
    table = duckdb.connect(":memory:")
    table.execute(f"CREATE TABLE all_rollups (chunk BIGINT, {', '.join(columns)})")
    table.execute("CREATE VIEW rollups AS SELECT * FROM all_rollups WHERE standing = 'first'")
    return table


def _insert(table: duckdb.DuckDBPyConnection, files: list[str], of_chunks: list[int]) -> None:
    table.execute(
        "INSERT INTO all_rollups BY NAME SELECT c.chunk, r.* EXCLUDE (filename)"
        " FROM read_parquet($files, filename = true) r"
        " JOIN (SELECT unnest($files) AS filename, unnest($chunks) AS chunk) c USING (filename)",
        {"files": files, "chunks": of_chunks},
    )


def _wanted(connection: Connection) -> dict[int, _Wanted]:
    """How the rollups of every chunk are to be made now."""
    moved = _moved(connection)
    seats = segments.alias("seat_segments")
    query = (
        select(chunks.c.id, segments.c.path, seats.c.path)
        .join(segments, segments.c.chunk == chunks.c.id)
        .join(seats, seats.c.chunk == chunks.c.id)
        .where(
            chunks.c.superseded_by.is_(None),
            segments.c.kind == "rollups",
            seats.c.kind == "seats",
        )
    )
    return {
        chunk: _Wanted(rollups, of_seats, tuple(sorted(moved.get(chunk, []))))
        for chunk, rollups, of_seats in connection.execute(query)
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
