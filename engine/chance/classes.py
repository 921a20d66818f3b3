"""Hand classes: a hand and the retourne, alike where only the names of the suits differ.

Each suit is written as one code, the ranks in hand above the ranks turned up; a class is its four
codes, highest first. Only the turn order breaks ties between suits (V12), so the hands of a class
have the same chance at a showdown.
"""

from itertools import combinations
from math import factorial
from typing import Final

from engine.cards import RANKS, SUIT_MASK

HandClass = tuple[int, int, int, int]

RANK_BITS: Final = 13


def hand_class(hand: int, retourne: int) -> HandClass:
    """The class of a hand (a mask of cards) and the retourne (a card)."""
    turned = 1 << retourne
    first, second, third, fourth = sorted(
        (
            (hand & SUIT_MASK) << RANK_BITS | turned & SUIT_MASK,
            (hand >> 13 & SUIT_MASK) << RANK_BITS | turned >> 13 & SUIT_MASK,
            (hand >> 26 & SUIT_MASK) << RANK_BITS | turned >> 26 & SUIT_MASK,
            hand >> 39 << RANK_BITS | turned >> 39,
        ),
        reverse=True,
    )
    return first, second, third, fourth


def own_ranks(code: int) -> int:
    """The ranks in hand of a suit's code, as a mask of thirteen bits."""
    return code >> RANK_BITS


def turned_rank(code: int) -> int:
    """The retourne in a suit's code, as a mask of thirteen bits; 0 in the other three suits."""
    return code & SUIT_MASK


def rank_mask(ranks: str) -> int:
    """The mask of thirteen bits of a deck's ranks, such as ``AKQ98``."""
    mask = 0
    for rank in ranks:
        mask |= 1 << RANKS.index(rank)
    return mask


def hand_classes(ranks: str) -> list[HandClass]:
    """Every class of a deck, in the order of the stored tables: ascending."""
    bits = [1 << RANKS.index(rank) for rank in ranks]
    suits: dict[int, list[int]] = {
        count: [sum(own) << RANK_BITS for own in combinations(bits, count)] for count in range(4)
    }
    turned = {
        count: [code | bit for code in suits[count] for bit in bits if not own_ranks(code) & bit]
        for count in range(4)
    }
    found: set[HandClass] = set()
    for shape in ((3, 0, 0, 0), (2, 1, 0, 0), (1, 1, 1, 0)):
        for place in range(4):
            lists = [turned[n] if at == place else suits[n] for at, n in enumerate(shape)]
            for first in lists[0]:
                for second in lists[1]:
                    for third in lists[2]:
                        for fourth in lists[3]:
                            one, two, three, four = sorted(
                                (first, second, third, fourth), reverse=True
                            )
                            found.add((one, two, three, four))
    return sorted(found)


def class_size(codes: HandClass) -> int:
    """How many hands with their retourne a class holds: the ways to name its suits."""
    size = factorial(4)
    for code in set(codes):
        size //= factorial(codes.count(code))
    return size
