"""Reading published segments by SQL: which they are, how they stand now, and DuckDB itself."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
import polars as pl
from sqlalchemy import Connection, Select, func, select

from warehouse.database import Database
from warehouse.placed import Placed
from warehouse.rows import COLUMNS, KINDS, Kind
from warehouse.segments import SegmentFolder
from warehouse.tables import chunks, standings, uploads

Result = TypeVar("Result")
Choice = TypeVar("Choice")
Chosen = Mapping[Kind, Select[tuple[str]]]
Moved = Sequence[tuple[str, str]]
"""Hands whose standing is another than their rows bear, each with that standing."""

_ATTEMPTS: Final = 5
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

_READ: Final = {kind: f"read_parquet($files_{kind})" for kind in KINDS}
_READ_OLD: Final = {
    kind: f"(FROM read_parquet($files_{kind}, union_by_name = true)"
    f" UNION ALL BY NAME FROM {nothing})"
    for kind, nothing in _NOTHING.items()
}
"""Segments with every column, whatever they were written with; it takes longer."""


def published(kind: Kind, upload: str | None = None) -> Select[tuple[str]]:
    """Choose the published segments of a kind, of one upload or of all, as the uploads came.

    Conditions on chunks may be added; the segments then have all rows of those chunks, and may have
    rows of others as well.
    """
    placed = Placed(kind)
    query: Select[Any] = (
        select(placed.path)
        .select_from(chunks)
        .join(uploads, uploads.c.id == chunks.c.upload)
        .where(chunks.c.superseded_by.is_(None))
        .group_by(placed.path)
        .order_by(*map(func.min, (uploads.c.received_at, uploads.c.id, chunks.c.first)))
    )
    query = placed.join(query)
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

    def rows(self, chosen: Chosen, sql: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Return the rows of a query, which is written and read as `run` says."""
        return self.run(
            chosen,
            sql,
            values,
            lambda written, bound: self._connection().execute(written, bound).fetchall(),
        )

    def frame(self, chosen: Chosen, sql: str, values: Mapping[str, object]) -> pl.DataFrame:
        """Return the rows of a query in columns; it is written and read as `run` says."""

        def work(written: str, bound: dict[str, object]) -> pl.DataFrame:
            return pl.DataFrame(self._connection().sql(written, params=bound).materialize())

        return self.run(chosen, sql, values, work)

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

        def choose(connection: Connection) -> dict[Kind, list[str]]:
            return {kind: list(connection.scalars(one)) for kind, one in chosen.items()}

        def ask(paths: dict[Kind, list[str]], moved: Moved) -> Result:
            return self._ask(paths, moved, sql, values, work)

        return self.steadily(choose, ask)

    def steadily(
        self, choose: Callable[[Connection], Choice], work: Callable[[Choice, Moved], Result]
    ) -> Result:
        """Have segments chosen in the records and worked on, until none is gone meanwhile.

        The work is also given the hands whose standing is another than written, to pass on.
        """
        for attempt in range(_ATTEMPTS):
            with self._database.read() as connection:
                choice = choose(connection)
                moved = [(one.hand_id, one.standing) for one in connection.execute(_MOVED)]
            try:
                return work(choice, moved)
            except (FileNotFoundError, duckdb.IOException):
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("every attempt returns, raises or goes on")

    def ask(
        self,
        paths: Mapping[Kind, Sequence[str]],
        moved: Moved,
        sql: str,
        values: Mapping[str, object],
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query of these segments, written as `run` says.

        Raises:
            FileNotFoundError: one of them is there no more.
            duckdb.IOException: likewise.
        """
        return self._ask(
            paths,
            moved,
            sql,
            values,
            lambda written, bound: self._connection().execute(written, bound).fetchall(),
        )

    def _ask(
        self,
        paths: Mapping[Kind, Sequence[str]],
        moved: Moved,
        sql: str,
        values: Mapping[str, object],
        work: Callable[[str, dict[str, object]], Result],
    ) -> Result:
        """Have a query worked on; again with every column where a segment is older than one.

        A counter that a segment is older than is null in it.
        """
        try:
            return work(*self._written(paths, moved, sql, values, _READ))
        except (duckdb.BinderException, duckdb.InvalidInputException):
            if not paths.get("seats"):
                raise
            return work(*self._written(paths, moved, sql, values, _READ_OLD))

    def _written(
        self,
        paths: Mapping[Kind, Sequence[str]],
        moved: Moved,
        sql: str,
        values: Mapping[str, object],
        reads: Mapping[Kind, str],
    ) -> tuple[str, dict[str, object]]:
        """Return a query over these segments, and what is bound in it."""
        bound = dict(values)
        tables: dict[str, str] = {}
        for kind, some in paths.items():
            tables[kind] = _NOTHING[kind]
            if some:
                tables[kind] = _RESTATED.format(segments=reads[kind]) if moved else reads[kind]
                bound[f"files_{kind}"] = self._folder.locate_all(some)
        if moved and any(paths.values()):
            bound["raised"] = [hand_id for hand_id, standing in moved if standing == "first"]
            bound["lowered"] = [hand_id for hand_id, standing in moved if standing != "first"]
        return sql.format_map(tables), bound

    def connect(self, **settings: str | int) -> duckdb.DuckDBPyConnection:
        """Return a DuckDB of its own, with other settings than the usual ones."""
        config = {**_DUCKDB, "temp_directory": str(self._spill), **settings}
        connection = duckdb.connect(":memory:", config=config)
        # No segment's name is given twice, so what is known of its inside stays true.
        connection.execute("SET GLOBAL parquet_metadata_cache = true")
        # Under a condition it would have everything read twice.
        connection.execute("SET GLOBAL late_materialization_max_rows = 0")
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
