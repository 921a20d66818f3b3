"""Owns what a player's page says of uncertainty and of the profit's parts."""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from warehouse.queries import ProfitPoint
from warehouse.totals import Rate

Certainty = Literal["none", "faded", "plain", "strong"]

PLAIN_BELOW: Final = 0.15
STRONG_BELOW: Final = 0.075


class ProfitTotals(Struct, frozen=True):
    """A player's counted hands in sum, in chips."""

    hands: int
    net: int
    net_showdown: int
    net_uncontested: int
    premium: int


def certainty(rate: Rate) -> Certainty:
    """How firmly a rate stands, by the half width of its interval."""
    if rate.low is None or rate.high is None:
        return "none"
    half = (rate.high - rate.low) / 2
    if half < STRONG_BELOW:
        return "strong"
    return "plain" if half < PLAIN_BELOW else "faded"


def totals(points: Sequence[ProfitPoint]) -> ProfitTotals:
    """The sums over a player's hands."""
    return ProfitTotals(
        hands=len(points),
        net=sum(point.net for point in points),
        net_showdown=sum(point.net_showdown for point in points),
        net_uncontested=sum(point.net_uncontested for point in points),
        premium=sum(point.premium for point in points),
    )
