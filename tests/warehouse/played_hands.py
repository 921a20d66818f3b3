"""A player's hands in columns, as `warehouse.played` has them, for what is worked out of them."""

import datetime as dt
from typing import Any

import polars as pl

from warehouse.played import HAND_COLUMNS

BEGUN = dt.datetime(2026, 3, 14, 20)  # noqa: DTZ001 -- as segments hold it: UTC


def hand(
    net: int,
    *,
    minutes: int | None = None,
    session: str | None = None,
    q: int | None = None,
    unit: int = 1,
    **others: Any,  # noqa: ANN401 -- any column
) -> dict[str, Any]:
    played_at = None if minutes is None else BEGUN + dt.timedelta(minutes=minutes)
    return {
        "hand_id": "id",
        "played_at": played_at,
        "session": session,
        "preset": "bouillotte/salon",
        "seats": 4,
        "unit": unit,
        "net": net,
        "net_showdown": net,
        "net_uncontested": 0,
        "premium": 0,
        "q": q,
        **others,
    }


def in_columns(*hands: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame(hands, schema=HAND_COLUMNS)
