"""Asking the rollups: those of the house's base, and beside it what has come and gone since."""

import atexit
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import duckdb
import structlog
from sqlalchemy.exc import SQLAlchemyError

from warehouse.database import Database
from warehouse.rollup_base import APART, RollupBase
from warehouse.rollup_source import TABLES, Chunks, RollupSource
from warehouse.segments import SegmentFolder

_ATTEMPTS: Final = 5
_MANY_CHUNKS: Final = 50
_MANY_ROWS: Final = 20_000
"""With so many chunks, or rows, beside it a base is to be made anew."""

_PATIENCE: Final = 0.1  # seconds
_REST: Final = 100
"""So many times as long as making it took, a base is let be."""

_VIEWS: Final = """
CREATE VIEW rollups AS
    FROM base.rollups ANTI JOIN gone USING (chunk) UNION ALL FROM main.come_rollups;
CREATE VIEW found AS
    FROM base.found ANTI JOIN gone USING (chunk) UNION ALL FROM main.come_found;
"""
_TOGETHER: Final = f"SELECT * EXCLUDE (chunk, {', '.join(APART)}) FROM"
_BY_PLAYER: Final = (
    "CREATE OR REPLACE VIEW by_player AS"
    f" FROM base.by_player UNION ALL BY NAME {_TOGETHER} come_rollups"
)
_BY_PLAYER_OF_LEFT: Final = f"CREATE OR REPLACE VIEW by_player AS {_TOGETHER} rollups"
_BROKEN: Final = (
    duckdb.IOException,
    duckdb.SerializationException,
    duckdb.InternalException,
    duckdb.FatalException,
)

_log = structlog.get_logger(__name__)


class RollupReader:
    """The rollups of one house, for all threads of a process.

    DuckDB does not survive a fork: who forks does so before the first question.
    """

    def __init__(self, database: Database, folder: SegmentFolder, home: Path) -> None:
        self._source = RollupSource(database, folder, home / "spill")
        self._base = RollupBase(home)
        self._lock = threading.Lock()
        self._table: _Table | None = None
        self._renewing = threading.Lock()
        self._next_renewal = 0.0

    def rows(self, sql: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Return the rows of a query of what is published now; those in conflict do not count.

        The table ``rollups`` has the columns of `ROLLUP_COLUMNS`; ``by_player`` has fewer rows,
        which are not apart by `APART`, and come to the same; ``found`` has the number of hands
        with a finding, by ``chunk``, ``code`` and ``severity``. Whatever is not a constant of ours
        is bound to a ``$name``.
        """
        try:
            return self._fresh().execute(sql, values).fetchall()
        except _BROKEN:  # the base, for all segments were read
            with self._lock:
                self._base.discard()
                self._table = None
            return self._fresh().execute(sql, values).fetchall()

    def renew_base(self) -> None:
        """Make the base of what is published now, unless somebody else is at it.

        Raises:
            duckdb.Error: a segment is gone meanwhile, or the base cannot be written.
            OSError: likewise.
        """
        self._base.renew(self._source)

    def _fresh(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor over the rollups once they are as the records say."""
        for attempt in range(_ATTEMPTS):
            with self._lock:  # held while looking, too, so that nobody goes back to before
                table = self._last_made()
                try:
                    table.follow(self._source.published())
                except (FileNotFoundError, duckdb.IOException):
                    if attempt == _ATTEMPTS - 1:
                        raise  # not a segment that was deleted in between, then
                    continue
                if table.is_far_from_base or table.mark != self._base.mark():
                    self._renew()
                return table.duckdb.cursor()
        raise AssertionError("every attempt returns, raises or goes on")

    def _last_made(self) -> "_Table":
        """Return a table of the last base that was made."""
        if self._table is None or self._base.mark() not in (None, self._table.mark):
            self._table = _Table(self._base, self._source)
        return self._table

    def _renew(self) -> None:
        """Have the base made anew by a thread of its own, unless it is, or was so just now."""
        if time.monotonic() >= self._next_renewal and self._renewing.acquire(blocking=False):
            thread = threading.Thread(target=self._renew_aside, name="rollups", daemon=True)
            atexit.register(self._cut_off, thread)
            thread.start()

    def _renew_aside(self) -> None:
        began = time.monotonic()
        try:
            self.renew_base()
        except duckdb.InterruptException:
            _log.info("the process ends before the base of the rollups is renewed")
        except (duckdb.Error, OSError, SQLAlchemyError) as error:
            _log.warning("the base of the rollups could not be renewed", error=str(error))
        finally:
            now = time.monotonic()
            self._next_renewal = now + _REST * (now - began)
            atexit.unregister(self._cut_off)
            self._renewing.release()

    def _cut_off(self, thread: threading.Thread) -> None:
        """End the renewal before the process does; DuckDB would take it down with a crash."""
        while thread.is_alive():
            self._base.cut_off()
            thread.join(_PATIENCE)


class _Table:
    """A DuckDB with the tables that are asked, as of the chunks that are ``held``.

    It is far from its base when something of that is gone, or much has come since.
    """

    def __init__(self, base: RollupBase, source: RollupSource) -> None:
        self._source = source
        self.duckdb = duckdb.connect(":memory:", config={"temp_directory": ""})
        self.mark = base.mark()
        self.held = base.attach(self.duckdb)
        self._of_base = set(self.held)
        self.is_far_from_base = False
        self.duckdb.execute(TABLES.format("come_") + "CREATE TABLE gone (chunk BIGINT);")
        self.duckdb.execute(_VIEWS + _BY_PLAYER)

    def follow(self, wanted: Chunks) -> None:
        """Have what is published now, and nothing else.

        Raises:
            FileNotFoundError: a segment is there no more.
            duckdb.IOException: likewise.
        """
        if wanted == self.held:
            return
        gone = {chunk for chunk, held in self.held.items() if wanted.get(chunk) != held}
        come = {chunk: held for chunk, held in wanted.items() if self.held.get(chunk) != held}
        self.duckdb.execute("BEGIN")
        try:
            self._remove(gone)
            self._source.insert(self.duckdb, come, "come_")
            self.duckdb.execute("COMMIT")
        except BaseException:
            self.duckdb.execute("ROLLBACK")
            raise
        self.held = dict(wanted)
        self.is_far_from_base |= bool(gone & self._of_base) or self._has_many_others()
        self._of_base -= gone

    def _has_many_others(self) -> bool:
        if len(self.held.keys() - self._of_base) > _MANY_CHUNKS:
            return True
        [(rows,)] = self.duckdb.execute("SELECT count(*) FROM come_rollups").fetchall()
        return bool(rows > _MANY_ROWS)

    def _remove(self, gone: set[int]) -> None:
        if not gone:
            return
        numbers = {"gone": sorted(gone)}
        for table in ("come_rollups", "come_found"):
            self.duckdb.execute(
                f"DELETE FROM {table} WHERE list_contains($gone, chunk)",  # noqa: S608 -- constants
                numbers,
            )
        if gone & self._of_base:
            self.duckdb.execute("INSERT INTO gone SELECT unnest($gone)", numbers)
            self.duckdb.execute(_BY_PLAYER_OF_LEFT)
