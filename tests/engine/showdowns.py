"""A showdown of the whole table, settled by the engine: everybody has put in one chip."""

from engine.cards import deck_mask
from engine.options import VyingOptions
from engine.vying.settlement import settle
from engine.vying.state import SHOWDOWN, VyingState


def showdown_winner(
    options: VyingOptions, ranks: str, hands: list[int], retourne: int, dealer: int
) -> int:
    """The seat that wins the only pot; hands are masks in turn order."""
    players = len(hands)
    state = VyingState(options, dealer, 0, [9] * players, deck_mask(ranks))
    for seat in range(players):
        state.move(seat, 1)
    state.hands = hands
    state.known = (1 << players) - 1
    state.retourne = retourne
    state.stage = SHOWDOWN
    (pot,) = settle(state).pots
    assert pot.winners is not None
    (winner,) = pot.winners
    return winner
