"""One random hand of Bourré from the deal to the last trick, played through `legal_actions`."""

import random
from collections.abc import Sequence
from typing import Final

from engine.acts import DEAL, DRAW, OUT, PLAY, STAY, TURN
from engine.bourre.legality import legal_actions
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
    return _Game(record, styles, rng).play()


class _Game:
    """A hand being played: the table, the cards that nobody sees, and the record that grows."""

    def __init__(self, record: BourreRecord, styles: Sequence[Style], rng: random.Random) -> None:
        self.record = record
        self.styles = styles
        self.rng = rng
        self.state = begin(record)
        self.stock = rng.sample(range(PACK), PACK)
        self.pool: list[int] = []

    def play(self) -> BourreRecord:
        self._deal()
        state = self.state
        while state.stage == DECLARING:
            self._declare()
        if state.options.recycle == "discards-and-folded":
            for seat in cards_in(state.out):
                self.pool += cards_in(state.held[seat])
        while state.stage == DRAWING:
            self._draw()
        while state.stage == PLAYING:
            (action,) = legal_actions(state)
            cards = cards_in(action.cards)
            leads = not state.trick.seats or state.trick_complete()
            card = cards[-1] if leads else self.rng.choice(cards)
            self._do(PLAY, action.seat, -1, [card], [])
        return self.record

    def _deal(self) -> None:
        """Five cards to each seat from the dealer's left on, and the turned card."""
        state = self.state
        seat = state.dealer
        hand: list[int] = []
        for _ in range(state.players):
            seat = state.next_seat(seat)
            hand = self._from_stock(HAND_CARDS)
            self._do(DEAL, seat, -1, hand, [])
        turned = hand[-1]
        if state.options.trump_card == "extra":
            turned = self.stock.pop()
        self._do(TURN, NOBODY, -1, [turned], [])

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
        self.state.event = len(record.acts)
        record.acts.append(act)
        record.seats.append(seat)
        record.adds.append(add)
        record.cards.append(cards)
        record.received.append(received)
        apply(self.state, act, seat, add, cards, received)


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
