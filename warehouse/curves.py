"""A player's hands one after the other: sessions, the line with the luck of the deal taken out.

Everything here is a function of the hands in the order of play, in columns; where they come from
is said by `warehouse.played`.
"""

import datetime as dt
from statistics import NormalDist
from typing import Final

import polars as pl
from msgspec import Struct

from warehouse.strength import MILLION
from warehouse.uncertainty import LEVEL

GAP: Final = dt.timedelta(minutes=60)
"""A longer pause than this parts sessions where the hands name none."""

SOURCES: Final = ("net", "net_showdown", "net_uncontested", "premium")
"""What a hand brought in chips, and the three lines that it is made of."""

_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
_NET_UNITS: Final = pl.col("net") / pl.col("unit")
_LUCK: Final = pl.col("q") / MILLION - 1 / pl.col("seats")
"""How much stronger than usual a hand was: q − 1/m, null where q is not known."""


class Sitting(Struct, frozen=True):
    """Hands played in one go: so many ``hands``, the first of them ``first`` in the order of play.

    Places count from 0. ``net`` is in chips, ``units`` in units; ``hours`` is None where the times
    are not known.
    """

    session: str | None
    begun: dt.datetime | None
    ended: dt.datetime | None
    first: int
    hands: int
    net: int
    units: float
    hours: float | None


class Drawdown(Struct, frozen=True):
    """The deepest fall of the line: by how much, from which place on to which, from 0."""

    amount: int
    first: int
    last: int


def sittings(hands: pl.DataFrame, gap: dt.timedelta = GAP) -> list[Sitting]:
    """Return the sessions: those that the hands name, and what long pauses part.

    Of two sessions that were played at the same time one comes behind the other.
    """
    place, session, played_at = pl.col("place"), pl.col("session"), pl.col("played_at")
    named = session.is_not_null()
    paused = ~named & (played_at - played_at.shift() > gap).fill_null(value=False)
    begun, ended = played_at.first(), played_at.last()
    found = (
        hands.lazy()
        .with_row_index("place")
        .sort(
            pl.when(named).then(place.min().over("session")).otherwise(place), maintain_order=True
        )
        .group_by(
            (session.ne_missing(session.shift()) | paused).cum_sum().alias("number"),
            maintain_order=True,
        )
        .agg(
            session.first(),
            begun.alias("begun"),
            ended.alias("ended"),
            place.first().alias("first"),
            pl.len().alias("hands"),
            pl.col("net").sum(),
            _NET_UNITS.sum().alias("units"),
            ((ended - begun).dt.total_microseconds() / 3.6e9).alias("hours"),
        )
        .drop("number")
        .collect()
    )
    return [Sitting(*row) for row in found.iter_rows()]


def deal_luck(hands: pl.DataFrame) -> float | None:
    """Return β, what a showdown chance of 1 more was worth in units, by least squares.

    None where no two hands of known q differ.
    """
    known = hands.select(luck=_LUCK, units=_NET_UNITS).drop_nulls("luck")
    luck, units = (pl.col(name) - pl.col(name).mean() for name in ("luck", "units"))
    found = known.select((luck * units).sum().alias("together"), luck.pow(2).sum().alias("spread"))
    [(together, spread)] = found.rows()
    return together / spread if known["luck"].n_unique() > 1 else None


def deal_adjusted(hands: pl.DataFrame) -> pl.Series | None:
    """Return the cumulative net in chips with the luck of the deal taken out: net − β(q − 1/m).

    A hand of unknown q counts as it is. None where `deal_luck` is.
    """
    beta = deal_luck(hands)
    if beta is None:
        return None
    adjusted = pl.col("net") - pl.col("unit") * beta * _LUCK.fill_null(0.0)
    return hands.select(adjusted.cum_sum().alias("adjusted"))["adjusted"]


def band(hands: pl.DataFrame) -> pl.Series:
    """Return how far the cumulative net may lie from where it is expected, at each hand, in chips.

    It is 1.96 standard deviations of so many hands, each as varied as the player's own.
    """
    variance = pl.col("net").var().fill_null(0.0)
    number = pl.int_range(1, pl.len() + 1)
    return hands.select((_Z * (variance * number).sqrt()).alias("band"))["band"]


def drawdown(hands: pl.DataFrame) -> Drawdown | None:
    """Return the deepest fall of the cumulative net from a height before; None without a fall."""
    line = hands["net"].cum_sum()
    heights = line.cum_max().clip(lower_bound=0)
    falls = heights - line
    last = falls.arg_max()
    if last is None or falls[last] == 0:
        return None
    height = heights[last]
    first = 0 if height == 0 else (line == height).arg_max()
    return Drawdown(falls[last], 0 if height == 0 else (first or 0) + 1, last)
