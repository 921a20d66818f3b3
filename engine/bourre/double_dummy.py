"""Double-dummy Bourré: the most tricks that a seat can be sure of when all hands are seen.

The others are taken to play together against the seat: they jointly hold its tricks down, whatever
that costs themselves. So the figure is what the seat's best play brings against any play of theirs,
with every card known to all; it needs no guess at what they want, and is the same however many
they are. Real opponents play for themselves and in the dark: a seat may take more than this.
"""

from typing import Final

from engine.bourre.compulsion import best_place, legal_cards, mask_of
from engine.bourre.options import BourreOptions
from engine.cards import SUIT_MASK, cards_in

_ELSEWHERE: Final = 8
"""Stands in a position's key for a trump that may still be out, though no hand has it."""

BUDGET: Final = 50_000
"""Tricks that a search plays before it gives up, a second or two. Up to six stayers hardly ever
need as many; where all eight of a full table stay, one or two hands in a hundred do."""


class _GaveUp(Exception):  # noqa: N818 - no error: the answer costs more than it is worth
    pass


def double_dummy_tricks(
    options: BourreOptions,
    trump: int,
    hands: list[int],
    leader: int,
    seat: int,
    gone: int,
    won: list[int],
    budget: int = BUDGET,
) -> int | None:
    """The tricks still to come that the seat can be sure of, at a moment between two tricks.

    None where the search took more than ``budget`` tricks: many seats that are void at once.

    Args:
        options: the table's rules: which cards are legal.
        trump: the suit of trumps.
        hands: the masks of the cards in hand by seat in turn order, all of one size; 0 for a seat
            that is out.
        leader: the seat that leads the next trick.
        seat: the seat whose tricks are counted; it has cards.
        gone: the mask of the cards of earlier tricks.
        won: the tricks won so far by seat.
        budget: how many tricks the search may play.
    """
    search = _Search(options, trump, hands, seat, gone, won, budget)
    tricks = 0
    try:
        while tricks < hands[seat].bit_count() and search.takes(leader, tricks + 1):
            tricks += 1
    except _GaveUp:
        return None
    return tricks


class _Search:
    """A search with one question, whether the seat takes so many tricks, that keeps its answers.

    Positions between tricks are alike where the cards still in play, from the highest down in each
    suit, lie in the same hands. Under the cinch the tricks won so far belong to a position too, and
    so do the trumps that nobody has seen.
    """

    def __init__(
        self,
        options: BourreOptions,
        trump: int,
        hands: list[int],
        seat: int,
        gone: int,
        won: list[int],
        budget: int,
    ) -> None:
        self.options = options
        self.trump = trump
        self.hands = hands.copy()
        self.seat = seat
        self.gone = gone
        self.won = won.copy()
        self.owner = [_ELSEWHERE] * 52
        self.after = [0] * len(hands)
        self.playing = 0
        for place in range(len(hands)):
            for card in cards_in(hands[place]):
                self.owner[card] = place
            self.playing += hands[place] != 0
            following = (place + 1) % len(hands)
            while not hands[following]:
                following = (following + 1) % len(hands)
            self.after[place] = following
        self.bounds: dict[int, int] = {}
        self.budget = budget

    def takes(self, leader: int, tricks: int) -> bool:
        """Whether the seat can be sure of so many of the tricks still to come."""
        least, most = self._trump_tricks()
        if least < tricks <= most and self.hands[leader] & (self.hands[leader] - 1) == 0:
            return self._last_winner(leader) == self.seat
        if least < tricks <= most:
            position = self._position(leader)
            bounds = self.bounds.get(position, least << 3 | most)
            least, most = bounds >> 3, bounds & 7
            if least < tricks <= most:
                if self._play(leader, leader, [], tricks):
                    least = tricks
                else:
                    most = tricks - 1
                self.bounds[position] = least << 3 | most
        return tricks <= least

    def _play(self, seat: int, leader: int, before: list[int], tricks: int) -> bool:
        """The next card of a trick: one is enough for the seat, all must do for the others."""
        if len(before) == self.playing:
            return self._next_trick(leader, before, tricks)
        own = seat == self.seat
        following = self.after[seat]
        for card in self._choices(seat, before):
            self.hands[seat] ^= 1 << card
            before.append(card)
            taken = self._play(following, leader, before, tricks)
            before.pop()
            self.hands[seat] ^= 1 << card
            if taken == own:
                return own
        return not own

    def _next_trick(self, leader: int, trick: list[int], tricks: int) -> bool:
        self.budget -= 1
        if self.budget < 0:
            raise _GaveUp
        winner = leader
        for _ in range(best_place(trick, self.trump)):
            winner = self.after[winner]
        played = mask_of(trick)
        self.gone |= played
        self.won[winner] += 1
        taken = self.takes(winner, tricks - 1 if winner == self.seat else tricks)
        self.won[winner] -= 1
        self.gone ^= played
        return taken

    def _last_winner(self, leader: int) -> int:
        """The winner of the last trick, to which nobody has a choice."""
        trick = []
        seat = leader
        for _ in range(self.playing):
            trick.append(self.hands[seat].bit_length() - 1)
            seat = self.after[seat]
        for _ in range(best_place(trick, self.trump)):
            leader = self.after[leader]
        return leader

    def _trump_tricks(self) -> tuple[int, int]:
        """The least and the most tricks that the seat's and the others' trumps leave to the seat.

        A trump fails only in a trick that a higher one of another hand takes, and no card fails or
        takes twice. So a hand takes a trick with each of its trumps that cannot be paired off with
        a higher one elsewhere.
        """
        players = len(self.hands)
        playing = 0
        for hand in self.hands:
            playing |= hand
        trumps = playing >> 13 * self.trump & SUIT_MASK
        most = self.hands[self.seat].bit_count()
        least = 0
        unpaired = [0] * players
        while trumps:
            rank = trumps.bit_length() - 1
            trumps ^= 1 << rank
            holder = self.owner[13 * self.trump + rank]
            for place in range(players):
                if place != holder:
                    unpaired[place] += 1
            if unpaired[holder]:
                unpaired[holder] -= 1
            elif holder == self.seat:
                least += 1
            else:
                most -= 1
        return least, most

    def _choices(self, seat: int, before: list[int]) -> list[int]:
        """The legal cards, one of each run that takes the same tricks, likely ones first.

        A run is broken by a card of another hand or of this trick; under the cinch, where every
        trump not yet seen may still be out, a run of trumps by any that is not gone.
        """
        hand = self.hands[seat]
        legal = legal_cards(self.options, self.trump, before, hand, self.gone, self.won[seat])
        if legal & (legal - 1) == 0:
            return [legal.bit_length() - 1]
        between = mask_of(before)
        for other in self.hands:
            between |= other
        if self.options.cinch:
            between |= ~self.gone & SUIT_MASK << 13 * self.trump
        between &= ~hand
        choices: list[int] = []
        last = -1
        for card in cards_in(legal):
            run = (1 << card) - (1 << last) if last >= 0 else 0
            if last < 0 or last // 13 != card // 13 or run & between:
                choices.append(card)
            last = card
        # A leader's high cards decide most; whoever follows spends as little as will do.
        choices.sort(key=_rank, reverse=not before)
        return choices

    def _position(self, leader: int) -> int:
        playing = 0
        for hand in self.hands:
            playing |= hand
        if self.options.cinch:
            playing |= ~self.gone & SUIT_MASK << 13 * self.trump
        position = leader + 1
        for suit in range(4):
            position <<= 4
            ranks = playing >> 13 * suit & SUIT_MASK
            while ranks:
                rank = ranks.bit_length() - 1
                ranks ^= 1 << rank
                position = position << 4 | self.owner[13 * suit + rank] + 1
        if self.options.cinch:
            for tricks in self.won:
                position = position << 3 | tricks
        return position


def _rank(card: int) -> int:
    return card % 13
