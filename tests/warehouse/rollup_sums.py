"""What the rollups of a house come to, and what they should."""

from typing import Any

from warehouse.reading import SegmentReader, published
from warehouse.rollup_reading import RollupReader
from warehouse.rollups import KEYS, SUMS
from warehouse.settings import Settings
from warehouse.store import Store

ROLLED_UP = (*KEYS, "hands", *SUMS)
"""The columns of what follows."""

_SUMMED = ", ".join(f"coalesce(sum({name}), 0)" for name in SUMS)
_KEYS = ", ".join(KEYS)
_SCANNED_KEYS = ", ".join(
    "date_trunc('hour', played_at) AS hour" if key == "hour" else key for key in KEYS
)
_SCAN = (
    f"SELECT {_SCANNED_KEYS}, sum(counted::INTEGER), {_SUMMED} FROM {{seats}}"  # noqa: S608 -- constants
    " WHERE (counted OR cards_seen > 0) AND standing = 'first' GROUP BY ALL ORDER BY ALL"
)
_SUM = (
    f"SELECT {_KEYS}, sum(hands), {_SUMMED} FROM rollups"  # noqa: S608 -- constants
    " GROUP BY ALL ORDER BY ALL"
)


def reader_of(store: Store, settings: Settings) -> RollupReader:
    return RollupReader(store.database, store.segments, settings.home)


def by_scan(store: Store, settings: Settings) -> list[tuple[Any, ...]]:
    """What the rollups should come to, from the seats alone."""
    reader = SegmentReader(store.database, store.segments, settings.home / "spill")
    return reader.rows({"seats": published("seats")}, _SCAN, {})


def rolled_up(rollups: RollupReader) -> list[tuple[Any, ...]]:
    return rollups.rows(_SUM, {})
