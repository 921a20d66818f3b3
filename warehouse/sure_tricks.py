"""How many tricks each seat of a hand of Bourré could have been sure of, with all cards seen.

To work that out takes several times as long as to audit the hand, so it is done for one hand in
`ONE_IN`, picked by its id: the same ones wherever and whenever they are read.
"""

from typing import Final

from engine.acts import PLAY, RENEGE, TURN
from engine.bourre.double_dummy import double_dummy_tricks
from engine.bourre.state import HAND_CARDS
from engine.cards import UNKNOWN
from engine.record import BourreRecord

ONE_IN: Final = 8
"""One hand in so many is worked out: those whose id ends in 0 or 8."""

BUDGET: Final = 400
"""Tricks that the search for a seat plays before it gives up: up to four stayers hardly ever need
as many, of six one in five does."""


def is_picked(hand_id: str) -> bool:
    """Tell whether a hand is one of those that are worked out."""
    return int(hand_id[-1], 16) % ONE_IN == 0


def sure_tricks(record: BourreRecord) -> list[int | None]:
    """Return by seat the tricks that it could be sure of at the first lead.

    None for a seat that is out, for all where a card is hidden, not played or was taken back, and
    where the search gives up.
    """
    players = len(record.stacks)
    hands = [0] * players
    turned, leader = UNKNOWN, None
    for act, seat, cards in zip(record.acts, record.seats, record.cards, strict=True):
        if act == TURN:
            turned = cards[0]
        elif act == RENEGE:
            return [None] * players
        elif act == PLAY and 0 <= seat < players:
            if cards[0] == UNKNOWN:
                return [None] * players
            leader = seat if leader is None else leader
            hands[seat] |= 1 << cards[0]
    if leader is None or turned == UNKNOWN or any(_is_cut_short(hand) for hand in hands):
        return [None] * players
    return [
        double_dummy_tricks(
            record.options, turned // 13, hands, leader, seat, 0, [0] * players, BUDGET
        )
        if hands[seat]
        else None
        for seat in range(players)
    ]


def _is_cut_short(hand: int) -> bool:
    return hand.bit_count() not in (0, HAND_CARDS)
