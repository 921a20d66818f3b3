"""The table of a vying hand while it is played: chips, cards, stage and who is to speak.

The state knows no legality; `engine.vying.legality` asks it what may be done, and the modules of
the acts change it.
"""

from typing import Final

from engine.cards import UNKNOWN
from engine.options import VyingOptions
from engine.terms import Stage
from engine.violations import Violation

CARRE_STAGE: Final = 0
DEAL_STAGE: Final = 1
SPEAKING: Final = 2
"""Before the opening: pass or open."""
ANSWERING: Final = 3
"""After the opening or a raise: call, raise or fold."""
NO_MORE_ROUND: Final = 4
"""Everybody has called: raise once more, or say no more (V9)."""
SHOWDOWN: Final = 5
END: Final = 6

STAGE_NAMES: Final[list[Stage]] = [
    "carre",
    "deal",
    "speaking",
    "answering",
    "no-more",
    "showdown",
    "end",
]

NOBODY: Final = -1


class VyingState:
    """A table. Seats are 0 to ``players`` − 1 in turn order, sets of seats are bit masks.

    ``contributions`` is K of the rulings, ``highest`` is M, ``pot`` is P with the carried chips.
    ``pending`` are the seats that still have to speak in this round; speaking goes in turn order
    from ``anchor``. ``funded`` are the seats with chips left, ``known`` those whose three cards are
    all known.
    """

    def __init__(
        self, options: VyingOptions, dealer: int, carried: int, stacks: list[int], deck: int
    ) -> None:
        players = len(stacks)
        self.options = options
        self.players = players
        self.dealer = dealer
        self.carried = carried
        self.deck = deck
        self.stacks = stacks.copy()
        self.contributions = [0] * players
        self.highest = 0
        self.pot = carried
        self.stage = CARRE_STAGE
        self.live = (1 << players) - 1
        self.live_seats = players
        self.funded = 0
        for seat in range(players):
            if stacks[seat] > 0:
                self.funded |= 1 << seat
        self.pending = 0
        self.anchor = 0
        self.carre_seat = NOBODY
        self.carre_refuser = NOBODY
        self.last_carrer = NOBODY
        self.last_raiser = NOBODY
        self.raised = False
        self.antes_logged = 0
        self.begun = False
        self.hands = [0] * players
        self.dealt = 0
        self.known = 0
        self.retourne = UNKNOWN
        self.turned = False
        self.seen_cards = 0
        self.winner = NOBODY
        self.passed_out = False
        self.violations: list[Violation] = []
        self.event = -1

    def move(self, seat: int, chips: int) -> None:
        """Moves chips from a seat's stack into the pot."""
        self.stacks[seat] -= chips
        self.contributions[seat] += chips
        self.pot += chips
        self.highest = max(self.highest, self.contributions[seat])
        if self.stacks[seat] == 0:
            self.funded &= ~(1 << seat)

    def leave(self, seat: int) -> None:
        """Takes a seat out of the hand."""
        self.live &= ~(1 << seat)
        self.live_seats -= 1
        self.pending &= ~(1 << seat)

    def with_chips(self) -> int:
        """The live seats that have chips left."""
        return self.funded & self.live

    def to_speak(self) -> int:
        """The seat whose turn it is, or `NOBODY`."""
        if self.stage == CARRE_STAGE:
            return self.carre_seat
        seat = self.anchor
        for _ in range(self.players):
            if self.pending >> seat & 1:
                return seat
            seat = self.next_seat(seat)
        return NOBODY

    def next_seat(self, seat: int) -> int:
        """The next seat in turn order."""
        return seat + 1 if seat + 1 < self.players else 0

    def to_call(self, seat: int) -> int:
        """What the seat needs to reach the highest contribution."""
        return max(0, self.highest - self.contributions[seat])
