"""Reading published segments by SQL: which they are, how they stand now, and DuckDB itself."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
import polars as pl
from sqlalchemy import Select, select

from warehouse.database import Database
from warehouse.rows import COLUMNS, KINDS, Kind
from warehouse.segments import SegmentFolder
from warehouse.tables import chunks, segments, standings, uploads

Result = TypeVar("Result")
Chosen = Mapping[Kind, Select[tuple[str]]]

_ATTEMPTS: Final = 5
_PICKED_AT_MOST: Final = 2_000
_DUCKDB: Final[dict[str, str | bool | int | float | list[str]]] = {
    "memory_limit": "2GB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_MOVED: Final = select(standings.c.hand_id, standings.c.standing)
_RESTATED: Final = """(
    SELECT * REPLACE (
        CASE
            WHEN hand_id IN (SELECT unnest($raised::VARCHAR[])) THEN 'first'
            WHEN hand_id IN (SELECT unnest($lowered::VARCHAR[])) THEN 'conflict'
            ELSE standing
        END AS standing
    )
    FROM {segments}
)"""
"""Segments with their rows' standings as they are now."""
_TYPES: Final[dict[pl.DataType, str]] = {
    pl.String(): "VARCHAR",
    pl.Int64(): "BIGINT",
    pl.Int16(): "SMALLINT",
    pl.Datetime("us"): "TIMESTAMP",
    pl.List(pl.String): "VARCHAR[]",
    pl.Boolean(): "BOOLEAN",
    pl.Binary(): "BLOB",
    COLUMNS["hands"]["standing"]: "VARCHAR",
}


def _nothing(kind: Kind) -> str:
    columns = (f'NULL::{_TYPES[dtype]} AS "{name}"' for name, dtype in COLUMNS[kind].items())
    return f"(SELECT {', '.join(columns)} WHERE false)"


_NOTHING: Final = {kind: _nothing(kind) for kind in KINDS}
"""A source without rows, for where no segment is."""


def published(kind: Kind, upload: str | None = None) -> Select[tuple[str]]:
    """Choose the published segments of a kind, of one upload or of all, as the uploads came."""
    query = (
        select(segments.c.path)
        .join(chunks, chunks.c.id == segments.c.chunk)
        .join(uploads, uploads.c.id == chunks.c.upload)
        .where(segments.c.kind == kind, chunks.c.superseded_by.is_(None))
        .order_by(uploads.c.received_at, uploads.c.id, chunks.c.first)
    )
    return query if upload is None else query.where(chunks.c.upload == upload)


class SegmentReader:
    """Asks the segments of one house, for all threads of a process.

    DuckDB does not survive a fork: who forks does so before the first question.
    """

    def __init__(self, database: Database, folder: SegmentFolder, spill: Path) -> None:
        self._database = database
        self._folder = folder
        self._spill = spill
        self._lock = threading.Lock()
        self._connections = threading.local()
        self._duckdb: duckdb.DuckDBPyConnection | None = None

    def rows(
        self, chosen: Chosen, sql: str, values: Mapping[str, object], *, picked: bool = False
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query, which is written and read as `run` says.

        When a few rows are ``picked`` from all by their order alone, what is not of the order is
        read of those few. Under a condition that would have everything read twice.
        """
        late = _PICKED_AT_MOST if picked else 0

        def fetch(written: str, bound: dict[str, object]) -> list[tuple[Any, ...]]:
            connection = self._connection()
            connection.execute(f"SET SESSION late_materialization_max_rows = {late}")
            return connection.execute(written, bound).fetchall()

        return self.run(chosen, sql, values, fetch)

    def run(
        self,
        chosen: Chosen,
        sql: str,
        values: Mapping[str, object],
        work: Callable[[str, dict[str, object]], Result],
    ) -> Result:
        """Have a query worked on, by a function of its SQL and the values of its ``$names``.

        The query names the kinds that are chosen as ``{hands}``, ``{seats}`` or ``{findings}``;
        whatever is not a constant of ours is bound to a ``$name``. A segment may be deleted between
        the choice and the reading; then all is chosen again.
        """
        for attempt in range(_ATTEMPTS):
            sources, bound = self._sources(chosen)
            try:
                for kind, paths in sources.items():
                    if paths:
                        bound[f"files_{kind}"] = self._folder.locate_all(paths)
                tables: dict[str, str] = {
                    kind: _source(kind, restated="raised" in bound) if paths else _NOTHING[kind]
                    for kind, paths in sources.items()
                }
                if not any(sources.values()):
                    bound = {}
                return work(sql.format_map(tables), {**bound, **values})
            except (FileNotFoundError, duckdb.IOException):
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("every attempt returns, raises or goes on")

    def _sources(self, chosen: Chosen) -> tuple[dict[Kind, list[str]], dict[str, object]]:
        """Return the chosen segments, and the hands whose standing is another than written."""
        with self._database.read() as connection:
            found: dict[Kind, list[str]] = {
                kind: list(connection.scalars(one)) for kind, one in chosen.items()
            }
            moved = connection.execute(_MOVED).all()
        if not moved:
            return found, {}
        raised = [one.hand_id for one in moved if one.standing == "first"]
        lowered = [one.hand_id for one in moved if one.standing != "first"]
        return found, {"raised": raised, "lowered": lowered}

    def connect(self, **settings: str | int) -> duckdb.DuckDBPyConnection:
        """Return a DuckDB of its own, with other settings than the usual ones."""
        config = {**_DUCKDB, "temp_directory": str(self._spill), **settings}
        connection = duckdb.connect(":memory:", config=config)
        # No segment's name is given twice, so what is known of its inside stays true.
        connection.execute("SET GLOBAL parquet_metadata_cache = true")
        return connection

    def _connection(self) -> duckdb.DuckDBPyConnection:
        """Return this thread's connection to the one DuckDB of the process."""
        if not hasattr(self._connections, "mine"):
            with self._lock:
                if self._duckdb is None:
                    self._duckdb = self.connect()
                self._connections.mine = self._duckdb.cursor()
        mine: duckdb.DuckDBPyConnection = self._connections.mine
        return mine


def _source(kind: Kind, *, restated: bool) -> str:
    read = f"read_parquet($files_{kind})"
    return _RESTATED.format(segments=read) if restated else read
