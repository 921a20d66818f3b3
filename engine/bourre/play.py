"""One random hand of Bourré from the deal to the last trick, played through `legal_actions`."""

import random
from collections.abc import Sequence
from typing import Final

from engine.acts import DEAL, DRAW, OUT, PLAY, STAY, TURN
from engine.bourre.legality import legal_actions, legal_plays
from engine.bourre.options import BourreOptions
from engine.bourre.replay import apply, begin
from engine.bourre.state import (
    DECLARING,
    DRAWING,
    HAND_CARDS,
    NO_COUNT,
    NOBODY,
    PACK,
    PLAYING,
)
from engine.cards import RANKS, cards_in
from engine.record import BourreRecord
from engine.styles import Style

_KING: Final = RANKS.index("K")


def play_hand(
    options: BourreOptions,
    dealer: int,
    carried: int,
    stacks: list[int],
    rebuys: list[int],
    exempt: list[bool],
    styles: Sequence[Style],
    rng: random.Random,
) -> BourreRecord:
    """Deals and plays a legal hand; ``styles`` are by seat. Equal generators play equal hands."""
    players = len(stacks)
    record = BourreRecord(
        options,
        players,
        players,
        dealer,
        carried,
        stacks,
        rebuys,
        exempt,
        [],
        [],
        [],
        [],
        [],
        None,
    )
    BourreGame(record, styles, rng).play_on()
    return record


class BourreGame:
    """A hand being played: the table, the cards that nobody sees, and the record that grows.

    The record may have events already, in which every card is shown; they are taken as they are,
    and the game goes on from there. ``hands`` are what the seats hold, also where the table cannot
    know it, because the log has something wrong.
    """

    def __init__(self, record: BourreRecord, styles: Sequence[Style], rng: random.Random) -> None:
        self.record = record
        self.styles = styles
        self.rng = rng
        self.state = begin(record)
        self.hands = [0] * len(record.stacks)
        for index in range(len(record.acts)):
            self._apply(index)
        state = self.state
        unseen = ((1 << PACK) - 1) & ~(state.placed | state.recycled | state.pool)
        self.stock = self._shuffled(state.recycled) + self._shuffled(unseen)
        self.pool: list[int] = []
        if state.stage == DRAWING:
            self.pool = cards_in(state.pool)

    def play_on(self) -> None:
        """Plays the hand to its end."""
        state = self.state
        if state.stage < DECLARING:
            self._deal()
        if state.stage == DECLARING:
            while state.stage == DECLARING:
                self._declare()
            if state.options.recycle == "discards-and-folded":
                for seat in cards_in(state.out):
                    self.pool += cards_in(state.held[seat])
        while state.stage == DRAWING:
            self._draw()
        while state.stage == PLAYING:
            seat = state.to_play()
            cards = cards_in(legal_plays(state, seat, self._hand(seat)))
            leads = not state.trick.seats or state.trick_complete()
            card = cards[-1] if leads else self.rng.choice(cards)
            self._do(PLAY, seat, -1, [card], [])

    def _hand(self, seat: int) -> int:
        """What the seat holds; a card that the log lacks may be any that nobody has seen."""
        while self.hands[seat].bit_count() < self.state.size[seat]:
            self.hands[seat] |= 1 << self.stock.pop()
        return self.hands[seat]

    def _shuffled(self, cards: int) -> list[int]:
        """The cards of a mask in any order."""
        return self.rng.sample(cards_in(cards), cards.bit_count())

    def _deal(self) -> None:
        """Five cards to each seat from the dealer's left on, and the turned card."""
        state = self.state
        seat = state.dealer
        for _ in range(state.players):
            seat = state.next_seat(seat)
            if not state.dealt >> seat & 1:
                self._do(DEAL, seat, -1, self._from_stock(HAND_CARDS), [])
        if state.options.trump_card == "extra":
            turned = self.stock.pop()
        else:
            turned = self.record.cards[self._deal_of(state.dealer)][-1]
        self._do(TURN, NOBODY, -1, [turned], [])

    def _deal_of(self, seat: int) -> int:
        """The event by which a seat was dealt its cards."""
        for index in range(len(self.record.acts)):
            if self.record.acts[index] == DEAL and self.record.seats[index] == seat:
                return index
        raise ValueError("the seat has been dealt no cards")

    def _declare(self) -> None:
        state = self.state
        legal = legal_actions(state)
        seat = legal[0].seat
        style = self.styles[seat]
        felt = strength(state.held[seat], state.trump) + self.rng.uniform(-0.1, 0.1)
        if felt < style.calls and self.rng.random() >= style.bluffs:
            self._do(OUT, seat, -1, [], [])
            return
        count = NO_COUNT
        if state.options.declare == "in-turn-with-count":
            count = len(self._unwanted(seat))
        self._do(STAY, seat, count, [], [])

    def _draw(self) -> None:
        seat = self.state.to_speak()
        discards = self._unwanted(seat)
        received = self._from_stock(len(discards))
        self._do(DRAW, seat, -1, discards, received)
        self.pool += discards

    def _unwanted(self, seat: int) -> list[int]:
        """The seat's cards that are neither trumps nor high, the lowest first."""
        state = self.state
        cards = [
            card
            for card in cards_in(state.held[seat])
            if card // 13 != state.trump and card % 13 < _KING
        ]
        cards.sort(key=lambda card: card % 13)
        return cards[: state.most_drawn]

    def _from_stock(self, count: int) -> list[int]:
        """That many cards from the stock, the pool shuffled into it when it runs out (B3)."""
        cards = []
        for _ in range(count):
            if not self.stock:
                self.stock = self.rng.sample(self.pool, len(self.pool))
                self.pool = []
            cards.append(self.stock.pop())
        return cards

    def _do(self, act: int, seat: int, add: int, cards: list[int], received: list[int]) -> None:
        record = self.record
        record.acts.append(act)
        record.seats.append(seat)
        record.adds.append(add)
        record.cards.append(cards)
        record.received.append(received)
        self._apply(len(record.acts) - 1)

    def _apply(self, index: int) -> None:
        record = self.record
        self.state.event = index
        apply(
            self.state,
            record.acts[index],
            record.seats[index],
            record.adds[index],
            record.cards[index],
            record.received[index],
        )
        seat = record.seats[index]
        if NOBODY < seat < self.state.players:
            self._note_hand(seat, record.acts[index], record.cards[index])

    def _note_hand(self, seat: int, act: int, cards: list[int]) -> None:
        if act != PLAY or not self.state.hidden(seat):
            self.hands[seat] = self.state.held[seat]
        else:
            self.hands[seat] &= ~(1 << cards[0])


def strength(hand: int, trump: int) -> float:
    """A rough strength of a hand between 0 and 1: its trumps, then its high cards."""
    felt = 0.0
    for card in cards_in(hand):
        rank = card % 13
        if card // 13 == trump:
            felt += 0.2 + rank / 60
        elif rank >= _KING:
            felt += 0.08 * (rank - _KING + 1)
    return min(felt, 1.0)
