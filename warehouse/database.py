"""The records database: how it is opened, and what a transaction is, on SQLite and PostgreSQL.

SQLite is set to lose nothing committed (WAL, synchronous=FULL). A writing transaction takes
its lock at once, so that it never fails halfway for want of it.
"""

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, make_url

from warehouse.tables import metadata

_LOCK_WAIT_SECONDS: Final = 30
_WRITES: Final = "retourne_writes"


class Database:
    """One records database, to be shared by the threads of a process; a fork opens its own."""

    def __init__(self, url: str) -> None:
        self._engine = _open(url)
        with self.write() as connection:
            metadata.create_all(connection)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that sees one state of the records."""
        with self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that is committed at the end, or rolled back by an exception."""
        with self._engine.connect() as connection:
            writing = connection.execution_options(**{_WRITES: True})
            with writing.begin():
                yield writing

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._engine.dispose()


def _open(url: str) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        engine = create_engine(parsed, pool_pre_ping=True)
    else:
        if parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(parsed, connect_args={"timeout": _LOCK_WAIT_SECONDS})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    _leave_connections_to_the_parent(engine)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:  # noqa: ANN401 -- sqlite3's own, behind SQLAlchemy's adapter
    connection.isolation_level = None  # _begin_sqlite begins
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _leave_connections_to_the_parent(engine: Engine) -> None:
    """Have a forked child forget the parent's connections without closing them."""
    known = weakref.ref(engine)

    def forget() -> None:
        inherited = known()
        if inherited is not None:
            inherited.dispose(close=False)

    os.register_at_fork(after_in_child=forget)
