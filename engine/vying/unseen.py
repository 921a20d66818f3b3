"""The places of a showdown whose cards the log hides, and the cards that may lie there.

A completion gives every such place, folded hands' too, a card of its own out of the deck; the rest
stays undealt. The searches in `engine.vying.possible_winners` and `engine.vying.possible_brelans`
ask whether there is a completion of some kind, and share one budget of tries.
"""

from typing import Final

from engine.cards import UNKNOWN
from engine.options import VyingOptions
from engine.vying.opening import HAND_CARDS
from engine.vying.state import VyingState

TRIES: Final = 20_000
"""How many hands, retournes and orders of suits are tried for one hand before it is left open."""

YES: Final = 1
NO: Final = 0
UNSURE: Final = -1
"""The tries ran out before a completion was found or excluded."""


class Unseen:
    """A showdown with hidden places. Hands and the pool of unseen cards are masks.

    ``needs`` are the hidden cards of each seat. ``tries`` count down for all searches together.
    """

    def __init__(self, state: VyingState, tries: int = TRIES) -> None:
        self.options: VyingOptions = state.options
        self.players = state.players
        self.dealer = state.dealer
        self.live = state.live
        self.hands = state.hands.copy()
        self.retourne = state.retourne
        self.needs = [HAND_CARDS - hand.bit_count() for hand in self.hands]
        seen = 0 if self.retourne == UNKNOWN else 1 << self.retourne
        for hand in self.hands:
            seen |= hand
        self.pool = state.deck & ~seen
        self.tries = tries

    def has_completion(self) -> bool:
        """Whether the deck can fill the hidden places; not so after some illegal deals."""
        places = sum(self.needs) + (self.retourne == UNKNOWN)
        return min(self.needs) >= 0 and places <= self.pool.bit_count()

    def hidden_seats(self, seats: int) -> list[int]:
        """Those of the seats that have a hidden card."""
        return [seat for seat in range(self.players) if seats >> seat & 1 and self.needs[seat] > 0]

    def try_one(self) -> bool:
        """Takes a try from the budget; false where none is left."""
        self.tries -= 1
        return self.tries >= 0
