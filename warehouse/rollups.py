"""Rollups: what a chunk's seats come to by player, hour, session, rules and position.

They are whole numbers, so any sum of them is exact and they may be added up in any order. Each
chunk has its own, published and withdrawn with it, so that what they add up to is at all times what
a scan of all seats gives.
"""

from typing import Final

import polars as pl

from warehouse.counters import COUNTERS
from warehouse.rows import COLUMNS

KEYS: Final = (
    "player",
    "hour",
    "session",
    "preset",
    "seats",
    "deck",
    "position",
    "unit",
    "standing",
)
"""What the sums are apart by. ``hour`` is when the hour began in UTC; null where no time is known.

``position`` is 1 for the seat right of the dealer and ``seats`` for the dealer himself.
"""

SUMS: Final = (
    "net",
    "net_showdown",
    "net_uncontested",
    "premium",
    *(counter.name for counter in COUNTERS),
)
"""What is summed, beside the number of ``hands`` itself; the names are those of the seats.

The first and the last moment played are kept as well.
"""

_SEATS: Final = COLUMNS["seats"]

ROLLUP_COLUMNS: Final[dict[str, pl.DataType]] = {
    **{key: _SEATS["played_at" if key == "hour" else key] for key in KEYS},
    "first_played": _SEATS["played_at"],
    "last_played": _SEATS["played_at"],
    "hands": pl.Int64(),
    **{name: pl.Int64() for name in SUMS},
}


def with_counters(seats: pl.DataFrame) -> pl.DataFrame:
    """Return seats with every column, those as null that their segment was written before."""
    missing = [name for name in SUMS if name not in seats.columns]
    return seats.with_columns(pl.lit(None, pl.Int64()).alias(name) for name in missing)


def roll_up(seats: pl.DataFrame) -> pl.DataFrame:
    """Add up the seats that count, those in conflict with others apart from the others.

    Seats that do not count come to no hands, but their cards and reneges are added as well.
    """
    seats = with_counters(seats)
    counted = pl.col("counted")
    rolled = (
        seats.filter(counted | (pl.col("cards_seen") > 0))
        .with_columns(hour=pl.col("played_at").dt.truncate("1h"))
        .group_by(KEYS)
        .agg(
            pl.col("played_at").filter(counted).min().alias("first_played"),
            pl.col("played_at").filter(counted).max().alias("last_played"),
            counted.sum().cast(pl.Int64).alias("hands"),
            *(pl.col(name).cast(pl.Int64).sum() for name in SUMS),
        )
    )
    return rolled.select(*ROLLUP_COLUMNS).sort(KEYS, nulls_last=False)
