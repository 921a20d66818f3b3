"""The table of a hand of Bourré while it is played: chips, cards, stage, tricks.

The state knows no legality; `engine.bourre.legality` asks it what may be done, and the modules of
the acts change it.
"""

from typing import Final

from engine.bourre.options import BourreOptions, most_drawn
from engine.terms import Stage
from engine.violations import Violation

DEAL_STAGE: Final = 0
DECLARING: Final = 1
DRAWING: Final = 2
PLAYING: Final = 3
END: Final = 4

STAGE_NAMES: Final[list[Stage]] = ["deal", "declaring", "drawing", "playing", "end"]

HAND_CARDS: Final = 5
PACK: Final = 52
NOBODY: Final = -1
NO_SUIT: Final = -1
NO_COUNT: Final = -1


class Trick:
    """The cards of one trick in the order of play: by whom, which, at which event of the log."""

    def __init__(self) -> None:
        self.seats: list[int] = []
        self.cards: list[int] = []
        self.events: list[int] = []
        self.winner = NOBODY


class PlayNote:
    """What was known when a card was played by a seat whose hand is not all known.

    ``before`` are the cards of the trick so far, ``gone`` the mask of those of earlier tricks,
    ``held`` the cards that the seat is known to have had, the played one included.
    """

    def __init__(
        self, event: int, card: int, before: list[int], gone: int, held: int, won: int
    ) -> None:
        self.event = event
        self.card = card
        self.before = before
        self.gone = gone
        self.held = held
        self.won = won


class BourreState:
    """A table. Seats are 0 to ``players`` − 1 in turn order, sets of seats and cards are masks.

    ``stayed``, ``out`` and ``undeclared`` share out the seats. ``held`` are the cards that a seat
    is known to have, ``size`` how many it has. ``placed`` are the cards whose place is known,
    ``recycled`` those known to lie in the stock again; ``fresh`` and ``stock_recycled`` count the
    cards of the stock, never dealt and shuffled back, ``pool`` the discards not yet shuffled back.
    ``drawn`` are the seats whose turn to draw is over, ``served`` those of them that drew cards.
    ``trick`` stays on the table until the next one is led to; ``gone`` are the cards before it.
    ``offences`` counts proven reneges, ``claims`` holds the events of those claimed at the table.
    """

    def __init__(
        self, options: BourreOptions, dealer: int, carried: int, stacks: list[int]
    ) -> None:
        players = len(stacks)
        self.options = options
        self.players = players
        self.dealer = dealer
        self.carried = carried
        self.stacks = stacks.copy()
        self.contributions = [0] * players
        self.pot = carried
        self.stage = DEAL_STAGE
        self.antes_logged = 0
        self.begun = False

        self.held = [0] * players
        self.size = [HAND_CARDS] * players
        self.dealt = 0
        self.placed = 0
        self.turned = NOBODY
        self.turn_seen = False
        self.trump = NO_SUIT

        self.undeclared = (1 << players) - 1
        self.stayed = 0
        self.out = 0
        self.counts = [NO_COUNT] * players
        self.stuck = False

        self.most_drawn = most_drawn(options, players)
        self.drawn = 0
        self.served = 0
        extra = 1 if options.trump_card == "extra" else 0
        self.fresh = max(0, PACK - HAND_CARDS * players - extra)
        self.stock_recycled = 0
        self.recycled = 0
        self.recycled_hidden = 0
        self.pool = 0
        self.pool_hidden = 0
        self.discarded = [0] * players

        self.trick = Trick()
        self.leader = NOBODY
        self.gone = 0
        self.tricks_played = 0
        self.won = [0] * players
        self.notes: list[list[PlayNote]] = [[] for _ in range(players)]
        self.hidden_plays = [0] * players
        self.offences = [0] * players
        self.claims = [NOBODY] * players

        self.winner = NOBODY
        self.violations: list[Violation] = []
        self.event = NOBODY

    def live(self) -> int:
        """The seats that are not out."""
        return self.stayed | self.undeclared

    def next_seat(self, seat: int) -> int:
        """The next seat in turn order."""
        return seat + 1 if seat + 1 < self.players else 0

    def first_of(self, seats: int, start: int) -> int:
        """The first of the seats in turn order from ``start`` on, or `NOBODY`."""
        seat = start
        for _ in range(self.players):
            if seats >> seat & 1:
                return seat
            seat = self.next_seat(seat)
        return NOBODY

    def to_speak(self) -> int:
        """The seat whose turn it is, or `NOBODY`; without turns all declare at once."""
        if self.stage == DECLARING:
            if self.options.declare == "simultaneous":
                return NOBODY
            return self.first_of(self.undeclared, self.next_seat(self.dealer))
        if self.stage == DRAWING:
            return self.first_of(self.stayed & ~self.drawn, self.next_seat(self.dealer))
        return self.to_play() if self.stage == PLAYING else NOBODY

    def to_play(self) -> int:
        """The seat that plays the next card; `NOBODY` where a hidden trick leaves it open."""
        if self.leader == NOBODY or self.trick_complete():
            return self.leader
        waiting = self.stayed
        for seat in self.trick.seats:
            waiting &= ~(1 << seat)
        return self.first_of(waiting, self.leader)

    def trick_complete(self) -> bool:
        """Whether every stayer has played to the trick that lies on the table."""
        return len(self.trick.seats) == self.stayed.bit_count()

    def hidden(self, seat: int) -> int:
        """How many cards of a seat's hand are not known."""
        return max(0, self.size[seat] - self.held[seat].bit_count())

    def announced(self, seat: int) -> int:
        """How many cards the seat is bound to draw, or `NO_COUNT` where it is free."""
        counted = self.options.declare == "in-turn-with-count"
        return self.counts[seat] if counted else NO_COUNT

    def available(self) -> int:
        """How many cards can still be dealt from the stock and what is shuffled back into it."""
        return self.fresh + self.stock_recycled + self.pool.bit_count() + self.pool_hidden
