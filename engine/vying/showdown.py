"""Who wins at the showdown: the brelans, and the point where no eligible seat has one.

V1, V12, V13 and V17. Hands are card masks; a suit's points and owners are listed c d h s.
"""

from typing import Final

from engine.cards import POINTS_OF_RANKS, RANKS, SUIT_MASK, UNKNOWN
from engine.options import VyingOptions
from engine.vying.state import NOBODY

NO_BRELAN: Final = 0
MISTIGRI: Final = 100
FAVORI: Final = 200
SIMPLE: Final = 300
CARRE: Final = 400
BEST_FAVORI: Final = 500

_RED: Final = SUIT_MASK << 13 | SUIT_MASK << 26
_BLACK: Final = SUIT_MASK | SUIT_MASK << 39
MISTIGRI_CARDS: Final = {"queen": 1 << RANKS.index("Q"), "jack": 1 << RANKS.index("J")}


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
        wild = MISTIGRI_CARDS[options.mistigri]
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
    """The points of each suit over all hands, folded ones too, and the retourne (V12).

    Hidden cards count for nothing.
    """
    table = 0 if retourne == UNKNOWN else 1 << retourne
    for hand in hands:
        table |= hand
    return [
        POINTS_OF_RANKS[table & SUIT_MASK],
        POINTS_OF_RANKS[table >> 13 & SUIT_MASK],
        POINTS_OF_RANKS[table >> 26 & SUIT_MASK],
        POINTS_OF_RANKS[table >> 39],
    ]


def suit_owners(hands: list[int], eligible: int) -> list[int]:
    """The eligible seat with the highest own card of each suit, or `NOBODY` (V12)."""
    owners = [NOBODY, NOBODY, NOBODY, NOBODY]
    for suit in range(4):
        highest = 0
        for seat in range(len(hands)):
            ranks = hands[seat] >> (13 * suit) & SUIT_MASK
            if ranks > highest and eligible >> seat & 1:
                owners[suit] = seat
                highest = ranks
    return owners


def point_suits(points: list[int], owners: list[int], preferred: int) -> int:
    """The suits that decide, as a mask of four bits: owned, and tied for the most points.

    Where an eligible seat owns one of the ``preferred`` suits, they alone stand (V13). Suits that
    nobody owns are skipped (V12).
    """
    best = 0
    deciding = 0
    for suit in range(4):
        if owners[suit] == NOBODY:
            continue
        if preferred >> suit & 1:
            deciding |= 1 << suit
        elif points[suit] > best:
            best = points[suit]
    if deciding:
        return deciding
    for suit in range(4):
        if owners[suit] != NOBODY and points[suit] == best:
            deciding |= 1 << suit
    return deciding


def first_owner(suits: int, owners: list[int], dealer: int, players: int) -> int:
    """Of the owners of the suits, the first in turn order after the dealer (V12)."""
    winner = NOBODY
    nearest = players
    for suit in range(4):
        if suits >> suit & 1:
            distance = (owners[suit] - dealer - 1 + players) % players
            if distance < nearest:
                nearest = distance
                winner = owners[suit]
    return winner


def suits_of(seat: int, suits: int, owners: list[int]) -> int:
    """Those of the suits that the seat owns."""
    owned = 0
    for suit in range(4):
        if suits >> suit & 1 and owners[suit] == seat:
            owned |= 1 << suit
    return owned


def judge(
    eligible: int,
    strengths: list[int],
    points: list[int],
    owners: list[int],
    main_suits: int,
    dealer: int,
) -> tuple[int, int]:
    """The winner of a pot, and the suits that won it: none where a brelan did (V1, V12, V13).

    ``owners`` are those among the eligible seats; ``main_suits`` won the main pot.
    """
    best = NO_BRELAN
    winner = NOBODY
    players = len(strengths)
    for seat in range(players):
        if eligible >> seat & 1 and strengths[seat] > best:
            best = strengths[seat]
            winner = seat
    if best:
        return winner, 0
    suits = point_suits(points, owners, main_suits)
    winner = first_owner(suits, owners, dealer, players)
    return winner, suits_of(winner, suits, owners)
