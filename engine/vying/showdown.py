"""Who wins at the showdown: the brelans, and the point where no eligible seat has one.

V1, V12, V13 and V17. Hands are card masks; a suit's points and owners are listed c d h s.
"""

from typing import Final

from engine.cards import POINTS, RANKS, SUIT_MASK, UNKNOWN
from engine.options import VyingOptions

NO_BRELAN: Final = 0
MISTIGRI: Final = 100
FAVORI: Final = 200
SIMPLE: Final = 300
CARRE: Final = 400
BEST_FAVORI: Final = 500

_RED: Final = SUIT_MASK << 13 | SUIT_MASK << 26
_BLACK: Final = SUIT_MASK | SUIT_MASK << 39
_MISTIGRI_CARDS: Final = {"queen": 1 << RANKS.index("Q"), "jack": 1 << RANKS.index("J")}
NOBODY: Final = -1


def brelan_strength(hand: int, retourne: int, options: VyingOptions) -> int:
    """How strong a full hand's brelan is: its class plus its rank, or `NO_BRELAN` (V1, V17)."""
    if not options.brelans:
        return NO_BRELAN
    ranks = rank_bits(hand)
    retourne_rank = NOBODY if retourne == UNKNOWN else retourne % 13
    if ranks & (ranks - 1) == 0:
        rank = ranks.bit_length() - 1
        return (CARRE if rank == retourne_rank else SIMPLE) + rank
    if options.favori != "off" and retourne_rank != NOBODY and _pair_rank(hand) == retourne_rank:
        return (BEST_FAVORI if options.favori == "best" else FAVORI) + retourne_rank
    if options.mistigri != "off":
        wild = _MISTIGRI_CARDS[options.mistigri]
        pair = hand & ~wild
        if hand & wild and _pair_rank(pair) != NOBODY and (not pair & _RED or not pair & _BLACK):
            return MISTIGRI + _pair_rank(pair)
    return NO_BRELAN


def rank_bits(hand: int) -> int:
    """The ranks that a hand holds, as a mask of thirteen bits."""
    return (hand | hand >> 13 | hand >> 26 | hand >> 39) & SUIT_MASK


def _pair_rank(hand: int) -> int:
    seen = 0
    for suit in range(4):
        ranks = hand >> (13 * suit) & SUIT_MASK
        if seen & ranks:
            return (seen & ranks).bit_length() - 1
        seen |= ranks
    return NOBODY


def suit_points(hands: list[int], retourne: int) -> list[int]:
    """The points of each suit over all hands, folded ones too, and the retourne (V12)."""
    table = 1 << retourne
    for hand in hands:
        table |= hand
    points = [0, 0, 0, 0]
    while table:
        card = (table & -table).bit_length() - 1
        points[card // 13] += POINTS[card]
        table &= table - 1
    return points


def suit_owners(hands: list[int], eligible: int) -> list[int]:
    """The eligible seat with the highest own card of each suit, or `NOBODY` (V12)."""
    owners = [NOBODY] * 4
    for suit in range(4):
        highest = 0
        for seat, hand in enumerate(hands):
            ranks = hand >> (13 * suit) & SUIT_MASK
            if ranks > highest and eligible >> seat & 1:
                owners[suit] = seat
                highest = ranks
    return owners


def richest_first(points: list[int], suits: list[int]) -> list[list[int]]:
    """The suits in groups of equal points, the richest group first."""
    ordered = sorted(suits, key=lambda suit: -points[suit])
    groups: list[list[int]] = []
    for suit in ordered:
        if groups and points[groups[-1][0]] == points[suit]:
            groups[-1].append(suit)
        else:
            groups.append([suit])
    return groups


def point_winner(
    groups: list[list[int]], owners: list[int], dealer: int, players: int
) -> tuple[int, list[int]]:
    """The seat that wins by the point, and those of its suits that won.

    The first group with an owned suit decides; among its owners, the first in turn order after the
    dealer (V12). ``(NOBODY, [])`` where no suit is owned.
    """
    for group in groups:
        owned = [suit for suit in group if owners[suit] != NOBODY]
        if owned:
            winner = min(
                (owners[suit] for suit in owned),
                key=lambda seat: (seat - dealer - 1) % players,
            )
            return winner, [suit for suit in owned if owners[suit] == winner]
    return NOBODY, []
