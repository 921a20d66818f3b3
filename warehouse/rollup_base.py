"""A file with the rollups of a house as they were at some time: a cache and nothing else.

It spares a process that starts the reading of every chunk, and all of them the memory: what is
asked for is read from the file. It says which chunks it holds, so whoever reads it knows what has
come and gone since. It is made whole aside, never changed, and may be deleted at any time.
"""

import fcntl
import os
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import duckdb
import msgspec

from warehouse.files import discard_older
from warehouse.rollup_source import TABLES, Chunks, Held, RollupSource
from warehouse.rollups import KEYS, SUMS

APART: Final = ("hour", "session")
"""The keys by which the rollups of players are not apart."""

_LEFTOVER_SECONDS: Final = 3_600
_DUCKDB: Final[dict[str, str | bool | int | float | list[str]]] = {
    "memory_limit": "512MB",
    "threads": 1,  # others are being answered meanwhile
    "preserve_insertion_order": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_TABLES: Final = (
    f"{TABLES} CREATE TABLE {{0}}held (chunk BIGINT, published VARCHAR, moved VARCHAR);"
)
_BY_PLAYER: Final = (
    "CREATE TABLE {0}by_player AS"  # noqa: S608 -- constants
    f" SELECT {', '.join(key for key in KEYS if key not in APART)},"
    " min(first_played) AS first_played, max(last_played) AS last_played,"
    " sum(hands)::BIGINT AS hands,"
    f" {', '.join(f'sum({name})::BIGINT AS {name}' for name in SUMS)}"
    " FROM {0}rollups GROUP BY ALL"
)
_LAYOUT: Final = f"{zlib.crc32((_TABLES + _BY_PLAYER).encode()):08x}"

Mark = tuple[int, int]
"""What tells a file from the one that comes after it."""


class RollupBase:
    """The file of one house."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "rollups"
        self._spill = home / "spill" / "rollups"
        self._making: duckdb.DuckDBPyConnection | None = None
        self._path = self._folder / f"{_LAYOUT}.duckdb"

    def mark(self) -> Mark | None:
        """Return what tells the file from others; None where there is none."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    def attach(self, to: duckdb.DuckDBPyConnection) -> dict[int, Held]:
        """Have the file's tables as those of ``base``, or empty ones; return what they hold.

        They are ``rollups``, ``found`` and ``by_player``, which has all rollups but is not apart
        by `APART`.
        """
        try:
            to.execute(f"ATTACH {_quoted(self._path)} AS base (READ_ONLY)")
            return _held(to, "base.")
        except duckdb.InterruptException:
            raise
        except duckdb.Error:  # none, or none that could be read
            self.discard()
        to.execute("DETACH DATABASE IF EXISTS base")
        to.execute("ATTACH ':memory:' AS base")
        to.execute(_TABLES.format("base."))
        to.execute(_BY_PLAYER.format("base."))
        return {}

    def renew(self, source: RollupSource) -> None:
        """Make the file of all that is published now, unless somebody else is at it.

        Raises:
            duckdb.Error: a segment is gone meanwhile, or the file cannot be written.
            OSError: likewise.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with _alone(self._folder / "lock") as alone:
            if not alone:
                return
            discard_older(self._folder, _LEFTOVER_SECONDS)
            wanted = source.published()
            aside = self._folder / f"{secrets.token_hex(8)}.part"
            try:
                self._make(aside, source, wanted)
                _sync(aside)
                aside.replace(self._path)
            finally:
                self._making = None
                for left in (aside, Path(f"{aside}.wal")):
                    left.unlink(missing_ok=True)
        if not wanted.keys() <= source.recorded():
            self.discard()  # of what was deleted nothing is left lying about

    def cut_off(self) -> None:
        """Have a renewal that another thread is at end soon, by a `duckdb.InterruptException`."""
        if self._making is not None:
            with suppress(duckdb.ConnectionException):  # it has come to its end
                self._making.interrupt()

    def discard(self) -> None:
        """Delete the file, as far as there is one; who has it open still can read it."""
        for path in self._folder.glob("*.duckdb"):
            path.unlink(missing_ok=True)

    def _make(self, aside: Path, source: RollupSource, wanted: Chunks) -> None:
        config = {**_DUCKDB, "temp_directory": str(self._spill)}
        with duckdb.connect(aside, config=config) as table:
            self._making = table
            table.execute(_TABLES.format(""))
            before = self.attach(table)
            kept = [chunk for chunk, held in before.items() if wanted.get(chunk) == held]
            for name in ("rollups", "found"):
                table.execute(
                    f"INSERT INTO {name} FROM base.{name}"
                    " SEMI JOIN (SELECT unnest($kept) AS chunk) USING (chunk)",
                    {"kept": kept},
                )
            source.insert(table, {one: wanted[one] for one in wanted.keys() - set(kept)})
            table.execute(_BY_PLAYER.format(""))
            table.execute(
                "INSERT INTO held SELECT unnest($chunks), unnest($published), unnest($moved)",
                {
                    "chunks": list(wanted),
                    "published": [held.published for held in wanted.values()],
                    "moved": [msgspec.json.encode(held.moved).decode() for held in wanted.values()],
                },
            )


def _held(table: duckdb.DuckDBPyConnection, prefix: str) -> dict[int, Held]:
    rows = table.execute(f"SELECT chunk, published, moved FROM {prefix}held").fetchall()  # noqa: S608 -- constants
    moved = msgspec.json.Decoder(tuple[tuple[str, str], ...])
    return {chunk: Held(published, moved.decode(text)) for chunk, published, text in rows}


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Tell whether nobody else holds a lock, and hold it if so."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
