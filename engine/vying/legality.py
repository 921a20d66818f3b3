"""What may be done now. The replay, the findings, the random players and the pages all ask here."""

from engine.acts import (
    CALL,
    CARRE,
    DEAL,
    DECLINE,
    FOLD,
    NO_MORE,
    OPEN,
    PASS,
    RAISE,
    SHOW,
    TURN,
)
from engine.violations import Action
from engine.vying.state import (
    ANSWERING,
    CARRE_STAGE,
    DEAL_STAGE,
    NOBODY,
    SHOWDOWN,
    SPEAKING,
    VyingState,
)


def legal_actions(state: VyingState) -> list[Action]:
    """Every act that is legal now, in no order of merit; empty when the hand is over."""
    stage = state.stage
    if stage in (CARRE_STAGE, DEAL_STAGE):
        return _before_the_betting(state)
    if stage == SHOWDOWN:
        return [Action(SHOW, seat) for seat in range(state.players)]
    seat = state.to_speak()
    if seat == NOBODY:
        return []
    if stage == SPEAKING:
        actions = [Action(PASS, seat)]
        if may_open(state, seat):
            actions.append(Action(OPEN, seat, least_opening(state, seat), state.stacks[seat]))
        return actions
    return _after_the_opening(state, seat)


def _after_the_opening(state: VyingState, seat: int) -> list[Action]:
    raising = (
        [Action(RAISE, seat, state.to_call(seat) + 1, state.stacks[seat])]
        if may_raise(state, seat)
        else []
    )
    if state.stage == ANSWERING:
        call = calling(state, seat)
        return [Action(CALL, seat, call, call), *raising, Action(FOLD, seat)]
    return [Action(NO_MORE, seat), *raising]


def may_open(state: VyingState, seat: int) -> bool:
    """Whether the stack reaches the least opening (V6)."""
    return state.stacks[seat] >= least_opening(state, seat)


def least_opening(state: VyingState, seat: int) -> int:
    """The least that an opening adds: up to M, and the table's minimum (V3)."""
    return max(state.to_call(seat), state.options.open_minimum)


def may_raise(state: VyingState, seat: int) -> bool:
    """Whether the stack goes at least one chip over M (V6, V7)."""
    return state.stacks[seat] > state.to_call(seat)


def calling(state: VyingState, seat: int) -> int:
    """What a call adds: up to M, or all that is left."""
    return min(state.to_call(seat), state.stacks[seat])


def _before_the_betting(state: VyingState) -> list[Action]:
    actions = []
    if state.stage == CARRE_STAGE and state.carre_seat != NOBODY:
        actions.append(Action(CARRE, state.carre_seat, state.pot, state.pot))
        actions.append(Action(DECLINE, state.carre_seat))
    actions.extend(
        Action(DEAL, seat) for seat in range(state.players) if not state.dealt >> seat & 1
    )
    actions.append(Action(TURN, NOBODY))
    return actions
