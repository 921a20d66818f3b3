"""Cards as the ints 0–51 and sets of cards as bit masks.

A card is ``suit * 13 + rank``: suits c d h s are 0–3, ranks 2…A are 0–12. A suit's thirteen bits
are therefore contiguous, and its highest card is the highest set bit.
"""

from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
RANKS_HIGH_FIRST: Final = "AKQJT98765432"

UNKNOWN: Final = -1
"""A card that the log does not show, written ``??``."""

UNKNOWN_NAME: Final = "??"

CARD_NAMES: Final[list[str]] = [rank + suit for suit in SUITS for rank in RANKS]
CARD_NUMBERS: Final[dict[str, int]] = {name: number for number, name in enumerate(CARD_NAMES)}

SUIT_MASK: Final = 0x1FFF

POINTS: Final[list[int]] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11] * 4
"""What each card counts for the point: ace 11, K Q J T 10, the rest face value."""


def _points_of_ranks() -> list[int]:
    points = [0] * (SUIT_MASK + 1)
    for ranks in range(1, SUIT_MASK + 1):
        lowest = ranks & -ranks
        points[ranks] = points[ranks ^ lowest] + POINTS[lowest.bit_length() - 1]
    return points


POINTS_OF_RANKS: Final = _points_of_ranks()
"""What a set of cards of one suit counts for the point, by its mask of thirteen bits."""


def card_name(card: int) -> str:
    """The card's name, such as ``Qh``; ``??`` for an unknown card."""
    return UNKNOWN_NAME if card == UNKNOWN else CARD_NAMES[card]


def cards_in(mask: int) -> list[int]:
    """The cards of a mask, lowest number first."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


def deck_mask(ranks: str) -> int:
    """The mask of all four suits' cards of the given ranks, such as ``AKQ98``."""
    mask = 0
    for rank in ranks:
        for suit in range(4):
            mask |= 1 << (suit * 13 + RANKS.index(rank))
    return mask
