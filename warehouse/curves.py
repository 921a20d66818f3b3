"""A player's hands one after the other: sessions, the line with the luck of the deal taken out.

Everything here is a function of the hands in the order of play; where they come from is said by
`warehouse.played`.
"""

import datetime as dt
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from warehouse.strength import MILLION
from warehouse.uncertainty import LEVEL

GAP: Final = dt.timedelta(minutes=60)
"""A longer pause than this parts sessions where the hands name none."""

_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)


class PlayedHand(Struct, frozen=True):
    """A hand that counts, as its player saw it. ``q`` is in millionths, None where not known.

    ``net`` is in chips, and so are the three lines that add up to it.
    """

    hand_id: str
    played_at: dt.datetime | None
    session: str | None
    preset: str
    seats: int
    unit: int
    net: int
    net_showdown: int
    net_uncontested: int
    premium: int
    q: int | None


class Sitting(Struct, frozen=True):
    """Hands played in one go, by their places from ``first`` to ``last``, counted from 0.

    ``net`` is in chips, ``units`` in units; ``hours`` is None where the times are not known.
    """

    first: int
    last: int
    session: str | None
    net: int
    units: float
    hours: float | None


class Drawdown(Struct, frozen=True):
    """The deepest fall of the line: by how much, from which place on to which, from 0."""

    amount: int
    first: int
    last: int


def sittings(hands: Sequence[PlayedHand], gap: dt.timedelta = GAP) -> list[Sitting]:
    """Return the sessions: those that the hands name, and what long pauses part."""
    starts = [
        place
        for place, hand in enumerate(hands)
        if place == 0 or _parts(hands[place - 1], hand, gap)
    ]
    return [
        _sitting(hands, first, following - 1)
        for first, following in pairwise([*starts, len(hands)])
    ]


def by_session(hands: Sequence[PlayedHand]) -> list[int]:
    """Return the places of the hands, those of a session in a row from where it began.

    Of two sessions that were played at the same time one then comes behind the other.
    """
    begun: dict[str, int] = {}
    for place, hand in enumerate(hands):
        if hand.session is not None:
            begun.setdefault(hand.session, place)
    return sorted(
        range(len(hands)),
        key=lambda place: begun.get(hands[place].session or "", place),
    )


def _parts(before: PlayedHand, hand: PlayedHand, gap: dt.timedelta) -> bool:
    if before.session != hand.session:
        return True
    if hand.session is not None or before.played_at is None or hand.played_at is None:
        return False
    return hand.played_at - before.played_at > gap


def _sitting(hands: Sequence[PlayedHand], first: int, last: int) -> Sitting:
    some = hands[first : last + 1]
    begun, ended = some[0].played_at, some[-1].played_at
    hours = None
    if begun is not None and ended is not None:
        hours = (ended - begun).total_seconds() / 3_600
    net = sum(hand.net for hand in some)
    units = sum(hand.net / hand.unit for hand in some)
    return Sitting(first, last, some[0].session, net, units, hours)


def luck_of(hand: PlayedHand) -> float | None:
    """Return how much stronger than usual a hand was: q − 1/m, None where q is not known."""
    return None if hand.q is None else hand.q / MILLION - 1 / hand.seats


def deal_luck(hands: Sequence[PlayedHand]) -> float | None:
    """Return β, what a showdown chance of 1 more was worth in units, by least squares.

    None where no two hands of known q differ.
    """
    known = [(luck, hand.net / hand.unit) for hand in hands if (luck := luck_of(hand)) is not None]
    if not known:
        return None
    mean_luck = sum(luck for luck, _ in known) / len(known)
    mean_net = sum(net for _, net in known) / len(known)
    spread = sum((luck - mean_luck) ** 2 for luck, _ in known)
    if spread == 0:
        return None
    return sum((luck - mean_luck) * (net - mean_net) for luck, net in known) / spread


def deal_adjusted(hands: Sequence[PlayedHand]) -> list[float] | None:
    """Return the cumulative net in chips with the luck of the deal taken out: net − β(q − 1/m).

    A hand of unknown q counts as it is. None where `deal_luck` is.
    """
    beta = deal_luck(hands)
    if beta is None:
        return None
    return list(accumulate(hand.net - hand.unit * beta * (luck_of(hand) or 0.0) for hand in hands))


def band(hands: Sequence[PlayedHand]) -> list[float]:
    """Return how far the cumulative net may lie from where it is expected, at each hand, in chips.

    It is 1.96 standard deviations of so many hands, each as varied as the player's own.
    """
    count = len(hands)
    if count < 2:
        return [0.0] * count
    mean = sum(hand.net for hand in hands) / count
    deviation = sqrt(sum((hand.net - mean) ** 2 for hand in hands) / (count - 1))
    return [_Z * deviation * sqrt(number) for number in range(1, count + 1)]


def drawdown(hands: Sequence[PlayedHand]) -> Drawdown | None:
    """Return the deepest fall of the cumulative net from a height before; None without a fall."""
    deepest: Drawdown | None = None
    height, since, now = 0, 0, 0
    for place, hand in enumerate(hands):
        now += hand.net
        if now > height:
            height, since = now, place + 1
        elif height - now > (deepest.amount if deepest else 0):
            deepest = Drawdown(height - now, since, place)
    return deepest
