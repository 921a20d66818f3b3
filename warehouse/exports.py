"""Exports: the rows of all hands that meet conditions, as a file, whatever their number.

An export is made whole by DuckDB, which holds little of it in memory, before any of it is sent: so
its length is known, and a slow client keeps nothing open but the file. The file has no name any
more when it is handed out; it is gone as soon as it is closed, or the process ends.
"""

import datetime as dt
import errno
import hashlib
import hmac
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Literal

import duckdb
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from warehouse.conditions import ANY_HAND, HandConditions, hands_where
from warehouse.database import Database
from warehouse.files import discard_older
from warehouse.looking_up import look_up
from warehouse.reading import Chosen, SegmentReader, published
from warehouse.rows import COLUMNS, Kind
from warehouse.spans import worth_reading
from warehouse.tables import house_secrets

Format = Literal["csv", "ndjson", "parquet"]

_DUCKDB: Final[dict[str, str | int]] = {
    "memory_limit": "256MB",
    "threads": 1,  # several would keep what is to be written in order, and more the more there is
    "enable_external_file_cache": "false",  # every segment is read once
}
_ROW_GROUP: Final = 20_000  # rows
IN_LINE: Final = 4
"""So many threads of a process exports of one house may take, the one that is made among them."""

_DOCUMENTS_AT_ONCE: Final = 500
_LEFTOVER_SECONDS: Final = 3_600
_MASKING: Final = "masking"
_BLOCK: Final = 64  # bytes that SHA-256 takes at once, by which HMAC is defined
_NO_LINES: Final = bytes.maketrans(b"\r\n", b"  ")

_OPTIONS: Final[dict[Format, str]] = {
    "csv": "FORMAT csv, HEADER true",
    "ndjson": "FORMAT json",
    "parquet": f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROW_GROUP}",
}
_NO_ROOM: Final = (os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT), "max_temp_directory")
_LEFT_OUT: Final = frozenset({"content", "document", "offset"})
_ISO: Final = "strftime({}, '%Y-%m-%dT%H:%M:%S.%fZ')"
_LIST: Final[dict[Format, str]] = {"csv": "to_json({})", "ndjson": "{}", "parquet": "{}"}
_WRITTEN: Final[dict[str, dict[Format, str]]] = {
    "played_at": {"csv": _ISO, "ndjson": _ISO, "parquet": "{} AT TIME ZONE 'UTC'"},
    "players": _LIST,
    "codes": _LIST,
    "options": {"csv": "{}", "ndjson": "{}::JSON", "parquet": "{}"},
    "standing": dict.fromkeys(_OPTIONS, "{}::VARCHAR"),
}
_MASK: Final = (
    "'player-' || left(sha256($outer::BLOB || unhex(sha256($inner::BLOB || encode({})))), 12)"
)
"""HMAC-SHA-256 with the house's secret, of which 48 bits keep a million names apart."""

_MASKED: Final = {
    "player": _MASK,
    "players": f"list_transform({{}}, lambda one: {_MASK.format('one')})",
    # An unknown key may be anything, even a name.
    "pointer": "CASE code WHEN 'unknown-key' THEN regexp_replace({0}, '[^/]*$', '…') ELSE {0} END",
}


class Export(Struct, frozen=True):
    """What is to be exported. ``masked`` puts pseudonyms of the house in place of players."""

    kind: Kind
    form: Format
    conditions: HandConditions
    masked: bool = False


class ExportsBusyError(Exception):
    """Others are waiting already, or another export took longer than anybody would wait."""


class Exporter:
    """Makes the exports of one house, one at a time: ``turn`` is held while one is made.

    Who comes in between waits in a ``line``, unless it is full, and at most ``patience`` seconds.
    """

    def __init__(self, database: Database, reader: SegmentReader, spill: Path) -> None:
        self._database = database
        self._reader = reader
        self._folder = spill / "exports"
        self.turn = threading.Lock()
        self.line = threading.BoundedSemaphore(IN_LINE)
        self.patience = 20.0

    def make(self, export: Export) -> BinaryIO:
        """Return a file of the rows, hand after hand as they came; it is to be closed.

        Raises:
            ExportsBusyError: others were not done in time.
            OSError: there is no room for the file.
        """
        columns = _columns(export)
        chosen, sql, values = self._rows(export.kind, export.conditions)
        if export.masked:
            values |= self._mask_keys(columns)
        query = f"SELECT {columns} FROM {sql}"  # noqa: S608 -- constants
        options = _OPTIONS[export.form]
        with self._place() as (path, connection):
            target = "'" + str(path).replace("'", "''") + "'"

            def copy(written: str, bound: dict[str, object]) -> None:
                with _writing():
                    connection.execute(f"COPY ({written}) TO {target} ({options})", bound)

            self._reader.run(chosen, query, values, copy)
            return path.open("rb")

    def make_documents(self, conditions: HandConditions) -> BinaryIO:
        """Return a file of the hands' own documents, one a line; it is to be closed.

        They are as they came, but for the ends of lines within them.

        Raises:
            ExportsBusyError: others were not done in time.
            OSError: there is no room for the file.
        """
        chosen, sql, values = self._rows("hands", conditions)
        query = f"SELECT document FROM {sql}"  # noqa: S608 -- constants
        with self._place() as (path, connection):

            def write(written: str, bound: dict[str, object]) -> None:
                with _writing(), path.open("wb") as file:
                    rows = connection.execute(written, bound)
                    while some := rows.fetchmany(_DOCUMENTS_AT_ONCE):
                        file.writelines(
                            document.translate(_NO_LINES) + b"\n" for (document,) in some
                        )

            self._reader.run(chosen, query, values, write)
            return path.open("rb")

    def pseudonym(self, name: str) -> str:
        """Return what a masked export calls a player."""
        digest = hmac.new(self._secret(), name.encode(), hashlib.sha256).hexdigest()
        return f"player-{digest[:12]}"

    def _rows(
        self, kind: Kind, conditions: HandConditions
    ) -> tuple[Chosen, str, dict[str, object]]:
        """Return as SQL the rows of a kind that are of the hands that meet all conditions."""
        known = look_up(self._database, conditions)
        where, worth = hands_where(conditions, known), worth_reading(conditions, known)
        if conditions == ANY_HAND:
            return {kind: published(kind)}, f"{{{kind}}}", {}
        kinds: set[Kind] = {kind, "hands"}
        if where.of_seats:
            kinds.add("seats")
        chosen = {one: published(one, conditions.upload).where(*worth) for one in kinds}
        if kind == "hands":
            return chosen, f"{{hands}} WHERE {where.sql}", where.values
        hands = f"SELECT hand_id FROM {{hands}} WHERE {where.sql}"  # noqa: S608 -- constants
        return chosen, f"{{{kind}}} WHERE hand_id IN ({hands})", where.values

    @contextmanager
    def _place(self) -> Iterator[tuple[Path, duckdb.DuckDBPyConnection]]:
        """Have a path for a file that is soon without a name, and a DuckDB to fill it."""
        with self._turn():
            self._folder.mkdir(parents=True, exist_ok=True)
            discard_older(self._folder, _LEFTOVER_SECONDS)
            path = self._folder / secrets.token_hex(16)
            connection = self._reader.connect(**_DUCKDB)
            try:
                yield path, connection
            finally:
                connection.close()
                path.unlink(missing_ok=True)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for one's turn to make an export, and have it."""
        if not self.line.acquire(blocking=False):
            raise ExportsBusyError
        try:
            if not self.turn.acquire(timeout=self.patience):
                raise ExportsBusyError
            try:
                yield
            finally:
                self.turn.release()
        finally:
            self.line.release()

    def _mask_keys(self, columns: str) -> dict[str, object]:
        """The two keys of HMAC, as far as the columns take them."""
        key = self._secret().ljust(_BLOCK, b"\0")
        keys = {"inner": 0x36, "outer": 0x5C}
        return {
            name: bytes(byte ^ pad for byte in key)
            for name, pad in keys.items()
            if f"${name}" in columns
        }

    def _secret(self) -> bytes:
        """The house's secret for pseudonyms, made when it is first wanted."""
        known = select(house_secrets.c.value).where(house_secrets.c.name == _MASKING)
        with self._database.read() as connection:
            value = connection.scalar(known)
        if value is None:
            value = secrets.token_hex(32)
            try:
                with self._database.write() as connection:
                    connection.execute(house_secrets.insert().values(name=_MASKING, value=value))
            except IntegrityError:  # somebody else made it in between
                with self._database.read() as connection:
                    value = connection.scalars(known).one()
        return bytes.fromhex(value)


@contextmanager
def _writing() -> Iterator[None]:
    """Tell a disk without room from a segment that is gone, which may be asked for again."""
    try:
        yield
    except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
        text = str(error)
        if any(sign in text for sign in _NO_ROOM):
            raise OSError(errno.ENOSPC, text) from error
        raise


def _columns(export: Export) -> str:
    """Return the columns of an export as SQL."""
    return ", ".join(
        f'{_column(name, export)} AS "{name}"'
        for name in COLUMNS[export.kind]
        if name not in _LEFT_OUT
    )


def _column(name: str, export: Export) -> str:
    """Return a column of an export as SQL: masked where it has names, then as the form takes it."""
    column = f'"{name}"'
    if export.masked and name in _MASKED:
        column = _MASKED[name].format(column)
    if name in _WRITTEN:
        column = _WRITTEN[name][export.form].format(column)
    return column


def file_name(kind: str, form: str, now: dt.datetime) -> str:
    """What to call an export."""
    return f"retourne-{kind}-{now:%Y%m%dT%H%M%SZ}.{form}"
