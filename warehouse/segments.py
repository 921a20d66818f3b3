"""Parquet segments on the disk: written aside, synced, and put in place by a rename.

A file in place is still nothing: only the records say which segments are published.
"""

import os
import secrets
from pathlib import Path
from typing import Final

import polars as pl
from msgspec import Struct

from warehouse.files import discard_older, sync_folder
from warehouse.rows import COLUMNS, Kind, Row

_STAGED: Final = "staged"
_LEFTOVER_SECONDS: Final = 3_600


class StagedSegment(Struct, frozen=True):
    """A segment that is whole and synced, but not in place. ``path`` is within the folder."""

    kind: Kind
    path: str
    rows: int
    aside: Path


class SegmentFolder:
    """The segments of one data folder, by kind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def stage(self, kind: Kind, name: str, rows: list[Row]) -> StagedSegment:
        """Write rows, with the columns of `COLUMNS`, as a segment that is not in place yet."""
        columns = COLUMNS[kind]
        frame = pl.DataFrame(
            [
                pl.Series(column, values, dtype=dtype)
                for (column, dtype), values in zip(
                    columns.items(), zip(*rows, strict=True), strict=True
                )
            ]
        )
        staged = self._folder / _STAGED
        staged.mkdir(parents=True, exist_ok=True)
        aside = staged / f"{secrets.token_hex(16)}.parquet"
        try:
            with aside.open("wb") as file:
                frame.write_parquet(file, compression="zstd", compression_level=1)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
        return StagedSegment(kind, f"{kind}/{name}.parquet", len(rows), aside)

    def put_in_place(self, segments: list[StagedSegment]) -> None:
        """Rename segments to where they stay; a file that nobody published gives way."""
        for segment in segments:
            place = self._folder / segment.path
            place.parent.mkdir(exist_ok=True)
            segment.aside.replace(place)
        for kind in {segment.kind for segment in segments}:
            sync_folder(self._folder / kind)
        sync_folder(self._folder)

    def discard(self, segments: list[StagedSegment]) -> None:
        """Delete staged segments, as far as they are still aside."""
        for segment in segments:
            segment.aside.unlink(missing_ok=True)

    def discard_leftovers(self) -> None:
        """Delete what processes that died had staged; nothing in place is touched."""
        discard_older(self._folder / _STAGED, _LEFTOVER_SECONDS)

    def locate(self, path: str) -> str:
        """Return where a segment lies, as DuckDB wants to be told."""
        return str(self._folder / path)
