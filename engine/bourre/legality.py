"""What may be done now. The replay, the findings, the random players and the pages all ask here."""

from engine.acts import DEAL, DRAW, OUT, PLAY, STAY, TURN
from engine.bourre.compulsion import legal_cards, mask_of
from engine.bourre.state import (
    DEAL_STAGE,
    DECLARING,
    DRAWING,
    NO_COUNT,
    NOBODY,
    PLAYING,
    BourreState,
)
from engine.cards import cards_in
from engine.violations import Action


def legal_actions(state: BourreState) -> list[Action]:
    """Every act that is legal now, in no order of merit; empty when the hand is over."""
    if state.stage == DEAL_STAGE:
        actions = [
            Action(DEAL, seat) for seat in range(state.players) if not state.dealt >> seat & 1
        ]
        return [*actions, Action(TURN, NOBODY)]
    if state.stage == DECLARING:
        return _declaring(state)
    seat = state.to_speak()
    if seat == NOBODY:
        return []
    if state.stage == DRAWING:
        announced = state.announced(seat)
        if announced != NO_COUNT:
            return [Action(DRAW, seat, announced, announced)]
        return [Action(DRAW, seat, 0, min(state.most_drawn, state.available()))]
    return [_play(state, seat)] if state.stage == PLAYING else []


def _declaring(state: BourreState) -> list[Action]:
    seat = state.to_speak()
    seats = cards_in(state.undeclared) if seat == NOBODY else [seat]
    actions = []
    for each in seats:
        if state.options.declare == "in-turn-with-count":
            actions.append(Action(STAY, each, 0, state.most_drawn))
        else:
            actions.append(Action(STAY, each))
        actions.append(Action(OUT, each))
    return actions


def legal_plays(state: BourreState, seat: int, hand: int) -> int:
    """The cards of a hand, which the log need not show, that the seat may play now."""
    before = state.trick.cards
    gone = state.gone
    if state.trick_complete():
        gone |= mask_of(before)
        before = []
    return legal_cards(state.options, state.trump, before, hand, gone, state.won[seat])


def _play(state: BourreState, seat: int) -> Action:
    cards = legal_plays(state, seat, state.held[seat])
    return Action(PLAY, seat, cards=cards, hidden=state.hidden(seat))
