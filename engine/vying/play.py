"""One random hand from the deal to the showdown, played by styles through `legal_actions`."""

import random
from collections.abc import Sequence

from engine.acts import DEAL, SHOW, TURN
from engine.cards import cards_in
from engine.options import VyingOptions
from engine.record import VyingRecord
from engine.styles import Style, choose
from engine.vying.legality import legal_actions
from engine.vying.opening import HAND_CARDS, post_antes
from engine.vying.replay import apply, begin
from engine.vying.state import CARRE_STAGE, NOBODY, SHOWDOWN, SPEAKING


def play_hand(
    options: VyingOptions,
    dealer: int,
    carried: int,
    stacks: list[int],
    rebuys: list[int],
    styles: Sequence[Style],
    rng: random.Random,
) -> VyingRecord:
    """Deals and plays a legal hand; ``styles`` are by seat. Equal generators play equal hands."""
    players = len(stacks)
    record = VyingRecord(
        options, players, players, dealer, carried, stacks, rebuys, [], [], [], [], None
    )
    VyingGame(record, styles, rng).play_on()
    return record


class VyingGame:
    """A hand being played: the table, and the record that grows with it.

    The record may have events already; they are taken as they are, and the game goes on from there.
    """

    def __init__(self, record: VyingRecord, styles: Sequence[Style], rng: random.Random) -> None:
        self.record = record
        self.styles = styles
        self.rng = rng
        self.state = begin(record)
        self.shown = 0
        self.pack: list[int] = []
        post_antes(self.state)
        for index in range(len(record.acts)):
            self._apply(index)

    def play_on(self) -> None:
        """Plays the hand to its end."""
        while self._step():
            pass

    def do(self, act: int, seat: int, add: int, cards: list[int]) -> None:
        """Adds an event, whether it is legal or not."""
        record = self.record
        record.acts.append(act)
        record.seats.append(seat)
        record.adds.append(add)
        record.cards.append(cards)
        self._apply(len(record.acts) - 1)

    def _apply(self, index: int) -> None:
        record = self.record
        self.state.event = index
        act, seat = record.acts[index], record.seats[index]
        apply(self.state, act, seat, record.adds[index], record.cards[index])
        if act == SHOW:
            self.shown |= 1 << seat

    def _step(self) -> bool:
        """One more legal event; False when the hand is over."""
        state = self.state
        if state.stage == CARRE_STAGE and state.carre_seat != NOBODY:
            self._decide(state.carre_seat)
        elif state.stage < SPEAKING:
            self._deal()
        elif state.stage < SHOWDOWN:
            self._decide(state.to_speak())
        else:
            return state.stage == SHOWDOWN and self._show()
        return True

    def _decide(self, seat: int) -> None:
        state = self.state
        chosen = choose(state, legal_actions(state), self.styles[seat], self.rng)
        self.do(chosen.act, chosen.seat, max(chosen.least, 0), [])

    def _deal(self) -> None:
        """Three cards to the next seat from the dealer's right on, or the retourne."""
        state = self.state
        if not self.pack:
            undealt = state.players - state.dealt.bit_count()
            unseen = cards_in(state.deck & ~state.seen_cards)
            self.pack = self.rng.sample(unseen, HAND_CARDS * undealt + 1)
        cards = self.pack[:HAND_CARDS]
        del self.pack[:HAND_CARDS]
        for place in range(1, state.players + 1):
            seat = (state.dealer + place) % state.players
            if not state.dealt >> seat & 1:
                self.do(DEAL, seat, 0, cards)
                return
        self.do(TURN, NOBODY, 0, cards)

    def _show(self) -> bool:
        """The next seat lays its hand open, cards that it was not dealt in sight added."""
        state = self.state
        for seat in range(state.players):
            if not self.shown >> seat & 1:
                cards = cards_in(state.hands[seat])
                unseen = cards_in(state.deck & ~state.seen_cards)
                cards += self.rng.sample(unseen, HAND_CARDS - len(cards))
                self.do(SHOW, seat, 0, cards)
                return True
        return False
