"""One random hand from the deal to the showdown, played by styles through `legal_actions`."""

import random
from collections.abc import Sequence

from engine.acts import CARRE, DEAL, DECLINE, SHOW, TURN
from engine.cards import cards_in
from engine.options import VyingOptions
from engine.record import VyingRecord
from engine.styles import Style, choose
from engine.vying.legality import legal_actions
from engine.vying.opening import HAND_CARDS, post_antes
from engine.vying.replay import apply, begin
from engine.vying.state import END, NOBODY, SHOWDOWN, VyingState


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
    state = begin(record)
    post_antes(state)
    while state.carre_seat != NOBODY:
        carres = [a for a in legal_actions(state) if a.act in (CARRE, DECLINE)]
        chosen = choose(state, carres, styles[state.carre_seat], rng)
        _do(state, record, chosen.act, chosen.seat, max(chosen.least, 0), [])
    _deal(state, record, rng)
    while state.stage < SHOWDOWN:
        chosen = choose(state, legal_actions(state), styles[state.to_speak()], rng)
        _do(state, record, chosen.act, chosen.seat, max(chosen.least, 0), [])
    if state.stage != END:
        for seat in range(players):
            _do(state, record, SHOW, seat, 0, cards_in(state.hands[seat]))
    return record


def _deal(state: VyingState, record: VyingRecord, rng: random.Random) -> None:
    """Three cards to each seat from the dealer's right on, and the retourne."""
    players = len(record.stacks)
    cards = rng.sample(cards_in(state.deck), HAND_CARDS * players + 1)
    for place in range(players):
        seat = (state.dealer + 1 + place) % players
        hand = cards[HAND_CARDS * place : HAND_CARDS * (place + 1)]
        _do(state, record, DEAL, seat, 0, hand)
    _do(state, record, TURN, NOBODY, 0, cards[-1:])


def _do(
    state: VyingState, record: VyingRecord, act: int, seat: int, add: int, cards: list[int]
) -> None:
    state.event = len(record.acts)
    record.acts.append(act)
    record.seats.append(seat)
    record.adds.append(add)
    record.cards.append(cards)
    apply(state, act, seat, add, cards)
