"""Parquet segments: written aside, synced, and then put in place under a name of their own.

A file in place is still nothing: only the records say which segments are published. No name is
given twice, so a copy of a segment that somebody holds is never out of date.
"""

import datetime as dt
import os
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import polars as pl
from msgspec import Struct
from sqlalchemy import Connection, delete

from warehouse.files import discard_older
from warehouse.places import house_place
from warehouse.rows import COLUMNS, KINDS, Kind, Row, SegmentKind
from warehouse.settings import Settings
from warehouse.tables import discards

UNUSED: Final = "segment"
"""The kind of a discard that is a single segment."""

_PART: Final = "segments"
_STAGED: Final = "staged"
_LEFTOVER_SECONDS: Final = 3_600


class StagedSegment(Struct, frozen=True):
    """A segment that is whole and synced, but not in place. ``path`` is within the place."""

    kind: SegmentKind
    path: str
    rows: int
    aside: Path


def frame_of(kind: Kind, rows: list[Row]) -> pl.DataFrame:
    """Return rows as a frame with the columns of `COLUMNS`."""
    columns = COLUMNS[kind]
    values = zip(*rows, strict=True) if rows else [()] * len(columns)
    return pl.DataFrame(
        [
            pl.Series(column, of_column, dtype=dtype)
            for (column, dtype), of_column in zip(columns.items(), values, strict=True)
        ]
    )


def note_unused(connection: Connection, paths: Iterable[str], now: dt.datetime) -> None:
    """Note segments that nothing needs any more, or that are not published yet.

    After a while they are deleted, unless they are struck off before.
    """
    rows = [{"kind": UNUSED, "name": path, "since": now} for path in paths]
    connection.execute(discards.insert(), rows)


def strike_off(connection: Connection, paths: Sequence[str]) -> int:
    """Have segments kept that are noted as unused; return how many of them still were."""
    noted = (discards.c.kind == UNUSED, discards.c.name.in_(paths))
    return connection.execute(delete(discards).where(*noted)).rowcount


class SegmentFolder:
    """The segments of one house, by kind, whether they stay in its folder or in the bucket."""

    def __init__(self, settings: Settings) -> None:
        self._staged = settings.home / _PART / _STAGED
        self._place = house_place(settings, _PART)

    def stage(self, kind: SegmentKind, name: str, frame: pl.DataFrame) -> StagedSegment:
        """Write a frame as a segment that is not in place yet."""
        self._staged.mkdir(parents=True, exist_ok=True)
        token = secrets.token_hex(8)
        aside = self._staged / f"{token}.parquet"
        try:
            with aside.open("wb") as file:
                frame.write_parquet(file, compression="zstd", compression_level=1)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
        return StagedSegment(kind, f"{kind}/{name}-{token}.parquet", frame.height, aside)

    def put_in_place(self, segments: list[StagedSegment]) -> None:
        """Put segments where they stay.

        Raises:
            OSError: there is no room, or the place cannot be reached.
        """
        self._place.take({segment.path: segment.aside for segment in segments})

    def discard(self, segments: list[StagedSegment]) -> None:
        """Delete staged segments, as far as they are still aside."""
        for segment in segments:
            segment.aside.unlink(missing_ok=True)

    def discard_leftovers(self) -> None:
        """Delete what processes that died had staged; nothing in place is touched."""
        discard_older(self._staged, _LEFTOVER_SECONDS)

    def locate_all(self, paths: Sequence[str]) -> list[str]:
        """Return where segments can be read on this machine, as DuckDB wants to be told.

        Raises:
            FileNotFoundError: one of them is there no more; it may be noticed on opening only.
            OSError: the place cannot be reached.
        """
        return self._place.locate(paths)

    def of_upload(self, upload: str) -> list[str]:
        """Return all segments in place that were made of an upload, published or not.

        Raises:
            OSError: the place cannot be reached.
        """
        kinds: tuple[SegmentKind, ...] = (*KINDS, "rollups")
        return [name for kind in kinds for name in self._place.names(kind, f"{upload}-")]

    def delete(self, paths: Iterable[str]) -> None:
        """Delete segments that the records list no more, as far as they are there."""
        self._place.delete(paths)
