"""What a card played breaks: following, heading, trumping, leading trumps, the cinch (B4, B5).

Every rule is of the form "whoever holds such a card may not play this one". So more cards known in
a hand can only turn a play from fine to an offence, never back, and a hand known in part is judged
by the part.
"""

from typing import Final

from engine.bourre.options import BourreOptions
from engine.bourre.state import NO_SUIT
from engine.cards import RANKS, SUIT_MASK, UNKNOWN

_ACE: Final = RANKS.index("A")
_TOP_TRUMPS: Final[dict[str, int]] = {
    "free": 0,
    "ace-of-trumps": 1 << _ACE,
    "top-trump": 1 << _ACE | 1 << RANKS.index("K") | 1 << RANKS.index("Q"),
}
"""Which trumps the first leader has to lead, the highest that it holds, as a mask of ranks."""

HIDDEN_CARD: Final = 1 << 52
"""Stands in a mask for a card that the log does not show."""

MAJORITY: Final = 3
"""Tricks that win the pot whatever the others do."""

OFFENCES: Final = frozenset(
    {
        "must-lead-trump",
        "must-play-cinch",
        "must-follow",
        "must-head",
        "must-trump",
        "must-overtrump",
        "must-undertrump",
    }
)
"""The codes of plays that break a rule: each is a renege."""


def offence(
    options: BourreOptions,
    trump: int,
    before: list[int],
    card: int,
    hand: int,
    gone: int,
    won: int,
) -> str:
    """The code of what the play breaks as far as ``hand`` shows, or an empty text.

    ``before`` are the cards of the trick so far, ``gone`` the mask of those of earlier tricks,
    ``hand`` the cards that the seat is known to hold, ``won`` its tricks.
    """
    if card == UNKNOWN:
        return ""
    if before:
        return _following(options, trump, before, card, hand, gone, won)
    if trump == NO_SUIT:
        return ""
    if not gone and _must_lead_trump(options, trump, card, hand):
        return "must-lead-trump"
    return "must-play-cinch" if _breaks_cinch(options, trump, card, hand, gone, won) else ""


def legal_cards(
    options: BourreOptions, trump: int, before: list[int], hand: int, gone: int, won: int
) -> int:
    """The cards of a hand that break nothing."""
    legal = 0
    left = hand
    while left:
        bit = left & -left
        left ^= bit
        if not offence(options, trump, before, bit.bit_length() - 1, hand, gone, won):
            legal |= bit
    return legal


def mask_of(cards: list[int]) -> int:
    """The mask of the cards of a trick; a hidden one leaves its trace too."""
    mask = 0
    for card in cards:
        mask |= HIDDEN_CARD if card == UNKNOWN else 1 << card
    return mask


def best_place(cards: list[int], trump: int) -> int:
    """The place of the winning card of a trick, or −1 where what is hidden leaves it open."""
    if UNKNOWN in cards:
        return -1
    best = 0
    for place in range(1, len(cards)):
        suit = cards[place] // 13
        if suit == cards[best] // 13:
            if cards[place] > cards[best]:
                best = place
        elif trump == NO_SUIT:
            return -1
        elif suit == trump:
            best = place
    return best


def _following(
    options: BourreOptions,
    trump: int,
    before: list[int],
    card: int,
    hand: int,
    gone: int,
    won: int,
) -> str:
    if before[0] == UNKNOWN:
        return ""
    led = before[0] // 13
    own_led = hand & SUIT_MASK << 13 * led
    suit = card // 13
    if own_led and suit != led:
        return "must-follow"
    if UNKNOWN in before:
        return ""
    if suit == led:
        return _with_led_suit(options, trump, before, card, hand, gone, won)
    if trump == NO_SUIT:
        return ""
    return _void(options, trump, before, card, hand, gone, won)


def _with_led_suit(
    options: BourreOptions,
    trump: int,
    before: list[int],
    card: int,
    hand: int,
    gone: int,
    won: int,
) -> str:
    """A seat that follows: it plays over the highest card of the suit if able."""
    led = card // 13
    highest = _highest(before, led)
    if card > highest:
        breaks = led == trump and _breaks_cinch(options, trump, card, hand, gone, won)
        return "must-play-cinch" if breaks else ""
    trumped = trump == NO_SUIT or _highest(before, trump) >= 0
    if options.head_when_trumped == "waived" and led != trump and trumped:
        return ""
    return "must-head" if (hand & SUIT_MASK << 13 * led) >> (highest + 1) else ""


def _void(
    options: BourreOptions,
    trump: int,
    before: list[int],
    card: int,
    hand: int,
    gone: int,
    won: int,
) -> str:
    """A seat that has none of the led suit: it trumps, over the trumps that lie there if able."""
    trumps = hand & SUIT_MASK << 13 * trump
    highest = _highest(before, trump)
    over = trumps >> (highest + 1)
    if card // 13 == trump:
        if card < highest:
            return "must-overtrump" if over else ""
        breaks = _breaks_cinch(options, trump, card, hand, gone, won)
        return "must-play-cinch" if breaks else ""
    if over:
        return "must-trump" if highest < 0 else "must-overtrump"
    return "must-undertrump" if trumps and options.undertrump == "forced" else ""


def _highest(cards: list[int], suit: int) -> int:
    highest = -1
    for card in cards:
        if card // 13 == suit and card > highest:
            highest = card
    return highest


def _must_lead_trump(options: BourreOptions, trump: int, card: int, hand: int) -> bool:
    """Whether the first lead passes over the trump that has to be led."""
    tops = hand >> 13 * trump & _TOP_TRUMPS[options.opening_lead]
    return tops != 0 and card != 13 * trump + tops.bit_length() - 1


def _breaks_cinch(
    options: BourreOptions, trump: int, card: int, hand: int, gone: int, won: int
) -> bool:
    """Whether a seat sure of three tricks plays another card than its highest trump.

    Sure are the tricks that it has and the trumps in hand above every trump that may still be out.
    """
    if not options.cinch or won >= MAJORITY:
        return False
    own = hand >> 13 * trump & SUIT_MASK
    played = gone >> 13 * trump & SUIT_MASK
    sure = won
    for rank in range(_ACE, -1, -1):
        if own >> rank & 1:
            sure += 1
        elif not played >> rank & 1:
            break
    return sure >= MAJORITY and card != 13 * trump + own.bit_length() - 1
