"""The records databases: how they are opened, and what a transaction is, on SQLite and PostgreSQL.

Every club has one of its own, and the installation has one that knows the clubs: a file each, or a
schema each of one PostgreSQL. SQLite is set to lose nothing committed (WAL, synchronous=FULL). A
writing transaction takes its lock at once, so that it never fails halfway for want of it.
"""

import functools
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.string import StrDumperUnknown, TextLoader
from sqlalchemy import Connection, Engine, MetaData, create_engine, event, make_url
from sqlalchemy.schema import CreateSchema

from warehouse import control_tables, tables
from warehouse.settings import Settings

_LOCK_WAIT_SECONDS: Final = 30
_CONNECT_SECONDS: Final = 5
_SILENCE_SECONDS: Final = 90
"""After so long PostgreSQL takes a process that says nothing within a transaction for lost."""

_FOR_NUL: Final = "\U0010ffff"
"""A code point that is no character and never will be one."""

_HIDDEN: Final = True
"""What is written, secrets among it, stays out of errors, which are logged."""

_WRITES: Final = "retourne_writes"


class Database:
    """One records database, to be shared by the threads of a process; a fork opens its own."""

    def __init__(self, engine: Engine, schema: str | None, metadata: MetaData) -> None:
        self._engine = engine
        self._reading = engine
        if schema is not None:  # PostgreSQL, which would see a new state with every statement
            self._reading = engine.execution_options(isolation_level="REPEATABLE READ")
        with self.write() as connection:
            if schema is not None:
                # Two processes that create the same at once would trip over each other.
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(726574)")
                connection.execute(CreateSchema(schema, if_not_exists=True))
            metadata.create_all(connection)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that sees one state of the records."""
        with self._reading.connect() as connection, connection.begin():
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


def open_house(settings: Settings) -> Database:
    """Open the records of one club."""
    return _open(settings, settings.home / "records.db", f"club_{settings.club}", tables.metadata)


def open_control(settings: Settings) -> Database:
    """Open the records of the installation: its clubs and their keys."""
    file = settings.data / "control.db"
    return _open(settings, file, "retourne_control", control_tables.metadata)


def _open(settings: Settings, file: Path, schema: str, metadata: MetaData) -> Database:
    if settings.records_url is None:
        return Database(_sqlite(file), None, metadata)
    shared = _server(settings.records_url)
    return Database(shared.execution_options(schema_translate_map={None: schema}), schema, metadata)


def _sqlite(file: Path) -> Engine:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(0o600)  # there are secrets in it; SQLite makes the files beside it like it
    engine = create_engine(
        f"sqlite:///{file.absolute()}",
        connect_args={"timeout": _LOCK_WAIT_SECONDS},
        hide_parameters=_HIDDEN,
    )
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    _leave_connections_to_the_parent(engine)
    return engine


@functools.cache
def _server(url: str) -> Engine:
    """The one pool of connections of this process, whichever club they are for."""
    engine = create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,
        pool_timeout=_LOCK_WAIT_SECONDS,
        hide_parameters=_HIDDEN,
        connect_args={
            "connect_timeout": _CONNECT_SECONDS,
            "options": f"-c lock_timeout={_LOCK_WAIT_SECONDS}s"
            f" -c idle_in_transaction_session_timeout={_SILENCE_SECONDS}s",
        },
    )
    event.listen(engine, "connect", _set_up_postgresql)
    _leave_connections_to_the_parent(engine)
    return engine


class _Texts(StrDumperUnknown):
    """Writes text to PostgreSQL, which takes every character but U+0000."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", _FOR_NUL))


class _TextsBack(TextLoader):
    """Reads text from PostgreSQL as it was before it was written."""

    def load(self, data: Buffer) -> bytes | str:
        text = super().load(data)
        return text.replace(_FOR_NUL, "\0") if isinstance(text, str) else text


class _Sums(Loader):
    """Reads a sum of whole numbers, which PostgreSQL widens to a number with decimals."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data))


def _set_up_postgresql(connection: psycopg.Connection, _record: object) -> None:
    connection.adapters.register_dumper(str, _Texts)
    for name in ("text", "varchar"):
        connection.adapters.register_loader(name, _TextsBack)
    connection.adapters.register_loader("numeric", _Sums)


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
